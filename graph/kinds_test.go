package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// kindSite is a site with topics of all kinds, in turns: ann's, all with a tag, those with a category in the same one.
type kindSite struct {
	*site
	ann, ben, list, tab string
}

func newKindSite(t *testing.T) *kindSite {
	t.Helper()
	k := &kindSite{site: newSite(t)}
	k.ann, k.ben = k.user("ann"), k.user("ben")
	molly := k.moderator("molly")
	category := k.category(molly, "Go")
	k.tab = k.mutate(molly, "createTab", input{"name": "All", "categories": []any{input{"id": category}}}, "tab { id }").
		text("createTab", "tab", "id")
	k.follow(k.ben, k.userID(k.ann), true)
	k.list = k.site.list(k.ben, "Friends", k.userID(k.ann))
	for n := range 12 {
		k.clock.Advance(second)
		k.post([]string{"DISCUSSION", "ARTICLE", "STATUS"}[n%3], n)
	}
	return k
}

// post posts a topic of a kind, and votes on some.
func (k *kindSite) post(kind string, n int) string {
	k.t.Helper()
	in := input{"kind": kind, "content": fmt.Sprint("Topic ", n), "tags": []string{"all"}}
	if kind != "STATUS" {
		in["title"], in["category"] = fmt.Sprint("Topic ", n), input{"name": "Go"}
	}
	if kind == "ARTICLE" {
		in["link"] = fmt.Sprint("https://example.org/", n)
		delete(in, "content")
	}
	id := k.mutate(k.ann, "createTopic", in, "topic { id }").text("createTopic", "topic", "id")
	if n%2 == 0 {
		k.mutate(k.ben, "vote", input{"subjectId": id, "direction": []string{"UP", "DOWN"}[n%4/2]}, "changed")
	}
	return id
}

// walk returns the kinds and titles on all pages of a timeline, which are read by cursor.
func (k *kindSite) walk(token, timeline string, first int, vars input) (rows []string) {
	k.t.Helper()
	var after any
	for range 30 {
		in := input{"first": first, "after": after}
		for name, v := range vars {
			in[name] = v
		}
		a := k.must(token, `query($first: Int, $after: String, $kinds: [TopicKind!], $walk: Walk, $id: ID!) { unused: node(id: $id) { id } same: front(kinds: $kinds) { id }
			`+timeline+` { at: topics(first: $first, after: $after, walk: $walk) { totalCount edges { rank node { kind title } } pageInfo { hasNextPage endCursor } } }
			`+strings.Repeat("}", strings.Count(timeline, "{")-strings.Count(timeline, "}"))+` }`, in)
		var path []any
		for p := range strings.SplitSeq(timeline, " { ") {
			name, _, _ := strings.Cut(p, "(")
			name, _, _ = strings.Cut(name, ":")
			if !strings.HasPrefix(name, "...") {
				path = append(path, name)
			}
		}
		at := func(more ...any) any { return a.at(append(slices.Clone(path), more...)...) }
		edges, _ := at("at", "edges").([]any)
		for i := range edges {
			rows = append(rows, fmt.Sprint(at("at", "edges", i, "node", "kind"), " ", at("at", "edges", i, "node", "title")))
		}
		if at("at", "pageInfo", "hasNextPage") != true {
			return rows
		}
		after = at("at", "pageInfo", "endCursor")
	}
	k.t.Fatalf("%s: the walk does not end: %q", timeline, rows)
	return nil
}

// Every timeline shows the topics of some kinds as the one of all kinds does, in each order.
func TestTimelinesOfKinds(t *testing.T) {
	k := newKindSite(t)
	var timelines []string
	for _, order := range []string{"CREATED", "ACTIVE", "SCORE", "HOT", "TOP", "CONTROVERSIAL"} {
		by := "orderBy: {field: " + order + "}, kinds: $kinds"
		timelines = append(timelines, "front("+by+")", `category(by: {name: "Go"}) { timeline(`+by+")",
			`tab(by: {name: "All"}) { timeline(`+by+")", `tag(name: "all") { timeline(`+by+")")
	}
	timelines = append(timelines, `user(by: {login: "ann"}) { profile(kinds: $kinds)`, "viewer { home(kinds: $kinds)",
		"list: node(id: $id) { ... on UserList { timeline(kinds: $kinds)")
	for _, timeline := range timelines {
		all := k.walk(k.ben, timeline, 100, input{"id": k.list})
		if len(all) < 8 {
			t.Fatalf("%s shows %q; want all topics", timeline, all)
		}
		for _, kinds := range [][]string{{"ARTICLE"}, {"STATUS", "DISCUSSION"}, {"ARTICLE", "DISCUSSION", "STATUS"}} {
			want := slices.DeleteFunc(slices.Clone(all), func(row string) bool {
				kind, _, _ := strings.Cut(row, " ")
				return !slices.Contains(kinds, kind)
			})
			for first, walk := range map[int]string{2: "LIVE", 3: "FIXED", 100: "LIVE"} {
				got := k.walk(k.ben, timeline, first, input{"id": k.list, "kinds": kinds, "walk": walk})
				if !slices.Equal(got, want) {
					t.Errorf("%s of %v, %s, %d a page = %q; want %q", timeline, kinds, walk, first, got, want)
				}
			}
		}
	}
}

// A page of some kinds begins with the pinned topics of these, and takes few commands.
func TestPinnedTopicsOfKinds(t *testing.T) {
	k := newKindSite(t)
	article, status := k.post("ARTICLE", 0), k.post("STATUS", 1)
	for range 60 {
		k.clock.Advance(second)
		k.post("STATUS", 1)
		k.post("ARTICLE", 3)
	}
	mod := k.moderator("max")
	for _, place := range []string{"FRONT", "CATEGORY"} {
		k.wantVerdict("PIN", k.mutate(mod, "moderate",
			input{"subjectId": article, "action": "PIN", "place": place, "reason": "OTHER"}, "changed"), "")
	}
	k.wantVerdict("PIN", k.mutate(mod, "moderate",
		input{"subjectId": status, "action": "PIN", "place": "FRONT", "reason": "OTHER"}, "changed"), "")
	k.settle()
	for timeline, want := range map[string][]any{
		`front: front(orderBy: {field: CREATED}, kinds: [ARTICLE])`:                             {article},
		`front: front(orderBy: {field: TOP}, kinds: [STATUS])`:                                  {status},
		`front: front(kinds: [DISCUSSION])`:                                                     {},
		`category(by: {name: "Go"}) { front: timeline(orderBy: {field: HOT}, kinds: [ARTICLE])`: {article},
	} {
		path := []any{"front", "topics"}
		end := strings.Repeat(" }", strings.Count(timeline, ") {"))
		if end != "" {
			path = append([]any{"category"}, path...)
		}
		a := k.must("", `{ `+timeline+` { topics(first: 3) { edges { isPinned cursor node { id } } pageInfo { startCursor endCursor } } }`+end+` }`, nil)
		var pinned []any
		for _, e := range a.at(append(path, "edges")...).([]any) {
			if e := e.(map[string]any); e["isPinned"] == true {
				pinned = append(pinned, e["node"].(map[string]any)["id"])
			}
		}
		if fmt.Sprint(pinned) != fmt.Sprint(want) {
			t.Errorf("%s begins with the pinned %v; want %v", timeline, pinned, want)
		}
		before := k.must("", `query($c: String) { `+timeline+` { topics(first: 3, before: $c) { nodes { id } pageInfo { endCursor hasNextPage } } }`+end+` }`,
			input{"c": a.text(append(path, "edges", 0, "cursor")...)})
		if len(want) > 0 {
			wantEqual(t, timeline+" before its first pin", fmt.Sprint(before.at(append(path, "nodes")...),
				before.at(append(path, "pageInfo", "endCursor")...)), "[] <nil>")
		}
	}
	two := k.must("", `{ front(orderBy: {field: CREATED}, kinds: [ARTICLE]) { topics(first: 2) { nodes { id } } } }`, nil)
	if got := two.Extensions.Redis; got.RoundTrips != 2 || got.Commands > 30 {
		t.Errorf("two articles take %d round trips and %d commands; want 2 and at most 30", got.RoundTrips, got.Commands)
	}
	none := k.must("", `{ front(kinds: [ARTICLE]) { topics(first: 0) { nodes { id } pageInfo { endCursor hasNextPage } } } }`, nil)
	wantEqual(t, "a page of nothing", fmt.Sprint(none.at("front", "topics", "pageInfo")),
		"map[endCursor:<nil> hasNextPage:true]")
}

// The id of a timeline names its kinds. What would need counting is null.
func TestTimelineNamesItsKinds(t *testing.T) {
	k := newKindSite(t)
	const of = `id kinds unreadCount topics(first: 2) { totalCount edges { rank node { title } } pageInfo { hasNextPage hasPreviousPage } }`
	front := k.must(k.ben, `{ front(orderBy: {field: CREATED}, kinds: [STATUS, ARTICLE, STATUS]) { `+of+` } }`, nil)
	again := k.must(k.ben, `query($id: ID!) { node(id: $id) { ... on Timeline { `+of+` } } }`,
		input{"id": front.text("front", "id")})
	wantEqual(t, "by id", again.at("node"), front.at("front"))
	wantEqual(t, "kinds", fmt.Sprint(front.at("front", "kinds")), "[ARTICLE STATUS]")
	for _, path := range [][]any{{"unreadCount"}, {"topics", "totalCount"}, {"topics", "edges", 0, "rank"}} {
		wantEqual(t, fmt.Sprint(path), front.at(append([]any{"front"}, path...)...), nil)
	}
	all := k.must("", `{ front(kinds: [STATUS, ARTICLE, DISCUSSION]) { id kinds } plain: front { id kinds } }`, nil)
	wantEqual(t, "all kinds", all.at("front"), all.at("plain"))
	skipped := k.must("", `{ front(orderBy: {field: CREATED}, kinds: [ARTICLE]) { topics(first: 2, skip: 1) { nodes { title } pageInfo { hasNextPage hasPreviousPage } } } }`, nil)
	wantEqual(t, "numbered pages", fmt.Sprint(skipped.at("front", "topics")),
		fmt.Sprint(map[string]any{"nodes": []any{map[string]any{"title": "Topic 7"}, map[string]any{"title": "Topic 4"}},
			"pageInfo": map[string]any{"hasNextPage": true, "hasPreviousPage": true}}))
	for name, query := range map[string]string{
		"no kind":          `{ front(kinds: []) { id } }`,
		"no kind of home":  `{ viewer { home(kinds: []) { id } } }`,
		"last with skip":   `{ front(kinds: [ARTICLE]) { topics(last: 2, skip: 1) { nodes { id } } } }`,
		"kinds of a day":   `{ node(id: "` + gid("Timeline", "day_rank:20000:replies_today:desc::article") + `") { id } }`,
		"another spelling": `{ node(id: "` + gid("Timeline", "front:0:created:desc::status.article") + `") { id } }`,
	} {
		wantEqual(t, name, k.ask(k.ben, query, nil).code(), "BAD_USER_INPUT")
	}
	cursor := k.must("", `{ front { topics(first: 1) { pageInfo { endCursor } } } }`, nil).text("front", "topics", "pageInfo", "endCursor")
	wantEqual(t, "cursor of all kinds", k.ask("", `query($c: String) { front(kinds: [ARTICLE]) { topics(after: $c) { nodes { id } } } }`,
		input{"c": cursor}).code(), "CURSOR_INVALID")
}

// A subscription to a timeline of some kinds reports only these.
func TestTimelinesOfKindsLive(t *testing.T) {
	k := newKindSite(t)
	read := k.must("", `{ front(orderBy: {field: CREATED}, kinds: [ARTICLE]) { id eventId }
		tab(by: {name: "All"}) { timeline(orderBy: {field: CREATED}, kinds: [ARTICLE]) { id eventId } } }`, nil)
	const watch = `subscription($t: ID!, $after: String) { timelineUpdated(timelineId: $t, after: $after) { kind topicId edge { rank node { kind } } } }`
	front := k.subscribe("", watch, input{"t": read.text("front", "id")})
	k.post("DISCUSSION", 21)
	k.post("STATUS", 23)
	article := k.post("ARTICLE", 25)
	of := []any{"tab", "timeline"}
	tab := k.subscribe("", watch, input{"t": read.text(append(of, "id")...), "after": read.text(append(of, "eventId")...)})
	for name, live := range map[string]*stream{"front": front, "tab": tab} {
		live.wants(name, fmt.Sprintf(`{"timelineUpdated": {"kind": "ADDED", "topicId": %q, "edge": {"rank": null, "node": {"kind": "ARTICLE"}}}}`, article))
	}
}
