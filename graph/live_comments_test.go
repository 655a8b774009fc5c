package graph_test

import (
	"fmt"
	"slices"
	"testing"

	"agora/internal/test/testlevel"
)

const changesOf = `subscription($t: ID!, $after: String) { commentsUpdated(topic: {id: $t}, after: $after) { eventId kind commentId comment { content deletedAt votes { up } } } }`

// changes reads events of commentsUpdated, and returns each as "KIND content up".
func (l *stream) changes(n int) []string {
	l.t.Helper()
	var found []string
	for range n {
		a, ok := l.next()
		if !ok {
			l.t.Fatalf("the stream ended after %q", found)
		}
		found = append(found, changeIn(a))
	}
	return found
}

func changeIn(a answer) string {
	kind := a.text("commentsUpdated", "kind")
	if a.at("commentsUpdated", "comment") == nil {
		return kind
	}
	return fmt.Sprintf("%s %s %d", kind, a.text("commentsUpdated", "comment", "content"),
		a.number("commentsUpdated", "comment", "votes", "up"))
}

func (s *site) wantChanges(what string, l *stream, want ...string) {
	s.t.Helper()
	if got := l.changes(len(want)); !slices.Equal(got, want) {
		s.t.Errorf("%s = %q; want %q", what, got, want)
	}
}

// An edit, a vote, a deletion and a new comment reach whoever watches, each with the comment as it is now.
func TestCommentsAreSeenAsTheyChange(t *testing.T) {
	s := newSite(t)
	ann, ben := s.user("ann"), s.user("ben")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	old := s.comment(ann, topic, "", "old")
	live, states := s.subscribe("", changesOf, input{"t": topic}), s.subscribe("",
		`subscription($t: ID!) { topicUpdated(topic: {id: $t}) { topic { title commentCount } } }`, input{"t": topic})
	s.mutate(ann, "updateComment", input{"commentId": old, "content": "edited"}, "comment { id }")
	s.wantChanges("edit", live, "CHANGED edited 0")
	s.mutate(ann, "updateComment", input{"commentId": old, "content": "edited"}, "comment { id }") // changes nothing
	s.mutate(ben, "vote", input{"subjectId": old, "direction": "UP"}, "changed")
	s.wantChanges("vote", live, "CHANGED edited 1")
	s.mutate(ben, "vote", input{"subjectId": old, "direction": "UP"}, "changed") // changes nothing
	reply := s.comment(ben, topic, old, "reply")
	s.wantChanges("reply", live, "ADDED reply 0")
	states.wants("only the reply changed the topic", `{"topicUpdated": {"topic": {"title": "Live", "commentCount": 2}}}`)
	s.mutate(ann, "deleteComment", input{"commentId": old}, "comment { id }")
	a, _ := live.next()
	wantEqual(t, "deletion", a.text("commentsUpdated", "kind"), "REMOVED")
	wantEqual(t, "deleted", a.text("commentsUpdated", "commentId"), old)
	if a.at("commentsUpdated", "comment", "deletedAt") == nil {
		t.Errorf("REMOVED = %s; want the tombstone", a.body)
	}
	s.mutate(ben, "deleteComment", input{"commentId": reply}, "comment { id }")
	a, _ = live.next()
	wantEqual(t, "second deletion", a.text("commentsUpdated", "commentId"), reply)
}

// The edges of events have the cursors that a read of the list gives, so that a page can take them up.
func TestEdgesOfEvents(t *testing.T) {
	s := newSite(t)
	ann := s.user("ann")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	const edges = `edge(orderBy: null, allDepths: null) { cursor node { id } }
		all: edge(orderBy: NEWEST, allDepths: true) { cursor } thread: edge(maxDepth: 1) { cursor }
		top: edge(orderBy: TOP) { cursor }`
	added := s.subscribe("", `subscription($t: ID!) { commentAdded(topic: {id: $t}) { `+edges+` } }`, input{"t": topic})
	updated := s.subscribe("", `subscription($t: ID!) { commentsUpdated(topic: {id: $t}) { `+edges+` } }`,
		input{"t": topic})
	parent := ""
	for depth := range 3 {
		parent = s.comment(ann, topic, parent, fmt.Sprint("At depth ", depth))
		read := s.must("", `query($t: ID!, $c: ID!) { node(id: $t) { ... on Topic {
			comments(topLevelOnly: true) { edges { cursor node { id } } }
			all: comments(first: 1, orderBy: NEWEST) { edges { cursor } }
			thread(maxDepth: 1, around: `+fmt.Sprint(depth+1)+`) { edges { cursor } } } }
			of: node(id: $c) { ... on Comment { parent { replies { edges { cursor node { id } } } } } } }`,
			input{"t": topic, "c": parent})
		want := map[string]any{"top": nil, "thread": nil, "all": read.at("node", "all", "edges", 0)}
		if depth == 0 {
			want["edge"] = read.at("node", "comments", "edges", 0)
		} else {
			want["edge"] = read.at("of", "parent", "replies", "edges", 0)
		}
		if depth < 2 {
			want["thread"] = read.at("node", "thread", "edges", depth)
		}
		for field, l := range map[string]*stream{"commentAdded": added, "commentsUpdated": updated} {
			a, _ := l.next()
			wantEqual(t, fmt.Sprintf("%s at depth %d", field, depth), a.at(field), any(want))
		}
	}
}

// What was posted and changed between a read and a subscription comes first: each new comment, and each changed one
// once, as it is now. It is the same for everyone, and does not come again after a later event.
func TestChangesToCommentsAreResumed(t *testing.T) {
	s := newSite(t)
	ann, ben := s.user("ann"), s.user("ben")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	one, two := s.comment(ann, topic, "", "one"), s.comment(ann, topic, "", "two")
	three := s.comment(ann, topic, "", "three")
	place := func() string {
		return s.must(ann, `query($t: ID!) { node(id: $t) { ... on Topic { commentsEventId } } }`, input{"t": topic}).
			text("node", "commentsEventId")
	}
	before := place()
	s.mutate(ben, "vote", input{"subjectId": two, "direction": "UP"}, "changed")
	s.mutate(ann, "updateComment", input{"commentId": one, "content": "one!"}, "comment { id }")
	s.mutate(ann, "deleteComment", input{"commentId": three}, "comment { id }")
	between := place()
	s.mutate(ann, "vote", input{"subjectId": two, "direction": "UP"}, "changed")
	s.comment(ben, topic, two, "four")
	want := []string{"ADDED four 0", "CHANGED one! 0", "REMOVED  0", "CHANGED two 2"}
	first := s.subscribe("", changesOf, input{"t": topic, "after": before})
	s.wantChanges("missed", first, want...)
	s.wantChanges("missed by another", s.subscribe(ben, changesOf, input{"t": topic, "after": before}), want...)
	s.wantChanges("missed later", s.subscribe("", changesOf, input{"t": topic, "after": between}),
		"ADDED four 0", "CHANGED two 2")
	added := s.subscribe("", commentsOf, input{"t": topic, "after": between})
	a, _ := added.next()
	wantEqual(t, "commentAdded after the same place", a.text("commentAdded", "comment", "content"), "four")
	s.wantChanges("after an event of commentAdded", s.subscribe("", changesOf,
		input{"t": topic, "after": a.text("commentAdded", "eventId")}), "RESET")

	s.mutate(ann, "updateComment", input{"commentId": two, "content": "two!"}, "comment { id }")
	live, _ := first.next()
	wantEqual(t, "then", changeIn(live), "CHANGED two! 2")
	last := live.text("commentsUpdated", "eventId")
	again := s.subscribe("", changesOf, input{"t": topic, "after": last})
	added = s.subscribe("", commentsOf, input{"t": topic, "after": last})
	s.comment(ben, topic, "", "five")
	s.wantChanges("after the last one", again, "ADDED five 0")
	a, _ = added.next()
	wantEqual(t, "commentAdded after an event of commentsUpdated", a.text("commentAdded", "comment", "content"), "five")
}

// Many votes on one comment are few events, the last of which has all of them, and push nothing out of what is kept.
func TestManyVotesOnACommentAreFewEvents(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	ann := s.user("ann")
	s.category(s.moderator("molly"), "Go")
	topic := s.topic(ann, "Go", "Live")
	old := s.comment(ann, topic, "", "old")
	live := s.subscribe("", changesOf, input{"t": topic})
	missed := s.must(ann, `query($t: ID!) { node(id: $t) { ... on Topic { commentsEventId } } }`, input{"t": topic}).
		text("node", "commentsEventId")
	const votes = 600 // more than are kept
	for n := range votes {
		s.mutate(ann, "vote", input{"subjectId": old, "direction": []string{"UP", "NONE"}[n%2]}, "changed")
	}
	s.comment(ann, topic, "", "end")
	events := 0
	for {
		a, ok := live.next()
		if !ok {
			t.Fatal("the stream ended")
		}
		if events++; changeIn(a) == "ADDED end 0" {
			break
		}
	}
	if events > votes/4 {
		t.Errorf("%d votes were %d events", votes, events)
	}
	s.wantChanges("missed", s.subscribe("", changesOf, input{"t": topic, "after": missed}), "ADDED end 0", "CHANGED old 0")
}
