package graph_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
	texts "agora/internal/text"
)

// What moderators hide, hold and lock, and authors delete, is the same on every path: the one rule decides.

// post is a topic or comment as it should be.
type post struct {
	id, author string // the author's login
	state      string // OPEN, LOCKED, HIDDEN, HELD or DELETED
	locked     bool   // it is locked when it is restored
	held       bool   // it was refused before it was ever shown
	kept       bool   // all who are signed in have bookmarked it
	topic      *post  // of a comment
	parent     *post  // of a comment, nil for none
	number     int    // of a comment, 0 while it is held
	room       string // of a topic, its category's name
	text       string
	begun      string // of a topic, the place before its first comment
}

func (p *post) live() bool { return p.state == "OPEN" || p.state == "LOCKED" }

// caseSite is a site with posts, and viewers of all kinds by name.
type caseSite struct {
	*fullSite
	r       *rand.Rand
	viewers map[string]string // tokens
	tokens  map[string]string // of authors, by login
	topics  []*post
	replies []*post
	boss    string              // the token of an administrator
	rooms   map[string]audience // who sees categories, by name
	until   forum.Time          // until when the stranger is of the staff

	cas          forum.Mentions    // who is mentioned
	front, begun string            // the timeline of the front, and its event before anything was posted
	told         map[string]string // the place among the notifications of each viewer then
}

func newCaseSite(t testing.TB, seed uint64) *caseSite {
	c := &caseSite{fullSite: newFullSite(t), r: rand.New(rand.NewPCG(seed, 5)), told: map[string]string{},
		rooms: map[string]audience{}}
	c.boss = c.admin("boss")
	cat := c.categoryModerator("cat", c.tea)
	cas := c.user("cas")
	c.cas = forum.Mentions{{Fold: "cas", User: userOf(cas)}}
	c.tokens = map[string]string{"ann": c.ann, "bob": c.bob}
	c.viewers = map[string]string{"signed out": "", "stranger": cas, "author": c.ann, "moderator of Tea": cat,
		"moderator": c.mod, "administrator": c.boss}
	c.wantVerdict("createGroup", c.mutate(c.boss, "createGroup", input{"name": "Staff"}, ""), "")
	c.mutate(c.ann, "deleteTopic", input{"topicId": c.topic}, "")
	c.mutate(c.ann, "deleteTopic", input{"topicId": c.other}, "")
	c.clock.Advance(3 * 24 * 3600 * second) // what the site had is out of sight
	for _, token := range c.viewers {
		if token != "" {
			c.follow(token, userID(c.bob), true)
			c.follow(token, c.tea, true)
		}
	}
	c.prepare()
	for n := range 8 {
		c.addTopic([]string{"ann", "bob"}[n%2], []string{"Tea", "Ink"}[n/2%2], n == 7)
	}
	for range 24 {
		c.addComment(c.r.IntN(8) == 0)
	}
	return c
}

func (c *caseSite) addTopic(author, room string, held bool) {
	c.clock.Advance(second)
	text := fmt.Sprint("Topic ", len(c.topics))
	p := &post{author: author, room: room, state: "OPEN", text: text, held: held, kept: !held}
	category := map[string]string{"Tea": c.tea, "Ink": c.ink}[room]
	if held {
		p.state = "HELD"
	}
	id := must.Do(c.store.Posts.CreateTopic(context.Background(), posts.NewTopic{Author: userOf(c.tokens[author]),
		Kind: forum.Discussion, Title: text, Content: "Words", Format: forum.Markdown, Held: held,
		Category: forum.CategoryID(c.number(category)), Tags: c.green(), Mentions: c.cas}))(c.t)
	p.id = gid("Topic", fmt.Sprint(int64(id)))
	for _, token := range c.viewers {
		if token != "" && !held {
			c.bookmark(token, p.id, true)
		}
	}
	if c.topics = append(c.topics, p); !held {
		c.attend(p)
	}
}

// green returns the tag of all topics.
func (c *caseSite) green() forum.TopicTags {
	return must.Do(texts.Tags(nil, []string{"Green"}))(c.t)
}

// number returns the number in a global id.
func (c *caseSite) number(id string) int64 {
	_, key, _ := globalid.Split(id)
	return must.Do(strconv.ParseInt(key, 10, 64))(c.t)
}

func (c *caseSite) addComment(held bool) {
	var open []*post
	for _, t := range c.topics {
		if t.state == "OPEN" && c.rooms[t.room].sees != forum.InGroups { // which neither author sees
			open = append(open, t)
		}
	}
	if len(open) == 0 {
		return
	}
	c.addCommentOn(open[c.r.IntN(len(open))], []string{"ann", "bob"}[c.r.IntN(2)], held)
}

// newComment returns a comment of the model to post; some mention cas.
func (c *caseSite) newComment(p *post, parent forum.CommentID) posts.NewComment {
	in := posts.NewComment{Topic: forum.TopicID(c.number(p.topic.id)), Parent: parent, Content: p.text,
		Format: forum.Markdown, Held: p.held}
	if c.r.IntN(3) == 0 {
		in.Mentions = c.cas
	}
	return in
}

// last returns the last number of a topic's comments.
func (c *caseSite) last(topic *post) int {
	last := 0
	for _, p := range c.replies {
		if p.topic == topic {
			last = max(last, p.number)
		}
	}
	return last
}

// act does something at random to a post, and to the model what should come of it.
func (c *caseSite) act() string {
	c.clock.Advance(second)
	switch c.r.IntN(12) {
	case 0, 1:
		return c.changeAudience()
	case 2:
		return c.move()
	case 3:
		return c.enrol()
	}
	all := slices.Concat(c.topics, c.replies)
	p := all[c.r.IntN(len(all))]
	what := []string{"LOCK", "UNLOCK", "HIDE", "HIDE", "RESTORE", "RESTORE", "DELETE"}[c.r.IntN(7)]
	if what == "DELETE" {
		if c.r.IntN(3) > 0 {
			return ""
		}
		field, id := "deleteTopic", "topicId"
		if p.topic != nil {
			field, id = "deleteComment", "commentId"
		}
		if c.mutate(c.tokens[p.author], field, input{id: p.id}, "").verdict() == "" {
			p.state, p.text = "DELETED", ""
			for _, held := range c.replies {
				if held.topic == p && held.number == 0 {
					held.state, held.text = "DELETED", ""
				}
			}
		}
		return what + " " + p.id
	}
	if a := c.mutate(c.mod, "moderate", moderationOf(p.id, what), "changed"); a.verdict() == "" {
		c.apply(p, what)
	}
	return what + " " + p.id
}

// apply does to the model what an accepted act does.
func (c *caseSite) apply(p *post, what string) {
	switch held := p.state == "HELD"; what {
	case "LOCK", "UNLOCK":
		if p.locked = what == "LOCK"; p.live() {
			p.state = map[bool]string{true: "LOCKED", false: "OPEN"}[p.locked]
		}
	case "HIDE":
		if !held || p.topic == nil {
			p.state = "HIDDEN"
		}
	case "RESTORE":
		if p.topic != nil && p.held {
			p.number = c.last(p.topic) + 1
		}
		p.held = false
		p.state = map[bool]string{true: "LOCKED", false: "OPEN"}[p.locked]
	}
}

// sees reports whether a viewer sees a post, and whole whether not only its place.
func (c *caseSite) sees(who string, p *post) (sees, whole bool) {
	topic := p
	if p.topic != nil {
		topic = p.topic
	}
	over := who == "moderator" || who == "administrator" || who == "moderator of Tea" && topic.room == "Tea"
	inside := func(of *post) bool { return over || who == "author" && of.author == "ann" }
	if p.topic == nil {
		return c.seesCategory(who, p.room) && (p.live() || inside(p)), p.state != "DELETED"
	}
	if in, _ := c.sees(who, p.topic); !in {
		return false, false
	}
	if p.number == 0 {
		return inside(p), p.state != "DELETED"
	}
	return true, p.state != "DELETED" && (p.live() || inside(p))
}

// want returns what a viewer should see on all paths, and got what there is.
func (c *caseSite) want(who string) map[string]any {
	want := map[string]any{}
	var listed, tea, tab, ann, home, kept []string
	for _, t := range slices.Backward(c.topics) {
		sees, _ := c.sees(who, t)
		want["node "+t.id] = sees
		if sees {
			want["topic "+t.id] = c.wantThread(who, t)
		}
		if t.live() && sees {
			tab = append(tab, t.id)
			if t.kept {
				kept = append(kept, t.id)
			}
			if t.room == "Tea" {
				tea = append(tea, t.id)
			}
		}
		if c.public(t) {
			listed = append(listed, t.id)
			if t.author == "ann" {
				ann = append(ann, t.id)
			}
			if t.author == "bob" || t.room == "Tea" || who == "author" { // what all follow, and one's own
				home = append(home, t.id)
			}
		}
	}
	sorted := slices.Sorted(slices.Values(listed))
	want["lists"] = fmt.Sprint(listed, tea, tab, listed, ann, len(listed), len(tea), len(ann))
	want["by activity, votes, and in a walk"] = fmt.Sprint(sorted, sorted, sorted)
	if want["home"], want["bookmarks"] = fmt.Sprint(home), fmt.Sprint(kept); who == "signed out" {
		delete(want, "home")
		delete(want, "bookmarks")
	}
	var mine []string
	comments := 0
	for _, p := range slices.Backward(c.replies) {
		want["node "+p.id], _ = c.sees(who, p)
		if p.live() && c.public(p.topic) {
			comments++
			if p.author == "ann" {
				mine = append(mine, p.id)
			}
		}
	}
	want["ann's comments"] = fmt.Sprint(mine, len(mine))
	want["site"] = fmt.Sprint(len(listed), comments)
	return want
}

// wantThread returns the comments of a topic in order, the last live one and how many there are.
func (c *caseSite) wantThread(who string, t *post) string {
	var rows []*post
	live, last := 0, "<nil>"
	for _, p := range c.replies {
		if p.topic == t && p.number > 0 {
			rows = append(rows, p)
		}
	}
	slices.SortFunc(rows, func(a, b *post) int { return a.number - b.number })
	var shown []string
	for _, p := range rows {
		if p.live() {
			live++
			last = p.id
		}
		shown = append(shown, c.row(who, p))
	}
	return fmt.Sprint(shown, t.state, live, last)
}

// got asks for everything that want has.
func (c *caseSite) got(token string) map[string]any {
	got := map[string]any{}
	var q strings.Builder
	list := func(field string) string { return field + `{ topics(first: 100) { totalCount nodes { id } } } ` }
	if token != "" {
		q.WriteString(`{ viewer { home { topics(first: 100) { nodes { id } } } bookmarks { topics(first: 100) { nodes { id } } } } `)
	} else {
		q.WriteString("{ ")
	}
	q.WriteString(`f: ` + list("front") + `top: ` + list("front(orderBy: {field: TOP})") +
		`w: front { topics(first: 100, walk: FIXED) { nodes { id } } } c: ` + list("front(orderBy: {field: CREATED})") + `t: category(by: {name: "Tea"}) { x: ` +
		list("timeline(orderBy: {field: CREATED})") + `} a: tab(by: {name: "All"}) { x: ` + list("timeline(orderBy: {field: CREATED})") +
		`} g: tag(name: "green") { x: ` + list("timeline(orderBy: {field: CREATED})") + `} u: user(by: {login: "ann"}) { topicCount x: ` +
		list("profile") + `comments(first: 100) { totalCount nodes { id } } } site { topicCount commentCount } `)
	for i, p := range slices.Concat(c.topics, c.replies) {
		fmt.Fprintf(&q, `n%d: node(id: %q) { id ... on Topic { state commentCount lastComment { id } comments(first: 100) {
			nodes { id state content author { login } } } } } `, i, p.id)
	}
	a := c.must(token, q.String()+"}", nil)
	ids := func(path ...any) []string {
		found := a.texts("id", append(path, "topics", "nodes")...)
		return slices.Clip(found)
	}
	sorted := func(path ...any) []string { return slices.Sorted(slices.Values(ids(path...))) }
	got["by activity, votes, and in a walk"] = fmt.Sprint(sorted("f"), sorted("top"), sorted("w"))
	if token != "" {
		got["home"] = fmt.Sprint(ids("viewer", "home"))
		got["bookmarks"] = fmt.Sprint(ids("viewer", "bookmarks"))
	}
	got["lists"] = fmt.Sprint(ids("c"), ids("t", "x"), ids("a", "x"), ids("g", "x"), ids("u", "x"),
		a.number("f", "topics", "totalCount"), a.number("t", "x", "topics", "totalCount"), a.number("u", "topicCount"))
	got["ann's comments"] = fmt.Sprint(a.texts("id", "u", "comments", "nodes"), a.number("u", "comments", "totalCount"))
	got["site"] = fmt.Sprint(a.number("site", "topicCount"), a.number("site", "commentCount"))
	for i, p := range slices.Concat(c.topics, c.replies) {
		n, _ := a.at(fmt.Sprint("n", i)).(map[string]any)
		got["node "+p.id] = n != nil
		if n != nil && p.topic == nil {
			got["topic "+p.id] = threadOf(n)
		}
	}
	return got
}

// threadOf formats a topic as wantThread.
func threadOf(n map[string]any) string {
	last := "<nil>"
	if l, _ := n["lastComment"].(map[string]any); l != nil {
		last = fmt.Sprint(l["id"])
	}
	var shown []string
	for _, row := range n["comments"].(map[string]any)["nodes"].([]any) {
		m := row.(map[string]any)
		shown = append(shown, fmt.Sprintf("%s %s %q by %s", m["id"], m["state"], m["content"],
			m["author"].(map[string]any)["login"]))
	}
	return fmt.Sprint(shown, n["state"], n["commentCount"], last)
}

func TestAllPathsAgree(t *testing.T) {
	testlevel.Usual(t)
	for run := range uint64(3) {
		c := newCaseSite(t, testseed.First()+run)
		var acts []string
		for round := range 12 {
			before := c.fix()
			for range 5 {
				acts = append(acts, c.act())
			}
			if round%3 == 0 {
				c.addComment(c.r.IntN(3) == 0)
			}
			c.work()
			c.settle()
			c.forgetCalls()
			for who := range c.viewers {
				c.checkFixed(who, before)
			}
			c.clock.Advance(61 * second) // snapshots and the site's counts may be older
			for who, token := range c.viewers {
				wantEqual(t, fmt.Sprintf("run %d, round %d, %s", run, round, who), c.got(token), c.want(who))
				wantEqual(t, fmt.Sprintf("run %d, round %d, %s", run, round, who), c.gotMore(who), c.wantMore(who))
			}
			if t.Failed() {
				t.Fatalf("after %v", acts)
			}
		}
		c.checkEvents()
	}
}
