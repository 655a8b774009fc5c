package graph_test

import (
	"strings"
	"testing"

	"agora/internal/ratelimit"
	"agora/internal/test/testlevel"
)

// messages are the sentences of a payload's errors.
func (a answer) messages(field string) []string { return a.texts("message", field, "errors") }

func TestMessagesNameTheField(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	post := func(in input) []string {
		return b.mutate(b.ann, "createTopic", with(with(in, "content", "x"), "category", input{"name": "Tea"}),
			"").messages("createTopic")
	}
	wantEqual(t, "an empty title", post(input{"title": ""}), []string{"title must have at least 1 character."})
	wantEqual(t, "an empty tag", post(input{"title": "x", "tags": []string{"a", ""}}),
		[]string{"entry 2 of tags must have at least 1 character."})
	long := strings.Repeat("x", 201)
	wantEqual(t, "a long title", post(input{"title": long}), []string{"title must have at most 200 characters."})
	missing := b.mutate(b.ann, "createComment", input{"topicId": gid("Topic", "5"), "content": "x"}, "")
	wantEqual(t, "no topic", missing.messages("createComment"), []string{"There is no such topic."})
}

func TestRateLimitsSayHowLong(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	s.options.Resolver.Rates = ratelimit.New(ratelimit.Rates{ratelimit.Posts: 2}, s.clock.Now)
	mod := s.moderator("mia")
	s.category(mod, "Tea")
	s.topic(mod, "Tea", "One")
	s.topic(mod, "Tea", "Two")
	in := input{"title": "Three", "content": "x", "category": input{"name": "Tea"}}
	a := s.mutate(mod, "createTopic", in, "topic { id }")
	s.wantVerdict("a third", a, "RATE_LIMITED ")
	wantEqual(t, "message", a.messages("createTopic"), []string{"Too many calls of this kind. Try again in 30 seconds."})
}

// Browsers' forms and Windows end lines with CR LF; LF is stored.
func TestLinesEndWithLineFeeds(t *testing.T) {
	b := newFullSite(t)
	in := input{"title": "Lines", "content": "one\r\ntwo\r\n", "category": input{"name": "Tea"}}
	a := b.mutate(b.ann, "createTopic", in, "topic { id content contentHtml }")
	b.wantVerdict("createTopic", a, "")
	wantEqual(t, "topic", a.text("createTopic", "topic", "content"), "one\ntwo\n")
	id := a.text("createTopic", "topic", "id")
	a = b.mutate(b.ann, "updateTopic", input{"topicId": id, "content": "a\r\nb"}, "topic { content }")
	wantEqual(t, "after an edit", a.text("updateTopic", "topic", "content"), "a\nb")
	a = b.mutate(b.ann, "createComment", input{"topicId": id, "content": "c\r\nd"}, "comment { id content }")
	wantEqual(t, "comment", a.text("createComment", "comment", "content"), "c\nd")
	a = b.mutate(b.ann, "updateComment",
		input{"commentId": a.text("createComment", "comment", "id"), "content": "e\r\nf"}, "comment { content }")
	wantEqual(t, "comment after an edit", a.text("updateComment", "comment", "content"), "e\nf")
	a = b.mutate(b.mod, "updateCategory", input{"category": input{"id": b.tea}, "description": "g\r\nh"},
		"category { description }")
	wantEqual(t, "description", a.text("updateCategory", "category", "description"), "g\nh")
	a = b.mutate(b.ann, "createComment", input{"topicId": id, "content": "g\rh\vi\fj"}, "comment { content }")
	wantEqual(t, "a lone CR and other breaks", a.text("createComment", "comment", "content"), "g\nh i j")
}

// No user can pass for staff: not by the login, nor by the display name.
func TestStaffNamesAreReserved(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	s.moderator("alicia")
	s.user("bob")
	register := func(login, name string) answer {
		return s.mutate("", "register",
			input{"login": login, "name": name, "email": login + "@example.net", "password": "a good password"}, "token")
	}
	for name, verdict := range map[string]string{
		"Administrator": "INVALID input.name", "Alicia": "INVALID input.name", "A l i c i a": "INVALID input.name", "AIicia": "INVALID input.name",
	} {
		s.wantVerdict(name, register("cas", name), verdict)
	}
	s.wantVerdict("a look-alike login", register("aIicia", "x"), "TAKEN input.login")
	s.wantVerdict("the name of a user", register("cas", "Bob"), "")
}
