package store

import (
	"context"
	"fmt"
	"strings"

	"agora/internal/forum"
)

var (
	sessionStart = newScript("session_start")
	sessionEnd   = newScript("session_end")
)

// releaseClaims gives claims ("key value") back in their own slots, then notes
// it in the user's.
func (s *Store) releaseClaims(ctx context.Context, id forum.UserID, claims []string) error {
	s.step("claim_release")
	b := s.batch()
	args := []any{itoa(id)}
	for _, c := range claims {
		key, value, _ := strings.Cut(c, " ")
		b.run(ctx, claimRelease, []string{key}, value)
		args = append(args, c)
	}
	if len(claims) > 0 {
		if err := b.exec(ctx); err != nil {
			return fmt.Errorf("release claims of user %d: %w", id, err)
		}
	}
	keys := []string{userKey(id), releaseKey(id), dirtyKey(id.Partition())}
	if err := s.run(ctx, userReleased, keys, args...).Err(); err != nil {
		return fmt.Errorf("release claims of user %d: %w", id, err)
	}
	return nil
}

// Credentials is what a password is checked against.
type Credentials struct {
	// User is 0 when nobody has the identifier.
	User forum.UserID
	// PasswordHash is "" when there is no such user, or none that can sign in.
	PasswordHash string
}

// Credentials finds an active account by folded login or folded e-mail, in two
// round trips whether it exists or not.
func (s *Store) Credentials(ctx context.Context, fold string, isEmail bool) (Credentials, error) {
	key, field := loginClaimKey(fold), "fold"
	if isEmail {
		key, field = emailClaimKey(fold), "emailFold"
	}
	value, err := s.rdb.Get(ctx, key).Result()
	if err != nil && !isNil(err) {
		return Credentials{}, fmt.Errorf("find account: %w", err)
	}
	id, nonce := parseClaim(value)
	names := []string{"state", "nonce", field, "password"}
	cmd := s.rdb.HMGet(ctx, userKey(id), names...)
	if cmd.Err() != nil {
		return Credentials{}, fmt.Errorf("find account: %w", cmd.Err())
	}
	f := hmget(names, cmd)
	if f["state"] != userActive || f["nonce"] != nonce || f[field] != fold {
		return Credentials{}, nil
	}
	return Credentials{User: id, PasswordHash: f["password"]}, nil
}

// StartSession signs a user in: from now until ends, the token with this digest
// is theirs. It returns UNAUTHENTICATED when the account is not active.
func (s *Store) StartSession(ctx context.Context, user forum.UserID, digest string, ends forum.Time) error {
	s.step("session_start")
	expires := (int64(ends) + forum.ExpiryGrace.Milliseconds()) / 1000
	ok, err := s.run(ctx, sessionStart, []string{userKey(user), sessionsKey(user)},
		digest, int64(ends), int64(s.Now()), forum.MaxSessions, expires).Bool()
	if err != nil {
		return fmt.Errorf("start session: %w", err)
	}
	if !ok {
		return errSignedOut()
	}
	return nil
}

// EndSession ends the user's session whose digest begins with name. It returns
// NOT_FOUND at sessionId.
func (s *Store) EndSession(ctx context.Context, user forum.UserID, name string) error {
	s.step("session_end")
	ok, err := s.run(ctx, sessionEnd, []string{sessionsKey(user)}, name, int64(s.Now())).Bool()
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	if !ok {
		return forum.NotFound(forum.Input("sessionId"), "session", "")
	}
	return nil
}
