package sessions

import (
	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
	"context"
	"fmt"
	"slices"
	"strings"
)

// ExternalAccount is the account here of an account at an issuer.
type ExternalAccount struct {
	// Viewer is nil if the account may not be used, and Refused says why. Both are nil if the user does not have the
	// account at the issuer.
	Viewer  *forum.Viewer
	Refused error
	// Issued and Applied are when the token was issued whose claims were applied last, and when that was.
	Issued, Applied forum.Time
	// Role is the user's, which ends at RoleEnds if a token said it, and which tokens may change if FollowsRole.
	Role        forum.Role
	RoleEnds    forum.Time
	FollowsRole bool
}

// SignInToken is a token of an issuer that somebody signs in with.
type SignInToken struct {
	// Hash is that of the account at the issuer.
	Hash           string
	IssuedAt, Ends forum.Time
	// ProvedAt is when the member proved at the issuer who it is; 0 if that is not known.
	ProvedAt forum.Time
}

// External reads the user who is signed in with a token of an issuer, in one round trip.
func (r Read) External(user forum.UserID, t SignInToken) func() (ExternalAccount, error) {
	hash, issued := t.Hash, t.IssuedAt
	entry := r.read.Batch.HGet(r.read.Ctx, key.Externals(user), hash)
	account := record.Get(r.read.Ctx, r.read.Batch, key.User(user), append([]string{"validSince", "owned"},
		record.ViewerFields...)...)
	return func() (ExternalAccount, error) {
		if r.read.Err != nil {
			return ExternalAccount{}, r.read.Err
		}
		f, now := account(), r.read.Engine.Now()
		if f["state"] == catalogue.UserDeleted {
			return ExternalAccount{Refused: forum.Deactivated(nil)}, nil
		}
		entry, ok := record.ParseExternal(entry.Val())
		if !ok || f["state"] != catalogue.UserActive {
			return ExternalAccount{}, nil
		}
		v := record.ParseViewer(user, f, now)
		found := ExternalAccount{Issued: entry.Issued, Applied: entry.Applied,
			Role: forum.Role(f["role"]), RoleEnds: f.Time("roleUntil"),
			FollowsRole: f["owned"] != "" && !slices.Contains(strings.Fields(f["owned"]), "role")}
		found.Refused = barred(v, f, now)
		switch {
		case found.Refused != nil:
		case issued < f.Time("validSince") || issued <= entry.LoggedOut:
			found.Refused = record.ErrSignedOut()
		default:
			v.External, v.Origin, v.Issued, v.ProvedAt, v.SessionEnds = hash, hash, t.IssuedAt, t.ProvedAt, t.Ends
			v.Suspend(now)
			found.Viewer = v
		}
		return found, nil
	}
}

// LogOut ends the sessions and API tokens that came from an account at an issuer of a user, who signed out there at that
// time by the issuer's clock, and refuses the account's tokens that were issued until then. It reports whether that was
// not done before.
func (s *Store) LogOut(ctx context.Context, id forum.UserID, of forum.External, at forum.Time) (bool, error) {
	s.engine.Step("external_logout")
	done, err := s.engine.Client.Run(ctx, script.ExternalLogout{User: key.User(id), Externals: key.Externals(id),
		Sessions: key.Sessions(id), Tokens: key.Tokens(id), External: of.Hash(), At: at}).Bool()
	if err != nil {
		return false, fmt.Errorf("sign user %d out: %w", id, err)
	}
	return done, nil
}
