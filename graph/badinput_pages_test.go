package graph_test

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/gqltext"
	"agora/internal/test/testlevel"
)

// connection is one list that can be paged: the field of the schema, and a query in which %s is replaced by
// arguments, first of all arguments of that field.
type connection struct{ field, query string }

const rows = " { edges { cursor } pageInfo { endCursor } } }"

// connections are lists that differ in owner, order or direction.
func (b *fullSite) connections() []connection {
	topics := func(timeline string) connection {
		return connection{"Timeline.topics",
			"{ x: " + timeline + " { topics(%s)" + rows + strings.Repeat(" }", 1+strings.Count(timeline, " { "))}
	}
	node := func(field, id, name, more string) connection {
		typ, _, _ := strings.Cut(field, ".")
		return connection{field, fmt.Sprintf("{ x: node(id: %q) { ... on %s { %s(%%s %s)%s } }", id, typ, name, more, rows)}
	}
	ann := b.must(b.ann, `{ viewer { user { id } } }`, nil).text("viewer", "user", "id")
	all := []connection{
		{"Query.categories", "{ x: categories(%s)" + rows}, {"Query.tabs", "{ x: tabs(%s)" + rows},
		{"Query.users", "{ x: users(%s)" + rows}, {"Query.users", `{ x: users(%s prefix: "a")` + rows},
		{"Query.tags", "{ x: tags(%s)" + rows}, {"Query.tags", "{ x: tags(%s orderBy: NAME)" + rows},
		{"Query.tags", `{ x: tags(%s orderBy: RECENT, prefix: "g")` + rows},
		node("Tab.categories", b.tab, "categories", ""), node("User.comments", ann, "comments", ""),
		node("Topic.comments", b.topic, "comments", ""), node("Topic.comments", b.topic, "comments", "orderBy: NEWEST"),
		node("Topic.comments", b.topic, "comments", "topLevelOnly: true"), node("Topic.comments", b.other, "comments", ""),
		node("Comment.replies", b.comment, "replies", ""), node("Comment.replies", b.comment, "replies", "orderBy: NEWEST"),
		node("Topic.comments", b.topic, "comments", "orderBy: TOP"),
		node("Topic.comments", b.topic, "comments", "orderBy: CONTROVERSIAL, topLevelOnly: true"),
		node("Comment.replies", b.comment, "replies", "orderBy: TOP"),
		node("Comment.replies", b.comment, "replies", "orderBy: CONTROVERSIAL"),
		node("Comment.revisions", b.edited("updateComment", "commentId", b.comment), "revisions", ""),
		node("Topic.revisions", b.edited("updateTopic", "topicId", b.other), "revisions", ""),
		node("Topic.voters", b.other, "voters", ""),
		{"Query.groups", "{ x: groups(%s)" + rows}, node("Group.members", b.crew(b.ann, b.bob, b.mod), "members", ""),
		topics("dayRank"),
	}
	all = append(all, b.bonds()...)
	for _, owner := range []string{"front", `category(by: {name: "Tea"}) { timeline`, `tab(by: {name: "All"}) { timeline`} {
		for _, order := range []string{"CREATED, direction: ASC", "CREATED, direction: DESC", "ACTIVE, direction: ASC",
			"ACTIVE, direction: DESC"} {
			all = append(all, topics(owner+"(orderBy: {field: "+order+"})"))
		}
	}
	for _, timeline := range []string{
		"front(orderBy: {field: SCORE})", "front(orderBy: {field: HOT, direction: ASC})", "front(orderBy: {field: TOP})",
		"front(orderBy: {field: TOP}, period: DAY)", "front(orderBy: {field: TOP, direction: ASC})", "front(orderBy: {field: CONTROVERSIAL})",
		`category(by: {name: "Tea"}) { timeline(orderBy: {field: HOT})`, `category(by: {name: "Tea"}) { timeline(orderBy: {field: TOP})`,
		`tab(by: {name: "All"}) { timeline(orderBy: {field: SCORE})`, `tab(by: {name: "All"}) { timeline(orderBy: {field: TOP})`,
		`tag(name: "green") { timeline`, `tag(name: "green") { timeline(orderBy: {field: CONTROVERSIAL, direction: ASC})`,
		`user(by: {login: "ann"}) { profile`,
	} {
		all = append(all, topics(timeline))
	}
	return all
}

// edited edits what ann posted twice, some minutes apart.
func (b *fullSite) edited(mutation, field, id string) string {
	b.t.Helper()
	for _, text := range []string{"Once more", "Twice more"} {
		b.clock.Advance(2 * forum.MergeEdits)
		b.wantVerdict(mutation, b.mutate(b.ann, mutation, input{field: id, "content": text}, ""), "")
	}
	return id
}

// bonds connects users with each other, and returns the resulting lists of users.
func (b *fullSite) bonds() []connection {
	b.t.Helper()
	b.wantVerdict("follow", b.follow(b.ann, userID(b.bob), true), "")
	b.wantVerdict("follow", b.follow(b.bob, userID(b.ann), true), "")
	b.wantVerdict("block", b.block(b.ann, userID(b.mod), true), "")
	list := b.list(b.ann, "Friends", userID(b.bob))
	b.settle()
	return []connection{
		{"User.followers", `{ x: user(by: {login: "ann"}) { followers(%s)` + rows + " }"}, {"User.following", `{ x: user(by: {login: "ann"}) { following(%s)` + rows + " }"},
		{"Viewer.lists", "{ x: viewer { lists(%s)" + rows + " }"},
		{"Viewer.blocked", "{ x: viewer { blocked(%s)" + rows + " }"},
		{"Viewer.notifications", "{ x: viewer { notifications(%s)" + rows + " }"},
		{"UserList.members", fmt.Sprintf("{ x: node(id: %q) { ... on UserList { members(%%s)%s } }", list, rows)},
	}
}

// warm reads all lists once, so that the snapshots of this minute exist, and the rankings that cursors refer to.
func (b *fullSite) warm(all []connection) []connection {
	b.t.Helper()
	for _, c := range all {
		b.cursorOf(c)
	}
	return all
}

func (c connection) with(args string) string { return fmt.Sprintf(c.query, args) }

// Every field of the schema that returns a connection is tested.
func TestConnectionsAreComplete(t *testing.T) {
	b := newFullSite(t)
	// A thread has no last and before, see TestThreads; moderators have a queue and a log, see TestQueuePages and
	// TestPagesOfTheModerationLog, and applications, see TestApplicationPages.
	tested := []string{"Topic.thread", "Query.applications", "Query.reportQueue", "Query.moderationLog", "ReportCase.reports"}
	all := []string{}
	for _, c := range b.connections() {
		tested = append(tested, c.field)
	}
	for _, typ := range gqltext.Schema(t).Types {
		for _, f := range typ.Fields {
			if strings.HasSuffix(f.Type.Name(), "Connection") {
				all = append(all, typ.Name+"."+f.Name)
			}
		}
	}
	slices.Sort(tested)
	slices.Sort(all)
	wantEqual(t, "connections", slices.Compact(tested), all)
}

// A page without rows reports the length of its list and whether rows precede and follow.
func TestPagesOfNoRows(t *testing.T) {
	b := newFullSite(t)
	for _, c := range b.warm(b.connections()) {
		query := strings.Replace(c.query, rows,
			" { totalCount nodes { __typename } edges { cursor } pageInfo { hasNextPage hasPreviousPage endCursor } } }", 1)
		page := func(args string) map[string]any {
			v := any(b.must(b.ann, fmt.Sprintf(query, args), nil).Data)
			for {
				m := v.(map[string]any)
				if m["pageInfo"] != nil {
					return m
				}
				for _, v = range m {
				}
			}
		}
		whole := page("first: 100")
		rows := len(whole["nodes"].([]any)) > 0
		for args, more := range map[string]string{"first: 0": "hasNextPage", "last: 0": "hasPreviousPage"} {
			got := page(args)
			info := input{"hasNextPage": false, "hasPreviousPage": false, "endCursor": nil}
			info[more] = rows
			want := input{"totalCount": whole["totalCount"], "nodes": []any{}, "edges": []any{}, "pageInfo": info}
			wantEqual(t, fmt.Sprintf(query, args), got, want)
		}
	}
}

func TestBadPageSizes(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	tests := []struct{ args, want string }{
		{"first: 1", ""}, {"last: 1", ""}, {"first: 100", ""}, {"last: 100", ""}, {"first: null, last: null", ""},
		{"first: 5, last: null", ""},
		{"first: 0", ""}, {"last: 0", ""},
		{"first: -1", "BAD_USER_INPUT first"}, {"last: -1", "BAD_USER_INPUT last"},
		{"first: 101", "BAD_USER_INPUT first"}, {"last: 101", "BAD_USER_INPUT last"},
		{"first: 1000000000", "BAD_USER_INPUT first"}, {"last: 1000000000", "BAD_USER_INPUT last"},
		{"first: -2147483648", "BAD_USER_INPUT first"}, {"last: 2147483647", "BAD_USER_INPUT last"},
		{"first: 1, last: 1", "BAD_USER_INPUT last"}, {"first: 0, last: 0", "BAD_USER_INPUT last"},
		{"first: 2147483648", "BAD_USER_INPUT"}, {`first: "5"`, "GRAPHQL_VALIDATION_FAILED"}, {"first: 1.0", "GRAPHQL_VALIDATION_FAILED"},
	}
	all := b.warm(b.connections())
	before := b.contents()
	for _, c := range all {
		for _, tt := range tests {
			a := b.ask(b.ann, c.with(tt.args), nil)
			b.wantVerdict(c.with(tt.args), a, tt.want)
			b.wantNothingInternal(c.with(tt.args), a)
		}
		b.wantUntouched(c.query, before, answer{})
	}
}

func TestBadSkips(t *testing.T) {
	b := newFullSite(t)
	all := b.warm(slices.DeleteFunc(b.connections(), func(c connection) bool { return c.field != "Timeline.topics" }))
	before := b.contents()
	for _, c := range all {
		cursor := fmt.Sprintf("%q", b.cursorOf(c))
		tests := []struct{ args, want string }{
			{"skip: 1", ""}, {"skip: 3", ""}, {"skip: 10000", ""}, {"skip: 0, after: " + cursor, ""},
			{"last: 1, skip: 10000", ""},
			{"skip: 10001", "BAD_USER_INPUT skip"}, {"skip: -1", "BAD_USER_INPUT skip"},
			{"skip: 2147483647", "BAD_USER_INPUT skip"},
			{"skip: 1, after: " + cursor, "BAD_USER_INPUT skip"}, {"skip: 1, before: " + cursor, "BAD_USER_INPUT skip"},
		}
		for _, tt := range tests {
			a := b.ask(b.ann, c.with(tt.args), nil)
			b.wantVerdict(c.with(tt.args), a, tt.want)
			b.wantNothingInternal(tt.args, a)
		}
	}
	b.wantUntouched("skipping", before, answer{})
}

// cursorOf returns a cursor of the list, whose query may be at any depth.
func (b *fullSite) cursorOf(c connection) string {
	b.t.Helper()
	a := b.must(b.ann, c.with("first: 1"), nil)
	_, rest, found := strings.Cut(a.body, `"endCursor":"`)
	cursor, _, _ := strings.Cut(rest, `"`)
	if !found {
		b.t.Fatalf("the list has no rows: %s: %s", c.query, a.body)
	}
	return cursor
}

func TestBadCursors(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	all := b.connections()
	cursors := make([]string, len(all))
	for i, c := range all {
		cursors[i] = b.cursorOf(c)
	}
	before := b.contents()
	for i, c := range all {
		own := cursors[i]
		bytes, _ := base64.RawURLEncoding.DecodeString(own)
		notANumber := slices.Clone(bytes)
		copy(notANumber[9:], "\x7f\xf8\x00\x00\x00\x00\x00\x00")
		bad := append(slices.Delete(slices.Clone(cursors), i, i+1), // those of all other lists
			"", " ", "x", "null", own[:len(own)-2], own[:16], own[1:], own+"A", own+"=", own+"\n", own[:4]+"\n"+own[4:], strings.Repeat(own, 2), strings.Repeat("A", 10_000),
			base64.RawURLEncoding.EncodeToString(bytes[:17]), base64.RawURLEncoding.EncodeToString(notANumber),
			base64.RawURLEncoding.EncodeToString(append([]byte{2}, bytes[1:]...)),
			base64.RawURLEncoding.EncodeToString(append(bytes[:17:17], "a b\r\n"...)))
		for n, cursor := range bad {
			argument := []string{"after", "before"}[(i+n)%2] // each is tried on half of the lists
			query := strings.Replace(c.with("first: 1, "+argument+": $c"), "{", "query($c: String) {", 1)
			a := b.ask(b.ann, query, map[string]any{"c": cursor})
			b.wantVerdict(fmt.Sprintf("%s with %q", query, cursor), a, "CURSOR_INVALID "+argument)
			b.wantNothingInternal(query, a)
		}
		b.wantVerdict("its own", b.ask(b.ann, c.with(fmt.Sprintf("first: 1, after: %q", own)), nil), "")
	}
	wantEqual(t, "what bad cursors change in Redis", b.contents(), before)
}
