package votes_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/change"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// karma returns the karma of a user as stored.
func karma(x *storetest.Site, id forum.UserID) int {
	return record.Fields(x.Hash(key.User(id))).Int("karma")
}

func TestKarma(t *testing.T) {
	x := storetest.New(t)
	ann, bob, carl, category := x.User("ann"), x.User("bob"), x.User("carl"), x.Category("go")
	on, other := x.Topic(ann, category), x.Topic(bob, category)
	comment := x.Comment(bob, on, 0)
	step := func(what string, err error, wantAnn, wantBob int) {
		t.Helper()
		storetest.WantOK(t, what, err)
		x.Settle()
		if a, b := karma(x, ann.ID), karma(x, bob.ID); a != wantAnn || b != wantBob {
			t.Errorf("%s: karma of ann and bob = %d, %d; want %d, %d", what, a, b, wantAnn, wantBob)
		}
	}
	vote := func(by *forum.Viewer, id forum.TopicID, v forum.VoteDirection) error {
		_, err := x.Votes.VoteTopic(x.Ctx, by, id, v)
		return err
	}
	on2 := func(by *forum.Viewer, v forum.VoteDirection) error {
		_, err := x.Votes.VoteComment(x.Ctx, by, comment, v)
		return err
	}
	step("a vote", vote(bob, on, forum.VoteUp), 1, 0)
	step("the same again", vote(bob, on, forum.VoteUp), 1, 0)
	step("the author's own", vote(ann, on, forum.VoteDown), 1, 0)
	step("turned round", vote(bob, on, forum.VoteDown), -1, 0)
	step("the author's, turned round", vote(ann, on, forum.VoteUp), -1, 0)
	step("on a comment", on2(ann, forum.VoteUp), -1, 1)
	step("on a comment by another", on2(carl, forum.VoteUp), -1, 2)
	step("the author's own", on2(bob, forum.VoteUp), -1, 2)
	step("withdrawn", on2(ann, forum.VoteNone), -1, 1)
	step("the author's, withdrawn", on2(bob, forum.VoteNone), -1, 1)
	step("on another topic", vote(ann, other, forum.VoteUp), -1, 2)
	step("the comment is deleted", x.Posts.DeleteComment(x.Ctx, bob, comment), -1, 1)
	step("the other topic is deleted", x.Posts.DeleteTopic(x.Ctx, bob, other), -1, 0)
	in := site.Discussion(bob, category)
	in.Upvotes, in.Downvotes = 5, 2
	_, err := x.Posts.CreateTopic(x.Ctx, in)
	step("an imported topic", err, -1, 3)
	reply := site.Remark(on, 0)
	reply.Upvotes = 4
	_, err = x.Posts.CreateComment(x.Ctx, bob, reply)
	step("an imported comment", err, -1, 7)
	step("the topic of the comment is deleted", x.Posts.DeleteTopic(x.Ctx, ann, on), 0, 3)
	x.WantClean()
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.Ctx, bob.ID, "hash of bob"))
	x.WantClean()
	if x.Exists(key.Karma(bob.ID)) {
		t.Error("what is counted of a deleted user's comments is left")
	}
}

// Whatever is voted and deleted, in processes that die at any step, karma is the votes on what is there, once the
// sweeper has passed.
func TestKarmaModel(t *testing.T) {
	testlevel.Sequential(t)
	x := storetest.New(t)
	seed := testseed.First()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	users := []*forum.Viewer{x.User("ann"), x.User("bob"), x.User("carl"), x.User("dora")}
	category := x.Category("go")
	var topics []forum.TopicID
	var comments []forum.CommentID
	any := func() *forum.Viewer { return users[r.IntN(len(users))] }
	for range 8 {
		by := any()
		id := x.Topic(by, category)
		topics = append(topics, id)
		for range 3 {
			comments = append(comments, x.Comment(any(), id, 0))
		}
	}
	mod := x.Moderator("mia")
	for n := range 200 {
		x.Clock.Advance(1)
		v := []forum.VoteDirection{forum.VoteUp, forum.VoteDown, forum.VoteNone}[r.IntN(3)]
		step, by, topic, comment := 1+r.IntN(4), any(), topics[r.IntN(len(topics))], comments[r.IntN(len(comments))]
		x.Dies(step, func(s *store.Store) {
			switch k := r.IntN(40); {
			case k < 18:
				s.Votes.VoteTopic(x.Ctx, by, topic, v)
			case k < 37:
				s.Votes.VoteComment(x.Ctx, by, comment, v)
			case k == 37:
				s.Posts.DeleteComment(x.Ctx, mod, comment)
			case k == 38:
				s.Posts.DeleteTopic(x.Ctx, mod, topic)
			default:
				s.Posts.CreateComment(x.Ctx, by, site.Remark(topic, 0))
			}
		})
		if n%20 == 19 {
			x.Clock.Advance(3 * time.Second)
			x.WantClean()
		}
	}
	x.WantClean()
}

// A process that sleeps before it counts votes does not undo what was counted since, nor after a deletion.
func TestLateKarma(t *testing.T) {
	testlevel.Sequential(t)
	for name, happen := range map[string]func(x *storetest.Site, bob *forum.Viewer, id forum.CommentID,
		on forum.TopicID){
		"another vote": func(x *storetest.Site, bob *forum.Viewer, id forum.CommentID, _ forum.TopicID) {
			x.CastOn(bob, id, forum.VoteDown)
		},
		"hiding": func(x *storetest.Site, _ *forum.Viewer, id forum.CommentID, _ forum.TopicID) {
			x.Hide(x.Moderator("mia"), forum.Subject{Comment: id})
		},
		"hiding the topic": func(x *storetest.Site, _ *forum.Viewer, _ forum.CommentID, on forum.TopicID) {
			x.Hide(x.Moderator("mia"), forum.Subject{Topic: on})
		},
		"a deletion": func(x *storetest.Site, _ *forum.Viewer, id forum.CommentID, _ forum.TopicID) {
			storetest.WantOK(x.T, "DeleteComment", x.Posts.DeleteComment(x.Ctx, &forum.Viewer{ID: x.Owner("ann")}, id))
		},
		"the deletion of the topic": func(x *storetest.Site, _ *forum.Viewer, _ forum.CommentID, on forum.TopicID) {
			storetest.WantOK(x.T, "DeleteTopic", x.Posts.DeleteTopic(x.Ctx, &forum.Viewer{ID: x.Owner("ann")}, on))
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := storetest.New(t)
			ann, bob := x.User("ann"), x.User("bob")
			on := x.Topic(ann, x.Category("go"))
			id := x.Comment(ann, on, 0)
			x.CastOn(bob, id, forum.VoteUp)
			states, err := record.CommentStates(x.Ctx, x.Engine.Client,
				[]forum.CommentID{id}) // as a sweeper reads it, which then sleeps
			storetest.WantOK(t, "commentStates", err)
			happen(x, bob, id, on)
			x.Clock.Advance(3 * time.Second)
			x.Settle()
			must.Do(x.Store.Change.Write(x.Ctx, change.Set{Comments: states}))(t)
			x.WantClean()
		})
	}
}
