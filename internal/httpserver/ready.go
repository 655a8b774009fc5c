package httpserver

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"agora/internal/store"
)

const (
	// readyTime is how long Redis may take to answer.
	readyTime = time.Second
	// deadTasksLife is the maximum age of the number of dead tasks.
	deadTasksLife = 10 * time.Second
)

// readiness determines whether the server can work. Concurrent callers share one PING. It is safe for concurrent use.
type readiness struct {
	ping func(context.Context) error
	dead func(context.Context) (int, error)
	now  func() time.Time

	asking singleflight.Group

	mu    sync.Mutex
	tasks int
	known bool
	until time.Time
}

// check pings Redis, and from time to time reads the number of dead tasks; known is false until that was read.
func (r *readiness) check() (tasks int, known bool, err error) {
	_, err, _ = r.asking.Do("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.Background(), readyTime)
		defer cancel()
		if err := r.ping(ctx); err != nil {
			return nil, err
		}
		r.count(ctx)
		return nil, nil
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tasks, r.known, err
}

// count counts the dead tasks, unless that was done recently. If it fails, the last number stays.
func (r *readiness) count(ctx context.Context) {
	r.mu.Lock()
	fresh := r.known && r.now().Before(r.until)
	r.mu.Unlock()
	if fresh {
		return
	}
	tasks, err := r.dead(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.tasks, r.known = tasks, true
	}
	r.until = r.now().Add(deadTasksLife)
}

// ready returns the handler of /readyz. It reports whether Redis answers and accepts writes, whether the data outlive
// the process, how many tasks are dead, which is for operators, and whether the server is about to shut down.
func (o Options) ready() http.HandlerFunc {
	r := &readiness{ping: o.Resolver.Store.Ping, dead: o.Resolver.Store.DeadTasks, now: time.Now}
	return func(w http.ResponseWriter, _ *http.Request) {
		draining := o.Drain.Leaving()
		state := map[string]any{"redis": "ok", "durable": o.Durable, "draining": draining}
		code := http.StatusOK
		tasks, known, err := r.check()
		if known {
			state["deadTasks"] = tasks
		}
		if err != nil {
			state["redis"], code = "does not answer", http.StatusServiceUnavailable
		}
		health := o.Resolver.Store.Health()
		var troubles []store.Trouble // details are only logged, because this answer is public
		for _, p := range health.Problems {
			troubles = append(troubles, p.Trouble)
		}
		if troubles != nil {
			state["troubles"] = troubles
		}
		if draining || !health.Ready() {
			code = http.StatusServiceUnavailable
		}
		writeJSON(w, code, state)
	}
}
