package store

import (
	"context"
	"slices"
	"sync"
	"time"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/script"
)

// cleaner does what may follow some time after a mutation, much of it in one round trip: it removes dirty marks and ends
// tasks. What it cannot do is left to the sweeper and to workers.
type cleaner struct {
	s      *Store
	queued chan cleanup
	now    chan chan struct{}
	done   sync.WaitGroup
	mu     sync.RWMutex // guards closed; held for reading while sending
	closed bool
}

// cleanup is what may follow some time after a mutation.
type cleanup struct {
	// first queues what must be written before the rest, and wrote is called when it is; nil for nothing.
	first func(context.Context, *pipeline.Batch)
	wrote func()
	// One of these follows.
	mark  script.DirtyCleanMarked // a dirty mark to remove
	ended script.NotifyDoneEnded  // a notification task to end
	then  func(context.Context, *pipeline.Batch)
	// partition is that of the mark or the notification task.
	partition forum.Partition
}

const (
	cleanEvery = 20 * time.Millisecond
	cleanBatch = 512
	cleanRows  = 32 // in one call of a script
)

// newCleaner starts the goroutine that writes; close stops it and waits for it.
func newCleaner(s *Store) *cleaner {
	c := &cleaner{s: s, queued: make(chan cleanup, 4*cleanBatch), now: make(chan chan struct{})}
	c.done.Add(1)
	go c.loop()
	return c
}

// marked returns the removal of the dirty mark of an object that is indexed at revision rev.
func marked(p forum.Partition, mark, of string, rev int64) cleanup {
	return cleanup{partition: p, mark: script.DirtyCleanMarked{
		Dirty: key.Dirty(p), Entity: catalogue.KeyOf(of, "rev"), Mark: mark, Rev: rev}}
}

// clean removes the dirty mark of an object that is indexed at revision rev.
func (s *Store) clean(p forum.Partition, mark, of string, rev int64) {
	s.cleanLater(marked(p, mark, of, rev))
}

// finish ends a task that is done. If that is lost, a worker runs the task again.
func (s *Store) finish(t claimedTask) {
	s.cleanLater(cleanup{then: func(ctx context.Context, b *pipeline.Batch) { b.Run(ctx, t.ended()) }})
}

// cleanLater queues a cleanup. It waits only if waitForClean is set; otherwise, if the queue is full, the cleanup is
// dropped.
func (s *Store) cleanLater(m cleanup) {
	c := s.cleaner
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return
	}
	if s.waitForClean {
		c.queued <- m
		return
	}
	select {
	case c.queued <- m:
	default:
	}
}

// flush does all cleanups that were queued and returns when they are done.
func (c *cleaner) flush() {
	written := make(chan struct{})
	c.now <- written
	<-written
}

func (c *cleaner) close() {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.queued)
	}
	c.mu.Unlock()
	c.done.Wait()
}

func (c *cleaner) loop() {
	defer c.done.Done()
	var held []cleanup
	tick := time.NewTimer(cleanEvery)
	tick.Stop()
	for {
		select {
		case m, open := <-c.queued:
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
			for len(c.queued) > 0 {
				held = append(held, <-c.queued)
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

func (c *cleaner) write(all []cleanup) {
	if len(all) == 0 {
		return
	}
	marks, ends := callRows[script.DirtyCleanMarked]{}, callRows[script.NotifyDoneEnded]{}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	b, after := c.s.rdb.Batch(), c.s.rdb.Batch()
	rest := b
	for _, m := range all {
		if m.first != nil {
			m.first(ctx, b)
			rest = after
		}
		switch {
		case m.ended.Task != "":
			ends.add(b, m.partition, m.ended)
		case m.mark.Mark != "":
			marks.add(b, m.partition, m.mark)
		case m.first != nil:
			m.then(ctx, after)
		default:
			m.then(ctx, b)
		}
	}
	ends.each(func(some []script.NotifyDoneEnded) {
		b.Run(ctx, script.NotifyDone{Now: c.s.Now(), Ended: some})
	})
	marks.each(func(some []script.DirtyCleanMarked) { rest.Run(ctx, script.DirtyClean{Marked: some}) })
	err := b.Exec(ctx)
	if err == nil && after.Len() > 0 {
		err = after.Exec(ctx)
	}
	if err != nil {
		c.s.LogFailure(ctx, c.s.log, "dirty marks are left to the sweeper", "error", err)
		return
	}
	for _, m := range all {
		if m.wrote != nil {
			m.wrote()
		}
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
