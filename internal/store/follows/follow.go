package follows

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
)

// Follow makes a user follow a target, or stop following it, and reports whether anything changed. It
// returns NOT_FOUND, SELF, BLOCKED at targetId, UNAUTHENTICATED.
func (s *Store) Follow(ctx context.Context, by forum.UserID, target forum.Target, want bool) (changed bool, err error) {
	path := forum.Path("targetId")
	if target.User == by {
		return false, forum.Self(path, "You cannot follow yourself.")
	}
	if err := s.findTarget(ctx, path, target, func(*pipeline.Batch) {}); err != nil {
		return false, err
	}
	changed, err = s.changeEdge(ctx, record.FollowEdge(by, target), want)
	if err != nil {
		return false, fmt.Errorf("follow: %w", err)
	}
	return changed, nil
}

// findTarget returns NOT_FOUND if the target does not exist. with queues other reads.
func (s *Store) findTarget(ctx context.Context, path []string, t forum.Target, with func(*pipeline.Batch)) error {
	k, field, noun := key.User(t.User), "state", "user"
	switch {
	case t.Category != 0:
		k, field, noun = key.Category(t.Category), "name", "category"
	case t.Tag != 0:
		k, field, noun = key.Tag(t.Tag), "name", "tag"
	}
	b := s.engine.Client.Batch()
	cmd := b.HGet(ctx, k, field)
	with(b)
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("find %s: %w", noun, err)
	}
	value := cmd.Val()
	if value == "" || field == "state" && value != catalogue.UserActive {
		return forum.NotFound(path, noun)
	}
	return nil
}

// Block makes a user block another user, or stop blocking them, and reports whether anything changed. A
// block ends follows in both directions. It returns NOT_FOUND, SELF at userId, UNAUTHENTICATED.
func (s *Store) Block(ctx context.Context, by, user forum.UserID, want bool) (changed bool, err error) {
	path := forum.Path("userId")
	if user == by {
		return false, forum.Self(path, "You cannot block yourself.")
	}
	k := &blocking{s: s, ctx: context.WithoutCancel(ctx),
		e: record.Edge{From: by, Kind: record.BlockUser, To: int64(user)}}
	var theirs *redis.Cmd
	err = s.findTarget(ctx, path, forum.Target{User: user}, func(b *pipeline.Batch) {
		if want {
			theirs = s.homes.QueueView(ctx, b, user, true)
		}
	})
	if err != nil {
		return false, err
	}
	if want {
		k.theirs = s.homes.Revalidation(k.ctx, user, k.s.homes.ReadView(k.ctx, user, theirs))
		changed, err = k.run(ctx)
	} else {
		changed, err = s.changeEdge(ctx, k.e, false)
	}
	if err != nil {
		return false, fmt.Errorf("block: %w", err)
	}
	return changed, nil
}

// Following is the list of the users that a user follows, latest first; the score is the time of following
// in microseconds.
func Following(id forum.UserID) listing.List { return listing.LatestFirst(key.Following(id)) }

// Followers is the list of a user's followers, ordered as Following is.
func Followers(id forum.UserID) listing.List { return listing.LatestFirst(key.Followers(id)) }

// FollowersOf is Followers for any target.
func FollowersOf(t forum.Target) listing.List {
	return listing.LatestFirst(record.FollowEdge(0, t).Reverse().Key)
}

// Blocked is the list of the users that a user has blocked, ordered as Following is.
func Blocked(id forum.UserID) listing.List { return listing.LatestFirst(key.Blocked(id)) }

// Followed reads which of the targets a user follows.
func (r Read) Followed(by forum.UserID, targets []forum.Target) func() ([]bool, error) {
	return isMember(r.read, targets, func(t forum.Target) (key, member string) {
		return record.FollowEdge(by,
			t).Own()
	})
}

// FollowedBy reads which of the users follow a user.
func (r Read) FollowedBy(user forum.UserID, others []forum.UserID) func() ([]bool, error) {
	return isMember(r.read, others, func(other forum.UserID) (k, member string) {
		return key.Following(other),
			key.Itoa(user)
	})
}

// BlockedBy reads which of the users a user has blocked.
func (r Read) BlockedBy(user forum.UserID, others []forum.UserID) func() ([]bool, error) {
	return isMember(r.read, others, func(other forum.UserID) (k, member string) {
		return key.Blocked(user),
			key.Itoa(other)
	})
}

// Blocking reads which of the users have blocked a user.
func (r Read) Blocking(user forum.UserID, others []forum.UserID) func() ([]bool, error) {
	return isMember(r.read, others, func(other forum.UserID) (k, member string) {
		return key.Blocked(other),
			key.Itoa(user)
	})
}

// EitherBlocked reads which of the users have a block with a user, in either direction.
func (r Read) EitherBlocked(user forum.UserID, others []forum.UserID) func() ([]bool, error) {
	blocked := r.BlockedBy(user, others)
	blockers := isMember(r.read, others,
		func(other forum.UserID) (k, member string) { return key.Blockers(user), key.Itoa(other) })
	return func() ([]bool, error) {
		blocked, err := blocked()
		if err != nil {
			return nil, err
		}
		by, err := blockers()
		for i := range by {
			blocked[i] = blocked[i] || by[i]
		}
		return blocked, err
	}
}

// isMember reads which members are in their sorted sets.
func isMember[T any](r *engine.Read, of []T, at func(T) (key, member string)) func() ([]bool, error) {
	cmds := make([]interface{ Err() error }, len(of))
	for i, o := range of {
		key, member := at(o)
		cmds[i] = r.Batch.ZScore(r.Ctx, key, member)
	}
	return func() ([]bool, error) {
		if r.Err != nil {
			return nil, r.Err
		}
		found := make([]bool, len(of))
		for i, cmd := range cmds {
			found[i] = cmd.Err() == nil
		}
		return found, nil
	}
}
