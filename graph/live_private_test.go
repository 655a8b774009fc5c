package graph_test

import "testing"

func TestNotificationsComeLive(t *testing.T) {
	s := newSite(t)
	ann, ben := s.user("ann"), s.user("ben")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	const watch = `subscription($after: String) { notificationAdded(after: $after) { eventId kind notification { reason isRead actor { login } subject { __typename ... on Comment { content } ... on User { login } } } } }`
	live := s.subscribe(ann, watch, nil)
	comment := s.comment(ben, topic, "", "hello")
	s.comment(ann, topic, comment, "an answer to oneself tells nobody")
	s.follow(ben, userID(ann), true)
	a, _ := live.next()
	b, _ := live.next()
	wantEqual(t, "first", a.text("notificationAdded", "notification", "reason")+" "+
		a.text("notificationAdded", "notification", "subject", "content"), "COMMENT hello")
	wantEqual(t, "second", b.text("notificationAdded", "notification", "reason")+" "+
		b.text("notificationAdded", "notification", "subject", "login"), "FOLLOW ben")
	again := s.subscribe(ann, watch, input{"after": a.text("notificationAdded", "eventId")})
	c, _ := again.next()
	wantEqual(t, "resumed", c.Data, b.Data)
	// A user cannot resume another user's events.
	d, _ := s.subscribe(ben, watch, input{"after": a.text("notificationAdded", "eventId")}).next()
	wantEqual(t, "another's place", d.code(), "CURSOR_INVALID")
}

// A read mark set in one tab shows in the others, including those that were disconnected.
func TestReadMarksComeLive(t *testing.T) {
	s := newSite(t)
	ann, ben := s.user("ann"), s.user("ben")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	const watch = `subscription($after: String) { notificationAdded(after: $after) {
		eventId kind notification { id isRead } viewer { unreadNotificationCount } } }`
	tab := s.subscribe(ann, watch, nil)
	var ids []string
	for _, text := range []string{"one", "two", "three"} {
		s.comment(ben, topic, "", text)
		a, _ := tab.next()
		ids = append(ids, a.text("notificationAdded", "notification", "id"))
	}
	was := s.subscribe(ann, watch, nil)
	s.wantVerdict("markRead", s.markRead(ann, "notificationId", ids[0]), "")
	marked := func(name string, a answer, id any, unread float64) {
		t.Helper()
		wantEqual(t, name+", kind", a.text("notificationAdded", "kind"), "READ")
		wantEqual(t, name+", unread", a.at("notificationAdded", "viewer", "unreadNotificationCount"), any(unread))
		if id == nil {
			wantEqual(t, name, a.at("notificationAdded", "notification"), nil)
			return
		}
		wantEqual(t, name, a.at("notificationAdded", "notification"), any(map[string]any{"id": id, "isRead": true}))
	}
	a, _ := tab.next()
	marked("one", a, ids[0], 2)
	b, _ := was.next()
	wantEqual(t, "in another tab", b.Data, a.Data)
	s.markRead(ann, "notificationId", ids[0]) // again: nothing changes, so there is no event
	s.wantVerdict("markRead", s.markRead(ann, "allNotifications", true), "")
	c, _ := tab.next()
	marked("all", c, nil, 0)

	late := s.subscribe(ann, watch, input{"after": a.text("notificationAdded", "eventId")})
	d, _ := late.next()
	marked("after a cut", d, nil, 0)
	s.comment(ben, topic, "", "four")
	for name, tab := range map[string]*stream{"uncut": tab, "resumed": late} {
		e, _ := tab.next()
		wantEqual(t, name, e.text("notificationAdded", "kind"), "ADDED")
	}
	s.settle()
	s.wantVerdict("deleteTopic", s.mutate(ann, "deleteTopic", input{"topicId": topic}, ""), "")
	e, _ := tab.next()
	wantEqual(t, "its topic was deleted", e.text("notificationAdded", "kind"), "READ")
	wantEqual(t, "its topic was deleted, unread", e.at("notificationAdded", "viewer", "unreadNotificationCount"), any(0.0))
}

// What was shown when an event reported it is read, in all tabs: the comments up to it, and the notification about it,
// even if that is added after the mark.
func TestACommentSeenLiveIsRead(t *testing.T) {
	s := newSite(t)
	ann, ben := s.user("ann"), s.user("ben")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	other := s.subscribe(ann, `subscription { notificationAdded { kind notification { isRead } viewer { unreadNotificationCount } } }`, nil)
	live := s.subscribe(ann, changesOf, input{"t": topic})
	s.comment(ben, topic, "", "one")
	first, _ := live.next()
	second := s.comment(ben, topic, "", "two")
	live.next()
	for range 2 {
		other.next()
	}
	s.wantVerdict("mark the first", s.markRead(ann, "commentId", first.text("commentsUpdated", "commentId")), "")
	other.wants("another tab", `{"notificationAdded": {"kind": "READ", "notification": {"isRead": true}, "viewer": {"unreadNotificationCount": 1}}}`)
	unread := func(what string, notes, comments int) {
		t.Helper()
		a := s.must(ann, `query($t: ID!) { viewer { unreadNotificationCount } node(id: $t) { ... on Topic { viewerUnreadCommentCount } } }`,
			input{"t": topic})
		wantEqual(t, what+", notifications", a.number("viewer", "unreadNotificationCount"), notes)
		wantEqual(t, what+", comments", a.number("node", "viewerUnreadCommentCount"), comments)
	}
	unread("the first is read", 1, 1)
	a := s.mutate(ann, "markRead", input{"commentId": second}, "target { ... on Comment { content } }")
	wantEqual(t, "target", a.text("markRead", "target", "content"), "two")
	unread("the second is read", 0, 0)
	s.markRead(ann, "commentId", first.text("commentsUpdated", "commentId"))
	unread("marks never go back", 0, 0)

	other.next()
	mine := s.comment(ann, topic, "", "mine")
	s.mutate(ann, "updateComment", input{"commentId": mine, "content": "Hello @ben"}, "")
	unread("others are not affected", 0, 0)
	wantEqual(t, "the edit", s.notices(ben, ""), "MENTION* ann Comment Hello @ben")

	hidden := s.topic(ann, "Go", "Hidden")
	gone := s.comment(ben, hidden, "", "gone")
	s.mutate(ann, "deleteTopic", input{"topicId": hidden}, "deletedTopicId")
	for name, id := range map[string]string{"hidden": gone, "unknown": gid("Comment", "256"), "a topic": topic} {
		s.wantVerdict(name, s.markRead(ben, "commentId", id), "NOT_FOUND input.commentId")
	}
	s.wantVerdict("no id", s.markRead(ben, "commentId", "x"), "BAD_USER_INPUT input.commentId")
	s.wantVerdict("its author sees it", s.markRead(ann, "commentId", gone), "")
}

// Lists and bookmarks are timelines like others, for their owners.
func TestPrivateTimelinesComeLive(t *testing.T) {
	s := newSite(t)
	ann, ben := s.user("ann"), s.user("ben")
	s.category(s.moderator("molly"), "Go")
	list := s.list(ann, "Friends")
	mine := s.must(ann, `{ viewer { home { id } bookmarks { id } lists { nodes { timeline { id } } } } }`, nil)
	const watch = `subscription($t: ID!) { timelineUpdated(timelineId: $t) { kind edge { score node { title } } } }`
	bookmarks := s.subscribe(ann, watch, input{"t": mine.text("viewer", "bookmarks", "id")})
	listed := s.subscribe(ann, watch, input{"t": mine.text("viewer", "lists", "nodes", 0, "timeline", "id")})
	home := s.subscribe(ann, watch, input{"t": mine.text("viewer", "home", "id")})
	s.members(ann, list, []string{userID(ben)}, nil)
	listed.wants("another member", `{"timelineUpdated": {"kind": "RESET", "edge": null}}`)
	topic := s.topic(ben, "Go", "By Ben")
	at := canonical(t, float64(s.clock.Now().UnixMilli())/1000)
	listed.wants("by a member", `{"timelineUpdated": {"kind": "ADDED", "edge": {"score": `+at+`, "node": {"title": "By Ben"}}}}`)
	s.follow(ann, userID(ben), true)
	home.wants("what came with following", `{"timelineUpdated": {"kind": "RESET", "edge": null}}`)
	s.mutate(ann, "bookmark", input{"topicId": topic}, "changed")
	a, _ := bookmarks.next()
	wantEqual(t, "kept", a.text("timelineUpdated", "kind")+" "+a.text("timelineUpdated", "edge", "node", "title"),
		"ADDED By Ben")
	s.mutate(ann, "bookmark", input{"topicId": topic, "bookmarked": false}, "changed")
	bookmarks.wants("let go", `{"timelineUpdated": {"kind": "REMOVED", "edge": null}}`)
	s.mutate(ann, "bookmark", input{"topicId": topic}, "changed")
	s.mutate(ben, "deleteTopic", input{"topicId": topic}, "deletedTopicId")
	a, _ = bookmarks.next()
	wantEqual(t, "kept again", a.text("timelineUpdated", "kind"), "ADDED")
	bookmarks.wants("deleted", `{"timelineUpdated": {"kind": "REMOVED", "edge": null}}`)
	home.wants("deleted", `{"timelineUpdated": {"kind": "REMOVED", "edge": null}}`)
	a, _ = listed.next()
	wantEqual(t, "deleted, by a member", a.text("timelineUpdated", "kind"), "REMOVED")
}
