package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/bulk"
	"agora/internal/store/internal/key"
)

func TestChangeEmailMovesTheClaim(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	x.settle()
	before := x.hash(key.User(ann.ID))
	var usage store.Usage
	ctx := store.WithUsage(t.Context(), &usage)
	wantOK(t, "ChangeEmail", x.Accounts.ChangeEmail(ctx, ann.ID, "hash of ann", "New@Example.org", "new@example.org"))
	if n := usage.RoundTrips.Load(); n > 6 {
		t.Errorf("ChangeEmail: %d round trips; want at most 6", n)
	}
	after := x.hash(key.User(ann.ID))
	want := map[string]string{"email": "New@Example.org", "emailFold": "new@example.org",
		"emailClaim": key.EmailClaim("new@example.org"), "rev": "2"}
	nonce := after["emailNonce"]
	for name, value := range before {
		if want[name] == "" {
			want[name] = value
		}
	}
	want["emailNonce"] = nonce
	if diff := cmp.Diff(want, after); diff != "" || nonce == before["emailNonce"] {
		t.Errorf("%s, nonce %s (-want +got):\n%s", key.User(ann.ID), nonce, diff)
	}
	if got := x.rdb.Get(t.Context(), key.EmailClaim("new@example.org")).Val(); got != key.Itoa(ann.ID)+"/"+nonce {
		t.Errorf("claim = %q; want %d/%s", got, ann.ID, nonce)
	}
	x.Engine.Cleaner.Flush() // releases the old claim
	if marks := x.keysLike(":dirty"); len(marks) > 0 {
		t.Errorf("%v right after the change; want no mark", marks)
	}
	x.wantOwner("new@example.org", ann.ID)
	x.wantOwner("ann", ann.ID)
	x.wantOwner("ann@example.org", 0)
	if got := x.email(ann.ID); got != "New@Example.org" {
		t.Errorf("e-mail = %q; want New@Example.org", got)
	}
	x.wantFree("ann@example.org")
	x.wantClean()
}

func TestChangeEmailIsRefused(t *testing.T) {
	x := newSite(t)
	ann, bob := x.User("ann"), x.User("bob")
	tests := []struct {
		name, was, email string
		id               forum.UserID
		want             forum.Code
		path             []string
	}{
		{"another user's", "hash of ann", "bob@example.org", ann.ID, forum.CodeTaken, forum.Path("email")},
		{"another password", "hash of bob", "new@example.org", ann.ID, forum.CodeWrongCredentials, forum.Path("password")},
		{"a missing user", "hash of ann", "new@example.org", 512, forum.CodeUnauthenticated, nil},
	}
	for _, tt := range tests {
		err := x.Accounts.ChangeEmail(t.Context(), tt.id, tt.was, tt.email, tt.email)
		wantCode(t, "ChangeEmail, "+tt.name, err, tt.want)
		if got := pathOf(err); !slices.Equal(got, tt.path) {
			t.Errorf("ChangeEmail, %s: path %v; want %v", tt.name, got, tt.path)
		}
	}
	x.wantOwner("ann@example.org", ann.ID)
	x.wantOwner("bob@example.org", bob.ID)
	x.wantClean()
	x.wantFree("new@example.org")
}

// Nobody takes the address of a banned account that was deleted; whoever is banned takes back their own.
func TestChangeEmailToABarredAddress(t *testing.T) {
	x := newSite(t)
	mia, ann, bob := x.Moderator("mia"), x.User("ann"), x.User("bob")
	_, _, err := x.Moderation.Ban(x.ctx, mia, ann.ID, forum.Ban{Scope: forum.BanPost, Until: x.Engine.Now() + 1000,
		Grounds: because})
	wantOK(t, "Ban", err)
	for _, email := range []string{"new@example.org", "ann@example.org"} {
		wantOK(t, "ChangeEmail to "+email, changeEmail(x.Store, x, "ann", ann.ID, email))
		x.settle()
	}
	wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, ann.ID, "hash of ann"))
	x.settle()
	before := x.hash(key.User(bob.ID))
	for _, email := range []string{"new@example.org", "ann@example.org"} {
		err := changeEmail(x.Store, x, "bob", bob.ID, email)
		wantCode(t, "ChangeEmail to "+email, err, forum.CodeBanned)
		if got := pathOf(err); !slices.Equal(got, forum.Path("email")) {
			t.Errorf("ChangeEmail to %s: path %v; want %v", email, got, forum.Path("email"))
		}
		if got := x.rdb.Exists(t.Context(), key.EmailClaim(email)).Val(); got != 0 {
			t.Errorf("there is a claim on %s", email)
		}
	}
	after := x.hash(key.User(bob.ID))
	before["rev"] = after["rev"]
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("%s (-want +got):\n%s", key.User(bob.ID), diff)
	}
	x.wantClean()
	x.clock.Advance(forum.EmailBarred)
	wantOK(t, "ChangeEmail later", changeEmail(x.Store, x, "bob", bob.ID, "ann@example.org"))
	x.wantClean()
}

// Another spelling of the same address needs no claim.
func TestChangeEmailToAnotherSpelling(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	x.settle()
	before := x.hash(key.User(ann.ID))
	wantOK(t, "ChangeEmail", changeEmail(x.Store, x, "ann", ann.ID, "ANN@example.ORG"))
	before["email"] = "ANN@example.ORG"
	if diff := cmp.Diff(before, x.hash(key.User(ann.ID))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", key.User(ann.ID), diff)
	}
	x.wantOwner("ann@example.org", ann.ID)
	x.wantClean()
}

// An imported account gets its first e-mail after an administrator sets a password.
func TestFirstEmailOfAnAccount(t *testing.T) {
	x := newSite(t)
	ids, _, err := x.Import().Users(t.Context(), []bulk.ImportUser{newMember("old:7", "zoe")}, strings.ToLower)
	wantOK(t, "Users", err)
	if got := x.email(ids[0]); got != "" {
		t.Errorf("e-mail before = %q; want none", got)
	}
	wantOK(t, "SetPassword", x.Accounts.SetPassword(t.Context(), ids[0], "hash of zoe"))
	x.wantClean()
	wantOK(t, "ChangeEmail", changeEmail(x.Store, x, "zoe", ids[0], "Zoe@example.org"))
	x.wantOwner("zoe@example.org", ids[0])
	x.wantClean()
	wantOK(t, "ChangeEmail again", changeEmail(x.Store, x, "zoe", ids[0], "z@example.org"))
	x.wantFree("zoe@example.org")
	x.wantClean()
}

// Two users cannot swap e-mails directly, because each still has theirs; with a third address they can.
func TestSwappedEmailsNeedAThird(t *testing.T) {
	x := newSite(t)
	ann, bob := x.User("ann"), x.User("bob")
	wake := x.asleep("claim_set", func(s *store.Store) {
		wantCode(t, "ChangeEmail of ann", changeEmail(s, x, "ann", ann.ID, "bob@example.org"), forum.CodeTaken)
	})
	wantCode(t, "ChangeEmail of bob", changeEmail(x.Store, x, "bob", bob.ID, "ann@example.org"), forum.CodeTaken)
	wake()
	x.wantClean()
	for _, c := range []struct {
		login, email string
		id           forum.UserID
	}{{"ann", "third@example.org", ann.ID}, {"bob", "ann@example.org", bob.ID}, {"ann", "bob@example.org", ann.ID}} {
		wantOK(t, "ChangeEmail of "+c.login+" to "+c.email, changeEmail(x.Store, x, c.login, c.id, c.email))
	}
	x.wantOwner("ann@example.org", bob.ID)
	x.wantOwner("bob@example.org", ann.ID)
	x.wantFree("third@example.org")
	x.wantClean()
}

// There is one change at a time until it is overdue.
func TestTwoChangesOfOneEmailAtOnce(t *testing.T) {
	for _, tt := range []struct {
		wait time.Duration
		want forum.Code
	}{{forum.PendingLife - time.Millisecond, forum.CodeConflict}, {forum.PendingLife, ""}} {
		for _, step := range []string{"claim_set", "user_email_commit"} {
			x := newSite(t)
			ann := x.User("ann")
			wake := x.asleep(step, func(s *store.Store) {
				wantOK(t, "paused ChangeEmail", changeEmail(s, x, "ann", ann.ID, "one@example.org"))
			})
			x.clock.Advance(tt.wait)
			err := changeEmail(x.Store, x, "ann", ann.ID, "two@example.org")
			if got := forum.CodeOf(err); got != tt.want || (err == nil) != (tt.want == "") {
				t.Errorf("second ChangeEmail after %v = %v; want code %q", tt.wait, err, tt.want)
			}
			wake()
			x.wantOwner("one@example.org", ann.ID) // the paused change still takes it
			x.wantFree("two@example.org")
			x.wantFree("ann@example.org")
			x.wantClean()
		}
	}
}

// A new spelling abandons an overdue change that was never finished.
func TestSpellingAfterAnOverdueChange(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	x.dies(3, func(s *store.Store) { changeEmail(s, x, "ann", ann.ID, "new@example.org") })
	wantCode(t, "ChangeEmail", changeEmail(x.Store, x, "ann", ann.ID, "ANN@example.org"), forum.CodeConflict)
	x.clock.Advance(forum.PendingLife)
	wantOK(t, "ChangeEmail", changeEmail(x.Store, x, "ann", ann.ID, "ANN@example.org"))
	x.wantFree("new@example.org")
	x.wantClean()
}

// Secrets are the current password and addresses of an account.
func TestSecrets(t *testing.T) {
	x := newSite(t)
	ann := x.User("Ann")
	got, err := x.Accounts.Secrets(t.Context(), ann.ID)
	if want := (accounts.Secrets{LoginFold: "ann", EmailFold: "ann@example.org", PasswordHash: "hash of Ann"}); err != nil || got != want {
		t.Errorf("Secrets = %+v, %v; want %+v", got, err, want)
	}
	_, err = x.Accounts.Secrets(t.Context(), 512)
	wantCode(t, "Secrets of a missing user", err, forum.CodeUnauthenticated)
}
