package objects

import (
	"context"
	"sync"
	"testing"
	"time"

	"agora/internal/store/internal/key"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// A cache hears of changes, and drops everything when the connection fails, is silent, or brings what it does not
// understand. Then it listens again.
func TestRun(t *testing.T) {
	testlevel.Usual(t)
	server := redistest.Start(t)
	var wire redistest.Wire
	c, rdb := New(1<<20, time.Now), server.Client(t)
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { Run(ctx, c, server.ClientOver(t, &wire)) })
	say := func(text string) {
		must.OK(t, rdb.Publish(t.Context(), key.ChangesChannel(key.User(7)), text).Err())
	}
	keep := func() {
		wait.Until(t, "the object is kept", func() bool {
			c.Put(ann, c.Mark(ann), "Ann", 3)
			return has(c, ann, "Ann")
		})
	}
	keep()
	say("u:7 PROFILE")
	wait.Until(t, "the object is dropped", func() bool { return c.Stats().Objects == 0 })
	for i, fault := range []func(){
		func() { wire.CutListeners() }, func() { wire.MuteListeners() }, func() { say("no name") },
	} {
		keep()
		fault()
		wait.Until(t, "everything is dropped", func() bool { s := c.Stats(); return s.Losses == i+1 && s.Objects == 0 })
	}
	keep()
	stop()
	running.Wait()
	if s := c.Stats(); s.Objects != 0 || s.Current || s.Changes != 1 {
		t.Errorf("after the end: %+v; want nothing kept, one change", s)
	}
}
