package httpserver

import (
	"context"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/breadth"
	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/httpserver/live"
	"agora/internal/ratelimit"
)

// CostHeader is the request header that requests extensions.cost: with the value 1 in the answer, with the value dry
// instead of it.
const CostHeader = "Agora-Cost"

const (
	costShown = "1"
	costDry   = "dry"
)

// isDry reports whether a request only asks what an operation would cost. It reads nothing, not even the session.
func isDry(r *http.Request) bool { return r.Header.Get(CostHeader) == costDry }

// checkCostHeader refuses a request whose CostHeader has an unknown value.
func checkCostHeader(h http.Header) *refusal {
	switch values := h[CostHeader]; {
	case len(values) == 0, len(values) == 1 && (values[0] == costShown || values[0] == costDry):
		return nil
	}
	return badRequest("The header %s must be 1 or dry.", CostHeader)
}

// costReport is extensions.cost.
type costReport struct {
	Rows   int `json:"rows"`
	Values int `json:"values"`
	// Cost is what is charged for it, with the work.
	Cost int `json:"cost"`
	// Bytes are those of the data, without compression, and Work is what its texts cost; nil if nothing was executed.
	Bytes  *int       `json:"bytes,omitempty"`
	Work   *int       `json:"work,omitempty"`
	Limits costLimits `json:"limits"`
	// Remaining is what the caller has left for a minute, and ResetAt when that is all of it again. Without a limit, and
	// with the events of subscriptions, both are missing.
	Remaining *int   `json:"remaining,omitempty"`
	ResetAt   string `json:"resetAt,omitempty"`
}

// costLimits are the limits that correspond to the numbers of a costReport.
type costLimits struct {
	Rows   int `json:"rows"`
	Values int `json:"values"`
	Bytes  int `json:"bytes"`
	Work   int `json:"work"`
	// PerMinute is what the requests of one caller may cost in a minute; 0 if there is no limit.
	PerMinute int `json:"perMinute,omitempty"`
}

// reportCost puts the cost of an operation where addTrace finds it, if the request asks for it. left is what the
// caller has left.
func (t *endpoint) reportCost(op live.Operation, left ratelimit.Left) {
	h := op.Context.Headers
	switch {
	case h.Get(CostHeader) != "":
		report := costReport{
			Rows: op.Rows, Values: op.Values, Cost: op.Cost,
			Limits: costLimits{t.limits.Rows, t.limits.Values, t.limits.Answer, t.limits.Work, left.Limit},
		}
		if left.Limit > 0 && (op.Kind != ast.Subscription || h.Get(CostHeader) == costDry) {
			report.Remaining, report.ResetAt = &left.Calls, left.Full.UTC().Format(model.DateTimeLayout)
		}
		op.Context.Stats.SetExtension(costExtension, report)
	case h.Get(TraceHeader) == "1":
		op.Context.Stats.SetExtension(costExtension, map[string]int{"values": op.Values})
	}
}

// charge counts the cost of an operation against what the caller has for a minute, unless the request is dry, and
// reports it. It refuses the operation if too little is left.
func (t *endpoint) charge(op live.Operation, caller auth.Caller) (ratelimit.Left, *refusal) {
	n := op.Cost
	if op.Context.Headers.Get(CostHeader) == costDry {
		n = 0
	}
	left, why := t.pay(caller, n)
	if why == nil {
		t.reportCost(op, left)
	}
	return left, why
}

// price counts the cost of an operation as charge does, and adds what is left to the header of the answer.
func (t *endpoint) price(w http.ResponseWriter, r *http.Request, op live.Operation) *refusal {
	left, why := t.charge(op, auth.CallerFrom(r.Context()))
	addAllowance(w.Header(), ratelimit.Cost, left)
	return why
}

// costOf returns extensions.cost of one response of an operation, or nil. If the answer comes in parts, its first one
// has the cost.
func costOf(ctx context.Context, resp *graphql.Response) any {
	cost := graphql.GetOperationContext(ctx).Stats.GetExtension(costExtension)
	report, ok := cost.(costReport)
	if !ok {
		return cost
	}
	if resp.Data == nil {
		return nil
	}
	n := len(resp.Data)
	used, _ := breadth.MeterFrom(ctx).Used()
	report.Bytes, report.Work, report.Cost = &n, &used.Work, report.Cost+used.Work/workUnits
	return report
}

// variantOf returns the headers on which the answers of an operation depend.
func variantOf(h http.Header) string {
	if cost := h.Get(CostHeader); cost != "" {
		return h.Get(TraceHeader) + ", " + cost
	}
	return h.Get(TraceHeader)
}

// answerDry answers with the cost of an operation, and executes nothing.
func (t *endpoint) answerDry(w http.ResponseWriter, r *http.Request, a accepted, op live.Operation) {
	answer := response{
		Data:       []byte("null"),
		Extensions: map[string]any{"cost": op.Context.Stats.GetExtension(costExtension)},
	}
	if a.media == "" {
		t.live.ServeResult(w, encodeResponse(answer))
		return
	}
	sendAnswer(w, r, a.media, http.StatusOK, answer, nil)
}

// subscribable reports whether an operation can be executed with what the client accepts.
func subscribable(kind ast.Operation, r *http.Request, a accepted) bool {
	return kind != ast.Subscription || a.stream || isDry(r)
}
