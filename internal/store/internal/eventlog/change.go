package eventlog

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// A topic's changes are a ZSET of its latest changed comments, each as "number:id" with the position of its latest
// change, which is even, or odd if the comment was deleted. The member trimmed has the position of the last change that
// is kept no longer. The field changed of the topic has that of the last change, also when the set has expired.
const (
	changedField = "changed"
	trimmed      = "-"
)

// queueLast queues reading the position of the last change. It is queued before what it is compared with, which may
// then be newer but not older.
func (l Log) queueLast(ctx context.Context, b *pipeline.Batch) func() (int64, error) {
	cmd := b.HGet(ctx, key.Internal(l.object()), changedField)
	return func() (int64, error) { return record.Atoi(cmd.Val()), pipeline.UnlessNil(cmd.Err()) }
}

// lastChange queues finding the position of the last change.
func (l Log) lastChange(ctx context.Context, b *pipeline.Batch) func() (record.LogPosition, error) {
	last := l.queueLast(ctx, b)
	cmd := b.ZRevRangeWithScores(ctx, l.key, 0, 0)
	return func() (record.LogPosition, error) {
		number, err := last()
		if err == nil {
			err = cmd.Err()
		}
		if err != nil || len(cmd.Val()) == 0 {
			return record.LogPosition{Major: number}, err
		}
		return changeOf(cmd.Val()[0]).LogPosition, nil
	}
}

// changesSince queues reading the changes after a position, all of which are few.
func (l Log) changesSince(ctx context.Context, b *pipeline.Batch, after record.LogPosition,
	most int) func() (record.Part, error) {
	last := l.queueLast(ctx, b)
	cmd := b.ZRangeByScoreWithScores(ctx, l.key,
		&redis.ZRangeBy{Min: strconv.FormatInt(after.Major, 10), Max: "+inf"})
	return func() (record.Part, error) {
		number, err := last()
		if err == nil {
			err = cmd.Err()
		}
		if err != nil {
			return record.Part{}, fmt.Errorf("read %s: %w", l.key, err)
		}
		return changesAfter(cmd.Val(), number, after, most), nil
	}
}

// changesAfter returns the changes after a position, from the rows from that position on and the position of the last
// change. They are lost if one after the position was trimmed or has expired, or if Redis has lost the change at the
// position: then its comment has no change there or later.
func changesAfter(rows []redis.Z, last int64, after record.LogPosition, most int) record.Part {
	var changes []record.Entry
	known, lost := after.Minor == 0, last < after.Major
	for _, z := range rows {
		e := changeOf(z)
		switch {
		case e.Kind != "" && e.Major > after.Major:
			changes = append(changes, e)
			known = known || e.Minor == after.Minor
		case e.Kind != "":
			known = known || e.LogPosition == after
		default:
			known, lost = true, lost || e.Major > after.Major
		}
	}
	if len(rows) == 0 { // all of them have expired
		known, lost = true, last != after.Major
	}
	return record.PartOf(changes, lost || !known, most)
}

// changeOf parses a row of a set of changes.
func changeOf(z redis.Z) record.Entry {
	text, _ := z.Member.(string)
	e := record.Entry{LogPosition: record.LogPosition{Major: int64(z.Score)}}
	if text == trimmed {
		return e
	}
	number, id, _ := strings.Cut(text, ":")
	e.Number, e.Minor, e.Kind = record.Atoi(number), record.Atoi(id), forum.EventChanged
	if e.ID = e.Minor; e.Major%2 == 1 {
		e.Kind = forum.EventRemoved
	}
	return e
}
