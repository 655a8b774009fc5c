package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/pipeline"
)

// Follow has a user follow a target, or not, and tells whether that changed anything. It
// returns NOT_FOUND, SELF, BLOCKED at targetId, UNAUTHENTICATED.
func (s *Store) Follow(ctx context.Context, by forum.UserID, target forum.Target, want bool) (changed bool, err error) {
	path := forum.Input("targetId")
	if target.User == by {
		return false, forum.Self(path, "One cannot follow oneself.")
	}
	if err := s.findTarget(ctx, path, target, func(*pipeline.Batch) {}); err != nil {
		return false, err
	}
	changed, err = s.changeEdge(ctx, followEdge(by, target), want)
	if err != nil {
		return false, fmt.Errorf("follow: %w", err)
	}
	return changed, nil
}

// findTarget returns NOT_FOUND when the target is not there. with queues what else is read.
func (s *Store) findTarget(ctx context.Context, path []string, t forum.Target, with func(*pipeline.Batch)) error {
	key, field, noun := userKey(t.User), "state", "user"
	switch {
	case t.Category != 0:
		key, field, noun = categoryKey(t.Category), "name", "category"
	case t.Tag != 0:
		key, field, noun = tagKey(t.Tag), "name", "tag"
	}
	b := s.rdb.Batch()
	cmd := b.HGet(ctx, key, field)
	with(b)
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("find %s: %w", noun, err)
	}
	value := cmd.Val()
	if value == "" || field == "state" && value != userActive {
		return forum.NotFound(path, noun, "")
	}
	return nil
}

// Block has a user block another, or not, and tells whether that changed anything. A block
// ends following both ways. It returns NOT_FOUND, SELF at userId, UNAUTHENTICATED.
func (s *Store) Block(ctx context.Context, by, user forum.UserID, want bool) (changed bool, err error) {
	path := forum.Input("userId")
	if user == by {
		return false, forum.Self(path, "One cannot block oneself.")
	}
	k := &blocking{s: s, ctx: context.WithoutCancel(ctx), e: edge{from: by, kind: blockUser, to: int64(user)}}
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
		k.theirs = s.lookAt(k.ctx, user, readView(user, theirs))
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
func Following(id forum.UserID) List { return latestFirst(followingKey(id)) }

// Followers is the list of those who follow a user, as Following is.
func Followers(id forum.UserID) List { return latestFirst(followersKey(id)) }

// FollowersOf is Followers of any target.
func FollowersOf(t forum.Target) List {
	key, _, _, _ := followEdge(0, t).far()
	return latestFirst(key)
}

// Blocked is the list of the users whom a user has blocked, as Following is.
func Blocked(id forum.UserID) List { return latestFirst(blockedKey(id)) }

func latestFirst(key string) List { return List{Name: key, key: key, desc: true} }

// Followed reads which targets a user follows.
func (r *Read) Followed(by forum.UserID, targets []forum.Target) func() ([]bool, error) {
	return isThere(r, targets, func(t forum.Target) (key, member string) { return followEdge(by, t).near() })
}

// FollowedBy reads which users follow a user.
func (r *Read) FollowedBy(user forum.UserID, whom []forum.UserID) func() ([]bool, error) {
	return isThere(r, whom, func(other forum.UserID) (key, member string) { return followingKey(other), itoa(user) })
}

// BlockedBy reads which users a user has blocked.
func (r *Read) BlockedBy(user forum.UserID, whom []forum.UserID) func() ([]bool, error) {
	return isThere(r, whom, func(other forum.UserID) (key, member string) { return blockedKey(user), itoa(other) })
}

// Apart reads which users are in a block with a user, whoever blocked whom.
func (r *Read) Apart(user forum.UserID, whom []forum.UserID) func() ([]bool, error) {
	blocked := r.BlockedBy(user, whom)
	blockers := isThere(r, whom, func(other forum.UserID) (key, member string) { return blockersKey(user), itoa(other) })
	return func() ([]bool, error) {
		apart, err := blocked()
		if err != nil {
			return nil, err
		}
		by, err := blockers()
		for i := range by {
			apart[i] = apart[i] || by[i]
		}
		return apart, err
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
