package votes_test

import (
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// Behaviour B7: posting an article counts its author's own vote, for a week; a discussion has none, nor has
// an import.
func TestAuthorsOwnVote(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	article, topic := x.Post(site.Link(ann)), x.Topic(ann, x.Category("go"))
	old := site.Link(ann)
	old.CreatedAt = x.Engine.Now() - forum.VotingWindow
	closed := x.Post(old)
	brought := site.Link(ann)
	brought.Source, brought.Upvotes, brought.CreatedAt = "old:1", 3, x.Engine.Now()-1
	created := must.Do(x.Import().Topics(t.Context(), []posts.NewTopic{brought}))(t)
	for id, want := range map[forum.TopicID]int{article: 1, topic: 0, closed: 0, created[0].ID: 3} {
		got := x.OneTopic(id)
		own := voteOf(x, ann, id) == forum.VoteUp
		if got.Upvotes != want || own != (id == article) {
			t.Errorf("topic %d has %d votes, the author's own %t; want %d, %t", id, got.Upvotes, own, want,
				id == article)
		}
	}
	if got := x.Order(key.FrontContainer, key.OrderScore)[article]; got != float64(x.Engine.Now()+432_000) {
		t.Errorf("score of an article just posted = %.0f; want now + 432 s", got)
	}
	if voted := x.Cast(ann, article, forum.VoteUp); voted.Changed || voted.Votes.Up != 1 {
		t.Errorf("the author's vote again = %+v; want no change", voted)
	}
	x.Settle()
	x.WantClean()
}

// Behaviour B20: voters are read by id, of any length, in pages.
func TestVotersAreOrderedByID(t *testing.T) {
	x := storetest.New(t)
	var want []forum.UserID
	for _, login := range []string{"a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "b0", "b1"} {
		want = append(want, x.User(login).ID)
	}
	topic := x.Topic(&forum.Viewer{ID: want[0]}, x.Category("go"))
	for _, id := range want {
		x.Cast(&forum.Viewer{ID: id}, topic, forum.VoteDown)
	}
	slices.Sort(want)
	var got []forum.UserID
	l, w := listing.Voters(topic, forum.VoteDown), forum.Window{Count: 5}
	for {
		page := x.Page(l, w)
		for _, r := range page.Rows {
			got = append(got, forum.UserID(r.ID))
		}
		if !page.HasNext() {
			break
		}
		w.After = &page.Rows[len(page.Rows)-1].Position
	}
	if none := x.Page(listing.Voters(topic, forum.VoteUp), forum.Window{Count: 5}); !slices.Equal(got, want) ||
		none.Total != 0 {
		t.Errorf("voters = %v, %d for; want %v against and none for", got, none.Total, want)
	}
}
