package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	mathrand "math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

// States of an account. A PENDING one is being registered, a GONE one was given
// up and is giving its claims back.
const (
	userActive  = "ACTIVE"
	userPending = "PENDING"
	userGone    = "GONE"
)

var (
	userCreate   = newScript("user_create")
	userResolve  = newScript("user_resolve")
	userActivate = newScript("user_activate")
	userAbandon  = newScript("user_abandon")
	userReleased = newScript("user_released")
	userRole     = newScript("user_role")
	claimSet     = newScript("claim_set")
	claimRelease = newScript("claim_release")
)

// NewUser is an account to make. Its texts are checked and folded already.
type NewUser struct {
	Login, LoginFold string
	Name             string
	Email, EmailFold string
	// PasswordHash is what auth.Hasher made; "" is an account that cannot sign in.
	PasswordHash string `json:"-"`
	// CreatedAt is when the account was made; 0 is now.
	CreatedAt forum.Time
	// Key makes the call repeatable for a day; "" does not.
	Key string `json:"-"`
	// SamePassword tells, when the key was used before, whether the password
	// given now is the one whose hash was stored then.
	SamePassword func(hash string) (bool, error) `json:"-"`
}

// registration is an account on its way.
type registration struct {
	id    forum.UserID
	nonce string
	known bool // the idempotency key was used before
}

func (r registration) claim() string { return itoa(r.id) + "/" + r.nonce }

// claims are the registration's claims as they stand in its release set.
func (r registration) claims(in NewUser) []string {
	return []string{loginClaimKey(in.LoginFold) + " " + r.claim(), emailClaimKey(in.EmailFold) + " " + r.claim()}
}

// registerTries is how often a registration is begun anew when it meets another
// one for the same name that is still under way.
const registerTries = 5

// Register makes an account. The user's hash is the truth; the claims on login
// and e-mail lie in other slots and count only as long as it says the same
// (docs/architecture.md, "Unique names"). It returns TAKEN at login or email,
// CONFLICT when somebody else is registering the name just now,
// IDEMPOTENCY_CONFLICT when the key was used with other input.
func (s *Store) Register(ctx context.Context, in NewUser) (forum.UserID, error) {
	for try := range registerTries {
		if try > 0 {
			wait := time.Duration(20+mathrand.IntN(60)) * time.Millisecond
			select {
			case <-ctx.Done():
				return 0, ctx.Err()
			case <-time.After(wait):
			}
		}
		r, err := s.beginRegistration(ctx, in)
		if err != nil {
			return 0, fmt.Errorf("register: %w", err)
		}
		again, err := s.claimNames(ctx, in, r)
		if err == nil && !again {
			again, err = s.activate(ctx, in, r)
		}
		if err != nil {
			if forum.CodeOf(err) == forum.CodeTaken {
				if free := s.freeKey(ctx, in); free != nil {
					s.log.Warn("idempotency key stays bound", "error", free)
				}
			}
			return 0, fmt.Errorf("register: %w", err)
		}
		if !again {
			return r.id, nil
		}
	}
	return 0, &forum.Error{Code: forum.CodeConflict, Message: "Somebody else is claiming this name just now; try again."}
}

func (s *Store) beginRegistration(ctx context.Context, in NewUser) (registration, error) {
	now, p := s.Now(), PartitionOfLogin(in.LoginFold)
	record := newIdem(in.Key, in, now)
	keys := []string{seqKey(p), dirtyKey(p), registerIdemKey(p, in)}
	s.step("user_create")
	reply, err := s.run(ctx, userCreate, keys, userPrefix(p), int(p), forum.Partitions, forum.MaxID, int64(now),
		record.input, record.life, record.expires,
		"login", in.Login, "fold", in.LoginFold, "name", in.Name, "email", in.Email, "emailFold", in.EmailFold,
		"password", in.PasswordHash, "nonce", newNonce(),
		"loginClaim", loginClaimKey(in.LoginFold), "emailClaim", emailClaimKey(in.EmailFold)).Slice()
	if err != nil {
		return registration{}, scriptError(err)
	}
	id, _ := reply[1].(int64)
	r := registration{id: forum.UserID(id), known: reply[0] == int64(0)}
	r.nonce, _ = reply[2].(string)
	if r.known {
		return r, s.checkPassword(ctx, in, r)
	}
	return r, nil
}

// registerIdemKey scopes the key of a call without a viewer to the login, so
// that strangers' keys do not meet.
func registerIdemKey(p forum.Partition, in NewUser) string {
	return idemKey(p, 0, in.LoginFold+"\n"+in.Key)
}

// checkPassword refuses a repetition that does not know the password.
func (s *Store) checkPassword(ctx context.Context, in NewUser, r registration) error {
	hash, err := s.rdb.HGet(ctx, userKey(r.id), "password").Result()
	if isNil(err) {
		return nil // given up meanwhile: activation will tell
	}
	if err != nil {
		return err
	}
	same, err := in.SamePassword(hash)
	if err != nil {
		return err
	}
	if !same {
		return codes["IDEMPOTENCY_CONFLICT"](forum.Input("idempotencyKey"))
	}
	return nil
}

type nameClaim struct{ path, key, field, fold, replace string }

// claimNames claims login and e-mail. It tells to begin again when another
// registration is in the way that may yet fail.
func (s *Store) claimNames(ctx context.Context, in NewUser, r registration) (again bool, err error) {
	claims := []nameClaim{
		{path: "login", key: loginClaimKey(in.LoginFold), field: "fold", fold: in.LoginFold},
		{path: "email", key: emailClaimKey(in.EmailFold), field: "emailFold", fold: in.EmailFold},
	}
	for len(claims) > 0 {
		s.step("claim_set")
		b := s.batch()
		cmds := make([]*redis.Cmd, len(claims))
		for i, c := range claims {
			cmds[i] = b.run(ctx, claimSet, []string{c.key}, r.claim(), c.replace)
		}
		if err := b.exec(ctx); err != nil {
			return false, err
		}
		var left []nameClaim
		for i, c := range claims {
			if have, err := cmds[i].Text(); err != nil {
				return false, err
			} else if have != r.claim() {
				c.replace = have
				left = append(left, c)
			}
		}
		claims = left
		for _, c := range claims {
			word, err := s.resolve(ctx, c)
			if err != nil {
				return false, err
			}
			if word == "STALE" {
				continue // claim again, replacing exactly that value
			}
			if err := s.abandon(ctx, in, r); err != nil {
				return false, err
			}
			if word == "HELD" {
				return false, forum.Taken(forum.Input(c.path), c.fold)
			}
			return true, nil
		}
	}
	return false, nil
}

// resolve asks in its holder's slot what a foreign claim is worth: HELD, FRESH or STALE.
func (s *Store) resolve(ctx context.Context, c nameClaim) (string, error) {
	s.step("user_resolve")
	holder, nonce := parseClaim(c.replace)
	keys := []string{userKey(holder), releaseKey(holder), dirtyKey(holder.Partition())}
	return s.run(ctx, userResolve, keys, itoa(holder), nonce, c.field, c.fold, int64(s.Now()), forum.PendingLife.Milliseconds()).Text()
}

func (s *Store) activate(ctx context.Context, in NewUser, r registration) (again bool, err error) {
	created := in.CreatedAt
	if created == 0 {
		created = s.Now()
	}
	p := r.id.Partition()
	s.step("user_activate")
	ok, err := s.run(ctx, userActivate, []string{userKey(r.id), statsKey(p)}, r.nonce, int64(created)).Bool()
	if err != nil {
		return false, err
	}
	if ok {
		s.cleaner.add(p, "u:"+itoa(r.id), userKey(r.id), 1)
		return false, nil
	}
	// Given up while this process slept. The names may be claimed in its name
	// still: give them back, and forget that the key led here.
	if err := s.releaseClaims(ctx, r.id, r.claims(in)); err != nil {
		return false, err
	}
	return true, s.freeKey(ctx, in)
}

// freeKey forgets that the idempotency key of a registration that came to
// nothing was used.
func (s *Store) freeKey(ctx context.Context, in NewUser) error {
	if in.Key == "" {
		return nil
	}
	record := newIdem(in.Key, in, s.Now())
	return s.run(ctx, idemUnbind, []string{registerIdemKey(PartitionOfLogin(in.LoginFold), in)}, record.input).Err()
}

// abandon gives up one's own registration and gives its claims back: also when
// it was given up before, since a repetition of the call has just claimed anew.
func (s *Store) abandon(ctx context.Context, in NewUser, r registration) error {
	s.step("user_abandon")
	keys := []string{userKey(r.id), releaseKey(r.id), dirtyKey(r.id.Partition())}
	gone, err := s.run(ctx, userAbandon, keys, itoa(r.id), r.nonce, int64(s.Now())).Bool()
	if err != nil || !gone {
		return err
	}
	return s.releaseClaims(ctx, r.id, r.claims(in))
}

// release gives back the claims that an account no longer needs.
func (s *Store) release(ctx context.Context, id forum.UserID) error {
	claims, err := s.rdb.SMembers(ctx, releaseKey(id)).Result()
	if err != nil {
		return fmt.Errorf("release claims of user %d: %w", id, err)
	}
	return s.releaseClaims(ctx, id, claims)
}

func newNonce() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// SetRole gives the user with the folded login a role. It returns NOT_FOUND.
func (s *Store) SetRole(ctx context.Context, fold string, role forum.Role) (forum.UserID, error) {
	c, err := s.Credentials(ctx, fold, false)
	if err != nil {
		return 0, err
	}
	if c.User == 0 {
		return 0, forum.NotFound([]string{"login"}, "user", "")
	}
	if err := s.run(ctx, userRole, []string{userKey(c.User)}, string(role)).Err(); err != nil {
		return 0, fmt.Errorf("set role of user %d: %w", c.User, scriptError(err))
	}
	return c.User, nil
}
