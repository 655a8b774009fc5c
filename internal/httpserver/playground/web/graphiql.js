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

  /** Runs an operation. */
  function run(params, options) {
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
  const tabs = asked ? [asked, ...config.tabs] : config.tabs;

  // Remembers a visitor's "off". GraphiQL treats the property as a command, and hides the setting while it is false,
  // unless the setting is shown explicitly.
  const persist = storage.getItem("graphiql:shouldPersistHeaders") !== "false";

  ReactDOM.createRoot(root).render(
    element(
      GraphiQL,
      {
        fetcher: run,
        storage,
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
        element("p", { className: "token-hint", ref: playgroundToken.describe }),
      ),
    ),
  );
})();
