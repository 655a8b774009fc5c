package store

import (
	"errors"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/store/votes"
)

// Behaviours A33 to A36, B9: a vote is a state, not a toggle; repeating it changes nothing, the opposite
// replaces it, NONE withdraws it.
func TestVotesOfOneUser(t *testing.T) {
	e := newElection(t)
	carl := e.user("carl")
	subjects := map[string]func(forum.VoteDirection) votes.Voted{
		"discussion": func(v forum.VoteDirection) votes.Voted { return e.cast(carl, e.topic, v) },   // with one against
		"article":    func(v forum.VoteDirection) votes.Voted { return e.cast(carl, e.article, v) }, // with two for
		"comment":    func(v forum.VoteDirection) votes.Voted { return e.castOn(carl, e.comment, v) },
		"answer":     func(v forum.VoteDirection) votes.Voted { return e.castOn(carl, e.answer, v) },
	}
	up, down := map[string]int{"article": 2}, map[string]int{"discussion": 1}
	steps := []struct {
		name     string
		vote     forum.VoteDirection
		changed  bool
		up, down int
	}{
		{"nothing to withdraw", forum.VoteNone, false, 0, 0},
		{"first vote counts", forum.VoteUp, true, 1, 0},
		{"same vote again changes nothing", forum.VoteUp, false, 1, 0},
		{"opposite vote replaces it", forum.VoteDown, true, 0, 1},
		{"repeating that changes nothing", forum.VoteDown, false, 0, 1},
		{"back again", forum.VoteUp, true, 1, 0},
		{"taken back", forum.VoteNone, true, 0, 0},
		{"and again", forum.VoteNone, false, 0, 0},
	}
	for subject, vote := range subjects {
		for _, s := range steps {
			got := vote(s.vote)
			if got.Changed != s.changed || got.Votes.Up != up[subject]+s.up || got.Votes.Down != down[subject]+s.down {
				t.Errorf("%s: %s: changed %t, %d up, %d down; want %t, and %d, %d more", subject, s.name, got.Changed,
					got.Votes.Up, got.Votes.Down, s.changed, s.up, s.down)
			}
		}
	}
	e.wantClean()
}

// Behaviour B7: posting an article counts its author's own vote, for a week; a discussion has none, nor has
// an import.
func TestAuthorsOwnVote(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	article, topic := x.post(link(ann)), x.topic(ann, x.category("go"))
	old := link(ann)
	old.CreatedAt = x.Now() - forum.VotingWindow
	closed := x.post(old)
	brought := link(ann)
	brought.Source, brought.Upvotes, brought.CreatedAt = "old:1", 3, x.Now()-1
	created, err := x.Import().Topics(t.Context(), []posts.NewTopic{brought})
	wantOK(t, "Topics", err)
	for id, want := range map[forum.TopicID]int{article: 1, topic: 0, closed: 0, created[0].ID: 3} {
		got := x.oneTopic(id)
		own := x.voteOf(ann, id) == forum.VoteUp
		if got.Upvotes != want || own != (id == article) {
			t.Errorf("topic %d has %d votes, the author's own %t; want %d, %t", id, got.Upvotes, own, want, id == article)
		}
	}
	if got := x.order(key.FrontContainer, key.OrderScore)[article]; got != float64(x.Now()+432_000) {
		t.Errorf("score of an article just posted = %.0f; want now + 432 s", got)
	}
	if voted := x.cast(ann, article, forum.VoteUp); voted.Changed || voted.Votes.Up != 1 {
		t.Errorf("the author's vote again = %+v; want no change", voted)
	}
	x.settle()
	x.wantClean()
}

func TestVotesAreRefused(t *testing.T) {
	e := newElection(t)
	carl, mod := e.user("carl"), e.moderator("mod")
	deleted := e.site.topic(e.ann, e.a)
	on := e.site.comment(e.bob, deleted, 0)
	wantOK(t, "DeleteTopic", e.DeleteTopic(e.ctx, e.ann, deleted))
	wantOK(t, "DeleteComment", e.DeleteComment(e.ctx, e.ann, e.answer))
	closes := e.Now() + 604_800_000
	tests := []struct {
		name    string
		by      *forum.Viewer
		topic   forum.TopicID
		comment forum.CommentID
		want    forum.Code
	}{
		{"no topic", carl, 512, 0, forum.CodeNotFound},
		{"a deleted topic", carl, deleted, 0, forum.CodeNotFound},
		{"the voter's own deleted topic", e.ann, deleted, 0, forum.CodeLocked},
		{"a deleted topic, as a moderator", mod, deleted, 0, forum.CodeLocked},
		{"no comment", carl, 0, 512, forum.CodeNotFound},
		{"a topic as a comment", carl, 0, forum.CommentID(e.topic), forum.CodeNotFound},
		{"a comment on a deleted topic", carl, 0, on, forum.CodeNotFound},
		{"a comment on the voter's own deleted topic", e.ann, 0, on, forum.CodeLocked},
		{"a tombstone", carl, 0, e.answer, forum.CodeLocked},
		{"an article of last week", carl, e.article, 0, forum.CodeVotingClosed},
		{"the voter's own article of last week", e.bob, e.article, 0, forum.CodeVotingClosed},
	}
	e.at(closes)
	for _, tt := range tests {
		var err error
		if tt.comment != 0 {
			_, err = e.VoteComment(e.ctx, tt.by, tt.comment, forum.VoteDown)
		} else {
			_, err = e.VoteTopic(e.ctx, tt.by, tt.topic, forum.VoteDown)
		}
		wantCode(t, "a vote on "+tt.name, err, tt.want)
		if got := pathOf(err); !slices.Equal(got, forum.Input("subjectId")) {
			t.Errorf("a vote on %s fails at %v; want input.subjectId", tt.name, got)
		}
		var known *forum.Error
		if errors.As(err, &known) && tt.want == forum.CodeVotingClosed && known.ClosedAt != closes {
			t.Errorf("a vote on %s: voting closed at %d; want %d", tt.name, known.ClosedAt, closes)
		}
	}
	e.at(closes + 100*604_800_000)
	if voted := e.cast(carl, e.topic, forum.VoteUp); !voted.Changed || !voted.Votes.Open {
		t.Errorf("a vote on a discussion after two years = %+v; want it accepted", voted)
	}
}

// Behaviour B20: voters are read by id, of any length, in pages.
func TestVotersAreOrderedByID(t *testing.T) {
	x := newSite(t)
	var want []forum.UserID
	for _, login := range []string{"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b0", "b1"} {
		want = append(want, x.user(login).ID)
	}
	topic := x.topic(&forum.Viewer{ID: want[0]}, x.category("go"))
	for _, id := range want {
		x.cast(&forum.Viewer{ID: id}, topic, forum.VoteDown)
	}
	slices.Sort(want)
	var got []forum.UserID
	l, w := listing.Voters(topic, forum.VoteDown), forum.Window{Count: 5}
	for {
		page := x.page(l, w)
		for _, r := range page.Rows {
			got = append(got, forum.UserID(r.ID))
		}
		if !page.HasNext() {
			break
		}
		w.After = &page.Rows[len(page.Rows)-1].Position
	}
	if none := x.page(listing.Voters(topic, forum.VoteUp), forum.Window{Count: 5}); !slices.Equal(got, want) || none.Total != 0 {
		t.Errorf("voters = %v, %d for; want %v against and none for", got, none.Total, want)
	}
}

// A vote takes two round trips, one until it is stored and one until it is shown, on articles including
// their logs; so does tagging.
func TestRoundTripsOfVotesAndTags(t *testing.T) {
	e := newElection(t)
	calls := map[string]func(usage *Usage) error{
		"vote on an article": func(usage *Usage) error {
			_, err := e.VoteTopic(WithUsage(e.ctx, usage), e.ann, e.article, forum.VoteDown)
			return err
		},
		"vote on a discussion": func(usage *Usage) error {
			_, err := e.VoteTopic(WithUsage(e.ctx, usage), e.ann, e.topic, forum.VoteUp)
			return err
		},
		"vote on a comment": func(usage *Usage) error {
			_, err := e.VoteComment(WithUsage(e.ctx, usage), e.ann, e.answer, forum.VoteUp)
			return err
		},
		"give tags": func(usage *Usage) error {
			return e.TagTopic(WithUsage(e.ctx, usage), e.bob, e.article, labels("x", "y"), nil)
		},
	}
	for name, call := range calls {
		var usage Usage
		wantOK(t, name, call(&usage))
		if got := usage.RoundTrips.Load(); got != 2 {
			t.Errorf("%s: %d round trips; want 2", name, got)
		}
	}
	var again Usage
	e.clock.Advance(time.Second)
	e.settle()
	wantOK(t, "vote again", calls["vote on an article"](&again))
	if got := again.RoundTrips.Load(); got != 1 {
		t.Errorf("a vote that changes nothing: %d round trips; want 1", got)
	}
}
