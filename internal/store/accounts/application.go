package accounts

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// An account that moderators are to approve is APPLIED, not ACTIVE: it has its names, and every script refuses it as if
// it did not exist.

// ResolveApplication approves an account, or rejects it, and returns the act; changed is false if that is an earlier
// rejection. It returns NOT_FOUND at userId for an account that needs no approval.
func (s *Store) ResolveApplication(ctx context.Context, by *forum.Viewer, id forum.UserID, approve bool,
	why forum.Grounds) (act forum.ActID, changed bool, err error) {
	call := script.ApplicationResolve{User: key.User(id), Stats: key.Stats(id.Partition()), UserID: id, Approve: approve}
	call.Creation, call.Act = s.acts.Recording(id.Partition(), by, why)
	s.engine.Step("application_resolve")
	resolved, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return 0, false, fmt.Errorf("resolve the application of user %d: %w", id, record.ScriptError(err))
	}
	act = forum.ActID(record.Atoi(resolved.Act))
	if !resolved.Changed {
		return act, false, nil
	}
	kind := forum.ActRejectAccount
	if approve {
		kind = forum.ActApproveAccount
	}
	listed := acts.Recorded(resolved.Act, kind, forum.Subject{User: id}, id, call.Act)
	if err := s.engine.WriteParts(ctx, s.acts.Listing(listed...)); err != nil {
		return 0, false, fmt.Errorf("list the act on the application of user %d: %w", id, err)
	}
	s.releaseLater(ctx, id) // from one list to the other
	return act, true, nil
}

// Applications reads the applications of users; nil for an account that moderators have approved, or need not.
func (r Read) Applications(users []forum.UserID) func() ([]*forum.Application, error) {
	fields := make([]func() record.Fields, len(users))
	for i, id := range users {
		fields[i] = record.Get(r.read.Ctx, r.read.Batch, key.User(id), record.ApplicationFields...)
	}
	return func() ([]*forum.Application, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		all := make([]*forum.Application, len(users))
		for i, read := range fields {
			all[i] = record.ParseApplication(users[i], read())
		}
		return all, nil
	}
}
