package store_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/test/testlevel"
)

// applicant is an account that moderators are to approve.
func applicant(login string) accounts.NewUser {
	in := account(login)
	in.Applies, in.ApplicationText = true, "I like tea."
	return in
}

// apply registers such an account.
func (x *site) apply(login string) forum.UserID {
	x.t.Helper()
	id, err := x.Accounts.Register(x.ctx, applicant(login))
	wantOK(x.t, "Register", err)
	return id
}

// wantListed checks who is in the lists of users and of applicants, whose members are shown without ids and times.
func (x *site) wantListed(what string, want ...string) {
	x.t.Helper()
	var got []string
	for _, list := range []key.Names{key.UserNames, key.Applicants} {
		for _, m := range x.rdb.ZRange(x.ctx, list.Order(key.OrderName), 0, -1).Val() {
			name, _, _ := strings.Cut(m, "\n")
			name, _, _ = strings.Cut(name, " ")
			got = append(got, name)
		}
	}
	if !slices.Equal(got, want) {
		x.t.Errorf("%s: the lists have %v; want %v", what, got, want)
	}
}

// The registration of an applicant may be killed before any step, and is removed or complete.
func TestCrashOfAnApplication(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := newSite(t)
		if died = x.killRegistering(n, applicant("ann")); !died {
			x.wantListed("a registration that was not killed", "PENDING")
			return
		}
		x.clock.Advance(forum.PendingLife)
		x.wantClean()
		_, err := x.Accounts.Register(x.ctx, applicant("ann"))
		if complete := forum.CodeOf(err) == forum.CodeTaken; err != nil && !complete {
			t.Errorf("Register after a crash before step %d: %v", n, err)
		}
		x.wantClean()
		x.wantListed("a registration that was killed", "PENDING")
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
			x := newSite(t)
			mia := x.Moderator("mia")
			id := x.apply("ann")
			before := []string{"mia", "PENDING"}
			if tt.rejected {
				_, _, err := x.Accounts.ResolveApplication(x.ctx, mia, id, false, because)
				wantOK(t, "reject", err)
				before[1] = "REJECTED"
			}
			died = x.dies(n, func(s *store.Store) {
				s.Accounts.ResolveApplication(x.ctx, mia, id, tt.approve,
					because)
			})
			x.wantClean()
			if n == 1 {
				x.wantListed(tt.name+", killed at once", before...)
			} else {
				x.wantListed(tt.name, tt.want...)
			}
			approved := tt.approve && n > 1
			if text := x.hash(key.User(id))["applicationText"]; approved != (text == "") {
				t.Errorf("%s: the account has the text %q", tt.name, text)
			}
		}
	}
}

// Moderators and the applicant act at the same time: one order of their acts is what has happened.
func TestApplicationsAreRaced(t *testing.T) {
	testlevel.Usual(t)
	x := newSite(t)
	for range 20 {
		x.empty()
		mia := x.Moderator("mia")
		id := x.apply("ann")
		var wg sync.WaitGroup
		errs := make([]error, 3)
		wg.Go(func() { _, _, errs[0] = x.Accounts.ResolveApplication(x.ctx, mia, id, true, because) })
		wg.Go(func() { _, _, errs[1] = x.Accounts.ResolveApplication(x.ctx, mia, id, false, because) })
		wg.Go(func() { errs[2] = x.Accounts.DeleteUser(x.ctx, id, false) })
		wg.Wait()
		wantOK(t, "DeleteUser", errs[2])
		for _, err := range errs[:2] {
			if err != nil && forum.CodeOf(err) != forum.CodeNotFound {
				t.Errorf("ResolveApplication: %v", err)
			}
		}
		x.wantClean()
		x.wantListed("a deleted account", "mia")
		if n := x.rdb.HGet(x.ctx, key.Stats(id.Partition()), "users").Val(); id.Partition() != mia.ID.Partition() && n != "" && n != "0" {
			t.Errorf("%s users are counted; want 0", n)
		}
	}
}
