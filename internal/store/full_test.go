package store_test

import (
	"context"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// fullSite is a storetest.Thread with one of everything that can be deleted.
type fullSite struct {
	*storetest.Thread
	list forum.ListID
	tab  forum.TabID
	dora *forum.Viewer
}

func newFullSite(t *testing.T) *fullSite {
	t.Helper()
	w := &fullSite{Thread: storetest.NewThread(t)}
	w.list = must.Do(w.Follows.CreateList(w.Ctx, w.Ann.ID, "list", "list"))(t)
	storetest.WantOK(t, "UpdateListMembers", w.Follows.UpdateListMembers(w.Ctx, w.Ann.ID, w.list,
		[]forum.UserID{w.Bob.ID}, nil))
	w.tab = w.Tab("other", w.A)
	w.dora = w.User("dora")
	must.Do(w.Follows.Follow(w.Ctx, w.Ann.ID, forum.Target{User: w.Bob.ID}, true))(t)
	must.Do(w.Follows.Block(w.Ctx, w.dora.ID, w.Ann.ID, true))(t)
	w.Bookmark(w.Bob, w.TopicID, true)
	w.Watch(w.Bob, w.TopicID, true)
	w.Watch(w.dora, w.TopicID, true)
	w.Comment(w.Ann, w.TopicID, 0)
	w.Cast(w.Bob, w.TopicID, forum.VoteUp)
	w.CastOn(w.Ann, w.CommentID, forum.VoteUp)
	w.Session(w.Ann.ID, "digest", time.Hour)
	w.Token(w.Ann, storetest.DigestA, forum.ScopeRead)
	w.Settle()
	return w
}

// deletions are all changes that make data smaller, in an order in which each finds what it deletes.
var deletions = []struct {
	name string
	run  func(context.Context, *fullSite) error
}{
	{"unfollow", func(ctx context.Context, w *fullSite) error {
		_, err := w.Follows.Follow(ctx, w.Ann.ID, forum.Target{User: w.Bob.ID}, false)
		return err
	}},
	{"unblock", func(ctx context.Context, w *fullSite) error {
		_, err := w.Follows.Block(ctx, w.dora.ID, w.Ann.ID, false)
		return err
	}},
	{"remove a bookmark", func(ctx context.Context, w *fullSite) error {
		_, err := w.Follows.Bookmark(ctx, w.Bob.ID, w.TopicID, false)
		return err
	}},
	{"stop watching", func(ctx context.Context, w *fullSite) error {
		_, err := w.Follows.WatchTopic(ctx, w.Bob.ID, w.TopicID, false)
		return err
	}},
	{"withdraw a vote", func(ctx context.Context, w *fullSite) error {
		_, err := w.Votes.VoteTopic(ctx, w.Bob, w.TopicID, forum.VoteNone)
		return err
	}},
	{"withdraw a vote on a comment", func(ctx context.Context, w *fullSite) error {
		_, err := w.Votes.VoteComment(ctx, w.Ann, w.CommentID, forum.VoteNone)
		return err
	}},
	{"remove from a list", func(ctx context.Context, w *fullSite) error {
		return w.Follows.UpdateListMembers(ctx, w.Ann.ID, w.list, nil, []forum.UserID{w.Bob.ID})
	}},
	{"delete a list", func(ctx context.Context, w *fullSite) error {
		return w.Follows.DeleteList(ctx, w.Ann.ID,
			w.list)
	}},
	{"delete a comment", func(ctx context.Context, w *fullSite) error {
		return w.Posts.DeleteComment(ctx, w.Bob,
			w.CommentID)
	}},
	{"delete a topic", func(ctx context.Context, w *fullSite) error {
		return w.Posts.DeleteTopic(ctx, w.Ann,
			w.TopicID)
	}},
	{"delete a tab", func(ctx context.Context, w *fullSite) error { return w.Categories.DeleteTab(ctx, nil, w.tab) }},
	{"delete a category", func(ctx context.Context, w *fullSite) error {
		return w.Categories.DeleteCategory(ctx, nil,
			w.EmptyID)
	}},
	{"revoke a token", func(ctx context.Context, w *fullSite) error {
		return w.Sessions.RevokeToken(ctx, w.Ann.ID, storetest.DigestA[:24])
	}},
	{"end a session", func(ctx context.Context, w *fullSite) error {
		return w.Sessions.EndSession(ctx, w.Ann.ID,
			"digest")
	}},
	{"delete an account", func(ctx context.Context, w *fullSite) error {
		return w.Accounts.DeleteAccount(ctx, w.dora.ID, "hash of dora")
	}},
}

// While Redis is full, what makes data smaller works, with all that it leaves to workers; new data are refused.
func TestDeletionsWhileRedisIsFull(t *testing.T) {
	testlevel.Sequential(t)
	testlevel.RealRedis(t)
	w := newFullSite(t)
	storetest.WantOK(t, "CONFIG SET", w.Redis.ConfigSet(w.Ctx, "maxmemory", "1").Err())
	top := w.Snapshot(storetest.Ranking(forum.ByTop, forum.Descending), forum.Window{Count: 2})
	if len(top.Rows) != 1 || top.Rows[0].Up != 1 {
		t.Errorf("TOP = %+v; want the topic with its vote", top)
	}
	for _, d := range deletions {
		if err := d.run(w.Ctx, w); err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
	}
	if _, err := w.Posts.CreateTopic(w.Ctx, site.Discussion(w.Ann, w.B)); !store.Unavailable(err) {
		t.Errorf("CreateTopic = %v; want unavailable", err)
	}
	if got := w.Page(listing.CategoryTopics(w.A), forum.Window{Count: 1}).Total; got != 0 {
		t.Errorf("the category lists %d topics; want none", got)
	}
	for range 3 {
		w.Engine.Cleaner.Flush()
		w.Clock.Advance(record.TaskLease * time.Millisecond)
		w.RunDue()
		if _, err := w.Engine.Sweep(w.Ctx); err != nil {
			t.Errorf("Sweep: %v", err)
		}
	}
	w.Engine.Cleaner.Flush()
	for _, left := range []string{"*}:due", "*}:dirty"} {
		if got := w.Redis.Keys(w.Ctx, left).Val(); len(got) > 0 {
			t.Errorf("%v is left while Redis is full", got)
		}
	}
	storetest.WantOK(t, "CONFIG SET", w.Redis.ConfigSet(w.Ctx, "maxmemory", "0").Err())
	w.WantClean()
}
