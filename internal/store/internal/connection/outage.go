package connection

import (
	"context"
	"sync"
	"time"
)

// Outage is shared by callers that wait while Redis is away: one of them checks whether it is back.
type Outage struct {
	// Ping returns an error while Redis is away.
	Ping func(context.Context) error

	mu      sync.Mutex
	waiting int
	back    chan struct{} // closed when Redis answers; nil if no caller waits
	stop    context.CancelFunc
}

const (
	// firstAsk is the time until the first check; it doubles up to lastAsk.
	firstAsk = 100 * time.Millisecond
	lastAsk  = time.Second
	// askTime is how long an answer may take.
	askTime = time.Second
)

// Await waits until Redis answers, at least 100 ms, and returns nil, or ctx's error. It is for retries
// after a failure: all waiters share one PING.
func (o *Outage) Await(ctx context.Context) error {
	o.mu.Lock()
	if o.back == nil {
		asking, stop := context.WithCancel(context.Background())
		o.back, o.stop = make(chan struct{}), stop
		go o.ask(asking, o.back) // ends when Redis answers, or no caller waits
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

// ask pings Redis until it answers, and then closes back.
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

// LogLimit limits the lines of a log per second. The zero value is ready for use; it is safe for concurrent
// use.
type LogLimit struct {
	mu     sync.Mutex
	second int64
	lines  int
	hidden int
}

// LinesPerSecond is the maximum number of lines per second that a LogLimit lets through.
const LinesPerSecond = 4

// Take reports whether a line may be written now, and how many were suppressed since the last.
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
