package signin_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/signin"
	"agora/internal/store"
	"agora/internal/store/accounts"
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

// event is what happens to the member. Repeating what was not completed completes it.
type event struct {
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
	rapid.Check(t, func(rt *rapid.T) {
		checks++
		m := &rights{world: w, t: t, rt: rt, mod: mod, mortal: mortal, step: &step, role: forum.RoleUser, linked: true}
		m.at = forum.External{Issuer: w.of.URL, Subject: strconv.Itoa(checks)}
		m.latest, m.applied = m.clock.Now().Truncate(time.Second), m.clock.Now()
		m.id = m.signIn(t, m.at.Subject, says(forum.RoleUser, m.latest)).ID
		draws := map[string]func() event{"begin": m.begin, "make": m.make, "token": m.token, "role": m.setRole, "state": m.state,
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
			m.happen(draws[name]())
			m.compare(name)
		}
	})
}

// happen lets an event happen on a server that may die, after which it is repeated on another.
func (m *rights) happen(e event) {
	if e.do == nil {
		return
	}
	died := false
	if n := rapid.IntRange(0, 4).Draw(m.rt, "dies before step"); n > 0 {
		*m.step = site.KillAt("", n)
		died = site.Killed(func() { must.OK(m.t, e.do(m.t.Context(), m.mortal)) })
		if !died {
			e.then()
			return
		}
	}
	if err := e.do(m.t.Context(), server{m.store, m.Service}); err != nil && !(died && forum.CodeOf(err) == forum.CodeNotFound) {
		m.rt.Fatal(err)
	}
	e.then()
}

// compare compares what the store says with the model.
func (m *rights) compare(after string) {
	want := m.role
	if !m.until.IsZero() && !m.until.After(m.clock.Now()) {
		want = forum.RoleUser
	}
	if got := m.user(m.t, m.id).RoleAt(m.store.Now()); got != want {
		m.rt.Fatalf("after %s: others see the role %s; want %s", after, got, want)
	}
	for _, c := range m.left {
		read := m.store.Read(m.t.Context())
		signedIn := read.SignedIn(c.Credential)
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
		signedIn := read.SignedIn(c.Credential)
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

// begin begins a session, by the password or by a token that was issued just now.
func (m *rights) begin() event {
	external, issued := rapid.Bool().Draw(m.rt, "by a token"), m.clock.Now()
	in := accounts.NewSession{User: m.id, Digest: m.digest(), Ends: m.store.Now() + forum.Time(forum.SessionMost.Milliseconds())}
	accepted := !m.banned && !m.deactivated
	if external {
		in.Origin, in.Issued, accepted = m.at.Hash(), forum.Time(issued.UnixMilli()), m.accepts(issued)
	}
	return event{
		func(ctx context.Context, s server) error {
			if err := s.StartSession(ctx, in); (err == nil) != accepted {
				m.rt.Fatalf("StartSession by a token %t: %v; want it accepted: %t", external, err, accepted)
			}
			return nil
		},
		func() {
			if accepted {
				m.left = append(m.left, kept{forum.Credential{Owner: m.id, Digest: in.Digest}, external})
			}
		},
	}
}

// make makes an API token in a session.
func (m *rights) make() event {
	i := slices.IndexFunc(m.left, func(c kept) bool { return !c.API })
	if i < 0 {
		return event{}
	}
	by, digest := m.left[i], m.digest()
	viewer := &forum.Viewer{ID: m.id, Session: by.Digest}
	if by.external {
		viewer.Origin = m.at.Hash()
	}
	return event{
		func(ctx context.Context, s server) error {
			_, err := s.CreateToken(ctx, viewer, forum.APIToken{Digest: digest, Name: "n", Scopes: forum.Scopes})
			return err
		},
		func() {
			m.left = append(m.left, kept{forum.Credential{Owner: m.id, Digest: digest, API: true}, by.external})
		},
	}
}

// token signs in with a token of the issuer. Of two of one second the lower role counts.
func (m *rights) token() event {
	if !m.linked {
		return event{} // it would make another account
	}
	now, said := m.clock.Now(), someRole.Draw(m.rt, "role")
	age := time.Duration(rapid.SampledFrom([]int{0, 0, 1, 100}).Draw(m.rt, "age")) * time.Second
	issued := now.Add(-age).Truncate(time.Second)
	accepted := m.accepts(issued)
	return event{
		func(ctx context.Context, s server) error {
			v, err := s.SignIn(ctx, m.of.Token(m.t, m.at.Subject, says(said, issued)), free{})
			if (v != nil) != accepted || err == nil && v.ID != m.id {
				m.rt.Fatalf("SignIn = %v, %v; want it accepted: %t", v, err, accepted)
			}
			return nil
		},
		func() {
			if accepted {
				m.say(said, issued, now)
			}
		},
	}
}

// say applies what an accepted token says.
func (m *rights) say(said forum.Role, issued, now time.Time) {
	set := func() {
		m.role, m.until = said, time.Time{}
		if said != forum.RoleUser {
			m.until = now.Add(issuer.DefaultRoleLife)
		}
	}
	lower := !m.own && m.role.Includes(said) && m.role != said
	switch {
	case issued.Before(m.latest):
	case issued.After(m.latest) && (lower || now.Sub(m.applied) >= time.Minute):
		m.latest, m.applied = issued, now
		if !m.own {
			set()
		}
	case issued.After(m.latest) || m.until.IsZero() || m.own:
	case lower, said == m.role && now.Add(issuer.DefaultRoleLife).Sub(m.until) >= time.Minute:
		set()
	}
}

func (m *rights) setRole() event {
	role := someRole.Draw(m.rt, "role")
	return event{
		func(ctx context.Context, s server) error { return s.SetRole(ctx, m.id, role) },
		func() { m.role, m.until, m.own = role, time.Time{}, true },
	}
}

// state states a role as an administrator's server does.
func (m *rights) state() event {
	if !m.linked {
		return event{}
	}
	role, now := someRole.Draw(m.rt, "role"), m.clock.Now()
	return event{
		func(ctx context.Context, s server) error {
			_, _, err := s.Upsert(ctx, signin.Member{External: m.at, Profile: issuer.Profile{Role: role}})
			return err
		},
		func() {
			if m.latest, m.applied = now, now; !m.own {
				m.role, m.until = role, time.Time{}
			}
		},
	}
}

func (m *rights) release() event {
	return event{
		func(ctx context.Context, s server) error { return s.DisownValues(ctx, m.id, []string{"role"}) },
		func() { m.own = false },
	}
}

// ban bans the member from signing in, or ends that.
func (m *rights) ban() event {
	if m.role == forum.RoleAdmin && (m.until.IsZero() || m.until.After(m.clock.Now())) {
		return event{} // nobody outranks the member
	}
	why := forum.Grounds{Reason: forum.ReasonSpam}
	if m.banned {
		return event{
			func(ctx context.Context, s server) error {
				_, err := s.Unban(ctx, m.mod, m.id, why)
				return err
			},
			func() { m.banned = false },
		}
	}
	return event{
		func(ctx context.Context, s server) error {
			_, _, err := s.Ban(ctx, m.mod, m.id, forum.Ban{Scope: forum.BanSignIn, Grounds: why})
			return err
		},
		func() {
			m.banned = true
			m.gone(func(c kept) bool { return !c.API })
		},
	}
}

func (m *rights) deactivate() event {
	off := !m.deactivated
	return event{
		func(ctx context.Context, s server) error { return s.SetDeactivated(ctx, m.id, off) },
		func() {
			if m.deactivated = off; off {
				m.gone(func(kept) bool { return true })
			}
		},
	}
}

func (m *rights) end() event {
	now := m.clock.Now()
	return event{
		func(ctx context.Context, s server) error { return s.EndSessions(ctx, m.id) },
		func() {
			m.ended = now
			m.gone(func(kept) bool { return true })
		},
	}
}

// link takes the account at the issuer from the member, or gives it back.
func (m *rights) link() event {
	if m.linked {
		return event{
			func(ctx context.Context, s server) error { return s.UnlinkExternal(ctx, m.id, m.at) },
			func() {
				m.linked = false
				m.gone(func(c kept) bool { return c.external })
			},
		}
	}
	return event{
		func(ctx context.Context, s server) error {
			_, err := s.LinkExternal(ctx, m.id, m.at, false)
			return err
		},
		func() { m.linked, m.latest, m.applied, m.out = true, time.Time{}, time.Time{}, time.Time{} },
	}
}

// logOut signs the member out at the issuer.
func (m *rights) logOut() event {
	now := m.clock.Now()
	return event{
		func(ctx context.Context, s server) error {
			_, err := s.Store.LogOut(ctx, m.id, m.at, forum.Time(now.UnixMilli()))
			return err
		},
		func() {
			if m.linked {
				m.out = now
				m.gone(func(c kept) bool { return c.external })
			}
		},
	}
}
