package accounts

import (
	"context"
	"fmt"
	"time"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// The states of a take-out: its address has not been used yet, or it is being downloaded.
const (
	takeoutWaits = "WAITS"
	takeoutRuns  = "RUNS"
)

// OfferTakeout lets the holder of the secret with that digest download what is kept about a user, once and within
// TakeoutLife, and returns until when. An offer before that ends. It returns NOT_FOUND at userId, and RATE_LIMITED
// while a take-out of the user is under way.
func (s *Store) OfferTakeout(ctx context.Context, id forum.UserID, digest string) (forum.Time, error) {
	now := s.engine.Now()
	ends := now + forum.Time(forum.TakeoutLife.Milliseconds())
	s.engine.Step("takeout_begin")
	until, err := s.engine.Client.Run(ctx, script.TakeoutBegin{User: key.User(id), Takeout: key.Takeout(id),
		Digest: digest,
		Ends:   ends, Now: now, Expires: record.Atoi(record.ExpireAt(ends))}).Int64()
	switch {
	case err != nil:
		return 0, fmt.Errorf("offer the take-out of user %d: %w", id, record.ScriptError(err))
	case until != 0:
		e := forum.RateLimited(time.Duration(forum.Time(until)-now) * time.Millisecond)
		e.Message = "The data of this account are being downloaded. Try again when that has ended."
		return 0, e
	}
	return ends, nil
}

// TakeoutOffered reports whether the take-out of a user with that digest can begin.
func (r Read) TakeoutOffered(id forum.UserID, digest string) func() (bool, error) {
	value := r.read.Batch.Get(r.read.Ctx, key.Takeout(id))
	return func() (bool, error) {
		if r.read.Err != nil {
			return false, r.read.Err
		}
		is, ok := catalogue.TakeoutRow.Parse(value.Val())
		return ok && is.Text("state") == takeoutWaits && is.Text("digest") == digest &&
			forum.Time(is.Int("ends")) > r.read.Engine.Now(), nil
	}
}

// BeginTakeout begins a take-out, which nobody can begin again. It reports whether the secret is valid. The take-out is
// over after TakeoutLease, unless it is prolonged.
func (s *Store) BeginTakeout(ctx context.Context, id forum.UserID, digest string) (bool, error) {
	return s.runTakeout(ctx, id, digest, takeoutWaits, forum.TakeoutLease)
}

// ProlongTakeout prolongs a take-out that has begun, and reports whether it goes on.
func (s *Store) ProlongTakeout(ctx context.Context, id forum.UserID, digest string) (bool, error) {
	return s.runTakeout(ctx, id, digest, takeoutRuns, forum.TakeoutLease)
}

// EndTakeout ends a take-out that has begun, so that there may be another.
func (s *Store) EndTakeout(ctx context.Context, id forum.UserID, digest string) error {
	_, err := s.runTakeout(ctx, id, digest, takeoutRuns, 0)
	return err
}

func (s *Store) runTakeout(
	ctx context.Context, id forum.UserID, digest, from string, lease time.Duration,
) (bool, error) {
	call := script.TakeoutRun{Takeout: key.Takeout(id), Digest: digest, From: from, Now: s.engine.Now()}
	if lease > 0 {
		call.Lease = call.Now + forum.Time(lease.Milliseconds())
		call.Expires = record.Atoi(record.ExpireAt(call.Lease))
	}
	s.engine.Step("takeout_run")
	ok, err := s.engine.Client.Run(ctx, call).Bool()
	if err != nil {
		return false, fmt.Errorf("take-out of user %d: %w", id, err)
	}
	return ok, nil
}

// Member reads a user with the rights of a member, whatever role and bans there are, to show the user what is kept; nil
// if the account is not active.
func (r Read) Member(id forum.UserID) func() (*forum.Viewer, error) {
	account := record.Get(r.read.Ctx, r.read.Batch, key.User(id), record.ViewerFields...)
	return func() (*forum.Viewer, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		f := account()
		if f["state"] != catalogue.UserActive {
			return nil, nil
		}
		v := record.ParseViewer(id, f, r.read.Engine.Now())
		v.Role, v.RoleEnds, v.Moderates = forum.RoleUser, 0, nil
		return v, nil
	}
}
