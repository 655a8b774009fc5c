package connection

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

// A Redis that was restarted may have lost its last writes, and with them ids that it had assigned: clients
// still hold these. So the first connection to another process of Redis raises the sequences before it is
// used.

const (
	// LayoutRun is the field of the layout with the process of Redis (run_id) for which the sequences were
	// last raised.
	LayoutRun = "run"
	// SequenceLeap is the amount by which a sequence is raised: more ids than a partition assigns in the
	// second or two that appendfsync everysec may lose. All partitions together assign some 16,000.
	SequenceLeap = 64
	// maxSequence is the last number of a partition's sequence.
	maxSequence = forum.MaxID / forum.Partitions
)

// sequenceGuard detects restarts of Redis.
type sequenceGuard struct {
	mu    sync.Mutex
	runID string // for which the sequences are high enough
}

// onConnect runs on each new connection before it is used. It fails if the connection does, or if Redis is
// still loading; commands that Redis forbids are skipped.
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

// unlessRefused returns nil for permanent refusals by Redis, such as a forbidden command or a write on a
// replica.
func unlessRefused(err error) error {
	if pipeline.Answered(err) && !redis.HasErrorPrefix(err, "LOADING") {
		return nil
	}
	return err
}

// raiseSequences raises the sequences that have begun, unless another server did so for this process of
// Redis, and records it. Data without a layout have no sequences.
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
	if len(f) == 0 || f[LayoutRun] == id {
		return nil
	}
	reserved, _ := strconv.ParseInt(f["reserved"], 10, 64)
	pipe = cn.Pipeline()
	for p, cmd := range last {
		n, err := cmd.Int64()
		if err != nil || n+SequenceLeap > maxSequence || reserved > 0 && cmd.Val() == LastUpTo(reserved, p) {
			continue // no ids were assigned, or none are left
		}
		pipe.IncrBy(ctx, key.Sequence(forum.Partition(p)), SequenceLeap)
	}
	pipe.HSet(ctx, key.Layout, LayoutRun, id)
	_, err := pipe.Exec(ctx)
	return err
}

// NoteRun records, in new data, the process of Redis for which the sequences are right.
func (c *Connection) NoteRun(ctx context.Context) error {
	if c.sequences == nil {
		return nil
	}
	c.sequences.mu.Lock()
	id := c.sequences.runID
	c.sequences.mu.Unlock()
	if id == "" {
		return nil
	}
	return c.Redis.HSetNX(ctx, key.Layout, LayoutRun, id).Err()
}

// LastUpTo returns the largest sequence number of partition p whose id is at most n.
func LastUpTo(n int64, p int) string {
	last := n / forum.Partitions
	if n%forum.Partitions < int64(p) {
		last--
	}
	return strconv.FormatInt(max(last, 0), 10)
}
