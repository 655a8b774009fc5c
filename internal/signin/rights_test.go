package signin_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/signin"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// rights is the model of what a member may who has a password and an account at an issuer.
type rights struct {
	*world
	t    *testing.T
	rt   *rapid.T
	id   forum.UserID
	at   forum.External // the account at the issuer
	mod  *forum.Viewer  // who bans
	made int            // sessions and API tokens so far
	// mortal dies where step panics.
	mortal server
	step   *func(string)

	role  forum.Role
	until time.Time // when the role ends, which a token said; zero for never
	own   bool      // the role was set here
	// latest is when the token was issued whose claims were applied last, applied when that was.
	latest, applied             time.Time
	banned, deactivated, linked bool
	ended, out                  time.Time // when all sessions were ended, and the member signed out at the issuer
	left                        []kept
	wake                        <-chan struct{} // wakes the member's sockets
}

// kept is a session or API token that has not ended.
type kept struct {
	forum.Credential
	external bool // it came from the account at the issuer
}

// server is a process that may die.
type server struct {
	*store.Store
	*signin.Service
}

// act is what happens to the member. Repeating what was not completed completes it.
type act struct {
	do   func(context.Context, server) error
	then func() // what it means for the model
}

var someRole = rapid.SampledFrom([]forum.Role{forum.RoleUser, forum.RoleModerator, forum.RoleAdmin})

// A member's rights end with their reason, whatever happens in which order, and wherever a server dies.
func TestRightsFollowTheirModel(t *testing.T) {
	w, checks := newWorld(t), 0
	mod := &forum.Viewer{ID: site.On(t, w.store).User("mod").ID, Role: forum.RoleAdmin}
	step := func(string) {}
	dying := w.open(t, store.WithSteps(func(name string) { step(name) }))
	mortal := server{dying, w.over(dying)}
	hub := event.New(w.store, slog.New(slog.DiscardHandler))
	go hub.Run(t.Context())
	rapid.Check(t, func(rt *rapid.T) {
		checks++
		m := &rights{world: w, t: t, rt: rt, mod: mod, mortal: mortal, step: &step, role: forum.RoleUser, linked: true}
		m.at = forum.External{Issuer: w.of.URL, Subject: strconv.Itoa(checks)}
		m.latest, m.applied = m.clock.Now().Truncate(time.Second), m.clock.Now()
		m.id = m.signIn(t, m.at.Subject, says(forum.RoleUser, m.latest)).ID
		wake, stop := hub.WatchUsers(m.id)
		defer stop()
		m.wake = wake
		draws := map[string]func() act{"begin": m.begin, "make": m.make, "token": m.token, "role": m.setRole, "state": m.state,
			"release": m.release, "ban": m.ban, "deactivate": m.deactivate, "end": m.end, "link": m.link, "out": m.logOut}
		names := make([]string, 0, len(draws))
		for name := range draws {
			names = append(names, name)
		}
		slices.Sort(names)
		for range rapid.IntRange(1, 12).Draw(rt, "events") {
			pause := rapid.SampledFrom([]int{1, 30, 60, 90, 3000, 3600}).Draw(rt, "pause")
			m.clock.Advance(time.Duration(pause) * time.Second)
			name := rapid.SampledFrom(names).Draw(rt, "event")
			m.happenAwake(name, draws[name]())
			m.compare(name)
		}
	})
}

// happen lets an act happen on a server that may die, after which it is repeated on another.
func (m *rights) happen(a act) {
	if a.do == nil {
		return
	}
	died := false
	if n := rapid.IntRange(0, 4).Draw(m.rt, "dies before step"); n > 0 {
		*m.step = site.KillAt("", n)
		died = site.Killed(func() { must.OK(m.t, a.do(m.t.Context(), m.mortal)) })
		if !died {
			a.then()
			return
		}
	}
	if err := a.do(m.t.Context(), server{m.store, m.Service}); err != nil && !(died && forum.CodeOf(err) == forum.CodeNotFound) {
		m.rt.Fatal(err)
	}
	a.then()
}

// compare compares what the store says with the model.
func (m *rights) compare(after string) {
	want := m.role
	if !m.until.IsZero() && !m.until.After(m.clock.Now()) {
		want = forum.RoleUser
	}
	if got := m.user(m.t, m.id).RoleAt(m.store.Engine.Now()); got != want {
		m.rt.Fatalf("after %s: others see the role %s; want %s", after, got, want)
	}
	for _, c := range m.left {
		read := m.store.Read(m.t.Context())
		signedIn := read.Sessions.SignedIn(c.Credential)
		must.OK(m.t, read.Exec())
		v, _, err := signedIn()
		switch {
		case m.banned || m.deactivated:
			if v != nil {
				m.rt.Fatalf("after %s: %v signs in", after, c)
			}
		case err != nil || v == nil || v.Role != want:
			m.rt.Fatalf("after %s: %v signs in as %+v, %v; want the role %s", after, c, v, err, want)
		}
	}
}

// happenAwake lets an act happen, and awaits that it wakes the member's sockets if one of them may do less then.
func (m *rights) happenAwake(name string, a act) {
	select {
	case <-m.wake:
	default:
	}
	were, role, barred := len(m.left), m.role, m.banned || m.deactivated
	m.happen(a)
	lower := m.role != role && role.Includes(m.role)
	if were == 0 || len(m.left) >= were && !lower && (barred || !m.banned && !m.deactivated) {
		return
	}
	select {
	case <-m.wake:
	case <-time.After(30 * time.Second):
		m.rt.Fatalf("%s wakes no socket", name)
	}
}

// digest returns a new digest.
func (m *rights) digest() string {
	m.made++
	return fmt.Sprintf("%064x", m.made)
}

// gone checks that what has ended signs in no more, and forgets it.
func (m *rights) gone(ended func(kept) bool) {
	m.left = slices.DeleteFunc(m.left, func(c kept) bool {
		if !ended(c) {
			return false
		}
		read := m.store.Read(m.t.Context())
		signedIn := read.Sessions.SignedIn(c.Credential)
		must.OK(m.t, read.Exec())
		if v, _, _ := signedIn(); v != nil {
			m.rt.Fatalf("%v has ended but signs in", c)
		}
		return true
	})
}

func (m *rights) accepts(issued time.Time) bool {
	return m.linked && !m.banned && !m.deactivated && issued.UnixMilli() >= m.ended.UnixMilli() &&
		(m.out.IsZero() || issued.UnixMilli() > m.out.UnixMilli())
}
