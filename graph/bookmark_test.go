package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// bookmark sets whether the owner of token has bookmarked a topic.
func (s *site) bookmark(token, topic string, keep bool) answer {
	s.t.Helper()
	return s.mutate(token, "bookmark", input{"topicId": topic, "bookmarked": keep},
		"changed topic { id viewerHasBookmarked }")
}

// bookmarksOf returns the id of the bookmarks of the owner of token.
func bookmarksOf(token string) string {
	return gid("Timeline", fmt.Sprintf("bookmarks:%d::desc", int64(userOf(token))))
}

// bookmarks are the titles of the bookmarks of the owner of token, latest first.
func (s *site) bookmarks(token string) string {
	s.t.Helper()
	return strings.Join(s.listedFor(token, "viewer { bookmarks", "title"), " ")
}

func TestBookmarks(t *testing.T) {
	p := newVoteSite(t)
	one, two := p.post(p.bob, "one", nil), p.post(p.ann, "two", nil)
	steps := []struct {
		name    string
		topic   string
		keep    bool
		changed bool
		want    string
	}{
		{"nothing to take away", one, false, false, ""},
		{"the first", one, true, true, "one"},
		{"once more", one, true, false, "one"},
		{"the latest stands first", two, true, true, "two one"},
		{"one taken away", one, false, true, "two"},
		{"and kept again", one, true, true, "one two"},
	}
	for _, tt := range steps {
		p.clock.Advance(second)
		a := p.bookmark(p.ann, tt.topic, tt.keep)
		p.wantVerdict(tt.name, a, "")
		wantEqual(t, tt.name+": changed", a.at("bookmark", "changed"), any(tt.changed))
		wantEqual(t, tt.name+": viewerHasBookmarked", a.at("bookmark", "topic", "viewerHasBookmarked"), any(tt.keep))
		wantEqual(t, tt.name, p.bookmarks(p.ann), tt.want)
	}
	wantEqual(t, "another's", p.bookmarks(p.bob), "")
	for name, token := range map[string]string{"another": p.bob, "signed out": ""} {
		a := p.must(token, `query($id: ID!) { topic(by: {id: $id}) { viewerHasBookmarked } }`, input{"id": one})
		wantEqual(t, name, a.at("topic", "viewerHasBookmarked"), any(false))
	}
	p.wantVerdict("signed out", p.bookmark("", one, true), "UNAUTHENTICATED")
	for name, id := range map[string]string{"no topic": gid("Topic", "77777"), "a user": userID(p.bob),
		"a tag": gid("Tag", "7")} {
		p.wantVerdict(name, p.bookmark(p.ann, id, true), "NOT_FOUND input.topicId")
	}
}

// A deleted topic disappears from all bookmarks once the deletion is answered, even from its author's, who still sees
// it elsewhere.
func TestDeletedTopicLeavesBookmarks(t *testing.T) {
	p := newVoteSite(t)
	one, two := p.post(p.ann, "one", nil), p.post(p.bob, "two", nil)
	for _, token := range []string{p.ann, p.bob} {
		p.bookmark(token, one, true)
		p.clock.Advance(second)
		p.bookmark(token, two, true)
	}
	p.wantVerdict("deleteTopic", p.mutate(p.ann, "deleteTopic", input{"topicId": one}, ""), "")
	for _, token := range []string{p.ann, p.bob} {
		wantEqual(t, "bookmarks", p.bookmarks(token), "two")
		for _, keep := range []bool{true, false} {
			p.wantVerdict("a deleted topic", p.bookmark(token, one, keep), "NOT_FOUND input.topicId")
		}
	}
	a := p.must(p.ann, `{ viewer { bookmarks { topics { totalCount } } } }`, nil)
	wantEqual(t, "totalCount", a.number("viewer", "bookmarks", "topics", "totalCount"), 1)
}

// The timeline of bookmarks is visible only to its owner, on every path; it has no order.
func TestBookmarksAreTheirOwners(t *testing.T) {
	p := newVoteSite(t)
	p.bookmark(p.ann, p.post(p.bob, "one", nil), true)
	const what = `id kind order direction period capacity expiresAt topics { nodes { title } edges { rank score explanation { formula terms { name value } votesToPass } } }`
	mine := p.must(p.ann, "{ viewer { bookmarks { "+what+" } } }", nil)
	wantEqual(t, "id", mine.text("viewer", "bookmarks", "id"), bookmarksOf(p.ann))
	wantEqual(t, "order", mine.at("viewer", "bookmarks", "order"), nil)
	edge := mine.at("viewer", "bookmarks", "topics", "edges", 0).(map[string]any)
	wantEqual(t, "the score is the time in seconds", fmt.Sprintf("%.3f", edge["score"]),
		fmt.Sprintf("%.3f", float64(p.clock.Now().UnixMilli())/1000))
	wantEqual(t, "rank", edge["rank"], any(1.0))
	wantEqual(t, "formula", answer{Data: edge}.text("explanation", "formula"), "bookmarkedAt")
	node := "query($id: ID!) { node(id: $id) { ... on Timeline { " + what + " } } }"
	same := p.must(p.ann, node, input{"id": bookmarksOf(p.ann)})
	wantEqual(t, "by node", same.at("node"), mine.at("viewer", "bookmarks"))
	for name, token := range map[string]string{"another": p.bob, "a moderator": p.mod, "signed out": ""} {
		wantEqual(t, name, p.must(token, node, input{"id": bookmarksOf(p.ann)}).at("node"), nil)
	}
	p.wantVerdict("another marks it", p.markRead(p.bob, "timelineId", bookmarksOf(p.ann)), "NOT_FOUND input.timelineId")
	for _, name := range []string{"bookmarks:0::desc", "bookmarks:12::asc", "bookmarks:12:created:desc", "home:12::desc",
		"front:0::desc"} {
		p.wantVerdict(name, p.ask(p.ann, node, input{"id": gid("Timeline", name)}), "BAD_USER_INPUT id")
	}
	a := p.mutate(p.bob, "login", input{"identifier": "ann", "password": "a good password"},
		"viewer { bookmarks { topics { nodes { title } } } }")
	wantEqual(t, "who has just signed in", a.texts("title", "login", "viewer", "bookmarks", "topics", "nodes"),
		[]string{"one"})
}

// Bookmarks are paged from both ends, and by number.
func TestPagesOfBookmarks(t *testing.T) {
	p := newVoteSite(t)
	var want []string
	for n := range 7 {
		title := fmt.Sprint("topic ", n)
		p.bookmark(p.ann, p.post(p.bob, title, nil), true)
		want = append(want, title)
	}
	slices.Reverse(want)
	page := func(args string) (titles []string, info map[string]any) {
		a := p.must(p.ann, "{ viewer { bookmarks { topics("+args+
			") { totalCount nodes { title } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } } }", nil)
		wantEqual(t, "totalCount", a.number("viewer", "bookmarks", "topics", "totalCount"), len(want))
		return a.texts("title", "viewer", "bookmarks", "topics", "nodes"),
			a.at("viewer", "bookmarks", "topics", "pageInfo").(map[string]any)
	}
	var forth, back, numbered []string
	for args, more := "first: 3", true; more; {
		titles, info := page(args)
		forth = append(forth, titles...)
		args, more = fmt.Sprintf("first: 3, after: %q", info["endCursor"]), info["hasNextPage"] == true
	}
	for args, more := "last: 3", true; more; {
		titles, info := page(args)
		back = append(titles, back...)
		args, more = fmt.Sprintf("last: 3, before: %q", info["startCursor"]), info["hasPreviousPage"] == true
	}
	for skip := 0; skip < len(want); skip += 3 {
		titles, _ := page(fmt.Sprintf("first: 3, skip: %d", skip))
		numbered = append(numbered, titles...)
	}
	wantEqual(t, "forth", forth, want)
	wantEqual(t, "back", back, want)
	wantEqual(t, "by number", numbered, want)
}

// Whoever watches a topic is notified of new comments until they stop, or the topic is deleted.
func TestWatchedTopicsNotify(t *testing.T) {
	s := newSite(t)
	ann, ben, molly := s.user("ann"), s.user("ben"), s.moderator("molly")
	s.category(molly, "Go")
	topic := s.topic(ann, "Go", "Live")
	watch := func(token string, in input) answer {
		t.Helper()
		return s.mutate(token, "watch", in, "changed topic { viewerIsWatching }")
	}
	for i, tt := range []struct {
		in                 input
		changed, isWatched bool
	}{
		{input{"topicId": topic}, true, true}, {input{"topicId": topic, "watching": true}, false, true},
		{input{"topicId": topic, "watching": false}, true, false}, {input{"topicId": topic, "watching": false}, false, false},
		{input{"topicId": topic}, true, true},
	} {
		a := watch(ben, tt.in)
		s.wantVerdict("watch", a, "")
		wantEqual(t, fmt.Sprint(i, " changed"), a.at("watch", "changed"), any(tt.changed))
		wantEqual(t, fmt.Sprint(i, " watching"), a.at("watch", "topic", "viewerIsWatching"), any(tt.isWatched))
	}
	for _, token := range []string{ann, ""} {
		a := s.must(token, `query($t: ID!) { node(id: $t) { ... on Topic { viewerIsWatching } } }`, input{"t": topic})
		wantEqual(t, "others", a.at("node", "viewerIsWatching"), any(false))
	}
	live := s.subscribe(ben, `subscription { notificationAdded { kind notification { reason subject { ... on Comment { content } } } } }`, nil)
	s.comment(molly, topic, "", "one")
	live.wants("live", `{"notificationAdded": {"kind": "ADDED", "notification": {"reason": "WATCH", "subject": {"content": "one"}}}}`)
	wantEqual(t, "notifications", s.notices(ben, ""), "WATCH* molly Comment one")
	s.wantVerdict("stop", watch(ben, input{"topicId": topic, "watching": false}), "")
	live.wants("stopped", `{"notificationAdded": {"kind": "READ", "notification": {"reason": "WATCH", "subject": {"content": "one"}}}}`)
	s.comment(molly, topic, "", "two")
	wantEqual(t, "notifications", s.notices(ben, ""), "WATCH molly Comment one")
	s.mutate(ann, "deleteTopic", input{"topicId": topic}, "deletedTopicId")
	for name, id := range map[string]string{"deleted": topic, "unknown": gid("Topic", "256"), "a user": s.userID(ben)} {
		s.wantVerdict(name, watch(ben, input{"topicId": id}), "NOT_FOUND input.topicId")
	}
	s.wantVerdict("no id", watch(ben, input{"topicId": "x"}), "BAD_USER_INPUT input.topicId")
	wantEqual(t, "signed out", watch("", input{"topicId": topic}).code(), "UNAUTHENTICATED")
}
