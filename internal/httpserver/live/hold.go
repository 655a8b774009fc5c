package live

import (
	"context"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// failure is how the server failed to execute an event.
type failure int

const (
	worked failure = iota
	// unavailable: what the event needs cannot be read at the moment.
	unavailable
	// broken: there is a fault that may not go away.
	broken
)

// failureIn returns the failure that errors show.
func failureIn(errs gqlerror.List) failure {
	found := worked
	for _, err := range errs {
		switch err.Extensions["code"] {
		case "INTERNAL_SERVER_ERROR":
			return broken
		case "UNAVAILABLE":
			found = unavailable
		}
	}
	return found
}

// eventTries is how many times an event is retried at least.
const eventTries = 3

// hold is how long an event is held back so far.
type hold struct {
	f     *sharedSubscription
	began time.Time
	tries int
}

// over reports, after another failure, whether the event is given up. If one was given up because Redis failed for
// so long, others are not held back for as long a time: some masters may be gone for good.
func (h *hold) over(failed failure) bool {
	if h.tries++; h.tries == 1 {
		h.began = time.Now()
	}
	if h.tries <= eventTries {
		return false
	}
	most := h.f.live.Times.Hold
	if failed == broken || time.Since(h.f.gaveUp) < most {
		return true
	}
	if time.Since(h.began) < most {
		return false
	}
	h.f.gaveUp = time.Now()
	return true
}

// longestPause is the longest pause between two attempts to read an event.
const longestPause = time.Second

// pause waits longer after each attempt, and not at all before the first ones. It returns false if ctx is done, or
// nobody waits for the event.
func (h *hold) pause(ctx context.Context) bool {
	if h.tries <= eventTries {
		return true
	}
	t := time.NewTimer(min(time.Duration(h.tries)*20*time.Millisecond, longestPause))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
	case <-h.f.ctx.Done():
	}
	return false
}
