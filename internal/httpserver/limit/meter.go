package limit

import (
	"context"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth"
)

// errTooLarge returns the error of a response that exceeds the limit.
func (l Limits) errTooLarge() *gqlerror.Error {
	err := Exceeded(
		"ANSWER_TOO_LARGE",
		"The answer has too many bytes; ask for smaller pages or fewer texts",
		l.Answer,
		l.Answer+1,
	)
	err.Extensions["unit"] = "bytes"
	return err
}

// errNoMemory returns the error of a response for which there is no room, for its address or in total.
func errNoMemory() *gqlerror.Error {
	return &gqlerror.Error{
		Message:    "Too many large responses are in progress. Read those you asked for, and try again.",
		Extensions: map[string]any{"code": "UNAVAILABLE"},
	}
}

// check refuses a response that exceeds a limit. The texts that it holds may be twice as large as the answer: as they
// were read, and as they are shown.
func (l Limits) check(u breadth.Usage) error {
	if u.Written > l.Answer || u.Held > 2*l.Answer {
		return l.errTooLarge()
	}
	return nil
}

// tooMuchWork returns the error of what is left out of a response.
func (l Limits) tooMuchWork(work int) error {
	err := Exceeded("COST_LIMIT_EXCEEDED", "The answer has no room for this; ask for less at a time", l.Work, work)
	err.Extensions["unit"] = "work"
	return err
}

// Meter returns the meter of a response whose bytes h counts. It waits for room until ctx is done.
func (l Limits) Meter(ctx context.Context, h *Holding) *breadth.Meter {
	return breadth.NewMeter(func(u breadth.Usage) (int, error) {
		if err := l.check(u); err != nil {
			return 0, err
		}
		if u.Memory() <= SmallAnswer {
			return min(SmallAnswer, l.within(u)), nil
		}
		granted := (u.Memory() + ledgerStep - 1) / ledgerStep * ledgerStep
		if !h.Await(ctx, granted) {
			return 0, errNoMemory()
		}
		return min(granted, l.within(u)), nil
	}).LimitWork(l.Work, l.tooMuchWork)
}

// within returns how many bytes a response may hold before it could exceed a limit.
func (l Limits) within(u breadth.Usage) int {
	return u.Memory() + min(l.Answer-u.Written, 2*l.Answer-u.Held)
}

// smallEvent is the maximum size of the answer to an event, in bytes, while other large ones are being produced.
// Those of the events that run at a time take 16 MiB together.
const smallEvent = 256 << 10

// EventMeter returns the meter of the answer to an event. An event must not be lost, so a large one calls enter, which
// waits until few enough are being produced; release, which must be called when the answer is complete, then calls leave.
func (l Limits) EventMeter(enter func() error, leave func()) (m *breadth.Meter, release func()) {
	entered := false
	m = breadth.NewMeter(func(u breadth.Usage) (int, error) {
		if err := l.check(u); err != nil {
			return 0, err
		}
		if u.Memory() <= smallEvent {
			return min(smallEvent, l.within(u)), nil
		}
		if !entered {
			if err := enter(); err != nil {
				return 0, err
			}
			entered = true
		}
		return min(u.Memory()+ledgerStep, l.within(u)), nil
	}).LimitWork(l.Work, l.tooMuchWork)
	return m, func() {
		if entered {
			leave()
		}
	}
}
