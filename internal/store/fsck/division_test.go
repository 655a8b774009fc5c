package fsck

import (
	"sync"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/internal/division"
	"agora/internal/store/internal/key"
	"agora/internal/test/testlevel"
)

// dividing has a process divide the front, and calls at before a step.
func (x *checkSite) dividing(step string, at func()) {
	x.t.Helper()
	s := x.process(store.WithSettling(0), store.WithSteps(func(name string) {
		if name == step {
			at()
		}
	}))
	wantOK(x.t, "Divide", s.Divide(x.ctx, "front"))
	_, err := s.RunDivisions(x.ctx)
	wantOK(x.t, "RunDivisions", err)
}

// A part that loses what was copied to it, in a fail-over, has it again after a repair, at each step of a division.
func TestLossesOfPartsAreRepaired(t *testing.T) {
	testlevel.Usual(t)
	for _, step := range []string{"division_read", "division_settle", "division_end", "division_forget"} {
		x := newCheckSite(t)
		part := key.FrontContainer.Part(int64(x.thread), division.Parts)
		x.dividing(step, func() {
			x.do("DEL", part.Order(key.OrderCreated), part.Order(key.OrderActive), part.Revisions())
			r, err := Check(x.ctx, x.process(), Options{Repair: true, Rest: time.Millisecond})
			wantOK(t, "Check", err)
			if r.Found == 0 || r.Repaired != r.Found {
				t.Errorf("at %s: %d found, %d repaired; want the lost topics", step, r.Found, r.Repaired)
			}
		})
		if err := x.rdb.ZScore(x.ctx, part.Order(key.OrderCreated), x.place(x.thread)).Err(); err != nil {
			t.Errorf("after a loss at %s: the part lacks the topic: %v", step, err)
		}
	}
}

// A division that goes on during a check breaks nothing.
func TestCheckDuringDivision(t *testing.T) {
	testlevel.Usual(t)
	for _, step := range []string{"division_begin", "division_announce", "division_copy", "division_read",
		"division_settle", "division_end", "division_forget"} {
		for n := range 3 { // when it goes on
			x := newCheckSite(t)
			paused, resume, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
			pause := sync.OnceFunc(func() { close(paused); <-resume })
			go func() { // ends after resume
				defer close(ended)
				x.dividing(step, pause)
			}()
			<-paused
			calls := 0
			r, err := Check(x.ctx, x.process(), Options{Rest: time.Millisecond, Progress: func(_, _ int64) {
				if calls++; calls == n+1 {
					close(resume)
					<-ended
				}
			}})
			wantOK(t, "Check", err)
			for _, f := range r.Findings {
				t.Errorf("a division from %s on, at %d: found %s", step, n, f)
			}
		}
	}
}
