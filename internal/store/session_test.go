package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
)

// session reads who is signed in with a token's digest.
func (x *site) session(user forum.UserID, digest string) *forum.Viewer {
	x.t.Helper()
	r := x.Read(x.ctx)
	get := r.Session(user, digest)
	wantOK(x.t, "Exec", r.Exec())
	v, _, err := get()
	wantOK(x.t, "Session", err)
	return v
}

func (x *site) start(user forum.UserID, digest string, life time.Duration) {
	x.t.Helper()
	wantOK(x.t, "StartSession", x.StartSession(x.ctx, user, digest, x.Now()+forum.Time(life.Milliseconds()), "Browser/1.0 (of "+digest+")"))
}

func TestSessionEndsAtItsEnd(t *testing.T) {
	x := newSite(t)
	ann := x.moderator("ann")
	x.start(ann.ID, "digest", forum.SessionLife)
	want := &forum.Viewer{ID: ann.ID, Role: forum.RoleModerator, Session: "digest"}
	x.clock.Advance(forum.SessionLife - time.Millisecond)
	if diff := cmp.Diff(want, x.session(ann.ID, "digest")); diff != "" {
		t.Errorf("session a millisecond before its end (-want +got):\n%s", diff)
	}
	x.clock.Advance(time.Millisecond)
	if got := x.session(ann.ID, "digest"); got != nil {
		t.Errorf("session at its end = %+v; want none", got)
	}
	wantCode(t, "EndSession of one that has ended", x.EndSession(t.Context(), ann.ID, "dig"), forum.CodeNotFound)
}

func TestSessionIsNobodyElses(t *testing.T) {
	x := newSite(t)
	ann, bob := x.user("ann"), x.user("bob")
	x.start(ann.ID, "digest", time.Hour)
	for name, got := range map[string]*forum.Viewer{
		"another user":   x.session(bob.ID, "digest"),
		"another digest": x.session(ann.ID, "digesT"),
		"nobody":         x.session(256, "digest"),
	} {
		if got != nil {
			t.Errorf("session of %s = %+v; want none", name, got)
		}
	}
	err := x.StartSession(t.Context(), 256, "d", x.Now()+1000, "")
	wantCode(t, "StartSession of nobody", err, forum.CodeUnauthenticated)
	if x.exists(sessionsKey(256)) {
		t.Error("a refused session left a key")
	}
}

// The edge of MaxSessions: 20 and 21.
func TestOldestSessionEndsWhenThereAreTooMany(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	digest := func(n int) string { return fmt.Sprintf("digest %02d", n) }
	for n := range forum.MaxSessions {
		x.start(ann.ID, digest(n), forum.SessionLife)
		x.clock.Advance(time.Second)
	}
	if x.session(ann.ID, digest(0)) == nil {
		t.Errorf("with %d sessions the oldest has ended; want it alive", forum.MaxSessions)
	}
	x.start(ann.ID, digest(20), forum.SessionLife)
	if got := x.session(ann.ID, digest(0)); got != nil {
		t.Errorf("with one more the oldest = %+v; want it ended", got)
	}
	if x.session(ann.ID, digest(1)) == nil || x.session(ann.ID, digest(20)) == nil {
		t.Error("the others have ended; want them alive")
	}
	key := sessionsKey(ann.ID)
	if n := x.rdb.HLen(t.Context(), key).Val(); n != forum.MaxSessions {
		t.Errorf("%s has %d entries; want %d", key, n, forum.MaxSessions)
	}
	want := time.Duration(x.clock.Now().Add(forum.SessionLife+forum.ExpiryGrace).Unix()) * time.Second
	if got := x.rdb.ExpireTime(t.Context(), key).Val(); got != want {
		t.Errorf("EXPIRETIME of %s = %v; want %v", key, got, want)
	}
}

func TestStartSessionSweepsEndedOnes(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	x.start(ann.ID, "short", time.Minute)
	x.clock.Advance(time.Minute)
	x.start(ann.ID, "long", time.Hour)
	if n := x.rdb.HLen(t.Context(), sessionsKey(ann.ID)).Val(); n != 1 {
		t.Errorf("entries after one ended and one began = %d; want 1", n)
	}
}

func TestEndSession(t *testing.T) {
	x := newSite(t)
	ann, bob := x.user("ann"), x.user("bob")
	x.start(ann.ID, "aaaa1111", time.Hour)
	x.start(ann.ID, "bbbb2222", time.Hour)
	wantCode(t, "EndSession of somebody else's", x.EndSession(t.Context(), bob.ID, "aaaa"), forum.CodeNotFound)
	wantOK(t, "EndSession", x.EndSession(t.Context(), ann.ID, "aaaa"))
	if x.session(ann.ID, "aaaa1111") != nil || x.session(ann.ID, "bbbb2222") == nil {
		t.Error("EndSession ended the wrong session")
	}
	wantCode(t, "EndSession again", x.EndSession(t.Context(), ann.ID, "aaaa"), forum.CodeNotFound)
	wantCode(t, "EndSession without a name", x.EndSession(t.Context(), ann.ID, ""), forum.CodeNotFound)
}
