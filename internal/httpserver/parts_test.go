package httpserver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agora/breadth"
	"agora/internal/test/site"
)

// The headers that request parts: in the format of the present draft of incremental delivery, and in that of
// 2022-08-24.
const (
	acceptParts  = "Accept: multipart/mixed, application/json"
	acceptLegacy = "Accept: multipart/mixed;deferSpec=20220824, application/json"
)

// newForum returns a server with that many topics, by one author in one category.
func newForum(t *testing.T, topics int) *server {
	t.Helper()
	s := newServer(t, nil)
	to := site.On(t, s.store)
	ann, tea := to.User("ann"), to.Category("Tea")
	for n := range topics {
		to.Titled(ann, tea, fmt.Sprint("Topic ", n))
	}
	return s
}

// partsOf returns the payloads of an answer in parts.
func partsOf(t *testing.T, body string) []string {
	t.Helper()
	body, ok := strings.CutSuffix(body, "\r\n-----\r\n")
	if !ok {
		t.Fatalf("the answer does not end: %s", body)
	}
	var parts []string
	for _, part := range strings.Split(body, "\r\n---")[1:] {
		_, payload, ok := strings.Cut(part, "\r\n\r\n")
		if !ok || !json.Valid([]byte(payload)) {
			t.Fatalf("part %q of %s", part, body)
		}
		parts = append(parts, payload)
	}
	return parts
}

func wantParts(t *testing.T, name string, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d parts %q; want %d", name, len(got), got, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s, part %d:\n%s; want\n%s", name, i+1, got[i], want[i])
		}
	}
}

func TestDeferInTheFormatOfTheDraft(t *testing.T) {
	w := newWire(t)
	r := w.postBody("one level", bodyOf(`{ site { name ... @defer(label: "slow") { userCount name } } }`), acceptParts)
	if got := r.header.Get("Content-Type"); got != `multipart/mixed; boundary="-"` {
		t.Errorf("Content-Type %s", got)
	}
	wantParts(t, "one level", partsOf(t, r.body),
		`{"data":{"site":{"name":"Agora"}},"pending":[{"id":"0","path":["site"],"label":"slow"}],"hasNext":true}`,
		`{"incremental":[{"id":"0","data":{"userCount":0}}],"completed":[{"id":"0"}],"hasNext":false}`)
	r = w.postBody("two levels", bodyOf(`{ ... @defer { site { name ... @defer { userCount } } } }`), acceptParts)
	wantParts(t, "two levels", partsOf(t, r.body),
		`{"data":{},"pending":[{"id":"0","path":[]}],"hasNext":true}`,
		`{"pending":[{"id":"1","path":["site"]}],"incremental":[{"id":"0","data":{"site":{"name":"Agora"}}}],"completed":[{"id":"0"}],"hasNext":true}`,
		`{"incremental":[{"id":"1","data":{"userCount":0}}],"completed":[{"id":"1"}],"hasNext":false}`)
	r = w.postBody("as events", bodyOf(`{ site { name ... @defer { userCount } } }`), "Accept: text/event-stream")
	want := "event: next\ndata: " + `{"data":{"site":{"name":"Agora"}},` +
		`"pending":[{"id":"0","path":["site"]}],"hasNext":true}` + "\n\n" +
		"event: next\ndata: {\"incremental\":[{\"id\":\"0\",\"data\":{\"userCount\":0}}],\"completed\":[{\"id\":\"0\"}],\"hasNext\":false}\n\n" +
		"event: complete\ndata:\n\n"
	if r.body != want {
		t.Errorf("as events: %s; want %s", r.body, want)
	}
}

func TestStreamedLists(t *testing.T) {
	s := newForum(t, 3)
	const query = `{ front { topics(first: 3) { nodes @stream(initialCount: 1, label: "more") { id } } } }`
	var whole struct {
		Data struct {
			Front struct {
				Topics struct{ Nodes []struct{ ID string } }
			}
		}
	}
	if err := json.Unmarshal(s.post(query).Body.Bytes(), &whole); err != nil || len(whole.Data.Front.Topics.Nodes) != 3 {
		t.Fatalf("without parts: %+v, %v; want three topics", whole, err)
	}
	var ids []string
	for _, n := range whole.Data.Front.Topics.Nodes {
		ids = append(ids, fmt.Sprintf(`{"id":%q}`, n.ID))
	}
	first := `{"data":{"front":{"topics":{"nodes":[` + ids[0] + `]}}},`
	wantParts(t, "draft", partsOf(t, s.post(query, acceptParts).Body.String()),
		first+`"pending":[{"id":"0","path":["front","topics","nodes"],"label":"more"}],"hasNext":true}`,
		`{"incremental":[{"id":"0","items":[`+ids[1]+`,`+ids[2]+`]}],"completed":[{"id":"0"}],"hasNext":false}`)
	wantParts(t, "2022-08-24", partsOf(t, s.post(query, acceptLegacy).Body.String()),
		first+`"hasNext":true}`,
		`{"incremental":[{"items":[`+ids[1]+`,`+ids[2]+`],"path":["front","topics","nodes",1],"label":"more"}],"hasNext":false}`)
	const byVariable = `query($n: Int!) { front { topics(first: 3) { nodes @stream(initialCount: $n) { id } } } }`
	for n, want := range map[int]string{1: first, -1: `"code":"BAD_USER_INPUT"`} {
		body := fmt.Sprintf(`{"query": %q, "variables": {"n": %d}}`, byVariable, n)
		w := s.do("POST", "/graphql", body, acceptParts, isJSON)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("initialCount %d by a variable: %s; want %s", n, w.Body, want)
		}
	}
	for _, bad := range []string{
		`{ front { topics(first: 3) @stream { nodes { id } } } }`,
		`{ front { topics(first: 3) { nodes @stream(initialCount: -1) { id } } } }`,
	} {
		w := s.post(bad, acceptParts)
		if code := s.codeOf(w); code != "BAD_USER_INPUT" {
			t.Errorf("%s: %s; want BAD_USER_INPUT", bad, w.Body)
		}
	}
}

// A level of @defer is one part, and takes no more round trips than its deepest chain.
func TestALevelIsOnePart(t *testing.T) {
	s := newForum(t, 5)
	query := `{ front { topics(first: 5) { nodes { id ... @defer { author { login } } ... @defer(label: "b") { category { name } } } } } }`
	parts := partsOf(t, s.post(query, acceptParts).Body.String())
	if len(parts) != 2 || strings.Count(parts[1], `"author":{`) != 5 || strings.Count(parts[1], `"completed"`) != 1 {
		t.Errorf("parts %q; want two, with five authors in the second", parts)
	}
}

// Anything nested deeper than the maximum number of parts comes with the last one.
func TestPartsAreBounded(t *testing.T) {
	w := newWire(t)
	const levels = breadth.MaxParts + 5
	nested := "last: name"
	for n := range levels {
		nested = fmt.Sprintf("a%d: name ... @defer { %s }", n, nested)
	}
	parts := partsOf(t, w.postBody("nested", bodyOf("{ site { "+nested+" } }"), acceptParts).body)
	if n := len(parts); n != breadth.MaxParts || !strings.Contains(parts[n-1], `"last":"Agora"`) {
		t.Errorf("%d parts, the last is %s; want %d, with everything", n, parts[n-1], breadth.MaxParts)
	}
}

// A part that fails is null, with an error; the others are unaffected.
func TestPartsThatFail(t *testing.T) {
	s := newForum(t, 1)
	const query = `{ front { topics(first: 0) { totalCount ... @defer(label: "bad") { nodes { id } pageInfo { endCursor } } } } ... @defer(label: "worse") { viewer { login: id } nodes(ids: []) { id } } }`
	draft := partsOf(t, s.post(query, acceptParts).Body.String())
	if len(draft) != 2 || !strings.Contains(draft[1], `"completed":[`) || !strings.Contains(draft[1], `BAD_USER_INPUT`) {
		t.Errorf("parts %q; want BAD_USER_INPUT in the second", draft)
	}
	legacy := partsOf(t, s.post(query, acceptLegacy).Body.String())
	if len(legacy) != 2 || !strings.Contains(legacy[1], `"data":null`) || !strings.Contains(legacy[1], `BAD_USER_INPUT`) {
		t.Errorf("parts %q; want a part that is null in the second", legacy)
	}
}
