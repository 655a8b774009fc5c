package sessions_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/sessions"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

func TestRefusedSessionLeavesNothing(t *testing.T) {
	x := storetest.New(t)
	err := x.Sessions.StartSession(t.Context(), sessions.NewSession{User: 256, Digest: "d",
		Ends: x.Engine.Now() + 1000})
	storetest.WantCode(t, "StartSession of a missing user", err, forum.CodeUnauthenticated)
	if x.Exists(key.Sessions(256)) {
		t.Error("a refused session left a key")
	}
}

// Who is not signed in by a session has no name of one.
func TestNoNameEndsNothing(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	x.Session(ann.ID, storetest.DigestA, time.Hour)
	x.Token(ann, storetest.DigestB, forum.ScopeRead)
	storetest.WantCode(t, "EndSession", x.Sessions.EndSession(t.Context(), ann.ID, ""), forum.CodeNotFound)
	storetest.WantCode(t, "RevokeToken", x.Sessions.RevokeToken(t.Context(), ann.ID, ""), forum.CodeNotFound)
}

// sessionsOf returns the sessions that a user sees.
func sessionsOf(x *storetest.Site, user forum.UserID) []*forum.Session {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return site.Sent(x.T, r, r.Sessions.Sessions([]forum.UserID{user}))[0]
}

// A late use does not lower the time; a use of no session creates none.
func TestTouchSession(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	x.Session(ann.ID, storetest.DigestA, time.Hour)
	x.Touch("TouchSession of no session", ann.ID, storetest.DigestB)
	x.Touch("TouchSession of a missing user", 512, storetest.DigestB)
	x.Clock.Advance(time.Minute)
	late := x.Engine.Now()
	x.Touch("TouchSession", ann.ID, storetest.DigestA)
	x.Clock.Advance(-time.Second)
	x.Touch("TouchSession", ann.ID, storetest.DigestA)
	if got := sessionsOf(x, ann.ID); len(got) != 1 || got[0].SeenAt != late {
		t.Errorf("sessions = %+v; want one, seen at %d", got, late)
	}
	if x.Exists(key.Sessions(512)) {
		t.Error("TouchSession of a missing user left a key")
	}
}

// A short session does not end a longer one.
func TestSessionsOutliveShorterOnes(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	x.Session(ann.ID, storetest.DigestA, forum.SessionLife)
	x.Session(ann.ID, storetest.DigestB, time.Minute)
	want := time.Duration(x.Clock.Now().Add(forum.SessionLife+forum.ExpiryGrace).Unix()) * time.Second
	if got := x.Redis.ExpireTime(t.Context(), key.Sessions(ann.ID)).Val(); got != want {
		t.Errorf("EXPIRETIME = %v; want %v, after the longer one", got, want)
	}
}

// A sign-in that checked the old password while it was changed fails.
func TestSignInAfterThePasswordWasChanged(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	storetest.WantOK(t, "SetPassword", x.Accounts.SetPassword(t.Context(), ann.ID, "old"))
	start := func(hash string) error {
		return x.Sessions.StartSession(t.Context(),
			sessions.NewSession{User: ann.ID, Digest: "d" + hash, Ends: x.Engine.Now() + 1000, PasswordHash: hash})
	}
	storetest.WantOK(t, "StartSession with the current hash", start("old"))
	storetest.WantOK(t, "SetPassword", x.Accounts.SetPassword(t.Context(), ann.ID, "new"))
	storetest.WantCode(t, "StartSession with the previous hash", start("old"), forum.CodeUnauthenticated)
	if n, err := x.Redis.HLen(t.Context(), key.Sessions(ann.ID)).Result(); err != nil || n != 0 {
		t.Errorf("%d sessions, %v; want none", n, err)
	}
}
