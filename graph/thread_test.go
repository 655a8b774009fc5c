package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/testseed"
)

// grown is a comment of a random tree.
type grown struct {
	id       string
	parent   int // index, or -1
	depth    int
	up, down int
	deleted  bool
}

// grow posts a random tree of comments on the site's other topic, deletes some and votes on some.
func (b *fullSite) grow(r *rand.Rand, n int) (topic string, tree []grown) {
	b.t.Helper()
	topic = b.site.topic(b.ann, "Tea", "A tree")
	for i := range n {
		parent := r.IntN(i+1) - 1
		for parent >= 0 && tree[parent].deleted {
			parent = tree[parent].parent
		}
		c := grown{parent: parent}
		of := ""
		if parent >= 0 {
			c.depth, of = tree[parent].depth+1, tree[parent].id
		}
		c.id = b.site.comment(b.ann, topic, of, fmt.Sprint("Comment ", i+1))
		for _, voter := range []string{b.bob, b.mod} {
			switch r.IntN(4) {
			case 0:
				c.up++
				b.vote(voter, c.id, "UP")
			case 1:
				c.down++
				b.vote(voter, c.id, "DOWN")
			}
		}
		if c.deleted = r.IntN(10) == 0; c.deleted {
			b.mutate(b.ann, "deleteComment", input{"commentId": c.id}, "")
		}
		tree = append(tree, c)
		b.clock.Advance(second)
	}
	return topic, tree
}

// inThread returns the ids of a tree in the order of a thread.
func inThread(tree []grown, order string, deepest, parent int) []string {
	var siblings []int
	for i, c := range tree {
		if c.parent == parent {
			siblings = append(siblings, i)
		}
	}
	key := func(i int) float64 {
		switch c := tree[i]; order {
		case "NEWEST":
			return float64(-i)
		case "TOP":
			return float64(c.down - c.up)
		case "CONTROVERSIAL":
			return -forum.Controversy(c.up, c.down)
		}
		return float64(i)
	}
	slices.SortStableFunc(siblings, func(a, b int) int {
		switch ka, kb := key(a), key(b); {
		case ka < kb:
			return -1
		case ka > kb:
			return 1
		}
		return 0
	})
	var ids []string
	for _, i := range siblings {
		if tree[i].depth <= deepest {
			ids = append(ids, tree[i].id)
			ids = append(ids, inThread(tree, order, deepest, i)...)
		}
	}
	return ids
}

// A thread has each comment followed by its replies, in every order, to every depth, by pages of every size.
func TestThreads(t *testing.T) {
	b := newFullSite(t)
	r := rand.New(rand.NewPCG(testseed.First(), 7))
	topic, tree := b.grow(r, 45)
	const query = `query($t: ID!, $o: CommentOrder, $d: Int, $n: Int, $after: String) { node(id: $t) { ... on Topic {
		thread(orderBy: $o, maxDepth: $d, first: $n, after: $after) {
			totalCount nodes { id } edges { cursor node { depth } } pageInfo { hasNextPage hasPreviousPage endCursor } } } } }`
	for _, order := range []string{"OLDEST", "NEWEST", "TOP", "CONTROVERSIAL"} {
		for _, deepest := range []int{0, 1, 3, 100} {
			want := inThread(tree, order, deepest, -1)
			for _, n := range []int{1 + r.IntN(6), 7, 100} {
				what := fmt.Sprintf("%s to depth %d by %d", order, deepest, n)
				var got []string
				var after any
				for {
					a := b.must(b.bob, query, input{"t": topic, "o": order, "d": deepest, "n": n, "after": after})
					got = append(got, a.texts("id", "node", "thread", "nodes")...)
					wantEqual(t, what+": totalCount", a.at("node", "thread", "totalCount"), any(float64(len(tree))))
					wantEqual(t, what+": hasPreviousPage", a.at("node", "thread", "pageInfo", "hasPreviousPage"), any(after != nil))
					after = a.at("node", "thread", "pageInfo", "endCursor")
					if a.at("node", "thread", "pageInfo", "hasNextPage") != true {
						break
					}
				}
				wantEqual(t, what, got, want)
			}
		}
	}
}

// A thread opens at any comment, in every order and by pages of every size: with its ancestors, so that no row lacks
// its parent, with marks where rows are left out, and cursors that lead to these and on.
func TestThreadsAround(t *testing.T) {
	b := newFullSite(t)
	r := rand.New(rand.NewPCG(testseed.First(), 8))
	topic, tree := b.grow(r, 45)
	const query = `query($t: ID!, $o: CommentOrder, $d: Int, $n: Int, $around: Int, $after: String) {
		node(id: $t) { ... on Topic { thread(orderBy: $o, maxDepth: $d, first: $n, around: $around, after: $after) {
			totalCount edges { cursor hasGapBefore node { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } } } }`
	for _, order := range []string{"OLDEST", "NEWEST", "TOP", "CONTROVERSIAL"} {
		for _, deepest := range []int{0, 2, 100} {
			all := inThread(tree, order, deepest, -1)
			for _, n := range []int{1, 2 + r.IntN(8), 100} {
				at := r.IntN(len(tree))
				vars := input{"t": topic, "o": order, "d": deepest, "n": n, "around": at + 1}
				p := b.threadPage(b.must(b.bob, query, vars))
				what := fmt.Sprintf("%s to depth %d by %d around %d", order, deepest, n, at+1)
				p.check(t, what, tree, all, at, n)
				for i := range p.ids {
					vars["around"], vars["after"] = nil, p.cursors[i]
					next := b.threadPage(b.must(b.bob, query, vars))
					from := slices.Index(all, p.ids[i]) + 1
					wantEqual(t, what+": after "+p.ids[i], next.ids, all[from:min(from+n, len(all))])
				}
			}
		}
	}
	past := b.threadPage(b.must(b.bob, query, input{"t": topic, "d": 100, "n": 1, "around": 1000}))
	wantEqual(t, "past the last comment", past.ids, []string{tree[len(tree)-1].id})
	none := b.must(b.bob, query, input{"t": b.site.topic(b.ann, "Tea", "None"), "n": 1, "around": 3})
	wantEqual(t, "without comments", b.threadPage(none).ids, []string{})
}

// threadPage is a page of a thread.
type threadPage struct {
	ids, cursors   []string
	gaps           []bool
	previous, more bool
}

func (b *fullSite) threadPage(a answer) threadPage {
	b.t.Helper()
	info := a.at("node", "thread", "pageInfo").(map[string]any)
	p := threadPage{ids: []string{}, previous: info["hasPreviousPage"] == true, more: info["hasNextPage"] == true}
	for _, e := range a.at("node", "thread", "edges").([]any) {
		edge := e.(map[string]any)
		p.ids = append(p.ids, edge["node"].(map[string]any)["id"].(string))
		p.cursors = append(p.cursors, edge["cursor"].(string))
		p.gaps = append(p.gaps, edge["hasGapBefore"] == true)
	}
	return p
}

// check checks the page of n rows that opens a tree at a comment. all are the ids of the tree in order.
func (p threadPage) check(t *testing.T, what string, tree []grown, all []string, at, n int) {
	t.Helper()
	index := map[string]int{}
	for i, c := range tree {
		index[c.id] = i
	}
	last := -1
	for i, id := range p.ids {
		place := slices.Index(all, id)
		if wantEqual(t, what+": the gap before "+id, p.gaps[i], place > last+1); place <= last {
			t.Fatalf("%s: %s is out of order in %v", what, id, p.ids)
		}
		last = place
		parent := tree[index[id]].parent
		if parent >= 0 && len(p.ids) > tree[at].depth+1 && !slices.Contains(p.ids, tree[parent].id) {
			t.Fatalf("%s: %s is without its parent in %v", what, id, p.ids)
		}
	}
	for !slices.Contains(all, tree[at].id) {
		at = tree[at].parent
	}
	if !slices.Contains(p.ids, tree[at].id) || len(p.ids) > n {
		t.Fatalf("%s: the page is %v", what, p.ids)
	}
	wantEqual(t, what+": hasPreviousPage", p.previous, p.gaps[0])
	wantEqual(t, what+": hasNextPage", p.more, last < len(all)-1)
	if len(p.ids) < n && p.more {
		t.Fatalf("%s: rows that follow are left out of %v", what, p.ids)
	}
	if n >= len(all) && len(p.ids) < len(all) {
		t.Fatalf("%s: the page has room for the whole tree, and is %v", what, p.ids)
	}
}

// Bad arguments of threads and pages of comments are errors that name them.
func TestBadThreads(t *testing.T) {
	b := newFullSite(t)
	cursor := func(of string) string {
		return b.must(b.bob, `query($t: ID!) { node(id: $t) { ... on Topic { page: `+of+` { edges { cursor } } } } }`,
			input{"t": b.topic}).text("node", "page", "edges", 0, "cursor")
	}
	flat, deep := cursor("comments(first: 1)"), cursor("thread(first: 1)")
	for _, c := range []struct{ of, code, argument string }{
		{"thread(maxDepth: -1)", "BAD_USER_INPUT", "maxDepth"},
		{"thread(maxDepth: 101)", "BAD_USER_INPUT", "maxDepth"},
		{"thread(first: 101)", "BAD_USER_INPUT", "first"},
		{"thread(around: 0)", "BAD_USER_INPUT", "around"},
		{"thread(around: 1, after: \"" + deep + "\")", "BAD_USER_INPUT", "around"},
		{"thread(after: \"" + flat + "\")", "CURSOR_INVALID", "after"},
		{"thread(maxDepth: 9, after: \"" + deep + "\")", "CURSOR_INVALID", "after"},
		{"thread(orderBy: TOP, after: \"" + deep + "\")", "CURSOR_INVALID", "after"},
		{"comments(after: \"" + deep + "\")", "CURSOR_INVALID", "after"},
		{"comments(around: 0)", "BAD_USER_INPUT", "around"},
		{"comments(around: 1, last: 3)", "BAD_USER_INPUT", "around"},
		{"comments(around: 1, skip: 1)", "BAD_USER_INPUT", "around"},
		{"comments(around: 1, orderBy: TOP)", "BAD_USER_INPUT", "around"},
		{"comments(around: 1, after: \"" + flat + "\")", "BAD_USER_INPUT", "around"},
		{"comments(skip: -1)", "BAD_USER_INPUT", "skip"},
		{"comments(skip: 10001)", "BAD_USER_INPUT", "skip"},
	} {
		a := b.ask(b.bob, `query($t: ID!) { node(id: $t) { ... on Topic { `+c.of+` { totalCount } } } }`, input{"t": b.topic})
		wantEqual(t, c.of, a.code(), c.code)
		wantEqual(t, c.of+": the argument", a.Errors[0]["extensions"].(map[string]any)["argument"], any(c.argument))
	}
}

// Numbered pages of comments, and the page around one of them.
func TestPagesOfComments(t *testing.T) {
	b := newFullSite(t)
	topic, tree := b.grow(rand.New(rand.NewPCG(testseed.First(), 7)), 30)
	all, top := make([]string, len(tree)), []string{}
	for i, c := range tree {
		if all[i] = c.id; c.parent < 0 {
			top = append(top, c.id)
		}
	}
	page := func(args string) answer {
		return b.must("", `query($t: ID!) { node(id: $t) { ... on Topic { comments(`+args+`) {
			totalCount nodes { id number } edges { cursor } pageInfo { hasNextPage hasPreviousPage } } } } }`, input{"t": topic})
	}
	ids := func(a answer) []string { return a.texts("id", "node", "comments", "nodes") }
	newest := slices.Clone(all)
	slices.Reverse(newest)
	for _, c := range []struct {
		args string
		want []string
	}{
		{"first: 5, skip: 10", all[10:15]},
		{"first: 5, skip: 28", all[28:]},
		{"first: 5, skip: 40", []string{}},
		{"last: 5, skip: 28", all[28:]},
		{"orderBy: NEWEST, first: 5, skip: 10", newest[10:15]},
		{"topLevelOnly: true, first: 2, skip: 1", top[min(1, len(top)):min(3, len(top))]},
		{"first: 5, around: 12", all[9:14]},
		{"first: 4, around: 12", all[9:13]},
		{"first: 5, around: 1", all[:5]},
		{"first: 5, around: 30", all[25:]},
		{"first: 5, around: 1000", all[25:]},
		{"first: 50, around: 12", all},
		{"orderBy: NEWEST, first: 5, around: 12", newest[16:21]},
	} {
		a := page(c.args)
		wantEqual(t, c.args, ids(a), c.want)
		if total := any(float64(len(tree))); !strings.HasPrefix(c.args, "topLevelOnly") {
			wantEqual(t, c.args+": totalCount", a.at("node", "comments", "totalCount"), total)
		}
	}
	ranked := ids(page("orderBy: TOP, first: 30"))
	wantEqual(t, "TOP, skip: 7", ids(page("orderBy: TOP, first: 5, skip: 7")), ranked[7:12])
	around := page("first: 5, around: 12")
	next := page(fmt.Sprintf("first: 3, after: %q", around.text("node", "comments", "edges", 4, "cursor")))
	wantEqual(t, "after the page around 12", ids(next), all[14:17])
	wantEqual(t, "hasPreviousPage", around.at("node", "comments", "pageInfo", "hasPreviousPage"), any(true))
}
