package playground

import (
	"context"
	"net/http"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// openSmall opens the small page.
func openSmall(t *testing.T, browser context.Context, prepare ...chromedp.Action) *session {
	t.Helper()
	h := handlerWith(t, fstest.MapFS{})
	small := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == Path {
			r.URL.Path = smallPath
		}
		h.ServeHTTP(w, r)
	})
	s := open(t, browser, small, prepare...)
	s.until(`document.querySelectorAll("#examples button").length === 2`)
	return s
}

func smallPageRuns(t *testing.T, browser context.Context) {
	s := openSmall(t, browser)

	s.until(`getComputedStyle(document.querySelector("#unreachable")).display === "none"`)
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

func smallPageOpensLinks(t *testing.T, browser context.Context) {
	s := openSmall(t, browser)
	s.do(chromedp.Navigate(s.origin + link))
	s.until(`document.querySelector("#query").value.includes("query Linked")`)
	s.click("#run")
	s.until(`document.querySelector("#result").innerText.includes("Hello, Bob!")`)
	s.checkQuiet()
}

func smallPageSignsIn(t *testing.T, browser context.Context) {
	s := openSmall(t, browser)

	s.until(`document.querySelector("#token-hint").innerText.startsWith("No token")`)
	s.set("#query", "mutation { login }")
	s.click("#run")
	s.until(`document.querySelector("#token-hint").innerText.startsWith("Signed in")`)
	s.do(chromedp.Reload())
	s.click("#examples button:nth-child(2)")
	s.click("#run")
	s.until(`document.querySelector("#result").innerText.includes('"token": "Bearer agora_7_secret"')`)
	s.until(graphiqlLasting + ` === "{}"`)
	s.click("#token-hint button")
	s.click("#run")
	s.until(`document.querySelector("#result").innerText.includes('"token": ""')`)
	s.checkQuiet()
}

func smallPageThemes(t *testing.T, browser context.Context) {
	s := openSmall(t, browser, system("dark"))
	for _, tt := range []struct{ scheme, want string }{
		{"dark", "rgb(20, 25, 29)"},
		{"light", "rgb(245, 246, 247)"},
	} {
		s.do(system(tt.scheme))
		if got := s.background("main"); got != tt.want {
			t.Errorf("background in a %s system = %s; want %s", tt.scheme, got, tt.want)
		}
	}
	s.checkQuiet()
}
