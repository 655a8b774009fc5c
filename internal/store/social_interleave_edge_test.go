package store_test

import (
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
	"agora/internal/test/must"
)

// edgeInterleavings are interleavings of edges with each other and with deletions of accounts and categories.
var edgeInterleavings = []interleaving{
	// A topic is posted while its author is being followed: one of the two calls writes it into the
	// follower's home, because each writes before it reads.
	{name: "follow against publish", run: func(w *followSite) {
		wake := w.sleeps("home_backfill", func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), true) })
		w.hidden(key.Followers(w.bob.ID), key.Itoa(w.ann.ID), func() { w.postIn(w.Store) })
		wake()
	}, off: hideFar, lost: "a home without a topic"},
	{name: "publish against follow of the category", run: func(w *followSite) {
		w.Turn(w.User("carl"), toUser(w.bob), true) // otherwise there is no home to offer topics to
		wake := w.sleeps("home_offer", func(s *store.Store) { w.postIn(s) })
		at := record.Member(w.oneTopic(w.last()).CreatedAt, int64(w.last()))
		w.hidden(key.CategoryContainer(w.a).Order(key.OrderCreated), at, func() { w.Turn(w.ann, toCategory(w.a), true) })
		wake()
	}, off: hideFar, lost: "a home without a topic"},
	{name: "follow of the category before its index is written", run: func(w *followSite) {
		wake := w.sleeps("index", func(s *store.Store) { w.postIn(s) })
		w.Turn(w.ann, toCategory(w.a), true)
		wake()
	}},
	{name: "late reverse side of a follow", run: func(w *followSite) {
		wake := w.sleeps("edge_reverse", func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), true) })
		w.Turn(w.ann, toUser(w.bob), false)
		wake()
	}, off: func(w *followSite) { w.without(script.EdgeReverse{}, "time > left and", "") }, lost: "a follower who does not follow"},
	{name: "late reverse side of an unfollow", run: func(w *followSite) {
		w.Turn(w.ann, toUser(w.bob), true)
		wake := w.sleeps("edge_reverse", func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), false) })
		w.Turn(w.ann, toUser(w.bob), true)
		wake()
	}, off: func(w *followSite) { w.without(script.EdgeReverse{}, "has <= ended", "true") },
		lost: "a user who follows but is not a follower"},
	{name: "late end of a task", run: func(w *followSite) {
		wake := w.sleeps("edge_reverse", func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), true) })
		w.diesAt("edge_reverse", 1, func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), false) })
		wake()
	}, off: func(w *followSite) { w.without(script.TaskDone{}, `redis.call("HGET", task, "n") ~= token`, "false") }, lost: "a follower who does not follow"},
	{name: "follow again after an unfollow that died, of one without topics", run: func(w *followSite) {
		id := w.postIn(w.Store)
		w.Turn(w.ann, toUser(w.bob), true)
		w.diesAt("home_drop", 1, func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), false) })
		w.delete(id)
		w.Engine.Cleaner.Flush()
		w.Turn(w.ann, toUser(w.bob), true)
	}, off: noRevalidation, lost: "a deleted topic in a home"},
	{name: "follow against block", run: func(w *followSite) {
		wake := w.sleeps("edge_reverse", func(s *store.Store) { w.blockIn(s, w.bob, w.ann, true) })
		w.Turn(w.ann, toUser(w.bob), true)
		wake()
	}, off: func(w *followSite) {
		w.without(script.EdgeSet{}, `(since ~= false) == set or`, `op == "b" or (since ~= false) == set or`)
	}, lost: "following beyond a block"},
	{name: "follow behind a block", run: func(w *followSite) {
		w.postIn(w.Store) // otherwise there is no home to revalidate
		wake := w.sleeps("block_unfollow", func(s *store.Store) { w.blockIn(s, w.bob, w.ann, true) })
		w.hidden(key.Blockers(w.ann.ID), key.Itoa(w.bob.ID), func() {
			w.Follows.Follow(w.ctx, w.ann.ID, toUser(w.bob),
				true)
		})
		wake()
	}, off: hideFar, lost: "following beyond a block"},
	{name: "late block against unblock and follow", run: func(w *followSite) {
		wake := w.sleeps("edge_reverse", func(s *store.Store) { w.blockIn(s, w.bob, w.ann, true) })
		w.blockIn(w.Store, w.bob, w.ann, false)
		w.Turn(w.ann, toUser(w.bob), true)
		wake()
	}, off: func(w *followSite) { w.without(script.EdgeSet{}, `or (op == "b" and not blocking)`, "") }, lost: "the follow after the block is missing",
		ok: func(w *followSite) bool {
			return w.rdb.ZScore(w.ctx, key.Following(w.ann.ID), key.Itoa(w.bob.ID)).Err() == nil
		}},
	{name: "block against refill of the home of the blocked", run: func(w *followSite) {
		w.postIn(w.Store)
		w.Turn(w.ann, toCategory(w.a), true)
		w.makeUnkept(w.ann)
		wake := w.sleeps("fill_install", w.fillIn)
		w.blockIn(w.Store, w.bob, w.ann, true)
		wake()
	}, off: func(w *followSite) {
		w.without(script.EdgeReverse{}, `redis.call("HINCRBY", internal(end_key), "homeEpoch", 1)`, "")
	}, lost: "the topic of a blocker in a home"},
	{name: "late block against unblock in the home of the blocked", run: func(w *followSite) {
		w.postIn(w.Store)
		w.Turn(w.ann, toCategory(w.a), true)
		wake := w.sleeps("home_drop", func(s *store.Store) { w.blockIn(s, w.bob, w.ann, true) })
		w.blockIn(w.Store, w.bob, w.ann, false)
		wake()
	}, off: func(w *followSite) { w.without(script.HomeDrop{}, `(now_epoch or "") ~= epoch`, "false") }, lost: "a home without the topic of a former blocker"},
	{name: "follow against the end of the account", run: func(w *followSite) {
		wake := w.sleeps("edge_reverse", func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), true) })
		w.leaves(w.bob)
		wake()
	}, off: noTarget, lost: "a deleted user is followed"},
	{name: "end of the account against follow of others", run: func(w *followSite) {
		wake := w.sleeps("edge_reverse", func(s *store.Store) { w.followIn(s, w.bob, toUser(w.ann), true) })
		w.leaves(w.bob)
		wake()
	}, off: func(w *followSite) { w.without(script.EdgeReverse{}, "time > left and", "") }, lost: "a deleted follower"},
	{name: "follow against the end of the category", run: func(w *followSite) {
		wake := w.sleeps("edge_reverse", func(s *store.Store) { w.followIn(s, w.ann, toCategory(w.b), true) })
		wantOK(w.t, "DeleteCategory", w.Categories.DeleteCategory(w.ctx, nil, w.b))
		wake()
	}, off: noTarget, lost: "a deleted category is followed",
		ok: func(w *followSite) bool { return !w.exists(key.Subjects(w.ann.ID)) }},
	{name: "members of a list against the end of the account", run: func(w *followSite) {
		list, err := w.Follows.CreateList(w.ctx, w.ann.ID, "x", "x")
		wantOK(w.t, "CreateList", err)
		wake := w.sleeps("edge_reverse", func(s *store.Store) {
			wantOK(w.t, "UpdateListMembers", s.Follows.UpdateListMembers(w.ctx, w.ann.ID, list,
				[]forum.UserID{w.bob.ID}, nil))
			s.Engine.Cleaner.Flush()
		})
		w.leaves(w.bob)
		wake()
	}, off: noTarget, lost: "a deleted user on a list"},
}

// leaves deletes an account and ends its edges.
func (w *followSite) leaves(v *forum.Viewer) {
	w.t.Helper()
	login := w.hash(key.User(v.ID))["login"]
	wantOK(w.t, "DeleteAccount", w.Accounts.DeleteAccount(w.ctx, v.ID, "hash of "+login))
	must.Do(w.Engine.RunDueTasks(w.ctx))(w.t)
}

// hideFar hides the first write from concurrent readers.
func hideFar(w *followSite) { w.hides = true }

// hidden runs f, with the member hidden if the rule is disabled.
func (w *followSite) hidden(key, member string, f func()) {
	w.t.Helper()
	if w.hides {
		w.hiding(key, member, f)
	} else {
		f()
	}
}
