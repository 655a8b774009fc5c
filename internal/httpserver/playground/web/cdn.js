"use strict";

// Switches to the small page if the CDN does not deliver GraphiQL.
(() => {
  const PATIENCE = 20_000; // ms, for a network that drops requests
  const small = document.currentScript.dataset.small;
  const leave = () => location.replace(`${small}#unreachable`);

  const timer = setTimeout(leave, PATIENCE);
  addEventListener("DOMContentLoaded", () => clearTimeout(timer)); // all scripts have run
  // Such errors do not bubble. Only elements loaded from the CDN have the attribute.
  addEventListener("error", (event) => event.target.integrity && leave(), { capture: true });
})();
