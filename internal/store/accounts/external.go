package accounts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
	"agora/internal/store/sessions"
)

// claimsEvery is how long after claims were applied to an account others may be.
const claimsEvery = time.Minute

// Claims is what a token of an issuer says about an account. Its values are already validated.
type Claims struct {
	forum.External
	// IssuedAt is when the token was issued: older claims change nothing.
	IssuedAt forum.Time
	// Login, Name, AvatarURL and Role are "" if the token says nothing about them. Login is any text, from which a
	// login is made.
	Login, Name, AvatarURL string
	Role                   forum.Role
	// RoleLife is how long the role lasts once a token that says so was seen; not looked at by SetClaims.
	RoleLife time.Duration
}

// Applied is what came of claims.
type Applied struct {
	// Done reports whether they were applied.
	Done bool
	// Login, unless nil, lets FollowLogin change the login, because the claims before said another one.
	Login *ClaimedLogin
}

// ClaimedLogin is what applied claims say of a login.
type ClaimedLogin struct {
	by      script.LoginBy
	applied forum.Time
}

// FindExternal finds the user who has an account at an issuer; 0 if there is none. The account may be deleted, or
// not registered completely.
func (s *Store) FindExternal(ctx context.Context, of forum.External) (forum.UserID, error) {
	b := s.engine.Client.Batch()
	found := b.Get(ctx, key.External(of.Hash()))
	if err := b.Exec(ctx); err != nil {
		return 0, fmt.Errorf("find an account at an issuer: %w", err)
	}
	id, _, _ := record.ParseSourceRecord(found.Val())
	return forum.UserID(id), nil
}

// Externals reads the accounts at issuers that users have.
func (r Read) Externals(users []forum.UserID) func() ([][]forum.External, error) {
	cmds := make([]*redis.MapStringStringCmd, len(users))
	for i, id := range users {
		cmds[i] = r.read.Batch.HGetAll(r.read.Ctx, key.Externals(id))
	}
	return func() ([][]forum.External, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		all := make([][]forum.External, len(users))
		for i, cmd := range cmds {
			for _, entry := range cmd.Val() {
				if a, ok := record.ParseExternal(entry); ok {
					all[i] = append(all[i], a.External)
				}
			}
			slices.SortFunc(all[i], func(a, b forum.External) int {
				return cmp.Or(cmp.Compare(a.Issuer, b.Issuer), cmp.Compare(a.Subject, b.Subject))
			})
		}
		return all, nil
	}
}

// UsersWithExternals finds the users who have accounts at issuers; 0 for none. A result may be a user who is still
// registering or is deleted: read the user too.
func (r Read) UsersWithExternals(of []forum.External) func() ([]forum.UserID, error) {
	cmds := make([]*redis.StringCmd, len(of))
	for i, one := range of {
		cmds[i] = r.read.Batch.Get(r.read.Ctx, key.External(one.Hash()))
	}
	return func() ([]forum.UserID, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		ids := make([]forum.UserID, len(of))
		for i, cmd := range cmds {
			id, _, _ := record.ParseSourceRecord(cmd.Val())
			ids[i] = forum.UserID(id)
		}
		return ids, nil
	}
}

// Change reports whether ApplyClaims would change an account. Of the claims it looks at time and role.
func (c Claims) Change(a sessions.ExternalAccount, now forum.Time) bool {
	every := forum.Time(claimsEvery.Milliseconds())
	lower := a.FollowsRole && c.Role != "" && c.Role != a.Role && a.Role.Includes(c.Role)
	switch {
	case c.IssuedAt > a.Issued:
		return lower || now-a.Applied >= every
	case c.IssuedAt < a.Issued || a.RoleEnds == 0:
		return false
	}
	off := now + forum.Time(c.RoleLife.Milliseconds()) - a.RoleEnds
	return lower || c.Role == a.Role && max(off, -off) >= every
}

// externalHash returns the hash of the account at an issuer; "" for none.
func (in NewUser) externalHash() string {
	if in.External == (forum.External{}) {
		return ""
	}
	return in.External.Hash()
}

// Arrive notes that a member has come for whom an account was prepared, which is listed and counted from now on. It
// does nothing for other users.
func (s *Store) Arrive(ctx context.Context, id forum.UserID) error {
	p := id.Partition()
	s.engine.Step("user_arrive")
	came, err := s.engine.Client.Run(ctx, script.UserArrive{User: key.User(id), Stats: key.Stats(p),
		Now: s.engine.Now()}).Bool()
	if err != nil {
		return fmt.Errorf("list user %d: %w", id, err)
	}
	if came {
		s.releaseLater(ctx, id)
	}
	return nil
}

// SetClaims is ApplyClaims for claims that an administrator states now. They are not applied if the user does not have
// the account at the issuer, or was deleted.
func (s *Store) SetClaims(ctx context.Context, id forum.UserID, c Claims) (Applied, error) {
	return s.applyClaims(ctx, id, c, 0)
}

// ApplyClaims sets the fields of an account that a token of an issuer has and this site does not own, unless claims of
// a newer one, or others in the last minute, were applied. A lower role does not wait for the minute. The role lasts
// for RoleLife, and as much longer when the same token is seen again. The login is left to FollowLogin.
func (s *Store) ApplyClaims(ctx context.Context, id forum.UserID, c Claims) (Applied, error) {
	return s.applyClaims(ctx, id, c, claimsEvery)
}

func (s *Store) applyClaims(ctx context.Context, id forum.UserID, c Claims, wait time.Duration) (Applied, error) {
	call := script.UserClaims{
		User: key.User(id), Externals: key.Externals(id), UserID: id, External: c.Hash(),
		Issued: c.IssuedAt, Now: s.engine.Now(), Wait: wait, Role: string(c.Role),
		Life: c.RoleLife,
	}
	if c.Login != "" {
		call.Login = record.SaidLogin(c.Login)
	}
	for name, value := range map[string]string{"name": c.Name, "avatar": c.AvatarURL} {
		if value != "" {
			call.Fields = append(call.Fields, name, value)
		}
	}
	call.Creation, call.Act = s.acts.Recording(id.Partition(), nil, forum.Grounds{Reason: forum.ReasonOther})
	s.engine.Step("user_claims")
	is, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return Applied{}, fmt.Errorf("apply claims to user %d: %w", id, record.ScriptError(err))
	}
	recorded := acts.Recorded(is.Act, forum.ActSetRole, forum.Subject{User: id}, id, call.Act)
	if err := s.engine.WriteParts(ctx, s.acts.Listing(recorded...)); err != nil {
		return Applied{}, fmt.Errorf("apply claims to user %d: %w", id, err)
	}
	applied := Applied{Done: is.Applied}
	if is.Login {
		by := script.LoginBy{Externals: call.Externals, External: call.External, Said: call.Login, Named: c.Name != ""}
		applied.Login = &ClaimedLogin{by: by, applied: call.Now}
	}
	return applied, nil
}

// SetDeactivated lets a user sign in no more, which ends all sessions and API tokens, or again. It returns NOT_FOUND at
// userId.
func (s *Store) SetDeactivated(ctx context.Context, id forum.UserID, off bool) error {
	s.engine.Step("user_deactivate")
	err := s.engine.Client.Run(ctx, script.UserDeactivate{User: key.User(id), Sessions: key.Sessions(id),
		Tokens: key.Tokens(id), Takeout: key.Takeout(id), ID: id, Off: off, Now: s.engine.Now()}).Err()
	if err != nil {
		return fmt.Errorf("deactivate user %d: %w", id, record.ScriptError(err))
	}
	return nil
}
