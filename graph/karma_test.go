package graph_test

import "testing"

// Votes of others on topics and comments count, the user's own do not, nor those on what is deleted.
func TestUserKarma(t *testing.T) {
	b := newFullSite(t)
	karma := func(login string) int {
		b.settle()
		return b.must("", `query($l: String!) { user(by: {login: $l}) { karma } }`, input{"l": login}).number("user", "karma")
	}
	start := karma("ann")
	b.wantVerdict("ann's own", b.vote(b.ann, b.topic, "UP"), "")
	b.wantVerdict("ann's own comment", b.vote(b.ann, b.comment, "DOWN"), "")
	wantEqual(t, "after her own votes", karma("ann"), start)
	b.wantVerdict("bob's", b.vote(b.bob, b.topic, "UP"), "")
	b.wantVerdict("bob's on a comment", b.vote(b.bob, b.comment, "UP"), "")
	b.wantVerdict("a moderator's on a comment", b.vote(b.mod, b.comment, "UP"), "")
	author := b.must("", `query($id: ID!) { node(id: $id) { ... on Comment { author { login karma } } } }`,
		input{"id": b.comment}).text("node", "author", "login")
	of := map[string]int{"ann": karma("ann"), "bob": karma("bob")}
	wantEqual(t, "the sum", of["ann"]+of["bob"], start+1+map[string]int{"ann": 2, "bob": 1}[author])
	before := karma("ann")
	b.wantVerdict("delete", b.mutate(b.ann, "deleteTopic", input{"topicId": b.topic}, ""), "")
	if after := karma("ann"); after >= before {
		t.Errorf("karma is %d after the topic was deleted; want less than %d", after, before)
	}
}
