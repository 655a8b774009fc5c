package playground

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"go.uber.org/goleak"
)

// fetchCommand brings the files that GraphiQL is made of.
const fetchCommand = "sh internal/httpserver/playground/fetch.sh"

// browserPatience is how long one browser test may take.
const browserPatience = 30 * time.Second

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// chromium returns the browser's program, and fails the test when there is none.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	t.Fatal("no Chromium on the PATH; apt-get install chromium brings it")
	return ""
}

// session is a browser with one open page, and what happened there.
type session struct {
	t    *testing.T
	ctx  context.Context
	host string

	mu         sync.Mutex
	foreign    []string // URLs of other hosts that the page asked for
	complaints []string // errors in the console
}

// openBrowser starts a browser that resolves no name, and opens the page.
func openBrowser(t *testing.T, page http.Handler) *session {
	t.Helper()
	server := startServer(t, page)
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)),
		chromedp.NoSandbox, // Chromium refuses to run as root with it
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.WindowSize(1280, 800),
	)
	ctx, stop := context.WithTimeout(t.Context(), browserPatience)
	t.Cleanup(stop)
	ctx, closeBrowser := chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(closeBrowser)
	ctx, closePage := chromedp.NewContext(ctx)
	t.Cleanup(closePage)
	s := &session{t: t, ctx: ctx, host: strings.TrimPrefix(server.URL, "http://")}
	chromedp.ListenTarget(ctx, s.note)
	s.do(network.Enable(), chromedp.Navigate(server.URL))
	return s
}

// note keeps what the page must not do. The browser calls it from a goroutine of its own.
func (s *session) note(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		u, err := url.Parse(e.Request.URL)
		if err != nil || u.Scheme != "data" && u.Host != s.host {
			s.foreign = append(s.foreign, e.Request.URL)
		}
	case *network.EventWebSocketCreated:
		s.foreign = append(s.foreign, e.URL)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			s.complaints = append(s.complaints, e.Entry.Text)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError {
			s.complaints = append(s.complaints, "console.error")
		}
	case *runtime.EventExceptionThrown:
		s.complaints = append(s.complaints, e.ExceptionDetails.Error())
	}
}

func (s *session) do(actions ...chromedp.Action) {
	s.t.Helper()
	if err := chromedp.Run(s.ctx, actions...); err != nil {
		s.t.Fatalf("browser: %v; the page has complained: %q", err, s.complaints)
	}
}

// click waits for the element and clicks it.
func (s *session) click(selector string) {
	s.t.Helper()
	s.do(chromedp.Click(selector, chromedp.ByQuery, chromedp.NodeVisible))
}

// set replaces the text of a textarea.
func (s *session) set(selector, text string) {
	s.t.Helper()
	const assign = `(selector, text) => { document.querySelector(selector).value = text }`
	s.do(chromedp.Evaluate(fmt.Sprintf("(%s)(%q, %q)", assign, selector, text), nil))
}

// until waits until a JavaScript expression is true.
func (s *session) until(expression string) {
	s.t.Helper()
	if err := chromedp.Run(s.ctx, chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(5*time.Second))); err != nil {
		var text string
		s.do(chromedp.Evaluate("document.body.innerText", &text))
		s.t.Fatalf("waiting for %s: %v; the page shows:\n%s", expression, err, text)
	}
}

// checkQuiet fails the test when the page asked another host or complained.
func (s *session) checkQuiet() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.foreign) > 0 {
		s.t.Errorf("the page asked other hosts: %q", s.foreign)
	}
	if len(s.complaints) > 0 {
		s.t.Errorf("the page complained: %q", s.complaints)
	}
}

// What the tests read from GraphiQL's page.
const (
	graphiqlAnswer  = `document.querySelector(".result-window").innerText`
	graphiqlHeaders = `document.querySelector(".graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror").CodeMirror`
	graphiqlTabs    = `[...document.querySelectorAll(".graphiql-tab")].map(e => e.innerText.trim()).join()`
)

// openGraphiQL opens the page as it is embedded.
func openGraphiQL(t *testing.T) *session {
	t.Helper()
	h := Handler(Options{Tabs: examples()})
	if !strings.Contains(strings.Join(linked(t, h), " "), "graphiql.min.js") {
		t.Fatalf("GraphiQL is not embedded; %s brings it", fetchCommand)
	}
	s := openBrowser(t, h)
	s.until(graphiqlTabs + ` === "Greeting,Token"`)
	return s
}

func TestGraphiQLInBrowser(t *testing.T) {
	s := openGraphiQL(t)

	s.click(".graphiql-execute-button")
	s.until(graphiqlAnswer + `.includes("Hello, Ada!")`)

	s.click(`[aria-label="Show Documentation Explorer"]`)
	s.click("a.graphiql-doc-explorer-type-name")
	s.until(`document.querySelector(".graphiql-doc-explorer").innerText.includes("Greets the named one.")`)

	s.click(`[aria-label="Open settings dialog"]`)
	s.until(`document.querySelector(".graphiql-dialog")?.innerText.includes("Persist headers")`)
	s.checkQuiet()
}

func TestGraphiQLSharesTheTokenAmongTabs(t *testing.T) {
	s := openGraphiQL(t)

	s.until(graphiqlHeaders + `.getValue().includes('"Bearer "')`)
	s.click(".graphiql-execute-button")
	s.until(graphiqlAnswer + `.includes('"token": ""')`) // a blank is not sent

	s.do(chromedp.Evaluate(graphiqlHeaders+`.setValue('{"Authorization": "Bearer secret"}')`, nil))
	s.click(".graphiql-execute-button")
	s.until(graphiqlAnswer + `.includes("Bearer secret")`)

	s.click(".graphiql-tab:nth-of-type(2) button")
	s.until("!" + graphiqlAnswer + `.includes("secret")`)
	s.click(".graphiql-execute-button")
	s.until(graphiqlAnswer + `.includes("Bearer secret")`)

	s.until(`localStorage.getItem("graphiql:tabState")?.includes("secret") && JSON.parse(localStorage.getItem("graphiql:tabState")).activeTabIndex === 1`)
	s.do(chromedp.Reload())
	s.until(graphiqlTabs + ` === "Greeting,Token"`) // and no tab more
	s.click(".graphiql-execute-button")
	s.until(graphiqlAnswer + `.includes("Bearer secret")`)
	s.checkQuiet()
}

func TestGraphiQLKeepsNoHeadersWhenTold(t *testing.T) {
	s := openGraphiQL(t)

	s.do(chromedp.Evaluate(graphiqlHeaders+`.setValue('{"Authorization": "Bearer secret"}')`, nil))
	s.until(`localStorage.getItem("graphiql:tabState")?.includes("secret")`)
	s.click(`[aria-label="Open settings dialog"]`)
	s.click("#disable-persist-headers")
	s.until(`localStorage.getItem("graphiql:shouldPersistHeaders") === "false"`)

	s.do(chromedp.Reload())
	s.until(graphiqlTabs + ` === "Greeting,Token"`)
	s.until(graphiqlHeaders + `.getValue().includes('"Bearer "')`)
	s.click(".graphiql-execute-button")
	s.until(graphiqlAnswer + `.includes('"token": ""')`)
	s.click(`[aria-label="Open settings dialog"]`)
	s.until(`document.querySelector("#disable-persist-headers").classList.contains("active")`)
	s.until(`!Object.values(localStorage).join().includes("secret")`)
	s.checkQuiet()
}

func TestSmallPageInBrowser(t *testing.T) {
	s := openBrowser(t, handlerWith(t, fstest.MapFS{}))

	s.until(`document.querySelectorAll("#examples button").length === 2`)
	s.until(`document.querySelector("#query").value.includes("query Greeting")`)
	s.click("#run")
	s.until(`document.querySelector("#result").innerText.includes('"hello": "Hello, Ada!"')`)
	s.until(`document.querySelector("#status").innerText.startsWith("200 ")`)

	s.set("#headers", `{"Authorization": "Bearer secret"}`)
	s.click("#examples button:nth-child(2)")
	s.until(`document.querySelector("#query").value.includes("query Token")`)
	s.until(`document.querySelector("#examples [aria-pressed=true]").innerText === "Who am I?"`)
	s.do(chromedp.Focus("#query", chromedp.ByQuery), chromedp.KeyEvent("\r", chromedp.KeyModifiers(input.ModifierCtrl)))
	s.until(`document.querySelector("#result").innerText.includes("Bearer secret")`)

	s.set("#variables", "{")
	s.click("#run")
	s.until(`document.querySelector("#status").innerText.includes("The variables are not JSON")`)

	s.set("#variables", "")
	s.set("#query", "subscription { hello }")
	s.click("#run")
	s.until(`document.querySelector("#status").innerText.includes("ended after 2 events")`)
	s.checkQuiet()
}
