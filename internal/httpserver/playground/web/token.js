"use strict";

/**
 * One token for all tabs: the one that register or login returned last, or that the server accepted last in the
 * headers. sessionStorage keeps it until the browser tab is closed; it is never written to localStorage.
 *
 * A request whose Authorization header has no token, such as "Bearer " alone, is sent with that token, or without the
 * header. A request without the header has the session of the web application, if there is one, by its cookie.
 */
const playgroundToken = (() => {
  const BLANK = /^\s*(bearer)?\s*$/i;
  const KEPT = "playground:token"; // its value is a whole header: "Bearer …"
  const ACCOUNTS = document.getElementById("playground").dataset.accounts; // where a demo says who can sign in
  let place; // the element that shows the state
  let costPlace; // the element that shows the cost

  function kept() {
    return sessionStorage.getItem(KEPT);
  }

  function keep(header) {
    sessionStorage.setItem(KEPT, header);
    show();
  }

  function forget() {
    sessionStorage.removeItem(KEPT);
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

  /** Shows what the latest operation has cost: the server says so if the request asks. */
  function showCost(text, ms) {
    const { redis, cost } = JSON.parse(text).extensions ?? {};
    if (!costPlace || !redis) {
      return;
    }
    const size = `${(new Blob([text]).size / 1000).toFixed(1)} kB`;
    const parts = [`${redis.roundTrips} round trips to Redis`, `${redis.commands} commands`, size, `${ms} ms`];
    if (cost) {
      parts.push(`cost ${cost.values} values at most`);
    }
    costPlace.textContent = parts.join(" · ");
  }

  /** Calls fetch, and learns from the answer whether the token is valid. */
  async function send(url, init) {
    const start = performance.now();
    const response = await fetch(url, { ...init, headers: { ...init.headers, "agora-trace": "1" } });
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
      const text = await response.clone().text();
      try {
        learn(JSON.parse(text));
        if (!init.body?.includes("IntrospectionQuery")) {
          showCost(text, Math.round(performance.now() - start));
        }
      } catch {
        // GraphiQL shows what is not JSON.
      }
    }
    return response;
  }

  /** Adds a button for each account of the demo, which signs in. */
  async function offer(to) {
    const answer = ACCOUNTS ? await fetch(ACCOUNTS) : null;
    if (!answer?.ok || kept()) {
      return;
    }
    const { accounts, password } = await answer.json();
    const query = "mutation($input: LoginInput!) { login(input: $input) { token errors { message } } }";
    const buttons = accounts.map(({ login, role }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `Sign in as ${login} (${role.toLowerCase()})`;
      button.addEventListener("click", () => send("/graphql", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query, variables: { input: { identifier: login, password } } }),
      }));
      return button;
    });
    to.append(...buttons.flatMap((button) => [button, " "]));
  }

  /** Shows in an element, from now on, what operations cost. */
  function describeCost(element) {
    costPlace = element;
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
      place.replaceChildren("No token: requests have the session of the forum, if you are signed in there. Or run Register, or enter a token after “Bearer” in Headers. ");
      offer(place);
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

  return { complete, describe, describeCost, forget, send };
})();
