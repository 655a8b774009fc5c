package homes_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// home returns the topics of a user's home, latest first.
func home(x *storetest.Site, id forum.UserID) []forum.TopicID {
	x.T.Helper()
	members := must.Do(x.Redis.ZRevRange(x.Ctx, key.Home(id), 0, -1).Result())(x.T)
	topics := make([]forum.TopicID, len(members))
	for i, m := range members {
		n, _ := strconv.ParseInt(m, 16, 64)
		topics[i] = forum.TopicID(n)
	}
	return topics
}

// A task that fills a home which changes each time it was read is not given up, and fills it once it no longer changes.
func TestBusyHomeIsFilledLater(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	topic := x.Topic(ann, x.Category("Go"))
	busy := true
	s := x.Process(store.WithSteps(func(step string) {
		if busy && step == "fill_install" {
			x.Redis.HIncrBy(x.Ctx, key.Internal(key.User(ann.ID)), "homeEpoch", 1)
		}
	}))
	x.Redis.Del(x.Ctx, key.Home(ann.ID))
	x.Redis.HSet(x.Ctx, key.Internal(key.User(ann.ID)), "homeFloor", record.HomeNotKept)
	must.OK(t, s.Homes.WakeHome(x.Ctx, ann.ID))
	for range engine.MaxAttempts + 1 {
		if n := must.Do(s.Engine.RunDueTasks(x.Ctx))(t); n != 0 {
			t.Fatalf("%d tasks were done; want a home that changes not to be filled", n)
		}
		x.Clock.Advance(10 * time.Second)
	}
	busy = false
	must.Do(s.Engine.RunDueTasks(x.Ctx))(t)
	if got, want := home(x, ann.ID), []forum.TopicID{topic}; !slices.Equal(got, want) {
		t.Errorf("home = %v; want %v", got, want)
	}
}

func TestDeletedBlockersNoLongerHideTopics(t *testing.T) {
	x := storetest.New(t)
	ann, bob := x.User("ann"), x.User("bob")
	c := x.Category("Go")
	x.Turn(ann, forum.Target{Category: c}, true)
	topic := x.Topic(bob, c)
	must.Do(x.Follows.Block(x.Ctx, bob.ID, ann.ID, true))(t)
	must.OK(t, x.Accounts.DeleteAccount(x.Ctx, bob.ID, "hash of bob"))
	x.Settle()
	if got, want := home(x, ann.ID), []forum.TopicID{topic}; !slices.Equal(got, want) {
		t.Errorf("home after the blocker was deleted = %v; want %v", got, want)
	}
}

// Every write to a topic that has not reached homes yet writes it there.
func TestEveryWriteFansOutATopic(t *testing.T) {
	writes := map[string]func(x *storetest.Site, by *forum.Viewer, id forum.TopicID, c forum.CommentID) error{
		"vote": func(x *storetest.Site, by *forum.Viewer, id forum.TopicID, _ forum.CommentID) error {
			_, err := x.Votes.VoteTopic(x.Ctx, by, id, forum.VoteUp)
			return err
		},
		"comment": func(x *storetest.Site, by *forum.Viewer, id forum.TopicID, _ forum.CommentID) error {
			_, err := x.Posts.CreateComment(x.Ctx, by, site.Remark(id, 0))
			return err
		},
		"deletion of a comment": func(x *storetest.Site, by *forum.Viewer, _ forum.TopicID, c forum.CommentID) error {
			return x.Posts.DeleteComment(x.Ctx, by, c)
		},
		"tags": func(x *storetest.Site, by *forum.Viewer, id forum.TopicID, _ forum.CommentID) error {
			return x.Posts.TagTopic(x.Ctx, by, id, site.Tags("new"), nil)
		},
	}
	for name, write := range writes {
		t.Run(name, func(t *testing.T) {
			x := storetest.New(t)
			ann, bob := x.User("ann"), x.User("bob")
			x.Turn(ann, forum.Target{User: bob.ID}, true)
			bulk := site.On(t, x.Bulk()) // leaves all but the first scripts to others, like a process that dies
			id := bulk.Post(site.Discussion(bob, x.Category("go")))
			c := bulk.Comment(bob, id, 0)
			storetest.WantOK(t, name, write(x, bob, id, c))
			x.Engine.Cleaner.Flush()
			if got, want := home(x, ann.ID), []forum.TopicID{id}; !slices.Equal(got, want) {
				t.Errorf("home = %v; want %v", got, want)
			}
			if fan, ok := x.Hash(key.Topic(id))["fan"]; ok {
				t.Errorf("fan is still %q", fan)
			}
		})
	}
}
