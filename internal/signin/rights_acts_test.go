package signin_test

import (
	"context"
	"slices"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/signin"
	"agora/internal/store/sessions"
)

// begin begins a session, by the password or by a token that was issued just now.
func (m *rights) begin() act {
	external, issued := rapid.Bool().Draw(m.rt, "by a token"), m.clock.Now()
	in := sessions.NewSession{User: m.id, Digest: m.digest(),
		Ends: m.store.Engine.Now() + forum.Time(forum.SessionMost.Milliseconds())}
	accepted := !m.banned && !m.deactivated
	if external {
		in.Origin, in.Issued, accepted = m.at.Hash(), forum.Time(issued.UnixMilli()), m.accepts(issued)
	}
	return act{
		func(ctx context.Context, s server) error {
			if err := s.Sessions.StartSession(ctx, in); (err == nil) != accepted {
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
func (m *rights) make() act {
	i := slices.IndexFunc(m.left, func(c kept) bool { return !c.API })
	if i < 0 {
		return act{}
	}
	by, digest := m.left[i], m.digest()
	viewer := &forum.Viewer{ID: m.id, Session: by.Digest}
	if by.external {
		viewer.Origin = m.at.Hash()
	}
	return act{
		func(ctx context.Context, s server) error {
			_, err := s.Sessions.CreateToken(ctx, viewer, forum.APIToken{Digest: digest, Name: "n",
				Scopes: forum.Scopes})
			return err
		},
		func() {
			m.left = append(m.left, kept{forum.Credential{Owner: m.id, Digest: digest, API: true}, by.external})
		},
	}
}

// token signs in with a token of the issuer. Of two of one second the lower role counts.
func (m *rights) token() act {
	if !m.linked {
		return act{} // it would make another account
	}
	now, said := m.clock.Now(), someRole.Draw(m.rt, "role")
	age := time.Duration(rapid.SampledFrom([]int{0, 0, 1, 100}).Draw(m.rt, "age")) * time.Second
	issued := now.Add(-age).Truncate(time.Second)
	accepted := m.accepts(issued)
	return act{
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

func (m *rights) setRole() act {
	role := someRole.Draw(m.rt, "role")
	return act{
		func(ctx context.Context, s server) error { return s.Accounts.SetRole(ctx, m.id, role) },
		func() { m.role, m.until, m.own = role, time.Time{}, true },
	}
}

// state states a role as an administrator's server does.
func (m *rights) state() act {
	if !m.linked {
		return act{}
	}
	role, now := someRole.Draw(m.rt, "role"), m.clock.Now()
	return act{
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

func (m *rights) release() act {
	return act{
		func(ctx context.Context, s server) error { return s.Accounts.DisownValues(ctx, m.id, []string{"role"}) },
		func() { m.own = false },
	}
}

// ban bans the member from signing in, or ends that.
func (m *rights) ban() act {
	if m.role == forum.RoleAdmin && (m.until.IsZero() || m.until.After(m.clock.Now())) {
		return act{} // nobody outranks the member
	}
	why := forum.Grounds{Reason: forum.ReasonSpam}
	if m.banned {
		return act{
			func(ctx context.Context, s server) error {
				_, err := s.Moderation.Unban(ctx, m.mod, m.id, why)
				return err
			},
			func() { m.banned = false },
		}
	}
	return act{
		func(ctx context.Context, s server) error {
			_, _, err := s.Moderation.Ban(ctx, m.mod, m.id, forum.Ban{Scope: forum.BanSignIn, Grounds: why})
			return err
		},
		func() {
			m.banned = true
			m.gone(func(c kept) bool { return !c.API })
		},
	}
}

func (m *rights) deactivate() act {
	off := !m.deactivated
	return act{
		func(ctx context.Context, s server) error { return s.Accounts.SetDeactivated(ctx, m.id, off) },
		func() {
			if m.deactivated = off; off {
				m.gone(func(kept) bool { return true })
			}
		},
	}
}

func (m *rights) end() act {
	now := m.clock.Now()
	return act{
		func(ctx context.Context, s server) error { return s.Sessions.EndSessions(ctx, m.id) },
		func() {
			m.ended = now
			m.gone(func(kept) bool { return true })
		},
	}
}

// link takes the account at the issuer from the member, or gives it back.
func (m *rights) link() act {
	if m.linked {
		return act{
			func(ctx context.Context, s server) error { return s.Accounts.UnlinkExternal(ctx, m.id, m.at) },
			func() {
				m.linked = false
				m.gone(func(c kept) bool { return c.external })
			},
		}
	}
	return act{
		func(ctx context.Context, s server) error {
			_, err := s.Accounts.LinkExternal(ctx, m.id, m.at, false)
			return err
		},
		func() { m.linked, m.latest, m.applied, m.out = true, time.Time{}, time.Time{}, time.Time{} },
	}
}

// logOut signs the member out at the issuer.
func (m *rights) logOut() act {
	now := m.clock.Now()
	return act{
		func(ctx context.Context, s server) error {
			_, err := s.Store.Sessions.LogOut(ctx, m.id, m.at, forum.Time(now.UnixMilli()))
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
