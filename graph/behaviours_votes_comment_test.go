package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// Comments accept votes as topics do, at all depths, and forever.
func TestVotesOnCommentsAndReplies(t *testing.T) {
	p := newVoteSite(t)
	article := p.link(p.ann, "a")
	comment := p.comment(p.ann, article, "", "A comment")
	reply := p.comment(p.bob, article, comment, "A reply")
	deep := p.comment(p.cid, article, reply, "A reply to it")
	p.clock.Advance(8 * 24 * time.Hour) // voting on the article is over
	for _, subject := range []string{comment, reply, deep} {
		steps := []struct{ token, direction, want string }{
			{p.bob, "NONE", "false 0-0 NONE"}, {p.bob, "UP", "true 1-0 UP"}, {p.bob, "UP", "false 1-0 UP"},
			{p.cid, "DOWN", "true 1-1 DOWN"},
			{p.ann, "DOWN", "true 1-2 DOWN"}, {p.bob, "DOWN", "true 0-3 DOWN"}, {p.ann, "NONE", "true 0-2 NONE"},
			{p.ann, "NONE", "false 0-2 NONE"}, {p.cid, "UP", "true 1-1 UP"},
		}
		for _, s := range steps {
			wantEqual(t, s.direction, p.cast(s.token, subject, s.direction), s.want)
		}
		for token, vote := range map[string]string{"": "NONE", p.ann: "NONE", p.bob: "DOWN", p.cid: "UP"} {
			wantEqual(t, "the viewer's own vote", p.stands(token, subject), "1-1 "+vote)
		}
		a := p.must("", `query($id: ID!) { node(id: $id) { ... on Comment { votes { net subjectId closesAt isOpen } } } }`, input{"id": subject})
		wantEqual(t, "votes", a.at("node", "votes"),
			any(map[string]any{"net": 0.0, "subjectId": subject, "closesAt": nil, "isOpen": true}))
	}
	wantEqual(t, "votes on comments are none on their article", p.stands(p.bob, article), "1-0 NONE")
	p.wantVerdict("delete", p.mutate(p.bob, "deleteComment", input{"commentId": reply}, ""), "")
	wantEqual(t, "a tombstone keeps its votes", p.stands(p.bob, reply), "1-1 DOWN")
	for _, token := range []string{p.ann, p.bob, p.mod} {
		wantEqual(t, "a tombstone takes none", p.cast(token, reply, "UP"), "LOCKED input.subjectId")
	}
	wantEqual(t, "a reply to a tombstone", p.cast(p.bob, deep, "NONE"), "true 1-0 NONE")
}

// thread is a topic whose comments are ranked at each level.
type thread struct {
	*voteSite
	topic  string
	names  map[string]string // contents by id
	levels []level
}

// level is a list of comments; field is that of an object, with %s for arguments.
type level struct {
	name, of, field string
	numbers         []string // contents, by number
}

func newThread(t *testing.T) *thread {
	h := &thread{voteSite: newVoteSite(t), names: map[string]string{}}
	h.topic = h.post(h.ann, "A topic", nil)
	post := func(parent, content string) string {
		h.clock.Advance(second)
		id := h.comment(h.ann, h.topic, h.ids[parent], content)
		h.ids[content], h.names[id] = id, content
		return content
	}
	top, replies, deeper, all := []string{}, []string{}, []string{}, []string{}
	for n := range 4 {
		top = append(top, post("", fmt.Sprint("c", n)))
		replies = append(replies, post("c0", fmt.Sprint("r", n)))
		deeper = append(deeper, post("r0", fmt.Sprint("d", n)))
		all = append(all, top[n], replies[n], deeper[n])
	}
	h.levels = []level{
		{"all comments", h.topic, "... on Topic { x: comments(%s)", all},
		{"of the topic itself", h.topic, "... on Topic { x: comments(topLevelOnly: true, %s)", top},
		{"replies", h.ids["c0"], "... on Comment { x: replies(%s)", replies},
		{"replies to a reply", h.ids["r0"], "... on Comment { x: replies(%s)", deeper},
	}
	return h
}

// page returns a page of a level as contents, and its last cursor.
func (h *thread) page(l level, args string, after any) (a answer, rows string, next any) {
	h.t.Helper()
	query := "query($id: ID!, $after: String) { node(id: $id) { " + fmt.Sprintf(l.field, args+", after: $after") +
		" { totalCount nodes { content } pageInfo { endCursor } } } } }"
	a = h.ask("", query, input{"id": l.of, "after": after})
	return a, strings.Join(a.texts("content", "node", "x", "nodes"), " "), a.at("node", "x", "pageInfo", "endCursor")
}

// voteAt makes the users vote on the comments of each level at these positions.
func (h *thread) voteAt(votes map[int]string) {
	h.t.Helper()
	tokens := map[rune]string{'a': h.ann, 'b': h.bob, 'c': h.cid, 'm': h.mod}
	for _, prefix := range []string{"c", "r", "d"} {
		for place, cast := range votes {
			for i, who := range cast { // capitals vote up, others down
				direction := map[bool]string{true: "DOWN", false: "UP"}[strings.ToLower(cast)[i] == cast[i]]
				token := tokens[rune(strings.ToLower(string(who))[0])]
				if got := h.cast(token, h.ids[fmt.Sprint(prefix, place)], direction); !strings.HasPrefix(got, "true") {
					h.t.Errorf("vote %s on %s%d = %s; want it counted", direction, prefix, place, got)
				}
			}
		}
	}
}

// expand turns a list of digits of a level into contents: "31" is "c3 c1" or, of all levels, which tie, "c3 r3 d3 c1
// r1 d1".
func (l level) expand(places string) string {
	var rows []string
	for _, place := range places {
		for _, name := range l.numbers {
			if strings.HasSuffix(name, string(place)) {
				rows = append(rows, name)
			}
		}
	}
	return strings.Join(rows, " ")
}

func TestRankedCommentsAreFixedWhilePaging(t *testing.T) {
	h := newThread(t)
	h.voteAt(map[int]string{1: "aB", 2: "ABc", 3: "A"}) // 1-1, 2-1, 1-0
	before := map[string]string{"TOP": "2301", "CONTROVERSIAL": "2130", "OLDEST": "0123"}
	after := map[string]string{"TOP": "0231", "CONTROVERSIAL": "1203", "OLDEST": "0123"}
	type reader struct {
		level
		order, rows string
		next        any
	}
	var readers []*reader
	for _, l := range h.levels {
		for order, want := range before {
			_, whole, _ := h.page(l, "orderBy: "+order, nil)
			wantEqual(t, l.name+" by "+order, whole, l.expand(want))
			r := &reader{level: l, order: order}
			_, r.rows, r.next = h.page(l, "first: 1, orderBy: "+order, nil)
			readers = append(readers, r)
		}
	}
	h.clock.Advance(5 * time.Minute)
	h.voteAt(map[int]string{0: "ABCM", 1: "cM"}) // 4-0, 2-2
	for _, r := range readers {
		for r.next != nil {
			_, rows, next := h.page(r.level, "first: 2, orderBy: "+r.order, r.next)
			r.rows, r.next = strings.TrimSpace(r.rows+" "+rows), next
		}
		_, whole, _ := h.page(r.level, "orderBy: "+r.order, nil)
		wantEqual(t, r.name+" by "+r.order+", paged while votes come", r.rows, r.expand(before[r.order]))
		wantEqual(t, r.name+" by "+r.order+", again", whole, r.expand(after[r.order]))
	}
}

// New comments, deleted ones and withdrawn votes appear on a new first page.
func TestRankedCommentsFollowEachChange(t *testing.T) {
	h := newThread(t)
	l := h.levels[2]
	list := func(order string) string {
		_, rows, _ := h.page(l, "orderBy: "+order, nil)
		return rows
	}
	wantEqual(t, "without votes by number", [2]string{list("TOP"), list("CONTROVERSIAL")},
		[2]string{"r0 r1 r2 r3", "r0 r1 r2 r3"})
	h.cast(h.bob, h.ids["r3"], "UP")
	h.cast(h.bob, h.ids["r0"], "DOWN")
	wantEqual(t, "one for, one against", [2]string{list("TOP"), list("CONTROVERSIAL")},
		[2]string{"r3 r1 r2 r0", "r0 r3 r1 r2"})
	h.ids["r4"] = h.comment(h.ann, h.topic, h.ids["c0"], "r4")
	h.cast(h.bob, h.ids["r4"], "UP")
	h.cast(h.cid, h.ids["r4"], "UP")
	wantEqual(t, "one more", list("TOP"), "r4 r3 r1 r2 r0")
	h.cast(h.bob, h.ids["r4"], "NONE")
	h.cast(h.cid, h.ids["r4"], "NONE")
	wantEqual(t, "votes taken back", list("TOP"), "r3 r1 r2 r4 r0")
	h.wantVerdict("delete", h.mutate(h.ann, "deleteComment", input{"commentId": h.ids["r3"]}, ""), "")
	wantEqual(t, "a tombstone keeps its place", list("TOP"), " r1 r2 r4 r0")
	a, _, _ := h.page(l, "last: 2, orderBy: TOP", nil)
	wantEqual(t, "from the end", a.texts("content", "node", "x", "nodes"), []string{"r4", "r0"})
	wantEqual(t, "totalCount", a.number("node", "x", "totalCount"), 5)
}

// An expired cursor of a ranking is reported, at each level.
func TestCursorsOfRankedCommentsExpire(t *testing.T) {
	h := newThread(t)
	h.voteAt(map[int]string{2: "A"})
	next := make([]any, len(h.levels))
	begin := func() {
		for i, l := range h.levels {
			_, _, next[i] = h.page(l, "first: 2, orderBy: TOP", nil)
		}
	}
	wantPages := func(name, want string, rows int) {
		t.Helper()
		for i, l := range h.levels {
			a, found, _ := h.page(l, "first: 2, orderBy: TOP", next[i])
			h.wantVerdict(l.name+" "+name, a, want)
			wantEqual(t, l.name+" "+name+": rows", len(strings.Fields(found)), rows)
		}
	}
	begin()
	h.clock.Advance(10*time.Minute - time.Millisecond)
	wantPages("a moment before", "", 2)
	h.clock.Advance(time.Millisecond)
	wantPages("after 10 minutes", "CURSOR_EXPIRED after", 0)
	old := next[0]
	begin() // the same ranking again
	wantPages("again", "", 2)
	a, _, _ := h.page(h.levels[0], "first: 2, orderBy: TOP", old)
	h.wantVerdict("the old cursor, while the ranking is kept for others", a, "CURSOR_EXPIRED after")
	h.loses("*:ranking:*")
	wantPages("what Redis has lost", "CURSOR_EXPIRED after", 0)
}

// isOpen reports whether a vote would be accepted, also for comments.
func TestIsOpenReportsWhetherAVoteIsAccepted(t *testing.T) {
	b := newFullSite(t)
	article, onArticle := b.article()
	b.clock.Advance(week)
	open := map[string]bool{b.topic: true, b.deleted: false, b.comment: true, b.reply: true, b.tombstone: false,
		b.lost: false, article: false, onArticle: true}
	for _, s := range []*site{b.site, b.stock()} {
		for subject, want := range open {
			for who, token := range map[string]string{"its author": b.ann, "a moderator": b.mod} {
				a := s.must(token, `query($id: ID!) { node(id: $id) { __typename ... on Votable { votes { isOpen } } } }`, input{"id": subject})
				wantEqual(t, fmt.Sprint(who, ": isOpen of ", a.at("node")), a.at("node", "votes", "isOpen"), any(want))
				wantEqual(t, fmt.Sprint(who, ": a vote on ", a.at("node")), s.vote(token, subject, "UP").verdict() == "", want)
			}
		}
		lost := s.must(b.ann, `query($id: ID!) { topic(by: {id: $id}) { votes { isOpen } comments { nodes { votes { isOpen up } } } } }`, input{"id": b.deleted})
		wantEqual(t, "of a list of comments on a deleted topic", lost.at("topic"),
			any(map[string]any{"votes": map[string]any{"isOpen": false},
				"comments": map[string]any{"nodes": []any{map[string]any{"votes": map[string]any{"isOpen": false, "up": 0.0}}}}}))
	}
}

// However the comments of a level are paged, each has one position.
func TestCommentPagesAgreeInAllOrders(t *testing.T) {
	h := newThread(t)
	h.voteAt(map[int]string{0: "a", 2: "ABc", 3: "A"})
	for _, l := range h.levels {
		for _, order := range []string{"OLDEST", "NEWEST", "TOP", "CONTROVERSIAL"} {
			page := func(args string) (rows []string, info map[string]any) {
				a := h.must("", "query($id: ID!) { node(id: $id) { "+fmt.Sprintf(l.field, "orderBy: "+order+", "+args)+
					" { edges { node { content } } nodes { content } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } } }", input{"id": l.of})
				info, _ = a.at("node", "x", "pageInfo").(map[string]any)
				return a.texts("content", "node", "x", "nodes"), info
			}
			whole, _ := page("first: 100")
			size, end, start := len(whole), "null", "null"
			wantEqual(t, l.name+" by "+order+": rows", size, len(l.numbers))
			for n := 0; n < size; n += 3 {
				rows, info := page("first: 3, after: " + end)
				wantEqual(t, fmt.Sprint(l.name, " by ", order, " from ", n), rows, whole[n:min(n+3, size)])
				wantEqual(t, "more before and after", []any{info["hasPreviousPage"], info["hasNextPage"]}, []any{n > 0, n+3 < size})
				end = fmt.Sprintf("%q", info["endCursor"])
				rows, info = page("last: 3, before: " + start)
				wantEqual(t, fmt.Sprint(l.name, " by ", order, " but ", n), rows, whole[max(size-n-3, 0):size-n])
				wantEqual(t, "more before and after", []any{info["hasPreviousPage"], info["hasNextPage"]}, []any{n+3 < size, n > 0})
				start = fmt.Sprintf("%q", info["startCursor"])
				rows, _ = page(fmt.Sprint("last: ", n+1))
				wantEqual(t, fmt.Sprint("the last ", n+1), rows, whole[size-n-1:])
			}
		}
	}
}
