package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// Behaviour C2: of many concurrent registrations of one name exactly one wins.
func TestOneOfManyRegistrationsWins(t *testing.T) {
	tests := []struct {
		name string
		in   func(n int) accounts.NewUser
	}{
		{"login", func(n int) accounts.NewUser {
			in := account("ann")
			in.EmailFold = fmt.Sprintf("%d@example.org", n)
			return in
		}},
		{"email", func(n int) accounts.NewUser {
			in := account(fmt.Sprintf("ann%d", n))
			in.EmailFold = "ann@example.org"
			return in
		}},
		{"login and email", func(int) accounts.NewUser { return account("ann") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSite(t)
			const callers = 20
			errs := make([]error, callers)
			var wg sync.WaitGroup
			for n := range callers {
				wg.Go(func() { _, errs[n] = x.Accounts.Register(t.Context(), tt.in(n)) })
			}
			wg.Wait()
			won := 0
			for _, err := range errs {
				switch forum.CodeOf(err) {
				case "":
					wantOK(t, "Register", err)
					won++
				case forum.CodeTaken, forum.CodeConflict:
				default:
					t.Errorf("Register = %v; want TAKEN or CONFLICT", err)
				}
			}
			if won != 1 {
				t.Errorf("%d of %d registrations won; want 1", won, callers)
			}
			x.wantClean()
		})
	}
}

// Registrations that cross (one has the login, the other the e-mail) do not block each other; TAKEN is
// never returned because of a registration that then also fails.
func TestCrossedRegistrations(t *testing.T) {
	x := newSite(t)
	one, two := account("ann"), account("bob")
	two.EmailFold = one.EmailFold
	wake := x.asleep("user_activate", func(s *store.Store) {
		must.Do(s.Accounts.Register(t.Context(), one))(t)
	})
	_, err := x.Accounts.Register(t.Context(), two)
	wantCode(t, "Register during another", err, forum.CodeConflict)
	wake()
	_, err = x.Accounts.Register(t.Context(), two)
	wantCode(t, "Register after it ended", err, forum.CodeTaken)
	x.wantClean()
}

// killRegistering registers in a process that is killed before its nth step.
func (x *site) killRegistering(n int, in accounts.NewUser) (died bool) {
	return x.dies(n, func(s *store.Store) { s.Accounts.Register(x.ctx, in) })
}

// A registration may be killed before any step: once it is overdue, the sweeper removes all of it, and the
// names are free.
func TestCrashOfRegister(t *testing.T) {
	testlevel.Sequential(t)
	for n := 1; ; n++ {
		x := newSite(t)
		died := x.killRegistering(n, account("ann"))
		if !died {
			if n < 4 {
				t.Errorf("Register has %d steps; want at least 3", n-1)
			}
			return
		}
		x.clock.Advance(forum.PendingLife)
		x.wantClean()
		id, err := x.Accounts.Register(t.Context(), account("ann"))
		if err != nil {
			t.Errorf("Register after a crash before step %d: %v", n, err)
		}
		if c, err := x.Accounts.Credentials(t.Context(), "ann", false); err != nil || c.User != id {
			t.Errorf("Credentials after a crash before step %d = %+v, %v; want user %d", n, c, err, id)
		}
		x.wantClean()
	}
}

// A stale claim can be replaced without waiting for the sweeper.
func TestStaleClaimIsReplacedWithoutSweeper(t *testing.T) {
	testlevel.Sequential(t)
	for n := 1; n < 4; n++ {
		x := newSite(t)
		x.killRegistering(n, account("ann"))
		x.clock.Advance(forum.PendingLife - time.Second)
		_, early := x.Accounts.Register(t.Context(), account("ann"))
		if n == 3 { // the names are claimed
			wantCode(t, "Register within PendingLife", early, forum.CodeConflict)
		} else {
			wantOK(t, "Register", early)
		}
		x.clock.Advance(time.Second)
		_, late := x.Accounts.Register(t.Context(), account("ann"))
		if n == 3 {
			wantOK(t, "Register after PendingLife", late)
		} else {
			wantCode(t, "Register", late, forum.CodeTaken)
		}
		x.clock.Advance(forum.PendingLife)
		x.wantClean()
	}
}

// A repeated call with the key resumes a registration that was killed.
func TestCrashedRegistrationIsResumedByItsKey(t *testing.T) {
	testlevel.Sequential(t)
	for n := 2; n < 4; n++ {
		for _, wait := range []time.Duration{0, forum.PendingLife} {
			x := newSite(t)
			in := account("ann")
			in.Key, in.SamePassword = "k", func(string) (bool, error) { return true, nil }
			x.killRegistering(n, in)
			x.clock.Advance(wait)
			x.settle()
			first := must.Do(x.Accounts.Register(t.Context(), in))(t)
			if again, err := x.Accounts.Register(t.Context(), in); err != nil || again != first {
				t.Errorf("Register a third time = %d, %v; want %d", again, err, first)
			}
			x.wantClean()
		}
	}
}

// A process is paused at each step until its registration was abandoned, then runs on: there is no second
// owner, and no claim without an owner.
func TestPausedRegistrationResumesAfterItWasAbandoned(t *testing.T) {
	for _, step := range []string{"claim_set", "user_activate"} {
		for _, taken := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, name taken concurrently %t", step, taken), func(t *testing.T) {
				x := newSite(t)
				var err error
				wake := x.asleep(step, func(s *store.Store) {
					_, err = s.Accounts.Register(t.Context(),
						account("ann"))
				})
				x.clock.Advance(forum.PendingLife)
				x.settle()
				want := forum.Code("")
				if taken {
					x.User("ann")
					want = forum.CodeTaken
				}
				wake()
				if got := forum.CodeOf(err); got != want || (err == nil) != (want == "") {
					t.Errorf("paused Register = %v; want code %q", err, want)
				}
				x.clock.Advance(forum.PendingLife)
				x.wantClean()
			})
		}
	}
}

// The registration of a paused process was abandoned by a process that took the name, but not swept yet.
func TestPausedRegistrationWhoseNameWasTaken(t *testing.T) {
	x := newSite(t)
	var err error
	wake := x.asleep("user_activate", func(s *store.Store) {
		_, err = s.Accounts.Register(t.Context(),
			account("ann"))
	})
	x.clock.Advance(forum.PendingLife)
	winner := x.User("ann")
	wake()
	wantCode(t, "paused Register", err, forum.CodeTaken)
	x.wantClean()
	if c, err := x.Accounts.Credentials(t.Context(), "ann", false); err != nil || c.User != winner.ID {
		t.Errorf("Credentials = %+v, %v; want user %d", c, err, winner.ID)
	}
}

// Two processes find the same stale claim: the second finds the claim of the first.
func TestStaleClaimIsReplacedOnce(t *testing.T) {
	x := newSite(t)
	x.killRegistering(3, account("ann"))
	x.clock.Advance(forum.PendingLife)
	var err error
	wake := x.asleepAt("claim_set", 2, func(s *store.Store) {
		_, err = s.Accounts.Register(t.Context(),
			account("ann"))
	})
	x.User("ann")
	wake()
	wantCode(t, "Register of the second", err, forum.CodeTaken)
	x.wantClean()
}

// Two processes work on one registration: one is about to abandon it, because it found another, when the
// other completes it. The account keeps its names.
func TestAbandonedRegistrationThatARepeatedCallCompleted(t *testing.T) {
	x := newSite(t)
	in, rival := account("ann"), account("carl")
	rival.EmailFold = in.EmailFold
	in.Key, in.SamePassword = "k", func(string) (bool, error) { return true, nil }
	x.killRegistering(3, rival)
	x.clock.Advance(10 * time.Second)
	var first forum.UserID
	var err error
	wake := x.asleep("user_abandon", func(s *store.Store) { first, err = s.Accounts.Register(t.Context(), in) })
	x.clock.Advance(forum.PendingLife - 10*time.Second)
	second, again := x.Accounts.Register(t.Context(), in)
	wantOK(t, "Register again", again)
	wake()
	if err != nil || first != second {
		t.Errorf("paused Register = %d, %v; want %d", first, err, second)
	}
	x.wantClean()
}

// Abandoning a registration that was completed concurrently releases nothing.
func TestActiveAccountIsNotAbandoned(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	r := accounts.Registration{ID: ann.ID, Nonce: x.hash(key.User(ann.ID))["nonce"]}
	abandoned, err := x.Accounts.Abandon(t.Context(), account("ann"), r)
	if err != nil || abandoned {
		t.Errorf("abandon = %t, %v; want false", abandoned, err)
	}
	x.wantClean()
}

// Registration costs four round trips, and two more for a name that is taken: then the third, which asks whether the e-mail
// is barred, is left out.
func TestRoundTripsOfRegister(t *testing.T) {
	x := newSite(t)
	x.User("ann")
	tests := []struct {
		login string
		want  int64
	}{{"bob", 4}, {"ann", 6}}
	for _, tt := range tests {
		var usage store.Usage
		x.Accounts.Register(store.WithUsage(t.Context(), &usage), account(tt.login))
		if got := usage.RoundTrips.Load(); got > tt.want {
			t.Errorf("Register(%q): %d round trips; want at most %d", tt.login, got, tt.want)
		}
	}
}
