package playground

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"go.uber.org/goleak"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// graphiql fetches GraphiQL's files, which takes no time if they are present, and returns them as a build would embed
// them.
func graphiql(t *testing.T) fs.FS {
	t.Helper()
	if out, err := exec.Command("sh", "fetch.sh").CombinedOutput(); err != nil {
		t.Fatalf("fetch.sh: %v: %s", err, out)
	}
	return os.DirFS("dist")
}

// The timeouts matter only for a failing test, and on a busy machine.
const (
	browserPatience = 60 * time.Second // for one test
	pagePatience    = 15 * time.Second // for one element or state
)

// often is how long until waits before it looks again. Looking before each frame makes the browser draw all of them.
const often = 20 * time.Millisecond

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

// session is one open page, and what happened there.
type session struct {
	t      *testing.T
	ctx    context.Context
	origin string

	mu         sync.Mutex
	foreign    []string // requested URLs of other hosts
	complaints []string // errors in the console
}

// startBrowser starts a browser that resolves no names. All tests share it, because the start takes longest.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(testlevel.Chromium(t)),
		chromedp.NoSandbox, // Chromium refuses to run as root with it
		chromedp.DisableGPU,
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
	must.OK(t, chromedp.Run(ctx))
	return ctx
}

// open shows a page, served next to the fake endpoint.
func open(t *testing.T, browser context.Context, page http.Handler, prepare ...chromedp.Action) *session {
	t.Helper()
	return visit(t, browser, startServer(t, page).URL, prepare...)
}

// visit shows the playground of the server at an address, with its own cookies and storage. prepare runs first.
func visit(t *testing.T, browser context.Context, address string, prepare ...chromedp.Action) *session {
	t.Helper()
	ctx, stop := context.WithTimeout(browser, browserPatience)
	t.Cleanup(stop)
	ctx, closePage := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(closePage)
	s := &session{t: t, ctx: ctx, origin: address}
	chromedp.ListenTarget(ctx, s.note)
	s.do(network.Enable())
	s.do(prepare...)
	s.do(chromedp.Navigate(address + Path))
	return s
}

// note records what the page must not do. The browser calls it on a goroutine of its own.
func (s *session) note(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, s.origin+"/") && !strings.HasPrefix(e.Request.URL, "data:") {
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
	poll := chromedp.Poll(expression, nil, chromedp.WithPollingInterval(often), chromedp.WithPollingTimeout(pagePatience))
	if err := chromedp.Run(s.ctx, poll); err != nil {
		var text string
		s.do(chromedp.Evaluate("document.body.innerText", &text))
		s.t.Fatalf("waiting for %s: %v; the page shows:\n%s", expression, err, text)
	}
}

// checkQuiet fails the test if the page requested another host or logged an error.
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
	testlevel.WithoutRace(t)
	browser := startBrowser(t)
	tests := []struct {
		name string
		test func(*testing.T, context.Context)
	}{
		{"GraphiQL runs operations and explains the schema", graphiqlRuns},
		{"GraphiQL opens the operation of an address", graphiqlOpensLinks},
		{"small page opens the operation of an address", smallPageOpensLinks},
		{"GraphiQL shares a token among tabs and finds it again", graphiqlSharesToken},
		{"GraphiQL keeps a token until the browser tab is closed", graphiqlKeepsNoSecret},
		{"GraphiQL forgets a token that the server refuses", graphiqlForgetsRefusedToken},
		{"GraphiQL forgets headers on request", graphiqlForgetsHeaders},
		{"GraphiQL follows the system's theme and keeps another", graphiqlThemes},
		{"GraphiQL shows the query or the answer on a phone", graphiqlOnPhones},
		{"GraphiQL comes from the CDN", graphiqlFromCDN},
		{"small page stands in when the CDN cannot be reached", smallPageWithoutCDN},
		{"small page stands in when the CDN sends something else", smallPageForOtherFiles},
		{"small page runs operations and shows events", smallPageRuns},
		{"small page takes the token of an answer", smallPageSignsIn},
		{"small page follows the system's theme", smallPageThemes},
		{"examples work one after the other with demo data", tour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, browser) })
	}
}

// system makes the browser report that the system is "light" or "dark".
func system(scheme string) chromedp.Action {
	return emulation.SetEmulatedMedia().
		WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}})
}

// background returns the colour behind an element: the first one of it and its ancestors that is not transparent.
func (s *session) background(selector string) string {
	s.t.Helper()
	const find = `(selector) => {
		let e = document.querySelector(selector);
		while (e.parentElement && getComputedStyle(e).backgroundColor === "rgba(0, 0, 0, 0)") e = e.parentElement;
		return getComputedStyle(e).backgroundColor;
	}`
	var colour string
	s.do(chromedp.Evaluate(fmt.Sprintf("(%s)(%q)", find, selector), &colour))
	return colour
}
