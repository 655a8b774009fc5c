package homes_test

import (
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

// edgeInterleavings are interleavings of edges with each other and with deletions of accounts and categories.
var edgeInterleavings = []interleaving{
	// A topic is posted while its author is being followed: one of the two calls writes it into the
	// follower's home, because each writes before it reads.
	{name: "follow against publish", run: func(w *storetest.Following) {
		wake := w.Sleeps("home_backfill", func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), true) })
		hidden(w, key.Followers(w.Bob.ID), key.Itoa(w.Ann.ID), func() { w.PostIn(w.Store) })
		wake()
	}, off: hideFar, lost: "a home without a topic"},
	{name: "publish against follow of the category", run: func(w *storetest.Following) {
		w.Turn(w.User("carl"), storetest.ToUser(w.Bob), true) // otherwise there is no home to offer topics to
		wake := w.Sleeps("home_offer", func(s *store.Store) { w.PostIn(s) })
		at := record.Member(w.OneTopic(w.Last()).CreatedAt, int64(w.Last()))
		hidden(w, key.CategoryContainer(w.A).Order(key.OrderCreated), at, func() {
			w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		})
		wake()
	}, off: hideFar, lost: "a home without a topic"},
	{name: "follow of the category before its index is written", run: func(w *storetest.Following) {
		wake := w.Sleeps("index", func(s *store.Store) { w.PostIn(s) })
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		wake()
	}},
	{name: "late reverse side of a follow", run: func(w *storetest.Following) {
		wake := w.Sleeps("edge_reverse", func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), true) })
		w.Turn(w.Ann, storetest.ToUser(w.Bob), false)
		wake()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.EdgeReverse{}, "time > left and", "")
	}, lost: "a follower who does not follow"},
	{name: "late reverse side of an unfollow", run: func(w *storetest.Following) {
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake := w.Sleeps("edge_reverse", func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), false) })
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake()
	}, off: func(w *storetest.Following) { without(w.Site, script.EdgeReverse{}, "has <= ended", "true") },
		lost: "a user who follows but is not a follower"},
	{name: "late end of a task", run: func(w *storetest.Following) {
		wake := w.Sleeps("edge_reverse", func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), true) })
		w.DiesAt("edge_reverse", 1, func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), false) })
		wake()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.TaskDone{}, `redis.call("HGET", task, "n") ~= token`, "false")
	}, lost: "a follower who does not follow"},
	{name: "follow again after an unfollow that died, of one without topics", run: func(w *storetest.Following) {
		id := w.PostIn(w.Store)
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		w.DiesAt("home_drop", 1, func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), false) })
		w.Delete(id)
		w.Engine.Cleaner.Flush()
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
	}, off: noRevalidation, lost: "a deleted topic in a home"},
	{name: "follow against block", run: func(w *storetest.Following) {
		wake := w.Sleeps("edge_reverse", func(s *store.Store) { w.BlockIn(s, w.Bob, w.Ann, true) })
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.EdgeSet{}, `(since ~= false) == set or`, `op == "b" or (since ~= false) == set or`)
	}, lost: "following beyond a block"},
	{name: "follow behind a block", run: func(w *storetest.Following) {
		w.PostIn(w.Store) // otherwise there is no home to revalidate
		wake := w.Sleeps("block_unfollow", func(s *store.Store) { w.BlockIn(s, w.Bob, w.Ann, true) })
		hidden(w, key.Blockers(w.Ann.ID), key.Itoa(w.Bob.ID), func() {
			w.Follows.Follow(w.Ctx, w.Ann.ID, storetest.ToUser(w.Bob),
				true)
		})
		wake()
	}, off: hideFar, lost: "following beyond a block"},
	{name: "late block against unblock and follow", run: func(w *storetest.Following) {
		wake := w.Sleeps("edge_reverse", func(s *store.Store) { w.BlockIn(s, w.Bob, w.Ann, true) })
		w.BlockIn(w.Store, w.Bob, w.Ann, false)
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.EdgeSet{}, `or (op == "b" and not blocking)`, "")
	}, lost: "the follow after the block is missing",
		ok: func(w *storetest.Following) bool {
			return w.Redis.ZScore(w.Ctx, key.Following(w.Ann.ID), key.Itoa(w.Bob.ID)).Err() == nil
		}},
	{name: "block against refill of the home of the blocked", run: func(w *storetest.Following) {
		w.PostIn(w.Store)
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		w.MakeUnkept(w.Ann)
		wake := w.Sleeps("fill_install", w.FillIn)
		w.BlockIn(w.Store, w.Bob, w.Ann, true)
		wake()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.EdgeReverse{}, `redis.call("HINCRBY", internal(end_key), "homeEpoch", 1)`, "")
	}, lost: "the topic of a blocker in a home"},
	{name: "late block against unblock in the home of the blocked", run: func(w *storetest.Following) {
		w.PostIn(w.Store)
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		wake := w.Sleeps("home_drop", func(s *store.Store) { w.BlockIn(s, w.Bob, w.Ann, true) })
		w.BlockIn(w.Store, w.Bob, w.Ann, false)
		wake()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.HomeDrop{}, `(now_epoch or "") ~= epoch`, "false")
	}, lost: "a home without the topic of a former blocker"},
	{name: "follow against the end of the account", run: func(w *storetest.Following) {
		wake := w.Sleeps("edge_reverse", func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), true) })
		leaves(w, w.Bob)
		wake()
	}, off: noTarget, lost: "a deleted user is followed"},
	{name: "end of the account against follow of others", run: func(w *storetest.Following) {
		wake := w.Sleeps("edge_reverse", func(s *store.Store) { w.FollowIn(s, w.Bob, storetest.ToUser(w.Ann), true) })
		leaves(w, w.Bob)
		wake()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.EdgeReverse{}, "time > left and", "")
	}, lost: "a deleted follower"},
	{name: "follow against the end of the category", run: func(w *storetest.Following) {
		wake := w.Sleeps("edge_reverse", func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToCategory(w.B), true) })
		storetest.WantOK(w.T, "DeleteCategory", w.Categories.DeleteCategory(w.Ctx, nil, w.B))
		wake()
	}, off: noTarget, lost: "a deleted category is followed",
		ok: func(w *storetest.Following) bool { return !w.Exists(key.Subjects(w.Ann.ID)) }},
	{name: "members of a list against the end of the account", run: func(w *storetest.Following) {
		list, err := w.Follows.CreateList(w.Ctx, w.Ann.ID, "x", "x")
		storetest.WantOK(w.T, "CreateList", err)
		wake := w.Sleeps("edge_reverse", func(s *store.Store) {
			storetest.WantOK(w.T, "UpdateListMembers", s.Follows.UpdateListMembers(w.Ctx, w.Ann.ID, list,
				[]forum.UserID{w.Bob.ID}, nil))
			s.Engine.Cleaner.Flush()
		})
		leaves(w, w.Bob)
		wake()
	}, off: noTarget, lost: "a deleted user on a list"},
}

// leaves deletes an account and ends its edges.
func leaves(w *storetest.Following, v *forum.Viewer) {
	w.T.Helper()
	login := w.Hash(key.User(v.ID))["login"]
	storetest.WantOK(w.T, "DeleteAccount", w.Accounts.DeleteAccount(w.Ctx, v.ID, "hash of "+login))
	must.Do(w.Engine.RunDueTasks(w.Ctx))(w.T)
}

// hideFar hides the first write from concurrent readers.
func hideFar(w *storetest.Following) { w.Hides = true }

// hidden runs f, with the member hidden if the rule is disabled.
func hidden(w *storetest.Following, key, member string, f func()) {
	w.T.Helper()
	if w.Hides {
		hiding(w.Site, key, member, f)
	} else {
		f()
	}
}
