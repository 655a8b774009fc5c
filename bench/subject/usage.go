package subject

import (
	"context"
	"encoding/json"
	"math"
	"net"
	"net/http"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// Usage is what a process has used since it began.
type Usage struct {
	// CPU is user and system time.
	CPU time.Duration
	// Mallocs and Bytes count allocations.
	Mallocs, Bytes uint64
	// RoundTrips counts pipelines and single commands, Commands all commands.
	RoundTrips, Commands int64
	// Least and Peak are the lowest and highest number of goroutines while they were watched, Started how many were
	// ever started.
	Least, Peak int
	Started     uint64
}

// Self returns what this process has used, except what only a subject counts.
func Self() (Usage, error) {
	cpu, err := cpuTime()
	if err != nil {
		return Usage{}, err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Usage{CPU: cpu, Mallocs: m.Mallocs, Bytes: m.TotalAlloc, Started: started()}, nil
}

// started returns how many goroutines were started.
func started() uint64 {
	sample := []metrics.Sample{{Name: "/sched/goroutines-created:goroutines"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0 // not available in older versions of Go
	}
	return sample[0].Value.Uint64()
}

// meter answers with the Usage of this process: `?gc=1` collects garbage first, `?watch=1` starts watching
// goroutines, `?watch=0` stops.
type meter struct {
	count *counter
	mu    sync.Mutex
	stop  chan struct{}
	done  chan struct{}
	least atomic.Int64
	peak  atomic.Int64
}

// ServeHTTP implements http.Handler.
func (m *meter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.FormValue("watch") {
	case "1":
		m.watch()
	case "0":
		m.unwatch()
	}
	if r.FormValue("gc") == "1" {
		runtime.GC()
	}
	u, err := Self()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	u.Least, u.Peak = int(m.least.Load()), int(m.peak.Load())
	u.RoundTrips, u.Commands = m.count.roundTrips.Load(), m.count.commands.Load()
	if err := json.NewEncoder(w).Encode(u); err != nil {
		return // the client has disconnected
	}
}

// watch starts a goroutine that counts the others, as often as it can; unwatch ends it.
func (m *meter) watch() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop != nil {
		return
	}
	stop, done := make(chan struct{}), make(chan struct{})
	m.stop, m.done = stop, done
	m.least.Store(math.MaxInt32)
	m.peak.Store(0)
	go func() {
		defer close(done)
		// The runtime counts goroutines without a lock, and is off by up to 32 while it moves ended ones between
		// lists. Only a value seen twice in a row counts.
		before := int64(runtime.NumGoroutine()) - 1
		for {
			select {
			case <-stop:
				return
			default:
			}
			n := int64(runtime.NumGoroutine()) - 1
			m.least.Store(min(max(n, before), m.least.Load()))
			m.peak.Store(max(min(n, before), m.peak.Load()))
			before = n
			runtime.Gosched()
		}
	}()
}

func (m *meter) unwatch() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop != nil {
		close(m.stop)
		<-m.done
		m.stop = nil
	}
}

// counter is a hook that counts what is sent to Redis.
type counter struct{ roundTrips, commands atomic.Int64 }

// DialHook implements redis.Hook.
func (*counter) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (c *counter) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.roundTrips.Add(1)
		c.commands.Add(1)
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook implements redis.Hook.
func (c *counter) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		c.roundTrips.Add(1)
		c.commands.Add(int64(len(cmds)))
		return next(ctx, cmds)
	}
}
