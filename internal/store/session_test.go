package store_test

import (
	"fmt"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	built "agora/internal/test/site"
)

// session returns the viewer who is signed in with a token's digest.
func (x *site) session(user forum.UserID, digest string) *forum.Viewer {
	x.t.Helper()
	r := x.Read(x.ctx)
	get := r.Accounts.Session(user, digest)
	wantOK(x.t, "Exec", r.Exec())
	v, _, err := get()
	wantOK(x.t, "Session", err)
	return v
}

func TestSessionBelongsToOneUser(t *testing.T) {
	x := newSite(t)
	ann, bob := x.User("ann"), x.User("bob")
	x.Session(ann.ID, "digest", time.Hour)
	for name, got := range map[string]*forum.Viewer{
		"another user":   x.session(bob.ID, "digest"),
		"another digest": x.session(ann.ID, "digesT"),
		"a missing user": x.session(256, "digest"),
	} {
		if got != nil {
			t.Errorf("session of %s = %+v; want none", name, got)
		}
	}
	err := x.Accounts.StartSession(t.Context(), accounts.NewSession{User: 256, Digest: "d",
		Ends: x.Engine.Now() + 1000})
	wantCode(t, "StartSession of a missing user", err, forum.CodeUnauthenticated)
	if x.exists(key.Sessions(256)) {
		t.Error("a refused session left a key")
	}
}

// The edge of MaxSessions: 20 and 21.
func TestOldestSessionEndsWhenThereAreTooMany(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	digest := func(n int) string { return fmt.Sprintf("digest %02d", n) }
	for n := range forum.MaxSessions {
		x.Session(ann.ID, digest(n), forum.SessionLife)
		x.clock.Advance(time.Second)
	}
	if x.session(ann.ID, digest(0)) == nil {
		t.Errorf("with %d sessions the oldest has ended; want it alive", forum.MaxSessions)
	}
	x.Session(ann.ID, digest(20), forum.SessionLife)
	if got := x.session(ann.ID, digest(0)); got != nil {
		t.Errorf("with one more the oldest = %+v; want it ended", got)
	}
	if x.session(ann.ID, digest(1)) == nil || x.session(ann.ID, digest(20)) == nil {
		t.Error("the others have ended; want them alive")
	}
	key := key.Sessions(ann.ID)
	if n := x.rdb.HLen(t.Context(), key).Val(); n != forum.MaxSessions {
		t.Errorf("%s has %d entries; want %d", key, n, forum.MaxSessions)
	}
	want := time.Duration(x.clock.Now().Add(forum.SessionLife+forum.ExpiryGrace).Unix()) * time.Second
	if got := x.rdb.ExpireTime(t.Context(), key).Val(); got != want {
		t.Errorf("EXPIRETIME of %s = %v; want %v", key, got, want)
	}
}

func TestEndSession(t *testing.T) {
	x := newSite(t)
	ann, bob := x.User("ann"), x.User("bob")
	x.Session(ann.ID, "aaaa1111", time.Hour)
	x.Session(ann.ID, "bbbb2222", time.Hour)
	wantCode(t, "EndSession of another user's", x.Accounts.EndSession(t.Context(), bob.ID, "aaaa"), forum.CodeNotFound)
	wantOK(t, "EndSession", x.Accounts.EndSession(t.Context(), ann.ID, "aaaa"))
	if x.session(ann.ID, "aaaa1111") != nil || x.session(ann.ID, "bbbb2222") == nil {
		t.Error("EndSession ended the wrong session")
	}
	wantCode(t, "EndSession again", x.Accounts.EndSession(t.Context(), ann.ID, "aaaa"), forum.CodeNotFound)
	wantCode(t, "EndSession without a name", x.Accounts.EndSession(t.Context(), ann.ID, ""), forum.CodeNotFound)
}

// sessions returns the sessions that a user sees.
func (x *site) sessions(user forum.UserID) []*forum.Session {
	x.t.Helper()
	r := x.Read(x.ctx)
	return built.Sent(x.t, r, r.Accounts.Sessions([]forum.UserID{user}))[0]
}

// touch records a use of a session.
func (x *site) touch(what string, user forum.UserID, digest string) {
	x.t.Helper()
	_, err := x.Accounts.TouchSession(x.ctx, user, digest)
	wantOK(x.t, what, err)
}

// A late use does not lower the time; a use of no session creates none.
func TestTouchSession(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	x.Session(ann.ID, digestA, time.Hour)
	x.touch("TouchSession of no session", ann.ID, digestB)
	x.touch("TouchSession of a missing user", 512, digestB)
	x.clock.Advance(time.Minute)
	late := x.Engine.Now()
	x.touch("TouchSession", ann.ID, digestA)
	x.clock.Advance(-time.Second)
	x.touch("TouchSession", ann.ID, digestA)
	if got := x.sessions(ann.ID); len(got) != 1 || got[0].SeenAt != late {
		t.Errorf("sessions = %+v; want one, seen at %d", got, late)
	}
	if x.exists(key.Sessions(512)) {
		t.Error("TouchSession of a missing user left a key")
	}
}

// A short session does not end a longer one.
func TestSessionsOutliveShorterOnes(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	x.Session(ann.ID, digestA, forum.SessionLife)
	x.Session(ann.ID, digestB, time.Minute)
	want := time.Duration(x.clock.Now().Add(forum.SessionLife+forum.ExpiryGrace).Unix()) * time.Second
	if got := x.rdb.ExpireTime(t.Context(), key.Sessions(ann.ID)).Val(); got != want {
		t.Errorf("EXPIRETIME = %v; want %v, after the longer one", got, want)
	}
}

// A sign-in that checked the old password while it was changed fails.
func TestSignInAfterThePasswordWasChanged(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	wantOK(t, "SetPassword", x.Accounts.SetPassword(t.Context(), ann.ID, "old"))
	start := func(hash string) error {
		return x.Accounts.StartSession(t.Context(),
			accounts.NewSession{User: ann.ID, Digest: "d" + hash, Ends: x.Engine.Now() + 1000, PasswordHash: hash})
	}
	wantOK(t, "StartSession with the current hash", start("old"))
	wantOK(t, "SetPassword", x.Accounts.SetPassword(t.Context(), ann.ID, "new"))
	wantCode(t, "StartSession with the previous hash", start("old"), forum.CodeUnauthenticated)
	if n, err := x.rdb.HLen(t.Context(), key.Sessions(ann.ID)).Result(); err != nil || n != 0 {
		t.Errorf("%d sessions, %v; want none", n, err)
	}
}
