package graph_test

import (
	"testing"
	"time"
)

// markRead marks something as read for the owner of token.
func (s *site) markRead(token, field string, value any) answer {
	s.t.Helper()
	return s.mutate(token, "markRead", input{field: value},
		"target { __typename id ... on Topic { viewerUnreadCommentCount } ... on Timeline { unreadCount } } viewer { user { login } }")
}

// unread returns how many comments on a topic the owner of token has not read.
func (s *site) unread(token, topic string) any {
	s.t.Helper()
	return s.must(token, `query($id: ID!) { topic(by: {id: $id}) { viewerUnreadCommentCount } }`, input{"id": topic}).at("topic", "viewerUnreadCommentCount")
}

func TestUnreadComments(t *testing.T) {
	p := newVoteSite(t)
	topic := p.post(p.ann, "one", nil)
	p.comment(p.bob, topic, "", "Before")
	wantEqual(t, "never marked", p.unread(p.ann, topic), nil)
	a := p.markRead(p.ann, "topicId", topic)
	p.wantVerdict("markRead", a, "")
	wantEqual(t, "target", a.at("markRead", "target"),
		any(map[string]any{"__typename": "Topic", "id": topic, "viewerUnreadCommentCount": 0.0}))
	wantEqual(t, "viewer", a.text("markRead", "viewer", "user", "login"), "ann")
	first := p.comment(p.bob, topic, "", "First")
	p.comment(p.ann, topic, first, "Her own")
	second := p.comment(p.cid, topic, first, "Second")
	wantEqual(t, "two by others", p.unread(p.ann, topic), any(2.0))
	wantEqual(t, "another", p.unread(p.bob, topic), nil)
	wantEqual(t, "signed out", p.unread("", topic), nil)
	p.wantVerdict("deleteComment", p.mutate(p.cid, "deleteComment", input{"commentId": second}, ""), "")
	wantEqual(t, "one deleted", p.unread(p.ann, topic), any(1.0))
	a = p.markRead(p.ann, "topicId", topic)
	wantEqual(t, "read", a.at("markRead", "target", "viewerUnreadCommentCount"), any(0.0))
}

func TestUnreadTopics(t *testing.T) {
	p := newVoteSite(t)
	p.post(p.bob, "old", nil)
	p.mutate(p.ann, "follow", input{"targetId": userID(p.bob)}, "")
	p.list(p.ann, "Friends", userID(p.bob), userID(p.cid))
	p.bookmark(p.ann, p.ids["old"], true)
	p.comment(p.bob, p.ids["old"], "", "Ah")
	tea := p.must("", `{ category(by: {name: "Go"}) { id } }`, nil).text("category", "id")
	p.wantVerdict("createTab", p.mutate(p.mod, "createTab", input{"name": "Tech", "categories": refs(tea)}, ""), "")
	p.settle()
	const places = `{ front(orderBy: {field: HOT}) { id unreadCount } top: front(orderBy: {field: TOP}) { id unreadCount } dayRank { id unreadCount }
		category(by: {name: "Go"}) { timeline { id unreadCount } } user(by: {login: "bob"}) { profile { id unreadCount } }
		tab(by: {name: "Tech"}) { timeline { id unreadCount } } viewer { home { id unreadCount } bookmarks { id unreadCount } lists { nodes { timeline { id unreadCount } } } } }`
	ways := map[string][]any{
		"front": {"front"}, "top": {"top"}, "day": {"dayRank"}, "category": {"category", "timeline"}, "profile": {"user", "profile"}, "tab": {"tab", "timeline"},
		"home": {"viewer", "home"}, "bookmarks": {"viewer", "bookmarks"}, "list": {"viewer", "lists", "nodes", 0, "timeline"},
	}
	at := func(a answer, way string) any {
		return a.at(append(ways[way][:len(ways[way]):len(ways[way])], "unreadCount")...)
	}
	before := p.must(p.ann, places, nil)
	for way := range ways {
		wantEqual(t, way+", never marked", at(before, way), nil)
		id := before.text(append(ways[way][:len(ways[way]):len(ways[way])], "id")...)
		a := p.markRead(p.ann, "timelineId", id)
		p.wantVerdict("mark "+way, a, "")
		wantEqual(t, "mark "+way, a.at("markRead", "target"),
			any(map[string]any{"__typename": "Timeline", "id": id, "unreadCount": 0.0}))
	}
	p.post(p.bob, "new", nil)
	p.post(p.bob, "newer", nil)
	p.comment(p.cid, p.ids["old"], "", "An old topic with a new comment is not new")
	p.comment(p.cid, p.ids["new"], "", "Oh")
	p.bookmark(p.ann, p.ids["new"], true)
	p.settle()
	after := p.must(p.ann, places, nil)
	want := map[string]any{"front": 2.0, "top": 2.0, "day": 1.0, "category": 2.0, "profile": 2.0, "tab": 2.0,
		"home": 2.0, "bookmarks": 1.0, "list": 2.0}
	for way, n := range want {
		wantEqual(t, way, at(after, way), n)
	}
	p.clock.Advance(time.Second)
	a := p.markRead(p.ann, "timelineId", after.text("front", "id"))
	wantEqual(t, "read again", a.at("markRead", "target", "unreadCount"), any(0.0))
	wantEqual(t, "signed out", p.must("", `{ front { unreadCount } }`, nil).at("front", "unreadCount"), nil)
	wantEqual(t, "signed out, trips", p.must("", `{ front { unreadCount } }`, nil).Extensions.Redis.RoundTrips, 0)
}

// Something that the viewer may not read, or that does not exist, cannot be marked.
func TestMarkReadRefuses(t *testing.T) {
	p := newVoteSite(t)
	hidden := p.post(p.ann, "hidden", nil)
	list := p.list(p.ann, "Friends")
	lists := p.must(p.ann, `query($id: ID!) { node(id: $id) { ... on UserList { timeline { id } } } }`, input{"id": list}).text("node", "timeline", "id")
	home := p.must(p.ann, `{ viewer { home { id } } }`, nil).text("viewer", "home", "id")
	p.wantVerdict("deleteTopic", p.mutate(p.ann, "deleteTopic", input{"topicId": hidden}, ""), "")
	p.wantVerdict("its author sees it", p.markRead(p.ann, "topicId", hidden), "")
	p.settle()
	tests := []struct {
		name, token, field string
		value              any
		want               string
	}{
		{"a deleted topic", p.bob, "topicId", hidden, "NOT_FOUND input.topicId"},
		{"a user as topic", p.bob, "topicId", userID(p.ann), "NOT_FOUND input.topicId"},
		{"another's home", p.bob, "timelineId", home, "NOT_FOUND input.timelineId"},
		{"another's list", p.bob, "timelineId", lists, "NOT_FOUND input.timelineId"},
		{"another's bookmarks", p.bob, "timelineId", bookmarksOf(p.ann), "NOT_FOUND input.timelineId"},
		{"a lost category", p.bob, "timelineId", gid("Timeline", "category:999:active:desc"), "NOT_FOUND input.timelineId"},
		{"an old day", p.bob, "timelineId", gid("Timeline", "day_rank:20000:replies_today:desc"),
			"NOT_FOUND input.timelineId"},
		{"a topic as timeline", p.bob, "timelineId", hidden, "NOT_FOUND input.timelineId"},
		{"not all notifications", p.bob, "allNotifications", false, "INVALID input.allNotifications"},
		{"nothing", p.bob, "topicId", nil, "BAD_USER_INPUT i"},
		{"no id", p.bob, "topicId", "x", "BAD_USER_INPUT input.topicId"},
		{"signed out", "", "timelineId", gid("Timeline", "front:0:active:desc"), "UNAUTHENTICATED"},
	}
	for _, tt := range tests {
		before := p.contents()
		a := p.markRead(tt.token, tt.field, tt.value)
		p.wantVerdict(tt.name, a, tt.want)
		p.wantUntouched(tt.name, before, a)
	}
	both := p.mutate(p.bob, "markRead", input{"topicId": hidden, "timelineId": home}, "")
	p.wantVerdict("two at once", both, "BAD_USER_INPUT i")
}
