package engine_test

import (
	"bytes"
	"context"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// due returns the time until the only task of a partition can be claimed, in ms.
func due(x *storetest.Site, p forum.Partition) int64 {
	x.T.Helper()
	rows, err := x.Redis.ZRangeWithScores(x.Ctx, key.Due(p), 0, -1).Result()
	if err != nil || len(rows) != 1 {
		x.T.Fatalf("%s = %v, %v; want one task", key.Due(p), rows, err)
	}
	return int64(rows[0].Score) - int64(x.Engine.Now())
}

// A topic with 2,500 comments is retracted in three passes: one within the
// request, the others by a worker.
func TestRetractInThreePasses(t *testing.T) {
	testlevel.Sequential(t)
	const comments = 2500
	w := storetest.NewThread(t)
	bulk := w.Bulk()
	for n := range comments - 2 {
		by := []*forum.Viewer{w.Ann, w.Bob}[n%2]
		site.On(w.T, bulk).Comment(by, w.TopicID, 0)
	}
	w.Settle()
	length := func(v *forum.Viewer) int { return w.Page(listing.UserComments(v.ID), forum.Window{Count: 1}).Total }
	if got := length(w.Ann) + length(w.Bob); got != comments {
		t.Fatalf("comments listed = %d; want %d", got, comments)
	}
	passes := 0
	s := w.Process(store.WithSteps(func(name string) {
		if name == "task_pass" {
			passes++
		}
	}))
	storetest.WantOK(t, "DeleteTopic", s.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID))
	if got, want := length(w.Ann)+length(w.Bob), comments-engine.TaskPass; passes != 1 || got != want {
		t.Errorf("after the request: %d passes, %d comments listed; want 1 and %d", passes, got, want)
	}
	if n, err := s.Engine.RunDueTasks(t.Context()); err != nil || n != 1 {
		t.Errorf("RunDueTasks = %d, %v; want 1", n, err)
	}
	if got := length(w.Ann) + length(w.Bob); passes != 3 || got != 0 {
		t.Errorf("after the worker: %d passes, %d comments listed; want 3 and none", passes, got)
	}
	if n := w.RunDue(); n != 0 {
		t.Errorf("RunDueTasks again = %d; want 0", n)
	}
	w.WantClean()
}

// A task belongs to its holder until the lease ends, to the millisecond; then another process may claim it,
// and the old holder's updates are ignored.
func TestLeaseAndFencing(t *testing.T) {
	w := storetest.NewThread(t)
	w.Dies(3, func(s *store.Store) { s.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID) })
	p, name := w.TopicID.Partition(), record.RetractTask(w.TopicID)
	w.Clock.Advance(engine.FirstLease*time.Millisecond - time.Millisecond)
	if n := w.RunDue(); n != 0 {
		t.Errorf("RunDueTasks within the lease = %d; want 0", n)
	}
	w.Clock.Advance(time.Millisecond)
	second, ok, err := w.Engine.ClaimTask(t.Context(), p, name)
	if err != nil || !ok || second.Token != "1001" || second.Attempts != 2 {
		t.Fatalf("claimTask after the lease = %+v, %t, %v; want token 1001, attempt 2", second, ok, err)
	}
	w.Clock.Advance(record.TaskLease*time.Millisecond - time.Millisecond)
	if third, ok, err := w.Engine.ClaimTask(t.Context(), p, name); ok || err != nil {
		t.Errorf("claimTask within the second lease = %+v, %t, %v; want nothing", third, ok, err)
	}

	first := engine.Task{Partition: p, Name: name, Token: "1000", Attempts: 1}
	if mine, err := w.Engine.StepTask(t.Context(), first, "99", w.Engine.Now(), nil); mine || err != nil {
		t.Errorf("stepTask of the old holder = %t, %v; want refused", mine, err)
	}
	storetest.WantOK(t, "runTask of the old holder", w.Engine.RunTask(t.Context(), first, 0))
	if got := w.Hash(key.Task(p, name)); got["cursor"] != "" || got["n"] != "1001" {
		t.Errorf("task = %v; want it unchanged by its old holder", got)
	}
	storetest.WantOK(t, "runTask of the holder", w.Engine.RunTask(t.Context(), second, 0))
	if w.Exists(key.Task(p, name)) {
		t.Error("the task is left after its holder finished it")
	}
	w.WantClean()
}

// A shutdown in the middle of a task is not a failure: nothing is logged, and the task resumes when its
// lease expires.
func TestShutdownInterruptsATaskSilently(t *testing.T) {
	w := storetest.NewThread(t)
	w.Dies(3, func(s *store.Store) { s.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID) })
	w.Clock.Advance(engine.FirstLease * time.Millisecond)
	ctx, stop := context.WithCancel(t.Context())
	var log bytes.Buffer
	s := w.Process(store.WithLog(slog.New(slog.NewTextHandler(&log, nil))), store.WithSteps(func(name string) {
		if name == "task_pass" {
			stop()
		}
	}))
	if n, err := s.Engine.RunDueTasks(ctx); n != 0 || err != nil || log.Len() > 0 {
		t.Errorf("RunDueTasks during a shutdown = %d, %v, and logs %q; want 0 and no log", n, err, log.String())
	}
	w.Clock.Advance(record.TaskLease * time.Millisecond)
	if n := w.RunDue(); n != 1 {
		t.Errorf("RunDueTasks after the lease = %d; want 1", n)
	}
	w.WantClean()
}

// A failing task waits 1, 2, 4, … seconds, at most ten minutes, and is given up after MaxAttempts.
func TestBackoffAndGivingUp(t *testing.T) {
	w := storetest.NewThread(t)
	p, name := w.TopicID.Partition(), record.RetractTask(w.TopicID)
	w.Redis.ZAdd(t.Context(), key.TopicComments(w.TopicID), storetest.Entry(0, "junk"))
	storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID))
	want := int64(1000)
	for attempt := 1; attempt <= engine.MaxAttempts; attempt++ {
		if got := due(w.Site, p); got != want {
			t.Fatalf("after attempt %d the task waits %d ms; want %d", attempt, got, want)
		}
		if got := w.Hash(key.Task(p, name))["attempts"]; got != strconv.Itoa(attempt) {
			t.Fatalf("attempts = %s; want %d", got, attempt)
		}
		w.Clock.Advance(time.Duration(want-1) * time.Millisecond)
		if n := w.RunDue(); n != 0 || due(w.Site, p) != 1 {
			t.Fatalf("attempt %d: RunDueTasks a millisecond early = %d; want nothing done", attempt, n)
		}
		w.Clock.Advance(time.Millisecond)
		w.RunDue()
		want = min(2*want, engine.MaxBackoff)
	}
	dead := w.Redis.ZRange(t.Context(), key.Dead(p), 0, -1).Val()
	if len(dead) != 1 || dead[0] != name || w.Exists(key.Due(p)) {
		t.Errorf("dead = %v, due exists %t; want %s dead and nothing due", dead, w.Exists(key.Due(p)), name)
	}
}

// A task whose holder is killed again and again waits as long as one that fails, so that a server which restarts every
// few seconds does not have its tasks given up within a minute.
func TestKilledAttemptsWaitLikeFailedOnes(t *testing.T) {
	w := storetest.NewThread(t)
	p, name := w.TopicID.Partition(), record.RetractTask(w.TopicID)
	w.Redis.ZAdd(t.Context(), key.TopicComments(w.TopicID), storetest.Entry(0, "junk"))
	storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID))
	w.Clock.Advance(time.Second)
	for attempt, want := 2, int64(2000); attempt <= engine.MaxAttempts; attempt++ {
		held, ok, err := w.Engine.ClaimTask(t.Context(), p, name)
		if err != nil || !ok || held.Attempts != attempt {
			t.Fatalf("ClaimTask = %+v, %t, %v; want attempt %d", held, ok, err, attempt)
		}
		must.Do(w.Engine.RenewTask(t.Context(), held))(t)
		if got := due(w.Site, p); got != want {
			t.Fatalf("attempt %d ends with its process after %d ms; want %d", attempt, got, want)
		}
		w.Clock.Advance(time.Duration(want) * time.Millisecond)
		want = min(2*want, engine.MaxBackoff)
	}
}

// Progress resets the failures: only a task without progress is given up.
func TestProgressResetsFailures(t *testing.T) {
	w := storetest.NewThread(t)
	p, name := w.TopicID.Partition(), record.RetractTask(w.TopicID)
	w.Redis.ZAdd(t.Context(), key.TopicComments(w.TopicID), storetest.Entry(0, "junk"))
	storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID))
	for range 5 {
		w.Clock.Advance(time.Hour)
		w.RunDue()
	}
	w.Clock.Advance(time.Hour)
	held, ok, err := w.Engine.ClaimTask(t.Context(), p, name)
	if err != nil || !ok || held.Attempts != 7 {
		t.Fatalf("claimTask = %+v, %t, %v; want attempt 7", held, ok, err)
	}
	if mine, err := w.Engine.StepTask(t.Context(), held, "0", w.Engine.Now(), nil); !mine || err != nil {
		t.Errorf("stepTask = %t, %v; want it ours", mine, err)
	}
	if got := w.Hash(key.Task(p, name)); got["attempts"] != "1" || got["failure"] != "" {
		t.Errorf("the task after progress is %v; want one attempt and no failure", got)
	}
	if n := w.RunDue(); n != 1 {
		t.Errorf("RunDueTasks past the obstacle = %d; want 1", n)
	}
	w.Redis.ZRem(t.Context(), key.TopicComments(w.TopicID), "junk")
	w.Redis.Del(t.Context(), w.KeysLike("junk")...)
	w.WantClean()
}

// Names without a task do not stay due.
func TestMissingDueTask(t *testing.T) {
	x := storetest.New(t)
	x.Redis.ZAdd(t.Context(), key.Due(0), storetest.Entry(0, "t:512"))
	if n := x.RunDue(); n != 0 || x.Exists(key.Due(0)) {
		t.Errorf("RunDueTasks = %d, still due %t; want the name removed", n, x.Exists(key.Due(0)))
	}
	x.Redis.HSet(t.Context(), key.Task(0, "x:1"), "n", 1, "attempts", 0, "cursor", "")
	x.Redis.ZAdd(t.Context(), key.Due(0), storetest.Entry(0, "x:1"))
	if n := x.RunDue(); n != 0 || due(x, 0) <= 0 {
		t.Errorf("RunDueTasks of an unknown kind = %d, due in %d ms; want it to wait", n, due(x, 0))
	}
}
