package posts_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// Of moves that overtake each other, the last one in the topic's hash wins.
func TestMovesThatOvertakeEachOther(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"index", "leave"} {
		for _, via := range [][]forum.CategoryID{{3}, {1}, {3, 1}, {3, 2}} { // a 1, b 2, empty 3
			w := storetest.NewThread(t)
			wake := w.Asleep(step, func(s *store.Store) {
				storetest.WantOK(t, "UpdateTopic", storetest.Move(s, w, w.B))
			})
			for _, to := range via {
				storetest.WantOK(t, "UpdateTopic", storetest.Move(w.Store, w, to))
			}
			wake()
			w.WantClean()
			if got, want := w.OneTopic(w.TopicID).CategoryID, via[len(via)-1]; got != want {
				t.Errorf("paused before %s, then moves %v: category %d; want %d", step, via, got, want)
			}
		}
	}
}

// A process that finishes an old move keeps the remaining work of a newer one whose process died.
func TestOldMoveKeepsWhatANewerOneLeft(t *testing.T) {
	w := storetest.NewThread(t)
	wake := w.Asleep("leave", func(s *store.Store) { storetest.WantOK(t, "UpdateTopic", storetest.Move(s, w, w.B)) })
	w.Dies(2, func(s *store.Store) { storetest.Move(s, w, w.EmptyID) })
	wake()
	w.Clock.Advance(time.Minute)
	w.WantClean()
}

// Indexes of an old revision are written late, after the sweeper or another mutation has removed, moved or
// bumped the topic.
func TestLateIndexOfAnOldRevision(t *testing.T) {
	testlevel.Sequential(t)
	slow := map[string]func(*store.Store, *storetest.Thread) error{
		"move": func(s *store.Store, w *storetest.Thread) error { return storetest.Move(s, w, w.B) },
		"comment": func(s *store.Store, w *storetest.Thread) error {
			_, err := s.Posts.CreateComment(w.Ctx, w.Bob, site.Remark(w.TopicID, 0))
			return err
		},
	}
	meanwhile := map[string]func(*storetest.Thread){
		"deleted": func(w *storetest.Thread) {
			storetest.WantOK(w.T, "DeleteTopic", w.Posts.DeleteTopic(w.Ctx, w.Ann, w.TopicID))
		},
		"moved": func(w *storetest.Thread) {
			storetest.WantOK(w.T, "UpdateTopic", storetest.Move(w.Store, w, w.EmptyID))
		},
		"bumped": func(w *storetest.Thread) {
			w.Clock.Advance(time.Second)
			w.Comment(w.Ann, w.TopicID, 0)
		},
		"swept": func(w *storetest.Thread) {
			w.Clock.Advance(2 * time.Second)
			if n, err := w.Engine.Sweep(w.Ctx); err != nil || n == 0 {
				w.T.Fatalf("Sweep = %d, %v; want some marks", n, err)
			}
			w.Engine.Cleaner.Flush()
		},
	}
	for name, mutate := range slow {
		for what, happen := range meanwhile {
			t.Run(name+" paused, the topic is "+what, func(t *testing.T) {
				w := storetest.NewThread(t)
				w.Settle()
				wake := w.Asleep("index", func(s *store.Store) { storetest.WantOK(t, name, mutate(s, w)) })
				happen(w)
				wake()
				w.Clock.Advance(engine.FirstLease * time.Millisecond)
				w.WantClean()
			})
		}
	}
}

// An index remembers a removal for exactly an hour.
func TestRemovalsAreForgottenAfterAnHour(t *testing.T) {
	w := storetest.NewThread(t)
	storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID))
	removeAnother := func() { // removals forget earlier ones
		storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.Ann, w.Topic(w.Ann, w.B)))
	}
	remembered := func() bool {
		return w.Redis.HExists(t.Context(), key.FrontContainer.Revisions(), key.Itoa(w.TopicID)).Val()
	}
	w.Clock.Advance(forum.RemovalLife)
	removeAnother()
	if !remembered() {
		t.Error("the removal is forgotten after an hour; want it remembered until then")
	}
	w.Clock.Advance(time.Millisecond)
	removeAnother()
	if remembered() {
		t.Error("the removal is remembered after more than an hour; want it forgotten")
	}
	w.WantClean()
}

// An entry that returned within the hour is not forgotten as removed.
func TestReturnedEntryIsNotForgotten(t *testing.T) {
	w := storetest.NewThread(t)
	for _, to := range []forum.CategoryID{w.B, w.A} {
		storetest.WantOK(t, "UpdateTopic", storetest.Move(w.Store, w, to))
	}
	w.Clock.Advance(forum.RemovalLife + time.Millisecond)
	w.Topic(w.Ann, w.A)
	if c := key.CategoryContainer(w.A); !w.Redis.HExists(t.Context(), c.Revisions(), key.Itoa(w.TopicID)).Val() {
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
		w := storetest.NewThread(t)
		var err error
		wake := w.Asleep(tt.step, func(s *store.Store) {
			_, err = s.Posts.CreateComment(t.Context(), w.Bob,
				site.Remark(w.TopicID, 0))
		})
		storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID))
		wake()
		if got := forum.CodeOf(err); got != tt.want || (err == nil) != (tt.want == "") {
			t.Errorf("CreateComment paused before %s = %v; want code %q", tt.step, err, tt.want)
		}
		w.WantClean()
	}
}

// A comment is deleted before its process has written its author's list.
func TestDeleteCommentAgainstItsCreation(t *testing.T) {
	w := storetest.NewThread(t)
	wake := w.Asleep("index", func(s *store.Store) {
		w.Comment(w.Bob, w.TopicID, 0)
		s.Posts.CreateComment(t.Context(), w.Bob, site.Remark(w.TopicID, 0))
	})
	last := storetest.IDs[forum.CommentID](w.Site, listing.TopicComments(w.TopicID, false, forum.Newest))[0]
	storetest.WantOK(t, "DeleteComment", w.Posts.DeleteComment(t.Context(), w.Bob, last))
	wake()
	w.Clock.Advance(engine.FirstLease * time.Millisecond)
	w.WantClean()
}

// A guard writes only the orders that a change concerns, if it has the revision before; otherwise all.
func TestGuardWritesWhatChanged(t *testing.T) {
	w := storetest.NewThread(t)
	w.Settle()
	score, active := key.FrontContainer.Order(key.OrderScore), key.FrontContainer.Order(key.OrderActive)
	member := w.Redis.ZRange(t.Context(), score, 0, -1).Val()[0]
	const wrong = 7
	spoil := func() { // a mark by which to see what is written
		t.Helper()
		for _, order := range []string{score, active} {
			storetest.WantOK(t, "ZADD", w.Redis.ZAdd(t.Context(), order, redis.Z{Score: wrong, Member: member}).Err())
		}
	}
	written := func(order string) bool {
		return w.Redis.ZScore(t.Context(), order, member).Val() != wrong
	}
	reply := func() { w.Comment(w.Bob, w.TopicID, 0) }
	vote := func() {
		w.Cast(w.Bob, w.TopicID, forum.VoteUp)
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
			storetest.WantOK(t, "HINCRBY", w.Redis.HIncrBy(t.Context(), key.FrontContainer.Revisions(),
				key.Itoa(w.TopicID), -1).Err())
		}
		tt.do()
		if written(score) != tt.score || written(active) != tt.active {
			t.Errorf("%s writes score: %v, active: %v; want %v, %v", tt.name, written(score), written(active), tt.score,
				tt.active)
		}
	}
}
