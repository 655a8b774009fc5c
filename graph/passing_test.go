package graph_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/test/testlevel"
)

// cast lets the voters from first to last vote on a topic, each once.
func (l *pagingFixture) cast(topic string, first, last int, direction forum.VoteDirection) {
	l.t.Helper()
	_, key, _ := globalid.Split(topic)
	id, err := forum.ParseID[forum.TopicID](key)
	for _, voter := range l.voters[first:last] {
		if err == nil {
			_, err = l.store.Votes.VoteTopic(context.Background(), voter, id, direction)
		}
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

// climb returns the present positions in a timeline by the ids of topics. A snapshot is that of a minute that has
// just begun.
func (l *pagingFixture) climb(timeline string) map[string]int {
	l.t.Helper()
	l.clock.Advance(time.Minute)
	places := map[string]int{}
	for i, p := range l.page(timeline, "first: 100").Edges {
		places[p.Node.ID] = i
	}
	return places
}

// wantPasses casts exactly as many votes on a row as it should need, and checks that it passes the row before it;
// with one vote fewer it must not. If no number of votes should suffice, as many as could help must not.
func (l *pagingFixture) wantPasses(what, timeline string, row, before place) {
	l.t.Helper()
	above := func() bool {
		places := l.climb(timeline)
		return places[row.Node.ID] < places[before.Node.ID]
	}
	most := max(0, -row.Node.Votes.Net) + 2 // beyond it, up-votes settle a controversy
	if votes := row.Explanation.VotesToPass; votes != nil {
		most = *votes
	}
	if most > len(l.voters) {
		l.t.Fatalf("%s: %d votes to pass; want no more than there are voters, %d", what, most, len(l.voters))
	}
	defer l.cast(row.Node.ID, 0, most, forum.VoteNone)
	l.cast(row.Node.ID, 0, most-1, forum.VoteUp)
	if above() {
		l.t.Errorf("%s: %+v is above %+v after %d votes; want it to need one more", what, row, before, most-1)
	}
	l.cast(row.Node.ID, most-1, most, forum.VoteUp)
	if got, want := above(), row.Explanation.VotesToPass != nil; got != want {
		l.t.Errorf("%s: %+v is above %+v after %d votes: %t; want %t", what, row, before, most, got, want)
	}
}

// The votesToPass of a page are exact, for each row except the first of the list: on the rows of a whole list, and on
// the first of pages that begin anywhere.
func TestVotesToPassOfEveryRowAreExact(t *testing.T) {
	testlevel.Usual(t)
	l := newPagingFixture(t, 3, 12, 33)
	none := 0
	for _, tt := range []struct{ owner, order, period string }{
		{owners[0], "SCORE", ""}, {owners[0], "HOT", ""}, {owners[0], "TOP", ""}, {owners[0], "TOP", "DAY"},
		{owners[0], "CONTROVERSIAL", ""},
		{owners[1], "SCORE", ""}, {owners[2], "HOT", ""}, {owners[2], "CONTROVERSIAL", ""}, {owners[3], "HOT", ""},
		{owners[3], "TOP", "WEEK"},
	} {
		timeline := ordered(tt.owner, tt.order, "DESC", tt.period)
		all := l.page(timeline, "first: 100").Edges
		if all[0].Explanation.VotesToPass != nil {
			t.Errorf("%s: the first has votesToPass %d; want none", timeline, *all[0].Explanation.VotesToPass)
		}
		for i, row := range all[1:] {
			if row.Explanation.VotesToPass == nil {
				none++
			}
			l.wantPasses(timeline, timeline, row, all[i])
		}
	}
	if none == 0 {
		t.Error("all rows can be lifted; the test shows little of those that cannot")
	}
}

func TestVotesToPassOnTheFirstRowOfAPage(t *testing.T) {
	l := newPagingFixture(t, 5, 12, 33)
	for _, tt := range []struct{ owner, order string }{
		{owners[0], "SCORE"}, {owners[0], "TOP"}, {owners[2], "HOT"}, {owners[2], "SCORE"}, {owners[2], "TOP"},
		{owners[2], "CONTROVERSIAL"},
	} {
		timeline := ordered(tt.owner, tt.order, "DESC", "")
		for _, from := range []int{3, 7} {
			all := l.page(timeline, "first: 100").Edges
			before := l.page(timeline, fmt.Sprintf("first: %d", from))
			next := l.page(timeline, fmt.Sprintf("first: 2, skip: %d", from+1)).PageInfo.StartCursor
			for _, args := range []string{
				fmt.Sprintf("first: 2, after: %q", before.PageInfo.EndCursor), fmt.Sprintf("first: 2, skip: %d", from),
				fmt.Sprintf("last: %d", len(all)-from), fmt.Sprintf("last: 1, before: %q", next),
				fmt.Sprintf("last: 1, after: %q, before: %q", before.PageInfo.EndCursor, next),
			} {
				page := l.page(timeline, args).Edges
				if len(page) == 0 || page[0].Rank != from+1 ||
					!slices.EqualFunc(page[:1], all[from:from+1], func(a, b place) bool { return a.Node.ID == b.Node.ID }) {
					t.Fatalf("%s %s: %+v; want it to begin with row %d of %+v", timeline, args, page, from, all)
				}
				wantEqual(t, timeline+" "+args+": votes to pass", page[0].Explanation.VotesToPass,
					all[from].Explanation.VotesToPass)
			}
			first := l.page(timeline, fmt.Sprintf("first: 1, after: %q", before.PageInfo.EndCursor)).Edges[0]
			l.wantPasses(timeline+" after a cursor", timeline, first, all[from-1])
		}
	}
}

// If votes are closed, votesToPass is null.
func TestVotesToPassOfClosedTopics(t *testing.T) {
	l := newPagingFixture(t, 7, 12, 2)
	l.clock.Advance(time.Duration(forum.VotingWindow) * time.Millisecond)
	open, closed := 0, 0
	for i, p := range l.page("front(orderBy: {field: SCORE})", "first: 100").Edges {
		switch votes := p.Explanation.VotesToPass; {
		case p.Node.Votes.IsOpen:
			open++
			if (votes == nil) != (i == 0) {
				t.Errorf("row %d, which is open, has votesToPass %v; want some unless it is the first", i, votes)
			}
		default:
			closed++
			if votes != nil {
				t.Errorf("row %d, which is closed, has votesToPass %d; want none", i, *votes)
			}
		}
	}
	if open < 2 || closed < 2 {
		t.Errorf("%d topics are open, %d are not; want some of both", open, closed)
	}
}
