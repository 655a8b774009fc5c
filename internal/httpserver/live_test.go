package httpserver

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/httpserver/live"
	"agora/internal/test/site"
)

// liveSchema is a schema whose subscription `ticks` is fed by a test.
const liveSchema = `
type Query { word: String, wait: String, held: String, long(size: Int): String }
type Mutation { say: String }
type Subscription { ticks(topic: String, after: String, number: Int): String, gone: String, stuck: String }
directive @listSize(assumedSize: Int, slicingArguments: [String!]) on FIELD_DEFINITION
`

// source is a graphql.ExecutableSchema over liveSchema. It records what happens.
type source struct {
	schema *ast.Schema

	mu         sync.Mutex
	open       map[chan string]string // sources, with their topics
	history    map[string][]string    // events of a topic; each is the position after it
	opened     int
	executions int
	changed    chan struct{} // closed when one of these changes
	held       chan struct{} // closed to have queries of held answered
}

func newSource() *source {
	return &source{
		schema: gqlparser.MustLoadSchema(&ast.Source{Input: liveSchema}),
		open:   map[chan string]string{}, history: map[string][]string{}, changed: make(chan struct{}),
		held: make(chan struct{}),
	}
}

// Schema implements graphql.ExecutableSchema.
func (f *source) Schema() *ast.Schema { return f.schema }

// Complexity implements graphql.ExecutableSchema.
func (f *source) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

// Exec implements graphql.ExecutableSchema.
func (f *source) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	set := op.Operation.SelectionSet
	if spread, ok := set[0].(*ast.FragmentSpread); ok {
		set = spread.Definition.SelectionSet
	}
	field := set[0].(*ast.Field)
	args := field.ArgumentMap(op.Variables)
	answer := func(value string) *graphql.Response {
		return &graphql.Response{Data: fmt.Appendf(nil, `{%q:%q}`, field.Alias, value)}
	}
	switch field.Name {
	case "gone":
		graphql.AddError(ctx, &gqlerror.Error{Message: "gone", Extensions: map[string]any{"code": "NOT_FOUND"}})
		return func(context.Context) *graphql.Response { return nil }
	case "stuck":
		<-ctx.Done()
		return func(context.Context) *graphql.Response { return nil }
	case "wait":
		return graphql.OneShot(func() *graphql.Response { <-ctx.Done(); return answer("waited") }())
	case "held":
		return graphql.OneShot(func() *graphql.Response { <-f.held; return answer("held") }())
	case "long":
		size, _ := args["size"].(int64)
		return graphql.OneShot(answer(strings.Repeat("x", int(size))))
	case "ticks":
		topic, _ := args["topic"].(string)
		after, _ := args["after"].(string)
		events := f.subscribe(ctx, topic, after)
		return func(ctx context.Context) *graphql.Response {
			select {
			case event, ok := <-events:
				if !ok {
					return nil
				}
				f.change(func() { f.executions++ })
				breadth.EventFrom(ctx).Position = event
				return answer(event)
			case <-ctx.Done():
				return nil
			}
		}
	}
	return graphql.OneShot(answer(field.Name))
}

func (f *source) subscribe(ctx context.Context, topic, after string) chan string {
	events := make(chan string, 1024)
	f.change(func() {
		if i := slices.Index(f.history[topic], after); i >= 0 {
			for _, missed := range f.history[topic][i+1:] {
				events <- missed
			}
		}
		f.open[events] = topic
		f.opened++
	})
	context.AfterFunc(ctx, func() { f.change(func() { delete(f.open, events) }) })
	return events
}

func (f *source) change(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
	close(f.changed)
	f.changed = make(chan struct{})
}

// tick sends an event to all sources of a topic.
func (f *source) tick(topic, event string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.history[topic] = append(f.history[topic], event)
	for events, of := range f.open {
		if of == topic {
			events <- event
		}
	}
}

// end ends all sources of a topic.
func (f *source) end(topic string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for events, of := range f.open {
		if of == topic {
			close(events)
			delete(f.open, events)
		}
	}
}

// await waits until the sources are in the expected state.
func (f *source) await(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for {
		f.mu.Lock()
		done, changed := ok(), f.changed
		f.mu.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-time.After(patience):
			t.Fatalf("waited in vain until %s", what)
		}
	}
}

// patience is how long tests wait for something that must happen.
const patience = 10 * time.Second

// liveWire is a server of liveSchema that is called over real connections.
type liveWire struct {
	*server
	*source
	live *live.Connections
	url  string
	// store's clock, moved by tests
	options Options
}

// newLiveWire returns one; change changes options.
func newLiveWire(t testing.TB, change func(*Options, *live.Connections)) *liveWire {
	t.Helper()
	w := &liveWire{source: newSource(), live: live.New()}
	w.live.Times.Close = 500 * time.Millisecond
	w.server = newServer(t, func(o *Options) {
		o.Live = w.live
		if change != nil {
			change(o, w.live)
		}
		w.options = *o
	})
	w.Handler = w.options.routes(
		observer{log: w.options.Log, metrics: w.options.Metrics, now: time.Now, quiet: true},
		w.source,
	)
	h := httptest.NewServer(w.Handler)
	w.url = h.URL
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := w.live.Shutdown(ctx); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		h.Close()
	})
	return w
}

// quietLog is for tests with many connections.
func quietLog(o *Options, _ *live.Connections) { o.Log = slog.New(slog.DiscardHandler) }

func (w *liveWire) member(login string) (*forum.Viewer, string) {
	w.t.Helper()
	user, token := site.On(w.t, w.options.Resolver.Store).SignedIn(login)
	user.Session = token.Digest()
	return user, token.String()
}

// wakes replaces the hub, so that a test can wake live connections.
type wakes struct {
	mu       sync.Mutex
	watching map[chan struct{}][]forum.UserID
}

func (k *wakes) watch(ids ...forum.UserID) (<-chan struct{}, func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	wake := make(chan struct{}, 1)
	k.watching[wake] = ids
	return wake, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		delete(k.watching, wake)
	}
}

// wake wakes the watchers of a user and returns their number.
func (k *wakes) wake(id forum.UserID) (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for wake, of := range k.watching {
		if slices.Contains(of, id) {
			n++
			select {
			case wake <- struct{}{}:
			default:
			}
		}
	}
	return n
}

// newWokenWire is newLiveWire with wakes.
func newWokenWire(t testing.TB) (*liveWire, *wakes) {
	t.Helper()
	k := &wakes{watching: map[chan struct{}][]forum.UserID{}}
	return newLiveWire(t, func(_ *Options, l *live.Connections) { l.Watch = k.watch }), k
}
