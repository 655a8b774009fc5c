package httpserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/httpserver/limit"
	"agora/internal/ratelimit"
)

// A unit of the rate `cost` is a microsecond of one core, or less: see dearest in its test.
const (
	// requestCost is what a request costs in addition to what follows.
	requestCost = 150
	// bodyBytes is how many bytes of a request cost a unit.
	bodyBytes = 25
	// workUnits is how many units of work cost a unit.
	workUnits = 50
)

// receive charges a request of so many bytes, or refuses it.
func (t *endpoint) receive(caller auth.Caller, bytes int) *refusal {
	_, why := t.pay(caller, requestCost+bytes/bodyBytes)
	return why
}

// pay charges what is about to be done, and returns what is left. It refuses it if too little is left.
func (t *endpoint) pay(caller auth.Caller, units int) (ratelimit.Left, *refusal) {
	left, err := t.site.Resolver.Rates.TakeN(ratelimit.Cost, units, caller)
	switch {
	case errors.Is(err, ratelimit.ErrNever):
		e := limit.Exceeded("COST_LIMIT_EXCEEDED", "The operation costs more than a caller has for a minute", left.Limit, units)
		e.Extensions["unit"] = "cost"
		return left, &refusal{errors: gqlerror.List{e}}
	case err != nil:
		e := tooOften(err)
		e.Message = "The requests of the last minute cost too much. Wait a moment."
		e.Extensions["unit"] = "cost"
		why := &refusal{status: http.StatusTooManyRequests, errors: gqlerror.List{e}}
		return left, why.with("Retry-After", fmt.Sprint(e.Extensions["retryAfterSeconds"]))
	}
	return left, nil
}

// costOfOperation is what executing an operation of a document costs, besides the work on texts: a unit for each row and
// value, and for each byte of the document, because a field costs more than its values.
func costOfOperation(c limit.Cost, text string) int { return c.Rows + c.Values + len(text) }

// bill charges the work of one response to the caller of ctx.
type bill struct {
	t   *endpoint
	ctx context.Context
	due atomic.Int64 // units of work that were not charged yet
}

// billStep is how much work is charged at a time.
const billStep = 1000 * workUnits

// add adds work, which is about to be done.
func (b *bill) add(work int) {
	if b.due.Add(int64(work)) >= billStep {
		b.settle()
	}
}

// Owe implements pipeline.Debtor.
func (b *bill) Owe(microseconds int) { b.add(microseconds * workUnits) }

// settle charges what is due. The response goes on, whatever its caller owes.
func (b *bill) settle() {
	if due := b.due.Swap(0); due > 0 {
		b.t.Owe(auth.CallerFrom(b.ctx), 0, int(due))
	}
}

// Owe implements live.Host.
func (t *endpoint) Owe(caller auth.Caller, cost, work int) {
	t.site.Resolver.Rates.Owe(ratelimit.Cost, cost+(work+workUnits-1)/workUnits, caller)
}

// after settles the bill after each response of next.
func (b *bill) after(next graphql.ResponseHandler) graphql.ResponseHandler {
	return func(ctx context.Context) *graphql.Response {
		defer b.settle()
		return next(ctx)
	}
}
