package graph_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"agora/internal/test/testlevel"

	"agora/internal/forum"
)

// article posts an article of ann's, and a comment of bob's on it.
func (b *fullSite) article() (topic, comment string) {
	b.t.Helper()
	a := b.mutate(b.ann, "createTopic",
		input{"kind": "ARTICLE", "title": "News", "link": "https://example.net/", "tags": []string{"Green"}}, "topic { id }")
	b.wantVerdict("createTopic", a, "")
	topic = a.text("createTopic", "topic", "id")
	return topic, b.site.comment(b.bob, topic, "", "Some words")
}

func TestBadVotes(t *testing.T) {
	b := newFullSite(t)
	article, comment := b.article()
	b.clock.Advance(time.Duration(forum.VotingWindow) * time.Millisecond)
	for _, token := range b.viewers() { // sessions record their last use
		b.must(token, `{ viewer { id } }`, nil)
	}
	b.settle()
	vote := func(subject, direction string) input { return input{"subjectId": subject, "direction": direction} }
	tests := []refusal{
		{"signed out", "", "vote", vote(b.topic, "UP"), "UNAUTHENTICATED"},
		{"deleted topic", b.bob, "vote", vote(b.deleted, "UP"), "NOT_FOUND input.subjectId"},
		{"deleted topic, its author", b.ann, "vote", vote(b.deleted, "UP"), "LOCKED input.subjectId"},
		{"deleted topic, a moderator", b.mod, "vote", vote(b.deleted, "NONE"), "LOCKED input.subjectId"},
		{"comment on a deleted topic", b.bob, "vote", vote(b.lost, "UP"), "NOT_FOUND input.subjectId"},
		{"comment on a deleted topic, its author", b.ann, "vote", vote(b.lost, "DOWN"), "LOCKED input.subjectId"},
		{"comment on a deleted topic, a moderator", b.mod, "vote", vote(b.lost, "UP"), "LOCKED input.subjectId"},
		{"tombstone", b.bob, "vote", vote(b.tombstone, "UP"), "LOCKED input.subjectId"},
		{"tombstone, its author", b.ann, "vote", vote(b.tombstone, "NONE"), "LOCKED input.subjectId"},
		{"article after a week", b.bob, "vote", vote(article, "UP"), "VOTING_CLOSED input.subjectId"},
		{"article after a week, its author takes the vote back", b.ann, "vote", vote(article, "NONE"),
			"VOTING_CLOSED input.subjectId"},
		{"article after a week, the same vote", b.ann, "vote", vote(article, "UP"), "VOTING_CLOSED input.subjectId"},
	}
	for _, direction := range []any{"up", "SIDEWAYS", "", 1, true, nil, []string{"UP", "DOWN"}} {
		tests = append(tests, refusal{fmt.Sprint("direction ", direction), b.bob, "vote",
			with(vote(b.topic, ""), "direction", direction), "BAD_USER_INPUT i.direction"})
	}
	b.wantRefused(tests)
	for _, subject := range []string{article, b.deleted, b.tombstone, gid("Topic", "77777")} {
		a := b.mutate(b.bob, "vote", vote(subject, "UP"), "changed subject { id }")
		wantEqual(t, "payload of a refused vote", []any{a.at("vote", "changed"), a.at("vote", "subject")}, []any{false, nil})
	}
	for _, v := range []input{vote(comment, "UP"), vote(b.topic, "UP"), vote(b.topic, "UP"), vote(b.topic, "NONE"),
		vote(b.topic, "NONE")} {
		b.wantVerdict("what is open, and repetition", b.mutate(b.bob, "vote", v, ""), "")
	}
}

// names returns n different tags.
func names(n int) []string {
	found := make([]string, n)
	for i := range found {
		found[i] = fmt.Sprintf("tag %d", i)
	}
	return found
}

func TestBadTags(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	topic := input{"title": "New", "category": input{"name": "Tea"}}
	tag := func(id string) input { return input{"topicId": id} }
	tests := []refusal{
		{"eleven", b.ann, "createTopic", with(topic, "tags", names(11)), "TOO_LONG input.tags"},
		{"eleven", b.ann, "tagTopic", with(tag(b.topic), "add", names(11)), "TOO_LONG input.add"},
		{"eleven with what it has", b.ann, "tagTopic", with(tag(b.other), "add", names(10)), "TOO_LONG input.add"},
		{"in both lists", b.ann, "tagTopic", with(with(tag(b.topic), "add", names(3)), "remove", []string{"old", "TAG 1"}),
			"INVALID input.remove"},
		{"in both lists, in full width", b.ann, "tagTopic",
			with(with(tag(b.other), "add", []string{"green"}), "remove", []string{"ＧＲＥＥＮ"}), "INVALID input.remove"},
		{"signed out", "", "tagTopic", with(tag(b.topic), "add", names(1)), "UNAUTHENTICATED"},
		{"of another user", b.bob, "tagTopic", with(tag(b.topic), "add", names(1)), "FORBIDDEN input.topicId"},
		{"of another user", b.bob, "tagTopic", with(tag(b.other), "remove", []string{"green"}), "FORBIDDEN input.topicId"},
		{"deleted topic", b.bob, "tagTopic", with(tag(b.deleted), "add", names(1)), "NOT_FOUND input.topicId"},
		{"deleted topic, its author", b.ann, "tagTopic", with(tag(b.deleted), "add", names(1)), "LOCKED input.topicId"},
		{"deleted topic, a moderator", b.mod, "tagTopic", with(tag(b.deleted), "remove", names(1)), "LOCKED input.topicId"},
		{"null among them", b.ann, "tagTopic", with(tag(b.topic), "remove", []any{"a", nil}), "BAD_USER_INPUT i.remove[1]"},
		{"numbers", b.ann, "createTopic", with(topic, "tags", []int{1}), "BAD_USER_INPUT i.tags[0]"},
	}
	bad := append(concat([][]badText{badEverywhere, badEmpty, badLine}),
		badText{"too long by one", strings.Repeat("é", 33), "TOO_LONG"})
	for _, text := range bad {
		two := []string{"good", text.text}
		tests = append(tests, refusal{text.name, b.ann, "createTopic", with(topic, "tags", two), text.code + " input.tags.1"},
			refusal{text.name, b.ann, "tagTopic", with(tag(b.topic), "add", two), text.code + " input.add.1"},
			refusal{text.name, b.ann, "tagTopic", with(tag(b.other), "remove", two), text.code + " input.remove.1"})
	}
	b.wantRefused(tests)
	changes := []struct {
		name, field string
		in          input
	}{
		{"ten, of which two are written twice", "createTopic", with(topic, "tags", append(names(10), "TAG 1", " tag 2 "))},
		{"of 32 code points", "createTopic", with(topic, "tags", []string{strings.Repeat("é", 32)})},
		{"ten with what it has", "tagTopic", with(tag(b.other), "add", append(names(9), "GREEN"))},
		{"one for another", "tagTopic",
			with(with(tag(b.other), "add", []string{"red"}), "remove", []string{"green", "unknown"})},
		{"nothing", "tagTopic", tag(b.topic)},
	}
	for _, tt := range changes {
		b.wantVerdict(tt.name, b.mutate(b.ann, tt.field, tt.in, ""), "")
	}
}

// Who voted against a topic is for moderators.
func TestDownVotersAreForModerators(t *testing.T) {
	b := newFullSite(t)
	query := `{ topic(by: {id: "` + b.other + `"}) { votes { down } voters(direction: DOWN) { nodes { login } } } }`
	b.wantVerdict("signed out", b.ask("", query, nil), "UNAUTHENTICATED")
	b.wantVerdict("the author", b.ask(b.ann, query, nil), "FORBIDDEN")
	a := b.must(b.mod, query, nil)
	wantEqual(t, "for a moderator", a.texts("login", "topic", "voters", "nodes"), []string{"mia"})
}

// badOrders are arguments of orders, days and lists of voters.
func (b *fullSite) badOrders() (all []refusal) {
	b.warm(b.connections())
	tests := []struct{ query, want string }{
		{`{ x: topic(by: {id: "` + b.other + `"}) { voters(direction: NONE) { totalCount } } }`, "BAD_USER_INPUT direction"},
		{`{ x: topic(by: {id: "` + b.other + `"}) { comments(orderBy: HOT) { totalCount } } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ tag(name: 5) { id } }`, "GRAPHQL_VALIDATION_FAILED"}, {`{ tag { id } }`, "GRAPHQL_VALIDATION_FAILED"}, {`{ tag(name: null) { id } }`, "GRAPHQL_VALIDATION_FAILED"},
		{`{ tag(name: "\u0000\r") { id } }`, ""}, {`{ tag(name: "") { id } }`, ""},
		{`{ dayRank(date: 20960102) { id } }`, "BAD_USER_INPUT"}, {`{ dayRank(date: null) { id } }`, ""}, {`{ dayRank(date: "2096-01-01") { id } }`, ""},
	}
	for _, owner := range []string{"front", `category(by: {name: "Tea"}) { timeline`, `tab(by: {name: "All"}) { timeline`, `tag(name: "green") { timeline`} {
		ask := func(args, want string) {
			query := "{ " + owner + args + " { id topics(first: 1) { nodes { id } } } " +
				strings.Repeat("}", 1+strings.Count(owner, " { "))
			tests = append(tests, struct{ query, want string }{query, want})
		}
		for _, order := range []string{"CREATED", "ACTIVE", "SCORE", "HOT", "CONTROVERSIAL"} {
			ask("(orderBy: {field: "+order+"}, period: WEEK)", "BAD_USER_INPUT period")
		}
		ask("(period: ALL)", "BAD_USER_INPUT period")
		ask("(orderBy: {field: REPLIES_TODAY})", "BAD_USER_INPUT orderBy.field")
		ask("(orderBy: {field: REPLIES_TODAY}, period: DAY)", "BAD_USER_INPUT orderBy.field")
		ask("(orderBy: {field: TOP}, period: FORTNIGHT)", "GRAPHQL_VALIDATION_FAILED")
		ask(`(orderBy: {field: TOP}, period: "DAY")`, "GRAPHQL_VALIDATION_FAILED")
		ask("(orderBy: {direction: ASC})", "GRAPHQL_VALIDATION_FAILED")
		ask("(orderBy: {field: HOT}, period: null)", "")
	}
	for _, date := range []string{"", "x", "2096", "2096-1-2", "2096-02-30", "2096-01-32", "2096-01-02T00:00:00Z",
		" 2096-01-02", "02.01.2096", "2096-01-02\n", "+2096-01-02", "99999-01-01", "２０９６-01-02"} {
		tests = append(tests, struct{ query, want string }{fmt.Sprintf(`{ dayRank(date: %q) { id } }`, date), "BAD_USER_INPUT"})
	}
	for _, tt := range tests {
		all = append(all, refusal{"", b.ann, tt.query, nil, tt.want})
	}
	return all
}
