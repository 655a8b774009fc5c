package fsck

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// target is the smallest unit that is checked on its own: one object, one entry of an index, one
// key. What has findings is checked again target by target.
type target struct {
	kind targetKind
	id   int64  // of the object or partition
	key  string // key, container or name of a task; voted subject; list
	text string // member of a container; a voter; a topic in a user's log; where an edge leads
}

type targetKind int

const (
	onLayout targetKind = iota
	onCatalogue
	onKey
	onTopic
	onComment // not listed by a topic
	onUser
	onPartition
	onMark
	onHiddenItem
	onTask
	onContainer
	onEntry
	onVoter
	onLogged
	onSocial // edges, lists and marks of a user
	onHome
	onBookmark // or what is noted of one, of a user
	onEdge
	onMember // a malformed member of a set of edges
	onList
	onNotes    // a user's notifications
	onKarma    // of a user
	onCounted  // a comment in its author's karma, or a field of what is counted
	onNamed    // an entry of a list of names, or one of its members
	onRules    // of the site
	onCase     // the reports on a subject
	onEvidence // the copies of a subject
	onQueued   // a member of a list of the queue of reports
	onNotify   // sent and pending notifications, by subject
	onAct
	onActEntry   // of a list of acts
	onModerators // of a category
)

// lagsOnly reports whether a target that cannot be checked now may be ignored: indexes of objects
// being written, logs of voters, reverse sides and homes may lag behind.
func lagsOnly(on target) bool {
	return on.kind == onEntry || on.kind == onLogged || on.kind == onEdge || on.kind == onHome
}

// checks returns how to check a target of each kind, whether for the first time or again.
func checks() map[targetKind]func(*look) {
	return map[targetKind]func(*look){
		onLayout:     (*look).layout,
		onCatalogue:  (*look).sections,
		onKey:        (*look).key,
		onTopic:      func(l *look) { l.topic() },
		onComment:    (*look).stray,
		onHiddenItem: (*look).hiddenEntry,
		onContainer:  (*look).container,
		onEntry:      func(l *look) { l.entry(l.truth()) },
		onSocial:     (*look).social,
		onHome:       (*look).home,
		onBookmark:   (*look).bookmark,
		onEdge:       (*look).edge,
		onMember:     (*look).member,
		onList:       (*look).userList,
		onNotes:      (*look).notes,
		onNotify:     (*look).notify,
		onRules:      (*look).rules,
		onCase:       (*look).reports,
		onEvidence:   (*look).evidence,
		onQueued:     (*look).queued,
		onAct:        (*look).act,
		onActEntry:   (*look).actEntry,
		onPartition:  (*look).partition,
		onMark:       (*look).dirty,
		onTask:       (*look).task,
		onUser:       (*look).user,
		onModerators: (*look).moderators,
		onNamed:      (*look).named,
		onKarma:      (*look).karma,
		onCounted:    (*look).counted,
		onVoter:      (*look).voter,
		onLogged:     (*look).logged,
	}
}

// examine checks one target.
func (l *look) examine(on target) {
	l.on, l.sweep, l.tag = on, markRef{}, 0
	l.checks[on.kind](l)
}

// inspectAgain forgets what was found, and checks targets again.
func (c *checker) inspectAgain(ctx context.Context, again map[target]bool) error {
	c.found, c.busy = map[target][]finding{}, map[target]bool{}
	return together(ctx, c, slices.Collect(maps.Keys(again)), (*look).examine)
}

// groups calls do for groups of at most groupSize.
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

// reading queues reads and sends them readSize at a time. Results are available after done.
type reading struct {
	ctx   context.Context
	rdb   redis.Cmdable
	pipe  redis.Pipeliner
	tx    bool // atomically
	err   error
	parts map[forum.Partition]*reading // what is read at once
	named *[]*redis.StringSliceCmd     // by tasks, until it is sent
}

func (c *checker) read(ctx context.Context) *reading {
	return &reading{ctx: ctx, rdb: c.rdb.Redis, pipe: c.rdb.Redis.Pipeline()}
}

// atOnceSize is the maximum number of commands of a look that are executed atomically.
const atOnceSize = 10

// atOnce returns where to queue up to atOnceSize commands on keys of one partition that are executed atomically.
func (r *reading) atOnce(p forum.Partition) *reading {
	part := r.parts[p]
	if part == nil {
		part = &reading{ctx: r.ctx, rdb: r.rdb, pipe: r.rdb.TxPipeline(), tx: true}
		if r.parts == nil {
			r.parts = map[forum.Partition]*reading{}
		}
		r.parts[p] = part
	}
	if part.pipe.Len() > readSize-atOnceSize {
		part.send()
	}
	return part
}

// next returns the pipeline for the next command.
func (r *reading) next() redis.Pipeliner {
	if !r.tx && r.pipe.Len() >= readSize {
		r.send()
	}
	return r.pipe
}

func (r *reading) done() error {
	r.send()
	r.named = nil
	for _, part := range r.parts {
		if err := part.done(); err != nil && r.err == nil {
			r.err = err
		}
	}
	return r.err
}

// send treats a key of the wrong type as an empty one, because that has a finding of its own.
func (r *reading) send() {
	if r.pipe.Len() == 0 {
		return
	}
	cmds, err := r.pipe.Exec(r.ctx)
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

// object queues a read of all fields of an object, of both its hashes; f returns them after done.
func (r *reading) object(k string) (f func() record.Fields) {
	internal, shown := r.next().HGetAll(r.ctx, key.Internal(k)), r.next().HGetAll(r.ctx, k)
	return func() record.Fields {
		all := record.Fields{}
		maps.Copy(all, shown.Val())
		maps.Copy(all, internal.Val())
		return all
	}
}

// hmget queues a read of some fields; f returns them after done.
func (r *reading) hmget(key string, names []string) (f func() record.Fields) {
	return record.Get(r.ctx, r.next(), key, names...)
}
