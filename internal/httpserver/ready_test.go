package httpserver

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agora/internal/test/redistest"
)

// Concurrent callers share one PING, and the tasks are counted from time to time.
func TestReadinessIsCheap(t *testing.T) {
	clock := redistest.NewClock()
	var pings, counts atomic.Int64
	var away atomic.Bool
	hold := make(chan struct{})
	r := &readiness{
		now: clock.Now,
		ping: func(context.Context) error {
			pings.Add(1)
			<-hold
			if away.Load() {
				return errors.New("away")
			}
			return nil
		},
		dead: func(context.Context) (int, error) { return int(counts.Add(1)), nil },
	}
	var all sync.WaitGroup
	var through atomic.Int64
	for range 50 {
		all.Go(func() {
			through.Add(1)
			if tasks, known, err := r.check(); tasks != 1 || !known || err != nil {
				t.Errorf("check = %d, %v, %v; want 1 task", tasks, known, err)
			}
		})
	}
	for through.Load() < 50 {
	}
	if p := pings.Load(); p > 1 {
		t.Errorf("50 concurrent callers: %d pings; want them to share one", p)
	}
	close(hold)
	all.Wait()
	for range 20 {
		r.check()
	}
	if c := counts.Load(); c != 1 {
		t.Errorf("the tasks were counted %d times within %v; want once", c, deadTasksLife)
	}
	clock.Advance(deadTasksLife + time.Second)
	if tasks, _, _ := r.check(); tasks != 2 {
		t.Errorf("later: %d tasks; want them counted again", tasks)
	}
	away.Store(true)
	if tasks, known, err := r.check(); err == nil || !known || tasks != 2 {
		t.Errorf("without Redis: %d, %v, %v; want an error and the last number", tasks, known, err)
	}
}

// With a listener of their own, metrics and state are not on the public one. Hidden, the playground and the schema
// are not there either.
func TestRoutesCanBeHidden(t *testing.T) {
	var options Options
	public := newServer(t, func(o *Options) {
		o.Metrics = NewMetrics(o.Resolver.Store, o.Log, time.Now)
		o.OpsApart, o.HidePlayground, o.HideSchema = true, true, true
		options = *o
	})
	ops := &server{t: t, Handler: NewOps(options, Hosts{}.Local()), log: public.log}
	for _, tt := range []struct {
		path        string
		public, ops int
	}{
		{"/healthz", 200, 200},
		{"/readyz", 404, 200},
		{"/metrics", 404, http.StatusMisdirectedRequest}, // the test's host name is not local
		{"http://localhost/metrics", 404, 200},
		{"/", 404, 404},
		{"/playground", 404, 404},
		{"/schema.graphql", 404, 404},
		{"/graphql?query={site{name}}", 200, 404},
	} {
		for _, of := range []struct {
			*server
			want int
		}{{public, tt.public}, {ops, tt.ops}} {
			if w := of.do("GET", tt.path, ""); w.Code != of.want {
				t.Errorf("%s: status %d, %.100s; want %d", tt.path, w.Code, w.Body, of.want)
			}
		}
	}
	if w := ops.do("GET", "http://localhost/metrics", ""); !strings.Contains(w.Body.String(), "agora_tasks") {
		t.Errorf("metrics: %.200s", w.Body)
	}
}
