package connection

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// A Redis that was restarted, or a replica that was promoted, may lack the last writes, and with them ids
// that were assigned: clients still hold these. So the first connection to another process of Redis raises
// the sequences that it holds before it is used. In a cluster and with Sentinels, connections to replicas are
// refused, so that none is older than a promotion.
const (
	// LayoutRun is the field of the layout with the process of Redis (run_id) for which the sequences were
	// last raised. In a cluster each node has a field, LayoutRun, a colon and its id, with its process and
	// configuration epoch.
	LayoutRun = "run"
	// SequenceLeap is the amount by which a sequence is raised: more ids than a partition assigns in the
	// second or two that appendfsync everysec, or a fail-over, may lose. All partitions together assign
	// some 16,000.
	SequenceLeap = 64
	// ChangesLeap is SequenceLeap for the numbers of changes, of which a partition may have as many as all together.
	ChangesLeap = 1 << 16
	// maxSequence is the last number of a partition's sequence.
	maxSequence = forum.MaxID / forum.Partitions
)

// IsRun reports whether a field of the layout belongs to the Redis that has the data, not to the data.
func IsRun(field string) bool { return field == LayoutRun || strings.HasPrefix(field, LayoutRun+":") }

// sequenceGuard detects restarts of Redis and promotions of replicas.
type sequenceGuard struct {
	// layout reads and writes the layout in a cluster, where it may be on another node. It is nil for a
	// single server.
	layout redis.Cmdable
	// patience is how long the layout of a cluster may take. Connections wait for it.
	patience time.Duration
	// replicated is whether a replica may take the place of a master.
	replicated bool

	mu     sync.Mutex
	raised map[string]string // the process for which the sequences are high enough, by field of the layout
}

// onConnect runs on each new connection before it is used. It fails if the connection does, if Redis is
// still loading, or on a replica that may take over; commands that Redis forbids are skipped.
func (g *sequenceGuard) onConnect(ctx context.Context, cn redis.Cmdable) error {
	field, process, err := g.identify(ctx, cn)
	if err != nil {
		return unlessRefused(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if process == "" || g.raised[field] == process {
		return nil
	}
	if err := g.raise(context.WithValue(ctx, settingUp{}, true), cn, field, process); err != nil {
		return unlessRefused(err)
	}
	if g.raised == nil {
		g.raised = map[string]string{}
	}
	g.raised[field] = process
	return nil
}

// identify returns the process of Redis behind a connection and the field of the layout for it.
func (g *sequenceGuard) identify(ctx context.Context, cn redis.Cmdable) (field, process string, err error) {
	if !g.replicated {
		text, err := cn.Info(ctx, "server").Result()
		return LayoutRun, parseInfo(text)["run_id"], err
	}
	pipe := cn.Pipeline()
	info, replication := pipe.Info(ctx, "server"), pipe.Info(ctx, "replication")
	var cluster, id *redis.StringCmd
	if g.layout != nil {
		cluster, id = pipe.ClusterInfo(ctx), pipe.ClusterMyID(ctx)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return "", "", err
	}
	if parseInfo(replication.Val())["role"] == "slave" {
		return "", "", pipeline.ErrReplica
	}
	if g.layout == nil {
		return LayoutRun, parseInfo(info.Val())["run_id"], nil
	}
	return LayoutRun + ":" + id.Val(),
		parseInfo(info.Val())["run_id"] + " " + parseInfo(cluster.Val())["cluster_my_epoch"], nil
}

// unlessRefused returns nil for permanent refusals by Redis, such as a forbidden command or a write on a
// replica.
func unlessRefused(err error) error {
	if pipeline.Answered(err) && !redis.HasErrorPrefix(err, "LOADING") {
		return nil
	}
	return err
}

// raise raises the sequences of a server, unless another process did so for this process of
// Redis, and records it. Data without a layout have no sequences; those of another one, which this program does
// not open, are left as they are.
func (g *sequenceGuard) raise(ctx context.Context, cn redis.Cmdable, field, process string) error {
	f, meta, err := g.readLayout(ctx, cn)
	if err != nil || f.Int("version") != record.LayoutVersion || f[field] == process {
		return err
	}
	reserved, _ := strconv.ParseInt(f["reserved"], 10, 64)
	if err := leap(ctx, cn, reserved); err != nil {
		return err
	}
	if meta == nil {
		return nil
	}
	return meta.HSet(ctx, key.Layout, field, process).Err()
}

// readLayout reads the layout. meta is where it can be written; nil if it is that of a copy on the same server,
// because the master that has the layout does not answer.
func (g *sequenceGuard) readLayout(ctx context.Context, cn redis.Cmdable) (f record.Fields, meta redis.Cmdable,
	err error) {
	if g.layout == nil {
		f, err = cn.HGetAll(ctx, key.Layout).Result()
		return f, cn, err
	}
	short, cancel := context.WithTimeout(ctx, g.patience)
	defer cancel()
	if f, err = g.layout.HGetAll(short, key.Layout).Result(); err == nil {
		return f, g.layout, nil
	}
	if f, found := layoutAt(ctx, cn); found {
		return f, nil, nil
	}
	return nil, nil, err
}

// leap raises the sequences on one server. reserved is the largest reserved id, 0 for none.
func leap(ctx context.Context, cn redis.Cmdable, reserved int64) error {
	pipe := cn.Pipeline()
	last := make([]*redis.StringCmd, forum.Partitions)
	for p := range last {
		last[p] = pipe.Get(ctx, key.Sequence(forum.Partition(p)))
	}
	follows := make([]*redis.IntCmd, len(key.FeedSlots))
	for i, slot := range key.FeedSlots {
		follows[i] = pipe.Exists(ctx, key.Consumers(slot))
	}
	if cmds, err := pipe.Exec(ctx); err != nil && !answered(cmds) {
		return err
	}
	// The first ids of a sequence may be lost, too, but not those of new data, which may be reserved yet.
	begun := reserved == 0 && slices.ContainsFunc(last, func(cmd *redis.StringCmd) bool { return cmd.Err() == nil })
	pipe = cn.Pipeline()
	for p, cmd := range last {
		n, err := cmd.Int64()
		if begun && pipeline.IsNil(err) {
			err = nil
		}
		if err != nil && !pipeline.IsNil(err) && !redis.HasErrorPrefix(err, "MOVED") {
			return err
		}
		if err != nil || n+SequenceLeap > maxSequence || reserved > 0 && cmd.Val() == LastUpTo(reserved, p) {
			continue // none are left, or another master has the partition, or all is new
		}
		pipe.IncrBy(ctx, key.Sequence(forum.Partition(p)), SequenceLeap)
	}
	for i, cmd := range follows {
		if cmd.Val() > 0 { // consumers may have handled changes with numbers that are lost, also the first ones
			pipe.HIncrBy(ctx, key.Consumers(key.FeedSlots[i]), "seq", ChangesLeap)
		}
	}
	_, err := pipe.Exec(ctx)
	return err
}

// NoteRun records, in new data, the processes of Redis for which the sequences are right.
func (c *Connection) NoteRun(ctx context.Context) error {
	if c.sequences == nil {
		return nil
	}
	c.sequences.mu.Lock()
	raised := maps.Clone(c.sequences.raised)
	c.sequences.mu.Unlock()
	pipe := c.Redis.Pipeline()
	for field, process := range raised {
		pipe.HSetNX(ctx, key.Layout, field, process)
	}
	_, err := pipe.Exec(ctx)
	return err
}

// LastUpTo returns the largest sequence number of partition p whose id is at most n.
func LastUpTo(n int64, p int) string {
	last := n / forum.Partitions
	if n%forum.Partitions < int64(p) {
		last--
	}
	return strconv.FormatInt(max(last, 0), 10)
}
