package privateredis

import (
	"context"
	"fmt"
	"time"
)

const (
	// maxStarts is how many starts in a row may fail before the server gives up, after about three
	// seconds.
	maxStarts = 10
	// firstWait is the pause before the second start in a row. It doubles up to maxWait.
	firstWait = 25 * time.Millisecond
	maxWait   = 500 * time.Millisecond
	// steady is how long a child must run for the count of starts to reset.
	steady = 2 * time.Second
)

// backoff computes the wait before the next start. The first start is immediate.
type backoff struct{ starts int }

func (b *backoff) next() time.Duration {
	wait := time.Duration(0)
	if b.starts > 0 {
		wait = min(firstWait<<min(b.starts-1, 10), maxWait)
	}
	b.starts++
	return wait
}

// keep restarts the child whenever it dies, until ctx ends or it cannot be started.
func (s *Server) keep(ctx context.Context, c *child) {
	var b backoff
	tick := time.NewTicker(roomEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			c.stop(s.grace)
			return
		case <-tick.C:
			if s.full {
				s.accept(ctx)
			}
			continue
		case <-c.exited:
		}
		killGroup(c.pid) // it may have forked a rewrite of the data
		if time.Since(c.ready) >= steady {
			b = backoff{}
		}
		s.log.Warn(s.program.kind+"-server died, restarting it", "pid", c.pid, "ended", c.end())
		if s.full = c.couldNotWrite(); s.full {
			s.log.Error("the disk is full: writes are refused until it has space", "directory", s.dir.path)
		}
		next, err := s.revive(ctx, &b)
		if err != nil {
			if ctx.Err() == nil {
				s.failed <- fmt.Errorf("giving up on %s: %w", s, err)
			}
			return
		}
		c = next
	}
}

// revive starts a child, trying up to maxStarts times.
func (s *Server) revive(ctx context.Context, b *backoff) (*child, error) {
	for tries := 1; ; tries++ {
		select {
		case <-time.After(b.next()):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		c, err := s.relaunch(ctx)
		if err == nil {
			return c, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if tries == maxStarts {
			return nil, fmt.Errorf("%d starts in a row failed: %w", tries, err)
		}
		s.log.Warn(s.program.kind+"-server did not start", "error", err)
	}
}

// relaunch looks up the program again, because it may have been upgraded.
func (s *Server) relaunch(ctx context.Context) (*child, error) {
	p, err := findProgram(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.dir.mark.readableBy(p); err != nil {
		return nil, err
	}
	return s.launch(ctx, p)
}
