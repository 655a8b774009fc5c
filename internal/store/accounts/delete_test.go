package accounts_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/store/sessions"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

func TestDeleteAccountKeepsPosts(t *testing.T) {
	w := storetest.NewThread(t)
	w.Settle()
	w.Session(w.Ann.ID, "digest", forum.SessionLife)
	before := w.Hash(key.User(w.Ann.ID))
	var usage store.Usage
	storetest.WantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(store.WithUsage(t.Context(), &usage), w.Ann.ID,
		"hash of ann"))
	if n := usage.RoundTrips.Load(); n > 4 {
		t.Errorf("DeleteAccount: %d round trips; want at most 4", n)
	}
	now := key.Itoa(forum.Time(w.Engine.NowMicros()))
	want := map[string]string{"state": "DELETED", "created": before["created"], "deleted": key.Itoa(w.Engine.Now()),
		"topics": "1", "rev": "2",
		"etime": now, "ltime": now, "armed": "1"}
	if diff := cmp.Diff(want, w.Hash(key.User(w.Ann.ID))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", key.User(w.Ann.ID), diff)
	}
	for _, key := range []string{key.LoginClaim("ann"), key.EmailClaim("ann@example.org"), key.Sessions(w.Ann.ID),
		key.Release(w.Ann.ID), key.Dirty(w.Ann.ID.Partition())} {
		if w.Exists(key) {
			t.Errorf("%s exists right after the deletion", key)
		}
	}
	if got := w.SignedIn(w.Ann.ID, "digest"); got != nil {
		t.Errorf("session = %+v; want it ended", got)
	}
	r := w.Read(t.Context())
	users := r.Listing.Users([]forum.UserID{w.Ann.ID})
	storetest.WantOK(t, "Exec", r.Exec())
	if got, err := users(); err != nil || got[0] != nil {
		t.Errorf("Users = %v, %v; want nil", got, err)
	}
	if topic, answer := w.OneTopic(w.TopicID),
		w.OneComment(w.AnswerID); topic.State != forum.TopicOpen || answer.Content == "" {
		t.Errorf("topic %+v, answer %+v; want both", topic, answer)
	}
	if stats, err := w.Process().Stats(t.Context()); err != nil || stats != (store.Stats{Users: 1, Topics: 1,
		Comments: 2}) {
		t.Errorf("Stats = %+v, %v; want one user, one topic, two comments", stats, err)
	}
	w.WantClean()
}

func TestDeleteAccountIsRefused(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	err := x.Accounts.DeleteAccount(t.Context(), ann.ID, "hash of bob")
	storetest.WantCode(t, "DeleteAccount with another password", err, forum.CodeWrongCredentials)
	if got := storetest.PathOf(err); !slices.Equal(got, forum.Path("password")) {
		t.Errorf("DeleteAccount with another password: path %v; want password", got)
	}
	storetest.WantCode(t, "DeleteAccount of a missing user", x.Accounts.DeleteAccount(t.Context(), 512, ""),
		forum.CodeUnauthenticated)
	wantOwner(x, "ann", ann.ID)
	x.WantClean()
	if x.Exists(key.User(512)) {
		t.Error("DeleteAccount of a missing user created an account")
	}
}

// All rights of a signed-in account end with it.
func TestDeletedAccountCannotAct(t *testing.T) {
	w := storetest.NewThread(t)
	storetest.WantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(t.Context(), w.Ann.ID, "hash of ann"))
	id := w.Ann.ID
	_, topic := w.Posts.CreateTopic(t.Context(), site.Discussion(w.Ann, w.A))
	_, secrets := w.Accounts.Secrets(t.Context(), id)
	for name, err := range map[string]error{
		"CreateTopic":    topic,
		"Secrets":        secrets,
		"DeleteAccount":  w.Accounts.DeleteAccount(t.Context(), id, ""),
		"ChangeEmail":    changeEmail(w.Store, w.Site, "ann", id, "new@example.org"),
		"ChangePassword": w.Accounts.ChangePassword(t.Context(), w.Ann, "", "new"),
		"SetPassword":    w.Accounts.SetPassword(t.Context(), id, "new"),
		"StartSession": w.Sessions.StartSession(t.Context(), sessions.NewSession{User: id, Digest: "digest",
			Ends: w.Engine.Now() + 1000}),
	} {
		storetest.WantCode(t, name+" of a deleted account", err, forum.CodeUnauthenticated)
	}
	storetest.WantCode(t, "SetRole of a deleted account", w.Accounts.SetRole(t.Context(), id, forum.RoleAdmin),
		forum.CodeNotFound)
	if email(w.Site, id) != "" {
		t.Error("Emails returns a deleted account's e-mail")
	}
	w.WantClean()
}

// A deletion may be killed before any step: the names are free immediately, whether or not the sweeper has
// run.
func TestCrashOfDeleteAccount(t *testing.T) {
	testlevel.Sequential(t)
	for _, swept := range []bool{false, true} {
		for n, died := 1, true; died; n++ {
			w := storetest.NewThread(t)
			died = w.Dies(n, func(s *store.Store) { s.Accounts.DeleteAccount(w.Ctx, w.Ann.ID, "hash of ann") })
			if swept {
				w.Clock.Advance(2 * time.Second)
				w.WantClean()
			}
			if deleted := n > 1; deleted {
				wantFree(w.Site, "ann")
				wantFree(w.Site, "ann@example.org")
				storetest.WantCode(t, "DeleteAccount again",
					w.Accounts.DeleteAccount(t.Context(), w.Ann.ID, "hash of ann"),
					forum.CodeUnauthenticated)
			} else {
				wantOwner(w.Site, "ann", w.Ann.ID)
			}
			w.Clock.Advance(2 * time.Second) // the lease of the task
			w.WantClean()
			if t.Failed() {
				t.Fatalf("DeleteAccount was killed before step %d, swept %t", n, swept)
			}
		}
	}
}

// An account is deleted while its e-mail is being changed.
func TestDeleteAccountAgainstChangeOfEmail(t *testing.T) {
	testlevel.Sequential(t)
	tests := []struct {
		step       string
		want, late forum.Code // late: if others have both addresses by then
	}{
		{"user_email_intend", forum.CodeUnauthenticated, forum.CodeUnauthenticated},
		{"claim_set", forum.CodeUnauthenticated, forum.CodeTaken},
		{"user_email_commit", forum.CodeUnauthenticated, forum.CodeUnauthenticated},
		{"claim_release", "", ""},
	}
	for _, tt := range tests {
		for _, taken := range []bool{false, true} {
			x := storetest.New(t)
			ann := x.User("ann")
			var err error
			wake := x.Asleep(tt.step, func(s *store.Store) {
				err = changeEmail(s, x, "ann", ann.ID,
					"new@example.org")
			})
			storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), ann.ID, "hash of ann"))
			want, takers := tt.want, []forum.UserID(nil)
			if taken {
				want = tt.late
				takers = []forum.UserID{wantFree(x, "ann@example.org"), wantFree(x, "new@example.org")}
			}
			wake()
			if got := forum.CodeOf(err); got != want || (err == nil) != (want == "") {
				t.Errorf("ChangeEmail paused before %s = %v; want code %q", tt.step, err, want)
			}
			x.WantClean()
			for i, email := range []string{"ann@example.org", "new@example.org"} {
				if taken {
					wantOwner(x, email, takers[i])
				} else {
					wantFree(x, email)
				}
			}
			x.WantClean()
		}
	}
}

// A deletion is paused before it releases the names, until another account has them.
func TestPausedDeletionKeepsNewOwners(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	wake := x.Asleep("claim_release", func(s *store.Store) {
		storetest.WantOK(t, "DeleteAccount", s.Accounts.DeleteAccount(t.Context(), ann.ID, "hash of ann"))
	})
	second := x.User("ann")
	wake()
	wantOwner(x, "ann", second.ID)
	wantOwner(x, "ann@example.org", second.ID)
	x.WantClean()
}

// Posts of a deleted account can still be deleted, replied to and counted.
func TestTopicOfDeletedAccountLivesOn(t *testing.T) {
	w := storetest.NewThread(t)
	mod := w.Moderator("mod")
	wake := w.Asleep("index", func(s *store.Store) { s.Posts.CreateComment(w.Ctx, w.Ann, site.Remark(w.TopicID, 0)) })
	storetest.WantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(t.Context(), w.Ann.ID, "hash of ann"))
	wake()
	w.Comment(w.Bob, w.TopicID, w.AnswerID)
	storetest.WantOK(t, "UpdateTopic",
		w.Posts.UpdateTopic(t.Context(), mod, w.TopicID, posts.TopicChange{Category: &w.B,
			Why: storetest.Acting("").Grounds}))
	w.WantClean()
	w.Hide(mod, forum.Subject{Comment: w.AnswerID})
	w.WantClean()
	w.Hide(mod, forum.Subject{Topic: w.TopicID})
	w.WantClean()
	if h := w.Hash(key.User(w.Ann.ID)); h["topics"] != "0" || strings.Contains(h["state"], catalogue.UserActive) {
		t.Errorf("%s = %v; want no topics, DELETED", key.User(w.Ann.ID), h)
	}
}
