package loader

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"agora/internal/breadth"
	"agora/internal/store"
)

// dispatcher sends what the loaders of a response were asked for: all kinds
// together, in one pipeline. Our own executor says when (Dispatch); elsewhere a
// goroutine does when nobody has asked for a moment.
type dispatcher struct {
	ctx   context.Context
	store *store.Store
	asked atomic.Int64 // keys asked so far, of all loaders
	// rows put the reads of handles into a pipeline, and return what takes their
	// answers, nil if there are none.
	rows []func(*store.Read, *texts) func()

	mu      sync.Mutex
	cond    *sync.Cond
	running bool
	wave    *wave
	next    *batch // keys asked now go out with it
	loaders []*queue
}

// batch tells whether the keys that went out together have come.
type batch struct{ come atomic.Bool }

// wave is one pipeline.
type wave struct {
	read  *store.Read
	texts texts
	sent  chan struct{}
}

// queue tells how many keys of one loader have been asked, and how many have
// come to a pipeline.
type queue struct {
	flush  func()
	asked  int64
	queued int64
}

func newDispatcher(ctx context.Context, s *store.Store) *dispatcher {
	d := &dispatcher{ctx: ctx, store: s, next: &batch{}}
	d.cond = sync.NewCond(&d.mu)
	return d
}

// note counts a request. Outside of our own executor it
// starts the goroutine that sends; it ends when nothing is left to send.
func (d *dispatcher) note(ctx context.Context, q *queue) *batch {
	d.asked.Add(1)
	own := breadth.Running(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	q.asked++
	if !own && !d.running {
		d.running = true
		go d.run()
	}
	return d.next
}

func (d *dispatcher) run() {
	for {
		d.settle()
		d.mu.Lock()
		if len(d.due()) == 0 {
			d.running = false
			d.mu.Unlock()
			return
		}
		d.mu.Unlock()
		d.Dispatch()
	}
}

// add makes a loader known.
func (d *dispatcher) add(q *queue) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.loaders = append(d.loaders, q)
}

// due are the loaders that were asked for something. The caller holds the lock.
func (d *dispatcher) due() []*queue {
	var due []*queue
	for _, q := range d.loaders {
		if q.asked > q.queued {
			due = append(due, q)
		}
	}
	return due
}

// Dispatch sends all that was asked for in one pipeline, and returns when it has
// come or failed. It implements breadth.Loads.
func (d *dispatcher) Dispatch() {
	w := &wave{read: d.store.Read(d.ctx), sent: make(chan struct{})}
	var take []func()
	for _, queue := range d.rows { // of our own executor, which runs nothing else meanwhile
		if f := queue(w.read, &w.texts); f != nil {
			take = append(take, f)
		}
	}
	d.mu.Lock()
	due := d.due()
	d.wave = w
	sent := d.next
	d.next = &batch{}
	asked := make([]int64, len(due)) // more may be asked meanwhile: for the next pipeline
	for i, q := range due {
		asked[i] = q.asked
	}
	d.mu.Unlock()
	for _, q := range due {
		q.flush()
	}
	d.mu.Lock()
	for i, q := range due {
		for q.queued < asked[i] {
			d.cond.Wait()
		}
	}
	d.wave = nil
	d.mu.Unlock()
	run := func() {
		w.read.Exec() // each result has the error
		for _, f := range take {
			f()
		}
	}
	if err := w.texts.during(d.ctx, d.store, run); err != nil && w.read.Refuse(err) {
		for _, f := range take {
			f()
		}
	}
	sent.come.Store(true)
	close(w.sent)
}

// Outside of our own executor nobody tells when all have asked: what must do is so
// many turns for all other goroutines, and so long, without a new key.
const (
	quietYields = 64
	quietTime   = 100 * time.Microsecond
)

// settle returns when nobody has asked for a moment.
func (d *dispatcher) settle() {
	asked, yields, since := d.asked.Load(), 0, time.Now()
	for yields < quietYields || time.Since(since) < quietTime {
		runtime.Gosched()
		if now := d.asked.Load(); now != asked {
			asked, yields, since = now, 0, time.Now()
			continue
		}
		yields++
	}
}
