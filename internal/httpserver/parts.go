package httpserver

import (
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
)

// part is an answer that follows the first one.
type part struct {
	response
	Label string   `json:"label,omitempty"`
	Path  ast.Path `json:"path,omitempty"`
}

// pulled are the responses of an operation with @defer that wait to be written. The limit
// on the answer bounds them.
type pulled struct {
	wake chan struct{} // has room for one

	mu    sync.Mutex
	ready []*graphql.Response
	done  bool
}

func (p *pulled) put(resp *graphql.Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if resp == nil {
		p.done = true
	} else {
		p.ready = append(p.ready, resp)
	}
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// next waits for the next response; nil when there are no more.
func (p *pulled) next() *graphql.Response {
	for {
		p.mu.Lock()
		if len(p.ready) > 0 {
			resp := p.ready[0]
			p.ready = p.ready[1:]
			p.mu.Unlock()
			return resp
		}
		done := p.done
		p.mu.Unlock()
		if done {
			return nil
		}
		<-p.wake
	}
}

// pull runs an operation with @defer to its end, however slowly it is read.
func (t *endpoint) pull(ctx context.Context, op live.Operation, h *limit.Holding, p *pulled) {
	defer p.put(nil)
	taken, why := t.acquire(ctx, op)
	if why != nil {
		p.put(&graphql.Response{Errors: why.errors})
		return
	}
	defer t.budget.Release(taken)
	defer func() {
		if v := recover(); v != nil {
			t.site.Log.ErrorContext(ctx, "operation panicked", "panic", v, "stack", string(debug.Stack()))
			p.put(&graphql.Response{Errors: gqlerror.List{internalError(ctx)}})
		}
	}()
	next, ctx := t.start(ctx, op, h)
	for more := true; more; {
		resp := next(ctx)
		if resp == nil {
			return
		}
		p.put(resp)
		more = resp.HasNext != nil && *resp.HasNext
	}
}

// executeParts runs an operation with @defer and writes its answer in parts, as they come.
func (t *endpoint) executeParts(ctx context.Context, w http.ResponseWriter, r *http.Request, a accepted, op live.Operation, h *limit.Holding) {
	ctx, cancel := context.WithCancel(ctx)
	p := &pulled{wake: make(chan struct{}, 1)}
	var running sync.WaitGroup
	running.Go(func() { t.pull(ctx, op, h, p) }) // ends with ctx at the latest
	defer running.Wait()
	defer cancel()
	first := p.next()
	switch {
	case first == nil:
		writeRefusal(w, r, a, timedOut())
	case first.HasNext != nil && *first.HasNext:
		t.writeParts(w, r, first, p, h)
	default:
		t.write(w, r, a, first, h)
	}
}

// writeParts writes an answer in parts.
// Source: GraphQL over HTTP, RFC IncrementalDelivery, deferSpec 20220824.
func (t *endpoint) writeParts(w http.ResponseWriter, r *http.Request, resp *graphql.Response, p *pulled, held *limit.Holding) {
	h := w.Header()
	h.Set("Content-Type", mediaParts+`; boundary="-"; deferSpec=20220824`)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Add("Vary", "Accept, Authorization")
	out := newSender(w, held)
	defer out.stop()
	for first := true; resp != nil; resp = p.next() {
		answer := answerOf(resp, t.limits.Errors)
		mark(r.Context(), answer.Errors)
		body := encodeResponse(answer)
		if !first {
			more := answer.HasNext
			answer.HasNext = nil
			body = encode(map[string]any{"incremental": []part{{answer, resp.Label, resp.Path}}, "hasNext": more != nil && *more})
		}
		end := "\r\n---"
		if resp.HasNext == nil || !*resp.HasNext {
			end = "\r\n-----\r\n"
		}
		lead := ""
		if first {
			lead = "\r\n---"
		}
		if _, err := fmt.Fprintf(out, "%s\r\nContent-Type: application/json; charset=utf-8\r\n\r\n%s%s", lead, body, end); err != nil {
			return // nobody reads on
		}
		// A writer that cannot flush sends all at the end.
		_ = out.out.Flush()
		if first = false; end != "\r\n---" {
			return
		}
	}
}
