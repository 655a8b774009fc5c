package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/graph/model"
)

// spamSite is a site on which bob comments on ann's topic and posts one of his own, on which both comment.
type spamSite struct {
	*sanctionSite
	anns, bobs string // the topics
	comment    string // bob's, on ann's topic
	since      string // when bob posted his topic
}

func newSpamSite(t *testing.T) *spamSite {
	m := newSanctionSite(t)
	m.category(m.mia, "Tea")
	p := &spamSite{sanctionSite: m, anns: m.topic(m.ann, "Tea", "Oolong")}
	p.comment = m.site.comment(m.bob, p.anns, "", "Buy here")
	m.clock.Advance(second)
	p.since = m.clock.Now().UTC().Format(model.DateTimeLayout)
	p.bobs = m.topic(m.bob, "Tea", "Cheap tea")
	m.clock.Advance(second)
	m.site.comment(m.bob, p.bobs, m.site.comment(m.ann, p.bobs, "", "Is it green?"), "Yes")
	p.settle()
	return p
}

// hidePosts has mia hide bob's posts, and lets a worker do so.
func (p *spamSite) hidePosts(more input) answer {
	p.t.Helper()
	p.clock.Advance(second)
	in := input{"userId": userID(p.bob), "reason": "SPAM", "note": "Tea, again."}
	for name, value := range more {
		in[name] = value
	}
	a := p.mutate(p.mia, "hidePosts", in, "user { login } act { id } postCount hasMore")
	p.work()
	p.settle()
	return a
}

// shown returns what the owner of a token sees: the topics of the front, whether bob's topic, and what ann's and bob's
// comments are.
func (p *spamSite) shown(token string) string {
	p.t.Helper()
	const post = `{ ... on Topic { state commentCount comments(first: 9) { nodes { content state replies { nodes {
		content state } } } } } }`
	a := p.must(token, `query($a: ID!, $b: ID!) { front { topics(first: 9) { nodes { title } } }
		a: node(id: $a) `+post+` b: node(id: $b) `+post+` user(by: {login: "bob"}) { topicCount comments(first: 9) {
		totalCount nodes { content } } } }`, input{"a": p.anns, "b": p.bobs})
	return compact(p.t, a.at())
}

// Everybody but the author and moderators sees no more of what is hidden; the undo shows everything again.
func TestHidePosts(t *testing.T) {
	p := newSpamSite(t)
	viewers := map[string]string{"signed out": "", "ann": p.ann, "bob": p.bob, "mia": p.mia}
	before := map[string]string{}
	for name, token := range viewers {
		before[name] = p.shown(token)
	}
	p.report(p.ann, p.comment)
	a := p.hidePosts(nil)
	p.wantVerdict("hidePosts", a, "")
	wantEqual(t, "payload", fmt.Sprint(a.at("hidePosts", "postCount"), a.at("hidePosts", "hasMore"), " ",
		a.at("hidePosts", "user", "login")), "3 false bob")
	act := a.text("hidePosts", "act", "id")

	none := `"b":null,"front":{"topics":{"nodes":[{"title":"Oolong"}]}},"user":{"comments":{"nodes":[],"totalCount":0},"topicCount":0}`
	for name, want := range map[string]string{
		"signed out": `{"a":{"commentCount":0,"comments":{"nodes":[{"content":"","replies":{"nodes":[]},"state":"HIDDEN"}]},"state":"OPEN"},` + none + `}`,
		"ann":        `{"a":{"commentCount":0,"comments":{"nodes":[{"content":"","replies":{"nodes":[]},"state":"HIDDEN"}]},"state":"OPEN"},` + none + `}`,
	} {
		wantEqual(t, "shown to "+name, p.shown(viewers[name]), want)
	}
	for _, name := range []string{"bob", "mia"} {
		got := p.shown(viewers[name])
		for _, part := range []string{`"content":"Buy here"`, `"state":"HIDDEN"`, `{"content":"Yes","state":"HIDDEN"}`,
			`"content":"Is it green?"`} {
			if !strings.Contains(got, part) {
				t.Errorf("%s sees %s; want %s in it", name, got, part)
			}
		}
	}
	wantEqual(t, "open cases", len(p.queue(p.mia, "(first: 9)")), 1)
	wantEqual(t, "the log", p.acts(p.mia, "first: 2"), "HIDE_POSTS CREATE_CATEGORY")
	again := p.hidePosts(nil)
	wantEqual(t, "hidePosts again", compact(t, again.at("hidePosts")),
		`{"act":null,"errors":[],"hasMore":false,"postCount":0,"user":{"login":"bob"}}`)

	a = p.revert(p.max, act)
	p.work()
	p.settle()
	p.wantReverted(a, act, "RESTORE_POSTS")
	for name, token := range viewers {
		wantEqual(t, "shown to "+name+" after the undo", p.shown(token), before[name])
	}
	wantEqual(t, "bob's notifications", strings.Count(p.notices(p.bob, ""), "MODERATION"), 2)
	seen := p.must(p.bob, `query($i: ID!) { node(id: $i) { ... on ModerationAct { action reason note postCount since
		subject { ... on User { login } } reversedBy { action postCount } } } }`, input{"i": act})
	wantEqual(t, "the act, as bob sees it", compact(t, seen.at("node")), compactText(t, `{"action": "HIDE_POSTS",
		"reason": "SPAM", "note": "Tea, again.", "postCount": 3, "since": null, "subject": {"login": "bob"},
		"reversedBy": {"action": "RESTORE_POSTS", "postCount": 3}}`))
	p.wantVerdict("the revert of the revert", p.revert(p.mia, a.text("revertAct", "act", "id")), "INVALID input.actId")
}

// Earlier posts stay if a time is given, and what moderators do to single posts in between stays.
func TestHidePostsSince(t *testing.T) {
	p := newSpamSite(t)
	a := p.hidePosts(input{"since": p.since})
	act := a.text("hidePosts", "act", "id")
	wantEqual(t, "posts", a.at("hidePosts", "postCount"), any(2.0))
	shown := p.must(p.mia, `query($i: ID!) { node(id: $i) { ... on ModerationAct { since } } }`, input{"i": act})
	wantEqual(t, "since", shown.text("node", "since"), p.since)
	states := func() string {
		t.Helper()
		a := p.must(p.mia, `query($c: ID!, $t: ID!) { c: node(id: $c) { ... on Comment { state } }
			t: node(id: $t) { ... on Topic { state } } }`, input{"c": p.comment, "t": p.bobs})
		return a.text("c", "state") + " " + a.text("t", "state")
	}
	wantEqual(t, "states", states(), "OPEN HIDDEN")
	for _, action := range []string{"RESTORE", "HIDE"} {
		p.clock.Advance(second)
		p.wantVerdict(action, p.mutate(p.max, "moderate", moderationOf(p.bobs, action), ""), "")
	}
	p.wantVerdict("revertAct", p.revert(p.mia, act), "")
	p.work()
	wantEqual(t, "states after the undo", states(), "OPEN HIDDEN")
}

// While posts are being hidden, nobody can hide them again, but the act can be undone.
func TestHidePostsTwice(t *testing.T) {
	p := newSpamSite(t)
	in := input{"userId": userID(p.bob), "reason": "SPAM"}
	act := p.mutate(p.mia, "hidePosts", in, "act { id }").text("hidePosts", "act", "id")
	p.wantVerdict("hidePosts at the same time", p.mutate(p.max, "hidePosts", in, ""), "CONFLICT input.userId")
	p.wantVerdict("revertAct", p.revert(p.mia, act), "")
	p.wantVerdict("hidePosts during the undo", p.mutate(p.max, "hidePosts", in, ""), "CONFLICT input.userId")
	p.work()
	wantEqual(t, "bob's topics", p.listed("front", "title"), []string{"Cheap tea", "Oolong"})
	p.wantVerdict("hidePosts after the undo", p.hidePosts(nil), "")
	wantEqual(t, "topics", p.listed("front", "title"), []string{"Oolong"})
}
