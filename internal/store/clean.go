package store

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// cleaner removes dirty marks once the indexes are written, many in one round trip. Marks that it cannot
// remove are left to the sweeper.
type cleaner struct {
	s      *Store
	marks  chan cleanMark
	now    chan chan struct{}
	done   sync.WaitGroup
	mu     sync.RWMutex // guards closed; held for reading while sending
	closed bool
}

// cleanMark is a dirty mark to remove, a task that is done, or claims to release.
type cleanMark struct {
	partition forum.Partition
	mark      string
	acts      string // the marks of acts on what is in no partition; acts never change
	key       string
	rev       int64
	fan       string // the topic's revision for which homes were written; "" if none were
	left      bool   // the indexes that the topic has left are updated
	task      *claimedTask
	notify    *notifyTask                            // a task that is done
	release   *released                              // claims to release
	names     []index.Name                           // entries of lists of names to write before the mark is removed
	votes     string                                 // of a comment: revision of the votes on it that were counted
	karma     func(context.Context, *pipeline.Batch) // counts them before the mark is removed
}

const (
	cleanEvery = 20 * time.Millisecond
	cleanBatch = 512
	cleanRows  = 32 // in one call of a script
)

// newCleaner starts the goroutine that writes; close stops it and waits for it.
func newCleaner(s *Store) *cleaner {
	c := &cleaner{s: s, marks: make(chan cleanMark, 4*cleanBatch), now: make(chan chan struct{})}
	c.done.Add(1)
	go c.loop()
	return c
}

// clean records that the entity was indexed at revision rev. It waits only if waitForClean is set;
// otherwise, if the queue is full, the mark is left to the sweeper.
func (s *Store) clean(p forum.Partition, mark, key string, rev int64) {
	s.cleanLater(cleanMark{partition: p, mark: mark, key: key, rev: rev})
}

// cleanTopic is clean for a topic; names are the tags' entries in their list. If homes is set, it was removed from
// everything it has left, and its homes were also written, or left to a task.
func (s *Store) cleanTopic(t record.TopicState, names []index.Name, homes bool) {
	m := cleanMark{partition: t.ID.Partition(), mark: "t:" + key.Itoa(t.ID), key: key.Topic(t.ID), rev: t.Rev,
		names: names}
	if homes {
		m.fan, m.left = t.Fan, t.Leaves
	}
	s.cleanLater(m)
}

// cleanComment is clean for a comment.
func (s *Store) cleanComment(c record.CommentState) {
	s.cleanLater(cleanMark{partition: c.ID.Partition(), mark: "c:" + key.Itoa(c.ID), key: key.Comment(c.ID), rev: c.Rev,
		votes: c.VotesRev()})
}

// countVotes counts the votes on a live comment with the revision rev in its author's karma, and then removes its dirty
// mark.
func (s *Store) countVotes(id forum.CommentID, rev int64, author forum.UserID, v record.CommentVotes) {
	s.cleanLater(cleanMark{partition: id.Partition(), mark: "c:" + key.Itoa(id), key: key.Comment(id),
		rev: rev, votes: strconv.FormatInt(v.Rev, 10),
		karma: func(ctx context.Context, b *pipeline.Batch) { index.QueueKarma(ctx, b, author, id, v) }})
}

// cleanUser is clean for an account that became active; its login is still to be listed.
func (s *Store) cleanUser(id forum.UserID, fold string) {
	s.cleanLater(cleanMark{release: &released{id: id, name: index.UserName(id, 1, fold), named: true}})
}

// finish records that a task is done, as clean does. If that is lost, a worker runs the task again.
func (s *Store) finish(t claimedTask) { s.cleanLater(cleanMark{task: &t}) }

func (s *Store) cleanLater(m cleanMark) {
	c := s.cleaner
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return
	}
	if s.waitForClean {
		c.marks <- m
		return
	}
	select {
	case c.marks <- m:
	default:
	}
}

// flush writes all marks added so far and returns when they are written.
func (c *cleaner) flush() {
	written := make(chan struct{})
	c.now <- written
	<-written
}

func (c *cleaner) close() {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.marks)
	}
	c.mu.Unlock()
	c.done.Wait()
}

func (c *cleaner) loop() {
	defer c.done.Done()
	var held []cleanMark
	tick := time.NewTimer(cleanEvery)
	tick.Stop()
	for {
		select {
		case m, open := <-c.marks:
			if !open {
				c.write(held)
				return
			}
			if len(held) == 0 {
				tick.Reset(cleanEvery)
			}
			if held = append(held, m); len(held) >= cleanBatch {
				c.write(held)
				held = held[:0]
				tick.Stop()
			}
		case written := <-c.now:
			for len(c.marks) > 0 {
				held = append(held, <-c.marks)
			}
			c.write(held)
			held = held[:0]
			close(written)
		case <-tick.C:
			c.write(held)
			held = held[:0]
		}
	}
}

func (c *cleaner) write(marks []cleanMark) {
	if len(marks) == 0 {
		return
	}
	cleans := callRows[script.DirtyCleanMarked]{}
	ends := callRows[script.NotifyDoneEnded]{}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	b, after := c.s.rdb.Batch(), c.s.rdb.Batch()
	remove := b // the marks
	for _, m := range marks {
		for _, n := range m.names {
			n.Queue(ctx, b, c.s.Now())
			remove = after
		}
		if m.karma != nil {
			m.karma(ctx, b)
			remove = after
		}
		if m.release != nil {
			c.s.queueRelease(ctx, b, m.release)
			m.release.end(ctx, after)
			continue
		}
		if m.notify != nil {
			ends.add(b, m.notify.task.partition, m.notify.ended())
			continue
		}
		if m.task != nil {
			b.Run(ctx, m.task.ended())
			continue
		}
		if m.acts != "" {
			b.ZRem(ctx, m.acts, m.mark)
			continue
		}
		cleans.add(b, m.partition, script.DirtyCleanMarked{Dirty: key.Dirty(m.partition),
			Entity: catalogue.KeyOf(m.key, "rev"), Mark: m.mark, Rev: m.rev, Fan: m.fan, Left: m.left, Votes: m.votes})
	}
	ends.each(func(some []script.NotifyDoneEnded) {
		b.Run(ctx, script.NotifyDone{Now: c.s.Now(), Ended: some})
	})
	cleans.each(func(some []script.DirtyCleanMarked) { remove.Run(ctx, script.DirtyClean{Marked: some}) })
	err := b.Exec(ctx)
	if err == nil && after.Len() > 0 {
		err = after.Exec(ctx)
	}
	if err == nil {
		for _, m := range marks {
			c.s.listed.Wrote(m.names)
		}
	}
	if err != nil {
		c.s.LogFailure(ctx, c.s.log, "dirty marks are left to the sweeper", "error", err)
	}
}

// callRows are rows of calls of a script, by partition.
type callRows[R any] map[forum.Partition][]R

// add adds a row of a partition. Rows of all partitions are in one call unless its keys must be in one slot.
func (r callRows[R]) add(b *pipeline.Batch, p forum.Partition, row R) {
	if !b.OneSlot() {
		p = 0
	}
	r[p] = append(r[p], row)
}

// each calls f with the rows of each call. They are few, because Redis does nothing else meanwhile.
func (r callRows[R]) each(f func([]R)) {
	for _, all := range r {
		for some := range slices.Chunk(all, cleanRows) {
			f(some)
		}
	}
}
