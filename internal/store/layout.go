package store

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Layout is what is fixed with the data.
type Layout struct {
	// TimeZone is the IANA name of the zone in which days begin; "" takes what
	// the data say, or UTC for new data.
	TimeZone string
	// Created is when the data were laid out; Open fills it in.
	Created forum.Time
}

// openLayout writes the layout of new data and compares that of old ones. Each
// field is written only once, whoever comes first.
func (s *Store) openLayout(ctx context.Context, want Layout) error {
	zone := want.TimeZone
	if zone == "" {
		zone = "UTC"
	}
	pipe := s.rdb.Redis.Pipeline()
	pipe.HSetNX(ctx, key.Layout, "version", record.LayoutVersion)
	pipe.HSetNX(ctx, key.Layout, "partitions", forum.Partitions)
	pipe.HSetNX(ctx, key.Layout, "created", int64(s.Now()))
	pipe.HSetNX(ctx, key.Layout, "timeZone", zone)
	have := pipe.HGetAll(ctx, key.Layout)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("lay out the data: %w", err)
	}
	return s.takeLayout(have.Val(), want)
}

// readLayout compares the layout of data that are there.
func (s *Store) readLayout(ctx context.Context, want Layout) error {
	have, err := s.rdb.Redis.HGetAll(ctx, key.Layout).Result()
	if err != nil {
		return fmt.Errorf("read the layout of the data: %w", err)
	}
	if len(have) == 0 {
		return fmt.Errorf("there are no data of Agora: the key %s is missing", key.Layout)
	}
	return s.takeLayout(have, want)
}

// takeLayout compares a layout with what this program knows and what is wanted.
func (s *Store) takeLayout(f record.Fields, want Layout) error {
	switch {
	case f.Int("version") != record.LayoutVersion:
		return fmt.Errorf("the data have layout version %s; this program knows version %d", f["version"],
			record.LayoutVersion)
	case f.Int("partitions") != forum.Partitions:
		return fmt.Errorf("the data have %s partitions; this program has %d", f["partitions"], forum.Partitions)
	case want.TimeZone != "" && want.TimeZone != f["timeZone"]:
		return fmt.Errorf("the days of these data begin in %s, which cannot be changed to %s", f["timeZone"], want.TimeZone)
	}
	s.layout = Layout{TimeZone: f["timeZone"], Created: f.Time("created")}
	s.monitor.Created, s.monitor.TimeZone = s.layout.Created, s.layout.TimeZone
	var err error
	if s.zone, err = forum.LoadZone(f["timeZone"]); err != nil {
		return fmt.Errorf("the zone in which the days of these data begin: %w; set it to the zone of the servers that "+
			"wrote them: HSET %s timeZone Area/City", err, key.Layout)
	}
	return nil
}

// ReserveIDs makes sure that no id up to n is ever given out, so that objects
// may be brought in under ids of their own. It is refused once ids exist or
// another number was reserved; with the same n it may be repeated, by anybody.
func (s *Store) ReserveIDs(ctx context.Context, n int64) error {
	if n < 1 || n > forum.MaxID {
		return fmt.Errorf("reserve ids: the number must be 1 to %d", forum.MaxID)
	}
	if ok, err := s.sequencesAt(ctx, n, false); err != nil {
		return err
	} else if !ok {
		return fmt.Errorf("reserve ids: ids exist already")
	}
	// One field decides whose number holds in all partitions.
	pipe := s.rdb.Redis.Pipeline()
	pipe.HSetNX(ctx, key.Layout, "reserved", n)
	reserved := pipe.HGet(ctx, key.Layout, "reserved")
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("reserve ids: %w", err)
	}
	if reserved.Val() != strconv.FormatInt(n, 10) {
		return fmt.Errorf("reserve ids: %s are reserved already", reserved.Val())
	}
	if ok, err := s.sequencesAt(ctx, n, true); err != nil {
		return err
	} else if !ok {
		return fmt.Errorf("reserve ids: somebody began to give out ids meanwhile")
	}
	return nil
}

// sequencesAt reports whether the sequences of all partitions stand where they
// stand when the ids up to n are reserved. One that has not begun counts as
// such; with start it is put there.
func (s *Store) sequencesAt(ctx context.Context, n int64, start bool) (bool, error) {
	pipe := s.rdb.Redis.Pipeline()
	present := make([]*redis.StringCmd, forum.Partitions)
	for p := range present {
		key := key.Sequence(forum.Partition(p))
		if start {
			pipe.SetNX(ctx, key, connection.LastUpTo(n, p), 0)
		}
		present[p] = pipe.Get(ctx, key)
	}
	if _, err := pipe.Exec(ctx); err != nil && !pipeline.IsNil(err) {
		return false, fmt.Errorf("reserve ids: %w", err)
	}
	for p, cmd := range present {
		if cmd.Err() == nil && cmd.Val() != connection.LastUpTo(n, p) {
			return false, nil
		}
	}
	return true, nil
}

// StartSequence makes the next id of a partition that has given out none beyond
// it follow the number last. The demo uses it to post a topic under a number
// known from elsewhere.
func (s *Store) StartSequence(ctx context.Context, p forum.Partition, last int64) error {
	return s.rdb.Run(ctx, script.SeqRaise{Sequence: key.Sequence(p), Given: last}).Err()
}
