package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

var (
	claimSet     = newScript("claim_set")
	claimRelease = newScript("claim_release")
	userResolve  = newScript("user_resolve")
	userReleased = newScript("user_released")
)

// nameClaim is a claim on a login or e-mail, on its way.
type nameClaim struct{ path, key, field, fold, replace string }

func emailClaim(fold string) nameClaim {
	return nameClaim{path: "email", key: emailClaimKey(fold), field: "emailFold", fold: fold}
}

// claim makes value the claim on all of the names. When somebody else's claim counts, word
// says why: HELD, and lost are the names that are held, or FRESH for one that may yet fail.
func (s *Store) claim(ctx context.Context, value string, claims []nameClaim) (word string, lost []nameClaim, err error) {
	for len(claims) > 0 {
		s.step("claim_set")
		b := s.batch()
		cmds := make([]*redis.Cmd, len(claims))
		for i, c := range claims {
			cmds[i] = b.run(ctx, claimSet, []string{c.key}, value, c.replace)
		}
		if err := b.exec(ctx); err != nil {
			return "", nil, err
		}
		var left []nameClaim
		for i, c := range claims {
			if have, err := cmds[i].Text(); err != nil {
				return "", nil, err
			} else if have != value {
				c.replace = have
				left = append(left, c)
			}
		}
		claims = left
		for _, c := range claims {
			switch word, err := s.resolve(ctx, c); {
			case err != nil:
				return "", nil, err
			case word == "HELD":
				lost = append(lost, c)
			case word != "STALE":
				return word, nil, nil
			}
			// Claim again, replacing exactly that value.
		}
		if len(lost) > 0 {
			return "HELD", lost, nil
		}
	}
	return "", nil, nil
}

// takenErrors returns TAKEN for each name that is held by somebody else.
func takenErrors(lost []nameClaim) error {
	var errs []error
	for _, c := range lost {
		errs = append(errs, forum.Taken(forum.Input(c.path), c.fold))
	}
	return errors.Join(errs...)
}

// resolve asks in its holder's slot what a foreign claim is worth: HELD, FRESH or STALE.
func (s *Store) resolve(ctx context.Context, c nameClaim) (string, error) {
	s.step("user_resolve")
	holder, nonce := parseClaim(c.replace)
	keys := []string{userKey(holder), releaseKey(holder), dirtyKey(holder.Partition())}
	return s.run(ctx, userResolve, keys, itoa(holder), nonce, c.field, c.fold, int64(s.Now()), forum.PendingLife.Milliseconds()).Text()
}

// pause waits a little, each time differently, before names are claimed again.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(20+mathrand.IntN(60)) * time.Millisecond):
		return nil
	}
}

// release gives back the claims that an account no longer needs.
func (s *Store) release(ctx context.Context, id forum.UserID) error {
	claims, err := s.rdb.SMembers(ctx, releaseKey(id)).Result()
	if err != nil {
		return fmt.Errorf("release claims of user %d: %w", id, err)
	}
	return s.releaseClaims(ctx, id, claims)
}

// released are claims ("key value") that an account no longer needs.
type released struct {
	id     forum.UserID
	claims []string
}

// queue queues the giving back of the claims, in their own slots.
func (r *released) queue(ctx context.Context, b *batch) {
	for _, c := range r.claims {
		key, value, _ := strings.Cut(c, " ")
		b.run(ctx, claimRelease, []string{key}, value)
	}
}

// end queues the note in the user's slot that they were given back: only when they were.
func (r *released) end(ctx context.Context, b *batch) {
	args := append([]any{itoa(r.id)}, anys(r.claims)...)
	b.run(ctx, userReleased, []string{userKey(r.id), releaseKey(r.id), dirtyKey(r.id.Partition())}, args...)
}

// releaseClaims gives claims back.
func (s *Store) releaseClaims(ctx context.Context, id forum.UserID, claims []string) error {
	s.step("claim_release")
	r := &released{id, claims}
	b := s.batch()
	if r.queue(ctx, b); len(claims) > 0 {
		if err := b.exec(ctx); err != nil {
			return fmt.Errorf("release claims of user %d: %w", id, err)
		}
	}
	b = s.batch()
	r.end(ctx, b)
	if err := b.exec(ctx); err != nil {
		return fmt.Errorf("release claims of user %d: %w", id, err)
	}
	return nil
}

func newNonce() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
