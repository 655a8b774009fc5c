package store_test

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
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// due returns the time until the only task of a partition can be claimed, in ms.
func (x *site) due(p forum.Partition) int64 {
	x.t.Helper()
	rows, err := x.rdb.ZRangeWithScores(x.ctx, key.Due(p), 0, -1).Result()
	if err != nil || len(rows) != 1 {
		x.t.Fatalf("%s = %v, %v; want one task", key.Due(p), rows, err)
	}
	return int64(rows[0].Score) - int64(x.Engine.Now())
}

// runDue runs all due tasks and returns how many it finished.
func (x *site) runDue() int {
	x.t.Helper()
	return must.Do(x.Engine.RunDueTasks(x.ctx))(x.t)
}

// A topic with 2,500 comments is retracted in three passes: one within the
// request, the others by a worker.
func TestRetractInThreePasses(t *testing.T) {
	testlevel.Sequential(t)
	const comments = 2500
	w := newThreadSite(t)
	bulk := w.Bulk()
	for n := range comments - 2 {
		by := []*forum.Viewer{w.ann, w.bob}[n%2]
		built.On(w.t, bulk).Comment(by, w.topic, 0)
	}
	w.settle()
	length := func(v *forum.Viewer) int { return w.page(listing.UserComments(v.ID), forum.Window{Count: 1}).Total }
	if got := length(w.ann) + length(w.bob); got != comments {
		t.Fatalf("comments listed = %d; want %d", got, comments)
	}
	passes := 0
	s := w.process(store.WithSteps(func(name string) {
		if name == "task_pass" {
			passes++
		}
	}))
	wantOK(t, "DeleteTopic", s.Posts.DeleteTopic(t.Context(), w.ann, w.topic))
	if got, want := length(w.ann)+length(w.bob), comments-engine.TaskPass; passes != 1 || got != want {
		t.Errorf("after the request: %d passes, %d comments listed; want 1 and %d", passes, got, want)
	}
	if n, err := s.Engine.RunDueTasks(t.Context()); err != nil || n != 1 {
		t.Errorf("RunDueTasks = %d, %v; want 1", n, err)
	}
	if got := length(w.ann) + length(w.bob); passes != 3 || got != 0 {
		t.Errorf("after the worker: %d passes, %d comments listed; want 3 and none", passes, got)
	}
	if n := w.runDue(); n != 0 {
		t.Errorf("RunDueTasks again = %d; want 0", n)
	}
	w.wantClean()
}

// A task belongs to its holder until the lease ends, to the millisecond; then another process may claim it,
// and the old holder's updates are ignored.
func TestLeaseAndFencing(t *testing.T) {
	w := newThreadSite(t)
	w.dies(3, func(s *store.Store) { s.Posts.DeleteTopic(t.Context(), w.ann, w.topic) })
	p, name := w.topic.Partition(), record.RetractTask(w.topic)
	w.clock.Advance(engine.FirstLease*time.Millisecond - time.Millisecond)
	if n := w.runDue(); n != 0 {
		t.Errorf("RunDueTasks within the lease = %d; want 0", n)
	}
	w.clock.Advance(time.Millisecond)
	second, ok, err := w.Engine.ClaimTask(t.Context(), p, name)
	if err != nil || !ok || second.Token != "1001" || second.Attempts != 2 {
		t.Fatalf("claimTask after the lease = %+v, %t, %v; want token 1001, attempt 2", second, ok, err)
	}
	w.clock.Advance(record.TaskLease*time.Millisecond - time.Millisecond)
	if third, ok, err := w.Engine.ClaimTask(t.Context(), p, name); ok || err != nil {
		t.Errorf("claimTask within the second lease = %+v, %t, %v; want nothing", third, ok, err)
	}

	first := engine.Task{Partition: p, Name: name, Token: "1000", Attempts: 1}
	if mine, err := w.Engine.StepTask(t.Context(), first, "99", w.Engine.Now(), nil); mine || err != nil {
		t.Errorf("stepTask of the old holder = %t, %v; want refused", mine, err)
	}
	wantOK(t, "runTask of the old holder", w.Engine.RunTask(t.Context(), first, 0))
	if got := w.hash(key.Task(p, name)); got["cursor"] != "" || got["n"] != "1001" {
		t.Errorf("task = %v; want it unchanged by its old holder", got)
	}
	wantOK(t, "runTask of the holder", w.Engine.RunTask(t.Context(), second, 0))
	if w.exists(key.Task(p, name)) {
		t.Error("the task is left after its holder finished it")
	}
	w.wantClean()
}

// A shutdown in the middle of a task is not a failure: nothing is logged, and the task resumes when its
// lease expires.
func TestShutdownInterruptsATaskSilently(t *testing.T) {
	w := newThreadSite(t)
	w.dies(3, func(s *store.Store) { s.Posts.DeleteTopic(t.Context(), w.ann, w.topic) })
	w.clock.Advance(engine.FirstLease * time.Millisecond)
	ctx, stop := context.WithCancel(t.Context())
	var log bytes.Buffer
	s := w.process(store.WithLog(slog.New(slog.NewTextHandler(&log, nil))), store.WithSteps(func(name string) {
		if name == "task_pass" {
			stop()
		}
	}))
	if n, err := s.Engine.RunDueTasks(ctx); n != 0 || err != nil || log.Len() > 0 {
		t.Errorf("RunDueTasks during a shutdown = %d, %v, and logs %q; want 0 and no log", n, err, log.String())
	}
	w.clock.Advance(record.TaskLease * time.Millisecond)
	if n := w.runDue(); n != 1 {
		t.Errorf("RunDueTasks after the lease = %d; want 1", n)
	}
	w.wantClean()
}

// A failing task waits 1, 2, 4, … seconds, at most ten minutes, and is given up after MaxAttempts.
func TestBackoffAndGivingUp(t *testing.T) {
	w := newThreadSite(t)
	p, name := w.topic.Partition(), record.RetractTask(w.topic)
	w.rdb.ZAdd(t.Context(), key.TopicComments(w.topic), z(0, "junk"))
	wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.ann, w.topic))
	want := int64(1000)
	for attempt := 1; attempt <= engine.MaxAttempts; attempt++ {
		if got := w.due(p); got != want {
			t.Fatalf("after attempt %d the task waits %d ms; want %d", attempt, got, want)
		}
		if got := w.hash(key.Task(p, name))["attempts"]; got != strconv.Itoa(attempt) {
			t.Fatalf("attempts = %s; want %d", got, attempt)
		}
		w.clock.Advance(time.Duration(want-1) * time.Millisecond)
		if n := w.runDue(); n != 0 || w.due(p) != 1 {
			t.Fatalf("attempt %d: RunDueTasks a millisecond early = %d; want nothing done", attempt, n)
		}
		w.clock.Advance(time.Millisecond)
		w.runDue()
		want = min(2*want, engine.MaxBackoff)
	}
	dead := w.rdb.ZRange(t.Context(), key.Dead(p), 0, -1).Val()
	if len(dead) != 1 || dead[0] != name || w.exists(key.Due(p)) {
		t.Errorf("dead = %v, due exists %t; want %s dead and nothing due", dead, w.exists(key.Due(p)), name)
	}
}

// Progress resets the failures: only a task without progress is given up.
func TestProgressResetsFailures(t *testing.T) {
	w := newThreadSite(t)
	p, name := w.topic.Partition(), record.RetractTask(w.topic)
	w.rdb.ZAdd(t.Context(), key.TopicComments(w.topic), z(0, "junk"))
	wantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.ann, w.topic))
	for range 5 {
		w.clock.Advance(time.Hour)
		w.runDue()
	}
	w.clock.Advance(time.Hour)
	held, ok, err := w.Engine.ClaimTask(t.Context(), p, name)
	if err != nil || !ok || held.Attempts != 7 {
		t.Fatalf("claimTask = %+v, %t, %v; want attempt 7", held, ok, err)
	}
	if mine, err := w.Engine.StepTask(t.Context(), held, "0", w.Engine.Now(), nil); !mine || err != nil {
		t.Errorf("stepTask = %t, %v; want it ours", mine, err)
	}
	if got := w.hash(key.Task(p, name)); got["attempts"] != "1" || got["failure"] != "" {
		t.Errorf("the task after progress is %v; want one attempt and no failure", got)
	}
	if n := w.runDue(); n != 1 {
		t.Errorf("RunDueTasks past the obstacle = %d; want 1", n)
	}
	w.rdb.ZRem(t.Context(), key.TopicComments(w.topic), "junk")
	w.rdb.Del(t.Context(), w.keysLike("junk")...)
	w.wantClean()
}

// Names without a task do not stay due.
func TestMissingDueTask(t *testing.T) {
	x := newSite(t)
	x.rdb.ZAdd(t.Context(), key.Due(0), z(0, "t:512"))
	if n := x.runDue(); n != 0 || x.exists(key.Due(0)) {
		t.Errorf("RunDueTasks = %d, still due %t; want the name removed", n, x.exists(key.Due(0)))
	}
	x.rdb.HSet(t.Context(), key.Task(0, "x:1"), "n", 1, "attempts", 0, "cursor", "")
	x.rdb.ZAdd(t.Context(), key.Due(0), z(0, "x:1"))
	if n := x.runDue(); n != 0 || x.due(0) <= 0 {
		t.Errorf("RunDueTasks of an unknown kind = %d, due in %d ms; want it to wait", n, x.due(0))
	}
}
