"use strict";

/**
 * One token for all tabs. A request whose Authorization header is still blank, such as
 * "Bearer " with nothing behind it, goes out with the one that was last used on this page,
 * or without. A request that has no such header at all stays as it is: anonymous.
 */
const playgroundToken = (() => {
  const BLANK = /^\s*(bearer)?\s*$/i;
  let last;

  /** Returns the headers as they shall be sent, and remembers a token that is among them. */
  function complete(headers = {}) {
    const out = {};
    for (const [name, value] of Object.entries(headers)) {
      if (name.toLowerCase() !== "authorization") {
        out[name] = value;
      } else if (!BLANK.test(value)) {
        out[name] = last = value;
      } else if (last) {
        out[name] = last;
      }
    }
    return out;
  }

  /** Remembers the token in the text of a headers editor, which may be anything. */
  function learn(text) {
    try {
      complete(JSON.parse(text) ?? {});
    } catch {
      // The visitor left it half written: it will be complained about when it is used.
    }
  }

  /** Does what fetch does, and forgets a token that the server does not take any more. */
  async function send(url, init) {
    const response = await fetch(url, init);
    if (response.status === 401) {
      last = undefined;
    }
    return response;
  }

  return { complete, learn, send };
})();
