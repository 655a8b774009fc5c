package accounts_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

func TestChangeEmailMovesTheClaim(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	x.Settle()
	before := x.Hash(key.User(ann.ID))
	var usage store.Usage
	ctx := store.WithUsage(t.Context(), &usage)
	storetest.WantOK(t, "ChangeEmail", x.Accounts.ChangeEmail(ctx, ann.ID, "hash of ann", "New@Example.org",
		"new@example.org"))
	if n := usage.RoundTrips.Load(); n > 6 {
		t.Errorf("ChangeEmail: %d round trips; want at most 6", n)
	}
	after := x.Hash(key.User(ann.ID))
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
	if got := x.Redis.Get(t.Context(), key.EmailClaim("new@example.org")).Val(); got != key.Itoa(ann.ID)+"/"+nonce {
		t.Errorf("claim = %q; want %d/%s", got, ann.ID, nonce)
	}
	x.Engine.Cleaner.Flush() // releases the old claim
	if marks := x.KeysLike(":dirty"); len(marks) > 0 {
		t.Errorf("%v right after the change; want no mark", marks)
	}
	wantOwner(x, "new@example.org", ann.ID)
	wantOwner(x, "ann", ann.ID)
	wantOwner(x, "ann@example.org", 0)
	if got := email(x, ann.ID); got != "New@Example.org" {
		t.Errorf("e-mail = %q; want New@Example.org", got)
	}
	wantFree(x, "ann@example.org")
	x.WantClean()
}

// Nobody takes the address of a banned account that was deleted; whoever is banned takes back their own.
func TestChangeEmailToABarredAddress(t *testing.T) {
	x := storetest.New(t)
	mia, ann, bob := x.Moderator("mia"), x.User("ann"), x.User("bob")
	_, _, err := x.Moderation.Ban(x.Ctx, mia, ann.ID, forum.Ban{Scope: forum.BanPost, Until: x.Engine.Now() + 1000,
		Grounds: storetest.Because})
	storetest.WantOK(t, "Ban", err)
	for _, email := range []string{"new@example.org", "ann@example.org"} {
		storetest.WantOK(t, "ChangeEmail to "+email, changeEmail(x.Store, x, "ann", ann.ID, email))
		x.Settle()
	}
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.Ctx, ann.ID, "hash of ann"))
	x.Settle()
	before := x.Hash(key.User(bob.ID))
	for _, email := range []string{"new@example.org", "ann@example.org"} {
		err := changeEmail(x.Store, x, "bob", bob.ID, email)
		storetest.WantCode(t, "ChangeEmail to "+email, err, forum.CodeBanned)
		if got := storetest.PathOf(err); !slices.Equal(got, forum.Path("email")) {
			t.Errorf("ChangeEmail to %s: path %v; want %v", email, got, forum.Path("email"))
		}
		if got := x.Redis.Exists(t.Context(), key.EmailClaim(email)).Val(); got != 0 {
			t.Errorf("there is a claim on %s", email)
		}
	}
	after := x.Hash(key.User(bob.ID))
	before["rev"] = after["rev"]
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("%s (-want +got):\n%s", key.User(bob.ID), diff)
	}
	x.WantClean()
	x.Clock.Advance(forum.EmailBarred)
	storetest.WantOK(t, "ChangeEmail later", changeEmail(x.Store, x, "bob", bob.ID, "ann@example.org"))
	x.WantClean()
}

// Another spelling of the same address needs no claim.
func TestChangeEmailToAnotherSpelling(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	x.Settle()
	before := x.Hash(key.User(ann.ID))
	storetest.WantOK(t, "ChangeEmail", changeEmail(x.Store, x, "ann", ann.ID, "ANN@example.ORG"))
	before["email"] = "ANN@example.ORG"
	if diff := cmp.Diff(before, x.Hash(key.User(ann.ID))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", key.User(ann.ID), diff)
	}
	wantOwner(x, "ann@example.org", ann.ID)
	x.WantClean()
}

// An imported account gets its first e-mail after an administrator sets a password.
func TestFirstEmailOfAnAccount(t *testing.T) {
	x := storetest.New(t)
	ids, _, err := x.Import().Users(t.Context(), []bulk.ImportUser{site.Member("old:7", "zoe")}, strings.ToLower)
	storetest.WantOK(t, "Users", err)
	if got := email(x, ids[0]); got != "" {
		t.Errorf("e-mail before = %q; want none", got)
	}
	storetest.WantOK(t, "SetPassword", x.Accounts.SetPassword(t.Context(), ids[0], "hash of zoe"))
	x.WantClean()
	storetest.WantOK(t, "ChangeEmail", changeEmail(x.Store, x, "zoe", ids[0], "Zoe@example.org"))
	wantOwner(x, "zoe@example.org", ids[0])
	x.WantClean()
	storetest.WantOK(t, "ChangeEmail again", changeEmail(x.Store, x, "zoe", ids[0], "z@example.org"))
	wantFree(x, "zoe@example.org")
	x.WantClean()
}

// Two users cannot swap e-mails directly, because each still has theirs; with a third address they can.
func TestSwappedEmailsNeedAThird(t *testing.T) {
	x := storetest.New(t)
	ann, bob := x.User("ann"), x.User("bob")
	wake := x.Asleep("claim_set", func(s *store.Store) {
		storetest.WantCode(t, "ChangeEmail of ann", changeEmail(s, x, "ann", ann.ID, "bob@example.org"),
			forum.CodeTaken)
	})
	storetest.WantCode(t, "ChangeEmail of bob", changeEmail(x.Store, x, "bob", bob.ID, "ann@example.org"),
		forum.CodeTaken)
	wake()
	x.WantClean()
	for _, c := range []struct {
		login, email string
		id           forum.UserID
	}{{"ann", "third@example.org", ann.ID}, {"bob", "ann@example.org", bob.ID}, {"ann", "bob@example.org", ann.ID}} {
		storetest.WantOK(t, "ChangeEmail of "+c.login+" to "+c.email, changeEmail(x.Store, x, c.login, c.id, c.email))
	}
	wantOwner(x, "ann@example.org", bob.ID)
	wantOwner(x, "bob@example.org", ann.ID)
	wantFree(x, "third@example.org")
	x.WantClean()
}

// There is one change at a time until it is overdue.
func TestTwoChangesOfOneEmailAtOnce(t *testing.T) {
	for _, tt := range []struct {
		wait time.Duration
		want forum.Code
	}{{forum.PendingLife - time.Millisecond, forum.CodeConflict}, {forum.PendingLife, ""}} {
		for _, step := range []string{"claim_set", "user_email_commit"} {
			x := storetest.New(t)
			ann := x.User("ann")
			wake := x.Asleep(step, func(s *store.Store) {
				storetest.WantOK(t, "paused ChangeEmail", changeEmail(s, x, "ann", ann.ID, "one@example.org"))
			})
			x.Clock.Advance(tt.wait)
			err := changeEmail(x.Store, x, "ann", ann.ID, "two@example.org")
			if got := forum.CodeOf(err); got != tt.want || (err == nil) != (tt.want == "") {
				t.Errorf("second ChangeEmail after %v = %v; want code %q", tt.wait, err, tt.want)
			}
			wake()
			wantOwner(x, "one@example.org", ann.ID) // the paused change still takes it
			wantFree(x, "two@example.org")
			wantFree(x, "ann@example.org")
			x.WantClean()
		}
	}
}

// A new spelling abandons an overdue change that was never finished.
func TestSpellingAfterAnOverdueChange(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	x.Dies(3, func(s *store.Store) { changeEmail(s, x, "ann", ann.ID, "new@example.org") })
	storetest.WantCode(t, "ChangeEmail", changeEmail(x.Store, x, "ann", ann.ID, "ANN@example.org"), forum.CodeConflict)
	x.Clock.Advance(forum.PendingLife)
	storetest.WantOK(t, "ChangeEmail", changeEmail(x.Store, x, "ann", ann.ID, "ANN@example.org"))
	wantFree(x, "new@example.org")
	x.WantClean()
}
