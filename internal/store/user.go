package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// NewUser is an account to make. Its texts are checked and folded already.
type NewUser struct {
	Login, LoginFold string
	Name             string
	// Email and EmailFold are "" for an account that has none.
	Email, EmailFold string
	// PasswordHash is what auth.Hasher made; "" is an account that cannot sign in.
	PasswordHash string `json:"-"`
	// CreatedAt is when the account was made; 0 is now.
	CreatedAt forum.Time
	// Source names the member on the site that it is imported from; "" is none.
	Source string `json:",omitempty"`
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
	done  bool // and the account is there
	over  bool // or came to nothing, or was deleted: it never will be
}

func (r registration) claim() string { return key.Itoa(r.id) + "/" + r.nonce }

// claims are the registration's claims as they stand in its release set.
func (r registration) claims(in NewUser) []string {
	claims := []string{key.LoginClaim(in.LoginFold) + " " + r.claim()}
	for _, key := range record.LookClaims(in.Login) {
		claims = append(claims, key+" "+r.claim())
	}
	return append(claims, r.emailClaims(in)...)
}

// emailClaims are those of claims that are about the e-mail.
func (r registration) emailClaims(in NewUser) []string {
	if in.EmailFold == "" {
		return nil
	}
	return []string{key.EmailClaim(in.EmailFold) + " " + r.claim()}
}

// registerTries is how often a registration is begun again when it meets another
// one for the same name that is still under way.
const registerTries = 5

// Register makes an account. The user's hash is the truth; the claims on login
// and e-mail lie in other slots and count only as long as it says the same
// (docs/architecture/writing.md, "Unique names"). It returns TAKEN at login or email,
// CONFLICT when somebody else is registering the name just now,
// IDEMPOTENCY_CONFLICT when the key was used with other input.
func (s *Store) Register(ctx context.Context, in NewUser) (forum.UserID, error) {
	for try := range registerTries {
		if try > 0 {
			if err := pause(ctx); err != nil {
				return 0, err
			}
		}
		r, err := s.beginRegistration(ctx, in)
		if err != nil {
			return 0, fmt.Errorf("register: %w", err)
		}
		if r.done {
			return r.id, nil
		}
		if r.over || r.known && in.Source != "" {
			if err := s.restart(ctx, in, r); err != nil {
				return 0, fmt.Errorf("register: %w", err)
			}
			continue
		}
		again, err := s.claimNames(ctx, in, r)
		if err == nil && !again {
			again, err = s.activate(ctx, in, r)
		}
		if err != nil {
			if forum.CodeOf(err) == forum.CodeTaken {
				if free := s.freeKey(ctx, in, r); free != nil {
					s.log.Warn("idempotency key stays bound", "error", free)
				}
			}
			return 0, fmt.Errorf("register: %w", err)
		}
		if !again {
			return r.id, nil
		}
	}
	return 0, errClaiming()
}

func errClaiming() *forum.Error {
	return &forum.Error{Code: forum.CodeConflict,
		Message: "Somebody else is registering this name at the moment. Try again."}
}

func (s *Store) beginRegistration(ctx context.Context, in NewUser) (registration, error) {
	s.step("user_create")
	r, err := registrationOf(s.rdb.Run(ctx, in.script(s.Now())))
	if err != nil {
		return r, err
	}
	if r.known {
		err = s.checkPassword(ctx, in, &r)
	}
	return r, err
}

// registrationOf reads what user_create returned.
func registrationOf(cmd *redis.Cmd) (registration, error) {
	made, err := script.UserCreate{}.Result(cmd.Result())
	if err != nil {
		return registration{}, scriptError(err)
	}
	return registration{id: made.ID, nonce: made.Nonce, known: !made.New}, nil
}

// script is what user_create takes.
func (in NewUser) script(now forum.Time) script.UserCreate {
	p := in.partition()
	return script.UserCreate{
		Creation: creation(p, key.UserPrefix(p)), Idempotency: in.record(now), Dirty: key.Dirty(p),
		Fields: in.fields(),
	}
}

// record is where it is noted what the call made, and how.
func (in NewUser) record(now forum.Time) script.Idempotency {
	if in.Source != "" {
		return sourceRecord(in.recordKey(), now)
	}
	return newIdem(in.recordKey(), in.Key, in, now)
}

// partition is where the user will live.
func (in NewUser) partition() forum.Partition {
	if in.Source != "" {
		return key.PartitionOfSource(in.Source)
	}
	return key.PartitionOfLogin(in.LoginFold)
}

// recordKey is where it is noted what the call made. The key of a call without a
// viewer is scoped to the login, so that strangers' keys do not meet.
func (in NewUser) recordKey() string {
	if in.Source != "" {
		return key.Source(in.partition(), "u", in.Source)
	}
	return key.Idempotency(in.partition(), 0, in.LoginFold+"\n"+in.Key)
}

// fields are the account's fields, with a new nonce.
func (in NewUser) fields() script.Fields {
	nonce := newNonce()
	f := script.Fields{"login", in.Login, "fold", in.LoginFold, "name", in.Name, "password", in.PasswordHash,
		"nonce", nonce, "loginClaim", key.LoginClaim(in.LoginFold), "lookClaims", strings.Join(record.LookClaims(in.Login), " ")}
	if in.Source != "" {
		f = append(f, "src", in.Source)
	}
	if in.EmailFold != "" {
		f = append(f, "email", in.Email, "emailFold", in.EmailFold, "emailNonce", nonce, "emailClaim",
			key.EmailClaim(in.EmailFold))
	}
	return f
}

// checkPassword refuses a repetition that does not know the password. It notes
// whether the account is there already, so that nothing is left to do, or cannot
// come any more. A member of another site who was deleted here counts as there.
func (s *Store) checkPassword(ctx context.Context, in NewUser, r *registration) error {
	names := []string{"state", "password", "nonce"}
	cmd := s.rdb.Redis.HMGet(ctx, key.User(r.id), names...)
	if cmd.Err() != nil {
		return cmd.Err()
	}
	f := record.HMGet(names, cmd)
	r.over = f["nonce"] != r.nonce
	r.done = f["state"] == record.UserActive && !r.over
	if in.Source != "" {
		r.done = r.done || f["state"] == record.UserDeleted
		return nil
	}
	if r.over {
		return nil
	}
	same, err := in.SamePassword(f["password"])
	if err != nil {
		return err
	}
	if !same {
		return record.IdempotencyConflict(forum.Input("idempotencyKey"))
	}
	return nil
}

// claimNames claims login and e-mail. It tells to begin again when another
// registration is in the way that may yet fail.
func (s *Store) claimNames(ctx context.Context, in NewUser, r registration) (again bool, err error) {
	claims := []nameClaim{{path: "login", key: key.LoginClaim(in.LoginFold), field: "fold", fold: in.LoginFold}}
	for _, key := range record.LookClaims(in.Login) {
		claims = append(claims, nameClaim{path: "login", key: key, field: "lookClaims", fold: key})
	}
	if in.EmailFold != "" {
		claims = append(claims, emailClaim(in.EmailFold))
	}
	word, lost, err := s.claim(ctx, r.claim(), claims)
	if err != nil || word == "" {
		return false, err
	}
	if gone, err := s.abandon(ctx, in, r); err != nil || !gone {
		return false, err // a repetition has ended it: activation will tell
	}
	if word == "HELD" {
		return false, in.takenErrors(lost)
	}
	return true, nil
}

// takenErrors returns TAKEN for login and e-mail, as far as claims on them were lost.
func (in NewUser) takenErrors(lost []nameClaim) error {
	var login, email error
	for _, c := range lost {
		if c.path == "email" {
			email = forum.Taken(forum.Input("email"), in.EmailFold)
		} else {
			login = forum.Taken(forum.Input("login"), in.LoginFold)
		}
	}
	return errors.Join(login, email)
}

func (s *Store) activate(ctx context.Context, in NewUser, r registration) (again bool, err error) {
	created := in.CreatedAt
	if created == 0 {
		created = s.Now()
	}
	p := r.id.Partition()
	s.step("user_activate")
	is, err := s.rdb.Run(ctx, script.UserActivate{
		User: key.User(r.id), Stats: key.Stats(p), Nonce: r.nonce, Created: created,
	}).Int()
	switch {
	case err != nil:
		return false, err
	case is == 1:
		s.clean(p, "u:"+key.Itoa(r.id), key.User(r.id), 1)
		return false, nil
	case is == 2: // ended by a repetition; the old e-mail may have been claimed since
		return false, s.releaseClaims(ctx, r.id, r.emailClaims(in))
	}
	// Given up while this process slept. The names may be claimed in its name
	// still: give them back, and forget that the key led here.
	if err := s.releaseClaims(ctx, r.id, r.claims(in)); err != nil {
		return false, err
	}
	return true, s.freeKey(ctx, in, r)
}

// restart gives up what a run of an import that died has begun, perhaps with
// another login, or forgets what is over, so that it can be begun again.
func (s *Store) restart(ctx context.Context, in NewUser, r registration) error {
	gone, err := s.rdb.Run(ctx, s.abandoning(r)).Bool()
	if err != nil || !gone {
		return err // active after all: the next try will tell
	}
	if err := s.release(ctx, r.id); err != nil {
		return err
	}
	return s.freeKey(ctx, in, r)
}

// freeKey forgets that the idempotency key of a registration that came to
// nothing was used, unless it leads to another one by now.
func (s *Store) freeKey(ctx context.Context, in NewUser, r registration) error {
	rec := in.record(s.Now())
	if rec.Input == "" {
		return nil
	}
	return s.rdb.Run(ctx, script.IdemUnbind{
		Record: rec.Record, BoundTo: rec.Input + " " + key.Itoa(r.id) + " " + r.nonce,
	}).Err()
}

// abandon gives up one's own registration and gives its claims back: also when
// it was given up before, since a repetition of the call has just claimed again.
// It reports whether it is given up; it is not when the account is active.
func (s *Store) abandon(ctx context.Context, in NewUser, r registration) (gone bool, err error) {
	s.step("user_abandon")
	gone, err = s.rdb.Run(ctx, s.abandoning(r)).Bool()
	if err != nil || !gone {
		return false, err
	}
	return true, s.releaseClaims(ctx, r.id, r.claims(in))
}

func (s *Store) abandoning(r registration) script.UserAbandon {
	return script.UserAbandon{
		User: key.User(r.id), Releases: key.Release(r.id), Dirty: key.Dirty(r.id.Partition()), ID: r.id,
		Nonce: r.nonce, Now: s.Now(),
	}
}
