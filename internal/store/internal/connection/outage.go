package connection

import (
	"context"
	"sync"
	"time"
)

// Outage is what callers share while Redis is away: one of them asks whether it is back.
type Outage struct {
	// Ping returns an error while Redis is away.
	Ping func(context.Context) error

	mu      sync.Mutex
	waiting int
	back    chan struct{} // closed when Redis answers; nil if nobody waits
	stop    context.CancelFunc
}

const (
	// firstAsk is after how long Redis is asked whether it is back; the time doubles up
	// to lastAsk.
	firstAsk = 100 * time.Millisecond
	lastAsk  = time.Second
	// askTime is how long it may take to answer.
	askTime = time.Second
)

// Await waits until Redis answers, at least 100 ms, and returns nil, or ctx's error. It is
// for what is tried again after a failure: all who wait share one PING.
func (o *Outage) Await(ctx context.Context) error {
	o.mu.Lock()
	if o.back == nil {
		asking, stop := context.WithCancel(context.Background())
		o.back, o.stop = make(chan struct{}), stop
		go o.ask(asking, o.back) // ends when Redis answers, or nobody waits
	}
	o.waiting++
	back := o.back
	o.mu.Unlock()
	select {
	case <-back:
		return nil
	case <-ctx.Done():
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.back == back {
		if o.waiting--; o.waiting == 0 {
			o.stop()
			o.back = nil
		}
	}
	return ctx.Err()
}

// ask asks Redis until it answers, and closes back then.
func (o *Outage) ask(ctx context.Context, back chan struct{}) {
	for pause := firstAsk; ; pause = min(2*pause, lastAsk) {
		again := time.NewTimer(pause)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return
		}
		limited, cancel := context.WithTimeout(ctx, askTime)
		err := o.Ping(limited)
		cancel()
		if err == nil {
			break
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.back == back {
		o.stop()
		o.back, o.waiting = nil, 0
		close(back)
	}
}

// LogLimit lets a few lines a second through. The zero value is ready; it is safe for
// concurrent use.
type LogLimit struct {
	mu     sync.Mutex
	second int64
	lines  int
	hidden int
}

// LinesPerSecond is how many lines a LogLimit lets through.
const LinesPerSecond = 4

// Take reports whether a line may be written now, and how many were not since the last.
func (l *LogLimit) Take(now time.Time) (hidden int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if second := now.Unix(); second != l.second {
		l.second, l.lines = second, 0
	}
	if l.lines == LinesPerSecond {
		l.hidden++
		return 0, false
	}
	l.lines++
	hidden, l.hidden = l.hidden, 0
	return hidden, true
}
