package sessions

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// NewSession is a session to begin.
type NewSession struct {
	User forum.UserID
	// Digest is the digest of the token, Ends the end of the session.
	Digest string
	Ends   forum.Time
	// UserAgent lets the user recognise the session later.
	UserAgent string
	// PasswordHash is the hash that the password was checked against; "" if no password was used.
	PasswordHash string
	// Origin is the account at an issuer whose token, issued at Issued, begins the session; "" for none. ProvedAt is when the
	// user proved who it is; 0 if that is not known.
	Origin           string
	Issued, ProvedAt forum.Time
	// Address is a pseudonym of the client's address, which the account remembers; "" for none.
	Address string
	// Attempt is ended: the password was correct.
	Attempt Attempt
}

// StartSession signs a user in. It returns UNAUTHENTICATED if there is no such account, or if its password was changed
// while it was being checked, AWAITING_APPROVAL or APPLICATION_REJECTED if moderators have not approved it, DEACTIVATED,
// and BANNED if the user is banned from signing in.
func (s *Store) StartSession(ctx context.Context, in NewSession) error {
	s.engine.Step("session_start")
	call := script.SessionStart{
		User: key.User(in.User), Sessions: key.Sessions(in.User), Devices: key.Devices(in.User),
		Digest: in.Digest, Ends: in.Ends, Now: s.engine.Now(), Most: forum.MaxSessions, Grace: forum.ExpiryGrace,
		Agent: in.UserAgent, Password: in.PasswordHash,
		Provenance: record.SessionProvenance(forum.Provenance{Origin: in.Origin, ProvedAt: in.ProvedAt}),
		SignsIn:    script.SignsIn{Externals: key.Externals(in.User), Origin: in.Origin, Issued: in.Issued},
	}
	s.rememberDevice(in, &call)
	b := s.engine.Client.Batch()
	started := b.Run(ctx, call)
	in.Attempt.queueEnd(ctx, b, true)
	b.Exec(ctx)
	is, err := started.Int()
	switch {
	case err != nil:
		return fmt.Errorf("start session: %w", s.rejected(ctx, err))
	case is == 0:
		return record.ErrSignedOut()
	case is == 2:
		return s.arrive(ctx, in.User)
	}
	return nil
}

// rejected returns the error of a session that was refused because of an act: REJECTED with its grounds.
func (s *Store) rejected(ctx context.Context, err error) error {
	var act forum.ActID
	if n, _ := fmt.Sscanf(err.Error(), "REJECTED %d", &act); n == 0 {
		return record.ScriptError(err)
	}
	found, err := s.acts.Acts(ctx, []forum.ActID{act})
	if err != nil {
		return err
	}
	var why forum.Grounds
	if found[0] != nil {
		why = found[0].Grounds
	}
	return forum.Rejected(why)
}

// TouchSession records that a session was used just now, and returns when it ends, which may be later than before; 0 if
// it has ended.
func (s *Store) TouchSession(ctx context.Context, user forum.UserID, digest string) (forum.Time, error) {
	ends, err := s.engine.Client.Run(ctx, script.SessionTouch{
		Sessions: key.Sessions(user), User: key.User(user), Digest: digest, Now: s.engine.Now(),
		Life: forum.SessionLife,
		Most: forum.SessionMost, Grace: forum.ExpiryGrace,
	}).Int64()
	if err != nil {
		return 0, fmt.Errorf("touch session: %w", err)
	}
	return forum.Time(ends), nil
}

// EndSession ends the user's session whose digest begins with name. It returns NOT_FOUND at sessionId.
func (s *Store) EndSession(ctx context.Context, user forum.UserID, name string) error {
	s.engine.Step("session_end")
	ok, err := s.engine.Client.Run(ctx, script.SessionEnd{
		User: key.User(user), Sessions: key.Sessions(user), Name: name, Now: s.engine.Now(),
	}).Bool()
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	if !ok {
		return forum.NotFound(forum.Path("sessionId"), "session")
	}
	return nil
}

// EndSessions ends all sessions and API tokens of a user, and refuses the tokens of issuers that were issued until now. It returns
// NOT_FOUND at userId.
func (s *Store) EndSessions(ctx context.Context, id forum.UserID) error {
	s.engine.Step("session_end_all")
	err := s.engine.Client.Run(ctx, script.SessionEndAll{User: key.User(id), Sessions: key.Sessions(id),
		Tokens:  key.Tokens(id),
		Takeout: key.Takeout(id), Now: s.engine.Now()}).Err()
	if err != nil {
		return fmt.Errorf("end the sessions of user %d: %w", id, record.ScriptError(err))
	}
	return nil
}

// Session reads the viewer who is signed in with the user's token with that digest, and when the session
// was last recorded as used, in one round trip. The viewer is nil if the session has ended, or the account
// is not active or banned from signing in.
func (r Read) Session(user forum.UserID, digest string) func() (*forum.Viewer, forum.Time, error) {
	session := r.read.Batch.HGet(r.read.Ctx, key.Sessions(user), digest)
	account := record.Get(r.read.Ctx, r.read.Batch, key.User(user), record.ViewerFields...)
	return func() (*forum.Viewer, forum.Time, error) {
		if r.read.Err != nil {
			return nil, 0, r.read.Err
		}
		now := r.read.Engine.Now()
		found, ok := record.DecodeSession(user, digest, session.Val())
		v := viewerOf(user, account(), now)
		if !ok || found.EndsAt <= now || v == nil {
			return nil, 0, nil
		}
		v.Session, v.SessionEnds, v.Origin, v.ProvedAt = digest, found.EndsAt, found.Origin, found.ProvedAt
		return v, found.SeenAt, nil
	}
}

// Viewer reads a user as a viewer, whatever signs the user in; nil if nothing could.
func (r Read) Viewer(user forum.UserID) func() (*forum.Viewer, error) {
	account := record.Get(r.read.Ctx, r.read.Batch, key.User(user), record.ViewerFields...)
	return func() (*forum.Viewer, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		return viewerOf(user, account(), r.read.Engine.Now()), nil
	}
}

// viewerOf returns a user with the rights that a ban leaves; nil if the account is not active, is deactivated, or is
// banned from signing in.
func viewerOf(id forum.UserID, f record.Fields, now forum.Time) *forum.Viewer {
	v := record.ParseViewer(id, f, now)
	if f["state"] != catalogue.UserActive || barred(v, f, now) != nil {
		return nil
	}
	v.Suspend(now)
	return v
}

// barred returns why a user whose account is registered may not use it: DEACTIVATED, or BANNED from signing in; nil if
// the user may.
func barred(v *forum.Viewer, f record.Fields, now forum.Time) error {
	switch {
	case f["deactivated"] != "":
		return forum.Deactivated(nil)
	case v.Ban.BarsSignIn(now):
		return forum.Banned(nil, *v.Ban)
	}
	return nil
}

// Sessions reads the users' sessions that have not ended, most recently used first.
func (r Read) Sessions(users []forum.UserID) func() ([][]*forum.Session, error) {
	cmds := make([]*redis.MapStringStringCmd, len(users))
	for i, id := range users {
		cmds[i] = r.read.Batch.HGetAll(r.read.Ctx, key.Sessions(id))
	}
	return func() ([][]*forum.Session, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		all := make([][]*forum.Session, len(users))
		for i, cmd := range cmds {
			for digest, value := range cmd.Val() {
				if s, ok := record.DecodeSession(users[i], digest, value); ok && s.EndsAt > r.read.Engine.Now() {
					all[i] = append(all[i], s)
				}
			}
			slices.SortFunc(all[i], func(a, b *forum.Session) int {
				return cmp.Or(cmp.Compare(b.SeenAt, a.SeenAt), cmp.Compare(b.CreatedAt, a.CreatedAt),
					cmp.Compare(a.Digest, b.Digest))
			})
		}
		return all, nil
	}
}
