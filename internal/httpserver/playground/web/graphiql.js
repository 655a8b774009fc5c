"use strict";

// Starts GraphiQL with the config that the server wrote into the page.
(() => {
  const root = document.getElementById("playground");
  const config = JSON.parse(root.dataset.config);
  const element = React.createElement;

  // The media types of GraphQL over HTTP; the first one has meaningful status codes.
  const accept = "application/graphql-response+json, application/json";

  const url = new URL(config.endpoint, location.href).href;
  const fetcher = GraphiQL.createFetcher({
    url,
    headers: { accept },
    fetch: playgroundToken.send,
    enableIncrementalDelivery: false,
  });

  /** Reports whether a subscription will be run. GraphiQL names the operation if there are several. */
  const subscribes = ({ operationName }, document) =>
    document?.definitions.some(
      (definition) =>
        definition.operation === "subscription" && (!operationName || definition.name?.value === operationName),
    ) ?? false;

  // On a phone there is room for the query or for the answer: two buttons say which, and running one shows the answer.
  const views = { query: "Query", answer: "Answer" };
  const bar = document.createElement("nav");
  bar.className = "views";
  bar.setAttribute("aria-label", "What is shown");
  for (const [view, name] of Object.entries(views)) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", () => show(view));
    bar.append(button);
  }
  root.before(bar);

  function show(view) {
    document.body.dataset.view = view;
    for (const button of bar.children) {
      button.setAttribute("aria-pressed", String(button.textContent === views[view]));
    }
    // An editor that was hidden has not measured its text.
    document.querySelectorAll(".CodeMirror").forEach((editor) => editor.CodeMirror.refresh());
  }
  show("query");

  /** Runs an operation. */
  function run(params, options) {
    if (params.operationName !== "IntrospectionQuery") {
      show("answer");
    }
    const headers = headersOf(params, options?.headers);
    if (subscribes(params, options?.documentAST)) {
      return playgroundEvents.observe(url, params, headers);
    }
    return fetcher(params, { ...options, headers });
  }

  // What visitors type contains tokens and passwords: it is dropped with the browser tab. Settings, such as the
  // theme, are kept.
  const SETTING = /^graphiql:(theme|shouldPersistHeaders|\w+Flex)$/;
  const areaOf = (key) => (SETTING.test(key) ? localStorage : sessionStorage);
  const storage = {
    get length() {
      return sessionStorage.length;
    },
    getItem: (key) => areaOf(key).getItem(key),
    setItem: (key, value) => areaOf(key).setItem(key, value),
    removeItem: (key) => areaOf(key).removeItem(key),
    clear() {
      for (const area of [localStorage, sessionStorage]) {
        const own = Object.keys(area).filter((key) => key.startsWith("graphiql:"));
        own.forEach((key) => area.removeItem(key));
      }
      playgroundToken.forget();
    },
  };

  /** Returns the tabs that GraphiQL stored on the last visit, or nothing. */
  function kept() {
    try {
      return JSON.parse(storage.getItem("graphiql:tabState")) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns the operation in the address, once: what is changed in it later is kept in its tab. */
  function linked() {
    const search = new URLSearchParams(location.search);
    const query = search.get("query");
    history.replaceState(null, "", location.pathname);
    return query ? { query, variables: search.get("variables") ?? "", headers: config.headers } : null;
  }

  /** Completes an operation's headers. Reading the schema needs no token, and must not fail for a bad one. */
  function headersOf(params, headers) {
    return params.operationName === "IntrospectionQuery" ? {} : playgroundToken.complete(headers);
  }

  // The editors start with the tab that was open when the page was left, or with the first example. By default,
  // GraphiQL shows an example without its variables, and on the next visit takes the difference for another tab.
  // An address with ?query= and &variables= opens that operation instead, in a tab of its own.
  const last = kept();
  const asked = linked();
  const first = asked ?? (last ? last.tabs?.[last.activeTabIndex] : config.tabs[0]) ?? {};

  // A few examples are tabs; many would hide each other, and are in the list beside the editor.
  const opened = config.tabs.length > 3 ? config.tabs.slice(0, 1) : config.tabs;
  const tabs = asked ? [asked, ...opened] : opened;

  /** The list beside the editor: it opens an example in a tab of its own, or turns to the tab that has it. */
  function Examples() {
    const editor = GraphiQL.React.useEditorContext({ nonNull: true });
    function open(example) {
      show("query");
      const there = editor.tabs.findIndex(({ query }) => query === example.query);
      if (there >= 0) {
        editor.changeTab(there);
        return;
      }
      editor.addTab();
      setTimeout(() => {
        editor.queryEditor.setValue(example.query);
        editor.variableEditor.setValue(example.variables);
      });
    }
    const items = config.tabs.map((example) =>
      element("li", { key: example.name },
        element("button", { type: "button", onClick: () => open(example) }, example.name)),
    );
    return element("section", { className: "examples" },
      element("h2", null, "Examples"),
      element("ul", null, items),
    );
  }

  const examples = { title: "Examples", icon: GraphiQL.React.StarIcon, content: () => element(Examples) };
  const narrow = matchMedia("(max-width: 700px)").matches;
  const firstVisit = storage.getItem("graphiql:visiblePlugin") === null && !narrow && config.tabs.length > opened.length;

  /** Opens the list of examples on a first visit, once the page is there. GraphiQL has no property for that. */
  function showExamples(element) {
    if (element && firstVisit) {
      requestAnimationFrame(() => document.querySelector(`[aria-label="Show ${examples.title}"]`)?.click());
    }
  }

  // Remembers a visitor's "off". GraphiQL treats the property as a command, and hides the setting while it is false,
  // unless the setting is shown explicitly.
  const persist = storage.getItem("graphiql:shouldPersistHeaders") !== "false";

  ReactDOM.createRoot(root).render(
    element(
      GraphiQL,
      {
        fetcher: run,
        storage,
        plugins: [examples],
        query: first.query ?? undefined,
        variables: first.variables ?? undefined,
        headers: first.headers ?? config.headers,
        defaultTabs: tabs.length > 0 ? tabs : undefined,
        defaultHeaders: config.headers,
        defaultQuery: "# Ctrl+Space lists completions, Ctrl+Enter runs the operation.\n\n",
        defaultEditorToolsVisibility: "variables",
        shouldPersistHeaders: persist,
        showPersistHeadersSettings: true,
        inputValueDeprecation: true,
      },
      element(
        GraphiQL.Logo,
        null,
        config.title,
        element("a", { className: "schema-link", href: "/docs/" }, "Docs"),
        element("a", { className: "schema-link", href: "/schema.graphql" }, "Schema"),
      ),
      element(
        GraphiQL.Footer,
        null,
        element("p", { className: "cost", ref: playgroundToken.describeCost, role: "status" }),
        element("i", { ref: showExamples }),
        element("p", { className: "token-hint", ref: playgroundToken.describe }),
      ),
    ),
  );
})();
