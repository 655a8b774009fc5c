package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/test/must"
)

// More paths of TestAllPathsAgree: trees, replies, lists of users, rankings of days, notifications, the log, unread
// counts, pages of orders that were fixed before, and what subscribers receive.

// These select what a viewer sees of a post.
const (
	topicShape   = `fragment t on Topic { id topicState: state text: title author { login } } `
	commentShape = `fragment c on Comment { id commentState: state content author { login } } `
	shape        = topicShape + commentShape
)

// row returns what a viewer who sees a post sees of it.
func (c *caseSite) row(who string, p *post) string {
	author, text := p.author, ""
	if _, whole := c.sees(who, p); whole {
		text = p.text
	} else if p.topic != nil {
		author = "ghost"
	}
	return fmt.Sprintf("%s %s %q by %s", p.id, p.state, text, author)
}

// rows returns row for those that the viewer sees.
func (c *caseSite) rows(who string, ps []*post) []string {
	found := []string{}
	for _, p := range ps {
		if sees, _ := c.sees(who, p); sees {
			found = append(found, c.row(who, p))
		}
	}
	return found
}

// seen formats an object that was selected with shape as row.
func seen(v any) string {
	m, _ := v.(map[string]any)
	author, _ := m["author"].(map[string]any)
	if author == nil {
		return "null"
	}
	text, ok := m["text"]
	if !ok {
		text = m["content"]
	}
	return fmt.Sprintf("%s %s %q by %s", m["id"], stateOf(m), text, author["login"])
}

// stateOf returns the state of an object that was selected with shape, "" for nil.
func stateOf(m map[string]any) string {
	topic, _ := m["topicState"].(string)
	comment, _ := m["commentState"].(string)
	return topic + comment
}

func allSeen(list any) []string {
	found := []string{}
	rows, _ := list.([]any)
	for _, v := range rows {
		found = append(found, seen(v))
	}
	return found
}

// children returns the comments that reply to a post and have a number, in order.
func (c *caseSite) children(of *post) []*post {
	var found []*post
	for _, p := range c.replies {
		if p.number > 0 && (p.parent == of || p.parent == nil && p.topic == of) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b *post) int { return a.number - b.number })
	return found
}

// tree returns the comments below a post in pre-order.
func (c *caseSite) tree(of *post) []*post {
	var found []*post
	for _, p := range c.children(of) {
		found = append(append(found, p), c.tree(p)...)
	}
	return found
}

// live returns those of the posts that count.
func live(ps []*post) (found []*post) {
	for _, p := range ps {
		if p.live() {
			found = append(found, p)
		}
	}
	return found
}

// prepare gives the viewers what the paths need.
func (c *caseSite) prepare() {
	front := c.must("", `{ front(orderBy: {field: CREATED}) { id eventId } }`, nil)
	c.front, c.begun = front.text("front", "id"), front.text("front", "eventId")
	for who, token := range c.viewers {
		if token != "" {
			c.list(token, "Both", userID(c.ann), userID(c.bob))
			c.wantVerdict("markRead", c.markRead(token, "timelineId", c.front), "")
			bookmarks := c.must(token, `{ viewer { notificationsEventId bookmarks { id } } }`, nil)
			c.wantVerdict("markRead", c.markRead(token, "timelineId", bookmarks.text("viewer", "bookmarks", "id")), "")
			c.told[who] = bookmarks.text("viewer", "notificationsEventId")
		}
	}
}

// attend makes all viewers watch a new topic and mark it as read.
func (c *caseSite) attend(p *post) {
	p.begun = c.must("", `query($t: ID!) { topic(by: {id: $t}) { commentsEventId } }`, input{"t": p.id}).
		text("topic", "commentsEventId")
	for _, token := range c.viewers {
		if token != "" {
			c.wantVerdict("watch", c.mutate(token, "watch", input{"topicId": p.id}, ""), "")
			c.wantVerdict("markRead", c.markRead(token, "topicId", p.id), "")
		}
	}
}

// wantMore returns what a viewer should see on these paths.
func (c *caseSite) wantMore(who string) map[string]any {
	want := map[string]any{}
	var ranked, listed []string
	kept := 0
	for _, t := range slices.Backward(c.topics) {
		if t.live() && t.kept {
			kept++
		}
		if c.public(t) {
			listed = append(listed, c.row(who, t))
			if n := len(live(c.tree(t))); n > 0 {
				ranked = append(ranked, fmt.Sprint(t.id, " ", n))
			}
		}
		if sees, _ := c.sees(who, t); !sees {
			continue
		}
		rows := c.tree(t)
		want["thread "+t.id] = fmt.Sprint(c.rows(who, rows), len(rows))
		want["top level "+t.id] = fmt.Sprint(c.rows(who, c.children(t)), len(c.children(t)))
		unread := []*post{}
		for _, p := range live(rows) {
			if p.author != map[string]string{"author": "ann"}[who] {
				unread = append(unread, p)
			}
		}
		slices.SortFunc(unread, func(a, b *post) int { return a.number - b.number })
		first := "null"
		if len(unread) > 0 {
			first = c.row(who, unread[0])
		}
		if want["unread "+t.id] = fmt.Sprintln(len(unread), first); who == "signed out" || !t.kept {
			want["unread "+t.id] = fmt.Sprintln(nil, "null")
		}
	}
	for _, p := range c.replies {
		if sees, _ := c.sees(who, p); sees {
			parent := "null"
			if p.parent != nil {
				parent = c.row(who, p.parent)
			}
			all := c.children(p)
			want["replies "+p.id] = fmt.Sprintln(len(live(all)), c.rows(who, all), len(all), parent, c.row(who, p.topic))
		}
	}
	slices.Sort(ranked)
	want["day"] = fmt.Sprint(ranked, len(ranked))
	if who != "signed out" {
		want["list"] = fmt.Sprint(listed)
		want["counts"] = fmt.Sprint(len(listed), kept, kept)
	}
	return want
}

// gotMore asks for everything that wantMore has. It checks what is shown anywhere else.
func (c *caseSite) gotMore(who string) map[string]any {
	var q strings.Builder
	q.WriteString(shape + ` query($ids: [ID!]!) { dayRank { topics(first: 100) { totalCount edges { score node { id } } } } `)
	if who != "signed out" {
		q.WriteString(`me: viewer { lists { nodes { timeline { topics(first: 100) { nodes { ...t } } } } }
			bookmarks { unreadCount topics { totalCount } }
			unreadNotificationCount notifications(first: 100) { nodes { isRead subject { ...t ...c } act { subject { ...t ...c } } } } }
			front(orderBy: {field: CREATED}) { unreadCount } `)
	}
	if strings.HasPrefix(who, "moderator") {
		q.WriteString(`moderationLog(first: 100) { nodes { subject { ...t ...c } } } `)
	}
	all := slices.Concat(c.topics, c.replies)
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = p.id
	}
	const page = `(first: 100) { totalCount nodes { ...c } } `
	a := c.must(c.viewers[who], q.String()+`nodes(ids: $ids) { ... on Topic { thread`+page+`top: comments(first: 100, topLevelOnly: true) { totalCount nodes { ...c } }
		votes: thread(first: 100, orderBy: TOP) { totalCount nodes { ...c } } viewerUnreadCommentCount viewerFirstUnread { ...c } }
		... on Comment { id replyCount replies`+page+`parent { ...c } topic { ...t } } } }`, input{"ids": ids})
	c.checkShown(who, a.Data)
	got := map[string]any{}
	var ranked []string
	edges, _ := a.at("dayRank", "topics", "edges").([]any)
	for i := range edges {
		e := answer{Data: edges[i].(map[string]any)}
		ranked = append(ranked, fmt.Sprint(e.text("node", "id"), " ", e.number("score")))
	}
	slices.Sort(ranked)
	got["day"] = fmt.Sprint(ranked, a.number("dayRank", "topics", "totalCount"))
	if who != "signed out" {
		got["list"] = fmt.Sprint(allSeen(a.at("me", "lists", "nodes", 0, "timeline", "topics", "nodes")))
		got["counts"] = fmt.Sprint(a.at("front", "unreadCount"), a.at("me", "bookmarks", "unreadCount"),
			a.at("me", "bookmarks", "topics", "totalCount"))
		c.checkNotices(who, a)
	}
	for i, p := range all {
		n, _ := a.at("nodes", i).(map[string]any)
		if n == nil {
			continue
		}
		at := answer{Data: n}
		of := func(field string) string {
			return fmt.Sprint(allSeen(at.at(field, "nodes")), at.number(field, "totalCount"))
		}
		if p.topic != nil {
			got["replies "+p.id] = fmt.Sprintln(at.number("replyCount"), of("replies"), seen(n["parent"]), seen(n["topic"]))
			continue
		}
		got["top level "+p.id] = of("top")
		if got["thread "+p.id] = of("thread"); of("votes") != of("thread") {
			got["by votes "+p.id] = of("votes")
		}
		got["unread "+p.id] = fmt.Sprintln(n["viewerUnreadCommentCount"], seen(n["viewerFirstUnread"]))
	}
	return got
}

// checkShown checks that every post anywhere in an answer is what the viewer may see of it.
func (c *caseSite) checkShown(who string, v any) {
	c.t.Helper()
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			c.checkShown(who, inner)
		}
	case map[string]any:
		for _, inner := range v {
			c.checkShown(who, inner)
		}
		if v["author"] == nil {
			return
		}
		for _, p := range slices.Concat(c.topics, c.replies) {
			if sees, _ := c.sees(who, p); p.id == v["id"] && (!sees || seen(v) != c.row(who, p)) {
				c.t.Errorf("%s is shown %s; want %t, %s", who, seen(v), sees, c.row(who, p))
			}
		}
	}
}

// checkNotices checks that unread notifications are of what there is, apart from those of moderators' acts.
func (c *caseSite) checkNotices(who string, a answer) {
	c.t.Helper()
	unread := 0
	rows, _ := a.at("me", "notifications", "nodes").([]any)
	for _, v := range rows {
		n := v.(map[string]any)
		if n["isRead"] == true {
			continue
		}
		unread++
		about, _ := n["subject"].(map[string]any)
		if is := stateOf(about); n["act"] == nil && is != "OPEN" && is != "LOCKED" {
			c.t.Errorf("%s has an unread notification of %s; want only of what can be read", who, seen(n["subject"]))
		}
	}
	if got := a.number("me", "unreadNotificationCount"); got != unread {
		c.t.Errorf("%s: unreadNotificationCount is %d; want %d", who, got, unread)
	}
}

// fixed is the first page of a list whose order was fixed, and what else it had then.
type fixed struct {
	list, args, after string
	rest              []*post
}

// fix reads first pages of lists whose order they fix.
func (c *caseSite) fix() []fixed {
	var found []fixed
	for _, f := range []fixed{{list: "front(orderBy: {field: TOP})"}, {list: "front(orderBy: {field: CONTROVERSIAL})"},
		{list: "front(orderBy: {field: CREATED})", args: ", walk: FIXED"}} {
		a := c.must("", `{ f: `+f.list+` { topics(first: 1`+f.args+`) { nodes { id } pageInfo { endCursor } } } }`, nil)
		f.after = a.text("f", "topics", "pageInfo", "endCursor")
		for _, t := range live(c.topics) {
			if c.public(t) && t.id != a.text("f", "topics", "nodes", 0, "id") {
				f.rest = append(f.rest, t)
			}
		}
		found = append(found, f)
	}
	return found
}

// checkFixed checks that what follows the first pages is what is still there.
func (c *caseSite) checkFixed(who string, lists []fixed) {
	c.t.Helper()
	for _, f := range lists {
		if f.after == "" { // it was empty
			continue
		}
		a := c.must(c.viewers[who], topicShape+fmt.Sprintf(` query { f: %s { topics(first: 100, after: %q%s) { nodes { ...t } } } }`,
			f.list, f.after, f.args), nil)
		got := slices.Sorted(slices.Values(allSeen(a.at("f", "topics", "nodes"))))
		wantEqual(c.t, who+", later, "+f.list+f.args, got, slices.Sorted(slices.Values(c.rows(who, live(f.rest)))))
	}
}

// checkEvents checks what subscribers who were away all the time receive.
func (c *caseSite) checkEvents() {
	c.t.Helper()
	c.setAudience("Ink", audience{sees: forum.Public})
	c.addTopic("ann", "Ink", false)
	last := c.topics[len(c.topics)-1]
	c.addCommentOn(last, "bob", false)
	final := c.replies[len(c.replies)-1]
	c.settle()
	const front = topicShape + ` subscription($i: ID!, $a: String) { timelineUpdated(timelineId: $i, after: $a) { kind topicId edge { node { ...t } } } }`
	const notes = shape + ` subscription($a: String) { notificationAdded(after: $a) { notification { subject { ...t ...c } } } }`
	const posted = commentShape + ` subscription($t: ID!, $a: String) { commentAdded(topic: {id: $t}, after: $a) { comment { ...c } } }`
	for who, token := range c.viewers {
		until := func(st *stream, id string) {
			for a, ok := st.next(); ; a, ok = st.next() {
				if !ok || len(a.Errors) > 0 {
					c.t.Fatalf("%s: %v, errors %v before the event about %s", who, ok, a.Errors, id)
				}
				c.checkShown(who, a.Data)
				if strings.Contains(a.body, id) {
					break
				}
			}
			st.end()
		}
		until(c.subscribe(token, front, input{"i": c.front, "a": c.begun}), last.id)
		if token != "" {
			until(c.subscribe(token, notes, input{"a": c.told[who]}), final.id)
		}
		for _, t := range c.topics {
			rows := c.children(t)
			for _, p := range c.tree(t) {
				if !slices.Contains(rows, p) {
					rows = append(rows, p)
				}
			}
			if sees, _ := c.sees(who, t); !sees || len(rows) == 0 || t.begun == "" {
				continue
			}
			slices.SortFunc(rows, func(a, b *post) int { return a.number - b.number })
			st := c.subscribe(token, posted, input{"t": t.id, "a": t.begun})
			for _, p := range rows {
				a, _ := st.next()
				wantEqual(c.t, who+" is sent", seen(a.at("commentAdded", "comment")), c.row(who, p))
			}
			st.end()
		}
	}
}

// addCommentOn adds a comment to a topic.
func (c *caseSite) addCommentOn(topic *post, author string, held bool) {
	c.clock.Advance(second)
	p := &post{author: author, topic: topic, state: "OPEN", held: held, text: fmt.Sprint("Comment ", len(c.replies))}
	in := forum.CommentID(0)
	for _, other := range c.replies {
		if other.topic == p.topic && other.state == "OPEN" && !other.held && c.r.IntN(3) == 0 {
			p.parent, in = other, forum.CommentID(c.number(other.id))
		}
	}
	id := must.Do(c.store.Posts.CreateComment(context.Background(), &forum.Viewer{ID: userOf(c.tokens[p.author]),
		Role: forum.RoleUser}, c.newComment(p, in)))(c.t)
	if p.id = gid("Comment", fmt.Sprint(int64(id))); held {
		p.state = "HELD"
	} else {
		p.number = c.last(p.topic) + 1
	}
	c.replies = append(c.replies, p)
}
