package httpserver

import (
	"fmt"
	"testing"
	"time"

	"github.com/coder/websocket"

	"agora/internal/forum"
	"agora/internal/store/groups"
	"agora/internal/test/must"
)

func initWith(token string) string {
	return fmt.Sprintf(`{"type":"connection_init","payload":{"authorization":"Bearer %s"}}`, token)
}

// signedIn opens a socket with a token.
func (w *liveWire) signedIn(token string) *socketClient {
	w.t.Helper()
	c := w.dial()
	c.send(initWith(token))
	c.want(ackMessage)
	return c
}

func TestTokensOpenSockets(t *testing.T) {
	w, k := newWokenWire(t)
	ann, token := w.member("ann")
	w.signedIn(token)
	c := w.dial("Authorization: Bearer " + token)
	c.send(initMessage)
	c.want(ackMessage)
	if n := k.wake(ann.ID); n != 2 {
		t.Errorf("%d sockets watch their user; want 2", n)
	}
	must.OK(t, w.options.Resolver.Store.Sessions.EndSession(t.Context(), ann.ID, ann.Session[:24]))
	c = w.dial()
	c.send(initWith(token))
	c.wantClosed(4401)
	c = w.dial("Authorization: Bearer " + token)
	c.send(initMessage)
	c.wantClosed(4401)
}

// ban returns what bans a user.
func ban(scope forum.BanScope) func(*liveWire, *forum.Viewer) error {
	return func(w *liveWire, v *forum.Viewer) error {
		ban := forum.Ban{Scope: scope, Grounds: forum.Grounds{Reason: forum.ReasonSpam}}
		_, _, err := w.options.Resolver.Store.Moderation.Ban(w.t.Context(), nil, v.ID, ban)
		return err
	}
}

func TestSocketsEndWithTheirSession(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(*liveWire, *forum.Viewer) error
		code websocket.StatusCode
	}{
		{"revoked", func(w *liveWire, v *forum.Viewer) error {
			return w.options.Resolver.Store.Sessions.EndSession(w.t.Context(), v.ID, v.Session[:24])
		}, 4401},
		{"account deleted", func(w *liveWire, v *forum.Viewer) error {
			return w.options.Resolver.Store.Accounts.DeleteAccount(w.t.Context(), v.ID, "hash of ann")
		}, 4401},
		{"other role", func(w *liveWire, v *forum.Viewer) error {
			return w.options.Resolver.Store.Accounts.SetRole(w.t.Context(), v.ID, forum.RoleModerator)
		}, 1012},
		{"banned from signing in", ban(forum.BanSignIn), 4401},
		{"banned from posting", ban(forum.BanPost), 1012},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, k := newWokenWire(t)
			ann, token := w.member("ann")
			bob, other := w.member("bob")
			c, stays := w.signedIn(token), w.signedIn(other)
			k.wake(ann.ID) // for nothing
			c.wantQuiet()
			must.OK(t, tt.do(w, ann))
			k.wake(ann.ID)
			k.wake(bob.ID)
			c.wantClosed(tt.code)
			stays.wantQuiet()
		})
	}
}

func TestSocketsEndWhenTheirSessionExpires(t *testing.T) {
	w := newLiveWire(t, nil)
	_, token := w.member("ann")
	c, anonymous := w.signedIn(token), w.connect()
	now := w.options.Resolver.Store.Engine.Now()
	w.live.Expire(now + forum.Time(time.Hour.Milliseconds()) - 1)
	c.wantQuiet()
	w.live.Expire(now + forum.Time(time.Hour.Milliseconds()))
	c.wantClosed(4401)
	anonymous.wantQuiet()
}

// A membership in a group ends the sockets that were opened with it, at its time.
func TestSocketsEndWithTheirMembership(t *testing.T) {
	w := newLiveWire(t, nil)
	ann, token := w.member("ann")
	_, other := w.member("bob")
	s := w.options.Resolver.Store
	group := must.Do(s.Groups.CreateGroup(t.Context(), "Crew", "crew", ""))(t)
	ends := s.Engine.Now() + 1
	must.Do(s.Groups.SetMembers(t.Context(), group, []groups.MemberChange{{User: ann.ID, On: true, Until: ends + 60_000}}))(t)
	c, stays := w.signedIn(token), w.signedIn(other)
	w.live.Expire(ends + 59_999)
	c.wantQuiet()
	must.OK(t, w.redis.HSet(t.Context(), w.groupsOf(ann), "groups", fmt.Sprintf("%d:1:d:1", group)).Err())
	w.live.Expire(ends + 60_000)
	c.wantClosed(1012)
	stays.wantQuiet()
}

// groupsOf returns the key of the hash that has the groups of a user.
func (w *liveWire) groupsOf(v *forum.Viewer) string {
	return fmt.Sprintf("{p%02x}:u:%d:internal", v.ID.Partition(), v.ID)
}

func TestSocketsWaitForRedis(t *testing.T) {
	w, k := newWokenWire(t)
	w.live.Times.Again = time.Millisecond
	ann, token := w.member("ann")
	c := w.signedIn(token)
	must.OK(t, w.redis.Close())
	k.wake(ann.ID)
	c.wantQuiet() // it stays open while its session cannot be read
	other := w.dial()
	other.send(initWith(token))
	other.wantClosed(1013)
	c.wantQuiet()
}
