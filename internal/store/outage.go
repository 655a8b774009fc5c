package store

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// outage is what callers share while Redis is away: one of them asks whether it is back,
// and few of them write to the log.
type outage struct {
	mu      sync.Mutex
	waiting int
	back    chan struct{} // closed when Redis answers; nil if nobody waits
	stop    context.CancelFunc
	lines   LogLimit
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
func (s *Store) Await(ctx context.Context) error {
	o := s.outage
	o.mu.Lock()
	if o.back == nil {
		asking, stop := context.WithCancel(context.Background())
		o.back, o.stop = make(chan struct{}), stop
		go s.ask(asking, o.back) // ends when Redis answers, or nobody waits
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
func (s *Store) ask(ctx context.Context, back chan struct{}) {
	for pause := firstAsk; ; pause = min(2*pause, lastAsk) {
		again := time.NewTimer(pause)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return
		}
		limited, cancel := context.WithTimeout(ctx, askTime)
		err := s.Ping(limited)
		cancel()
		if err == nil {
			break
		}
	}
	o := s.outage
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.back == back {
		o.stop()
		o.back, o.waiting = nil, 0
		close(back)
	}
}

// LogFailure logs what failed because of Redis, a few lines a second in all: an outage
// fails whatever is under way. log is where to.
func (s *Store) LogFailure(ctx context.Context, log *slog.Logger, message string, args ...any) {
	if hidden, ok := s.outage.lines.Take(s.now()); ok {
		if hidden > 0 {
			args = append(args, "like_it_before", hidden)
		}
		log.WarnContext(ctx, message, args...)
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

// linesPerSecond is how many lines a LogLimit lets through.
const linesPerSecond = 4

// Take reports whether a line may be written now, and how many were not since the last.
func (l *LogLimit) Take(now time.Time) (hidden int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if second := now.Unix(); second != l.second {
		l.second, l.lines = second, 0
	}
	if l.lines == linesPerSecond {
		l.hidden++
		return 0, false
	}
	l.lines++
	hidden, l.hidden = l.hidden, 0
	return hidden, true
}
