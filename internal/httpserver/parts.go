package httpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth"
	"agora/internal/auth"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
)

// pulled are the payloads of an operation with @defer or @stream that wait to be written. The limit on the answer
// bounds them.
type pulled struct {
	wake chan struct{} // capacity 1

	mu    sync.Mutex
	ready []payload
	done  bool
}

// payload is one part of an answer as it is sent, or a complete answer: a response or a refusal.
type payload struct {
	body []byte
	more bool // another one follows
	resp *graphql.Response
	why  *refusal
}

func (p *pulled) put(some ...payload) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ready = append(p.ready, some...)
	p.done = len(some) == 0
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// next waits for the next payload; false at the end.
func (p *pulled) next() (payload, bool) {
	for {
		p.mu.Lock()
		if len(p.ready) > 0 {
			first := p.ready[0]
			p.ready = p.ready[1:]
			p.mu.Unlock()
			return first, true
		}
		done := p.done
		p.mu.Unlock()
		if done {
			return payload{}, false
		}
		<-p.wake
	}
}

// pull runs an operation that is answered in parts to its end, however slowly the client reads them.
func (t *endpoint) pull(ctx context.Context, op live.Operation, h *limit.Holding, p *pulled) {
	defer p.put()
	e := &partEncoder{ctx: ctx, legacy: op.Legacy, maxErrors: t.limits.Errors}
	release, why := t.acquire(ctx, op)
	if why != nil {
		p.put(payload{why: why})
		return
	}
	defer release()
	defer func() {
		if v := recover(); v != nil {
			t.site.Log.ErrorContext(ctx, "operation panicked", "panic", v, "stack", string(debug.Stack()))
			p.put(e.fail(&graphql.Response{Errors: gqlerror.List{internalError(ctx)}}))
		}
	}()
	var inc breadth.Incremental
	next, ctx := t.start(breadth.WithIncremental(ctx, &inc), op, h)
	for more := true; more; more = inc.More {
		resp := next(ctx)
		switch {
		case resp == nil && !e.begun:
			p.put(payload{why: timedOut()})
			return
		case resp == nil:
			p.put(e.fail(&graphql.Response{Errors: timedOut().errors}))
			return
		case breadth.MeterFrom(ctx).Err() != nil, !e.begun && !inc.More:
			p.put(e.fail(resp))
			return
		case !e.begun:
			p.put(payload{body: e.first(resp, inc.Pending), more: true})
			breadth.Release(resp.Data)
		default:
			p.put(payload{body: e.next(resp, inc), more: inc.More})
		}
	}
}

// partEncoder encodes the payloads of one answer, in one of two formats: that of the present draft of incremental
// delivery, or, if legacy, that of 2022-08-24. Sources: GraphQL specification, pull request 1110; GraphQL over HTTP,
// RFC IncrementalDelivery, deferSpec 20220824.
type partEncoder struct {
	ctx       context.Context
	legacy    bool
	maxErrors int
	begun     bool
	announced []breadth.Pending // but not sent
}

// pendingPart announces a part.
type pendingPart struct {
	ID    string `json:"id"`
	Path  any    `json:"path"`
	Label string `json:"label,omitempty"`
}

// completedPart reports that a part was sent, or, with errors, that it will not be.
type completedPart struct {
	ID     string        `json:"id"`
	Errors gqlerror.List `json:"errors,omitempty"`
}

// sentPart is the data of a part. The first three fields belong to the draft's format, the others to the legacy one.
type sentPart struct {
	ID     string          `json:"id,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
	Items  json.RawMessage `json:"items,omitempty"`
	Path   any             `json:"path,omitempty"`
	Label  string          `json:"label,omitempty"`
	Errors gqlerror.List   `json:"errors,omitempty"`
}

// laterPayload is any payload but the first.
type laterPayload struct {
	Pending     []pendingPart   `json:"pending,omitempty"`
	Incremental []sentPart      `json:"incremental,omitempty"`
	Completed   []completedPart `json:"completed,omitempty"`
	Extensions  map[string]any  `json:"extensions,omitempty"`
	HasNext     bool            `json:"hasNext"`
}

// announce records the parts that follow, and returns their announcement in the draft's format.
func (e *partEncoder) announce(parts []breadth.Pending) []pendingPart {
	e.announced = parts
	if e.legacy {
		return nil
	}
	all := make([]pendingPart, len(parts))
	for i, p := range parts {
		all[i] = pendingPart{strconv.Itoa(p.ID), pathOrRoot(p), p.Label}
	}
	return all
}

// pathOrRoot returns the path of a part. At the root it is an empty list, not null.
func pathOrRoot(p breadth.Pending) any {
	if len(p.Path) == 0 {
		return []string{}
	}
	return p.Path
}

// errors returns the errors of a payload as they are shown.
func (e *partEncoder) errors(list gqlerror.List) gqlerror.List {
	list = limit.CapErrors(list, e.maxErrors)
	mark(e.ctx, list)
	return list
}

// first encodes the first payload, if others follow.
func (e *partEncoder) first(resp *graphql.Response, follow []breadth.Pending) []byte {
	e.begun = true
	answer, more := answerOf(resp, e.maxErrors), true
	mark(e.ctx, answer.Errors)
	answer.Pending, answer.HasNext = e.announce(follow), &more
	return encodeResponse(answer)
}

// next encodes one of the following payloads.
func (e *partEncoder) next(resp *graphql.Response, inc breadth.Incremental) []byte {
	out := laterPayload{Extensions: resp.Extensions, HasNext: inc.More}
	for _, p := range inc.Parts {
		e.add(&out, p)
	}
	out.Pending = e.announce(inc.Pending)
	return encode(out)
}

// add adds a part to a payload.
func (e *partEncoder) add(out *laterPayload, p breadth.Part) {
	id, errs := strconv.Itoa(p.ID), e.errors(p.Errors)
	if e.legacy {
		sent := sentPart{Path: pathOrRoot(p.Pending), Label: p.Label, Errors: errs}
		null := p.Data
		if null == nil {
			null = []byte("null")
		}
		if p.Stream {
			sent.Items, sent.Path = null, append(append([]any{}, anyPath(p.Pending)...), p.Index)
		} else {
			sent.Data = null
		}
		out.Incremental = append(out.Incremental, sent)
		return
	}
	if p.Data == nil {
		out.Completed = append(out.Completed, completedPart{id, errs})
		return
	}
	sent := sentPart{ID: id, Errors: errs}
	if p.Stream {
		sent.Items = p.Data
	} else {
		sent.Data = p.Data
	}
	out.Incremental = append(out.Incremental, sent)
	out.Completed = append(out.Completed, completedPart{ID: id})
}

func anyPath(p breadth.Pending) []any {
	path := make([]any, len(p.Path))
	for i, step := range p.Path {
		path[i] = step
	}
	return path
}

// fail ends an answer with a response that is its last: before any part it is the answer itself, afterwards it ends
// everything that was announced.
func (e *partEncoder) fail(resp *graphql.Response) payload {
	if !e.begun {
		return payload{resp: resp}
	}
	var out laterPayload
	for _, p := range e.announced {
		e.add(&out, breadth.Part{Pending: p, Errors: resp.Errors})
	}
	return payload{body: encode(out)}
}

// parts begins an operation that is answered in parts. wait returns when it has ended, at the latest when ctx is
// done.
func (t *endpoint) parts(ctx context.Context, op live.Operation, h *limit.Holding) (p *pulled, wait func()) {
	ctx, cancel := context.WithCancel(ctx)
	p = &pulled{wake: make(chan struct{}, 1)}
	var running sync.WaitGroup
	running.Go(func() { t.pull(ctx, op, h, p) })
	return p, func() {
		cancel()
		running.Wait()
	}
}

// executeParts runs an operation and writes its answer as multipart/mixed, each part when it is ready. An answer of
// one part is written like any other.
func (t *endpoint) executeParts(
	ctx context.Context, w http.ResponseWriter, r *http.Request, a accepted, op live.Operation, h *limit.Holding,
) {
	p, wait := t.parts(ctx, op, h)
	defer wait()
	part, ok := p.next()
	switch {
	case part.why != nil:
		writeRefusal(w, r, a, part.why)
		return
	case part.resp != nil:
		t.respond(ctx, w, r, a, op, part.resp, h)
		return
	}
	head := w.Header()
	head.Set("Content-Type", mediaParts+`; boundary="-"`)
	if op.Legacy {
		head.Set("Content-Type", mediaParts+`; boundary="-"; deferSpec=20220824`)
	}
	head["Cache-Control"], head["X-Content-Type-Options"] = noStore, noSniff
	head.Add("Vary", "Accept, Authorization, Cookie")
	out := newSender(w, h)
	defer out.stop()
	separator := "\r\n---"
	for ; ok; part, ok = p.next() {
		end := "\r\n-----\r\n"
		if part.more {
			end = "\r\n---"
		}
		_, err := fmt.Fprintf(out, "%s\r\nContent-Type: application/json; charset=utf-8\r\n\r\n%s%s", separator, part.body, end)
		if err != nil {
			return // the client no longer reads
		}
		_ = out.out.Flush() // a writer that cannot flush sends everything at the end
		separator = ""
	}
}

// streamParts runs an operation and sends each part of its answer as an event.
func (t *endpoint) streamParts(ctx context.Context, w http.ResponseWriter, op live.Operation) {
	h := t.ledger.Open(auth.CallerFrom(ctx).Address)
	defer h.Close()
	p, wait := t.parts(ctx, op, h)
	defer wait()
	t.live.ServeResults(w, h, func() ([]byte, bool) {
		part, ok := p.next()
		switch {
		case part.why != nil:
			return payloadOf(ctx, part.why), true
		case part.resp != nil:
			return t.Encode(ctx, part.resp), true
		}
		return part.body, ok
	})
}
