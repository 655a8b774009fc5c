package accounts

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// NewUser is an account to create. Its texts are already validated and folded.
type NewUser struct {
	Login, LoginFold string
	Name             string
	// Email and EmailFold are "" for an account without an e-mail.
	Email, EmailFold string
	// PasswordHash is the result of auth.Hasher; "" for an account that cannot sign in.
	PasswordHash string `json:"-"`
	// CreatedAt is when the account was created; 0 means now.
	CreatedAt forum.Time
	// External is the account at an issuer that this one is for; the zero value for other users.
	External forum.External `json:"-"`
	// SaidLogin is what the issuer says of the login, from which it was made; "" for nothing.
	SaidLogin string `json:"-"`
	// Invitation is the one that the account is registered with; nil for none.
	Invitation *TakenInvitation `json:",omitempty"`
	// Prepared reports that it is made for a member who has not come yet: it is in no list and no count until Arrive.
	Prepared bool `json:"-"`
	// Applies reports that moderators are to approve the account; ApplicationText is what its user wrote to them, which is
	// not stored otherwise.
	Applies         bool   `json:"-"`
	ApplicationText string `json:",omitempty"`
	// Source identifies an imported member on the original site; "" for other users.
	Source string `json:",omitempty"`
	// Key is the idempotency key, valid for a day; "" for none.
	Key string `json:"-"`
	// SamePassword reports, if the key was used before, whether the password of this call matches the hash
	// that was stored then.
	SamePassword func(hash string) (bool, error) `json:"-"`
}

// Registration is an account that is being registered.
type Registration struct {
	ID          forum.UserID
	Nonce       string
	Known       bool   // the idempotency key was used before
	login, fold string // of the registration, if it is of an account at an issuer
	done        bool   // and the account exists
	over        bool   // or was abandoned or deleted: it never will exist
}

// Claim returns the value of the claims of the registration.
func (r Registration) Claim() string { return key.Itoa(r.ID) + "/" + r.Nonce }

// claims returns the registration's claims as stored in its release set.
func (r Registration) claims(in NewUser) []string {
	claims := []string{key.LoginClaim(in.LoginFold) + " " + r.Claim()}
	for _, key := range record.LookClaims(in.Login) {
		claims = append(claims, key+" "+r.Claim())
	}
	if in.Invitation != nil {
		claims = append(claims, record.InvitationClaim(in.Invitation.Creator, in.Invitation.Name)+" "+r.Claim())
	}
	return append(claims, r.emailClaims(in)...)
}

// emailClaims returns those of claims that concern the e-mail.
func (r Registration) emailClaims(in NewUser) []string {
	if in.EmailFold == "" {
		return nil
	}
	return []string{key.EmailClaim(in.EmailFold) + " " + r.Claim()}
}

// registerTries is how often a registration is tried while another one for the same name is in progress.
const registerTries = 5

// Register creates an account. The user's hash is the truth; the claims on login and e-mail are in other
// slots and are valid only as long as the hash agrees (docs/architecture/writing.md, "Unique names"). It
// returns TAKEN at login or email, NOT_FOUND at invitation, CONFLICT if another registration of the name is in progress,
// IDEMPOTENCY_CONFLICT if the key was used with other input.
func (s *Store) Register(ctx context.Context, in NewUser) (forum.UserID, error) {
	for try := range registerTries {
		if try > 0 {
			if err := engine.Pause(ctx); err != nil {
				return 0, err
			}
		}
		r, err := s.beginRegistration(ctx, in)
		if err != nil {
			return 0, fmt.Errorf("register: %w", err)
		}
		if r.done {
			return r.ID, nil
		}
		if r.over || r.Known && in.Source != "" {
			if err := s.restart(ctx, in, r); err != nil {
				return 0, fmt.Errorf("register: %w", err)
			}
			continue
		}
		in := in.as(r)
		again, err := s.claimNames(ctx, in, r)
		if err == nil && !again {
			err = s.takeInvitation(ctx, in, r)
		}
		if err == nil && !again {
			again, err = s.activate(ctx, in, r)
		}
		if err != nil {
			if code := forum.CodeOf(err); code == forum.CodeTaken || code == forum.CodeBanned || code == forum.CodeNotFound {
				if free := s.freeKey(ctx, in, r); free != nil {
					s.engine.Log.Warn("idempotency key stays bound", "error", free)
				}
			}
			return 0, fmt.Errorf("register: %w", err)
		}
		if !again {
			return r.ID, nil
		}
	}
	return 0, errClaiming()
}

func errClaiming() *forum.Error {
	return &forum.Error{Code: forum.CodeConflict,
		Message: "Another request is claiming this login or e-mail. Try again."}
}

func (s *Store) beginRegistration(ctx context.Context, in NewUser) (Registration, error) {
	s.engine.Step("user_create")
	r, err := RegistrationOf(s.engine.Client.Run(ctx, in.Script(s.engine.Now())))
	if err != nil {
		return r, err
	}
	if r.Known {
		err = s.checkPassword(ctx, in, &r)
	}
	return r, err
}

// RegistrationOf reads the result of user_create.
func RegistrationOf(cmd *redis.Cmd) (Registration, error) {
	created, err := script.UserCreate{}.Result(cmd.Result())
	if err != nil {
		return Registration{}, record.ScriptError(err)
	}
	return Registration{ID: created.ID, Nonce: created.Begun, Known: !created.New}, nil
}

// Script returns the call of user_create.
func (in NewUser) Script(now forum.Time) script.UserCreate {
	p := in.partition()
	nonce := engine.NewNonce()
	return script.UserCreate{
		Creation: engine.Creation(p, key.UserPrefix(p)), Idempotency: in.record(now),
		Login: in.Login, Fold: in.LoginFold, Name: in.Name, Nonce: nonce, Fields: in.fields(nonce),
	}
}

// forGood reports whether the record of what the call created is kept for good.
func (in NewUser) forGood() bool { return in.Source != "" || in.External != (forum.External{}) }

// record returns the record of what the call created.
func (in NewUser) record(now forum.Time) script.Idempotency {
	if in.forGood() {
		return engine.SourceRecord(in.recordKey(), now)
	}
	return engine.NewIdem(in.recordKey(), in.Key, in, now)
}

// partition returns the user's partition.
func (in NewUser) partition() forum.Partition {
	switch {
	case in.Source != "":
		return key.PartitionOfSource(in.Source)
	case in.forGood():
		return key.PartitionOfExternal(in.External.Hash())
	}
	return key.PartitionOfLogin(in.LoginFold)
}

// recordKey returns the key of the record of what the call created. The key of a call without a viewer is
// scoped to the login, so that keys of different users do not collide.
func (in NewUser) recordKey() string {
	switch {
	case in.Source != "":
		return key.Source(in.partition(), "u", in.Source)
	case in.forGood():
		return key.External(in.External.Hash())
	}
	return key.Idempotency(in.partition(), 0, in.LoginFold+"\n"+in.Key)
}

// fields returns other fields of the account's internal hash.
func (in NewUser) fields(nonce string) script.Fields {
	f := script.Fields{"password", in.PasswordHash, "loginClaim", key.LoginClaim(in.LoginFold), "lookClaims",
		strings.Join(record.LookClaims(in.Login), " ")}
	if in.Source != "" {
		f = append(f, "src", in.Source)
	} else if in.forGood() {
		f = append(f, "external", in.External.Hash())
	}
	if in.Invitation != nil {
		f = append(f, "invitation", record.InvitationClaim(in.Invitation.Creator, in.Invitation.Name))
	}
	if in.Applies && in.ApplicationText != "" {
		f = append(f, "applicationText", in.ApplicationText)
	}
	if in.EmailFold != "" {
		f = append(f, "email", in.Email, "emailFold", in.EmailFold, "emailNonce", nonce, "emailClaim",
			key.EmailClaim(in.EmailFold))
	}
	return f
}

// checkPassword refuses a repeated call that does not know the password. It sets r.done if the account
// exists already, and r.over if it can no longer be created. An imported member, or one with an account at an issuer,
// who was deleted here counts as existing.
func (s *Store) checkPassword(ctx context.Context, in NewUser, r *Registration) error {
	b := s.engine.Client.Batch()
	fields := record.Get(ctx, b, key.User(r.ID), "state", "password", "nonce", "login", "fold")
	if err := b.Exec(ctx); err != nil {
		return err
	}
	f := fields()
	r.over = f["nonce"] != r.Nonce && r.Nonce != record.Linked
	r.done = (f["state"] == catalogue.UserActive || f["state"] == catalogue.UserApplied) && !r.over
	if in.forGood() {
		r.done = r.done || f["state"] == catalogue.UserDeleted
		r.over = r.over || f["state"] == catalogue.UserAbandoned
		r.login, r.fold = f["login"], f["fold"]
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
		return record.IdempotencyConflict(forum.Path("idempotencyKey"))
	}
	return nil
}

// as returns the account with the login of the registration, which another call may have begun.
func (in NewUser) as(r Registration) NewUser {
	if r.login != "" && in.External != (forum.External{}) {
		if r.login != in.Login {
			in.SaidLogin = "" // the next token of the account changes the login
		}
		in.Login, in.LoginFold = r.login, r.fold
	}
	return in
}

// claimNames claims login and e-mail. again reports that another registration, which may still fail, is in
// the way.
func (s *Store) claimNames(ctx context.Context, in NewUser, r Registration) (again bool, err error) {
	claims := []nameClaim{{path: "login", key: key.LoginClaim(in.LoginFold), field: "fold", fold: in.LoginFold}}
	for _, key := range record.LookClaims(in.Login) {
		claims = append(claims, nameClaim{path: "login", key: key, field: "lookClaims", fold: key})
	}
	note := ""
	if in.EmailFold != "" {
		email := emailClaim(in.EmailFold)
		email.barred = &note
		claims = append(claims, email)
	}
	is, lost, err := s.claim(ctx, r.Claim(), claims)
	if err != nil {
		return false, err
	}
	var barred error
	if is == claimed && note != "" && in.Source == "" {
		barred = s.notBarred(ctx, note)
	}
	if is == claimed && barred == nil {
		return false, nil
	}
	if abandoned, err := s.Abandon(ctx, in, r); err != nil || !abandoned {
		return false, err // a repeated call has finished it: activation reports that
	}
	if barred != nil {
		return false, barred
	}
	if is == heldName {
		return false, in.takenErrors(lost)
	}
	return true, nil
}

// takenErrors returns TAKEN for login and e-mail, if claims on them were lost.
func (in NewUser) takenErrors(lost []nameClaim) error {
	var login, email error
	for _, c := range lost {
		if c.path == "email" {
			email = forum.Taken(forum.Path("email"), in.EmailFold)
		} else {
			login = forum.Taken(forum.Path("login"), in.LoginFold)
		}
	}
	return errors.Join(login, email)
}

func (s *Store) activate(ctx context.Context, in NewUser, r Registration) (again bool, err error) {
	created := in.CreatedAt
	if created == 0 {
		created = s.engine.Now()
	}
	p := r.ID.Partition()
	s.engine.Step("user_activate")
	is, err := s.engine.Client.Run(ctx, script.UserActivate{
		User: key.User(r.ID), Stats: key.Stats(p), Externals: key.Externals(r.ID), Nonce: r.Nonce, Created: created,
		External: in.externalHash(), Entry: record.ExternalEntry(in.External, record.SaidLogin(in.SaidLogin)),
		Applies: in.Applies, Prepared: in.Prepared,
	}).Int()
	switch {
	case err != nil:
		return false, err
	case is == 1:
		if in.Applies {
			s.releaseLater(ctx, r.ID)
			return false, nil
		}
		s.CleanUser(r.ID, in.LoginFold)
		return false, nil
	case is == 3:
		s.engine.Later(s.releasing(&released{id: r.ID}))
		return false, nil
	case is == 2: // finished by a repeated call; the old e-mail may have been claimed since
		return false, s.releaseClaims(ctx, r.ID, r.emailClaims(in))
	}
	// Abandoned while this process was paused. Claims may still be stored in its name: release them, and
	// free the idempotency key.
	if err := s.releaseClaims(ctx, r.ID, r.claims(in)); err != nil {
		return false, err
	}
	return true, s.freeKey(ctx, in, r)
}

// restart abandons what a failed import has begun, perhaps with another login, or frees the key of a
// registration that is over, so that it can begin again.
func (s *Store) restart(ctx context.Context, in NewUser, r Registration) error {
	abandoned, err := s.engine.Client.Run(ctx, s.abandoning(r)).Bool()
	if err != nil || !abandoned {
		return err // active after all: the next try finds that
	}
	if err := s.release(ctx, r.ID); err != nil {
		return err
	}
	return s.freeKey(ctx, in, r)
}

// freeKey frees the idempotency key of a registration that was abandoned, unless it has been bound to
// another one since.
func (s *Store) freeKey(ctx context.Context, in NewUser, r Registration) error {
	rec := in.record(s.engine.Now())
	if rec.Input == "" {
		return nil
	}
	return s.engine.Client.Run(ctx, script.IdemUnbind{
		Record: rec.Record, BoundTo: rec.Input + " " + key.Itoa(r.ID) + " " + r.Nonce,
	}).Err()
}

// Abandon abandons the caller's own registration and releases its claims, even if it was abandoned before,
// because a repeated call may have claimed again. It reports whether it is abandoned; it is not if the
// account is active.
func (s *Store) Abandon(ctx context.Context, in NewUser, r Registration) (abandoned bool, err error) {
	s.engine.Step("user_abandon")
	abandoned, err = s.engine.Client.Run(ctx, s.abandoning(r)).Bool()
	if err != nil || !abandoned {
		return false, err
	}
	return true, s.releaseClaims(ctx, r.ID, r.claims(in))
}

func (s *Store) abandoning(r Registration) script.UserAbandon {
	return script.UserAbandon{
		User: key.User(r.ID), Releases: key.Release(r.ID), ID: r.ID, Nonce: r.Nonce,
	}
}
