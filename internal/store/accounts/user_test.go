package accounts_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// Behaviours A1, A5, C1: the keys are spelled out.
func TestRegisterWritesExactlyItsKeys(t *testing.T) {
	x := storetest.New(t)
	in := site.Account("Ann")
	id := must.Do(x.Accounts.Register(t.Context(), in))(t)
	x.Engine.Cleaner.Flush()
	p := key.PartitionPrefix(key.PartitionOfLogin("ann"))
	user := p + "u:" + key.Itoa(id)
	want := []string{key.Layout, key.Secret, p + "seq", p + "stats", user, key.Internal(user), "uniq:{k:ann}",
		"uniq:{l:ann}",
		"{ix:users}:name", "{ix:users}:rev", key.EmailClaim("ann@example.org")}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(x.Keys()))); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	h := x.Hash(user)
	nonce := h["nonce"]
	delete(h, "nonce")
	now := key.Itoa(x.Engine.Now())
	hash := map[string]string{
		"state": "ACTIVE", "role": "USER", "login": "Ann", "fold": "ann", "name": "Ann", "email": "Ann@Example.org",
		"emailFold": "ann@example.org",
		"password":  "hash of Ann", "since": now, "created": now, "topics": "0", "rev": "1",
		"loginClaim": "uniq:{l:ann}", "lookClaims": "uniq:{k:ann}", "emailNonce": nonce,
		"emailClaim": key.EmailClaim("ann@example.org"),
	}
	if diff := cmp.Diff(hash, h); diff != "" {
		t.Errorf("%s (-want +got):\n%s", user, diff)
	}
	if got := x.Redis.Get(t.Context(), "uniq:{l:ann}").Val(); got != key.Itoa(id)+"/"+nonce {
		t.Errorf("claim = %q; want %d/%s", got, id, nonce)
	}
	wantUser := &forum.User{Active: true, ID: id, Login: "Ann", LoginFold: "ann", Name: "Ann", Role: forum.RoleUser,
		CreatedAt: x.Engine.Now()}
	if diff := cmp.Diff(wantUser, x.OneUser(id)); diff != "" {
		t.Errorf("user (-want +got):\n%s", diff)
	}
	x.WantSound()
}

// A refused registration that is repeated with its key leaves no claim on the name that was free.
func TestRepeatedRefusalLeavesNoClaim(t *testing.T) {
	x := storetest.New(t)
	x.User("ann")
	in := site.Account("ann")
	in.Email, in.EmailFold, in.Key = "new@example.org", "new@example.org", "k"
	in.SamePassword = func(string) (bool, error) { return true, nil }
	for range 3 {
		_, err := x.Accounts.Register(t.Context(), in)
		storetest.WantCode(t, "Register with a taken login", err, forum.CodeTaken)
	}
	x.WantClean()
}
