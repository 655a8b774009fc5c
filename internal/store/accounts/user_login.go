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
	for try := range registerTries {
		if try > 0 {
			if err := engine.Pause(ctx); err != nil {
				return err
			}
		}
		again, err := s.changeLogin(ctx, id, was, login, fold)
		if err != nil {
			return fmt.Errorf("change login of user %d: %w", id, err)
		}
		if !again {
			return nil
		}
	}
	return errClaiming()
}

func (s *Store) changeLogin(ctx context.Context, id forum.UserID, was, login, fold string) (again bool, err error) {
	nonce, looks, p := engine.NewNonce(), record.LookClaims(login), id.Partition()
	claims := []nameClaim{{path: "login", key: key.LoginClaim(fold), field: "fold", fold: fold}}
	names := []string{key.LoginClaim(fold)}
	for _, look := range looks {
		claims = append(claims, nameClaim{path: "login", key: look, field: "lookClaims", fold: look})
		names = append(names, look)
	}
	s.Step("user_login_intend")
	begun, err := s.Client.Run(ctx, script.UserLoginIntend{
		User: key.User(id), Releases: key.Release(id), Dirty: key.Dirty(p), ID: id, Password: was,
		Now:   s.Now(),
		Limit: s.PendingLife, Every: forum.LoginKept, Login: login, Fold: fold, Nonce: nonce,
		Claims: strings.Join(names, " "), Looks: strings.Join(looks, " "),
	}).Bool()
	if err != nil || !begun {
		return false, s.loginError(err)
	}
	value := key.Itoa(id) + "/" + nonce
	word, _, err := s.claim(ctx, value, claims)
	if err != nil {
		return false, err // the sweeper abandons the change
	}
	if word == "" {
		done, err := s.commitLogin(ctx, id, nonce)
		if err != nil || done {
			return false, err
		}
		// Abandoned while this process was paused, or the account was deleted: the next try finds out.
		for i := range names {
			names[i] += " " + value
		}
		return true, s.releaseClaims(ctx, id, names)
	}
	s.Step("user_login_abort")
	if err := s.Client.Run(ctx, script.UserLoginAbort{
		User: key.User(id), Releases: key.Release(id), ID: id, Nonce: nonce,
	}).Err(); err != nil {
		return false, err
	}
	if err := s.release(ctx, id); err != nil {
		return false, err
	}
	if word == "HELD" {
		return false, forum.Taken(forum.Input("login"), fold)
	}
	return true, nil
}

// commitLogin completes a change whose names are claimed. The names it gives up, and the list of users, are left to
// the sweeper if they cannot be written now.
func (s *Store) commitLogin(ctx context.Context, id forum.UserID, nonce string) (done bool, err error) {
	call := script.UserLoginCommit{
		User: key.User(id), Releases: key.Release(id), Dirty: key.Dirty(id.Partition()), ID: id, Nonce: nonce,
		Now: s.Now(),
	}
	if s.LoginRest > 0 {
		call.Rest = key.Itoa(s.Now() + forum.Time(s.LoginRest.Milliseconds()))
	}
	s.Step("user_login_commit")
	if done, err = s.Client.Run(ctx, call).Bool(); err == nil && done {
		s.releaseLater(ctx, id)
	}
	return done, err
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
	wait := time.Duration(forum.Time(record.Atoi(rest))-s.Now()) * time.Millisecond
	limited := forum.RateLimited(wait).At(forum.Input("login")...)
	limited.Message = "A login can be changed once in 30 days. Try again in " + forum.Seconds(wait) + "."
	return limited
}

// UsersWithLogins finds users by folded login; 0 for none. A result may be a user who is still registering
// or is deleted: read the user too, and compare.
func (r Read) UsersWithLogins(folds []string) func() ([]forum.UserID, error) {
	cmds := make([]*redis.StringCmd, len(folds))
	for i, fold := range folds {
		cmds[i] = r.Batch.Get(r.Ctx, key.LoginClaim(fold))
	}
	return func() ([]forum.UserID, error) {
		if r.Err != nil {
			return nil, r.Err
		}
		ids := make([]forum.UserID, len(folds))
		for i, cmd := range cmds {
			ids[i], _ = record.ParseClaim(cmd.Val())
		}
		return ids, nil
	}
}
