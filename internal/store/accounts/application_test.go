package accounts_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// applicant is an account that moderators are to approve.
func applicant(login string) accounts.NewUser {
	in := site.Account(login)
	in.Applies, in.ApplicationText = true, "I like tea."
	return in
}

// apply registers such an account.
func apply(x *storetest.Site, login string) forum.UserID {
	x.T.Helper()
	id, err := x.Accounts.Register(x.Ctx, applicant(login))
	storetest.WantOK(x.T, "Register", err)
	return id
}

// wantListed checks who is in the lists of users and of applicants, whose members are shown without ids and times.
func wantListed(x *storetest.Site, what string, want ...string) {
	x.T.Helper()
	var got []string
	for _, list := range []key.Names{key.UserNames, key.Applicants} {
		for _, m := range x.Redis.ZRange(x.Ctx, list.Order(key.OrderName), 0, -1).Val() {
			name, _, _ := strings.Cut(m, "\n")
			name, _, _ = strings.Cut(name, " ")
			got = append(got, name)
		}
	}
	if !slices.Equal(got, want) {
		x.T.Errorf("%s: the lists have %v; want %v", what, got, want)
	}
}

// The registration of an applicant may be killed before any step, and is removed or complete.
func TestCrashOfAnApplication(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := storetest.New(t)
		if died = killRegistering(x, n, applicant("ann")); !died {
			wantListed(x, "a registration that was not killed", "PENDING")
			return
		}
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
		_, err := x.Accounts.Register(x.Ctx, applicant("ann"))
		if complete := forum.CodeOf(err) == forum.CodeTaken; err != nil && !complete {
			t.Errorf("Register after a crash before step %d: %v", n, err)
		}
		x.WantClean()
		wantListed(x, "a registration that was killed", "PENDING")
	}
}

// What moderators decide may be killed before any step: it is done, logged and listed, or nothing happens.
func TestCrashOfResolvingApplications(t *testing.T) {
	testlevel.Sequential(t)
	tests := []struct {
		name     string
		rejected bool
		approve  bool
		want     []string
	}{
		{"approve", false, true, []string{"ann", "mia"}},
		{"reject", false, false, []string{"mia", "REJECTED"}},
		{"approve what was rejected", true, true, []string{"ann", "mia"}},
	}
	for _, tt := range tests {
		for n, died := 1, true; died; n++ {
			x := storetest.New(t)
			mia := x.Moderator("mia")
			id := apply(x, "ann")
			before := []string{"mia", "PENDING"}
			if tt.rejected {
				_, _, err := x.Accounts.ResolveApplication(x.Ctx, mia, id, false, storetest.Because)
				storetest.WantOK(t, "reject", err)
				before[1] = "REJECTED"
			}
			died = x.Dies(n, func(s *store.Store) {
				s.Accounts.ResolveApplication(x.Ctx, mia, id, tt.approve,
					storetest.Because)
			})
			x.WantClean()
			if n == 1 {
				wantListed(x, tt.name+", killed at once", before...)
			} else {
				wantListed(x, tt.name, tt.want...)
			}
			approved := tt.approve && n > 1
			if text := x.Hash(key.User(id))["applicationText"]; approved != (text == "") {
				t.Errorf("%s: the account has the text %q", tt.name, text)
			}
		}
	}
}

// Moderators and the applicant act at the same time: one order of their acts is what has happened.
func TestApplicationsAreRaced(t *testing.T) {
	testlevel.Usual(t)
	x := storetest.New(t)
	for range 20 {
		x.Clear()
		mia := x.Moderator("mia")
		id := apply(x, "ann")
		var wg sync.WaitGroup
		errs := make([]error, 3)
		wg.Go(func() { _, _, errs[0] = x.Accounts.ResolveApplication(x.Ctx, mia, id, true, storetest.Because) })
		wg.Go(func() { _, _, errs[1] = x.Accounts.ResolveApplication(x.Ctx, mia, id, false, storetest.Because) })
		wg.Go(func() { errs[2] = x.Accounts.DeleteUser(x.Ctx, id, false) })
		wg.Wait()
		storetest.WantOK(t, "DeleteUser", errs[2])
		for _, err := range errs[:2] {
			if err != nil && forum.CodeOf(err) != forum.CodeNotFound {
				t.Errorf("ResolveApplication: %v", err)
			}
		}
		x.WantClean()
		wantListed(x, "a deleted account", "mia")
		if n := x.Redis.HGet(x.Ctx, key.Stats(id.Partition()), "users").Val(); id.Partition() != mia.ID.Partition() &&
			n != "" && n != "0" {
			t.Errorf("%s users are counted; want 0", n)
		}
	}
}
