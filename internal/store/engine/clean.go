package engine

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

// Cleaner does what may follow some time after a mutation, much of it in one round trip: it removes dirty marks and ends
// tasks. What it cannot do is left to the sweeper and to workers.
type Cleaner struct {
	s      *Engine
	queued chan Cleanup
	now    chan chan struct{}
	done   sync.WaitGroup
	mu     sync.RWMutex // guards closed; held for reading while sending
	closed bool
}

// Cleanup is what may follow some time after a mutation.
type Cleanup struct {
	// First queues what must be written before the rest; nil for nothing.
	First func(context.Context, *pipeline.Batch)
	// One of these follows.
	Mark  script.DirtyCleanMarked // a dirty mark to remove
	Ended script.NotifyDoneEnded  // a notification task to end
	Then  func(context.Context, *pipeline.Batch)
	// Partition is that of the mark or the notification task.
	Partition forum.Partition
}

const (
	cleanEvery = 20 * time.Millisecond
	cleanBatch = 512
	cleanRows  = 32 // in one call of a script
)

// NewCleaner starts the goroutine that does cleanups; Close stops it and waits for it.
func NewCleaner(s *Engine) *Cleaner {
	c := &Cleaner{s: s, queued: make(chan Cleanup, 4*cleanBatch), now: make(chan chan struct{})}
	c.done.Add(1)
	go c.loop()
	return c
}

// Marked returns the removal of the dirty mark of an object that is indexed at revision rev.
func Marked(p forum.Partition, mark, of string, rev int64) Cleanup {
	return Cleanup{Partition: p, Mark: script.DirtyCleanMarked{
		Dirty: key.Dirty(p), Entity: catalogue.KeyOf(of, "rev"), Mark: mark, Rev: rev}}
}

// Clean removes the dirty mark of an object that is indexed at revision rev.
func (s *Engine) Clean(p forum.Partition, mark, of string, rev int64) {
	s.Later(Marked(p, mark, of, rev))
}

// Finish ends a task that is done. If that is lost, a worker runs the task again.
func (s *Engine) Finish(t Task) {
	s.Later(Cleanup{Then: func(ctx context.Context, b *pipeline.Batch) { b.Run(ctx, t.Ended()) }})
}

// Later queues a cleanup. It waits only if WaitForClean is set; otherwise, if the queue is full, the cleanup is
// dropped.
func (s *Engine) Later(m Cleanup) {
	c := s.Cleaner
	c.mu.RLock()
	defer c.mu.RUnlock()
	if c.closed {
		return
	}
	if s.WaitForClean {
		c.queued <- m
		return
	}
	select {
	case c.queued <- m:
	default:
	}
}

// Flush does all cleanups that were queued and returns when they are done.
func (c *Cleaner) Flush() {
	written := make(chan struct{})
	c.now <- written
	<-written
}

// Close does the cleanups that are queued, and ends the goroutine.
func (c *Cleaner) Close() {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.queued)
	}
	c.mu.Unlock()
	c.done.Wait()
}

func (c *Cleaner) loop() {
	defer c.done.Done()
	var held []Cleanup
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

func (c *Cleaner) write(all []Cleanup) {
	if len(all) == 0 {
		return
	}
	marks, ends := callRows[script.DirtyCleanMarked]{}, callRows[script.NotifyDoneEnded]{}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	b, after := c.s.Client.Batch(), c.s.Client.Batch()
	rest := b
	for _, m := range all {
		if m.First != nil {
			m.First(ctx, b)
			rest = after
		}
		switch {
		case m.Ended.Task != "":
			ends.add(b, m.Partition, m.Ended)
		case m.Mark.Mark != "":
			marks.add(b, m.Partition, m.Mark)
		case m.First != nil:
			m.Then(ctx, after)
		default:
			m.Then(ctx, b)
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
		c.s.LogFailure(ctx, c.s.Log, "dirty marks are left to the sweeper", "error", err)
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
