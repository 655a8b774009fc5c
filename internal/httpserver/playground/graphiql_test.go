package playground

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// The parts of GraphiQL's page that the tests read.
const (
	graphiqlAnswer  = `document.querySelector(".result-window .CodeMirror").CodeMirror.getValue()`
	graphiqlQuery   = `document.querySelector(".graphiql-query-editor .CodeMirror").CodeMirror`
	graphiqlEditor  = `document.querySelector(".graphiql-editor-tool .graphiql-editor:not(.hidden) .CodeMirror").CodeMirror`
	graphiqlKept    = `sessionStorage.getItem("graphiql:tabState")`
	graphiqlLasting = `JSON.stringify(localStorage)`
	graphiqlTabs    = `[...document.querySelectorAll(".graphiql-tab")].map(e => e.innerText.trim()).join()`
	graphiqlToken   = `document.querySelector(".token-hint").innerText`
)

// Buttons on GraphiQL's page.
const (
	graphiqlRun      = ".graphiql-execute-button"
	graphiqlStop     = `.graphiql-execute-button[aria-label^="Stop"]`
	graphiqlDocs     = `[aria-label="Show Documentation Explorer"]`
	graphiqlSettings = `[aria-label="Open settings dialog"]`
	graphiqlHeaders  = `[data-name="headers"]`
)

// openGraphiQL opens the page as a build with GraphiQL serves it.
func openGraphiQL(t *testing.T, browser context.Context, prepare ...chromedp.Action) *session {
	t.Helper()
	h := handlerWith(t, graphiql(t))
	if !strings.Contains(strings.Join(linked(t, h), " "), "graphiql.min.js") {
		t.Fatal("the page does not load GraphiQL")
	}
	s := open(t, browser, h, prepare...)
	s.until(graphiqlTabs + ` === "Greeting,Token"`)
	return s
}

// write replaces the text of the open editor below the query.
func (s *session) write(text string) {
	s.t.Helper()
	s.do(chromedp.Evaluate(fmt.Sprintf("%s.setValue(%q)", graphiqlEditor, text), nil))
}

func graphiqlRuns(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser)

	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes("Hello, Ada!")`)

	s.click(graphiqlDocs)
	s.click("a.graphiql-doc-explorer-type-name")
	s.until(`document.querySelector(".graphiql-doc-explorer").innerText.includes("Greets the named one.")`)

	s.click(graphiqlSettings)
	s.until(`document.querySelector(".graphiql-dialog")?.innerText.includes("Persist headers")`)
	s.checkQuiet()
}

// link is an address that opens an operation.
const link = Path + "?query=query+Linked($name:String!){hello(name:$name)}&variables=%7B%22name%22:%22Bob%22%7D"

func graphiqlOpensLinks(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser)
	s.do(chromedp.Navigate(s.origin + link))
	s.until(graphiqlTabs + `.includes("Linked")`)
	s.until(graphiqlQuery + `.getValue().includes("query Linked")`)
	s.until(graphiqlEditor + `.getValue().includes("Bob")`)
	s.until(`location.search === ""`) // so that a reload keeps what is changed
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes("Hello, Bob!")`)
	s.checkQuiet()
}

func graphiqlSharesToken(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser)

	s.click(graphiqlHeaders)
	s.until(graphiqlEditor + `.getValue().includes('"Bearer "')`)
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes('"token": ""')`) // a blank is not sent

	s.write(`{"Authorization": "Bearer secret"}`)
	s.until(graphiqlKept + `?.includes("secret")`)
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes("Bearer secret")`)
	s.do(chromedp.Reload())
	s.until(graphiqlTabs + ` === "Greeting,Token"`) // and no other tab
	s.click(graphiqlHeaders)
	s.until(graphiqlEditor + `.getValue().includes("Bearer secret")`)

	s.click(".graphiql-tab:nth-of-type(2) button")
	s.until(graphiqlEditor + `.getValue().includes('"Bearer "')`)
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes("Bearer secret")`)
	s.checkQuiet()
}

func graphiqlKeepsNoSecret(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser)

	s.until(graphiqlToken + `.startsWith("No token")`)
	s.do(chromedp.Evaluate(graphiqlQuery+`.setValue("mutation { login }")`, nil))
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes("agora_7_secret")`)
	s.until(graphiqlToken + `.includes("agora_7_se…")`)

	s.do(chromedp.Reload())
	s.until(graphiqlToken + `.includes("agora_7_se…")`)
	s.click(".graphiql-tab:nth-of-type(2) button")
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes('"token": "Bearer agora_7_secret"')`)
	s.until(`!` + graphiqlLasting + `.includes("secret")`)

	s.click(".token-hint button")
	s.until(graphiqlToken + `.startsWith("No token")`)
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes('"token": ""')`)
	s.until(`!JSON.stringify(sessionStorage).includes("secret")`)
	s.checkQuiet()
}

func graphiqlForgetsRefusedToken(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser)

	s.do(chromedp.Evaluate(`sessionStorage.setItem("playground:token", "Bearer refused")`, nil))
	s.do(chromedp.Reload())
	s.until(graphiqlToken + `.startsWith("Signed in")`)
	s.click(graphiqlDocs) // the schema is read without a token
	s.until(`document.querySelector(".graphiql-doc-explorer").innerText.includes("Query")`)
	s.checkQuiet()

	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes("token refused")`)
	s.until(graphiqlToken + `.startsWith("No token")`)
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes("Hello, Ada!")`)
}

func graphiqlForgetsHeaders(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser)

	s.click(graphiqlHeaders)
	s.write(`{"Authorization": "Bearer secret"}`)
	s.until(graphiqlKept + `?.includes("secret")`)
	s.click(graphiqlSettings)
	s.click("#disable-persist-headers")
	s.until(`localStorage.getItem("graphiql:shouldPersistHeaders") === "false"`)

	s.do(chromedp.Reload())
	s.until(graphiqlTabs + ` === "Greeting,Token"`)
	s.click(graphiqlHeaders)
	s.until(graphiqlEditor + `.getValue().includes('"Bearer "')`)
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes('"token": ""')`)
	s.click(graphiqlSettings)
	s.until(`document.querySelector("#disable-persist-headers").classList.contains("active")`)
	s.until(`!(` + graphiqlLasting + ` + JSON.stringify(sessionStorage)).includes("secret")`)
	s.checkQuiet()
}

// GraphiQL's own colours.
const (
	graphiqlLight = "rgb(255, 255, 255)"
	graphiqlDark  = "rgb(33, 42, 59)"
)

func graphiqlThemes(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser, system("dark"))
	look := func(when, want string) {
		t.Helper()
		if got := s.background(".graphiql-container"); got != want {
			t.Errorf("background %s = %s; want %s", when, got, want)
		}
	}
	look("in a dark system", graphiqlDark)
	s.do(system("light"))
	look("in a light system", graphiqlLight)

	s.click(graphiqlSettings)
	s.click(`[data-theme="dark"]`)
	s.until(`document.body.classList.contains("graphiql-dark")`)
	look("after a click on Dark", graphiqlDark)
	s.until(`localStorage.getItem("graphiql:theme") === "dark"`)
	s.do(chromedp.Reload())
	s.until(`document.body.classList.contains("graphiql-dark")`)
	look("on the next visit", graphiqlDark)

	s.do(system("dark"))
	s.click(graphiqlSettings)
	s.click(`[data-theme="light"]`)
	s.until(`document.body.classList.contains("graphiql-light")`)
	look("after a click on Light", graphiqlLight)
	s.checkQuiet()
}

// On a phone there is the query or the answer, and running an operation shows the answer.
func graphiqlOnPhones(t *testing.T, browser context.Context) {
	s := openGraphiQL(t, browser, emulation.SetDeviceMetricsOverride(390, 844, 1, true))
	shows := func(query, answer bool) {
		t.Helper()
		const fits = `document.documentElement.scrollWidth <= innerWidth &&
			document.documentElement.scrollHeight <= innerHeight`
		s.until(fmt.Sprintf(`document.querySelector(".graphiql-query-editor").checkVisibility() === %t &&
			document.querySelector(".result-window").checkVisibility() === %t && %s`, query, answer, fits))
	}
	shows(true, false)
	s.click(graphiqlRun)
	shows(false, true)
	s.until(graphiqlAnswer + `.includes("Hello, Ada!")`)
	s.click(".views button:first-child")
	shows(true, false)
	s.until(`document.querySelector(".graphiql-query-editor .CodeMirror").innerText.includes("query Greeting")`)
	s.do(emulation.ClearDeviceMetricsOverride())
	shows(true, true)
	s.checkQuiet()
}
