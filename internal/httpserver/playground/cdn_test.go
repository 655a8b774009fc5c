package playground

import (
	"context"
	"encoding/base64"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"

	"agora/internal/httpserver/static"
)

// fakeCDN replaces the CDN with the files that fetch.sh has downloaded.
type fakeCDN struct {
	t       *testing.T
	dist    fs.FS
	change  func(name string, plain []byte) []byte
	answers sync.WaitGroup
}

// start makes the browser use this CDN. Pending answers are awaited before the page is closed.
func (c *fakeCDN) start() chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		chromedp.ListenTarget(ctx, func(event any) {
			if e, ok := event.(*fetch.EventRequestPaused); ok {
				c.answers.Go(func() { c.answer(ctx, e) })
			}
		})
		c.t.Cleanup(c.answers.Wait)
		return fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "https://" + cdnHost + "/*"}}).Do(ctx)
	})
}

func (c *fakeCDN) answer(ctx context.Context, e *fetch.EventRequestPaused) {
	i := slices.IndexFunc(sources, func(s source) bool { return s.URL == e.Request.URL })
	if i < 0 {
		c.t.Errorf("the page asked the CDN for %s, which is not listed", e.Request.URL)
		return
	}
	zipped, err := fs.ReadFile(c.dist, sources[i].name+".gz")
	if err != nil {
		c.t.Error(err)
		return
	}
	plain, err := unzip(zipped)
	if err != nil {
		c.t.Error(err)
		return
	}
	// An error means that the page was left, and the file is no longer needed.
	fetch.FulfillRequest(e.RequestID, http.StatusOK).
		WithResponseHeaders([]*fetch.HeaderEntry{
			{Name: "Access-Control-Allow-Origin", Value: "*"},
			{Name: "Content-Type", Value: static.ContentTypes[path.Ext(sources[i].name)]},
		}).
		WithBody(base64.StdEncoding.EncodeToString(c.change(sources[i].name, plain))).Do(ctx)
}

// onlyCDN fails the test if the page requested other hosts than the CDN, or not even that, and clears the recorded
// requests and errors.
func (s *session) onlyCDN() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.foreign) == 0 {
		s.t.Error("the page did not ask the CDN")
	}
	for _, u := range s.foreign {
		if !strings.HasPrefix(u, "https://"+cdnHost+"/npm/") {
			s.t.Errorf("the page requested %s; want the CDN only", u)
		}
	}
	s.foreign, s.complaints = nil, nil
}

func graphiqlFromCDN(t *testing.T, browser context.Context) {
	cdn := &fakeCDN{t: t, dist: graphiql(t), change: func(_ string, plain []byte) []byte { return plain }}
	s := open(t, browser, handlerWith(t, fstest.MapFS{}), cdn.start())

	s.until(graphiqlTabs + ` === "Greeting,Token"`)
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes("Hello, Ada!")`)
	s.click(graphiqlSettings)
	s.until(`document.querySelector(".graphiql-dialog")?.innerText.includes("Persist headers")`)
	s.until(`document.querySelector(".origin").innerText.includes("GraphiQL comes from cdn.jsdelivr.net")`)
	s.until(`document.querySelector(".origin").innerText.includes("make assets")`)
	s.until(`document.querySelector(".graphiql-container").getBoundingClientRect().bottom <= innerHeight`)
	s.mu.Lock()
	complaints := s.complaints
	s.mu.Unlock()
	if len(complaints) > 0 {
		t.Errorf("the page complained: %q", complaints)
	}
	s.onlyCDN()
}

func smallPageWithoutCDN(t *testing.T, browser context.Context) {
	s := open(t, browser, handlerWith(t, fstest.MapFS{}))
	s.checkStandsIn()
}

func smallPageForOtherFiles(t *testing.T, browser context.Context) {
	cdn := &fakeCDN{t: t, dist: graphiql(t), change: func(name string, plain []byte) []byte {
		if name == "react/umd/react.production.min.js" {
			return append(plain, "\nalert(1)"...)
		}
		return plain
	}}
	s := open(t, browser, handlerWith(t, fstest.MapFS{}), cdn.start())
	s.checkStandsIn()
}

// checkStandsIn waits for the small page and runs a query there.
func (s *session) checkStandsIn() {
	s.t.Helper()
	s.until(`location.pathname === "` + smallPath + `" && document.querySelectorAll("#examples button").length === 2`)
	s.onlyCDN()
	s.until(`document.querySelector("#unreachable").checkVisibility()`)
	s.until(`document.querySelector("#unreachable").innerText.includes("could not be loaded from cdn.jsdelivr.net")`)
	s.click("#run")
	s.until(`document.querySelector("#result").innerText.includes('"hello": "Hello, Ada!"')`)
	s.checkQuiet()
}
