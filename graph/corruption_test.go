package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/globalid"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// meanwhile calls a function before each pipeline of a request is sent, counted from 1, which may fail it.
type meanwhile struct {
	mu sync.Mutex
	n  int
	do func(n int, cmds []redis.Cmder) error
}

// during sets the function called before each pipeline of the following requests; counting starts again with each
// call.
func (m *meanwhile) during(do func(n int) error) {
	m.set(func(n int, _ []redis.Cmder) error { return do(n) })
}

// beforeReading calls do once, before the first pipeline that reads a row. In gqlgen's executor pipelines depend on
// timing, so their numbers mean little.
func (m *meanwhile) beforeReading(key string, do func() error) {
	done := false
	m.set(func(_ int, cmds []redis.Cmder) error {
		reads := slices.ContainsFunc(cmds, func(cmd redis.Cmder) bool { return cmd.Args()[1] == key })
		if done || !reads {
			return nil
		}
		done = true
		return do()
	})
}

// leave removes the function.
func (m *meanwhile) leave() { m.set(nil) }

func (m *meanwhile) set(do func(n int, cmds []redis.Cmder) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.n, m.do = 0, do
}

// meet calls the function before the pipelines of requests, which have a usage.
func (m *meanwhile) meet(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	if store.UsageFrom(ctx) != nil {
		if err := m.sent(cmds); err != nil {
			return redistest.Fail(cmds, err)
		}
	}
	return next(ctx, cmds)
}

func (m *meanwhile) sent(cmds []redis.Cmder) error {
	m.mu.Lock()
	m.n++
	n, do := m.n, m.do
	m.mu.Unlock()
	if do == nil {
		return nil
	}
	return do(n, cmds)
}

// watch adds a hook between the site and Redis.
func (s *site) watch() *meanwhile {
	m := &meanwhile{}
	s.redis.AddHook(redistest.Hook(m.meet))
	return m
}

// row is the key of an object's hash.
func row(t testing.TB, id string) string {
	t.Helper()
	typ, key, _ := globalid.Split(id)
	n, err := strconv.Atoi(key)
	if err != nil {
		t.Fatalf("%s %q has no row", typ, key)
	}
	part := fmt.Sprintf("{p%02x}:", n%256)
	return map[string]string{"Topic": part + "t:", "Comment": part + "c:", "Category": "{cat}:c:",
		"Tab": "{cat}:t:", "Group": "{grp}:g:"}[typ] + key
}

// corruption is a full site with rows that are in lists but missing, or incomplete.
type corruption struct {
	*fullSite
	half, torn, homeless string // topics: half deleted; without its hash; in a category without a hash
	orphan, child        string // comments on topic: without its hash; a reply to it
	ofHalf, ofTorn       string // ann's comments on half and torn
	void, lostTab        string // a category and a tab without hashes
	eve, left            string // a deleted account, and its topic
	bare                 string // a tag without a hash, of half, torn and homeless
}

func newRuin(t testing.TB) *corruption {
	t.Helper()
	r := &corruption{fullSite: newFullSite(t)}
	post := func(category, title string) string {
		r.clock.Advance(second)
		return r.site.topic(r.ann, category, title)
	}
	comment := func(topic, parent string) string {
		r.clock.Advance(second)
		return r.site.comment(r.ann, topic, parent, "Some words")
	}
	r.void = r.category(r.mod, "Void")
	r.lostTab = r.mutate(r.mod, "createTab", input{"name": "Lost", "categories": refs(r.void, r.tea)},
		"tab { id }").text("createTab", "tab", "id")
	r.wantVerdict("add to the tab",
		r.mutate(r.mod, "updateTab", input{"tabId": r.tab, "addCategories": refs(r.void)}, ""), "")
	r.half, r.torn, r.homeless = post("Tea", "Half"), post("Tea", "Torn"), post("Void", "Homeless")
	r.orphan = comment(r.topic, "")
	r.child = comment(r.topic, r.orphan)
	r.ofHalf, r.ofTorn = comment(r.half, ""), comment(r.torn, "")
	eve := r.user("eve")
	r.clock.Advance(second)
	r.eve, r.left = r.userID(eve), r.site.topic(eve, "Ink", "Left")
	r.site.comment(eve, r.left, "", "I am @eve, and this is for @ann.")
	for subject, direction := range map[string]string{r.other: "UP", r.left: "DOWN", r.comment: "UP", r.child: "DOWN",
		r.ofTorn: "UP", r.half: "UP", r.torn: "UP"} {
		r.wantVerdict("vote", r.vote(eve, subject, direction), "")
	}
	for _, topic := range []string{r.half, r.torn, r.homeless} {
		r.wantVerdict("tag", r.mutate(r.ann, "tagTopic", input{"topicId": topic, "add": []string{"Green", "Bare"}}, ""), "")
	}
	r.bare = r.must("", `{ tag(name: "bare") { id } }`, nil).text("tag", "id")
	r.wantVerdict("delete the account", r.mutate(eve, "deleteAccount", input{"password": "a good password"}, ""), "")
	r.settle()
	ctx := context.Background()
	must.Do(r.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.HSet(ctx, row(t, r.half), "state", "DELETED", "deleted", "3976229050000")
		for _, id := range []string{r.torn, r.orphan, r.void, r.lostTab} {
			p.Del(ctx, row(t, id))
		}
		_, number, _ := globalid.Split(r.bare)
		p.Del(ctx, "{ix:g"+number+"}:tag")
		return nil
	}))(t)
	return r
}

// whole returns the data and errors of a document, without its cost.
func whole(a answer) map[string]any {
	for _, e := range a.Errors {
		if ext, ok := e["extensions"].(map[string]any); ok {
			delete(ext, "requestId")
		}
	}
	slices.SortFunc(a.Errors, func(x, y map[string]any) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
	return map[string]any{"data": a.Data, "errors": a.Errors, "status": a.status}
}

// Both executors answer all operations of testdata alike.
func TestExecutorsAgreeOnOperations(t *testing.T) {
	s := newSite(t)
	s.fill(small)
	stock := s.stock()
	for _, op := range operations(t) {
		token, variables := s.tokenOf(op.as), s.variables(small)
		wantEqual(t, op.name+": our executor, against gqlgen's", whole(s.must(token, op.query, variables)),
			whole(stock.must(token, op.query, variables)))
	}
}

// ruined are documents that read missing rows.
func (r *corruption) ruined() []string {
	ids := fmt.Sprintf("[%q, %q, %q, %q, %q, %q, %q, %q, %q, %q, %q]", r.half, r.torn, r.homeless, r.orphan, r.child,
		r.ofHalf, r.ofTorn, r.void, r.lostTab, r.deleted, r.lost)
	documents := []string{
		`{ front { topics { totalCount pageInfo { startCursor endCursor hasNextPage } nodes { title author { login } category { name } } edges { cursor node { id votes { up isOpen viewerVote } } } } } }`,
		`{ front(orderBy: {field: CREATED, direction: ASC}) { topics(first: 3, skip: 1) { totalCount nodes { title comments { totalCount nodes { content } } } } } }`,
		`{ category(by: {name: "Tea"}) { topicCount timeline { topics { totalCount nodes { title contentHtml } } } tabs { name topicCount categories { totalCount nodes { name } } } } }`,
		`{ categories { totalCount nodes { name description tabs { name } } edges { cursor node { topicCount timeline { topics { nodes { title } } } } } } }`,
		`{ tabs { totalCount nodes { name } edges { node { categories { totalCount nodes { name } edges { node { id } } } timeline { topics { totalCount edges { node { title category { name } } } } } } } } }`,
		`{ user(by: {login: "ann"}) { topicCount comments { totalCount nodes { number content topic { title author { login } } } edges { cursor node { author { login } parent { content } replies { totalCount nodes { id } } } } } } }`,
		`{ user(by: {login: "ann"}) { comments(first: 3) { pageInfo { hasNextPage endCursor } nodes { id } } } }`,
		`query($i: ID!) { topic(by: {id: $i}) { title comments { totalCount nodes { number content parent { id content } } edges { cursor node { topic { id } replies { totalCount nodes { parent { number } } } } } } } }`,
		`{ nodes(ids: ` + ids + `) { __typename id ... on Topic { title category { name } author { login } } ... on Comment { content topic { title } author { login } } ... on Category { name tabs { name } } ... on Tab { name } } }`,
		`{ nodes(ids: ` + ids + `) { id } viewer { user { comments { nodes { topic { id } } } } } }`,
		`{ category(by: {name: "Void"}) { name } byId: category(by: {id: "` + r.void + `"}) { name } tab(by: {name: "Lost"}) { name } byTabId: tab(by: {id: "` + r.lostTab + `"}) { name } }`,
		`mutation { recordClicks(input: {topicIds: ["` + r.half + `", "` + r.torn + `", "` + r.homeless + `", "` + r.child + `"]}) { topics { id title clickCount } errors { code } } }`,
		`mutation { createTopic(input: {title: "x", category: {name: "Void"}}) { topic { title } errors { code path } } }`,
		`mutation($i: ID!) { createComment(input: {topicId: $i, parentId: "` + r.orphan + `", content: "x"}) { comment { content } errors { code path } } }`,
	}
	author := `{ id login name topicCount comments { totalCount nodes { id } } }`
	documents = append(documents, `{ front { topics { nodes { title author `+author+` } } } topic(by: {id: "`+r.left+`"}) { author { id } } }`,
		`{ topic(by: {id: "`+r.left+`"}) { author { login } comments { nodes { contentHtml author `+author+` mentions `+author+` } } } }`,
		`{ nodes(ids: ["`+r.eve+`", "`+gid("User", "0")+`", "`+gid("User", "99")+`"]) { id ... on User `+author+` } byLogin: user(by: {login: "eve"}) { id } byId: user(by: {id: "`+r.eve+`"}) { id } }`,
		`{ topic(by: {id: "`+r.left+`"}) { author `+author+` } user(by: {id: "`+r.eve+`"}) { name } ghost: user(by: {login: "ghost"}) `+author+` }`)
	for _, id := range strings.Split(strings.Trim(ids, "[]"), ", ") {
		documents = append(documents, `{ node(id: `+id+`) { __typename id ... on Topic { state deletedAt comments { totalCount } } ... on Comment { number topic { state } } ... on Category { topicCount } } }`,
			`{ topic(by: {id: `+id+`}) { id title author { login } } }`)
	}
	return append(documents, r.ruinedOrders(ids)...)
}

// ruinedOrders are those with votes, tags and orders that depend on them.
func (r *corruption) ruinedOrders(ids string) []string {
	documents := []string{
		`{ tag(name: "green") { topicCount timeline { topics { totalCount nodes { title tags { name } } edges { rank node { id } } } } } }`,
		`{ tag(name: "bare") { id name } node(id: "` + r.bare + `") { id } }`,
		`{ node(id: "` + r.bare + `") { id ... on Tag { name topicCount timeline { topics { nodes { title } } } } } }`,
		`{ topic(by: {id: "` + r.homeless + `"}) { tags { name topicCount timeline { topics { totalCount nodes { title tags { name } } } } } } }`,
		`{ nodes(ids: ` + ids + `) { ... on Votable { id votes { subjectId up down net viewerVote closesAt isOpen } } ... on Topic { tags { name } commentCountToday isInteresting voters { totalCount nodes { login } } } } }`,
		`{ topic(by: {id: "` + r.other + `"}) { votes { up } voters { totalCount nodes { login } edges { cursor node { id } } pageInfo { hasNextPage } } down: voters(direction: UP, last: 1) { totalCount nodes { name } } } }`,
		`{ topic(by: {id: "` + r.topic + `"}) { comments(orderBy: TOP) { totalCount nodes { content votes { net } replies(orderBy: CONTROVERSIAL) { totalCount nodes { number } } } } } }`,
		`{ topic(by: {id: "` + r.topic + `"}) { comments(orderBy: CONTROVERSIAL, topLevelOnly: true, last: 2) { totalCount nodes { number parent { id } } pageInfo { hasPreviousPage } } } }`,
		`{ front(orderBy: {field: TOP}) { id topics(skip: 1, first: 3) { totalCount nodes { title author { login } } } } dayRank { kind topics(last: 2) { nodes { title } edges { rank node { id } } } } }`,
	}
	for _, user := range []string{`login: "ann"`, `login: "ghost"`, `id: "` + r.eve + `"`} {
		documents = append(documents, `{ user(by: {`+user+`}) { profile { id kind topics { totalCount pageInfo { endCursor } nodes { title author { login } } edges { rank score node { id } } } } } }`)
	}
	documents = append(documents, `{ topic(by: {id: "`+r.left+`"}) { author { login profile { id topics { totalCount nodes { title } } } } } }`)
	for _, order := range []string{"SCORE", "HOT", "TOP, direction: ASC", "CONTROVERSIAL"} {
		documents = append(documents, `{ front(orderBy: {field: `+order+`}) { order direction period capacity topics { totalCount asOf
			edges { cursor rank score explanation { formula terms { name value } votesToPass } node { title tags { name } votes { up down } } } } } }`)
	}
	for _, id := range strings.Split(strings.Trim(ids, "[]"), ", ") {
		documents = append(documents, `mutation { vote(input: {subjectId: `+id+`, direction: DOWN}) { subject { id votes { up down viewerVote } } errors { code path } } }`,
			`mutation { tagTopic(input: {topicId: `+id+`, add: ["Green"], remove: ["red"]}) { topic { id tags { name } } errors { code path } } }`)
	}
	return documents
}

// Both executors answer alike, for every viewer, if rows are missing: missing objects are left out or null, no page
// is lost, and nothing is an error.
func TestExecutorsAgreeOnMissingRows(t *testing.T) {
	testlevel.WithoutRace(t)
	r := newRuin(t)
	stock := r.stock()
	for _, query := range r.ruined() {
		for who, token := range r.viewers() {
			variables := input{"i": r.topic}
			if !strings.Contains(query, "$i") {
				variables = nil
			}
			theirs := stock.ask(token, query, variables)
			ours := r.ask(token, query, variables)
			wantEqual(t, who+": "+query+", against gqlgen's executor", whole(ours), whole(theirs))
			if ours.code() != "" && ours.code() != "UNAUTHENTICATED" {
				t.Errorf("%s: %s failed: %v", who, query, ours.Errors)
			}
		}
	}
}

// What signed-out visitors see if rows are missing.
func TestMissingRowsDoNotAffectOthers(t *testing.T) {
	r := newRuin(t)
	front := r.must("", r.ruined()[0], nil)
	wantEqual(t, "topics of the front", front.texts("title", "front", "topics", "nodes"),
		[]string{"Left", "A topic", "Homeless", "A topic"})
	wantEqual(t, "their number, which the list knows", front.number("front", "topics", "totalCount"), 6)
	wantEqual(t, "edges of the front", len(front.at("front", "topics", "edges").([]any)), 4)
	wantEqual(t, "category of the homeless topic", front.at("front", "topics", "nodes", 2, "category"), nil)
	left := r.must("", `query($i: ID!) { topic(by: {id: $i}) { author { id } comments { nodes { author { login } mentions { login } } } } }`, input{"i": r.left})
	wantEqual(t, "author whose account was deleted", left.text("topic", "author", "id"), gid("User", "0"))
	wantEqual(t, "comments of theirs", left.at("topic", "comments", "nodes"),
		any([]any{input{"author": input{"login": "ghost"}, "mentions": []any{input{"login": "ann"}}}}))
	user := r.must("", r.ruined()[5], nil)
	wantEqual(t, "comments of ann", user.texts("topic", "user", "comments", "nodes"),
		slices.Repeat([]string{"map[author:map[login:ann] title:A topic]"}, 4))
	wantEqual(t, "their number", user.number("user", "comments", "totalCount"), 7)
	voters := r.must("", `query($i: ID!) { topic(by: {id: $i}) { votes { up } voters { totalCount nodes { login } } } }`, input{"i": r.other})
	wantEqual(t, "voters, one of them deleted", voters.at("topic"),
		any(input{"votes": input{"up": 2.0}, "voters": input{"totalCount": 2.0, "nodes": []any{input{"login": "bob"}}}}))
	topic := r.must("", r.ruined()[7], input{"i": r.topic})
	wantEqual(t, "comments of the topic", topic.texts("number", "topic", "comments", "nodes"),
		[]string{"1", "2", "3", "5"})
	wantEqual(t, "parent of the child", topic.at("topic", "comments", "nodes", 3, "parent"), nil)
	wantEqual(t, "their number", topic.number("topic", "comments", "totalCount"), 5)
	wantEqual(t, "categories", r.must("", `{ categories { nodes { name } } }`, nil).texts("name", "categories", "nodes"), []string{"Tea", "Ink"})
	wantEqual(t, "tabs", r.must("", `{ tabs { nodes { name } } }`, nil).texts("name", "tabs", "nodes"), []string{"All"})
	wantEqual(t, "tabs of a category", r.must("", `{ category(by: {name: "Tea"}) { tabs { name } } }`, nil).texts("name", "category", "tabs"), []string{"All"})
}
