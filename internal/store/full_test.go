package store_test

import (
	"context"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// fullSite is a threadSite with one of everything that can be deleted.
type fullSite struct {
	*threadSite
	list forum.ListID
	tab  forum.TabID
	dora *forum.Viewer
}

func newFullSite(t *testing.T) *fullSite {
	t.Helper()
	w := &fullSite{threadSite: newThreadSite(t)}
	w.list = must.Do(w.Follows.CreateList(w.ctx, w.ann.ID, "list", "list"))(t)
	wantOK(t, "UpdateListMembers", w.Follows.UpdateListMembers(w.ctx, w.ann.ID, w.list, []forum.UserID{w.bob.ID}, nil))
	w.tab = w.Tab("other", w.a)
	w.dora = w.User("dora")
	must.Do(w.Follows.Follow(w.ctx, w.ann.ID, forum.Target{User: w.bob.ID}, true))(t)
	must.Do(w.Follows.Block(w.ctx, w.dora.ID, w.ann.ID, true))(t)
	w.bookmark(w.bob, w.topic, true)
	w.watch(w.bob, w.topic, true)
	w.watch(w.dora, w.topic, true)
	w.Comment(w.ann, w.topic, 0)
	w.Cast(w.bob, w.topic, forum.VoteUp)
	w.CastOn(w.ann, w.comment, forum.VoteUp)
	w.Session(w.ann.ID, "digest", time.Hour)
	w.token(w.ann, digestA, forum.ScopeRead)
	w.settle()
	return w
}

// deletions are all changes that make data smaller, in an order in which each finds what it deletes.
var deletions = []struct {
	name string
	run  func(context.Context, *fullSite) error
}{
	{"unfollow", func(ctx context.Context, w *fullSite) error {
		_, err := w.Follows.Follow(ctx, w.ann.ID, forum.Target{User: w.bob.ID}, false)
		return err
	}},
	{"unblock", func(ctx context.Context, w *fullSite) error {
		_, err := w.Follows.Block(ctx, w.dora.ID, w.ann.ID, false)
		return err
	}},
	{"remove a bookmark", func(ctx context.Context, w *fullSite) error {
		_, err := w.Follows.Bookmark(ctx, w.bob.ID, w.topic, false)
		return err
	}},
	{"stop watching", func(ctx context.Context, w *fullSite) error {
		_, err := w.Follows.WatchTopic(ctx, w.bob.ID, w.topic, false)
		return err
	}},
	{"withdraw a vote", func(ctx context.Context, w *fullSite) error {
		_, err := w.Votes.VoteTopic(ctx, w.bob, w.topic, forum.VoteNone)
		return err
	}},
	{"withdraw a vote on a comment", func(ctx context.Context, w *fullSite) error {
		_, err := w.Votes.VoteComment(ctx, w.ann, w.comment, forum.VoteNone)
		return err
	}},
	{"remove from a list", func(ctx context.Context, w *fullSite) error {
		return w.Follows.UpdateListMembers(ctx, w.ann.ID, w.list, nil, []forum.UserID{w.bob.ID})
	}},
	{"delete a list", func(ctx context.Context, w *fullSite) error {
		return w.Follows.DeleteList(ctx, w.ann.ID,
			w.list)
	}},
	{"delete a comment", func(ctx context.Context, w *fullSite) error {
		return w.Posts.DeleteComment(ctx, w.bob,
			w.comment)
	}},
	{"delete a topic", func(ctx context.Context, w *fullSite) error {
		return w.Posts.DeleteTopic(ctx, w.ann,
			w.topic)
	}},
	{"delete a tab", func(ctx context.Context, w *fullSite) error { return w.Categories.DeleteTab(ctx, nil, w.tab) }},
	{"delete a category", func(ctx context.Context, w *fullSite) error {
		return w.Categories.DeleteCategory(ctx, nil,
			w.empty)
	}},
	{"revoke a token", func(ctx context.Context, w *fullSite) error {
		return w.Accounts.RevokeToken(ctx, w.ann.ID, digestA[:24])
	}},
	{"end a session", func(ctx context.Context, w *fullSite) error {
		return w.Accounts.EndSession(ctx, w.ann.ID,
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
	wantOK(t, "CONFIG SET", w.rdb.ConfigSet(w.ctx, "maxmemory", "1").Err())
	top := w.snapshot(ranking(forum.ByTop, forum.Descending), forum.Window{Count: 2})
	if len(top.Rows) != 1 || top.Rows[0].Up != 1 {
		t.Errorf("TOP = %+v; want the topic with its vote", top)
	}
	for _, d := range deletions {
		if err := d.run(w.ctx, w); err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
	}
	if _, err := w.Posts.CreateTopic(w.ctx, discussion(w.ann, w.b)); !store.Unavailable(err) {
		t.Errorf("CreateTopic = %v; want unavailable", err)
	}
	if got := w.page(listing.CategoryTopics(w.a), forum.Window{Count: 1}).Total; got != 0 {
		t.Errorf("the category lists %d topics; want none", got)
	}
	for range 3 {
		w.Engine.Cleaner.Flush()
		w.clock.Advance(record.TaskLease * time.Millisecond)
		w.runDue()
		if _, err := w.Engine.Sweep(w.ctx); err != nil {
			t.Errorf("Sweep: %v", err)
		}
	}
	w.Engine.Cleaner.Flush()
	for _, left := range []string{"*}:due", "*}:dirty"} {
		if got := w.rdb.Keys(w.ctx, left).Val(); len(got) > 0 {
			t.Errorf("%v is left while Redis is full", got)
		}
	}
	wantOK(t, "CONFIG SET", w.rdb.ConfigSet(w.ctx, "maxmemory", "0").Err())
	w.wantClean()
}
