package sessions

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// tokensExpire returns when the API tokens of a user who creates or uses one now expire.
func (s *Store) tokensExpire() string {
	return record.ExpireAt(s.engine.Now() + forum.Time(forum.TokenIdle.Milliseconds()))
}

// CreateToken creates an API token with the digest, name, scopes and end of in, which comes from where by does, and
// returns it as it is stored. It
// returns UNAUTHENTICATED if the account is not active or the session of by has ended, TOO_LONG at name if the user has
// MaxTokens.
func (s *Store) CreateToken(ctx context.Context, by *forum.Viewer, in forum.APIToken) (*forum.APIToken, error) {
	in.User, in.CreatedAt, in.SeenAt, in.Origin = by.ID, s.engine.Now(), 0, by.Origin
	s.engine.Step("token_create")
	err := s.engine.Client.Run(ctx, script.TokenCreate{
		User: key.User(by.ID), Sessions: key.Sessions(by.ID), Tokens: key.Tokens(by.ID), Session: by.Session,
		Digest: in.Digest, Now: in.CreatedAt, Ends: in.EndsAt,
		Scopes: record.TokenScopes(in.Scopes, in.Origin), Name: in.Name,
		Most: forum.MaxTokens, Idle: forum.TokenIdle, Expire: s.tokensExpire(),
		SignsIn: script.SignsIn{Externals: key.Externals(by.ID), Origin: by.Origin, Issued: by.Issued},
	}).Err()
	if err != nil {
		return nil, fmt.Errorf("create token: %w", record.ScriptError(err))
	}
	return &in, nil
}

// RevokeToken revokes the user's API token whose digest begins with name. It returns NOT_FOUND at tokenId.
func (s *Store) RevokeToken(ctx context.Context, user forum.UserID, name string) error {
	s.engine.Step("token_revoke")
	ok, err := s.engine.Client.Run(ctx, script.TokenRevoke{User: key.User(user), Tokens: key.Tokens(user),
		Name: name}).Bool()
	if err != nil {
		return fmt.Errorf("revoke token: %w", err)
	}
	if !ok {
		return forum.NotFound(forum.Path("tokenId"), "token")
	}
	return nil
}

// TouchToken records that an API token was used just now.
func (s *Store) TouchToken(ctx context.Context, owner forum.UserID, digest string) error {
	if err := s.engine.Client.Run(ctx, script.TokenTouch{Tokens: key.Tokens(owner), User: key.User(owner),
		Digest: digest,
		Now:    s.engine.Now(), Expire: s.tokensExpire()}).Err(); err != nil {
		return fmt.Errorf("touch token: %w", err)
	}
	return nil
}

// SignedIn reads the viewer whom a credential signs in, and when it was last recorded as used, in one round trip. The
// viewer is nil if the session has ended or the API token is dead, or the account is not active. It returns BANNED or
// DEACTIVATED if the account of an API token may not be used, SCOPE_MISSING or CANNOT_ACT_AS if its owner may not act as
// the member.
func (r Read) SignedIn(c forum.Credential) func() (*forum.Viewer, forum.Time, error) {
	if c.API {
		return r.token(c)
	}
	var session func() (*forum.Viewer, forum.Time, error)
	if c.External == "" {
		session = r.Session(c.Owner, c.Digest)
	} else {
		external := r.External(c.Owner, SignInToken{c.External, c.Issued, c.Ends, c.ProvedAt})
		session = func() (*forum.Viewer, forum.Time, error) {
			a, err := external()
			return a.Viewer, r.read.Engine.Now(), err // its use is not recorded
		}
	}
	return func() (*forum.Viewer, forum.Time, error) {
		v, seen, err := session()
		if v != nil && c.As != 0 {
			return nil, 0, forum.ScopeMissing(forum.ScopeImpersonate, "")
		}
		return v, seen, err
	}
}

// token is SignedIn for an API token. Its scopes limit the viewer.
func (r Read) token(c forum.Credential) func() (*forum.Viewer, forum.Time, error) {
	stored := r.read.Batch.HGet(r.read.Ctx, key.Tokens(c.Owner), c.Digest)
	users := c.Users()
	accounts := make([]func() record.Fields, len(users))
	for i, id := range users {
		accounts[i] = record.Get(r.read.Ctx, r.read.Batch, key.User(id), record.ViewerFields...)
	}
	return func() (*forum.Viewer, forum.Time, error) {
		if r.read.Err != nil {
			return nil, 0, r.read.Err
		}
		now := r.read.Engine.Now()
		viewers := make([]*forum.Viewer, len(users))
		for i, id := range users {
			viewers[i] = viewerOf(id, accounts[i](), now)
		}
		found, ok := record.DecodeToken(c.Owner, c.Digest, stored.Val())
		if !ok || found.DiesAt() <= now {
			return nil, 0, nil
		}
		v := viewers[0]
		if v == nil && c.As == 0 {
			f := accounts[0]()
			return nil, 0, barred(record.ParseViewer(c.Owner, f, now), f, now)
		}
		if v == nil {
			return nil, 0, nil
		}
		if c.As != 0 {
			var err error
			if v, err = actAs(v, viewers[len(viewers)-1], found.Scopes); err != nil {
				return nil, 0, err
			}
		}
		v.Session, v.SessionEnds = c.Digest, found.EndsAt
		v.Restrict(found.Scopes)
		return v, found.SeenAt, nil
	}
}

// actAs returns the member, nil for none that is active, as whom the owner of a token with the scopes acts.
func actAs(owner, member *forum.Viewer, scopes []forum.Scope) (*forum.Viewer, error) {
	switch {
	case !slices.Contains(scopes, forum.ScopeImpersonate):
		return nil, forum.ScopeMissing(forum.ScopeImpersonate, "")
	case !owner.Has(forum.RoleAdmin):
		return nil, forum.CannotActAs("The owner of the token is no longer an administrator.")
	case member == nil:
		return nil, forum.CannotActAs("There is no such user, or the user is banned from signing in.")
	case owner.Is(member.ID):
		return owner, nil
	case member.Role == forum.RoleAdmin:
		return nil, forum.CannotActAs("Nobody can act as another administrator.")
	}
	member.Owner = owner.ID
	return member, nil
}

// Tokens reads the users' API tokens that are not dead, newest first.
func (r Read) Tokens(users []forum.UserID) func() ([][]*forum.APIToken, error) {
	cmds := make([]*redis.MapStringStringCmd, len(users))
	for i, id := range users {
		cmds[i] = r.read.Batch.HGetAll(r.read.Ctx, key.Tokens(id))
	}
	return func() ([][]*forum.APIToken, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		all := make([][]*forum.APIToken, len(users))
		for i, cmd := range cmds {
			for digest, value := range cmd.Val() {
				if t, ok := record.DecodeToken(users[i], digest, value); ok && t.DiesAt() > r.read.Engine.Now() {
					all[i] = append(all[i], t)
				}
			}
			slices.SortFunc(all[i], func(a, b *forum.APIToken) int {
				return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(a.Digest, b.Digest))
			})
		}
		return all, nil
	}
}
