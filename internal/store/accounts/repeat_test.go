package accounts_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// repeatable is ann's registration with an idempotency key.
func repeatable() accounts.NewUser {
	in := site.Account("ann")
	in.Key, in.SamePassword = "k", func(hash string) (bool, error) { return hash == "hash of ann", nil }
	return in
}

// A repeated registration finds the account, whatever its current e-mail, and claims nothing for it.
func TestRegisterAgainAfterChangeOfEmail(t *testing.T) {
	x := storetest.New(t)
	id := must.Do(x.Accounts.Register(t.Context(), repeatable()))(t)
	storetest.WantOK(t, "ChangeEmail", changeEmail(x.Store, x, "ann", id, "new@example.org"))
	if again, err := x.Accounts.Register(t.Context(), repeatable()); err != nil || again != id {
		t.Errorf("Register again = %d, %v; want %d", again, err, id)
	}
	wantOwner(x, "new@example.org", id)
	x.WantClean()
	wantFree(x, "ann@example.org")
	if again, err := x.Accounts.Register(t.Context(), repeatable()); err != nil || again != id {
		t.Errorf("Register again = %d, %v; want %d", again, err, id)
	}
	storetest.WantOK(t, "SetPassword", x.Accounts.SetPassword(t.Context(), id, "other"))
	_, err := x.Accounts.Register(t.Context(), repeatable())
	storetest.WantCode(t, "Register again with the old password", err, forum.CodeIdempotencyConflict)
	x.WantClean()
}

// A repeated call is paused before it claims or activates, while another completes the registration and the
// account changes its e-mail: the old one is not claimed.
func TestRepeatedCallPausedDuringAChangeOfEmail(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"claim_set", "user_activate"} {
		for _, taken := range []bool{false, true} {
			x := storetest.New(t)
			killRegistering(x, 2, repeatable())
			var slept forum.UserID
			var err error
			wake := x.Asleep(step, func(s *store.Store) { slept, err = s.Accounts.Register(t.Context(), repeatable()) })
			id, first := x.Accounts.Register(t.Context(), repeatable())
			storetest.WantOK(t, "Register", first)
			storetest.WantOK(t, "ChangeEmail", changeEmail(x.Store, x, "ann", id, "new@example.org"))
			var taker forum.UserID
			if taken {
				taker = wantFree(x, "ann@example.org")
			}
			wake()
			if err != nil || slept != id {
				t.Errorf("Register paused before %s, old e-mail taken %t = %d, %v; want %d", step, taken, slept, err,
					id)
			}
			wantOwner(x, "new@example.org", id)
			wantOwner(x, "ann@example.org", taker)
			x.WantClean()
		}
	}
}

// Once the account is deleted the key is no longer valid: the same call creates another account. It may be
// killed before any step.
func TestRegisterAgainAfterDeletion(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := storetest.New(t)
		id := must.Do(x.Accounts.Register(t.Context(), repeatable()))(t)
		storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), id, "hash of ann"))
		died = killRegistering(x, n, repeatable())
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
		again, err := x.Accounts.Register(t.Context(), repeatable())
		if err != nil || again == id {
			t.Errorf("Register again = %d, %v; want another than %d", again, err, id)
		}
		if third, err := x.Accounts.Register(t.Context(), repeatable()); err != nil || third != again {
			t.Errorf("Register a third time = %d, %v; want %d", third, err, again)
		}
		wantOwner(x, "ann", again)
		x.WantClean()
		if t.Failed() {
			t.Fatalf("Register was killed before step %d", n)
		}
	}
}

// A repeated call is paused while the account is deleted: it leaves no claim without an owner.
func TestRepeatedCallPausedDuringADeletion(t *testing.T) {
	for _, step := range []string{"claim_set", "user_activate"} {
		x := storetest.New(t)
		killRegistering(x, 2, repeatable())
		var slept forum.UserID
		var err error
		wake := x.Asleep(step, func(s *store.Store) { slept, err = s.Accounts.Register(t.Context(), repeatable()) })
		id, first := x.Accounts.Register(t.Context(), repeatable())
		storetest.WantOK(t, "Register", first)
		storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), id, "hash of ann"))
		wake()
		if err != nil || slept == id {
			t.Errorf("Register paused before %s = %d, %v; want another than %d", step, slept, err, id)
		}
		wantOwner(x, "ann", slept)
		x.WantClean()
	}
}

// A repeated call that abandons its registration does not free the key of another that succeeded.
func TestKeyStaysWithTheRegistrationThatWon(t *testing.T) {
	x := storetest.New(t)
	killRegistering(x, 3, repeatable())
	x.Clock.Advance(forum.PendingLife)
	x.Settle()
	wake := x.AsleepAt("user_create", 2, func(s *store.Store) {
		if _, err := s.Accounts.Register(t.Context(), repeatable()); err != nil {
			t.Errorf("paused Register: %v", err)
		}
	})
	id := must.Do(x.Accounts.Register(t.Context(), repeatable()))(t)
	wake()
	if again, err := x.Accounts.Register(t.Context(), repeatable()); err != nil || again != id {
		t.Errorf("Register again = %d, %v; want %d", again, err, id)
	}
	x.Clock.Advance(forum.IdempotencyLife - time.Hour)
	if again, err := x.Accounts.Register(t.Context(), repeatable()); err != nil || again != id {
		t.Errorf("Register again the next day = %d, %v; want %d", again, err, id)
	}
	x.WantClean()
}
