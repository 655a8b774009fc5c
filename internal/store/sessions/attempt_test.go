package sessions_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/sessions"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

func host(n int) string { return fmt.Sprintf("192.0.2.%d", n) }

// A name that many addresses fail with is slowed down for addresses that the account does not know, and
// opens to each of them after at most a minute, whatever others do.
func TestNameUnderAttackOpensToEveryAddress(t *testing.T) {
	testlevel.LongSequential(t)
	x := storetest.New(t)
	ann := x.User("ann")
	x.KnowDevice(ann.ID, "home")
	for n := range forum.NameFailures {
		if wait := x.FailSignIn("ann", host(n)); wait != 0 {
			t.Fatalf("failure %d waits %s; want 0", n, wait)
		}
	}
	if wait := x.FailSignIn("ann", "fresh"); wait != forum.FirstWait {
		t.Errorf("after %d failures a fresh address waits %s; want %s", forum.NameFailures, wait, forum.FirstWait)
	}
	// Three hundred addresses try again as soon as they may.
	for range 20 {
		for n := range 300 {
			x.FailSignIn("ann", fmt.Sprint("bot ", n))
		}
		x.Clock.Advance(forum.FirstWait)
	}
	if wait := x.FailSignIn("ann", "late"); wait <= forum.FirstWait || wait > forum.LongestWait {
		t.Errorf("under attack a fresh address waits %s; want more than %s, at most %s", wait, forum.FirstWait,
			forum.LongestWait)
	}
	if wait := x.FailSignIn("ann", "home"); wait != 0 {
		t.Errorf("a known device waits %s; want 0", wait)
	}
	x.Clock.Advance(forum.LongestWait)
	for n := range 300 {
		x.FailSignIn("ann", fmt.Sprint("bot ", n))
	}
	if wait := x.FailSignIn("ann", "late"); wait != 0 {
		t.Errorf("once it has waited a fresh address waits %s; want 0", wait)
	}
	if wait := x.FailSignIn("ann", "late"); wait <= 0 || wait > forum.LongestWait {
		t.Errorf("its next attempt waits %s; want up to %s", wait, forum.LongestWait)
	}
	if wait := x.FailSignIn("bob", "fresh"); wait != 0 {
		t.Errorf("another name waits %s; want 0", wait)
	}
	x.Clock.Advance(forum.FailureWindow)
	if wait := x.FailSignIn("ann", "later"); wait != 0 {
		t.Errorf("%s after the attack a fresh address waits %s; want 0", forum.FailureWindow, wait)
	}
}

// Attempts that did not fail do not count.
func TestOnlyFailuresCount(t *testing.T) {
	x := storetest.New(t)
	x.User("ann")
	for n := range 100 {
		_, a, err := x.Sessions.BeginSignIn(t.Context(), sessions.SignIn{Fold: "ann", Name: "ann",
			Address: host(n % 3), Failures: 10})
		storetest.WantOK(t, "BeginSignIn", err)
		storetest.WantOK(t, "EndAttempt", x.Sessions.EndAttempt(t.Context(), a, n%2 == 0))
	}
	for n := range 9 {
		x.FailSignIn("ann", "here")
		if wait := x.FailSignIn("ann", host(n)); wait != 0 {
			t.Errorf("failure %d waits %s; want 0", n, wait)
		}
	}
	_, a, err := x.Sessions.BeginSignIn(t.Context(), sessions.SignIn{Fold: "ann", Name: "ann", Address: "here",
		Failures: 10})
	storetest.WantOK(t, "BeginSignIn", err)
	storetest.WantOK(t, "EndAttempt", x.Sessions.EndAttempt(t.Context(), a, true))
	if n := x.Redis.Exists(t.Context(), key.Attempts(a.Name, a.Address)).Val(); n != 0 {
		t.Error("the failures of an address remain after the correct password")
	}
}

// An account remembers the last addresses for a time, as pseudonyms that differ by user.
func TestDevices(t *testing.T) {
	x := storetest.New(t)
	ann, bob := x.User("ann"), x.User("bob")
	for n := range forum.MaxDevices + 5 {
		x.KnowDevice(ann.ID, host(n))
		x.Clock.Advance(time.Second)
	}
	x.KnowDevice(bob.ID, host(24))
	members := x.Redis.ZRange(t.Context(), key.Devices(ann.ID), 0, -1).Val()
	if len(members) != forum.MaxDevices ||
		slices.Contains(members, x.Redis.ZRange(t.Context(), key.Devices(bob.ID), 0, 0).Val()[0]) {
		t.Errorf("ann has %d devices, among them bob's: %v; want %d of her own", len(members), members,
			forum.MaxDevices)
	}
	knows := func(address string) bool {
		_, a, err := x.Sessions.BeginSignIn(t.Context(), sessions.SignIn{Fold: "ann", Name: "ann", Address: address,
			Failures: 10})
		storetest.WantOK(t, "BeginSignIn", err)
		return a.Known
	}
	if knows(host(4)) || !knows(host(5)) || !knows(host(24)) || knows("elsewhere") {
		t.Error("ann knows addresses other than the last 20")
	}
	x.Clock.Advance(forum.DeviceLife - 2*time.Second)
	if knows(host(23)) || !knows(host(24)) {
		t.Error("want an address known until 90 days after its last use")
	}
	expires := x.Redis.ExpireTime(t.Context(), key.Devices(ann.ID)).Val()
	if want := x.Clock.Now().Add(time.Second + forum.ExpiryGrace); expires > time.Duration(want.Unix())*time.Second ||
		expires <= 0 {
		t.Errorf("EXPIRETIME = %v; want at most %v", expires, want)
	}
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), bob.ID, "hash of bob"))
	if x.Exists(key.Devices(bob.ID)) {
		t.Error("a deleted account knows devices")
	}
}

// Processes share one secret, which is permanent and appears in no log or other key.
func TestSecret(t *testing.T) {
	x := storetest.New(t)
	one, two := x.Engine.Pseudonym("address", "192.0.2.1"), x.Process().Engine.Pseudonym("address", "192.0.2.1")
	if one != two || len(one) != 32 {
		t.Errorf("pseudonyms = %s, %s; want the same 32 digits", one, two)
	}
	if other := storetest.New(t).Engine.Pseudonym("address", "192.0.2.1"); other == one || x.Engine.Pseudonym("name",
		"192.0.2.1") == one {
		t.Error("another site, or another kind, has the same pseudonym")
	}
	var log bytes.Buffer
	secret := x.Redis.Get(t.Context(), key.Secret).Val()
	x.Redis.Set(t.Context(), key.Secret, secret[1:], 0)
	_, err := store.Open(t.Context(), store.Over(x.Redis), store.Layout{},
		store.WithLog(slog.New(slog.NewTextHandler(&log, nil))))
	if err == nil || strings.Contains(err.Error()+log.String(), secret[1:]) {
		t.Errorf("Open with a damaged secret = %v, log %s; want an error that does not repeat it", err, &log)
	}
	x.Redis.Del(t.Context(), key.Secret)
	readOnly := must.Do(store.OpenReadOnly(t.Context(), store.Over(x.Redis), store.Layout{}))(t)
	defer readOnly.Close()
	if x.Exists(key.Secret) {
		t.Error("OpenReadOnly created a secret")
	}
}

func TestCredentials(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("Ann")
	dangling := "{p00}:u:256" // a claim whose holder does not exist
	x.Redis.Set(t.Context(), key.LoginClaim("ghosted"), "256/abc", 0)
	tests := []struct {
		name, fold string
		email      bool
		want       sessions.Credentials
	}{
		{"login", "ann", false, sessions.Credentials{User: ann.ID, PasswordHash: "hash of Ann"}},
		{"e-mail", "ann@example.org", true, sessions.Credentials{User: ann.ID, PasswordHash: "hash of Ann"}},
		{"login not folded", "Ann", false, sessions.Credentials{}},
		{"login as e-mail", "ann", true, sessions.Credentials{}},
		{"nobody", "bob", false, sessions.Credentials{}},
		{"claim without holder", "ghosted", false, sessions.Credentials{}},
	}
	for _, tt := range tests {
		var usage store.Usage
		got, err := x.Sessions.Credentials(store.WithUsage(t.Context(), &usage), tt.fold, tt.email)
		if err != nil || got != tt.want {
			t.Errorf("Credentials, %s = %+v, %v; want %+v", tt.name, got, err, tt.want)
		}
		if n := usage.RoundTrips.Load(); n != 2 {
			t.Errorf("Credentials, %s: %d round trips; want 2, whether or not it exists", tt.name, n)
		}
	}
	if x.Exists(dangling) {
		t.Errorf("Credentials created %s", dangling)
	}
}
