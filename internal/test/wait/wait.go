// Package wait waits for what nothing announces, by asking every few milliseconds, and for what runs beside a test.
package wait

import (
	"context"
	"errors"
	"testing"
	"time"
)

const (
	every    = 2 * time.Millisecond
	patience = time.Minute
)

// For returns once done returns true or the time is over, and reports which.
func For(within time.Duration, done func() bool) bool {
	tick, end := time.NewTicker(every), time.After(within)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-end:
			return false
		}
	}
	return true
}

// Until returns once done returns true. It ends the test if that takes too long.
func Until(t testing.TB, what string, done func() bool) {
	t.Helper()
	if !For(patience, done) {
		t.Fatalf("timed out waiting until %s", what)
	}
}

// Succeed returns how long it took until do succeeded. It ends the test if that takes too long.
func Succeed(t testing.TB, what string, do func() error) time.Duration {
	t.Helper()
	began, err := time.Now(), errors.New("not done")
	For(patience, func() bool {
		err = do()
		return err == nil
	})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	return time.Since(began)
}

// Pause returns after some time, or when ctx is done.
func Pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Beside runs a function until stop is called, or else until the end of the test, and waits for it to return.
func Beside(t testing.TB, run func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { // ends with ctx
		defer close(ended)
		run(ctx)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(stop)
	return stop
}
