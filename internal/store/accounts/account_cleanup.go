package accounts

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/follows"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// CleanupPass is the maximum number of edges that one run ends.
const CleanupPass = 100

// cleanupSets are the sets that the cleanup of a deleted account empties, in this order. Edges that other
// users set to the account are ended on their side. The account's own edges already count as ended; only
// their reverse sides remain to be written.
var cleanupSets = []struct {
	key func(forum.UserID) string
	end func(s *Store, ctx context.Context, id forum.UserID, members []string) error
}{
	{key.Following, func(s *Store, ctx context.Context, id forum.UserID, members []string) error {
		return s.endReverse(ctx, id, record.Prefixed("u", members))
	}},
	{key.Subjects, func(s *Store, ctx context.Context, id forum.UserID, members []string) error {
		return s.endReverse(ctx, id, members)
	}},
	{key.Blocked, func(s *Store, ctx context.Context, id forum.UserID, members []string) error {
		if err := s.endReverse(ctx, id, record.Prefixed("b", members)); err != nil {
			return err
		}
		return s.fillHomes(ctx, record.ParseIDs[forum.UserID](strings.Join(members, " ")))
	}},
	{key.Bookmarks, func(s *Store, ctx context.Context, id forum.UserID, members []string) error {
		return s.endReverse(ctx, id, record.Prefixed("k", members))
	}},
	{key.Watching, func(s *Store, ctx context.Context, id forum.UserID, members []string) error {
		return s.endReverse(ctx, id, record.Prefixed("w", members))
	}},
	{key.Followers, func(s *Store, ctx context.Context, id forum.UserID, members []string) error {
		return s.endNear(ctx, id, record.FollowUser, members)
	}},
	{key.Blockers, func(s *Store, ctx context.Context, id forum.UserID, members []string) error {
		return s.endNear(ctx, id, record.BlockUser, members)
	}},
	{key.Listed, (*Store).leaveLists},
	{key.Lists, (*Store).dropLists},
}

// RunAccountCleanup runs the cleanup task of a deleted account: it ends up to CleanupPass edges of the
// first set that is not empty. Nothing is added to these sets any more.
func (s *Store) RunAccountCleanup(ctx context.Context, id forum.UserID, cursor string) (string, bool, error) {
	b := s.engine.Client.Batch()
	sets := make([]*redis.StringSliceCmd, len(cleanupSets))
	for i, d := range cleanupSets {
		sets[i] = b.ZRange(ctx, d.key(id), 0, CleanupPass-1)
	}
	user := record.Get(ctx, b, key.User(id), "state", "moderates", "moderatesRev", "groupsRev")
	managed := b.HGet(ctx, key.GroupsManaged, key.Itoa(id))
	if err := b.Exec(ctx); pipeline.UnlessNil(err) != nil {
		return "", false, fmt.Errorf("read edges of user %d: %w", id, err)
	}
	f := user()
	if f["state"] != catalogue.UserDeleted {
		return "", false, fmt.Errorf("user %d is not deleted", id)
	}
	if f["moderates"]+f["moderatesRev"]+f["groupsRev"]+managed.Val() != "" {
		s.engine.Step("account_cleanup")
		if err := s.groups.EndAccount(ctx, id, record.ParseIDs[forum.GroupID](managed.Val())); err != nil {
			return "", false, fmt.Errorf("end groups of user %d: %w", id, err)
		}
		return cursor, false, s.endModerated(ctx, id, f)
	}
	for i, d := range cleanupSets {
		members := sets[i].Val()
		if len(members) == 0 {
			continue
		}
		s.engine.Step("account_cleanup")
		if err := d.end(s, ctx, id, members); err != nil {
			return "", false, fmt.Errorf("end edges of user %d: %w", id, err)
		}
		return cursor, false, s.engine.Client.Redis.ZRem(ctx, d.key(id), record.Anys(members)...).Err()
	}
	return "", true, s.engine.Client.Redis.Del(ctx, key.ListNames(id), key.HiddenBookmarks(id)).Err()
}

// endModerated takes the user out of the moderators of categories.
func (s *Store) endModerated(ctx context.Context, id forum.UserID, f record.Fields) error {
	b := s.engine.Client.Batch()
	for _, category := range record.ParseIDs[forum.CategoryID](f["moderates"]) {
		b.Run(ctx, script.CategoryModerator{Category: key.Category(category),
			Moderators: key.CategoryModerators(category), User: id, Rev: int64(f.Int("moderatesRev")) + 1})
	}
	if b.Len() > 0 {
		if err := b.Exec(ctx); err != nil {
			return fmt.Errorf("end what user %d moderates: %w", id, err)
		}
	}
	return s.engine.Client.Run(ctx, script.UserModeratedEnd{User: key.User(id), Dirty: key.Dirty(id.Partition())}).Err()
}

// endReverse writes the reverse sides of edges that the user had set.
func (s *Store) endReverse(ctx context.Context, id forum.UserID, names []string) error {
	etime, err := s.engine.Client.Redis.HGet(ctx, key.Internal(key.User(id)), "etime").Result()
	if err != nil {
		return err
	}
	b := s.engine.Client.Batch()
	for _, name := range names {
		e, err := record.ParseEdge(key.Itoa(id) + ":" + name)
		if err != nil {
			return err
		}
		s.follows.QueueReverse(ctx, b, e, follows.EdgeState{Since: etime})
	}
	return b.Exec(ctx)
}

// fillHomes refills homes with the topics that a block no longer hides.
func (s *Store) fillHomes(ctx context.Context, ids []forum.UserID) error {
	for _, id := range ids {
		if err := s.homes.FillHome(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// endNear ends edges that other users set to the user.
func (s *Store) endNear(ctx context.Context, id forum.UserID, kind record.EdgeKind, from []string) error {
	for _, other := range record.ParseIDs[forum.UserID](strings.Join(from, " ")) {
		if err := s.follows.EndEdge(ctx, record.Edge{From: other, Kind: kind, To: int64(id)}); err != nil {
			return err
		}
	}
	return nil
}

// leaveLists removes the user from other users' lists.
func (s *Store) leaveLists(ctx context.Context, id forum.UserID, lists []string) error {
	for _, name := range lists {
		owner, list, err := record.ParseOwnedList(name)
		if err != nil {
			return err
		}
		users, t, err := s.follows.ChangeMembers(ctx, owner, list, nil, []forum.UserID{id})
		if forum.CodeOf(err) == forum.CodeNotFound { // the list was deleted: its own task does the rest
			continue
		}
		if err != nil {
			return err
		}
		if t.Token != "0" {
			s.follows.WriteListedNow(ctx, owner, list, users, t)
		}
	}
	return nil
}

// dropLists deletes the user's lists.
func (s *Store) dropLists(ctx context.Context, id forum.UserID, lists []string) error {
	for _, list := range record.ParseIDs[forum.ListID](strings.Join(lists, " ")) {
		if err := s.follows.DeleteList(ctx, id, list); err != nil && forum.CodeOf(err) != forum.CodeNotFound {
			return err
		}
	}
	return nil
}
