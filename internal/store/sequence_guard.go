package store

import (
	"context"
	"strconv"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// A Redis that was started again may have lost its last writes, and with them ids that it
// had given out: clients still hold these. So the first connection to another process of
// Redis raises the sequences before it is used.

const (
	// layoutRun is the field of the layout that names the process of Redis (run_id) for
	// which the sequences were last raised.
	layoutRun = "run"
	// sequenceLeap is by how much a sequence is raised: more ids than a partition gives out
	// in the second or two that appendfsync everysec may lose. All partitions together
	// give out some 16,000.
	sequenceLeap = 64
	// maxSequence is the last number of a partition's sequence.
	maxSequence = forum.MaxID / forum.Partitions
)

// sequenceGuard notices other processes of Redis.
type sequenceGuard struct {
	mu    sync.Mutex
	runID string // for which the sequences stand high enough
}

// onConnect runs on each new connection before it is used. It fails when the connection
// does, or Redis still reads its data; what Redis forbids is left out.
func (g *sequenceGuard) onConnect(ctx context.Context, cn *redis.Conn) error {
	text, err := cn.Info(ctx, "server").Result()
	if err != nil {
		return unlessRefused(err)
	}
	id := parseInfo(text)["run_id"]
	g.mu.Lock()
	defer g.mu.Unlock()
	if id == "" || id == g.runID {
		return nil
	}
	if err := raiseSequences(context.WithValue(ctx, settingUp{}, true), cn, id); err != nil {
		return unlessRefused(err)
	}
	g.runID = id
	return nil
}

// unlessRefused is nil for what Redis refuses for good, such as a command that is forbidden
// or a write on a replica.
func unlessRefused(err error) error {
	if RefusedByRedis(err) && !redis.HasErrorPrefix(err, "LOADING") {
		return nil
	}
	return err
}

// raiseSequences raises the sequences that have begun, unless somebody did it for this
// process of Redis, and notes that. Data that are not laid out have none.
func raiseSequences(ctx context.Context, cn *redis.Conn, id string) error {
	pipe := cn.Pipeline()
	layout := pipe.HGetAll(ctx, key.Layout)
	last := make([]*redis.StringCmd, forum.Partitions)
	for p := range last {
		last[p] = pipe.Get(ctx, key.Sequence(forum.Partition(p)))
	}
	if cmds, err := pipe.Exec(ctx); err != nil && !pipeline.IsNil(err) {
		return err
	} else if err := pipeline.FirstError(cmds); err != nil {
		return err
	}
	f := record.Fields(layout.Val())
	if len(f) == 0 || f[layoutRun] == id {
		return nil
	}
	reserved, _ := strconv.ParseInt(f["reserved"], 10, 64)
	pipe = cn.Pipeline()
	for p, cmd := range last {
		n, err := cmd.Int64()
		if err != nil || n+sequenceLeap > maxSequence || reserved > 0 && cmd.Val() == lastUpTo(reserved, p) {
			continue // none was given out, or none is left
		}
		pipe.IncrBy(ctx, key.Sequence(forum.Partition(p)), sequenceLeap)
	}
	pipe.HSet(ctx, key.Layout, layoutRun, id)
	_, err := pipe.Exec(ctx)
	return err
}

// noteRun notes in new data for which process of Redis the sequences stand right.
func (s *Store) noteRun(ctx context.Context) error {
	c, ok := s.rdb.UniversalClient.(*Connection)
	if !ok || c.sequences == nil {
		return nil
	}
	c.sequences.mu.Lock()
	id := c.sequences.runID
	c.sequences.mu.Unlock()
	if id == "" {
		return nil
	}
	return s.rdb.HSetNX(ctx, key.Layout, layoutRun, id).Err()
}
