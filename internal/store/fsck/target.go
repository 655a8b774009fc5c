package fsck

import (
	"context"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// subject is the least that is looked at by itself: one object, one entry of an
// index, one key. What looks wrong is looked at again subject by subject.
type target struct {
	kind targetKind
	id   int64  // of the object or partition
	key  string // key, container or name of a task; of whatever was voted on; a list
	text string // member of a container; a voter; a topic in a user's log; where an edge leads
}

type targetKind int

const (
	onLayout targetKind = iota
	onCatalogue
	onKey
	onTopic
	onComment // one that no topic lists
	onUser
	onPartition
	onMark
	onTask
	onContainer
	onEntry
	onVoter
	onLogged
	onSocial // what a user has with others
	onHome
	onEdge
	onMember // of a side of edges, which names none
	onList
	onNotes  // a user's notifications
	onNotify // whom a comment or topic has told, by its subject
)

// lagsOnly reports whether nothing need be said of a subject that cannot be judged
// now: the indexes of what is being written, the logs of those who vote, far sides and
// homes lag behind, as they may.
func lagsOnly(on target) bool {
	return on.kind == onEntry || on.kind == onLogged || on.kind == onEdge || on.kind == onHome
}

// look is how subjects of a kind are looked at.
type inspection struct {
	kind    targetKind
	inspect func(context.Context, []target) error
}

// inspectAgain looks at subjects again.
func (c *checker) inspectAgain(ctx context.Context, suspects map[target]bool) error {
	by := map[targetKind][]target{}
	for on := range suspects {
		kind := on.kind
		if kind == onHome { // which is looked at with all else that its owner has with others
			if kind = onSocial; suspects[target{kind: onSocial, id: on.id}] {
				continue
			}
		}
		by[kind] = append(by[kind], on)
	}
	inspections := append(append(c.socialInspections(), c.noteInspections()...), []inspection{
		{onLayout, func(ctx context.Context, _ []target) error { return c.inspectLayout(ctx) }},
		{onCatalogue, func(ctx context.Context, _ []target) error { return c.inspectCatalogue(ctx) }},
		{onKey, func(ctx context.Context, on []target) error { return c.inspectKeys(ctx, targetKeys(on)) }},
		{onTopic, func(ctx context.Context, on []target) error {
			return groups(targetIDs[forum.TopicID](on),
				func(ids []forum.TopicID) error { return c.inspectTopics(ctx, ids, nil) })
		}},
		{onComment, func(ctx context.Context, on []target) error {
			return c.inspectStray(ctx, targetIDs[forum.CommentID](on))
		}},
		{onUser, func(ctx context.Context, on []target) error {
			return groups(targetIDs[forum.UserID](on), func(ids []forum.UserID) error { return c.inspectUsers(ctx, ids) })
		}},
		{onPartition, each(func(ctx context.Context, on target) error {
			return c.inspectCounters(ctx, forum.Partition(on.id))
		})},
		{onMark, each(func(ctx context.Context, on target) error {
			return c.inspectMarks(ctx, forum.Partition(on.id), []string{on.text})
		})},
		{onTask, each(func(ctx context.Context, on target) error {
			return c.inspectTasks(ctx, forum.Partition(on.id), []string{on.text})
		})},
		{onContainer, each(func(ctx context.Context, on target) error {
			return c.inspectWhole(ctx, key.Container(on.key))
		})},
		{onEntry, func(ctx context.Context, on []target) error {
			refs := make([]entryRef, len(on))
			for i, s := range on {
				refs[i] = entryRef{key.Container(s.key), s.id, s.text}
			}
			return groups(refs, func(refs []entryRef) error { return c.inspectEntries(ctx, refs) })
		}},
		{onVoter, func(ctx context.Context, on []target) error {
			return groups(on, func(on []target) error { return c.inspectVotes(ctx, on) })
		}},
		{onLogged, func(ctx context.Context, on []target) error {
			return groups(on, func(on []target) error { return c.inspectLogged(ctx, on) })
		}},
	}...)
	for _, l := range inspections {
		if on := by[l.kind]; len(on) > 0 {
			if err := l.inspect(ctx, on); err != nil {
				return err
			}
		}
	}
	return nil
}

func each(inspect func(context.Context, target) error) func(context.Context, []target) error {
	return func(ctx context.Context, on []target) error {
		for _, s := range on {
			if err := inspect(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}
}

func targetKeys(on []target) []string {
	keys := make([]string, len(on))
	for i, s := range on {
		keys[i] = s.key
	}
	return keys
}

func targetIDs[ID ~int64](on []target) []ID {
	ids := make([]ID, len(on))
	for i, s := range on {
		ids[i] = ID(s.id)
	}
	return ids
}

// groups does all in groups of groupSize.
func groups[T any](all []T, do func([]T) error) error {
	for len(all) > 0 {
		n := min(len(all), groupSize)
		if err := do(all[:n]); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// reading queues reads and sends them readSize at a time. What a command
// answers is there after done.
type reading struct {
	ctx    context.Context
	rdb    redis.UniversalClient
	pipe   redis.Pipeliner
	atOnce bool // all at one instant
	err    error
}

func (c *checker) read(ctx context.Context) *reading {
	return &reading{ctx: ctx, rdb: c.rdb.Redis, pipe: c.rdb.Redis.Pipeline()}
}

// readAtOnce is read for keys of one partition, and for no more than readSize commands,
// between which nobody writes.
func (c *checker) readAtOnce(ctx context.Context) *reading {
	return &reading{ctx: ctx, rdb: c.rdb.Redis, pipe: c.rdb.Redis.TxPipeline(), atOnce: true}
}

// next is where the next command goes.
func (r *reading) next() redis.Pipeliner {
	if !r.atOnce && r.pipe.Len() >= readSize {
		r.send()
	}
	return r.pipe
}

func (r *reading) done() error {
	r.send()
	return r.err
}

// send takes a key of another type than it should have for an empty one: that
// is a finding of its own.
func (r *reading) send() {
	if r.pipe.Len() == 0 {
		return
	}
	cmds, err := r.pipe.Exec(r.ctx)
	if r.atOnce && (redis.HasErrorPrefix(err, "EXECABORT") || redis.HasErrorPrefix(pipeline.FirstError(cmds), "OOM")) {
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

// sendSeparately sends what was to be read at once without MULTI, which a Redis that is full
// refuses: nobody writes there.
func (r *reading) sendSeparately(cmds []redis.Cmder) ([]redis.Cmder, error) {
	pipe := r.rdb.Pipeline()
	for _, cmd := range cmds {
		cmd.SetErr(nil)
		if err := pipe.Process(r.ctx, cmd); err != nil {
			return cmds, err
		}
	}
	return pipe.Exec(r.ctx)
}

// hmget queues a read of some fields; f fills them in after done.
func (r *reading) hmget(key string, names []string) (f func() record.Fields) {
	cmd := r.next().HMGet(r.ctx, key, names...)
	return func() record.Fields { return record.HMGet(names, cmd) }
}
