package graph_test

import (
	"fmt"
	"strings"
	"testing"
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

// names returns n different tags.
func names(n int) []string {
	found := make([]string, n)
	for i := range found {
		found[i] = fmt.Sprintf("tag %d", i)
	}
	return found
}

// badTags are names of tags that are refused wherever one is written. Who may tag, and how many there may be, is in
// TestWhoMayTag and TestAtMostTenTags.
func (b *fullSite) badTags() []refusal {
	topic := input{"title": "New", "category": input{"name": "Tea"}}
	tag := func(id string) input { return input{"topicId": id} }
	tests := []refusal{
		{"eleven", b.ann, "createTopic", with(topic, "tags", names(11)), "TOO_LONG input.tags"},
		{"in both lists, in full width", b.ann, "tagTopic",
			with(with(tag(b.other), "add", []string{"green"}), "remove", []string{"ＧＲＥＥＮ"}), "INVALID input.remove"},
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
	return tests
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

// badDirections are no directions of a vote.
func (b *fullSite) badDirections() (tests []refusal) {
	for _, direction := range []any{"up", "SIDEWAYS", "", 1, true, nil, []string{"UP", "DOWN"}} {
		tests = append(tests, refusal{fmt.Sprint("direction ", direction), b.bob, "vote",
			input{"subjectId": b.topic, "direction": direction}, "BAD_USER_INPUT i.direction"})
	}
	return tests
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
