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
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

func TestDeleteAccountKeepsPosts(t *testing.T) {
	w := newThreadSite(t)
	w.settle()
	w.Session(w.ann.ID, "digest", forum.SessionLife)
	before := w.hash(key.User(w.ann.ID))
	var usage store.Usage
	wantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(store.WithUsage(t.Context(), &usage), w.ann.ID, "hash of ann"))
	if n := usage.RoundTrips.Load(); n > 4 {
		t.Errorf("DeleteAccount: %d round trips; want at most 4", n)
	}
	now := key.Itoa(forum.Time(w.Engine.NowMicros()))
	want := map[string]string{"state": "DELETED", "created": before["created"], "deleted": key.Itoa(w.Engine.Now()),
		"topics": "1", "rev": "2",
		"etime": now, "ltime": now, "armed": "1"}
	if diff := cmp.Diff(want, w.hash(key.User(w.ann.ID))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", key.User(w.ann.ID), diff)
	}
	for _, key := range []string{key.LoginClaim("ann"), key.EmailClaim("ann@example.org"), key.Sessions(w.ann.ID),
		key.Release(w.ann.ID), key.Dirty(w.ann.ID.Partition())} {
		if w.exists(key) {
			t.Errorf("%s exists right after the deletion", key)
		}
	}
	if got := w.session(w.ann.ID, "digest"); got != nil {
		t.Errorf("session = %+v; want it ended", got)
	}
	r := w.Read(t.Context())
	users := r.Listing.Users([]forum.UserID{w.ann.ID})
	wantOK(t, "Exec", r.Exec())
	if got, err := users(); err != nil || got[0] != nil {
		t.Errorf("Users = %v, %v; want nil", got, err)
	}
	if topic, answer := w.oneTopic(w.topic),
		w.oneComment(w.answer); topic.State != forum.TopicOpen || answer.Content == "" {
		t.Errorf("topic %+v, answer %+v; want both", topic, answer)
	}
	if stats, err := w.process().Stats(t.Context()); err != nil || stats != (store.Stats{Users: 1, Topics: 1,
		Comments: 2}) {
		t.Errorf("Stats = %+v, %v; want one user, one topic, two comments", stats, err)
	}
	w.wantClean()
}

func TestDeleteAccountIsRefused(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	err := x.Accounts.DeleteAccount(t.Context(), ann.ID, "hash of bob")
	wantCode(t, "DeleteAccount with another password", err, forum.CodeWrongCredentials)
	if got := pathOf(err); !slices.Equal(got, forum.Path("password")) {
		t.Errorf("DeleteAccount with another password: path %v; want password", got)
	}
	wantCode(t, "DeleteAccount of a missing user", x.Accounts.DeleteAccount(t.Context(), 512, ""),
		forum.CodeUnauthenticated)
	x.wantOwner("ann", ann.ID)
	x.wantClean()
	if x.exists(key.User(512)) {
		t.Error("DeleteAccount of a missing user created an account")
	}
}

// All rights of a signed-in account end with it.
func TestDeletedAccountCannotAct(t *testing.T) {
	w := newThreadSite(t)
	wantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(t.Context(), w.ann.ID, "hash of ann"))
	id := w.ann.ID
	_, topic := w.Posts.CreateTopic(t.Context(), discussion(w.ann, w.a))
	_, secrets := w.Accounts.Secrets(t.Context(), id)
	for name, err := range map[string]error{
		"CreateTopic":    topic,
		"Secrets":        secrets,
		"DeleteAccount":  w.Accounts.DeleteAccount(t.Context(), id, ""),
		"ChangeEmail":    changeEmail(w.Store, w.site, "ann", id, "new@example.org"),
		"ChangePassword": w.Accounts.ChangePassword(t.Context(), w.ann, "", "new"),
		"SetPassword":    w.Accounts.SetPassword(t.Context(), id, "new"),
		"StartSession": w.Accounts.StartSession(t.Context(), accounts.NewSession{User: id, Digest: "digest",
			Ends: w.Engine.Now() + 1000}),
	} {
		wantCode(t, name+" of a deleted account", err, forum.CodeUnauthenticated)
	}
	wantCode(t, "SetRole of a deleted account", w.Accounts.SetRole(t.Context(), id, forum.RoleAdmin),
		forum.CodeNotFound)
	if w.email(id) != "" {
		t.Error("Emails returns a deleted account's e-mail")
	}
	w.wantClean()
}

// A deletion may be killed before any step: the names are free immediately, whether or not the sweeper has
// run.
func TestCrashOfDeleteAccount(t *testing.T) {
	testlevel.Sequential(t)
	for _, swept := range []bool{false, true} {
		for n, died := 1, true; died; n++ {
			w := newThreadSite(t)
			died = w.dies(n, func(s *store.Store) { s.Accounts.DeleteAccount(w.ctx, w.ann.ID, "hash of ann") })
			if swept {
				w.clock.Advance(2 * time.Second)
				w.wantClean()
			}
			if deleted := n > 1; deleted {
				w.wantFree("ann")
				w.wantFree("ann@example.org")
				wantCode(t, "DeleteAccount again", w.Accounts.DeleteAccount(t.Context(), w.ann.ID, "hash of ann"),
					forum.CodeUnauthenticated)
			} else {
				w.wantOwner("ann", w.ann.ID)
			}
			w.clock.Advance(2 * time.Second) // the lease of the task
			w.wantClean()
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
			x := newSite(t)
			ann := x.User("ann")
			var err error
			wake := x.asleep(tt.step, func(s *store.Store) {
				err = changeEmail(s, x, "ann", ann.ID,
					"new@example.org")
			})
			wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), ann.ID, "hash of ann"))
			want, takers := tt.want, []forum.UserID(nil)
			if taken {
				want = tt.late
				takers = []forum.UserID{x.wantFree("ann@example.org"), x.wantFree("new@example.org")}
			}
			wake()
			if got := forum.CodeOf(err); got != want || (err == nil) != (want == "") {
				t.Errorf("ChangeEmail paused before %s = %v; want code %q", tt.step, err, want)
			}
			x.wantClean()
			for i, email := range []string{"ann@example.org", "new@example.org"} {
				if taken {
					x.wantOwner(email, takers[i])
				} else {
					x.wantFree(email)
				}
			}
			x.wantClean()
		}
	}
}

// A deletion is paused before it releases the names, until another account has them.
func TestPausedDeletionKeepsNewOwners(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	wake := x.asleep("claim_release", func(s *store.Store) {
		wantOK(t, "DeleteAccount", s.Accounts.DeleteAccount(t.Context(), ann.ID, "hash of ann"))
	})
	second := x.User("ann")
	wake()
	x.wantOwner("ann", second.ID)
	x.wantOwner("ann@example.org", second.ID)
	x.wantClean()
}

// The new owner of a deleted account's login is not mentioned in old posts.
func TestOldMentionsAreNotTheNewOwners(t *testing.T) {
	w := newThreadSite(t)
	in := remark(w.topic, 0)
	in.Mentions = forum.Mentions{{Fold: "ann", User: w.ann.ID}}
	id := must.Do(w.Posts.CreateComment(t.Context(), w.bob, in))(t)
	wantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(t.Context(), w.ann.ID, "hash of ann"))
	second := w.User("ann")
	got := w.oneComment(id).Mentions
	if len(got) != 1 || got[0].User != w.ann.ID || second.ID == w.ann.ID {
		t.Errorf("mentions = %+v; want still of user %d, not of %d", got, w.ann.ID, second.ID)
	}
	if comments := ids[forum.CommentID](w.site, listing.UserComments(second.ID)); len(comments) != 0 {
		t.Errorf("comments of the new ann = %v; want none", comments)
	}
	if comments := ids[forum.CommentID](w.site, listing.UserComments(w.ann.ID)); len(comments) != 1 {
		t.Errorf("comments of the old ann = %v; want the one", comments)
	}
	w.wantClean()
}

// Posts of a deleted account can still be deleted, replied to and counted.
func TestTopicOfDeletedAccountLivesOn(t *testing.T) {
	w := newThreadSite(t)
	mod := w.Moderator("mod")
	wake := w.asleep("index", func(s *store.Store) { s.Posts.CreateComment(w.ctx, w.ann, remark(w.topic, 0)) })
	wantOK(t, "DeleteAccount", w.Accounts.DeleteAccount(t.Context(), w.ann.ID, "hash of ann"))
	wake()
	w.Comment(w.bob, w.topic, w.answer)
	wantOK(t, "UpdateTopic",
		w.Posts.UpdateTopic(t.Context(), mod, w.topic, posts.TopicChange{Category: &w.b, Why: acting("").Grounds}))
	w.wantClean()
	w.hide(mod, forum.Subject{Comment: w.answer})
	w.wantClean()
	w.hide(mod, forum.Subject{Topic: w.topic})
	w.wantClean()
	if h := w.hash(key.User(w.ann.ID)); h["topics"] != "0" || strings.Contains(h["state"], catalogue.UserActive) {
		t.Errorf("%s = %v; want no topics, DELETED", key.User(w.ann.ID), h)
	}
}
