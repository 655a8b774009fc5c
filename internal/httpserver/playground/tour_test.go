package playground

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"agora/internal/test/must"
)

// startAgora builds the server with GraphiQL inside, starts it with its demo data and returns its address. It ends
// with the test.
func startAgora(t *testing.T) string {
	t.Helper()
	graphiql(t)
	program := filepath.Join(t.TempDir(), "agora")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "agora").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), program, "--addr", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "REDIS_URL=", "ADDR=", "PORT=")
	cmd.Stderr = t.Output()
	out := must.Do(cmd.StdoutPipe())(t)
	must.OK(t, cmd.Start())
	t.Cleanup(func() { cmd.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := regexp.MustCompile(`Playground +(http://\S+)/playground`).FindStringSubmatch(lines.Text()); m != nil {
			return m[1]
		}
	}
	t.Fatal("the server does not say where its playground is")
	return ""
}

// reply is the result of an operation.
type reply struct {
	Data   map[string]json.RawMessage
	Errors []any
}

// run runs the open tab and returns the reply, which must be without errors of any kind.
func (s *session) run() string {
	s.t.Helper()
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + ` !== ""`)
	var text string
	s.do(chromedp.Evaluate(graphiqlAnswer, &text))
	var r reply
	if err := json.Unmarshal([]byte(text), &r); err != nil || len(r.Data) == 0 || len(r.Errors) > 0 {
		s.t.Fatalf("the reply is no data without errors: %v: %s", err, text)
	}
	for field, data := range r.Data {
		var payload struct{ Errors []any }
		if err := json.Unmarshal(data, &payload); err != nil || len(payload.Errors) > 0 {
			s.t.Fatalf("%s has errors: %v: %s", field, err, data)
		}
	}
	return text
}

// turnTo opens the i-th example of the list, and waits until GraphiQL has parsed its operation.
func (s *session) turnTo(i int, operation string) {
	s.t.Helper()
	s.click(fmt.Sprintf(".examples li:nth-child(%d) button", i+1))
	s.until(fmt.Sprintf("%s.operationName === %q", graphiqlQuery, operation))
}

// A first visitor can go through all the examples by following their comments alone.
func tour(t *testing.T, browser context.Context) {
	s := visit(t, browser, startAgora(t))
	steps := []struct{ tab, want string }{
		{"FrontPage", `"roundTrips"`},
		{"commentAdded", ""},
		{"commentsUpdated", ""},
		{"timelineUpdated", ""},
		{"TopicInDepth", `"replyCount"`},
		{"Thread", `"depth": 1`},
		{"CategoriesAndTabs", `"Programming"`},
		{"Rankings", `"votesToPass"`},
		{"Register", `"token": "agora_`},
		{"Post", `"title": "Hello"`},
		{"Reply", `that <em>helped</em>`},
		{"Vote", `"changed": true`},
		{"Follow", `"viewerIsFollowing": true`},
		{"Home", `"viewerIsFollowing": true`},
		{"PageOn", `"hasNextPage": true`},
		{"Account", `"isCurrent": true`},
		{"Notifications", `"unreadNotificationCount"`},
		{"MarkRead", `"viewerUnreadCommentCount": 0`},
		{"Report", `"title"`},
		{"Reports", `"evidence"`},
		{"ResolveReports", `"changed": true`},
		{"Moderate", `"action": "PIN"`},
	}
	var names []string
	for _, step := range steps {
		names = append(names, step.tab)
	}
	s.until(graphiqlTabs + ` === "FrontPage"`)
	s.until(fmt.Sprintf(`document.querySelectorAll(".examples li").length === %d`, len(steps)))
	answers := map[string]string{}
	for i, step := range steps {
		s.turnTo(i, step.tab)
		switch {
		case step.want == "":
			continue // a subscription: see below
		case step.tab == "Reports":
			s.signInAgain("moderator")
		}
		answers[step.tab] = s.run()
		if !strings.Contains(answers[step.tab], step.want) {
			t.Errorf("%s answers %s; want %s in it", step.tab, answers[step.tab], step.want)
		}
	}
	s.until(graphiqlToken + `.startsWith("Signed in")`)
	s.until(`!` + graphiqlLasting + `.includes("agora_")`)
	s.turnTo(slices.Index(names, "PageOn"), "PageOn")
	s.pageOn(answers["PageOn"])
	s.turnTo(slices.Index(names, "commentAdded"), "commentAdded")
	s.watch()
	s.turnTo(slices.Index(names, "timelineUpdated"), "timelineUpdated")
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes('"kind": "MOVED"')`) // by the bot
	s.click(graphiqlStop)

	s.click(graphiqlDocs)
	s.click("a.graphiql-doc-explorer-type-name")
	s.until(`document.querySelector(".graphiql-doc-explorer").innerText.includes("front")`)
	s.checkQuiet()
}

// signInAgain forgets the token, and signs in as the first account of the demo with a role.
func (s *session) signInAgain(role string) {
	s.t.Helper()
	s.click(".token-hint button")
	const button = `[...document.querySelectorAll(".token-hint button")].find((b) => b.textContent.includes(%q))`
	s.until(fmt.Sprintf(button, role))
	s.do(chromedp.Evaluate(fmt.Sprintf(button+".click()", role), nil))
	s.until(graphiqlToken + `.startsWith("Signed in")`)
}

// watch runs the subscription of the open tab, waits for a reply posted in the meantime, and stops it.
func (s *session) watch() {
	s.t.Helper()
	s.click(graphiqlRun)
	s.until(graphiqlAnswer + `.includes('"kind": "ADDED"')`) // by the bot
	s.until(streams(1))
	const reply = `{"query": "mutation { createComment(input: {topicId: \"VG9waWM6MTMxODUz\", content: \"Seen while watching.\"}) { errors { message } } }"}`
	s.do(chromedp.Evaluate(fmt.Sprintf(`void fetch("/graphql", {method: "POST", body: %q, headers: {
		"content-type": "application/json", authorization: sessionStorage.getItem("playground:token")}})`, reply), nil))
	s.until(graphiqlAnswer + `.includes("Seen while watching.")`)
	s.click(graphiqlStop)
	s.until(streams(0))
}

// streams is true in the page if the server has that many open streams of events.
func streams(n int) string {
	const count = `fetch("/metrics").then(answer => answer.text()).then(text => text.includes('agora_live_connections{kind="stream"} %d'))`
	return fmt.Sprintf(count, n)
}

// pageOn does what the comment of the last example says.
func (s *session) pageOn(first string) {
	s.t.Helper()
	cursor := regexp.MustCompile(`"endCursor": ("[^"]+")`).FindStringSubmatch(first)
	if cursor == nil {
		s.t.Fatalf("no endCursor in %s", first)
	}
	s.write(`{"after": ` + cursor[1] + `}`)
	s.do(chromedp.Evaluate(`document.querySelector(".result-window .CodeMirror").CodeMirror.setValue("")`, nil))
	titles := regexp.MustCompile(`"number": \d+`)
	second := titles.FindAllString(s.run(), -1)
	for _, number := range titles.FindAllString(first, -1) {
		if strings.Contains(strings.Join(second, ","), number+",") {
			s.t.Errorf("%s is on both pages: %s, %v", number, first, second)
		}
	}
	if len(second) != 5 {
		s.t.Errorf("second page = %v; want 5 topics", second)
	}
}
