package loader

import (
	"context"
	"sync"
)

// Gate knows when a level of a response is complete: when every resolver that is
// going to run has begun, and all of them wait for data. Whoever executes the
// operation tells it which resolvers to expect.
type Gate struct {
	mu       sync.Mutex
	change   *sync.Cond
	used     bool
	expected int // resolver calls that have not ended, begun or not
	begun    int // of these, the ones that have begun
	blocked  int // of these, the ones that wait for data
	groups   map[any]*group
	waiting  map[*waiter]struct{}
}

// group is the calls of one batch resolver: one of them asks, all wait for it.
type group struct {
	key     any
	begun   int
	waiters int
}

// waiter is one wait for data on behalf of a group.
type waiter struct{ group *group }

func newGate() *Gate {
	g := &Gate{groups: map[any]*group{}, waiting: map[*waiter]struct{}{}}
	g.change = sync.NewCond(&g.mu)
	return g
}

// Expect announces n calls of resolvers that are about to begin.
func (g *Gate) Expect(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used = true
	g.expected += n
}

// Begin notes that an expected call has begun. key is the same for the calls
// that one batch resolver serves. The context is the one to load with; done ends
// the call and announces the calls that its result leads to.
func (g *Gate) Begin(ctx context.Context, key any) (_ context.Context, done func(next int)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	gr := g.groups[key]
	if gr == nil {
		gr = &group{key: key}
		g.groups[key] = gr
	}
	gr.begun++
	g.begun++
	if gr.waiters > 0 {
		g.blocked++
	}
	g.change.Broadcast()
	return context.WithValue(ctx, groupKey{}, gr), func(next int) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if gr.waiters > 0 {
			g.blocked--
		}
		if gr.begun--; gr.begun == 0 {
			delete(g.groups, gr.key)
		}
		g.begun--
		g.expected += next - 1
		g.change.Broadcast()
	}
}

type groupKey struct{}

// wait notes that the resolver of ctx waits for data; wake ends that, and may be
// called twice.
func (g *Gate) wait(ctx context.Context) *waiter {
	gr, _ := ctx.Value(groupKey{}).(*group)
	if gr == nil {
		return nil
	}
	w := &waiter{gr}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting[w] = struct{}{}
	if gr.waiters++; gr.waiters == 1 {
		g.blocked += gr.begun
	}
	g.change.Broadcast()
	return w
}

func (g *Gate) wake(ws ...*waiter) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, w := range ws {
		if _, ok := g.waiting[w]; !ok {
			continue
		}
		delete(g.waiting, w)
		if w.group.waiters--; w.group.waiters == 0 {
			g.blocked -= w.group.begun
		}
	}
	g.change.Broadcast()
}

// waiters are those who wait just now.
func (g *Gate) waiters() []*waiter {
	g.mu.Lock()
	defer g.mu.Unlock()
	ws := make([]*waiter, 0, len(g.waiting))
	for w := range g.waiting {
		ws = append(ws, w)
	}
	return ws
}

// complete tells whether nobody can ask for more before data come. The caller
// holds the lock.
func (g *Gate) complete() bool { return g.expected == g.begun && g.begun == g.blocked }
