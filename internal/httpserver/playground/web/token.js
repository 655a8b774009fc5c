"use strict";

/**
 * One token for all tabs: the one that register or login has answered last, or that the server
 * has accepted last in the headers. sessionStorage keeps it until the browser tab is closed;
 * it never comes into localStorage.
 *
 * A request whose Authorization header is still blank, such as "Bearer " with nothing behind
 * it, goes out with that token, or without. A request that has no such header at all stays as
 * it is: anonymous.
 */
const playgroundToken = (() => {
  const BLANK = /^\s*(bearer)?\s*$/i;
  const KEPT = "playground:token"; // its value is a whole header: "Bearer …"
  let place; // where the page says what is kept

  const kept = () => sessionStorage.getItem(KEPT);

  function keep(header) {
    sessionStorage.setItem(KEPT, header);
    show();
  }

  function forget() {
    sessionStorage.removeItem(KEPT);
    show();
  }

  /** Returns the headers as they shall be sent. */
  function complete(headers = {}) {
    const out = {};
    for (const [name, value] of Object.entries(headers)) {
      if (name.toLowerCase() !== "authorization" || !BLANK.test(value)) {
        out[name] = value;
      } else if (kept()) {
        out[name] = kept();
      }
    }
    return out;
  }

  /** Keeps the token that an answer brings, as those of register and login do. */
  function learn(answer) {
    for (const payload of Object.values(answer?.data ?? {})) {
      if (typeof payload?.token === "string") {
        keep(`Bearer ${payload.token}`);
      }
    }
  }

  /** Does what fetch does, and learns from the answer whether there is a token that counts. */
  async function send(url, init) {
    const response = await fetch(url, init);
    const sent = Object.entries(init.headers).find(([name]) => name.toLowerCase() === "authorization")?.[1];
    if (response.status === 401) {
      if (sent === kept()) {
        forget();
      }
      return response;
    }
    if (sent) {
      keep(sent);
    }
    if (/\bjson\b/.test(response.headers.get("content-type"))) {
      learn(await response.clone().json().catch(() => null));
    }
    return response;
  }

  /** Says in an element, from now on, whether there is a token. */
  function describe(element) {
    place = element;
    show();
  }

  function show() {
    const header = kept();
    if (!place) {
      return;
    }
    if (!header) {
      place.replaceChildren("Not signed in: run Register, or put a token behind “Bearer” in Headers.");
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Forget it";
    button.addEventListener("click", forget);
    const start = header.replace(/^bearer\s+/i, "").slice(0, 10);
    place.replaceChildren(
      `Signed in: the token ${start}… goes where nothing stands behind “Bearer” in Headers. The page keeps it until this browser tab is closed. `,
      button,
    );
  }

  return { complete, describe, forget, send };
})();
