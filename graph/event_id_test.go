package graph_test

import (
	"fmt"
	"sync"
	"testing"

	"agora/internal/test/testlevel"
)

// What was posted between a read and the subscription that follows it comes first, once, without a RESET.
func TestSubscriptionsBeginAtARead(t *testing.T) {
	b := newFullSite(t)
	carl := b.user("carl")
	b.follow(carl, userID(b.ann), true)
	b.bookmark(carl, b.other, true)
	read := b.must(carl, `query($t: ID!, $tab: ID!) {
		node(id: $t) { ... on Topic { commentsEventId comments(last: 1) { nodes { id } } } }
		front(orderBy: {field: CREATED}) { id eventId topics(first: 1) { nodes { id } } }
		active: front { id eventId }
		category(by: {name: "Tea"}) { timeline(orderBy: {field: CREATED}) { id eventId } }
		tab: node(id: $tab) { ... on Tab { timeline(orderBy: {field: CREATED}) { id eventId } } }
		tag(name: "green") { timeline(orderBy: {field: CREATED}) { id eventId } }
		viewer { notificationsEventId home { id eventId } bookmarks { id eventId } }
	}`, input{"t": b.topic, "tab": b.tab})
	b.clock.Advance(second)
	b.site.comment(b.bob, b.topic, "", "missed")
	topic := b.site.topic(b.ann, "Tea", "missed")
	comments := b.subscribe(carl, commentsOf, input{"t": b.topic, "after": read.text("node", "commentsEventId")})
	got, _ := comments.next()
	wantEqual(t, "the missed comment", got.text("commentAdded", "comment", "content"), "missed")
	const watch = `subscription($t: ID!, $after: String) { timelineUpdated(timelineId: $t, after: $after) { kind topicId } }`
	for _, at := range [][]any{{"front"}, {"category", "timeline"}, {"tab", "timeline"}, {"viewer", "home"}} {
		id, after := read.text(append(at, "id")...), read.text(append(at, "eventId")...)
		live := b.subscribe(carl, watch, input{"t": id, "after": after})
		live.wants(fmt.Sprint(at), fmt.Sprintf(`{"timelineUpdated": {"kind": "ADDED", "topicId": %q}}`, topic))
	}
	live := b.subscribe(carl, watch, input{"t": read.text("active", "id"), "after": read.text("active", "eventId")})
	live.wants("by activity", fmt.Sprintf(`{"timelineUpdated": {"kind": "MOVED", "topicId": %q}}`, b.topic),
		fmt.Sprintf(`{"timelineUpdated": {"kind": "ADDED", "topicId": %q}}`, topic))
}

// Places cost no round trip: they are read with what they belong to.
func TestPlacesCostNoRoundTrip(t *testing.T) {
	b := newFullSite(t)
	tests := []struct{ name, query, place string }{
		{"comments of a topic", `query($t: ID!) { node(id: $t) { ... on Topic { title %s comments(first: 5) { nodes { content author { login } } } } } }`, "commentsEventId"},
		{"the front", `{ front { %s topics(first: 5) { nodes { title author { login } } } } }`, "eventId"},
		{"a tab", `query($tab: ID!) { node(id: $tab) { ... on Tab { name timeline { %s topics(first: 5) { nodes { title author { login } } } } } } }`, "eventId"},
		{"a home", `{ viewer { home { %s topics(first: 5) { nodes { title author { login } } } } } }`, "eventId"},
		{"notifications", `{ viewer { unreadNotificationCount %s notifications(first: 5) { nodes { id } } } }`, "notificationsEventId"},
	}
	for _, tt := range tests {
		variables := input{"t": b.topic, "tab": b.tab}
		without := b.must(b.bob, fmt.Sprintf(tt.query, ""), variables).Extensions.Redis.RoundTrips
		with := b.must(b.bob, fmt.Sprintf(tt.query, tt.place), variables).Extensions.Redis.RoundTrips
		if with != without {
			t.Errorf("%s took %d round trips with %s, %d without", tt.name, with, tt.place, without)
		}
	}
}

// However a read and a subscription meet with comments that are being posted, together they have all of them.
func TestNothingIsMissedBetweenReadAndSubscription(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	const posts = 60
	var posting sync.WaitGroup
	posting.Go(func() {
		for range posts {
			b.site.comment(b.bob, b.topic, "", "one of many")
		}
	})
	const first = 4 // ann's three comments come before
	for done := false; !done; {
		read := b.must(b.ann, `query($t: ID!) { node(id: $t) { ... on Topic { commentsEventId comments(last: 1) { nodes { number } } } } }`,
			input{"t": b.topic})
		last := read.number("node", "comments", "nodes", 0, "number")
		live := b.subscribe("", `subscription($t: ID!, $after: String) { commentAdded(topic: {id: $t}, after: $after) { kind comment { number } } }`,
			input{"t": b.topic, "after": read.text("node", "commentsEventId")})
		if done = last == first-1+posts; !done {
			a, _ := live.next()
			wantEqual(t, "kind", a.text("commentAdded", "kind"), "ADDED")
			if n := a.number("commentAdded", "comment", "number"); n > last+1 {
				t.Errorf("after comment %d was read, the first event is comment %d", last, n)
			}
		}
		live.end()
	}
	posting.Wait()
}
