package graph_test

import (
	"testing"
	"time"

	"agora/internal/forum"
)

// shownWith returns how a comment is shown, and the logins that it mentions.
func (s *site) shownWith(id string) (html string, mentions []string) {
	s.t.Helper()
	a := s.must("", `query($id: ID!) { node(id: $id) { ... on Comment { contentHtml mentions { login } } } }`,
		input{"id": id})
	return a.text("node", "contentHtml"), a.texts("login", "node", "mentions")
}

func (s *site) wantShownWith(what, id, html string, mentions ...string) {
	s.t.Helper()
	shown, whom := s.shownWith(id)
	wantEqual(s.t, what, shown, html)
	wantEqual(s.t, what+", mentions", whom, append([]string{}, mentions...))
}

func memberLink(login string) string {
	return `<a class="mention" href="/@` + login + `" rel="nofollow">@` + login + `</a>`
}

// A mention leads to the member who was meant: under a new login, when another member has the old one, after an edit of
// the text, and nowhere once the account is gone.
func TestMentionsLeadToWhomTheyMeant(t *testing.T) {
	b := newFullSite(t)
	old := b.comment1(b.bob, "As @ANN said\n\n> @ann")
	was := `<a class="mention" href="/@ann" rel="nofollow">@ANN</a>`
	b.wantShownWith("before", old,
		"<p>As "+was+" said</p>\n<blockquote>\n<p>"+memberLink("ann")+"</p>\n</blockquote>\n", "ann")
	rename := func(token, login string) {
		t.Helper()
		in := input{"password": "a good password", "login": login}
		b.wantVerdict("changeLogin", b.mutate(token, "changeLogin", in, ""), "")
	}
	rename(b.ann, "annabel")
	annabel := memberLink("annabel")
	quoted := "<blockquote>\n<p>" + annabel + "</p>\n</blockquote>\n"
	b.wantShownWith("after a change of login", old, "<p>As "+annabel+" said</p>\n"+quoted, "annabel")
	b.clock.Advance(forum.LoginRest + time.Hour)
	b.settle()
	zoe := b.user("zoe")
	rename(zoe, "ann")
	b.wantShownWith("once another has the login", old, "<p>As "+annabel+" said</p>\n"+quoted, "annabel")
	b.bob = b.signIn("bob")
	edited := b.mutate(b.bob, "updateComment", input{"commentId": old, "content": "As @ann said!"}, "comment { id }")
	b.wantVerdict("an edit", edited, "")
	b.wantShownWith("after an edit", old, "<p>As "+annabel+" said!</p>\n", "annabel")
	b.wantShownWith("in a new text", b.comment1(b.bob, "@ann"), "<p>"+memberLink("ann")+"</p>\n", "ann")
	b.settle()
	wantEqual(t, "notifications of the new owner", b.notices(zoe, ""), "MENTION* bob Comment @ann")
	b.leaves(b.signIn("annabel"))
	b.settle()
	b.wantShownWith("once the account is gone", old, "<p>As @ann said!</p>\n")
}

// Who is mentioned only in a quotation is linked, but not notified, unless an edit mentions the user outside of it.
func TestQuotationsNotifyNobody(t *testing.T) {
	b := newFullSite(t)
	cid := b.user("cid")
	for _, in := range []input{{"content": "> @cid wrote"},
		{"content": "<blockquote>@cid</blockquote>", "format": "HTML"}} {
		in["topicId"] = b.topic
		a := b.mutate(b.bob, "createComment", in, "comment { id contentHtml mentions { login } }")
		b.wantVerdict("createComment", a, "")
		wantEqual(t, "mentions", a.texts("login", "createComment", "comment", "mentions"), []string{})
		b.settle()
		wantEqual(t, "notifications", b.notices(cid, ""), "")
		id := a.text("createComment", "comment", "id")
		if in["format"] == nil {
			b.wantShownWith("the quotation", id, "<blockquote>\n<p>"+memberLink("cid")+" wrote</p>\n</blockquote>\n")
			continue
		}
		b.wantVerdict("updateComment", b.mutate(b.bob, "updateComment", input{"commentId": id, "content": "@cid"}, ""), "")
		b.settle()
		b.wantShownWith("after the edit", id, memberLink("cid"), "cid")
		wantEqual(t, "notifications after the edit", b.notices(cid, ""), "MENTION* bob Comment @cid")
	}
	status := b.mutate(b.bob, "createTopic", input{"kind": "STATUS", "content": "> @cid"},
		"topic { id mentions { login } }")
	b.wantVerdict("createTopic", status, "")
	wantEqual(t, "mentions of a topic", status.texts("login", "createTopic", "topic", "mentions"), []string{})
	b.settle()
	wantEqual(t, "notifications of a topic", b.notices(cid, ""), "MENTION* bob Comment @cid")
}

// No two posts have the same ids.
func TestFootnotesHaveIDsOfTheirOwn(t *testing.T) {
	b := newFullSite(t)
	const noted = "a[^1]\n\n[^1]: b"
	one, _ := b.shownWith(b.comment1(b.bob, noted))
	two, _ := b.shownWith(b.comment1(b.bob, noted))
	if one == two {
		t.Errorf("two comments with a footnote are both %s; want different ids", one)
	}
}
