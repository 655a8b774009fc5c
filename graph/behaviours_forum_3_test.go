package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// click reports topics as opened and returns the counts in the payload.
func (s *site) click(token string, topics ...string) string {
	s.t.Helper()
	a := s.mutate(token, "recordClicks", input{"topicIds": topics}, "topics { clickCount }")
	s.wantVerdict("recordClicks", a, "")
	var counts []string
	list, _ := a.at("recordClicks", "topics").([]any)
	for i, row := range list {
		if row == nil {
			counts = append(counts, "null")
			continue
		}
		counts = append(counts, fmt.Sprint(a.number("recordClicks", "topics", i, "clickCount")))
	}
	return strings.Join(counts, " ")
}

// X19: the documents' counter accepts every call and any increment, and reading a page writes.
func TestClicksCountOncePerViewer(t *testing.T) {
	b := newFullSite(t)
	steps := []struct {
		name, token string
		topics      []string
		want        string
	}{
		{"A44: a click counts one", b.ann, []string{b.topic}, "1"},
		{"X19: the same viewer again", b.ann, []string{b.topic}, "1"},
		{"signed out, twice in one call", "", []string{b.topic, b.topic}, "2 2"},
		{"many topics in one call", b.bob, []string{b.other, b.topic}, "1 3"},
	}
	for _, s := range steps {
		if got := b.click(s.token, s.topics...); got != s.want {
			t.Errorf("%s: clickCount = %s; want %s", s.name, got, s.want)
		}
	}
	read := `query($id: ID!) { topic(by: {id: $id}) { clickCount contentHtml comments { nodes { contentHtml } } } }`
	before := b.contents()
	for range 2 {
		if got := b.must(b.mod, read, map[string]any{"id": b.topic}).number("topic", "clickCount"); got != 3 {
			t.Errorf("A45: clickCount = %d; want 3", got)
		}
	}
	wantEqual(t, "X19: what reading the page changes in Redis", b.contents(), before)
	any := b.ask("", `mutation($id: ID!) { recordClicks(input: {topicIds: [$id], increment: 1000}) { errors { code } } }`, map[string]any{"id": b.topic})
	b.wantVerdict("X19: an increment of one's own", any, "GRAPHQL_VALIDATION_FAILED")
}

// A44: each visitor's answer has the count as it was with that click, however many click at once.
func TestClicksAtOnceHaveTheirOwnCounts(t *testing.T) {
	b := newFullSite(t)
	const visitors = 25
	tokens, got, want := make([]string, visitors), make([]string, visitors), make([]string, visitors)
	for i := range visitors {
		tokens[i], want[i] = b.user(fmt.Sprintf("visitor%02d", i)), fmt.Sprintf("%02d", i+1)
	}
	var wg sync.WaitGroup
	for i, token := range tokens {
		wg.Go(func() { got[i] = fmt.Sprintf("%02s", b.click(token, b.topic)) })
	}
	wg.Wait()
	slices.Sort(got)
	wantEqual(t, "the counts in the answers", got, want)
}

// X18: the documents' HINCRBY creates a hash {click_counter: 1} for a missing topic.
func TestClickOnMissingTopicCreatesNothing(t *testing.T) {
	b := newFullSite(t)
	nothing := []string{gid("Topic", "77777"), b.deleted, b.comment, gid("Topic", "1")}
	before := b.contents()
	if got := b.click(b.bob, nothing...); got != "null null null null" {
		t.Errorf("recordClicks of nothing = %s; want null for each", got)
	}
	wantEqual(t, "what clicks on nothing change in Redis", b.contents(), before)
	wantEqual(t, "clicks of author and moderator on a deleted topic", b.click(b.ann, b.deleted)+b.click(b.mod, b.deleted),
		"12")
	before = b.contents()
	comment := b.mutate(b.bob, "createComment", input{"topicId": gid("Topic", "77777"), "content": "x"}, "")
	b.wantVerdict("reply to nothing", comment, "NOT_FOUND input.topicId")
	wantEqual(t, "what a reply to nothing changes in Redis", b.contents(), before)
}

// X9: the documents use names in keys, so that a category named after another's key reads and writes that one's list.
func TestNamesAreNeverInKeys(t *testing.T) {
	s := newSite(t)
	mod := s.moderator("mia")
	names := []string{"tab::Go::topic_list", "a b:c", "{cat}:all:c", "}{", "*", "%s", "../..", "it's \"so\"",
		"{ix:front}:active", "p00", "1"}
	for _, name := range names {
		id := s.category(mod, name)
		tab := s.mutate(mod, "createTab", input{"name": name, "categories": refs(id)}, "tab { id }")
		s.wantVerdict("createTab "+name, tab, "")
		s.topic(mod, name, "In "+name)
	}
	query := `query($n: String!) { category(by: {name: $n}) { name topicCount timeline { topics { nodes { title } } } } tab(by: {name: $n}) { name topicCount } }`
	for _, name := range names {
		a := s.must("", query, map[string]any{"n": name})
		wantEqual(t, name, a.Data, map[string]any{
			"category": map[string]any{"name": name, "topicCount": 1.0,
				"timeline": map[string]any{"topics": map[string]any{"nodes": []any{map[string]any{"title": "In " + name}}}}},
			"tab": map[string]any{"name": name, "topicCount": 1.0},
		})
	}
	for key := range s.contents() {
		if strings.Contains(key, "topic_list") || strings.Contains(key, " ") || strings.Contains(key, "so\"") {
			t.Errorf("key %q holds a name", key)
		}
	}
}

// X20: the documents' comment has no topic and no parent, and can be neither edited nor deleted.
func TestCommentKnowsItsTopicAndParent(t *testing.T) {
	b := newFullSite(t)
	place := "comment { content editedAt deletedAt depth topic { id commentCount } parent { id replyCount } votes { " +
		"net } }"
	want := func(content string, edited, deleted any, count float64) map[string]any {
		return map[string]any{"content": content, "editedAt": edited, "deletedAt": deleted, "depth": 1.0,
			"votes": map[string]any{"net": 0.0},
			"topic": map[string]any{"id": b.topic, "commentCount": count + 1}, "parent": map[string]any{"id": b.comment, "replyCount": count}}
	}
	edited := b.mutate(b.ann, "updateComment", input{"commentId": b.reply, "content": "Better words"}, place)
	wantEqual(t, "edited", edited.at("updateComment", "comment"), want("Better words", "2096-01-02T03:04:13.000Z", nil, 1))
	b.clock.Advance(second)
	deleted := b.mutate(b.ann, "deleteComment", input{"commentId": b.reply}, place)
	wantEqual(t, "deleted", deleted.at("deleteComment", "comment"),
		want("", "2096-01-02T03:04:13.000Z", "2096-01-02T03:04:14.000Z", 0))
}
