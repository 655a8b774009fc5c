package store_test

import (
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/store/script"
)

// lateInterleavings are interleavings of a late write of an older state of a topic to homes with users who start
// or stop following it.
var lateInterleavings = []interleaving{
	{name: "publish against delete and a follow after it", run: func(w *followSite) {
		wake := w.sleeps("index", func(s *store.Store) { w.postIn(s) })
		w.delete(w.last())
		w.Turn(w.ann, toUser(w.bob), true)
		wake()
	}, off: noCheck, lost: "a deleted topic in a home"},
	{name: "tagging against removing the tag and a follow after it", run: func(w *followSite) {
		w.postIn(w.Store, "go") // otherwise the tag does not exist
		id := w.postIn(w.Store)
		wake := w.sleeps("index", func(s *store.Store) { w.retag(s, id, "go", "") })
		w.retag(w.Store, id, "", "go")
		w.Turn(w.ann, toTag("go"), true)
		wake()
	}, off: noCheck, lost: "a topic in a home without tags"},
	{name: "publish against unfollow, delete and follow", run: func(w *followSite) {
		w.Turn(w.ann, toUser(w.bob), true)
		wake := w.sleeps("home_offer", func(s *store.Store) { w.postIn(s) })
		w.Turn(w.ann, toUser(w.bob), false)
		w.delete(w.last())
		w.Turn(w.ann, toUser(w.bob), true)
		wake()
	}, off: noTombstones, lost: "a deleted topic in a home"},
	{name: "publish against unfollow, move and follow of the category", run: func(w *followSite) {
		w.Turn(w.ann, toCategory(w.a), true)
		wake := w.sleeps("home_offer", func(s *store.Store) { w.postIn(s) })
		w.Turn(w.ann, toCategory(w.a), false)
		wantOK(w.t, "UpdateTopic", w.Posts.UpdateTopic(w.ctx, w.bob, w.last(), posts.TopicChange{Category: &w.b}))
		w.Turn(w.ann, toCategory(w.a), true)
		wake()
	}, off: noTombstones, lost: "a topic in a home that was moved away"},
	{name: "move against delete and a follow by one who followed the old category", run: func(w *followSite) {
		id := w.postIn(w.Store)
		w.Turn(w.ann, toCategory(w.a), true)
		wake := w.sleeps("home_offer", func(s *store.Store) {
			wantOK(w.t, "UpdateTopic", s.Posts.UpdateTopic(w.ctx, w.bob, id, posts.TopicChange{Category: &w.b}))
			s.Engine.Cleaner.Flush()
		})
		w.clock.Advance(2 * engine.SweepAfter * 1_000_000)
		w.settleHomes()
		w.delete(id)
		w.Turn(w.ann, toUser(w.bob), true)
		wake()
	}, off: func(w *followSite) { w.without(script.HomeOffer{}, "elseif only == 0 then", "else") },
		lost: "a deleted topic in a home"},
	{name: "move against a follow of the old category", run: func(w *followSite) {
		id := w.postIn(w.Store)
		wake := w.sleeps("leave", func(s *store.Store) {
			wantOK(w.t, "UpdateTopic", s.Posts.UpdateTopic(w.ctx, w.bob, id, posts.TopicChange{Category: &w.b}))
			s.Engine.Cleaner.Flush()
		})
		w.Turn(w.ann, toCategory(w.a), true)
		w.hidden(key.CategoryContainer(w.a).Followers(), key.Itoa(w.ann.ID), wake)
	}, off: hideFar, lost: "a topic in a home that was moved away"},
	{name: "unfollow against a follow of the category", run: func(w *followSite) {
		w.postIn(w.Store)
		w.Turn(w.ann, toUser(w.bob), true)
		wake := w.sleeps("edge_reverse", func(s *store.Store) { w.followIn(s, w.ann, toUser(w.bob), false) })
		w.Turn(w.ann, toCategory(w.a), true)
		wake()
	}, off: func(w *followSite) { w.without(script.HomeDrop{}, `(now_epoch or "") ~= epoch`, "false") }, lost: "a home without a topic"},
	{name: "backfill against a follow of the category", run: func(w *followSite) {
		w.postIn(w.Store)
		carl := w.User("carl")
		wake := w.sleeps("home_backfill", func(s *store.Store) { w.followIn(s, w.ann, toUser(carl), true) })
		w.Turn(w.ann, toCategory(w.a), true)
		wake()
	}},
	{name: "block against a follow of another by the blocked", run: func(w *followSite) {
		w.postIn(w.Store)
		w.Turn(w.ann, toUser(w.bob), true)
		w.Turn(w.ann, toCategory(w.a), true)
		carl := w.User("carl")
		w.Titled(carl, 0, "a status")
		wake := w.sleeps("edge_set", func(s *store.Store) { w.blockIn(s, w.bob, w.ann, true) })
		w.Turn(w.ann, toUser(carl), true)
		wake()
	}},
}

func noCheck(w *followSite) { w.without(script.HomeCurrent{}, "now_fan == wanted_fan and 1 or 0", "1") }

func noTombstones(w *followSite) {
	w.without(script.EdgeReverse{}, `redis.call("ZADD", left_by, changed_at, member)`, "")
}
