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
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// sweepAfter is the age at which the sweeper handles a dirty mark, in ms: the mutation has a second to
// finish.
const sweepAfter = 1000

// sweepBatch is the maximum number of a partition's marks that one sweep handles.
const sweepBatch = 500

// clockMost is how far the clocks of servers may be apart, in ms. A mark with a later time was left by a
// server whose clock was wrong. It is handled at once: otherwise it would wait until the other clocks are
// there.
const clockMost = 60_000

// Sweep finishes mutations that were interrupted: it writes the indexes of dirty entities again, abandons
// registrations that take too long, and ends deletions of categories. It returns how many entities it
// handled. Any number of processes may sweep concurrently. An entity that cannot be finished does not hold
// up others.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	return s.sweep(ctx, s.Now()-sweepAfter)
}

// Flush sweeps all marks that are set, however young, until nothing is left to do: after a bulk write, or
// before a check. Marks that are set while it works are left to the next sweep.
func (s *Store) Flush(ctx context.Context) error {
	if s.bulk || !s.waitForClean { // otherwise a mark that could not be queued would be handled again
		whole := *s
		whole.bulk, whole.waitForClean = false, true
		return whole.Flush(ctx)
	}
	for until := s.Now(); ; {
		n, err := s.sweep(ctx, until)
		if err != nil {
			return err
		}
		s.cleaner.flush()
		if n == 0 {
			s.stats.forget()
			return nil
		}
	}
}

func (s *Store) sweep(ctx context.Context, until forum.Time) (int, error) {
	limit := &redis.ZRangeBy{Min: "-inf", Max: strconv.FormatInt(int64(until), 10), Count: sweepBatch}
	oldest := &redis.ZRangeBy{Min: "-inf", Max: "+inf", Count: sweepBatch}
	b := s.rdb.Batch()
	marks := make([]*redis.ZSliceCmd, forum.Partitions)
	for p := range marks {
		marks[p] = b.ZRangeByScoreWithScores(ctx, key.Dirty(forum.Partition(p)), oldest)
	}
	categories := b.ZRangeByScore(ctx, key.CategoryDirty, limit)
	acts := make([]*redis.ZSliceCmd, len(key.SharedActMarks))
	for i, list := range key.SharedActMarks {
		acts[i] = b.ZRangeByScoreWithScores(ctx, list, oldest)
	}
	learnRules := s.rules.queue(ctx, b)
	err := b.Exec(ctx)
	learnRules() // even if another command failed
	if failed := s.rules.readList(ctx); err == nil {
		err = failed
	}
	if err != nil {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	n := 0
	var failed []error
	for p, cmd := range marks {
		due := dueBy(cmd.Val(), until, s.Now()+clockMost)
		if len(due) == 0 {
			continue
		}
		swept, err := s.sweepMarks(ctx, forum.Partition(p), due)
		if err != nil {
			failed = append(failed, fmt.Errorf("sweep partition %d: %w", p, err))
			continue
		}
		n += swept
	}
	for _, c := range categories.Val() {
		if err := s.sweepCategory(ctx, c); err != nil {
			failed = append(failed, fmt.Errorf("sweep category %s: %w", c, err))
			continue
		}
		n++
	}
	for i, list := range key.SharedActMarks {
		due := dueBy(acts[i].Val(), until, s.Now()+clockMost)
		if err := s.sweepSharedActs(ctx, list, due); err != nil {
			failed = append(failed, fmt.Errorf("sweep acts of %s: %w", list, err))
			continue
		}
		n += len(due)
	}
	return n, errors.Join(failed...)
}

// sweepSharedActs adds acts on what is in no partition, which have marks in list, to their lists.
func (s *Store) sweepSharedActs(ctx context.Context, list string, marks []string) error {
	var acts []forum.ActID
	for _, mark := range marks {
		id, err := forum.ParseActID(strings.TrimPrefix(mark, "m:"))
		if err != nil || mark != "m:"+key.Itoa(id) || key.ActMarks(id) != list {
			if err := s.rdb.Redis.ZRem(ctx, list, mark).Err(); err != nil {
				return err
			}
			continue
		}
		acts = append(acts, id)
	}
	return s.sweepActs(ctx, acts)
}

// dueBy returns the marks whose time has come, or is so late that a wrong clock has set it.
func dueBy(all []redis.Z, until, wrong forum.Time) []string {
	var due []string
	for _, z := range all {
		if at := forum.Time(z.Score); at <= until || at > wrong {
			due = append(due, z.Member.(string))
		}
	}
	return due
}

// sweepMarks handles the entities of one partition. It returns how many, not counting registrations that
// are still in progress.
func (s *Store) sweepMarks(ctx context.Context, p forum.Partition, marks []string) (swept int, err error) {
	var topics []forum.TopicID
	var comments []forum.CommentID
	var acts []forum.ActID
	var cases []forum.Subject
	swept = len(marks)
	for _, mark := range marks {
		kind, rest, _ := strings.Cut(mark, ":")
		id, err := forum.ParseID[forum.TopicID](rest)
		about, noCase := record.ParseActSubject(rest)
		switch {
		case noCase == nil && kind == "r":
			cases = append(cases, about)
		case err == nil && kind == "t":
			topics = append(topics, id)
		case err == nil && kind == "c":
			comments = append(comments, forum.CommentID(id))
		case err == nil && kind == "m":
			acts = append(acts, forum.ActID(id))
		case err == nil && kind == "u":
			ended, err := s.sweepUser(ctx, forum.UserID(id))
			if err != nil {
				return 0, err
			}
			if !ended {
				swept--
			}
		default:
			if err := s.dropMark(ctx, p, mark); err != nil {
				return 0, err
			}
		}
	}
	if err := s.sweepActs(ctx, acts); err != nil {
		return 0, err
	}
	if err := s.sweepCases(ctx, p, cases); err != nil {
		return 0, err
	}
	return swept, s.reindex(ctx, p, topics, comments)
}

// reindex writes the indexes of topics and comments in their current state. It removes the marks of
// entities that do not exist.
func (s *Store) reindex(ctx context.Context, p forum.Partition, topics []forum.TopicID,
	comments []forum.CommentID) error {
	ts, err := s.topicStates(ctx, topics)
	if err != nil {
		return err
	}
	cs, err := s.commentStates(ctx, comments)
	if err != nil {
		return err
	}
	liveTopics, liveComments := ts[:0], cs[:0]
	for _, t := range ts {
		if t.Rev != 0 {
			liveTopics = append(liveTopics, t)
		} else if err := s.dropMark(ctx, p, "t:"+key.Itoa(t.ID)); err != nil {
			return err
		}
	}
	for _, c := range cs {
		if c.Rev != 0 {
			liveComments = append(liveComments, c)
		} else if err := s.dropMark(ctx, p, "c:"+key.Itoa(c.ID)); err != nil {
			return err
		}
	}
	_, err = s.index(ctx, liveTopics, liveComments)
	return err
}

func (s *Store) dropMark(ctx context.Context, p forum.Partition, mark string) error {
	return s.rdb.Redis.ZRem(ctx, key.Dirty(p), mark).Err()
}

// sweepUser abandons a registration or a change of e-mail that takes too long, and releases the claims of
// one that was abandoned. It reports whether it has ended.
func (s *Store) sweepUser(ctx context.Context, id forum.UserID) (ended bool, err error) {
	word, err := s.rdb.Run(ctx, s.resolving(id, "", "fold", "")).Text()
	if err != nil || word == "FRESH" {
		return false, err
	}
	return true, s.release(ctx, id)
}

// sweepCategory finishes a deletion, or abandons it if there are topics.
func (s *Store) sweepCategory(ctx context.Context, name string) error {
	id, err := forum.ParseID[forum.CategoryID](name)
	if err != nil {
		return s.rdb.Redis.ZRem(ctx, key.CategoryDirty, name).Err()
	}
	nonce, err := s.rdb.Redis.HGet(ctx, key.Internal(key.Category(id)), "deleting").Result()
	if pipeline.IsNil(err) { // abandoned or already deleted
		return s.rdb.Run(ctx, script.CategoryDeleteAbort{
			Category: key.Category(id), Dirty: key.CategoryDirty, ID: id,
		}).Err()
	}
	if err != nil {
		return err
	}
	_, err = s.finishCategory(ctx, id, nonce)
	return err
}
