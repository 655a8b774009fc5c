"use strict";

/**
 * One token for all tabs: the one that register or login returned last, or that the server accepted last in the
 * headers. sessionStorage keeps it until the browser tab is closed; it is never written to localStorage.
 *
 * A request whose Authorization header has no token, such as "Bearer " alone, is sent with that token, or without the
 * header. A request without the header stays anonymous.
 */
const playgroundToken = (() => {
  const BLANK = /^\s*(bearer)?\s*$/i;
  const KEPT = "playground:token"; // its value is a whole header: "Bearer …"
  let place; // the element that shows the state

  const SESSION = "agora:token"; // of the web application, whose session is used until another token is

  function kept() {
    const session = localStorage.getItem(SESSION);
    return sessionStorage.getItem(KEPT) ?? (session && `Bearer ${session}`);
  }

  function keep(header) {
    sessionStorage.setItem(KEPT, header);
    show();
  }

  function forget() {
    sessionStorage.setItem(KEPT, ""); // not to be found again in the application's session
    show();
  }

  /** Returns the headers to send. */
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

  /** Stores the token in an answer, as those of register and login have one. */
  function learn(answer) {
    for (const payload of Object.values(answer?.data ?? {})) {
      if (typeof payload?.token === "string") {
        keep(`Bearer ${payload.token}`);
      }
    }
  }

  /** Calls fetch, and learns from the answer whether the token is valid. */
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

  /** Shows in an element, from now on, whether there is a token. */
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
      place.replaceChildren("Not signed in: run Register, or enter a token after “Bearer” in Headers.");
      return;
    }
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Forget it";
    button.addEventListener("click", forget);
    const start = header.replace(/^bearer\s+/i, "").slice(0, 10);
    place.replaceChildren(
      `Signed in: the token ${start}… is used if nothing follows “Bearer” in Headers. The page keeps it until this browser tab is closed. `,
      button,
    );
  }

  return { complete, describe, forget, send };
})();
