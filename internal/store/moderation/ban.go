package moderation

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Warn warns a user, and returns the act. It returns NOT_FOUND, and FORBIDDEN if the user's role is not lower, at
// userId.
func (s *Store) Warn(ctx context.Context, by *forum.Viewer, id forum.UserID, why forum.Grounds) (forum.ActID, error) {
	call := script.UserWarn{User: key.User(id), UserID: id, Evidence: acts.Evidence(forum.Subject{User: id})}
	call.Rank = acts.Rank(by, s.engine.Now())
	call.Creation, call.Act = s.acts.Recording(id.Partition(), by, why)
	s.engine.Step("user_warn")
	warned, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return 0, fmt.Errorf("warn user %d: %w", id, record.ScriptError(err))
	}
	return s.actedOn(ctx, id, forum.ActWarn, warned.Act, call.Act)
}

// Ban bans a user, in place of an earlier ban, and returns the act that imposed the ban in force; changed is false if
// that is an earlier one. A ban from signing in ends all sessions. It returns errors as Warn does.
func (s *Store) Ban(ctx context.Context, by *forum.Viewer, id forum.UserID, b forum.Ban) (act forum.ActID, changed bool,
	err error) {
	call := script.UserBan{User: key.User(id), Sessions: key.Sessions(id), Takeout: key.Takeout(id), UserID: id,
		Scope: string(b.Scope), Ends: b.Until}
	call.Rank = acts.Rank(by, s.engine.Now())
	call.Creation, call.Act = s.acts.Recording(id.Partition(), by, b.Grounds)
	s.engine.Step("user_ban")
	banned, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return 0, false, fmt.Errorf("ban user %d: %w", id, record.ScriptError(err))
	}
	if !banned.Changed {
		return forum.ActID(record.Atoi(banned.Act)), false, nil
	}
	act, err = s.actedOn(ctx, id, forum.ActBan, banned.Act, call.Act)
	return act, true, err
}

// Unban ends a user's ban, and returns the act; 0 if there was no ban in force. It returns errors as Warn does.
func (s *Store) Unban(ctx context.Context, by *forum.Viewer, id forum.UserID, why forum.Grounds) (forum.ActID, error) {
	call := script.UserUnban{User: key.User(id), UserID: id}
	call.Rank = acts.Rank(by, s.engine.Now())
	call.Creation, call.Act = s.acts.Recording(id.Partition(), by, why)
	s.engine.Step("user_unban")
	unbanned, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return 0, fmt.Errorf("unban user %d: %w", id, record.ScriptError(err))
	}
	return s.actedOn(ctx, id, forum.ActUnban, unbanned.Act, call.Act)
}

// actedOn lists the act that a script has recorded, and tells the user.
func (s *Store) actedOn(ctx context.Context, id forum.UserID, kind forum.ActKind, act string,
	as script.Act) (forum.ActID, error) {
	acts := acts.Recorded(act, kind, forum.Subject{User: id}, id, as)
	if len(acts) == 0 {
		return 0, nil
	}
	if err := s.engine.WriteParts(ctx, s.acts.Listing(acts...)); err != nil {
		return 0, fmt.Errorf("list %s of user %d: %w", kind, id, err)
	}
	return acts[0].ID, nil
}
