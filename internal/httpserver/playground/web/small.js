"use strict";

// Runs operations on the page that replaces GraphiQL.
(() => {
  const at = (id) => document.getElementById(id);
  const form = at("playground");
  const config = JSON.parse(form.dataset.config);
  const editors = { query: at("query"), variables: at("variables"), headers: at("headers") };
  const DRAFT = "playground:draft";

  let running = null; // the AbortController of the operation in progress

  /** Parses the content of an editor: a JSON object or nothing. */
  function readObject(name) {
    const text = editors[name].value.trim();
    if (text === "") {
      return {};
    }
    let value;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new Error(`The ${name} are not JSON: ${error.message}`);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Error(`The ${name} are not a JSON object.`);
    }
    return value;
  }

  /** Formats JSON; other text is returned unchanged. */
  function pretty(text) {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }

  function show(status, result) {
    at("status").textContent = status;
    at("result").textContent = result;
  }

  /** Shows the answers of a subscription as they arrive. */
  async function showEvents(response) {
    const collect = playgroundEvents.collector();
    let count = 0;
    await playgroundEvents.read(response, (answer) => {
      const shown = collect(answer);
      count = shown.events ?? count;
      show(`Events: ${count}. Stop ends the subscription.`, JSON.stringify(shown, null, 2));
    });
    return `The subscription has ended after ${count} events.`;
  }

  /** Sends the content of the editors and shows the answer. */
  async function run() {
    const query = editors.query.value;
    const variables = readObject("variables");
    const streams = /^\s*subscription\b/m.test(query);
    const started = performance.now();
    const response = await playgroundToken.send(config.endpoint, {
      method: "POST",
      signal: running.signal,
      headers: {
        "content-type": "application/json",
        accept: streams
          ? playgroundEvents.ACCEPT
          : "application/graphql-response+json, application/json",
        ...playgroundToken.complete(readObject("headers")),
      },
      body: JSON.stringify({ query, variables }),
    });
    if (playgroundEvents.isStream(response)) {
      at("status").textContent = await showEvents(response);
      return;
    }
    const text = await response.text();
    const took = Math.round(performance.now() - started);
    show(`${response.status} ${response.statusText} in ${took} ms`, pretty(text));
  }

  /** Starts the operation, or stops the one in progress. */
  async function toggle() {
    if (running) {
      running.abort();
      return;
    }
    if (!form.reportValidity()) {
      return;
    }
    running = new AbortController();
    at("run").textContent = "Stop";
    show("Running…", "");
    try {
      await run();
    } catch (error) {
      const stopped = error.name === "AbortError";
      show(stopped ? "Stopped." : error.message, at("result").textContent);
    } finally {
      running = null;
      at("run").textContent = "Run";
    }
  }

  /** Shows an example in the editors; headers entered by the visitor stay. */
  function open(tab, button) {
    editors.query.value = tab.query;
    editors.variables.value = tab.variables;
    if (tab.headers !== config.headers) {
      editors.headers.value = tab.headers;
    }
    for (const other of at("examples").children) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    keep();
  }

  /** Keeps the editors' texts until the browser tab is closed. */
  function keep() {
    const draft = Object.entries(editors).map(([name, editor]) => [name, editor.value]);
    sessionStorage.setItem(DRAFT, JSON.stringify(Object.fromEntries(draft)));
  }

  const buttons = config.tabs.map((tab, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = tab.name || `Example ${i + 1}`;
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => open(tab, button));
    return button;
  });
  at("examples").append(...buttons);

  playgroundToken.describe(at("token-hint"));
  editors.headers.value = config.headers;
  const draft = JSON.parse(sessionStorage.getItem(DRAFT));
  const search = new URLSearchParams(location.search);
  if (search.has("query")) {
    editors.query.value = search.get("query");
    editors.variables.value = search.get("variables") ?? "";
    history.replaceState(null, "", location.pathname);
    keep();
  } else if (draft) {
    for (const [name, editor] of Object.entries(editors)) {
      editor.value = draft[name];
    }
  } else if (buttons.length > 0) {
    open(config.tabs[0], buttons[0]);
  }

  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    toggle();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      toggle();
    }
  });
})();
