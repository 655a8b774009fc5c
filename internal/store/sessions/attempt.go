package sessions

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// forgetFailure is the time after which one failure for a name is forgotten.
const forgetFailure = forum.FailureWindow / forum.NameFailures

// SignIn is a request to sign in.
type SignIn struct {
	// Fold is the folded login, or the folded e-mail if IsEmail.
	Fold    string
	IsEmail bool
	// Name is the identifier that failures are counted for: folded, or as entered if it cannot be folded.
	Name string
	// Address is a pseudonym of the client's address.
	Address string
	// Failures is the number of failures for the name from the address that are allowed within
	// forum.FailureWindow; 0 means no limit.
	Failures int
	// Rates are the rates that the call is counted against.
	Rates []engine.Rate
}

// Attempt is a sign-in that counts as a failure until EndAttempt is called. The zero Attempt counts
// nowhere.
type Attempt struct {
	Name, Address string // pseudonyms
	Known         bool   // the account knows the address
}

// Credentials is what a password is checked against.
type Credentials struct {
	// User is 0 if no account has the identifier.
	User forum.UserID
	// PasswordHash is "" if there is no such user, or the user cannot sign in.
	PasswordHash string
}

// Credentials finds an account that is active, or that moderators are to approve, by folded login or folded e-mail, in
// two round trips whether or not it exists.
func (s *Store) Credentials(ctx context.Context, fold string, isEmail bool) (Credentials, error) {
	found, _, err := s.findAccount(ctx, s.engine.Client.Batch(), func() error { return nil }, SignIn{Fold: fold,
		IsEmail: isEmail})
	return found, err
}

// BeginSignIn counts the call and an attempt, and finds the account as Credentials does, in three round
// trips whether or not the account exists. It returns RATE_LIMITED.
func (s *Store) BeginSignIn(ctx context.Context, in SignIn) (Credentials, Attempt, error) {
	b := s.engine.Client.Batch()
	spent := s.engine.QueueSpend(ctx, b, in.Rates)
	found, known, err := s.findAccount(ctx, b, spent, in)
	if err != nil {
		return Credentials{}, Attempt{}, err
	}
	a, err := s.beginAttempt(ctx, in.Name, in.Address, in.Failures, known)
	return found, a, err
}

// BeginAttempt counts an attempt to prove the password of the account with a name. It does not check
// whether the account knows the address. It returns RATE_LIMITED.
func (s *Store) BeginAttempt(ctx context.Context, name, address string, failures int) (Attempt, error) {
	return s.beginAttempt(ctx, name, address, failures, false)
}

func (s *Store) beginAttempt(ctx context.Context, name, address string, failures int, known bool) (Attempt, error) {
	if failures == 0 {
		return Attempt{}, nil
	}
	a := Attempt{Name: s.engine.Pseudonym("name", name), Address: s.engine.Pseudonym("attempt", address), Known: known}
	now := s.engine.Now()
	expires := (int64(now) + (forum.FailureWindow + forum.ExpiryGrace).Milliseconds()) / 1000
	cmd := s.engine.Client.Run(ctx, script.AttemptBegin{
		Slowdown: key.Failures(a.Name), Attempts: key.Attempts(a.Name, a.Address),
		Now: now, Most: int64(failures), Window: forum.FailureWindow, Step: forgetFailure, Slowed: forum.NameFailures,
		First: forum.FirstWait, Longest: forum.LongestWait, Known: known, Expires: expires,
	})
	return a, engine.WaitOf(cmd)
}

// EndAttempt stops an attempt from counting as a failure. If right is set, the password was correct, and
// the failures from the address are forgotten; otherwise the password was not checked.
func (s *Store) EndAttempt(ctx context.Context, a Attempt, right bool) error {
	if a == (Attempt{}) {
		return nil
	}
	b := s.engine.Client.Batch()
	a.queueEnd(ctx, b, right)
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("end an attempt to sign in: %w", err)
	}
	return nil
}

// queueEnd queues EndAttempt.
func (a Attempt) queueEnd(ctx context.Context, b *pipeline.Batch, right bool) {
	if a != (Attempt{}) {
		b.Run(ctx, script.AttemptEnd{
			Slowdown: key.Failures(a.Name), Attempts: key.Attempts(a.Name, a.Address),
			Step: forgetFailure, Known: a.Known, Right: right,
		})
	}
}

// device returns the pseudonym under which an account remembers an address.
func (s *Store) device(id forum.UserID, address string) string {
	return s.engine.Pseudonym("device", key.Itoa(id)+" "+address)
}

// findAccount finds an active account, or one that moderators are to approve, in two round trips. The first is b;
// afterwards spent returns an error if a rate is used up. known reports whether the account knows the address.
func (s *Store) findAccount(ctx context.Context, b *pipeline.Batch, spent func() error,
	in SignIn) (found Credentials, known bool, err error) {
	k, field, nonceField := key.LoginClaim(in.Fold), "fold", "nonce"
	if in.IsEmail { // its nonce is that of the last change
		k, field, nonceField = key.EmailClaim(in.Fold), "emailFold", "emailNonce"
	}
	claim := b.Get(ctx, k)
	if err := b.Exec(ctx); err != nil {
		return found, false, fmt.Errorf("find account: %w", err)
	}
	if err := spent(); err != nil {
		return found, false, err
	}
	id, nonce := record.ParseClaim(claim.Val())
	b = s.engine.Client.Batch()
	account := record.Get(ctx, b, key.User(id), "state", nonceField, field, "password", "loginNonce")
	var device *redis.FloatCmd
	if in.Address != "" {
		device = b.ZScore(ctx, key.Devices(id), s.device(id, in.Address))
	}
	if err := b.Exec(ctx); err != nil {
		return found, false, fmt.Errorf("find account: %w", err)
	}
	f := account()
	valid := f[nonceField]
	if !in.IsEmail {
		valid = cmp.Or(f["loginNonce"], valid) // that of the last change
	}
	if f["state"] != catalogue.UserActive && f["state"] != catalogue.UserApplied || valid != nonce || f[field] != in.Fold {
		return found, false, nil
	}
	known = device != nil && device.Err() == nil &&
		forum.Time(device.Val()) > s.engine.Now()-forum.Time(forum.DeviceLife.Milliseconds())
	return Credentials{User: id, PasswordHash: f["password"]}, known, nil
}

// rememberDevice adds the arguments with which session_start remembers an address, which may be "".
func (s *Store) rememberDevice(in NewSession, c *script.SessionStart) {
	if in.Address != "" {
		c.Device = s.device(in.User, in.Address)
	}
	now := s.engine.Clock()
	c.ForgetBefore = now.Add(-forum.DeviceLife).UnixMilli()
	c.MostDevices = forum.MaxDevices
	c.DevicesExpire = now.Add(forum.DeviceLife + forum.ExpiryGrace).Truncate(time.Second).Unix()
}
