package accounts

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// ChangeLogin sets another login for an account, as ChangeEmail does for its e-mail. The old one is reserved
// for as long as that of a deleted account, and still finds the account. A change of nothing but the spelling
// is always possible. It returns TAKEN, INVALID if the login looks like the old one, RATE_LIMITED if the last
// change was less than LoginKept ago, CONFLICT, WRONG_CREDENTIALS, UNAUTHENTICATED.
func (s *Store) ChangeLogin(ctx context.Context, id forum.UserID, was, login, fold string) error {
	by := script.LoginBy{Externals: key.Externals(id)}
	return s.changeLogin(ctx, script.UserLoginIntend{ID: id, LoginBy: by, Password: was, Every: forum.LoginKept,
		Login: login, Fold: fold})
}

// FollowLogin is ChangeLogin to a login that was made from applied claims, at any time and without a password. Nothing
// changes if it looks like the old one, if newer claims were applied since, or if the login was set here. A display name
// that is the login remains so, unless the token says a name.
func (s *Store) FollowLogin(ctx context.Context, id forum.UserID, said *ClaimedLogin, login, fold string) error {
	return s.changeLogin(ctx, script.UserLoginIntend{ID: id, LoginBy: said.by, Applied: said.applied,
		Login: login, Fold: fold})
}

// changeLogin takes what is known of the first step of a change of login.
func (s *Store) changeLogin(ctx context.Context, c script.UserLoginIntend) error {
	for try := range registerTries {
		if try > 0 {
			if err := engine.Pause(ctx); err != nil {
				return err
			}
		}
		again, err := s.tryLogin(ctx, c)
		if err != nil {
			return fmt.Errorf("change login of user %d: %w", c.ID, err)
		}
		if !again {
			return nil
		}
	}
	return errClaiming()
}

// tryLogin notes the change, claims the names, and then commits the change, or aborts it if the names are another
// account's. again reports that it may succeed the next time.
func (s *Store) tryLogin(ctx context.Context, c script.UserLoginIntend) (again bool, err error) {
	id, looks := c.ID, record.LookClaims(c.Login)
	claims := []nameClaim{{path: "login", key: key.LoginClaim(c.Fold), field: "fold", fold: c.Fold}}
	names := []string{key.LoginClaim(c.Fold)}
	for _, look := range looks {
		claims = append(claims, nameClaim{path: "login", key: look, field: "lookClaims", fold: look})
		names = append(names, look)
	}
	s.engine.Step("user_login_intend")
	c.User, c.Releases = key.User(id), key.Release(id)
	c.Now, c.Limit, c.Nonce = s.engine.Now(), s.engine.PendingLife, engine.NewNonce()
	c.Claims, c.Looks = strings.Join(names, " "), strings.Join(looks, " ")
	begun, err := s.engine.Client.Run(ctx, c).Bool()
	if err != nil || !begun {
		return false, s.loginError(err)
	}
	value := key.Itoa(id) + "/" + c.Nonce
	is, _, err := s.claim(ctx, value, claims)
	if err != nil {
		return false, err // the sweeper abandons the change
	}
	if is == claimed {
		done, err := s.commitLogin(ctx, c)
		if err != nil || done {
			return false, err
		}
		// Abandoned while this process was paused, or the account was deleted: the next try finds out.
		for i := range names {
			names[i] += " " + value
		}
		return true, s.releaseClaims(ctx, id, names)
	}
	if err := s.abortLogin(ctx, c); err != nil {
		return false, err
	}
	if is == heldName {
		return false, forum.Taken(forum.Path("login"), c.Fold)
	}
	return true, nil
}

// abortLogin ends a change whose names another account has, and releases those that were claimed.
func (s *Store) abortLogin(ctx context.Context, c script.UserLoginIntend) error {
	s.engine.Step("user_login_abort")
	if err := s.engine.Client.Run(ctx, script.UserLoginAbort{
		User: key.User(c.ID), Releases: key.Release(c.ID), ID: c.ID, Nonce: c.Nonce,
	}).Err(); err != nil {
		return err
	}
	return s.release(ctx, c.ID)
}

// commitLogin completes a change whose names are claimed. The names it gives up, and the list of users, are left to
// the sweeper if they cannot be written now.
func (s *Store) commitLogin(ctx context.Context, c script.UserLoginIntend) (done bool, err error) {
	call := script.UserLoginCommit{
		User: c.User, Releases: c.Releases, ID: c.ID, Nonce: c.Nonce, LoginBy: c.LoginBy, Now: s.engine.Now(),
	}
	if call.Rest = s.loginRests(); call.Rest != "" {
		call.Kept = forum.LoginKept - c.Every // nobody reserves logins by changing them often
	}
	s.engine.Step("user_login_commit")
	if done, err = s.engine.Client.Run(ctx, call).Bool(); err == nil && done {
		s.releaseLater(ctx, c.ID)
	}
	return done, err
}

// loginRests returns until when a login that is given up now usually rests, "" for not at all.
func (s *Store) loginRests() string {
	if s.engine.LoginRest <= 0 {
		return ""
	}
	return key.Itoa(s.engine.Now() + forum.Time(s.engine.LoginRest.Milliseconds()))
}

// loginError parses the time after RENAMED.
func (s *Store) loginError(err error) error {
	if err == nil {
		return nil
	}
	rest, renamed := strings.CutPrefix(strings.TrimPrefix(err.Error(), "ERR "), "RENAMED login ")
	if !renamed {
		return record.ScriptError(err)
	}
	wait := time.Duration(forum.Time(record.Atoi(rest))-s.engine.Now()) * time.Millisecond
	limited := forum.RateLimited(wait).At(forum.Path("login")...)
	limited.Message = "A login can be changed once in 30 days. Try again in " + forum.Seconds(wait) + "."
	return limited
}

// UsersWithLogins finds users by folded login; 0 for none. A result may be a user who is still registering
// or is deleted: read the user too, and compare.
func (r Read) UsersWithLogins(folds []string) func() ([]forum.UserID, error) {
	cmds := make([]*redis.StringCmd, len(folds))
	for i, fold := range folds {
		cmds[i] = r.read.Batch.Get(r.read.Ctx, key.LoginClaim(fold))
	}
	return func() ([]forum.UserID, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		ids := make([]forum.UserID, len(folds))
		for i, cmd := range cmds {
			ids[i], _ = record.ParseClaim(cmd.Val())
		}
		return ids, nil
	}
}
