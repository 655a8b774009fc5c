package takeout

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// No list has what a user wrote that is hidden or held, nor votes and reports: these are with their subjects. So a scan
// looks at all ids of the site.

// scanPass is the number of ids that one page of a scan looks at, which takes a few milliseconds.
const scanPass = 1000

// everywhere is the condition of a scan of all partitions.
func everywhere(forum.Partition) bool { return true }

// topics, comments, posts and subjects are what may have an id.
func topics(id int64) []forum.Subject   { return []forum.Subject{{Topic: forum.TopicID(id)}} }
func comments(id int64) []forum.Subject { return []forum.Subject{{Comment: forum.CommentID(id)}} }
func posts(id int64) []forum.Subject    { return append(topics(id), comments(id)...) }
func subjects(id int64) []forum.Subject {
	return append(posts(id), forum.Subject{User: forum.UserID(id)})
}

// look queues the commands that read whether a subject is the user's; found then reports it, and completes the item.
type look func(ctx context.Context, b *pipeline.Batch, user forum.UserID, i *Item) (found func() bool)

// wrote finds what the user wrote and has not deleted.
func wrote(ctx context.Context, b *pipeline.Batch, user forum.UserID, i *Item) func() bool {
	is := b.HMGet(ctx, key.Subject(i.Subject), "author", "deleted")
	return func() bool { f := is.Val(); return len(f) == 2 && f[0] == key.Itoa(user) && f[1] == nil }
}

// edited finds what the user wrote, has not deleted, and was edited.
func edited(ctx context.Context, b *pipeline.Batch, user forum.UserID, i *Item) func() bool {
	mine, revision := wrote(ctx, b, user, i), b.HExists(ctx, key.Subject(i.Subject), "revision")
	return func() bool { return mine() && revision.Val() }
}

// voted finds what the user voted on.
func voted(ctx context.Context, b *pipeline.Batch, user forum.UserID, i *Item) func() bool {
	k, who := key.Subject(i.Subject), key.Itoa(user)
	up, down := b.ZScore(ctx, key.Upvoters(k), who), b.ZScore(ctx, key.Downvoters(k), who)
	return func() bool {
		switch {
		case up.Err() == nil:
			i.Vote = forum.VoteUp
		case down.Err() == nil:
			i.Vote = forum.VoteDown
		}
		return i.Vote != ""
	}
}

// reported finds what the user reported.
func reported(ctx context.Context, b *pipeline.Batch, user forum.UserID, i *Item) func() bool {
	report := b.HGet(ctx, key.Reports(i.Subject), key.Itoa(user))
	return func() bool {
		r, ok := record.ParseReport(user, report.Val())
		if ok {
			i.At, i.Reason, i.Note = r.CreatedAt, r.Reason, r.Note
		}
		return ok
	}
}

// scan returns the pager of a scan of the partitions for which in holds.
func (t *reader) scan(in func(forum.Partition) bool, of func(id int64) []forum.Subject, look look) Pager {
	var last []int64 // numbers, by partition
	unused, p, number := int64(0), 0, int64(0)
	return func(ctx context.Context) (items []Item, commands int, more bool, err error) {
		if last == nil {
			last, unused, err = t.numbers(ctx)
			return nil, forum.Partitions + 1, err == nil, err
		}
		for p < forum.Partitions && (!in(forum.Partition(p)) || max(number, unused) >= last[p]) {
			p, number = p+1, 0
		}
		if p == forum.Partitions {
			return nil, 0, false, nil
		}
		b := t.rdb.Batch()
		var all []*Item
		var found []func() bool
		first := max(number, unused) + 1
		number = min(last[p], first+scanPass-1)
		for n := first; n <= number; n++ {
			for _, s := range of(n*forum.Partitions + int64(p)) {
				i := &Item{Subject: s}
				all, found = append(all, i), append(found, look(ctx, b, t.user, i))
			}
		}
		commands = b.Len()
		if err := b.Exec(ctx); err != nil {
			return nil, 0, false, fmt.Errorf("scan partition %d: %w", p, err)
		}
		for n, i := range all {
			if found[n]() {
				items = append(items, *i)
			}
		}
		return items, commands, true, nil
	}
}

// numbers returns the last number that each partition has given to an id, and the last one that is reserved, below
// which there are no objects.
func (t *reader) numbers(ctx context.Context) (last []int64, unused int64, err error) {
	b := t.rdb.Batch()
	cmds := make([]*redis.StringCmd, forum.Partitions)
	for p := range cmds {
		cmds[p] = b.Get(ctx, key.Sequence(forum.Partition(p)))
	}
	reserved := b.HGet(ctx, key.Layout, "reserved")
	if err := b.Exec(ctx); err != nil {
		return nil, 0, fmt.Errorf("read the sequences: %w", err)
	}
	for _, cmd := range cmds {
		last = append(last, record.Atoi(cmd.Val()))
	}
	return last, record.Atoi(reserved.Val())/forum.Partitions - 1, nil
}
