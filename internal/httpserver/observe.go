package httpserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/tracing"
)

// RequestIDHeader is the header of requests and answers that connects an answer with its lines in the log.
const RequestIDHeader = "X-Request-Id"

// maxID is the longest request id that is accepted from a client or proxy, in bytes.
const maxID = 64

// isID reports whether a request id is accepted.
func isID(s string) bool {
	for _, c := range []byte(s) {
		letter, digit := c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9'
		if !letter && !digit && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return s != "" && len(s) <= maxID
}

// statusClosed is the status of requests whose client disconnected before there was an answer. Source: nginx.
const statusClosed = 499

// maxOperation is how much of an operation's name is logged, in bytes.
const maxOperation = 64

// Call collects what is logged and counted of a request. It is safe for concurrent use; a nil Call collects nothing.
type Call struct {
	id    string
	trace string // the id of its trace, "" if it is not traced
	usage store.Usage

	mu                        sync.Mutex
	address                   string
	kind, operation, document string
	codes                     []string // distinct
	live                      bool
	closed                    int
	by, as                    forum.UserID
}

type callKey struct{}

// CallFrom returns the Call of the request of the context, or nil if it is not observed.
func CallFrom(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// RequestID returns the id of the request, as the client and the log know it, or "" if it is not observed.
func RequestID(ctx context.Context) string {
	if c := CallFrom(ctx); c != nil {
		return c.id
	}
	return ""
}

// Operation records what is executed: the kind ("query", "mutation" or "subscription"), the operation's name, and the
// SHA-256 of the document in hex, of which the first 16 digits are stored.
func (c *Call) Operation(kind, name, document string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kind, c.operation, c.document = kind, name[:min(len(name), maxOperation)], document[:min(len(document), 16)]
}

// From records the pseudonym of the caller's address.
func (c *Call) From(address string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.address = address
}

// ActsAs records who sends the request, if that is an administrator acting as a member.
func (c *Call) ActsAs(v *forum.Viewer) {
	if c == nil || v == nil || v.Owner == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.by, c.as = v.Owner, v.ID
}

// Live records that the request became a live connection, a "socket" or "stream", which may last for days.
func (c *Call) Live(kind string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.live = true
	if c.kind == "" {
		c.kind = kind
	}
}

// Closed records the code with which a live connection ended.
func (c *Call) Closed(code int) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = code
}

// Code records the code of an error in the answer.
func (c *Call) Code(code string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, found := slices.BinarySearch(c.codes, code); !found {
		c.codes = slices.Insert(c.codes, at, code)
	}
}

// observed is the outcome of a request.
type observed struct {
	address                   string // "" if the request was refused before it was known
	kind, operation, document string
	codes                     []string // distinct, sorted
	status                    int
	bytes                     int64
	took                      time.Duration
	roundTrips, commands      int64
	live                      bool         // it became a socket or a stream
	closed                    int          // the close code, or 0 if there was none
	by, as                    forum.UserID // the administrator who acts as the member, 0 for none
}

func (c *Call) observed() observed {
	c.mu.Lock()
	defer c.mu.Unlock()
	return observed{
		address: c.address, kind: cmp.Or(c.kind, "none"), operation: c.operation, document: c.document,
		codes: slices.Clone(c.codes), live: c.live, closed: c.closed, by: c.by, as: c.as,
		roundTrips: c.usage.RoundTrips.Load(), commands: c.usage.Commands.Load(),
	}
}

// traced has the call's round trips be parts of a span, which may be nil.
func (c *Call) traced(s *tracing.Span) {
	if s != nil {
		c.trace, c.usage.Observe = s.Trace(), s.RoundTrip
	}
}

func (s observed) outcome() tracing.Outcome {
	return tracing.Outcome{Kind: s.kind, Operation: s.operation, Document: s.document, Status: s.status, Codes: s.codes}
}

// observer logs, counts and traces requests.
type observer struct {
	log     *slog.Logger
	metrics *Metrics
	tracer  *tracing.Tracer
	proxies Proxies
	now     func() time.Time
	// quiet logs successful requests at debug level only, except those of administrators acting as members.
	quiet bool
	// refused decides which refused requests are logged.
	refused *sampler
}

// wrap adds an id and a Call to each request, and logs, counts and traces the outcome. A panic is answered, or, if the answer
// has already begun, ends the connection.
func (o observer) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := o.now()
		c := &Call{id: r.Header.Get(RequestIDHeader)}
		if !isID(c.id) {
			c.id = rand.Text()
		}
		w.Header().Set(RequestIDHeader, c.id)
		span := o.begin(c, r)
		ctx := store.WithUsage(context.WithValue(r.Context(), callKey{}, c), &c.usage)
		a := &recorder{ResponseWriter: w}
		broken := o.serve(next, a, r.WithContext(ctx))
		seen := c.observed()
		seen.status, seen.bytes, seen.took = a.statusOf(ctx), a.bytes, o.now().Sub(began)
		o.metrics.observe(seen)
		o.report(ctx, seen)
		span.End(seen.outcome())
		if broken {
			panic(http.ErrAbortHandler) // the server ends the connection silently
		}
	})
}

// begin begins the span of a request.
func (o observer) begin(c *Call, r *http.Request) *tracing.Span {
	if o.tracer == nil {
		return nil
	}
	span := o.tracer.Request(r, o.proxies.sent(r))
	c.traced(span)
	return span
}

// serve reports whether the answer was aborted.
func (o observer) serve(next http.Handler, a *recorder, r *http.Request) (broken bool) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if broken = true; p == http.ErrAbortHandler {
			return
		}
		o.log.ErrorContext(r.Context(), "request panicked", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		CallFrom(r.Context()).Code("INTERNAL_SERVER_ERROR")
		if a.status == 0 {
			broken = false
			refuse(a, r, http.StatusInternalServerError, "INTERNAL_SERVER_ERROR", "internal error")
		}
	}()
	next.ServeHTTP(a, r)
	return false
}

// report logs a request.
func (o observer) report(ctx context.Context, s observed) {
	level := slog.LevelInfo
	switch {
	case s.status >= 500 || slices.Contains(s.codes, "INTERNAL_SERVER_ERROR"):
		level = slog.LevelWarn
	case o.quiet && s.status < 400 && len(s.codes) == 0 && s.by == 0:
		level = slog.LevelDebug
	}
	if !o.log.Enabled(ctx, level) {
		return
	}
	codes := strings.Join(s.codes, ",")
	if s.status >= 400 || codes != "" {
		reason := cmp.Or(codes, fmt.Sprint("status ", s.status))
		logged, omitted := o.refused.take(s.address, reason, o.now())
		if omitted > 0 {
			o.log.WarnContext(ctx, "refused requests were not logged", "reason", reason, "count", omitted)
		}
		if !logged {
			return
		}
	}
	line := slog.NewRecord(time.Now(), level, "request", 0) // no log shows the place in the code, which takes long to find
	line.AddAttrs(
		slog.String("operation", s.operation), slog.String("kind", s.kind), slog.String("document", s.document),
		slog.Int("status", s.status), slog.Duration("duration", s.took), slog.Int64("bytes", s.bytes),
		slog.Int64("roundTrips", s.roundTrips), slog.Int64("commands", s.commands),
		slog.String("codes", codes))
	if s.closed != 0 {
		line.AddAttrs(slog.Int("closed", s.closed))
	}
	if s.by != 0 {
		line.AddAttrs(slog.Int64("by", int64(s.by)), slog.Int64("as", int64(s.as)))
	}
	_ = o.log.Handler().Handle(ctx, line) // as slog itself does
}

// operation counts, logs and traces an operation of a socket, once it is done or, for a subscription, once it has begun.
func (o observer) operation(ctx context.Context, c *Call, began time.Time, span *tracing.Span) {
	seen := c.observed()
	seen.status, seen.took = http.StatusSwitchingProtocols, o.now().Sub(began)
	o.metrics.observe(seen)
	o.report(ctx, seen)
	span.End(seen.outcome())
}

// recorder records the status and size of the answer. Other features of the ResponseWriter are available through
// http.ResponseController.
type recorder struct {
	http.ResponseWriter
	status int // 0 until it has begun
	bytes  int64
}

// Unwrap is for http.ResponseController.
func (rec *recorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (rec *recorder) WriteHeader(status int) {
	if rec.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		rec.status = status
	}
	rec.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (rec *recorder) Write(p []byte) (int, error) {
	if rec.status == 0 {
		rec.status = http.StatusOK
	}
	n, err := rec.ResponseWriter.Write(p)
	rec.bytes += int64(n)
	return n, err
}

// statusOf returns the status of an answer that has ended.
func (rec *recorder) statusOf(ctx context.Context) int {
	switch {
	case rec.status != 0:
		return rec.status
	case ctx.Err() != nil:
		return statusClosed
	}
	return http.StatusOK
}

// LogRequestIDs adds the request's id, as "request", to every line that is logged with its context, and that of its
// trace, as "trace", if it has one.
func LogRequestIDs(h slog.Handler) slog.Handler { return withRequestID{h} }

type withRequestID struct{ slog.Handler }

// Handle implements slog.Handler.
func (h withRequestID) Handle(ctx context.Context, r slog.Record) error {
	if c := CallFrom(ctx); c != nil && c.id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String("request", c.id))
		if c.trace != "" {
			r.AddAttrs(slog.String("trace", c.trace))
		}
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h withRequestID) WithAttrs(attrs []slog.Attr) slog.Handler {
	return withRequestID{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h withRequestID) WithGroup(name string) slog.Handler {
	return withRequestID{h.Handler.WithGroup(name)}
}
