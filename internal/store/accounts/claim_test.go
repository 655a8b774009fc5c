package accounts_test

import (
	"fmt"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// Registrations that cross (one has the login, the other the e-mail) do not block each other; TAKEN is
// never returned because of a registration that then also fails.
func TestCrossedRegistrations(t *testing.T) {
	x := storetest.New(t)
	one, two := site.Account("ann"), site.Account("bob")
	two.EmailFold = one.EmailFold
	wake := x.Asleep("user_activate", func(s *store.Store) {
		must.Do(s.Accounts.Register(t.Context(), one))(t)
	})
	_, err := x.Accounts.Register(t.Context(), two)
	storetest.WantCode(t, "Register during another", err, forum.CodeConflict)
	wake()
	_, err = x.Accounts.Register(t.Context(), two)
	storetest.WantCode(t, "Register after it ended", err, forum.CodeTaken)
	x.WantClean()
}

// killRegistering registers in a process that is killed before its nth step.
func killRegistering(x *storetest.Site, n int, in accounts.NewUser) (died bool) {
	return x.Dies(n, func(s *store.Store) { s.Accounts.Register(x.Ctx, in) })
}

// A registration may be killed before any step: once it is overdue, the sweeper removes all of it, and the
// names are free.
func TestCrashOfRegister(t *testing.T) {
	testlevel.Sequential(t)
	for n := 1; ; n++ {
		x := storetest.New(t)
		died := killRegistering(x, n, site.Account("ann"))
		if !died {
			if n < 4 {
				t.Errorf("Register has %d steps; want at least 3", n-1)
			}
			return
		}
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
		id, err := x.Accounts.Register(t.Context(), site.Account("ann"))
		if err != nil {
			t.Errorf("Register after a crash before step %d: %v", n, err)
		}
		if c, err := x.Sessions.Credentials(t.Context(), "ann", false); err != nil || c.User != id {
			t.Errorf("Credentials after a crash before step %d = %+v, %v; want user %d", n, c, err, id)
		}
		x.WantClean()
	}
}

// A stale claim can be replaced without waiting for the sweeper.
func TestStaleClaimIsReplacedWithoutSweeper(t *testing.T) {
	testlevel.Sequential(t)
	for n := 1; n < 4; n++ {
		x := storetest.New(t)
		killRegistering(x, n, site.Account("ann"))
		x.Clock.Advance(forum.PendingLife - time.Second)
		_, early := x.Accounts.Register(t.Context(), site.Account("ann"))
		if n == 3 { // the names are claimed
			storetest.WantCode(t, "Register within PendingLife", early, forum.CodeConflict)
		} else {
			storetest.WantOK(t, "Register", early)
		}
		x.Clock.Advance(time.Second)
		_, late := x.Accounts.Register(t.Context(), site.Account("ann"))
		if n == 3 {
			storetest.WantOK(t, "Register after PendingLife", late)
		} else {
			storetest.WantCode(t, "Register", late, forum.CodeTaken)
		}
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
	}
}

// A repeated call with the key resumes a registration that was killed.
func TestCrashedRegistrationIsResumedByItsKey(t *testing.T) {
	testlevel.Sequential(t)
	for n := 2; n < 4; n++ {
		for _, wait := range []time.Duration{0, forum.PendingLife} {
			x := storetest.New(t)
			in := site.Account("ann")
			in.Key, in.SamePassword = "k", func(string) (bool, error) { return true, nil }
			killRegistering(x, n, in)
			x.Clock.Advance(wait)
			x.Settle()
			first := must.Do(x.Accounts.Register(t.Context(), in))(t)
			if again, err := x.Accounts.Register(t.Context(), in); err != nil || again != first {
				t.Errorf("Register a third time = %d, %v; want %d", again, err, first)
			}
			x.WantClean()
		}
	}
}

// A process is paused at each step until its registration was abandoned, then runs on: there is no second
// owner, and no claim without an owner.
func TestPausedRegistrationResumesAfterItWasAbandoned(t *testing.T) {
	for _, step := range []string{"claim_set", "user_activate"} {
		for _, taken := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, name taken concurrently %t", step, taken), func(t *testing.T) {
				x := storetest.New(t)
				var err error
				wake := x.Asleep(step, func(s *store.Store) {
					_, err = s.Accounts.Register(t.Context(),
						site.Account("ann"))
				})
				x.Clock.Advance(forum.PendingLife)
				x.Settle()
				want := forum.Code("")
				if taken {
					x.User("ann")
					want = forum.CodeTaken
				}
				wake()
				if got := forum.CodeOf(err); got != want || (err == nil) != (want == "") {
					t.Errorf("paused Register = %v; want code %q", err, want)
				}
				x.Clock.Advance(forum.PendingLife)
				x.WantClean()
			})
		}
	}
}

// The registration of a paused process was abandoned by a process that took the name, but not swept yet.
func TestPausedRegistrationWhoseNameWasTaken(t *testing.T) {
	x := storetest.New(t)
	var err error
	wake := x.Asleep("user_activate", func(s *store.Store) {
		_, err = s.Accounts.Register(t.Context(),
			site.Account("ann"))
	})
	x.Clock.Advance(forum.PendingLife)
	winner := x.User("ann")
	wake()
	storetest.WantCode(t, "paused Register", err, forum.CodeTaken)
	x.WantClean()
	if c, err := x.Sessions.Credentials(t.Context(), "ann", false); err != nil || c.User != winner.ID {
		t.Errorf("Credentials = %+v, %v; want user %d", c, err, winner.ID)
	}
}

// Two processes find the same stale claim: the second finds the claim of the first.
func TestStaleClaimIsReplacedOnce(t *testing.T) {
	x := storetest.New(t)
	killRegistering(x, 3, site.Account("ann"))
	x.Clock.Advance(forum.PendingLife)
	var err error
	wake := x.AsleepAt("claim_set", 2, func(s *store.Store) {
		_, err = s.Accounts.Register(t.Context(),
			site.Account("ann"))
	})
	x.User("ann")
	wake()
	storetest.WantCode(t, "Register of the second", err, forum.CodeTaken)
	x.WantClean()
}

// Two processes work on one registration: one is about to abandon it, because it found another, when the
// other completes it. The account keeps its names.
func TestAbandonedRegistrationThatARepeatedCallCompleted(t *testing.T) {
	x := storetest.New(t)
	in, rival := site.Account("ann"), site.Account("carl")
	rival.EmailFold = in.EmailFold
	in.Key, in.SamePassword = "k", func(string) (bool, error) { return true, nil }
	killRegistering(x, 3, rival)
	x.Clock.Advance(10 * time.Second)
	var first forum.UserID
	var err error
	wake := x.Asleep("user_abandon", func(s *store.Store) { first, err = s.Accounts.Register(t.Context(), in) })
	x.Clock.Advance(forum.PendingLife - 10*time.Second)
	second, again := x.Accounts.Register(t.Context(), in)
	storetest.WantOK(t, "Register again", again)
	wake()
	if err != nil || first != second {
		t.Errorf("paused Register = %d, %v; want %d", first, err, second)
	}
	x.WantClean()
}

// Abandoning a registration that was completed concurrently releases nothing.
func TestActiveAccountIsNotAbandoned(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	r := accounts.Registration{ID: ann.ID, Nonce: x.Hash(key.User(ann.ID))["nonce"]}
	abandoned, err := x.Accounts.Abandon(t.Context(), site.Account("ann"), r)
	if err != nil || abandoned {
		t.Errorf("abandon = %t, %v; want false", abandoned, err)
	}
	x.WantClean()
}

// Registration costs four round trips, and two more for a name that is taken: then the third, which asks whether the e-mail
// is barred, is left out.
func TestRoundTripsOfRegister(t *testing.T) {
	x := storetest.New(t)
	x.User("ann")
	tests := []struct {
		login string
		want  int64
	}{{"bob", 4}, {"ann", 6}}
	for _, tt := range tests {
		var usage store.Usage
		x.Accounts.Register(store.WithUsage(t.Context(), &usage), site.Account(tt.login))
		if got := usage.RoundTrips.Load(); got > tt.want {
			t.Errorf("Register(%q): %d round trips; want at most %d", tt.login, got, tt.want)
		}
	}
}
