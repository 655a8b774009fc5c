package graph_test

import (
	"fmt"
	"strings"
	"testing"
)

// hideBlocked leaves out what blocked users wrote, from every list that takes it, and costs one round trip.
func TestHideBlocked(t *testing.T) {
	b := newFullSite(t)
	b.wantVerdict("block", b.block(b.bob, userID(b.ann), true), "")
	mine := b.site.comment(b.mod, b.topic, "", "Mine")
	reply := b.site.comment(b.mod, b.topic, b.comment, "A reply")
	topic := b.site.topic(b.mod, "Tea", "Mine")
	ids := func(list string) []string { // of all rows, whether as nodes or as edges
		list = strings.NewReplacer("$t", fmt.Sprintf("%q", b.topic), "$c", fmt.Sprintf("%q", b.comment)).Replace(list)
		a := b.must(b.bob, "{ "+list+strings.Repeat(" }", strings.Count(list, "{")-strings.Count(list, "}")+1), nil)
		for _, path := range [][]any{{"node", "list"}, {"front", "list"}} {
			if a.at(path...) == nil {
				continue
			}
			nodes := a.texts("id", append(path, "nodes")...)
			for i, id := range nodes {
				wantEqual(t, list+": edge", a.at(append(path, "edges", i, "node", "id")...), any(id))
			}
			return nodes
		}
		t.Fatalf("no list in %s", a.body)
		return nil
	}
	const rows = `{ nodes { id author { login } } edges { node { id author { login viewerIsBlocking } } } }`
	for _, c := range []struct {
		list string
		want []string
	}{
		{"node(id: $t) { ... on Topic { list: comments(hideBlocked: true) " + rows, []string{b.tombstone, mine, reply}},
		{"node(id: $t) { ... on Topic { list: thread(hideBlocked: true) " + rows, []string{b.tombstone, reply, mine}},
		{"node(id: $c) { ... on Comment { list: replies(hideBlocked: true) " + rows, []string{b.tombstone, reply}},
		{"front { list: topics(hideBlocked: true) " + rows, []string{topic}},
	} {
		wantEqual(t, c.list, ids(c.list), c.want)
	}
	const query = `{ front { topics(first: 5, hideBlocked: %v) { edges { node { title author { login } } } } } }`
	without := b.must(b.bob, fmt.Sprintf(query, false), nil).Extensions.Redis.RoundTrips
	with := b.must(b.bob, fmt.Sprintf(query, true), nil).Extensions.Redis.RoundTrips
	wantEqual(t, "round trips", with, without+1)
	signedOut := b.must("", fmt.Sprintf(query, true), nil).Extensions.Redis.RoundTrips
	wantEqual(t, "round trips signed out", signedOut, without-1)
}
