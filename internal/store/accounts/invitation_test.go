package accounts_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// invitation makes an invitation with so many uses, for an hour.
func invitation(x *storetest.Site, creator forum.UserID, uses int) *forum.Invitation {
	x.T.Helper()
	code, err := auth.NewInvitation(creator)
	storetest.WantOK(x.T, "NewInvitation", err)
	_, name, _ := auth.ParseInvitation(code)
	i := &forum.Invitation{Creator: creator, Name: name, Code: code, Uses: uses, CreatedAt: x.Engine.Now(),
		ExpiresAt: x.Engine.Now() + 3_600_000}
	storetest.WantOK(x.T, "CreateInvitation", x.Accounts.CreateInvitation(x.Ctx, i))
	return i
}

// invited is an account that registers with an invitation.
func invited(login string, i *forum.Invitation) accounts.NewUser {
	in := site.Account(login)
	in.Invitation = &accounts.TakenInvitation{Creator: i.Creator, Name: i.Name, By: forum.RoleUser}
	return in
}

// wantCame checks who has registered with an invitation.
func wantCame(x *storetest.Site, i *forum.Invitation, want ...forum.UserID) {
	x.T.Helper()
	is, err := x.Accounts.Invitation(x.Ctx, i.Creator, i.Name)
	if err != nil || is == nil || !slices.Equal(is.Came, want) {
		x.T.Errorf("Invitation = %+v, %v; want that %v came", is, err, want)
	}
}

func TestInvitationsAreUsedUp(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	i := invitation(x, ann.ID, 2)
	bob, err := x.Accounts.Register(x.Ctx, invited("bob", i))
	storetest.WantOK(t, "Register", err)
	_, err = x.Accounts.Register(x.Ctx, invited("bob", i))
	storetest.WantCode(t, "Register with a login in use", err, forum.CodeTaken)
	wantCame(x, i, bob)
	carl, err := x.Accounts.Register(x.Ctx, invited("carl", i))
	storetest.WantOK(t, "Register", err)
	_, err = x.Accounts.Register(x.Ctx, invited("dora", i))
	storetest.WantCode(t, "Register with a used-up invitation", err, forum.CodeNotFound)
	_, err = x.Accounts.Register(x.Ctx, site.Account("dora"))
	storetest.WantOK(t, "Register with the login of a refused registration", err)
	wantCame(x, i, bob, carl)
	if got, want := x.Hash(key.User(bob))["invitation"], fmt.Sprintf("invitation:%d:%s", ann.ID, i.Name); got != want {
		t.Errorf("the account of the invited user has the invitation %q; want %q", got, want)
	}
	x.WantClean()

	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.Ctx, bob, "hash of bob"))
	x.WantClean()
	wantCame(x, i, bob, carl)
	storetest.WantOK(t, "DeleteAccount of the creator", x.Accounts.DeleteAccount(x.Ctx, ann.ID, "hash of ann"))
	x.WantClean()
	if x.Exists(key.Invitations(ann.ID)) {
		t.Error("the invitations of a deleted account are left")
	}
}

// What an invitation must be: each step ends one, or the right to invite.
func TestClosedInvitations(t *testing.T) {
	x := storetest.New(t)
	tests := []struct {
		name  string
		close func(creator *forum.Viewer, i *forum.Invitation, in *accounts.NewUser)
	}{
		{"expired", func(_ *forum.Viewer, i *forum.Invitation, _ *accounts.NewUser) {
			x.Redis.HSet(x.Ctx, key.Invitations(i.Creator), i.Name,
				fmt.Sprintf(`{"code":"x","uses":1,"created":1,"expires":%d}`, x.Engine.Now()))
		}},
		{"revoked", func(_ *forum.Viewer, i *forum.Invitation, _ *accounts.NewUser) {
			storetest.WantOK(t, "RevokeInvitation", x.Accounts.RevokeInvitation(x.Ctx, i.Creator, i.Name))
		}},
		{"unknown", func(_ *forum.Viewer, _ *forum.Invitation, in *accounts.NewUser) {
			in.Invitation.Name = "0123456789abcdef01234567"
		}},
		{"by a banned user", func(creator *forum.Viewer, _ *forum.Invitation, _ *accounts.NewUser) {
			x.Redis.HSet(x.Ctx, key.User(creator.ID), "ban", "POST", "banUntil", "0", "banReason", "SPAM", "banAct", "1")
		}},
		{"by a deactivated user", func(creator *forum.Viewer, _ *forum.Invitation, _ *accounts.NewUser) {
			storetest.WantOK(t, "SetDeactivated", x.Accounts.SetDeactivated(x.Ctx, creator.ID, true))
		}},
		{"by a deleted user", func(creator *forum.Viewer, i *forum.Invitation, _ *accounts.NewUser) {
			storetest.WantOK(t, "DeleteUser", x.Accounts.DeleteUser(x.Ctx, creator.ID, false))
		}},
	}
	for n, tt := range tests {
		creator := x.User(fmt.Sprintf("creator%d", n))
		i := invitation(x, creator.ID, 1)
		in := invited("guest", i)
		tt.close(creator, i, &in)
		_, err := x.Accounts.Register(x.Ctx, in)
		storetest.WantCode(t, tt.name, err, forum.CodeNotFound)
		x.Redis.HDel(x.Ctx, key.User(creator.ID), "ban", "banUntil", "banReason", "banAct")
	}
	x.WantClean()
}

// Of many concurrent registrations with one invitation, as many succeed as it has uses.
func TestManyRegisterWithOneInvitation(t *testing.T) {
	x := storetest.New(t)
	i := invitation(x, x.User("ann").ID, 3)
	errs := make([]error, 12)
	var wg sync.WaitGroup
	for n := range errs {
		wg.Go(func() { _, errs[n] = x.Accounts.Register(x.Ctx, invited(fmt.Sprintf("guest%d", n), i)) })
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			storetest.WantCode(t, "Register", err, forum.CodeNotFound)
		}
	}
	if won != 3 {
		t.Errorf("%d registrations succeeded; want 3", won)
	}
	x.WantClean()
}

// A registration with an invitation may be killed before any step: once it is overdue, the sweeper gives the use back.
func TestCrashOfRegisterWithAnInvitation(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := storetest.New(t)
		i := invitation(x, x.User("ann").ID, 1)
		if died = killRegistering(x, n, invited("bob", i)); !died {
			if n < 5 {
				t.Errorf("Register has %d steps; want at least 4", n-1)
			}
			return
		}
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
		wantCame(x, i)
		bob, err := x.Accounts.Register(x.Ctx, invited("bob", i))
		if err != nil {
			t.Errorf("Register after a crash before step %d: %v", n, err)
		}
		wantCame(x, i, bob)
		x.WantClean()
	}
}

// A process is paused before it takes a use, or has taken one, until its registration was abandoned.
func TestPausedRegistrationWithAnInvitation(t *testing.T) {
	for _, step := range []string{"invitation_take", "user_activate"} {
		x := storetest.New(t)
		i := invitation(x, x.User("ann").ID, 1)
		var late forum.UserID
		var err error
		wake := x.Asleep(step, func(s *store.Store) { late, err = s.Accounts.Register(x.Ctx, invited("bob", i)) })
		x.Clock.Advance(forum.PendingLife)
		x.Settle()
		wantCame(x, i)
		wake()
		storetest.WantOK(t, "paused Register", err) // begins again
		wantCame(x, i, late)
		x.WantClean()
	}
}

// A repeated call with the key takes no second use.
func TestRepeatedRegistrationWithAnInvitation(t *testing.T) {
	x := storetest.New(t)
	i := invitation(x, x.User("ann").ID, 2)
	in := invited("bob", i)
	in.Key, in.SamePassword = "k", func(string) (bool, error) { return true, nil }
	if !killRegistering(x, 4, in) {
		t.Fatal("Register was not killed before it activated the account")
	}
	bob, err := x.Accounts.Register(x.Ctx, in)
	storetest.WantOK(t, "Register again", err)
	again, err := x.Accounts.Register(x.Ctx, in)
	if err != nil || again != bob {
		t.Errorf("Register a third time = %d, %v; want %d", again, err, bob)
	}
	wantCame(x, i, bob)
	x.WantClean()
}

// The oldest closed invitations are forgotten, and there is a limit to open ones.
func TestTooManyInvitations(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	var all []*forum.Invitation
	for n := range forum.InvitationsKept + 2 {
		x.Clock.Advance(1e6)
		all = append(all, invitation(x, ann.ID, 1))
		if n >= forum.MaxInvitations-1 {
			storetest.WantOK(t, "RevokeInvitation", x.Accounts.RevokeInvitation(x.Ctx, ann.ID,
				all[n-forum.MaxInvitations+1].Name))
		}
	}
	invitation(x, ann.ID, 1)
	if n := x.Redis.HLen(x.Ctx, key.Invitations(ann.ID)).Val(); n != forum.InvitationsKept {
		t.Errorf("%d invitations are kept; want %d", n, forum.InvitationsKept)
	}
	for n, i := range all[:4] {
		is, err := x.Accounts.Invitation(x.Ctx, ann.ID, i.Name)
		if storetest.WantOK(t, "Invitation", err); (is != nil) != (n == 3) {
			t.Errorf("invitation %d is %+v; want that three are forgotten", n, is)
		}
	}
	code, _ := auth.NewInvitation(ann.ID)
	_, name, _ := auth.ParseInvitation(code)
	err := x.Accounts.CreateInvitation(x.Ctx, &forum.Invitation{Creator: ann.ID, Name: name, Code: code, Uses: 1,
		CreatedAt: x.Engine.Now(),
		ExpiresAt: x.Engine.Now() + 1000})
	storetest.WantCode(t, "CreateInvitation", err, forum.CodeTooLong)
	x.WantClean()
}
