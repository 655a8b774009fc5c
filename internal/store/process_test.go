package store_test

import (
	"sync/atomic"

	"agora/internal/store"
	built "agora/internal/test/site"
)

// dies runs f in a process that is killed just before its nth step. It reports whether f reached that step.
func (x *site) dies(n int, f func(*store.Store)) bool {
	x.t.Helper()
	s := x.process(store.WithSteps(built.KillAt("", n)))
	return built.Killed(func() { f(s) })
}

// asleep runs f in a process that pauses just before its first step of that name. wake lets it continue and
// returns when f has returned.
func (x *site) asleep(step string, f func(*store.Store)) (wake func()) {
	x.t.Helper()
	return x.asleepAt(step, 1, f)
}

// asleepAt is asleep for the nth step of that name.
func (x *site) asleepAt(step string, n int32, f func(*store.Store)) (wake func()) {
	x.t.Helper()
	var count atomic.Int32
	there, woken, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s := x.process(store.WithSteps(func(name string) {
		if name == step && count.Add(1) == n {
			close(there)
			<-woken
		}
	}))
	go func() {
		defer close(ended)
		f(s)
	}()
	select {
	case <-there:
	case <-ended:
		x.t.Fatalf("the process never reached step %q", step)
	}
	return func() {
		close(woken)
		<-ended
		s.Engine.Cleaner.Flush() // its last marks and tasks, which it would otherwise end later
	}
}
