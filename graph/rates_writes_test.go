package graph_test

import (
	"testing"
	"time"

	"agora/internal/ratelimit"
	"agora/internal/test/testlevel"
)

// Each mutation that writes counts against the rate of its kind, and a refused one leaves nothing. Kinds are counted
// separately, and so are viewers.
func TestRatesOfWrites(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	topic := input{"title": "New", "category": input{"id": b.tea}}
	on := func(name, id string, more input) input { return with(more, name, id) }
	tests := []struct {
		kind  ratelimit.Kind
		field string
		in    input
	}{
		{ratelimit.Posts, "createTopic", topic},
		{ratelimit.Posts, "createTopic",
			input{"kind": "ARTICLE", "title": "New", "link": "https://go.dev/", "tags": names(3)}},
		{ratelimit.Comments, "createComment", on("topicId", b.topic, input{"content": "x"})},
		{ratelimit.Clicks, "recordClicks", input{"topicIds": []string{b.topic}}},
		{ratelimit.Votes, "vote", on("subjectId", b.other, input{"direction": "UP"})},
		{ratelimit.Votes, "vote", on("subjectId", b.comment, input{"direction": "DOWN"})},
		{ratelimit.Follows, "follow", input{"targetId": b.tea}},
		{ratelimit.Follows, "block", input{"userId": userID(b.bob)}},
		{ratelimit.Follows, "bookmark", on("topicId", b.other, nil)},
		{ratelimit.Clicks, "markRead", on("topicId", b.other, nil)},
		{ratelimit.Edits, "updateList", input{"listId": b.list(b.ann, "Friends"), "name": "Others"}},
		{ratelimit.Edits, "updateListMembers", input{"listId": b.list(b.ann, "More")}},
		{ratelimit.Edits, "updateTopic", on("topicId", b.topic, input{"title": "Other"})},
		{ratelimit.Edits, "tagTopic", on("topicId", b.topic, input{"add": names(2)})},
		{ratelimit.Edits, "updateComment", on("commentId", b.comment, input{"content": "y"})},
		{ratelimit.Edits, "deleteComment", on("commentId", b.reply, nil)},
		{ratelimit.Edits, "updateProfile", input{"bio": "x"}},
		{ratelimit.Edits, "changeLogin", input{"password": "a good password", "login": "ANN"}},
		{ratelimit.Edits, "deleteTopic", on("topicId", b.other, nil)},
	}
	for _, tt := range tests {
		rates := ratelimit.Defaults()
		rates[tt.kind] = 2
		b.options.Resolver.Rates = ratelimit.New(rates, b.clock.Now)
		for range 2 {
			b.wantVerdict(tt.field+" at first", b.mutate(b.ann, tt.field, tt.in, ""), "")
		}
		b.settle()
		before := b.contents()
		a := b.mutate(b.ann, tt.field, tt.in, "errors { ... on RateLimitedError { retryAfterSeconds } }")
		b.wantVerdict(tt.field+" the third time", a, "RATE_LIMITED ")
		wantEqual(t, tt.field+": retryAfterSeconds", a.number(tt.field, "errors", 0, "retryAfterSeconds"), 30)
		b.wantUntouched(tt.field, before, a)
		b.wantVerdict("an account", b.mutate(b.ann, "login", input{"identifier": "ann", "password": "a good password"}, ""),
			"")
		if got := b.mutate(b.mod, tt.field, tt.in, "").verdict(); got == "RATE_LIMITED " {
			t.Errorf("%s by another user is refused with %q", tt.field, got)
		}
		b.clock.Advance(30 * time.Second)
		b.wantVerdict(tt.field+" half a minute later", b.mutate(b.ann, tt.field, tt.in, ""), "")
	}
}
