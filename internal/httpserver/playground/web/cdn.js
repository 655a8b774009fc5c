"use strict";

// Makes way for the small page when the CDN does not bring GraphiQL as it should be.
(() => {
  const PATIENCE = 20_000; // ms, for a network that swallows what is asked of it
  const small = document.currentScript.dataset.small;
  const leave = () => location.replace(`${small}#unreachable`);

  const timer = setTimeout(leave, PATIENCE);
  addEventListener("DOMContentLoaded", () => clearTimeout(timer)); // all scripts have run
  // Such errors do not bubble. Only what comes from the CDN has the attribute.
  addEventListener("error", (event) => event.target.integrity && leave(), { capture: true });
})();
