package httpserver

import (
	"context"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/breadth"
)

// errTooLarge ends a response that would be larger than the limit.
func (l Limits) errTooLarge() *gqlerror.Error {
	err := exceeded("ANSWER_TOO_LARGE", "The answer has too many bytes; ask for smaller pages or fewer texts", l.Answer, l.Answer+1)
	err.Extensions["unit"] = "bytes"
	return err
}

// errNoRoom ends a response for which there is no room among those of its address, or of
// all.
func errNoRoom() *gqlerror.Error {
	return &gqlerror.Error{
		Message:    "Too many large answers are under way; read those that you asked for, and try again.",
		Extensions: map[string]any{"code": "UNAVAILABLE"},
	}
}

// meter returns the meter of a response whose bytes h counts. The texts that it holds
// meanwhile may be as large as the answer.
func (l Limits) meter(h *holding) *breadth.Meter {
	return breadth.NewMeter(func(written, held int) (int, error) {
		if written > l.Answer || held > l.Answer {
			return 0, l.errTooLarge()
		}
		all := written + held
		if all <= smallAnswer {
			return min(smallAnswer, l.Answer), nil
		}
		granted := (all + ledgerStep - 1) / ledgerStep * ledgerStep
		if !h.resize(granted) {
			return 0, errNoRoom()
		}
		return l.within(granted, written, held), nil
	})
}

// within cuts what is granted to what the limit leaves, so that the meter asks again
// before it is exceeded.
func (l Limits) within(granted, written, held int) int {
	return min(granted, written+held+l.Answer-max(written, held))
}

// smallEvent is how large the answer to an event may be, in bytes, while other large ones
// are being made. Those of live.executions come to 16 MiB.
const smallEvent = 256 << 10

// eventMeter returns the meter of the answer to an event. An event must not be lost, so
// it waits for its turn among the large ones. release is to be called when the answer
// has been made.
func (t *endpoint) eventMeter(ctx context.Context) (m *breadth.Meter, release func()) {
	turn := false
	l := t.limits
	m = breadth.NewMeter(func(written, held int) (int, error) {
		all := written + held
		switch {
		case written > l.Answer || held > l.Answer:
			return 0, l.errTooLarge()
		case all <= smallEvent:
			return l.within(smallEvent, written, held), nil
		case !turn:
			select {
			case t.live.large <- struct{}{}:
				turn = true
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		return l.within(all+ledgerStep, written, held), nil
	})
	return m, func() {
		if turn {
			<-t.live.large
		}
	}
}
