package store

import (
	"context"
	"fmt"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

const (
	// looksVersion is raised when other logins than before look alike (text.Looks): the claims of all are made again.
	looksVersion = 1
	// upgradeBatch is how many users are read at a time.
	upgradeBatch = 500
)

// Upgrade adds what this version derives from existing data and an earlier one did not: the claims on what logins look
// like. It reads one field if that is done. It may be ended at any step, and run by several processes at once: each goes
// through all users, and changes those who need it. progress is called with the number of users who are done. In a cluster
// it needs all masters.
func (s *Store) Upgrade(ctx context.Context, progress func(users int64)) error {
	rdb := s.Engine.Client.Redis
	have, err := rdb.HGet(ctx, key.Layout, "looks").Int()
	if err != nil && !pipeline.IsNil(err) {
		return fmt.Errorf("read the layout: %w", err)
	}
	if have >= looksVersion {
		return nil
	}
	n := int64(0)
	for _, names := range []key.Names{key.UserNames, key.Applicants} {
		err := s.eachNamed(ctx, names, func(ids []forum.UserID) error {
			if err := s.Accounts.ClaimLooks(ctx, ids); err != nil {
				return err
			}
			n += int64(len(ids))
			progress(n)
			return nil
		})
		if err != nil {
			return fmt.Errorf("upgrade the data: %w", err)
		}
	}
	if err := rdb.HSet(ctx, key.Layout, "looks", looksVersion).Err(); err != nil {
		return fmt.Errorf("upgrade the data: %w", err)
	}
	return nil
}

// eachNamed passes the users of a list to do, some at a time, in no order, and perhaps twice.
func (s *Store) eachNamed(ctx context.Context, names key.Names, do func([]forum.UserID) error) error {
	for cursor := uint64(0); ; {
		// Each member is followed by its score.
		found, next, err := s.Engine.Client.Redis.ZScan(ctx, names.Order(key.OrderName), cursor, "",
			upgradeBatch).Result()
		if err != nil {
			return err
		}
		var ids []forum.UserID
		for i := 0; i < len(found); i += 2 {
			if _, id, err := record.ParseNameMember(found[i]); err == nil {
				ids = append(ids, forum.UserID(id))
			}
		}
		for some := range slices.Chunk(ids, upgradeBatch) { // the embedded store returns all at once
			if err := do(some); err != nil {
				return err
			}
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}
