package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// Follow has a user follow a target, or not, and reports whether that changed anything. It
// returns NOT_FOUND, SELF, BLOCKED at targetId, UNAUTHENTICATED.
func (s *Store) Follow(ctx context.Context, by forum.UserID, target forum.Target, want bool) (changed bool, err error) {
	path := forum.Input("targetId")
	if target.User == by {
		return false, forum.Self(path, "One cannot follow oneself.")
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

// findTarget returns NOT_FOUND when the target is not there. with queues what else is read.
func (s *Store) findTarget(ctx context.Context, path []string, t forum.Target, with func(*pipeline.Batch)) error {
	k, field, noun := key.User(t.User), "state", "user"
	switch {
	case t.Category != 0:
		k, field, noun = key.Category(t.Category), "name", "category"
	case t.Tag != 0:
		k, field, noun = key.Tag(t.Tag), "name", "tag"
	}
	b := s.rdb.Batch()
	cmd := b.HGet(ctx, k, field)
	with(b)
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("find %s: %w", noun, err)
	}
	value := cmd.Val()
	if value == "" || field == "state" && value != record.UserActive {
		return forum.NotFound(path, noun, "")
	}
	return nil
}

// Block has a user block another, or not, and reports whether that changed anything. A block
// ends following both ways. It returns NOT_FOUND, SELF at userId, UNAUTHENTICATED.
func (s *Store) Block(ctx context.Context, by, user forum.UserID, want bool) (changed bool, err error) {
	path := forum.Input("userId")
	if user == by {
		return false, forum.Self(path, "One cannot block oneself.")
	}
	k := &blocking{s: s, ctx: context.WithoutCancel(ctx),
		e: record.Edge{From: by, Kind: record.BlockUser, To: int64(user)}}
	var theirs *redis.Cmd
	err = s.findTarget(ctx, path, forum.Target{User: user}, func(b *pipeline.Batch) {
		if want {
			theirs = s.queueView(ctx, b, user, true)
		}
	})
	if err != nil {
		return false, err
	}
	if want {
		k.theirs = s.revalidation(k.ctx, user, readView(user, theirs))
		changed, err = k.run(ctx)
	} else {
		changed, err = s.changeEdge(ctx, k.e, false)
	}
	if err != nil {
		return false, fmt.Errorf("block: %w", err)
	}
	return changed, nil
}

// Following is the list of the users whom a user follows, latest first; the score is
// the time of following in microseconds.
func Following(id forum.UserID) List { return latestFirst(key.Following(id)) }

// Followers is the list of those who follow a user, as Following is.
func Followers(id forum.UserID) List { return latestFirst(key.Followers(id)) }

// FollowersOf is Followers of any target.
func FollowersOf(t forum.Target) List {
	key, _, _, _ := record.FollowEdge(0, t).Far()
	return latestFirst(key)
}

// Blocked is the list of the users whom a user has blocked, as Following is.
func Blocked(id forum.UserID) List { return latestFirst(key.Blocked(id)) }

func latestFirst(key string) List { return List{Name: key, key: key, desc: true} }

// Followed reads which targets a user follows.
func (r *Read) Followed(by forum.UserID, targets []forum.Target) func() ([]bool, error) {
	return isThere(r, targets, func(t forum.Target) (key, member string) { return record.FollowEdge(by, t).Near() })
}

// FollowedBy reads which users follow a user.
func (r *Read) FollowedBy(user forum.UserID, whom []forum.UserID) func() ([]bool, error) {
	return isThere(r, whom, func(other forum.UserID) (k, member string) { return key.Following(other), key.Itoa(user) })
}

// BlockedBy reads which users a user has blocked.
func (r *Read) BlockedBy(user forum.UserID, whom []forum.UserID) func() ([]bool, error) {
	return isThere(r, whom, func(other forum.UserID) (k, member string) { return key.Blocked(user), key.Itoa(other) })
}

// EitherBlocked reads which users are in a block with a user, whoever blocked whom.
func (r *Read) EitherBlocked(user forum.UserID, whom []forum.UserID) func() ([]bool, error) {
	blocked := r.BlockedBy(user, whom)
	blockers := isThere(r, whom,
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

// isThere reads which members are in sorted sets.
func isThere[T any](r *Read, of []T, at func(T) (key, member string)) func() ([]bool, error) {
	cmds := make([]interface{ Err() error }, len(of))
	for i, o := range of {
		key, member := at(o)
		cmds[i] = r.b.ZScore(r.ctx, key, member)
	}
	return func() ([]bool, error) {
		if r.err != nil {
			return nil, r.err
		}
		there := make([]bool, len(of))
		for i, cmd := range cmds {
			there[i] = cmd.Err() == nil
		}
		return there, nil
	}
}
