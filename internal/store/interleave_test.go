package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/test/testlevel"
)

func z(score forum.Time, member string) redis.Z {
	return redis.Z{Score: float64(score), Member: member}
}

// A topic enters a category that is being deleted: one of the two calls fails, and no topic is lost or left
// in a deleted category.
func TestDeleteCategoryAgainstArrival(t *testing.T) {
	testlevel.Sequential(t)
	arrivals := map[string]func(*store.Store, *threadSite) error{
		"create": func(s *store.Store, w *threadSite) error {
			_, err := s.Posts.CreateTopic(w.ctx, discussion(w.bob, w.empty))
			return err
		},
		"move": func(s *store.Store, w *threadSite) error { return move(s, w, w.empty) },
	}
	for name, arrive := range arrivals {
		for _, step := range []string{"category_delete_begin", "index_close", "category_delete_finish"} {
			t.Run(name+", the deletion paused before "+step, func(t *testing.T) {
				w := newThreadSite(t)
				var deleted error
				wake := w.asleep(step, func(s *store.Store) {
					deleted = s.Categories.DeleteCategory(t.Context(), nil,
						w.empty)
				})
				arrived := arrive(w.Store, w)
				wake()
				w.wantOneWinner(deleted, arrived)
			})
		}
		for _, step := range []string{"topic_create", "topic_update", "index"} {
			if name == "create" && step == "topic_update" || name == "move" && step == "topic_create" {
				continue
			}
			t.Run(name+" paused before "+step, func(t *testing.T) {
				w := newThreadSite(t)
				var arrived error
				wake := w.asleep(step, func(s *store.Store) { arrived = arrive(s, w) })
				deleted := w.Categories.DeleteCategory(t.Context(), nil, w.empty)
				wake()
				w.wantOneWinner(deleted, arrived)
			})
		}
	}
}

func (w *threadSite) wantOneWinner(deleted, arrived error) {
	w.t.Helper()
	if (deleted == nil) == (arrived == nil) {
		w.t.Errorf("DeleteCategory = %v, arrival = %v; want exactly one to fail", deleted, arrived)
	}
	if deleted != nil {
		wantCode(w.t, "DeleteCategory", deleted, forum.CodeNotEmpty)
	}
	if arrived != nil {
		wantCode(w.t, "arrival", arrived, forum.CodeNotFound)
	}
	w.wantClean()
	if got := w.oneTopic(w.topic).State; got != forum.TopicOpen {
		w.t.Errorf("ann's topic is %s; want it OPEN", got)
	}
}

// A deletion that is abandoned does not remove the mark of another deletion, which has closed the index and
// died.
func TestConcurrentDeletionsOfOneCategory(t *testing.T) {
	w := newThreadSite(t)
	wake := w.asleep("category_delete_abort", func(s *store.Store) {
		wantCode(t, "DeleteCategory", s.Categories.DeleteCategory(t.Context(), nil, w.a), forum.CodeNotEmpty)
	})
	wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.ann, w.topic))
	w.dies(3, func(s *store.Store) { s.Categories.DeleteCategory(t.Context(), nil, w.a) })
	wake()
	w.clock.Advance(time.Minute)
	w.wantClean()
	if w.exists(key.Category(w.a)) {
		t.Error("the category exists; want it deleted, since its index is closed")
	}
}

// A category that a topic is leaving cannot be deleted before the topic has arrived in the other, so that
// it can still return.
func TestDeleteCategoryAgainstDeparture(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"index", "leave"} {
		w := newThreadSite(t)
		wake := w.asleep(step, func(s *store.Store) { wantOK(t, "UpdateTopic", move(s, w, w.b)) })
		wantCode(t, "DeleteCategory of the one being left", w.Categories.DeleteCategory(t.Context(), nil, w.a),
			forum.CodeNotEmpty)
		wake()
		wantOK(t, "DeleteCategory after the move", w.Categories.DeleteCategory(t.Context(), nil, w.a))
		w.wantClean()
	}
}

// Both the category that a topic moves to and the one it came from are being deleted.
func TestMoveBetweenTwoCategoriesBeingDeleted(t *testing.T) {
	w := newThreadSite(t)
	var moved error
	wake := w.asleep("index", func(s *store.Store) { moved = move(s, w, w.empty) })
	wantOK(t, "DeleteCategory of the new one", w.Categories.DeleteCategory(t.Context(), nil, w.empty))
	wantCode(t, "DeleteCategory of the old one", w.Categories.DeleteCategory(t.Context(), nil, w.a), forum.CodeNotEmpty)
	wake()
	wantCode(t, "UpdateTopic", moved, forum.CodeNotFound)
	w.wantClean()
	if got := w.oneTopic(w.topic); got.CategoryID != w.a || got.State != forum.TopicOpen {
		t.Errorf("topic = %+v; want it OPEN and back in %d", got, w.a)
	}
}

// Of moves that overtake each other, the last one in the topic's hash wins.
func TestMovesThatOvertakeEachOther(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"index", "leave"} {
		for _, via := range [][]forum.CategoryID{{3}, {1}, {3, 1}, {3, 2}} { // a 1, b 2, empty 3
			w := newThreadSite(t)
			wake := w.asleep(step, func(s *store.Store) { wantOK(t, "UpdateTopic", move(s, w, w.b)) })
			for _, to := range via {
				wantOK(t, "UpdateTopic", move(w.Store, w, to))
			}
			wake()
			w.wantClean()
			if got, want := w.oneTopic(w.topic).CategoryID, via[len(via)-1]; got != want {
				t.Errorf("paused before %s, then moves %v: category %d; want %d", step, via, got, want)
			}
		}
	}
}

// A process that finishes an old move keeps the remaining work of a newer one whose process died.
func TestOldMoveKeepsWhatANewerOneLeft(t *testing.T) {
	w := newThreadSite(t)
	wake := w.asleep("leave", func(s *store.Store) { wantOK(t, "UpdateTopic", move(s, w, w.b)) })
	w.dies(2, func(s *store.Store) { move(s, w, w.empty) })
	wake()
	w.clock.Advance(time.Minute)
	w.wantClean()
}

// Indexes of an old revision are written late, after the sweeper or another mutation has removed, moved or
// bumped the topic.
func TestLateIndexOfAnOldRevision(t *testing.T) {
	testlevel.Sequential(t)
	slow := map[string]func(*store.Store, *threadSite) error{
		"move": func(s *store.Store, w *threadSite) error { return move(s, w, w.b) },
		"comment": func(s *store.Store, w *threadSite) error {
			_, err := s.Posts.CreateComment(w.ctx, w.bob, remark(w.topic, 0))
			return err
		},
	}
	meanwhile := map[string]func(*threadSite){
		"deleted": func(w *threadSite) { wantOK(w.t, "DeleteTopic", w.Posts.DeleteTopic(w.ctx, w.ann, w.topic)) },
		"moved":   func(w *threadSite) { wantOK(w.t, "UpdateTopic", move(w.Store, w, w.empty)) },
		"bumped": func(w *threadSite) {
			w.clock.Advance(time.Second)
			w.Comment(w.ann, w.topic, 0)
		},
		"swept": func(w *threadSite) {
			w.clock.Advance(2 * time.Second)
			if n, err := w.Engine.Sweep(w.ctx); err != nil || n == 0 {
				w.t.Fatalf("Sweep = %d, %v; want some marks", n, err)
			}
			w.Engine.Cleaner.Flush()
		},
	}
	for name, mutate := range slow {
		for what, happen := range meanwhile {
			t.Run(name+" paused, the topic is "+what, func(t *testing.T) {
				w := newThreadSite(t)
				w.settle()
				wake := w.asleep("index", func(s *store.Store) { wantOK(t, name, mutate(s, w)) })
				happen(w)
				wake()
				w.clock.Advance(engine.FirstLease * time.Millisecond)
				w.wantClean()
			})
		}
	}
}

// An index remembers a removal for exactly an hour.
func TestRemovalsAreForgottenAfterAnHour(t *testing.T) {
	w := newThreadSite(t)
	wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.ann, w.topic))
	removeAnother := func() { // removals forget earlier ones
		wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.ann, w.Topic(w.ann, w.b)))
	}
	remembered := func() bool {
		return w.rdb.HExists(t.Context(), key.FrontContainer.Revisions(), key.Itoa(w.topic)).Val()
	}
	w.clock.Advance(forum.RemovalLife)
	removeAnother()
	if !remembered() {
		t.Error("the removal is forgotten after an hour; want it remembered until then")
	}
	w.clock.Advance(time.Millisecond)
	removeAnother()
	if remembered() {
		t.Error("the removal is remembered after more than an hour; want it forgotten")
	}
	w.wantClean()
}

// An entry that returned within the hour is not forgotten as removed.
func TestReturnedEntryIsNotForgotten(t *testing.T) {
	w := newThreadSite(t)
	for _, to := range []forum.CategoryID{w.b, w.a} {
		wantOK(t, "UpdateTopic", move(w.Store, w, to))
	}
	w.clock.Advance(forum.RemovalLife + time.Millisecond)
	w.Topic(w.ann, w.a)
	if c := key.CategoryContainer(w.a); !w.rdb.HExists(t.Context(), c.Revisions(), key.Itoa(w.topic)).Val() {
		t.Errorf("%s has forgotten a present topic", c.Revisions())
	}
}

// A topic is deleted while a comment on it is being posted.
func TestDeleteTopicAgainstComment(t *testing.T) {
	tests := []struct {
		step string
		want forum.Code
	}{{"comment_create", forum.CodeNotFound}, {"index", ""}}
	for _, tt := range tests {
		w := newThreadSite(t)
		var err error
		wake := w.asleep(tt.step, func(s *store.Store) {
			_, err = s.Posts.CreateComment(t.Context(), w.bob,
				remark(w.topic, 0))
		})
		wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.ann, w.topic))
		wake()
		if got := forum.CodeOf(err); got != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("CreateComment paused before %s = %v; want code %q", tt.step, err, tt.want)
		}
		w.wantClean()
	}
}

// A comment is deleted before its process has written its author's list.
func TestDeleteCommentAgainstItsCreation(t *testing.T) {
	w := newThreadSite(t)
	wake := w.asleep("index", func(s *store.Store) {
		w.Comment(w.bob, w.topic, 0)
		s.Posts.CreateComment(t.Context(), w.bob, remark(w.topic, 0))
	})
	last := ids[forum.CommentID](w.site, listing.TopicComments(w.topic, false, forum.Newest))[0]
	wantOK(t, "DeleteComment", w.Posts.DeleteComment(t.Context(), w.bob, last))
	wake()
	w.clock.Advance(engine.FirstLease * time.Millisecond)
	w.wantClean()
}

// A guard writes only the orders that a change concerns, if it has the revision before; otherwise all.
func TestGuardWritesWhatChanged(t *testing.T) {
	w := newThreadSite(t)
	w.settle()
	score, active := key.FrontContainer.Order(key.OrderScore), key.FrontContainer.Order(key.OrderActive)
	member := w.rdb.ZRange(t.Context(), score, 0, -1).Val()[0]
	const wrong = 7
	spoil := func() { // a mark by which to see what is written
		t.Helper()
		for _, order := range []string{score, active} {
			wantOK(t, "ZADD", w.rdb.ZAdd(t.Context(), order, redis.Z{Score: wrong, Member: member}).Err())
		}
	}
	written := func(order string) bool {
		return w.rdb.ZScore(t.Context(), order, member).Val() != wrong
	}
	reply := func() { w.Comment(w.bob, w.topic, 0) }
	vote := func() {
		w.Cast(w.bob, w.topic, forum.VoteUp)
	}
	for _, tt := range []struct {
		name          string
		gap           bool
		do            func()
		score, active bool
	}{
		{"a reply", false, reply, false, true},
		{"a vote", false, vote, true, false},
		{"a reply after a gap", true, reply, true, true},
	} {
		spoil()
		if tt.gap {
			wantOK(t, "HINCRBY", w.rdb.HIncrBy(t.Context(), key.FrontContainer.Revisions(), key.Itoa(w.topic), -1).Err())
		}
		tt.do()
		if written(score) != tt.score || written(active) != tt.active {
			t.Errorf("%s writes score: %v, active: %v; want %v, %v", tt.name, written(score), written(active), tt.score,
				tt.active)
		}
	}
}
