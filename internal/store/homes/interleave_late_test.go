package homes_test

import (
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/store/script"
	"agora/internal/store/storetest"
)

// lateInterleavings are interleavings of a late write of an older state of a topic to homes with users who start
// or stop following it.
var lateInterleavings = []interleaving{
	{name: "publish against delete and a follow after it", run: func(w *storetest.Following) {
		wake := w.Sleeps("index", func(s *store.Store) { w.PostIn(s) })
		w.Delete(w.Last())
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake()
	}, off: noCheck, lost: "a deleted topic in a home"},
	{name: "tagging against removing the tag and a follow after it", run: func(w *storetest.Following) {
		w.PostIn(w.Store, "go") // otherwise the tag does not exist
		id := w.PostIn(w.Store)
		wake := w.Sleeps("index", func(s *store.Store) { w.Retag(s, id, "go", "") })
		w.Retag(w.Store, id, "", "go")
		w.Turn(w.Ann, storetest.ToTag("go"), true)
		wake()
	}, off: noCheck, lost: "a topic in a home without tags"},
	{name: "publish against unfollow, delete and follow", run: func(w *storetest.Following) {
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake := w.Sleeps("home_offer", func(s *store.Store) { w.PostIn(s) })
		w.Turn(w.Ann, storetest.ToUser(w.Bob), false)
		w.Delete(w.Last())
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake()
	}, off: noTombstones, lost: "a deleted topic in a home"},
	{name: "publish against unfollow, move and follow of the category", run: func(w *storetest.Following) {
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		wake := w.Sleeps("home_offer", func(s *store.Store) { w.PostIn(s) })
		w.Turn(w.Ann, storetest.ToCategory(w.A), false)
		storetest.WantOK(w.T, "UpdateTopic", w.Posts.UpdateTopic(w.Ctx, w.Bob, w.Last(),
			posts.TopicChange{Category: &w.B}))
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		wake()
	}, off: noTombstones, lost: "a topic in a home that was moved away"},
	{name: "move against delete and a follow by one who followed the old category", run: func(w *storetest.Following) {
		id := w.PostIn(w.Store)
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		wake := w.Sleeps("home_offer", func(s *store.Store) {
			storetest.WantOK(w.T, "UpdateTopic", s.Posts.UpdateTopic(w.Ctx, w.Bob, id,
				posts.TopicChange{Category: &w.B}))
			s.Engine.Cleaner.Flush()
		})
		w.Clock.Advance(2 * engine.SweepAfter * 1_000_000)
		w.SettleHomes()
		w.Delete(id)
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake()
	}, off: func(w *storetest.Following) { without(w.Site, script.HomeOffer{}, "elseif only == 0 then", "else") },
		lost: "a deleted topic in a home"},
	{name: "move against a follow of the old category", run: func(w *storetest.Following) {
		id := w.PostIn(w.Store)
		wake := w.Sleeps("leave", func(s *store.Store) {
			storetest.WantOK(w.T, "UpdateTopic", s.Posts.UpdateTopic(w.Ctx, w.Bob, id,
				posts.TopicChange{Category: &w.B}))
			s.Engine.Cleaner.Flush()
		})
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		hidden(w, key.CategoryContainer(w.A).Followers(), key.Itoa(w.Ann.ID), wake)
	}, off: hideFar, lost: "a topic in a home that was moved away"},
	{name: "unfollow against a follow of the category", run: func(w *storetest.Following) {
		w.PostIn(w.Store)
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		wake := w.Sleeps("edge_reverse", func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(w.Bob), false) })
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		wake()
	}, off: func(w *storetest.Following) {
		without(w.Site, script.HomeDrop{}, `(now_epoch or "") ~= epoch`, "false")
	}, lost: "a home without a topic"},
	{name: "backfill against a follow of the category", run: func(w *storetest.Following) {
		w.PostIn(w.Store)
		carl := w.User("carl")
		wake := w.Sleeps("home_backfill", func(s *store.Store) { w.FollowIn(s, w.Ann, storetest.ToUser(carl), true) })
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		wake()
	}},
	{name: "block against a follow of another by the blocked", run: func(w *storetest.Following) {
		w.PostIn(w.Store)
		w.Turn(w.Ann, storetest.ToUser(w.Bob), true)
		w.Turn(w.Ann, storetest.ToCategory(w.A), true)
		carl := w.User("carl")
		w.Titled(carl, 0, "a status")
		wake := w.Sleeps("edge_set", func(s *store.Store) { w.BlockIn(s, w.Bob, w.Ann, true) })
		w.Turn(w.Ann, storetest.ToUser(carl), true)
		wake()
	}},
}

func noCheck(w *storetest.Following) {
	without(w.Site, script.HomeCurrent{}, "now_fan == wanted_fan and 1 or 0", "1")
}

func noTombstones(w *storetest.Following) {
	without(w.Site, script.EdgeReverse{}, `redis.call("ZADD", left_by, changed_at, member)`, "")
}
