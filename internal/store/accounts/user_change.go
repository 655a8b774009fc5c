package accounts

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Secrets are what a change to an account is checked against. They never leave the server.
type Secrets struct {
	// LoginFold and EmailFold are strings that the password must differ from.
	LoginFold, EmailFold string
	// PasswordHash is "" for an account that cannot sign in.
	PasswordHash string
}

// Secrets reads those of an active account, and counts the call as Spend does, in one round trip. It
// returns RATE_LIMITED, UNAUTHENTICATED if there is no such account.
func (s *Store) Secrets(ctx context.Context, id forum.UserID, rates ...engine.Rate) (Secrets, error) {
	b := s.engine.Client.Batch()
	fields := record.Get(ctx, b, key.User(id), "state", "fold", "emailFold", "password")
	spent := s.engine.QueueSpend(ctx, b, rates)
	if err := b.Exec(ctx); err != nil {
		return Secrets{}, fmt.Errorf("read user %d: %w", id, err)
	}
	if err := spent(); err != nil {
		return Secrets{}, fmt.Errorf("read user %d: %w", id, err)
	}
	f := fields()
	if f["state"] != catalogue.UserActive {
		return Secrets{}, record.ErrSignedOut()
	}
	return Secrets{LoginFold: f["fold"], EmailFold: f["emailFold"], PasswordHash: f["password"]}, nil
}

// SetRole sets a user's role from the command line, as GiveRole does.
func (s *Store) SetRole(ctx context.Context, id forum.UserID, role forum.Role) error {
	return s.GiveRole(ctx, nil, id, role, forum.Grounds{Reason: forum.ReasonOther})
}

// GiveRole sets a user's role, which applies to open sessions from their next request; by is nil for the command line.
// It returns NOT_FOUND at userId.
func (s *Store) GiveRole(ctx context.Context, by *forum.Viewer, id forum.UserID, role forum.Role,
	why forum.Grounds) error {
	call := script.UserRole{User: key.User(id), UserID: id, Role: string(role)}
	call.Creation, call.Act = s.acts.Recording(id.Partition(), by, why)
	s.engine.Step("user_role")
	given, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("set role of user %d: %w", id, record.ScriptError(err))
	}
	acts := acts.Recorded(given.Act, forum.ActSetRole, forum.Subject{User: id}, id, call.Act)
	if err := s.engine.WriteParts(ctx, s.acts.Listing(acts...)); err != nil {
		return fmt.Errorf("set role of user %d: %w", id, err)
	}
	return nil
}

// ProfileChange is a change to a user's profile; nil leaves something unchanged.
type ProfileChange struct {
	Texts []ProfileText
	IsBot *bool
}

// ProfileText is a text of a profile; "" removes any but the name.
type ProfileText struct {
	Of    forum.Posted
	Value *string
}

// UpdateProfile changes what a user shows to others. It returns UNAUTHENTICATED if the account is not active.
func (s *Store) UpdateProfile(ctx context.Context, id forum.UserID, c ProfileChange) error {
	call := script.UserProfile{User: key.User(id)}
	for _, f := range catalogue.User.Shown {
		for _, t := range c.Texts {
			if f.Posted != nil && *f.Posted == t.Of && t.Value != nil {
				call.Fields = append(call.Fields, f.Name, *t.Value)
			}
		}
	}
	if c.IsBot != nil {
		call.Fields = append(call.Fields, "bot", map[bool]string{true: "1"}[*c.IsBot])
	}
	s.engine.Step("user_profile")
	if err := s.engine.Client.Run(ctx, call).Err(); err != nil {
		return fmt.Errorf("update profile of user %d: %w", id, record.ScriptError(err))
	}
	return nil
}

// ChangePassword sets the password of an account whose current password was checked against the hash was,
// ends all sessions except the viewer's, and revokes the API tokens. It returns WRONG_CREDENTIALS if the password was changed
// concurrently, UNAUTHENTICATED.
func (s *Store) ChangePassword(ctx context.Context, by *forum.Viewer, was, hash string) error {
	return s.setPassword(ctx, by.ID, was, hash, by.Session)
}

// SetPassword sets a user's password without a check, ends all sessions and revokes the API tokens. It returns
// UNAUTHENTICATED if there is no such account.
func (s *Store) SetPassword(ctx context.Context, id forum.UserID, hash string) error {
	return s.setPassword(ctx, id, "*", hash, "")
}

func (s *Store) setPassword(ctx context.Context, id forum.UserID, was, hash, keep string) error {
	s.engine.Step("user_password")
	err := s.engine.Client.Run(ctx, script.UserPassword{
		User: key.User(id), Sessions: key.Sessions(id), Tokens: key.Tokens(id), Takeout: key.Takeout(id), Password: was,
		NewPassword: hash, Keep: keep,
	}).Err()
	if err != nil {
		return fmt.Errorf("set password of user %d: %w", id, record.ScriptError(err))
	}
	return nil
}

// DeleteUser is DeleteAccount without a check, for administrators. With erase, a task deletes what the user wrote, too,
// also if the account is deleted already. It returns NOT_FOUND at userId.
func (s *Store) DeleteUser(ctx context.Context, id forum.UserID, erase bool) error {
	return notFound(s.deleteAccount(ctx, script.UserDelete{ID: id, Password: "*", Erase: erase}))
}

// notFound returns NOT_FOUND at userId if there is no such account.
func notFound(err error) error {
	if forum.CodeOf(err) == forum.CodeUnauthenticated {
		return forum.NotFound(forum.Path("userId"), "user")
	}
	return err
}

// DeleteAccount deletes an account permanently; its posts stay under the ghost's name, its login and e-mail
// are released. Follows, blocks and lists count as ended immediately; a task, which may take long, cleans
// them up. was is the hash that the password was checked against. It returns WRONG_CREDENTIALS if that was
// changed concurrently, UNAUTHENTICATED.
func (s *Store) DeleteAccount(ctx context.Context, id forum.UserID, was string) error {
	return s.deleteAccount(ctx, script.UserDelete{ID: id, Password: was})
}

// EraseAccount is DeleteAccount for an account whose posts are deleted, too, by a task.
func (s *Store) EraseAccount(ctx context.Context, id forum.UserID, was string) error {
	return s.deleteAccount(ctx, script.UserDelete{ID: id, Password: was, Erase: true})
}

// deleteAccount takes which account is deleted, and how.
func (s *Store) deleteAccount(ctx context.Context, c script.UserDelete) error {
	id, p := c.ID, c.ID.Partition()
	task, eraser := record.AccountCleanupTask(id), record.EraseTask(id)
	c.BarEmail = barring()
	c.User, c.Releases, c.Dirty, c.Stats = key.User(id), key.Release(id), key.Dirty(p), key.Stats(p)
	c.Sessions, c.Tokens, c.Votes, c.Home = key.Sessions(id), key.Tokens(id), key.VoteLog(id), key.Home(id)
	c.Due, c.DueAt, c.Task, c.TaskName = key.Due(p), s.engine.Now(), key.Task(p, task), task
	c.EraseTask, c.EraseName = key.Task(p, eraser), eraser
	c.Marks, c.Marked = key.Marks(id), key.Marked(id)
	c.Numbers, c.Unread, c.Notes = key.Notes(id), key.Unread(id), key.Note(id)
	c.Devices, c.Karma, c.Recent, c.Approved = key.Devices(id), key.Karma(id), key.RecentPosts(id), key.Approved(id)
	c.Externals, c.Invitations = key.Externals(id), key.Invitations(id)
	c.Rest, c.Now, c.Micros = s.loginRests(), s.engine.Now(), s.engine.NowMicros()
	s.engine.Step("user_delete")
	if err := s.engine.Client.Run(ctx, c).Err(); err != nil {
		return fmt.Errorf("delete user %d: %w", id, record.ScriptError(err))
	}
	s.releaseLater(ctx, id)
	return nil
}

// ChangeEmail sets another e-mail for an account: first it claims the e-mail in its own slot, then it
// changes the account (docs/architecture/writing.md, "Unique names"). was is the hash that the password was
// checked against. It returns TAKEN or BANNED at email, CONFLICT if another change or registration for it is in
// progress, WRONG_CREDENTIALS, UNAUTHENTICATED.
func (s *Store) ChangeEmail(ctx context.Context, id forum.UserID, was, email, fold string) error {
	for try := range registerTries {
		if try > 0 {
			if err := engine.Pause(ctx); err != nil {
				return err
			}
		}
		again, err := s.changeEmail(ctx, id, was, email, fold)
		if err != nil {
			return fmt.Errorf("change e-mail of user %d: %w", id, err)
		}
		if !again {
			return nil
		}
	}
	return errClaiming()
}

func (s *Store) changeEmail(ctx context.Context, id forum.UserID, was, email, fold string) (again bool, err error) {
	nonce, claim, note := engine.NewNonce(), emailClaim(fold), ""
	claim.barred = &note
	user, releases := key.User(id), key.Release(id)
	s.engine.Step("user_email_intend")
	begun, err := s.engine.Client.Run(ctx, script.UserEmailIntend{
		User: user, Releases: releases, ID: id, Password: was,
		Now: s.engine.Now(), Limit: s.engine.PendingLife,
		Email: email, Fold: fold, Nonce: nonce, Claim: claim.key,
	}).Bool()
	if err != nil || !begun {
		return false, record.ScriptError(err)
	}
	value := key.Itoa(id) + "/" + nonce
	is, _, err := s.claim(ctx, value, []nameClaim{claim})
	if err != nil {
		return false, err // the sweeper abandons the change
	}
	var barred error
	if owner, _ := record.ParseClaim(note); is == claimed && note != "" && owner != id { // one's own can be taken back
		barred = s.notBarred(ctx, note)
	}
	if is == claimed && barred == nil {
		s.engine.Step("user_email_commit")
		b := s.engine.Client.Batch()
		commit := b.Run(ctx, script.UserEmailCommit{User: user, Releases: releases, ID: id, Nonce: nonce,
			Now: s.engine.Now(), BarEmail: barring()})
		claims := b.SMembers(ctx, key.Release(id))
		if err := b.Exec(ctx); err != nil {
			return false, err
		}
		if done, err := commit.Bool(); err != nil || done {
			s.releaseEmail(ctx, &released{id: id, claims: claims.Val()})
			return false, err
		}
		// Abandoned while this process was paused, or the account was deleted: the next try finds out.
		return true, s.releaseClaims(ctx, id, []string{claim.key + " " + value})
	}
	s.engine.Step("user_email_abort")
	if err := s.engine.Client.Run(ctx, script.UserEmailAbort{
		User: user, Releases: releases, ID: id, Nonce: nonce,
	}).Err(); err != nil {
		return false, err
	}
	if err := s.release(ctx, id); err != nil {
		return false, err
	}
	if barred != nil {
		return false, barred
	}
	if is == heldName {
		return false, forum.Taken(forum.Path(claim.path), claim.fold)
	}
	return true, nil
}

// releaseEmail releases the former e-mail of an account: its claim is no longer valid and need not be waited for, unless
// it is to be barred first.
func (s *Store) releaseEmail(ctx context.Context, r *released) {
	bars := s.engine.Client.Batch()
	if s.queueBars(ctx, bars, r); bars.Len() > 0 {
		s.releaseLater(ctx, r.id)
		return
	}
	s.engine.Step("claim_release")
	s.engine.Later(s.releasing(r))
}

// releaseLater releases the names of a finished change even if the caller stops waiting; failures are left
// to the sweeper.
func (s *Store) releaseLater(ctx context.Context, id forum.UserID) {
	if err := s.release(context.WithoutCancel(ctx), id); err != nil {
		s.engine.Log.Warn("claims are left to the sweeper", "user", int64(id), "error", err)
	}
}
