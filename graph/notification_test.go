package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// notices returns the notifications of the owner of token, latest first: "REASON actor subject", with a "*" if unread.
func (s *site) notices(token, args string) string {
	s.t.Helper()
	a := s.must(token, `{ viewer { notifications`+args+` { totalCount nodes { reason isRead actor { login }
		subject { __typename ... on Comment { content } ... on Topic { title } ... on User { login } } } } } }`, nil)
	var lines []string
	list, _ := a.at("viewer", "notifications", "nodes").([]any)
	for i := range list {
		at := func(path ...any) any { return a.at(append([]any{"viewer", "notifications", "nodes", i}, path...)...) }
		subject := "nothing"
		if m, ok := at("subject").(map[string]any); ok {
			kind := m["__typename"]
			delete(m, "__typename")
			for _, v := range m {
				subject = fmt.Sprint(kind, " ", v)
			}
		}
		mark := "*"
		if at("isRead") == true {
			mark = ""
		}
		lines = append(lines, fmt.Sprint(at("reason"), mark, " ", at("actor", "login"), " ", subject))
	}
	return strings.Join(lines, "; ")
}

// notified is a site on which ann has four notifications about bob, of whom cid is a follower.
type notified struct {
	*site
	ann, bob, cid, topic, reply, post string
}

func newNotified(t *testing.T) *notified {
	t.Helper()
	s := newSite(t)
	n := &notified{site: s, ann: s.moderator("ann"), bob: s.user("bob"), cid: s.user("cid")}
	s.category(n.ann, "Talk")
	n.topic = s.topic(n.ann, "Talk", "Tea")
	own := s.comment(n.ann, n.topic, "", "mine")
	for _, in := range []struct{ parent, text string }{{"", "nice"}, {own, "reply to @ann"}, {"", "hello @ann"}} {
		s.clock.Advance(second)
		n.reply = s.comment(n.bob, n.topic, in.parent, in.text)
	}
	s.clock.Advance(second)
	n.post = n.mutate(n.bob, "createTopic", input{"kind": "STATUS", "content": "With @ann and @bob"},
		"topic { id }").text("createTopic", "topic", "id")
	s.clock.Advance(second)
	s.wantVerdict("follow", s.follow(n.cid, s.userID(n.ann), true), "")
	return n
}

const allNotices = "FOLLOW* cid User cid; MENTION* bob Topic With @ann and @bob; MENTION* bob Comment hello @ann; " +
	"REPLY* bob Comment reply to @ann; COMMENT* bob Comment nice"

func TestNotificationsReportWhatOthersDid(t *testing.T) {
	n := newNotified(t)
	wantEqual(t, "all", n.notices(n.ann, ""), allNotices)
	wantEqual(t, "on gqlgen's executor", n.stock().notices(n.ann, ""), allNotices)
	wantEqual(t, "of bob", n.notices(n.bob, ""), "")
	wantEqual(t, "signed out", n.must("", `{ viewer { unreadNotificationCount } }`, nil).at("viewer"), nil)
	a := n.must(n.ann, `{ viewer { unreadNotificationCount notifications(first: 2) { totalCount edges { cursor node { reason createdAt } } pageInfo { endCursor hasNextPage } } } }`, nil)
	wantEqual(t, "unread", a.number("viewer", "unreadNotificationCount"), 5)
	wantEqual(t, "totalCount", a.number("viewer", "notifications", "totalCount"), 5)
	wantEqual(t, "the next page",
		n.notices(n.ann, fmt.Sprintf("(first: 1, after: %q)", a.text("viewer", "notifications", "pageInfo", "endCursor"))),
		"MENTION* bob Comment hello @ann")
	if a.text("viewer", "notifications", "edges", 0, "node", "createdAt") <= a.text("viewer", "notifications", "edges",
		1, "node", "createdAt") {
		t.Errorf("times = %v; want the latest first", a.at("viewer", "notifications", "edges"))
	}
	// An edit notifies users who were not mentioned before.
	for _, text := range []string{"With @cid", "With @cid and @ann"} {
		n.wantVerdict("updateTopic",
			n.mutate(n.bob, "updateTopic", input{"topicId": n.post, "content": text}, "topic { title }"), "")
	}
	wantEqual(t, "cid", n.notices(n.cid, ""), "MENTION* bob Topic With @cid and @ann")
	wantEqual(t, "ann's unread", n.must(n.ann, `{ viewer { unreadNotificationCount } }`, nil).number("viewer", "unreadNotificationCount"), 5)
}

// A subject that the viewer cannot see is null; a deleted user is the ghost.
func TestNotificationsOfDeletedSubjects(t *testing.T) {
	n := newNotified(t)
	n.wantVerdict("deleteTopic", n.mutate(n.bob, "deleteTopic", input{"topicId": n.post}, "deletedTopicId"), "")
	n.wantVerdict("deleteComment", n.mutate(n.bob, "deleteComment", input{"commentId": n.reply}, "comment { id }"), "")
	n.wantVerdict("deleteAccount",
		n.mutate(n.cid, "deleteAccount", input{"password": "a good password"}, "deletedUserId"), "")
	n.promote(n.ann, "USER")
	want := "FOLLOW* ghost nothing; MENTION bob nothing; MENTION bob Comment ; REPLY* bob Comment reply to @ann; " +
		"COMMENT* bob Comment nice"
	wantEqual(t, "after all are deleted", n.notices(n.ann, ""), want)
	wantEqual(t, "on gqlgen's executor", n.stock().notices(n.ann, ""), want)
}

// A notification can be fetched by id only by its owner.
func TestNotificationsArePrivate(t *testing.T) {
	n := newNotified(t)
	a := n.must(n.ann, `{ viewer { notifications { nodes { id reason } } } }`, nil)
	ids := a.texts("id", "viewer", "notifications", "nodes")
	wantEqual(t, "id", ids[0], gid("Notification", fmt.Sprint(int64(userOf(n.ann)), ":5")))
	query := `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Notification { reason isRead } } }`
	for _, of := range []*site{n.site, n.stock()} {
		wantEqual(t, "as ann", fmt.Sprint(of.must(n.ann, query, input{"ids": ids}).texts("reason", "nodes")),
			"[FOLLOW MENTION MENTION REPLY COMMENT]")
		for _, token := range []string{n.bob, ""} {
			wantEqual(t, "as others", fmt.Sprint(of.must(token, query, input{"ids": ids}).at("nodes")),
				"[<nil> <nil> <nil> <nil> <nil>]")
		}
	}
	none := gid("Notification", fmt.Sprint(int64(userOf(n.ann)), ":6"))
	wantEqual(t, "none", n.must(n.ann, `query($id: ID!) { node(id: $id) { id } }`, input{"id": none}).at("node"), nil)
	for _, key := range []string{"x:1", "512", "512:0", "512:01", "512:-1", "512:", ":5"} {
		wantEqual(t, key, n.ask(n.ann, `query($id: ID!) { node(id: $id) { id } }`, input{"id": gid("Notification", key)}).code(), "BAD_USER_INPUT")
	}
}

func TestNotificationsAreMarked(t *testing.T) {
	n := newNotified(t)
	id := func(seq int) string { return gid("Notification", fmt.Sprint(int64(userOf(n.ann)), ":", seq)) }
	mark := func(token string, in input) answer {
		t.Helper()
		return n.mutate(token, "markRead", in,
			"target { id ... on Notification { isRead } } viewer { unreadNotificationCount }")
	}
	for range 2 {
		a := mark(n.ann, input{"notificationId": id(4)})
		n.wantVerdict("one", a, "")
		wantEqual(t, "target", fmt.Sprint(a.at("markRead", "target")),
			fmt.Sprint(map[string]any{"id": id(4), "isRead": true}))
		wantEqual(t, "unread", a.number("markRead", "viewer", "unreadNotificationCount"), 4)
	}
	wantEqual(t, "unread ones", n.notices(n.ann, "(unreadOnly: true)"),
		strings.Replace(allNotices, "MENTION* bob Topic With @ann and @bob; ", "", 1))
	wantEqual(t, "all", n.notices(n.ann, ""), strings.Replace(allNotices, "MENTION* bob Topic", "MENTION bob Topic", 1))
	n.wantVerdict("none", mark(n.ann, input{"notificationId": id(6)}), "NOT_FOUND input.notificationId")
	n.wantVerdict("of another user", mark(n.bob, input{"notificationId": id(5)}), "NOT_FOUND input.notificationId")
	n.wantVerdict("of another type", mark(n.ann, input{"notificationId": n.reply}), "NOT_FOUND input.notificationId")
	a := mark(n.ann, input{"allNotifications": true})
	n.wantVerdict("all", a, "")
	wantEqual(t, "unread", a.number("markRead", "viewer", "unreadNotificationCount"), 0)
	wantEqual(t, "unread ones", n.notices(n.ann, "(unreadOnly: true)"), "")
	wantEqual(t, "all", n.notices(n.ann, ""), strings.ReplaceAll(allNotices, "*", ""))
	n.settle()
	must.Do(n.store.Engine.RunDueTasks(context.Background()))(t)
}
