package accounts_test

import (
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// The password is compared with the one that was checked, and set, in one step.
func TestChangePasswordComparesAndSets(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	x.Session(ann.ID, storetest.DigestA, time.Hour)
	by := x.SignedIn(ann.ID, storetest.DigestA)
	wake := x.Asleep("user_password", func(s *store.Store) {
		err := s.Accounts.ChangePassword(t.Context(), by, "hash of ann", "third")
		storetest.WantCode(t, "paused ChangePassword", err, forum.CodeWrongCredentials)
		if got := storetest.PathOf(err); !slices.Equal(got, forum.Path("currentPassword")) {
			t.Errorf("paused ChangePassword: path %v; want currentPassword", got)
		}
	})
	storetest.WantOK(t, "ChangePassword", x.Accounts.ChangePassword(t.Context(), by, "hash of ann", "second"))
	wake()
	if c, err := x.Sessions.Credentials(t.Context(), "ann", false); err != nil || c.PasswordHash != "second" {
		t.Errorf("Credentials = %+v, %v; want the second hash", c, err)
	}
	storetest.WantCode(t, "DeleteAccount with the old password",
		x.Accounts.DeleteAccount(t.Context(), ann.ID, "hash of ann"),
		forum.CodeWrongCredentials)
	err := changeEmail(x.Store, x, "ann", ann.ID, "new@example.org")
	storetest.WantCode(t, "ChangeEmail with the old password", err, forum.CodeWrongCredentials)
	if got := storetest.PathOf(err); !slices.Equal(got, forum.Path("password")) {
		t.Errorf("ChangeEmail with the old password: path %v; want password", got)
	}
	if x.SignedIn(ann.ID, storetest.DigestA) == nil {
		t.Error("a refused change ended the session")
	}
	x.WantClean()
}

func TestSetPasswordEndsAllSessions(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	x.Session(ann.ID, storetest.DigestA, time.Hour)
	storetest.WantOK(t, "SetPassword", x.Accounts.SetPassword(t.Context(), ann.ID, "new hash"))
	if x.Exists(key.Sessions(ann.ID)) {
		t.Error("sessions exist; want them ended")
	}
	if c, err := x.Sessions.Credentials(t.Context(), "ann", false); err != nil || c.PasswordHash != "new hash" {
		t.Errorf("Credentials = %+v, %v; want the new hash", c, err)
	}
	storetest.WantCode(t, "SetPassword of a missing user", x.Accounts.SetPassword(t.Context(), 512, "h"),
		forum.CodeUnauthenticated)
	x.WantClean()
}
