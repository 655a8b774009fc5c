package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// purgeBatch is the maximum number of a partition's topics and comments that one Purge erases.
const purgeBatch = 100

// Purge erases what moderators have hidden for more than HiddenLife, as its author would by deleting it, and evidence
// as long after its case was closed, and accounts that were rejected more than RejectedLife ago. It returns how much that was. Any number of processes may do so concurrently. What
// cannot be erased does not hold up the rest.
func (s *Store) Purge(ctx context.Context) (int, error) {
	before := s.Engine.Now() - forum.HiddenLife
	old := &redis.ZRangeBy{Min: "-inf", Max: "(" + strconv.FormatInt(int64(before), 10), Count: purgeBatch}
	b := s.Engine.Client.Batch()
	found := make([]*redis.StringSliceCmd, forum.Partitions)
	for p := range found {
		found[p] = b.ZRangeByScore(ctx, key.Hidden(forum.Partition(p)), old)
	}
	if err := b.Exec(ctx); err != nil {
		return 0, fmt.Errorf("find what was hidden too long ago: %w", err)
	}
	n := 0
	var failed []error
	for _, cmd := range found {
		for _, name := range cmd.Val() {
			err := s.purge(ctx, name, before)
			switch {
			case err == nil:
				n++
			case forum.CodeOf(err) != forum.CodeNotFound: // another process was faster, or it was restored
				failed = append(failed, err)
			}
		}
	}
	forgotten, err := s.Accounts.ForgetRejected(ctx)
	return n + forgotten, errors.Join(append(failed, err)...)
}

// purge erases a hidden topic "t:<id>" or comment "c:<id>", or the evidence "e:<subject>".
func (s *Store) purge(ctx context.Context, name string, before forum.Time) error {
	kind, number, _ := strings.Cut(name, ":")
	if kind == "e" {
		of, err := record.ParseActSubject(number)
		if err != nil {
			return fmt.Errorf("hidden %q: %w", name, err)
		}
		return s.Acts.DropEvidence(ctx, of, before)
	}
	id, err := forum.ParseID[forum.TopicID](number)
	if err != nil {
		return fmt.Errorf("hidden %q: %w", name, err)
	}
	if kind == "c" {
		return s.Posts.PurgeComment(ctx, forum.CommentID(id), before)
	}
	return s.Posts.PurgeTopic(ctx, id, before)
}
