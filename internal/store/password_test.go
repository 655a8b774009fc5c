package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
)

// Digests of tokens.
var digestA, digestB, digestC = strings.Repeat("a1", 32), strings.Repeat("b2", 32), strings.Repeat("c3", 32)

// A changed password ends all sessions except the one that changed it.
func TestChangePassword(t *testing.T) {
	x := newSite(t)
	ann, bob := x.User("ann"), x.User("bob")
	for _, digest := range []string{digestA, digestB, digestC} {
		x.Session(ann.ID, digest, time.Hour)
	}
	x.Session(bob.ID, digestA, time.Hour)
	by := x.session(ann.ID, digestB)
	wantOK(t, "ChangePassword", x.Accounts.ChangePassword(t.Context(), by, "hash of ann", "new hash"))
	for digest, want := range map[string]bool{digestA: false, digestB: true, digestC: false} {
		if got := x.session(ann.ID, digest) != nil; got != want {
			t.Errorf("session %q is open: %t; want %t", digest, got, want)
		}
	}
	if x.session(bob.ID, digestA) == nil {
		t.Error("another user's session has ended")
	}
	if c, err := x.Accounts.Credentials(t.Context(), "ann", false); err != nil || c.PasswordHash != "new hash" {
		t.Errorf("Credentials = %+v, %v; want the new hash", c, err)
	}
	x.wantClean()
}

// The password is compared with the one that was checked, and set, in one step.
func TestChangePasswordComparesAndSets(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	x.Session(ann.ID, digestA, time.Hour)
	by := x.session(ann.ID, digestA)
	wake := x.asleep("user_password", func(s *store.Store) {
		err := s.Accounts.ChangePassword(t.Context(), by, "hash of ann", "third")
		wantCode(t, "paused ChangePassword", err, forum.CodeWrongCredentials)
		if got := pathOf(err); !slices.Equal(got, forum.Path("currentPassword")) {
			t.Errorf("paused ChangePassword: path %v; want currentPassword", got)
		}
	})
	wantOK(t, "ChangePassword", x.Accounts.ChangePassword(t.Context(), by, "hash of ann", "second"))
	wake()
	if c, err := x.Accounts.Credentials(t.Context(), "ann", false); err != nil || c.PasswordHash != "second" {
		t.Errorf("Credentials = %+v, %v; want the second hash", c, err)
	}
	wantCode(t, "DeleteAccount with the old password", x.Accounts.DeleteAccount(t.Context(), ann.ID, "hash of ann"),
		forum.CodeWrongCredentials)
	err := changeEmail(x.Store, x, "ann", ann.ID, "new@example.org")
	wantCode(t, "ChangeEmail with the old password", err, forum.CodeWrongCredentials)
	if x.session(ann.ID, digestA) == nil {
		t.Error("a refused change ended the session")
	}
	x.wantClean()
}

func TestSetPasswordEndsAllSessions(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	x.Session(ann.ID, digestA, time.Hour)
	wantOK(t, "SetPassword", x.Accounts.SetPassword(t.Context(), ann.ID, "new hash"))
	if x.exists(key.Sessions(ann.ID)) {
		t.Error("sessions exist; want them ended")
	}
	if c, err := x.Accounts.Credentials(t.Context(), "ann", false); err != nil || c.PasswordHash != "new hash" {
		t.Errorf("Credentials = %+v, %v; want the new hash", c, err)
	}
	wantCode(t, "SetPassword of a missing user", x.Accounts.SetPassword(t.Context(), 512, "h"),
		forum.CodeUnauthenticated)
	x.wantClean()
}
