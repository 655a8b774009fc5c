package store_test

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
	"agora/internal/test/testlevel"
)

// invitation makes an invitation with so many uses, for an hour.
func (x *site) invitation(maker forum.UserID, uses int) *forum.Invitation {
	x.t.Helper()
	code, err := auth.NewInvitation(maker)
	wantOK(x.t, "NewInvitation", err)
	_, name, _ := auth.ParseInvitation(code)
	i := &forum.Invitation{Maker: maker, Name: name, Code: code, Uses: uses, CreatedAt: x.Engine.Now(),
		ExpiresAt: x.Engine.Now() + 3_600_000}
	wantOK(x.t, "CreateInvitation", x.Accounts.CreateInvitation(x.ctx, i))
	return i
}

// invited is an account that registers with an invitation.
func invited(login string, i *forum.Invitation) accounts.NewUser {
	in := account(login)
	in.Invitation = &accounts.TakenInvitation{Maker: i.Maker, Name: i.Name, By: forum.RoleUser}
	return in
}

// wantCame checks who has registered with an invitation.
func (x *site) wantCame(i *forum.Invitation, want ...forum.UserID) {
	x.t.Helper()
	is, err := x.Accounts.Invitation(x.ctx, i.Maker, i.Name)
	if err != nil || is == nil || !slices.Equal(is.Came, want) {
		x.t.Errorf("Invitation = %+v, %v; want that %v came", is, err, want)
	}
}

func TestInvitationsAreUsedUp(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	i := x.invitation(ann.ID, 2)
	bob, err := x.Accounts.Register(x.ctx, invited("bob", i))
	wantOK(t, "Register", err)
	_, err = x.Accounts.Register(x.ctx, invited("bob", i))
	wantCode(t, "Register with a login in use", err, forum.CodeTaken)
	x.wantCame(i, bob)
	carl, err := x.Accounts.Register(x.ctx, invited("carl", i))
	wantOK(t, "Register", err)
	_, err = x.Accounts.Register(x.ctx, invited("dora", i))
	wantCode(t, "Register with a used-up invitation", err, forum.CodeNotFound)
	_, err = x.Accounts.Register(x.ctx, account("dora"))
	wantOK(t, "Register with the login of a refused registration", err)
	x.wantCame(i, bob, carl)
	if got, want := x.hash(key.User(bob))["invitation"], fmt.Sprintf("invitation:%d:%s", ann.ID, i.Name); got != want {
		t.Errorf("the account of the invited user has the invitation %q; want %q", got, want)
	}
	x.wantClean()

	wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, bob, "hash of bob"))
	x.wantClean()
	x.wantCame(i, bob, carl)
	wantOK(t, "DeleteAccount of the maker", x.Accounts.DeleteAccount(x.ctx, ann.ID, "hash of ann"))
	x.wantClean()
	if x.exists(key.Invitations(ann.ID)) {
		t.Error("the invitations of a deleted account are left")
	}
}

// What an invitation must be: each step ends one, or the right to invite.
func TestClosedInvitations(t *testing.T) {
	x := newSite(t)
	tests := []struct {
		name  string
		close func(maker *forum.Viewer, i *forum.Invitation, in *accounts.NewUser)
	}{
		{"expired", func(_ *forum.Viewer, i *forum.Invitation, _ *accounts.NewUser) {
			x.rdb.HSet(x.ctx, key.Invitations(i.Maker), i.Name,
				fmt.Sprintf(`{"code":"x","uses":1,"created":1,"expires":%d}`, x.Engine.Now()))
		}},
		{"revoked", func(_ *forum.Viewer, i *forum.Invitation, _ *accounts.NewUser) {
			wantOK(t, "RevokeInvitation", x.Accounts.RevokeInvitation(x.ctx, i.Maker, i.Name))
		}},
		{"unknown", func(_ *forum.Viewer, _ *forum.Invitation, in *accounts.NewUser) {
			in.Invitation.Name = "0123456789abcdef01234567"
		}},
		{"by a user whose role does not suffice", func(_ *forum.Viewer, _ *forum.Invitation, in *accounts.NewUser) {
			in.Invitation.By = forum.RoleModerator
		}},
		{"by a banned user", func(maker *forum.Viewer, _ *forum.Invitation, _ *accounts.NewUser) {
			x.rdb.HSet(x.ctx, key.User(maker.ID), "ban", "POST", "banUntil", "0", "banReason", "SPAM", "banAct", "1")
		}},
		{"by a deactivated user", func(maker *forum.Viewer, _ *forum.Invitation, _ *accounts.NewUser) {
			wantOK(t, "SetDeactivated", x.Accounts.SetDeactivated(x.ctx, maker.ID, true))
		}},
		{"by a deleted user", func(maker *forum.Viewer, i *forum.Invitation, _ *accounts.NewUser) {
			wantOK(t, "DeleteUser", x.Accounts.DeleteUser(x.ctx, maker.ID, false))
		}},
	}
	for n, tt := range tests {
		maker := x.User(fmt.Sprintf("maker%d", n))
		i := x.invitation(maker.ID, 1)
		in := invited("guest", i)
		tt.close(maker, i, &in)
		_, err := x.Accounts.Register(x.ctx, in)
		wantCode(t, tt.name, err, forum.CodeNotFound)
		x.rdb.HDel(x.ctx, key.User(maker.ID), "ban", "banUntil", "banReason", "banAct")
	}
	x.wantClean()
}

// Of many concurrent registrations with one invitation, as many succeed as it has uses.
func TestManyRegisterWithOneInvitation(t *testing.T) {
	x := newSite(t)
	i := x.invitation(x.User("ann").ID, 3)
	errs := make([]error, 12)
	var wg sync.WaitGroup
	for n := range errs {
		wg.Go(func() { _, errs[n] = x.Accounts.Register(x.ctx, invited(fmt.Sprintf("guest%d", n), i)) })
	}
	wg.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			wantCode(t, "Register", err, forum.CodeNotFound)
		}
	}
	if won != 3 {
		t.Errorf("%d registrations succeeded; want 3", won)
	}
	x.wantClean()
}

// A registration with an invitation may be killed before any step: once it is overdue, the sweeper gives the use back.
func TestCrashOfRegisterWithAnInvitation(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := newSite(t)
		i := x.invitation(x.User("ann").ID, 1)
		if died = x.killRegistering(n, invited("bob", i)); !died {
			if n < 5 {
				t.Errorf("Register has %d steps; want at least 4", n-1)
			}
			return
		}
		x.clock.Advance(forum.PendingLife)
		x.wantClean()
		x.wantCame(i)
		bob, err := x.Accounts.Register(x.ctx, invited("bob", i))
		if err != nil {
			t.Errorf("Register after a crash before step %d: %v", n, err)
		}
		x.wantCame(i, bob)
		x.wantClean()
	}
}

// A process is paused before it takes a use, or has taken one, until its registration was abandoned.
func TestPausedRegistrationWithAnInvitation(t *testing.T) {
	for _, step := range []string{"invitation_take", "user_activate"} {
		x := newSite(t)
		i := x.invitation(x.User("ann").ID, 1)
		var late forum.UserID
		var err error
		wake := x.asleep(step, func(s *store.Store) { late, err = s.Accounts.Register(x.ctx, invited("bob", i)) })
		x.clock.Advance(forum.PendingLife)
		x.settle()
		x.wantCame(i)
		wake()
		wantOK(t, "paused Register", err) // begins again
		x.wantCame(i, late)
		x.wantClean()
	}
}

// A repeated call with the key takes no second use.
func TestRepeatedRegistrationWithAnInvitation(t *testing.T) {
	x := newSite(t)
	i := x.invitation(x.User("ann").ID, 2)
	in := invited("bob", i)
	in.Key, in.SamePassword = "k", func(string) (bool, error) { return true, nil }
	if !x.killRegistering(4, in) {
		t.Fatal("Register was not killed before it activated the account")
	}
	bob, err := x.Accounts.Register(x.ctx, in)
	wantOK(t, "Register again", err)
	again, err := x.Accounts.Register(x.ctx, in)
	if err != nil || again != bob {
		t.Errorf("Register a third time = %d, %v; want %d", again, err, bob)
	}
	x.wantCame(i, bob)
	x.wantClean()
}

// The oldest closed invitations are forgotten, and there is a limit to open ones.
func TestTooManyInvitations(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	var all []*forum.Invitation
	for n := range forum.InvitationsKept + 2 {
		x.clock.Advance(1e6)
		all = append(all, x.invitation(ann.ID, 1))
		if n >= forum.MaxInvitations-1 {
			wantOK(t, "RevokeInvitation", x.Accounts.RevokeInvitation(x.ctx, ann.ID,
				all[n-forum.MaxInvitations+1].Name))
		}
	}
	x.invitation(ann.ID, 1)
	if n := x.rdb.HLen(x.ctx, key.Invitations(ann.ID)).Val(); n != forum.InvitationsKept {
		t.Errorf("%d invitations are kept; want %d", n, forum.InvitationsKept)
	}
	for n, i := range all[:4] {
		is, err := x.Accounts.Invitation(x.ctx, ann.ID, i.Name)
		if wantOK(t, "Invitation", err); (is != nil) != (n == 3) {
			t.Errorf("invitation %d is %+v; want that three are forgotten", n, is)
		}
	}
	code, _ := auth.NewInvitation(ann.ID)
	_, name, _ := auth.ParseInvitation(code)
	err := x.Accounts.CreateInvitation(x.ctx, &forum.Invitation{Maker: ann.ID, Name: name, Code: code, Uses: 1,
		CreatedAt: x.Engine.Now(),
		ExpiresAt: x.Engine.Now() + 1000})
	wantCode(t, "CreateInvitation", err, forum.CodeTooLong)
	x.wantClean()
}
