package storetest

import (
	"sync/atomic"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// Dies runs f in a process that is killed just before its nth step. It reports whether f reached that step.
func (x *Site) Dies(n int, f func(*store.Store)) bool {
	x.T.Helper()
	s := x.Process(store.WithSteps(site.KillAt("", n)))
	return site.Killed(func() { f(s) })
}

// Asleep runs f in a process that pauses just before its first step of that name. wake lets it continue and
// returns when f has returned.
func (x *Site) Asleep(step string, f func(*store.Store)) (wake func()) {
	x.T.Helper()
	return x.AsleepAt(step, 1, f)
}

// AsleepAt is Asleep for the nth step of that name.
func (x *Site) AsleepAt(step string, n int32, f func(*store.Store)) (wake func()) {
	x.T.Helper()
	var count atomic.Int32
	there, woken, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s := x.Process(store.WithSteps(func(name string) {
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
		x.T.Fatalf("the process never reached step %q", step)
	}
	return func() {
		close(woken)
		<-ended
		s.Engine.Cleaner.Flush() // its last marks and tasks, which it would otherwise end later
	}
}

// SmallHomes returns the limits of a site with small homes, which are written in small passes.
func SmallHomes(size, low, pass int) forum.Limits {
	l := forum.DefaultLimits
	l.Home, l.HomeLow, l.FanOutPass = size, low, pass
	return l
}

// RunDue runs all due tasks and returns how many it finished.
func (x *Site) RunDue() int {
	x.T.Helper()
	return must.Do(x.Engine.RunDueTasks(x.Ctx))(x.T)
}
