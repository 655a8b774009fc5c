package engine_test

import (
	"errors"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

// interrupted returns a storetest.Thread with a deleted topic whose task can be claimed now, because the request died.
func interrupted(t *testing.T) *storetest.Thread {
	t.Helper()
	w := storetest.NewThread(t)
	w.Dies(3, func(s *store.Store) { s.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID) })
	w.Clock.Advance(engine.FirstLease * time.Millisecond)
	return w
}

// What a killed worker held is taken up within 3 s, of which a second is the interval in which workers look for tasks.
func TestKilledWorkersTaskIsTakenUp(t *testing.T) {
	w := interrupted(t)
	if !w.Dies(1, func(s *store.Store) { s.Engine.RunDueTasks(t.Context()) }) {
		t.Fatal("the worker has no task to die with")
	}
	w.Clock.Advance(2 * time.Second)
	if n := w.RunDue(); n != 1 {
		t.Errorf("RunDueTasks 2 s after the worker was killed = %d; want 1", n)
	}
	w.WantClean()
}

// A task whose pass takes longer than the lease remains its holder's, as long as the holder renews it; a dead holder
// renews nothing.
func TestLeaseIsRenewed(t *testing.T) {
	const lease = record.TaskLease * time.Millisecond
	w := interrupted(t)
	p, name := w.TopicID.Partition(), record.RetractTask(w.TopicID)
	tick, renewals := make(chan time.Time), 0
	s := w.Process(storetest.WithTicks(tick), store.WithSteps(func(step string) {
		if step != "task_pass" {
			return
		}
		for range 5 {
			w.Clock.Advance(lease - time.Millisecond)
			tick <- time.Time{}
			tick <- time.Time{} // received after the first renewal
			renewals++
			if due := due(w.Site, p); due != lease.Milliseconds() {
				t.Errorf("after renewal %d the lease ends in %d ms; want %d", renewals, due, lease.Milliseconds())
			}
			if n := w.RunDue(); n != 0 {
				t.Errorf("RunDueTasks of another process = %d; want 0", n)
			}
		}
	}))
	if n, err := s.Engine.RunDueTasks(t.Context()); n != 1 || err != nil || renewals != 5 {
		t.Errorf("RunDueTasks = %d, %v after %d renewals; want 1 after 5", n, err, renewals)
	}
	if w.Exists(key.Task(p, name)) {
		t.Error("the task is left after its holder finished it")
	}
	select {
	case tick <- time.Time{}:
		t.Error("a lease is renewed after the end of the task")
	default:
	}
	w.WantClean()
}

// A holder that was suspended for longer than its lease cannot renew it once another has claimed the task, nor bring
// back a task that has ended.
func TestLostLeaseIsNotRenewed(t *testing.T) {
	w := interrupted(t)
	p, name := w.TopicID.Partition(), record.RetractTask(w.TopicID)
	w.Redis.HSet(t.Context(), key.Task(p, name), "attempts", 0) // later ones have longer leases
	first, _, err := w.Engine.ClaimTask(t.Context(), p, name)
	storetest.WantOK(t, "claimTask", err)
	w.Clock.Advance(record.TaskLease * time.Millisecond)
	second, _, err := w.Engine.ClaimTask(t.Context(), p, name)
	storetest.WantOK(t, "claimTask", err)
	w.Clock.Advance(time.Millisecond)
	if held, err := w.Engine.RenewTask(t.Context(), first); held || err != nil || due(w.Site, p) != record.TaskLease-1 {
		t.Errorf("renewTask of the old holder = %t, %v, due in %d ms; want refused", held, err, due(w.Site, p))
	}
	if held, err := w.Engine.RenewTask(t.Context(), second); !held || err != nil || due(w.Site, p) != record.TaskLease {
		t.Errorf("renewTask of the holder = %t, %v, due in %d ms; want renewed", held, err, due(w.Site, p))
	}
	storetest.WantOK(t, "runTask", w.Engine.RunTask(t.Context(), second, 0))
	if held, err := w.Engine.RenewTask(t.Context(), second); held || err != nil || w.Exists(key.Due(p)) {
		t.Errorf("renewTask after the end = %t, %v; want refused", held, err)
	}
}

// A renewal that arrives late, after the holder has made the task wait, does not make it due sooner.
func TestLateRenewalDoesNotShortenTheWait(t *testing.T) {
	w := interrupted(t)
	p, name := w.TopicID.Partition(), record.RetractTask(w.TopicID)
	held, _, err := w.Engine.ClaimTask(t.Context(), p, name)
	storetest.WantOK(t, "claimTask", err)
	must.Do(w.Engine.StepTask(t.Context(), held, "", w.Engine.Now()+engine.MaxBackoff, errors.New("busy")))(t)
	if _, err := w.Engine.RenewTask(t.Context(), held); err != nil || due(w.Site, p) != engine.MaxBackoff {
		t.Errorf("renewTask: %v, due in %d ms; want %d", err, due(w.Site, p), engine.MaxBackoff)
	}
}
