package playground

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
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

// graphiql fetches the files that GraphiQL is made of, which takes no time when
// they are there, and gives them as a build would embed them.
func graphiql(t *testing.T) fs.FS {
	t.Helper()
	if out, err := exec.Command("sh", "fetch.sh").CombinedOutput(); err != nil {
		t.Fatalf("fetch.sh: %v: %s", err, out)
	}
	return os.DirFS("dist")
}

// Patience matters to a test that fails, and on a machine that is busy.
const (
	browserPatience = 60 * time.Second // for one test
	pagePatience    = 15 * time.Second // for one thing to show up
)

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

// session is one open page, and what happened there.
type session struct {
	t    *testing.T
	ctx  context.Context
	host string

	mu         sync.Mutex
	foreign    []string // URLs of other hosts that the page asked for
	complaints []string // errors in the console
}

// startBrowser starts a browser that resolves no name. It serves all tests, because the start
// is what takes longest.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)),
		chromedp.NoSandbox, // Chromium refuses to run as root with it
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.WindowSize(1280, 800),
		chromedp.WSURLReadTimeout(browserPatience),
	)
	ctx, stop := chromedp.NewExecAllocator(t.Context(), flags...)
	t.Cleanup(stop)
	ctx, closeBrowser := chromedp.NewContext(ctx)
	t.Cleanup(closeBrowser)
	if err := chromedp.Run(ctx); err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	return ctx
}

// open shows the page, with cookies and storage of its own.
func open(t *testing.T, browser context.Context, page http.Handler) *session {
	t.Helper()
	server := startServer(t, page)
	ctx, stop := context.WithTimeout(browser, browserPatience)
	t.Cleanup(stop)
	ctx, closePage := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
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
		s.checkQuiet()
		s.t.Fatalf("browser: %v", err)
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
	if err := chromedp.Run(s.ctx, chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(pagePatience))); err != nil {
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

func TestInBrowser(t *testing.T) {
	browser := startBrowser(t)
	tests := []struct {
		name string
		test func(*testing.T, context.Context)
	}{
		{"GraphiQL runs operations and explains the schema", graphiqlRuns},
		{"GraphiQL shares a token among tabs and finds it again", graphiqlSharesToken},
		{"GraphiQL forgets headers when told to", graphiqlForgetsHeaders},
		{"small page runs operations and shows events", smallPageRuns},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, browser) })
	}
}

// What the tests read from GraphiQL's page.
const (
	graphiqlAnswer  = `document.querySelector(".result-window").innerText`
	graphiqlHeaders = `document.querySelector(".graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror").CodeMirror`
	graphiqlKept    = `localStorage.getItem("graphiql:tabState")`
	graphiqlTabs    = `[...document.querySelectorAll(".graphiql-tab")].map(e => e.innerText.trim()).join()`
)

// openGraphiQL opens the page as a build with GraphiQL serves it.
func openGraphiQL(t *testing.T, browser context.Context) *session {
	t.Helper()
	h, err := newHandler(Options{Tabs: examples()}, graphiql(t))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(linked(t, h), " "), "graphiql.min.js") {
		t.Fatal("the page does not load GraphiQL")
	}
	s := open(t, browser, h)
	s.until(graphiqlTabs + ` === "Greeting,Token"`)
	return s
}

func graphiqlRuns(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser)

	s.click(".graphiql-execute-button")
	s.until(graphiqlAnswer + `.includes("Hello, Ada!")`)

	s.click(`[aria-label="Show Documentation Explorer"]`)
	s.click("a.graphiql-doc-explorer-type-name")
	s.until(`document.querySelector(".graphiql-doc-explorer").innerText.includes("Greets the named one.")`)

	s.click(`[aria-label="Open settings dialog"]`)
	s.until(`document.querySelector(".graphiql-dialog")?.innerText.includes("Persist headers")`)
	s.checkQuiet()
}

func graphiqlSharesToken(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser)

	s.until(graphiqlHeaders + `.getValue().includes('"Bearer "')`)
	s.click(".graphiql-execute-button")
	s.until(graphiqlAnswer + `.includes('"token": ""')`) // a blank is not sent

	s.do(chromedp.Evaluate(graphiqlHeaders+`.setValue('{"Authorization": "Bearer secret"}')`, nil))
	s.until(graphiqlKept + `?.includes("secret")`)
	s.do(chromedp.Reload())
	s.until(graphiqlTabs + ` === "Greeting,Token"`) // and no tab more
	s.until(graphiqlHeaders + `.getValue().includes("Bearer secret")`)

	s.click(".graphiql-tab:nth-of-type(2) button")
	s.until(graphiqlHeaders + `.getValue().includes('"Bearer "')`)
	s.click(".graphiql-execute-button")
	s.until(graphiqlAnswer + `.includes("Bearer secret")`)
	s.checkQuiet()
}

func graphiqlForgetsHeaders(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser)

	s.do(chromedp.Evaluate(graphiqlHeaders+`.setValue('{"Authorization": "Bearer secret"}')`, nil))
	s.until(graphiqlKept + `?.includes("secret")`)
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

func smallPageRuns(t *testing.T, browser context.Context) {
	s := open(t, browser, handlerWith(t, fstest.MapFS{}))

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
