package check

import (
	"context"
	"maps"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// Reading queues reads and sends them readSize at a time. Results are available after Done.
type Reading struct {
	Ctx   context.Context
	rdb   redis.Cmdable
	pipe  redis.Pipeliner
	tx    bool // atomically
	err   error
	parts map[forum.Partition]*Reading // what is read at once
	named *[]*redis.StringSliceCmd     // by tasks, until it is sent
}

// Read returns a reading with nothing queued.
func (r *Run) Read(ctx context.Context) *Reading {
	rdb := r.Engine.Client.Redis
	return &Reading{Ctx: ctx, rdb: rdb, pipe: rdb.Pipeline()}
}

// atOnceSize is the maximum number of commands of a look that are executed atomically.
const atOnceSize = 10

// AtOnce returns where to queue up to atOnceSize commands on keys of one partition that are executed atomically.
func (r *Reading) AtOnce(p forum.Partition) *Reading {
	part := r.parts[p]
	if part == nil {
		part = &Reading{Ctx: r.Ctx, rdb: r.rdb, pipe: r.rdb.TxPipeline(), tx: true}
		if r.parts == nil {
			r.parts = map[forum.Partition]*Reading{}
		}
		r.parts[p] = part
	}
	if part.pipe.Len() > readSize-atOnceSize {
		part.send()
	}
	return part
}

// Next returns the pipeline for the next command.
func (r *Reading) Next() redis.Pipeliner {
	if !r.tx && r.pipe.Len() >= readSize {
		r.send()
	}
	return r.pipe
}

// Done sends what is queued. It returns the first error.
func (r *Reading) Done() error {
	r.send()
	r.named = nil
	for _, part := range r.parts {
		if err := part.Done(); err != nil && r.err == nil {
			r.err = err
		}
	}
	return r.err
}

// send treats a key of the wrong type as an empty one, because that has a finding of its own.
func (r *Reading) send() {
	if r.pipe.Len() == 0 {
		return
	}
	cmds, err := r.pipe.Exec(r.Ctx)
	if r.tx && (redis.HasErrorPrefix(err, "EXECABORT") || redis.HasErrorPrefix(pipeline.FirstError(cmds), "OOM")) {
		cmds, err = r.sendSeparately(cmds)
	}
	if err == nil || r.err != nil {
		return
	}
	for _, cmd := range cmds {
		if err := cmd.Err(); err != nil && !pipeline.IsNil(err) && !strings.HasPrefix(err.Error(), "WRONGTYPE") {
			r.err = err
			return
		}
	}
}

// sendSeparately sends the commands without MULTI, which a Redis that is out of memory refuses. Other
// clients can hardly write there either.
func (r *Reading) sendSeparately(cmds []redis.Cmder) ([]redis.Cmder, error) {
	pipe := r.rdb.Pipeline()
	for _, cmd := range cmds {
		cmd.SetErr(nil)
		if err := pipe.Process(r.Ctx, cmd); err != nil {
			return cmds, err
		}
	}
	return pipe.Exec(r.Ctx)
}

// The following queue reads. In a hash of an object, that one is read which has the field.

// Exists queues whether a key exists.
func (r *Reading) Exists(k string) *redis.IntCmd { return r.Next().Exists(r.Ctx, k) }

// Text queues the read of a string.
func (r *Reading) Text(k string) *redis.StringCmd { return r.Next().Get(r.Ctx, k) }

// Score queues the read of a member's score.
func (r *Reading) Score(k, member string) *redis.FloatCmd { return r.Next().ZScore(r.Ctx, k, member) }

// Scores queues the reads of a member's scores in several sets.
func (r *Reading) Scores(keys []string, member string) []*redis.FloatCmd {
	cmds := make([]*redis.FloatCmd, len(keys))
	for i, k := range keys {
		cmds[i] = r.Score(k, member)
	}
	return cmds
}

// Size queues the size of a sorted set.
func (r *Reading) Size(k string) *redis.IntCmd { return r.Next().ZCard(r.Ctx, k) }

// ZSet queues the read of a sorted set.
func (r *Reading) ZSet(k string) *redis.ZSliceCmd { return r.Next().ZRangeWithScores(r.Ctx, k, 0, -1) }

// Hash queues the read of a hash.
func (r *Reading) Hash(k string) *redis.MapStringStringCmd { return r.Next().HGetAll(r.Ctx, k) }

// Field queues the read of a field.
func (r *Reading) Field(k, name string) *redis.StringCmd {
	return r.Next().HGet(r.Ctx, catalogue.KeyOf(k, name), name)
}

// Fields queues the read of some fields; f returns them after Done.
func (r *Reading) Fields(key string, names []string) (f func() record.Fields) {
	return record.Get(r.Ctx, r.Next(), key, names...)
}

// Object queues a read of all fields of an object, of both its hashes; f returns them after Done.
func (r *Reading) Object(k string) (f func() record.Fields) {
	internal, shown := r.Next().HGetAll(r.Ctx, key.Internal(k)), r.Next().HGetAll(r.Ctx, k)
	return func() record.Fields {
		all := record.Fields{}
		maps.Copy(all, shown.Val())
		maps.Copy(all, internal.Val())
		return all
	}
}

// Tasks queues the names of all tasks, once for all looks that wait together.
func (r *Reading) Tasks() *[]*redis.StringSliceCmd {
	if r.named == nil {
		r.named = &[]*redis.StringSliceCmd{}
		for p := range forum.Partitions {
			for _, k := range []string{key.Due(forum.Partition(p)), key.Dead(forum.Partition(p))} {
				*r.named = append(*r.named, r.Next().ZRange(r.Ctx, k, 0, -1))
			}
		}
	}
	return r.named
}

// Is reports whether a command found what it was to read.
func Is(cmd redis.Cmder) bool { return cmd.Err() == nil }

// Exists reports whether a key that was to be counted does.
func Exists(cmd *redis.IntCmd) bool { return cmd.Val() > 0 }

// Count returns how many of the reads found something.
func Count(cmds []*redis.FloatCmd) int {
	n := 0
	for _, cmd := range cmds {
		if Is(cmd) {
			n++
		}
	}
	return n
}

// Scores returns the scores of members.
func Scores(zs []redis.Z) map[string]float64 {
	found := make(map[string]float64, len(zs))
	for _, z := range zs {
		found[z.Member.(string)] = z.Score
	}
	return found
}
