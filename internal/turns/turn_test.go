package turns

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"agora/internal/test/must"
	_ "agora/internal/test/testseed"
)

// pass lets time pass in a synctest bubble.
func pass(d time.Duration) { <-time.After(d) }

// at is a payer at an address of a /48 network, or only at an address.
func at(user string, networks ...string) Payer { return Payer{Networks: networks, User: user} }

// compute begins a turn, works for a time in steps, and returns how long all that took.
func compute(t *testing.T, all *Turns, who Payer, work, step time.Duration) time.Duration {
	began := time.Now()
	turn := must.Do(all.Begin(t.Context(), who))(t)
	defer turn.End()
	for done := time.Duration(0); done < work; done += step {
		pass(step)
		turn.Offer(t.Context())
	}
	return time.Since(began)
}

// flood keeps computing for each payer, in so many goroutines each, until stop is called, which returns for how long.
func flood(t *testing.T, all *Turns, each int, work time.Duration, payers ...Payer) (stop func() map[string]time.Duration) {
	used := map[string]time.Duration{}
	over := make(chan struct{})
	var mu sync.Mutex
	var running sync.WaitGroup
	for _, who := range payers {
		for range each {
			running.Go(func() { // ends after stop
				for {
					select {
					case <-over:
						return
					default:
					}
					compute(t, all, who, work, time.Millisecond)
					mu.Lock()
					used[who.Networks[0]+" "+who.User] += work
					mu.Unlock()
				}
			})
		}
	}
	return func() map[string]time.Duration {
		close(over)
		running.Wait()
		return used
	}
}

// However much one network sends, one that asks for little waits for moments only, and what it leaves is used.
func TestLittleIsServedBesideAFlood(t *testing.T) {
	for _, c := range []struct {
		name   string
		payers []Payer
		each   int
	}{
		{"one connection", []Payer{at("", "a")}, 1},
		{"20 connections", []Payer{at("", "a")}, 20},
		{"200 accounts", func() (all []Payer) {
			for i := range 200 {
				all = append(all, at(fmt.Sprint(i), "a"))
			}
			return all
		}(), 1},
		{"a /48 of many addresses", func() (all []Payer) {
			for i := range 200 {
				all = append(all, at("", "a", fmt.Sprint("56-", i%20), fmt.Sprint("64-", i)))
			}
			return all
		}(), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := New(Options{Processors: 2, Patience: time.Minute})
				stop := flood(t, all, c.each, 50*time.Millisecond, c.payers...)
				pass(time.Second)
				var slowest time.Duration
				const visits = 100
				for range visits {
					slowest = max(slowest, compute(t, all, at("", "b"), time.Millisecond, time.Millisecond))
					pass(50 * time.Millisecond)
				}
				took := time.Second + visits*51*time.Millisecond
				used := stop()
				if slowest > time.Millisecond+slice+time.Millisecond {
					t.Errorf("little took up to %v; want its millisecond, and a slice of the flood", slowest)
				}
				var sum time.Duration
				for _, u := range used {
					sum += u
				}
				if most := min(2, time.Duration(len(c.payers)*c.each)) * took; sum < most*9/10 {
					t.Errorf("the flood got %v; want what little leaves of %v", sum, most)
				}
			})
		})
	}
}

// Networks have equal shares, whatever their numbers of users and connections, and so do the users of each.
func TestSharesAreEqual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := New(Options{Processors: 2, Patience: time.Minute})
		payers := []Payer{at("1", "a"), at("2", "a"), at("3", "a"), at("", "b"), at("", "c", "c1"), at("", "c", "c2")}
		stop := flood(t, all, 7, 20*time.Millisecond, payers...)
		pass(30 * time.Second)
		used := stop()
		got := map[string]time.Duration{}
		for who, u := range used {
			got[who[:1]] += u
		}
		for _, network := range []string{"a", "b", "c"} {
			if got[network] < 19*time.Second || got[network] > 21*time.Second {
				t.Errorf("network %s got %v of a minute; want a third", network, got[network])
			}
		}
		for _, user := range []string{"a 1", "a 2", "a 3"} {
			if used[user] < 6*time.Second || used[user] > 8*time.Second {
				t.Errorf("user %s got %v; want a third of the network's", user, used[user])
			}
		}
	})
}

// A turn that does not offer its processor loses it, and its network has no other until it ends.
func TestTurnsThatDoNotOfferLoseTheirProcessor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := New(Options{Processors: 2, Patience: time.Minute})
		stop := make(chan struct{})
		for range 20 {
			go func() { // ends after stop
				for {
					select {
					case <-stop:
						return
					default:
						compute(t, all, at("", "a"), 500*time.Millisecond, 500*time.Millisecond)
					}
				}
			}()
		}
		pass(100 * time.Millisecond)
		for range 10 {
			if took := compute(t, all, at("", "b"), time.Millisecond, time.Millisecond); took > 2*overrun {
				t.Errorf("little took %v beside turns that do not offer their processors; want at most %v", took, 2*overrun)
			}
			all.mu.Lock()
			if late := all.all.in["a"].late; late > 2 {
				t.Errorf("%d turns of the network run without a processor; want at most two", late)
			}
			all.mu.Unlock()
			pass(30 * time.Millisecond)
		}
		close(stop)
		pass(time.Hour)
		if all.Overran() == 0 {
			t.Error("no turn has lost its processor")
		}
	})
}

// Turns that wait for another one of the same user, without a pause, let it run in the end.
func TestTurnsThatWaitForEachOtherGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := New(Options{Processors: 2, Patience: time.Minute})
		lock := make(chan struct{})
		for waiting, most := range map[int]time.Duration{2: stuck + overrun, 4: surelyStuck + 2*stuck} {
			holder := must.Do(all.Begin(t.Context(), at("", "a")))(t)
			holder.Pause()
			for range waiting {
				go func() { // ends when the holder has had its turn
					defer must.Do(all.Begin(t.Context(), at("", "a")))(t).End()
					<-lock
				}()
			}
			pass(time.Millisecond)
			began := time.Now()
			if holder.Resume(t.Context()); time.Since(began) > most {
				t.Errorf("the one that %d wait for waited for %v; want at most %v", waiting, time.Since(began), most)
			}
			for range waiting {
				lock <- struct{}{}
			}
			holder.End()
			pass(time.Hour)
		}
	})
}

// Work that others may wait for keeps its processor, and whoever waits for it lets it run as soon as itself.
func TestWorkForOthersIsDoneAtTheCostOfWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := New(Options{Processors: 1, Patience: time.Minute})
		ctx, busy := t.Context(), must.Do(all.Begin(t.Context(), at("", "a")))(t)
		pass(time.Second)
		busy.Pause()
		for range 20 {
			go compute(t, all, at("", "b"), time.Second, time.Millisecond)
		}
		work, end := Detach(ctx, With(ctx, busy))
		turn := From(work)
		pass(slice)
		began := time.Now()
		if turn.Offer(ctx); time.Since(began) > 0 {
			t.Errorf("the work gave its processor away for %v", time.Since(began))
		}
		turn.Pause()
		pass(slice)
		waits := must.Do(all.Begin(ctx, at("", "c")))(t)
		waits.Lend(turn)
		waits.Pause()
		began = time.Now()
		if turn.Resume(ctx); time.Since(began) > 2*slice {
			t.Errorf("the work waited for %v; want at most a slice, as for who waits for it", time.Since(began))
		}
		waits.End()
		busy.End()
		end()
		pass(time.Hour)
	})
}

// A network that has too much waiting is refused, and so is what has waited for too long; others are served.
func TestTooMuchThatWaitsIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := New(Options{Processors: 1, Patience: time.Second})
		var turns []*Turn
		for range operations {
			turn := must.Do(all.Begin(t.Context(), at("", "a")))(t)
			turn.Pause()
			turns = append(turns, turn)
		}
		waited := make(chan error, mostWaiting)
		for range mostWaiting {
			go func() {
				_, err := all.Begin(t.Context(), at("", "a"))
				waited <- err
			}()
		}
		synctest.Wait()
		if _, err := all.Begin(t.Context(), at("", "a")); !errors.Is(err, ErrBusy) {
			t.Errorf("one more: %v; want ErrBusy", err)
		}
		must.Do(all.Begin(t.Context(), at("", "b")))(t).End()
		for range mostWaiting {
			if err := <-waited; !errors.Is(err, ErrBusy) {
				t.Fatalf("what has waited for too long: %v; want ErrBusy", err)
			}
		}
		for _, turn := range turns {
			turn.End()
		}
		must.Do(all.Begin(t.Context(), at("", "a")))(t).End()
	})
}

// Whatever turns do, no more run than there are processors, all have their turn, and nothing is left.
func TestTurnsHold(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		seed := rapid.SliceOfN(rapid.IntRange(0, 9), 40, 40).Draw(r, "steps")
		synctest.Test(t, func(t *testing.T) { turnsHold(t, seed) })
	})
}

func turnsHold(t *testing.T, steps []int) {
	all := New(Options{Processors: 2, Patience: time.Minute})
	for i := range 12 {
		go func() { // ends after its steps
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			turn := must.Do(all.Begin(ctx, at(fmt.Sprint("user ", i%4), fmt.Sprint("network ", i%3))))(t)
			defer turn.End()
			for k := range 20 {
				switch steps[(7*i+k)%len(steps)] {
				case 0:
					turn.Pause()
					pass(time.Duration(i) * time.Millisecond)
					turn.Resume(ctx)
				case 1:
					turn.Charge(fmt.Sprint("user ", k%4))
				case 2:
					turn.Lend(turn)
				case 3:
					turn.Aside(ctx, func() {
						inner, end := Detach(ctx, With(ctx, turn))
						From(inner).Offer(inner)
						end()
					})
				case 4:
					if k == 13 {
						cancel()
					}
				case 5:
					pass(2 * overrun)
				default:
					pass(time.Millisecond)
					turn.Offer(ctx)
				}
				if running, _ := all.Count(); running > 2 {
					t.Errorf("%d turns run; want at most two", running)
				}
			}
		}()
	}
	pass(time.Hour)
	all.mu.Lock()
	defer all.mu.Unlock()
	if held, _ := all.operations.Held(); len(all.running) != 0 || all.queued.Load() != 0 || all.all.waits() || held != 0 {
		t.Errorf("%d turns run, %d wait, %d are open; want none", len(all.running), all.queued.Load(), held)
	}
	for _, s := range all.all.in {
		if s.open != 0 || s.active != 0 || s.late != 0 {
			t.Errorf("share %s: %d open, %d active, %d late; want none", s.name, s.open, s.active, s.late)
		}
	}
}

// A share is forgotten once others have used as much.
func TestSharesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := New(Options{Processors: 1, Patience: time.Minute})
		for i := range 2 * mostEnded {
			compute(t, all, at("", fmt.Sprint(i)), time.Millisecond, time.Millisecond)
		}
		if n := len(all.all.in); n > mostEnded+1 {
			t.Errorf("%d networks are remembered; want at most %d", n, mostEnded+1)
		}
	})
}

// A network that asks for a page now and then is served at once beside fifty that ask for all they get, although it
// uses more than each of them.
func TestBriefTurnsGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := New(Options{Processors: 1, Patience: time.Minute})
		var payers []Payer
		for i := range 50 {
			payers = append(payers, at("", fmt.Sprint(i)))
		}
		stop := flood(t, all, 4, 50*time.Millisecond, payers...)
		pass(time.Second)
		var slowest time.Duration
		for range 100 {
			slowest = max(slowest, compute(t, all, at("", "page"), 2*time.Millisecond, time.Millisecond))
			pass(40 * time.Millisecond)
		}
		if used := stop(); slowest > 4*slice || len(used) != len(payers) {
			t.Errorf("a page took %v, want at most %v; %d networks were served", slowest, 4*slice, len(used))
		}
	})
}

// Waiting is called when turns wait, and when none has waited for a second.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []bool
		all := New(Options{Processors: 1, Patience: time.Minute, Waiting: func(yes bool) { told = append(told, yes) }})
		is := func(want ...bool) {
			t.Helper()
			synctest.Wait()
			all.mu.Lock() // Waiting is called with it
			defer all.mu.Unlock()
			if !slices.Equal(told, want) {
				t.Errorf("told %v, want %v", told, want)
			}
		}
		compute(t, all, at("", "a"), time.Second, time.Millisecond)
		is()
		stop := flood(t, all, 2, 5*time.Millisecond, at("", "a"))
		pass(3 * calm)
		stop()
		is(true)
		pass(calm / 2)
		is(true)
		pass(2 * calm)
		is(true, false)
	})
}
