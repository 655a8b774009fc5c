package accounts_test

import (
	"testing"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// A take-out begins once, and others wait until it has ended, or until its process has not prolonged it.
func TestTakeoutClaims(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann").ID
	want := func(what string, got bool, err error, want bool) {
		t.Helper()
		storetest.WantOK(t, what, err)
		if got != want {
			t.Errorf("%s is %t with %q; want %t", what, got, x.Redis.Get(x.Ctx, key.Takeout(ann)).Val(), want)
		}
	}
	offer := func(digest string) error { _, err := x.Accounts.OfferTakeout(x.Ctx, ann, digest); return err }
	begin := func(what, digest string, may bool) {
		t.Helper()
		ok, err := x.Accounts.BeginTakeout(x.Ctx, ann, digest)
		want(what, ok, err, may)
	}
	storetest.WantOK(t, "OfferTakeout", offer("d1"))
	x.WantClean()
	begin("another secret", "d2", false)
	begin("the first time", "d1", true)
	begin("the second time", "d1", false)
	storetest.WantCode(t, "an offer while it runs", offer("d3"), forum.CodeRateLimited)
	x.Clock.Advance(forum.TakeoutLease / 2)
	ok, err := x.Accounts.ProlongTakeout(x.Ctx, ann, "d1")
	want("ProlongTakeout", ok, err, true)
	x.Clock.Advance(forum.TakeoutLease / 2)
	storetest.WantCode(t, "an offer while it runs", offer("d3"), forum.CodeRateLimited)
	storetest.WantOK(t, "EndTakeout", x.Accounts.EndTakeout(x.Ctx, ann, "d1"))
	if keys := x.Redis.Exists(x.Ctx, key.Takeout(ann)).Val(); keys != 0 {
		t.Error("an ended take-out has a key")
	}
	storetest.WantOK(t, "an offer after it has ended", offer("d3"))
	begin("after it was offered", "d3", true)
	x.Clock.Advance(forum.TakeoutLease) // its process has died
	ok, err = x.Accounts.ProlongTakeout(x.Ctx, ann, "d3")
	want("ProlongTakeout of a lost one", ok, err, false)
	storetest.WantOK(t, "an offer after it was lost", offer("d4"))
	x.Clock.Advance(forum.TakeoutLife)
	begin("too late", "d4", false)
	at := x.Redis.ExpireTime(x.Ctx, key.Takeout(ann)).Val().Milliseconds() - int64(x.Engine.Now())
	if at <= 0 || at > forum.ExpiryGrace.Milliseconds()+1000 {
		t.Errorf("the key expires in %d ms", at)
	}
	x.WantClean()
	_, err = x.Accounts.OfferTakeout(x.Ctx, 512, "d")
	storetest.WantCode(t, "an offer for nobody", err, forum.CodeNotFound)
}

// Whoever took over an account cannot download what is kept about it once that is noticed.
func TestTakeoutEndsWithSessions(t *testing.T) {
	x := storetest.New(t)
	mia := x.Moderator("mia")
	for name, end := range map[string]func(id forum.UserID) error{
		"EndSessions":    func(id forum.UserID) error { return x.Sessions.EndSessions(x.Ctx, id) },
		"SetPassword":    func(id forum.UserID) error { return x.Accounts.SetPassword(x.Ctx, id, "other") },
		"SetDeactivated": func(id forum.UserID) error { return x.Accounts.SetDeactivated(x.Ctx, id, true) },
		"Ban": func(id forum.UserID) error {
			_, _, err := x.Moderation.Ban(x.Ctx, mia, id, forum.Ban{Scope: forum.BanSignIn, Grounds: storetest.Because})
			return err
		},
	} {
		id := x.User("user" + name).ID
		for _, begun := range []bool{false, true} {
			_, err := x.Accounts.OfferTakeout(x.Ctx, id, "d1")
			storetest.WantOK(t, "OfferTakeout", err)
			if begun {
				_, err := x.Accounts.BeginTakeout(x.Ctx, id, "d1")
				storetest.WantOK(t, "BeginTakeout", err)
			}
			storetest.WantOK(t, name, end(id))
			next := x.Accounts.BeginTakeout
			if begun {
				next = x.Accounts.ProlongTakeout
			}
			if ok, err := next(x.Ctx, id, "d1"); ok || err != nil {
				t.Errorf("after %s, a take-out that has begun (%t) goes on: %v", name, begun, err)
			}
			if name == "Ban" || name == "SetDeactivated" {
				break // they end sessions once
			}
		}
	}
	x.WantClean()
}
