"use strict";

// Starts GraphiQL with what the server wrote into the page.
(() => {
  const root = document.getElementById("playground");
  const config = JSON.parse(root.dataset.config);
  const element = React.createElement;

  // The media types GraphQL over HTTP knows; the first one brings status codes that tell.
  const accept = "application/graphql-response+json, application/json";

  const url = new URL(config.endpoint, location.href).href;
  const fetcher = GraphiQL.createFetcher({
    url,
    headers: { accept },
    fetch: playgroundToken.send,
    enableIncrementalDelivery: false,
  });

  /** Reports whether a subscription is to be run. GraphiQL names the operation if there are several. */
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

  // What visitors write holds tokens and passwords: it goes with the browser tab. Settings,
  // such as the theme, stay.
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

  /** Reads what GraphiQL has kept of the last visit: its tabs, or nothing. */
  function kept() {
    try {
      return JSON.parse(storage.getItem("graphiql:tabState")) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** Completes an operation's headers. Reading the schema needs no token, and must not fail for a bad one. */
  function headersOf(params, headers) {
    return params.operationName === "IntrospectionQuery" ? {} : playgroundToken.complete(headers);
  }

  // The editors start with the tab that was open when the page was left, or with the first
  // example. Left alone, GraphiQL shows an example without its variables, and on the next
  // visit takes the mismatch for one more tab.
  const last = kept();
  const first = (last ? last.tabs?.[last.activeTabIndex] : config.tabs[0]) ?? {};

  // A visitor's "off" is to last. GraphiQL takes the property for an order, and hides the
  // setting while it is false, unless told to show it.
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
        defaultTabs: config.tabs.length > 0 ? config.tabs : undefined,
        defaultHeaders: config.headers,
        defaultQuery: "# Ctrl+Space lists what fits here, Ctrl+Enter runs the operation.\n\n",
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
