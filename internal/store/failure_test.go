package store_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/listing"
	"agora/internal/store/script"
	"agora/internal/store/sessions"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

func TestUnavailable(t *testing.T) {
	tests := []struct {
		err  error
		want bool
	}{
		{nil, false},
		{redis.Nil, false},
		{errors.New("bug"), false},
		{context.Canceled, false},
		{context.DeadlineExceeded, true},
		{io.EOF, true},
		{fmt.Errorf("read: %w", io.ErrUnexpectedEOF), true},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, true},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, true},
		{redis.ErrPoolTimeout, true},
		{redis.ErrClosed, true},
		{storetest.ServerError("READONLY You can't write against a read only replica."), true},
		{storetest.ServerError("LOADING Redis is loading the dataset in memory"), true},
		{storetest.ServerError("OOM command not allowed when used memory > 'maxmemory'."), true},
		{storetest.ServerError("OOM command not allowed when used memory > 'maxmemory'. script: 7b2f, on @user_script:1."), true},
		{storetest.ServerError("ERR Error running script (call to f_7b2f): @user_script:1: -OOM command not allowed when used " +
			"memory > 'maxmemory'."), true},
		{storetest.ServerError("MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk."),
			true},
		{storetest.ServerError("MASTERDOWN Link with MASTER is down"), true},
		{storetest.ServerError("CLUSTERDOWN The cluster is down"), true},
		{storetest.ServerError("TRYAGAIN Multiple keys request during rehashing of slot"), true},
		{storetest.ServerError("BUSY Redis is busy running a script."), true},
		{storetest.ServerError("ERR max number of clients reached"), true},
		{storetest.ServerError("WRONGTYPE Operation against a key holding the wrong kind of value"), false},
		{storetest.ServerError("NOAUTH Authentication required."), false},
		{storetest.ServerError("ERR unknown command"), false},
		{storetest.ServerError("ERR user_script:1: a text that speaks of OOM script: 7b2f"), false},
		{storetest.ServerError("EXHAUSTED"), false},
	}
	for _, tt := range tests {
		if got := store.Unavailable(tt.err); got != tt.want {
			t.Errorf("Unavailable(%v) = %t; want %t", tt.err, got, tt.want)
		}
		if got := store.Unavailable(fmt.Errorf("create topic: %w", tt.err)); tt.err != nil && got != tt.want {
			t.Errorf("Unavailable(wrapped %v) = %t; want %t", tt.err, got, tt.want)
		}
	}
}

// The refusals of a real Redis are recognised, in scripts too.
func TestRefusedWritesAreUnavailable(t *testing.T) {
	testlevel.RealRedis(t) // miniredis never refuses writes
	server := redistest.Start(t)
	client := server.Client(t)
	s := must.Do(store.Open(t.Context(), store.Over(client), store.Layout{}))(t)
	defer s.Close()
	ctx := t.Context()
	for name, set := range map[string][2][]any{
		"full":    {{"config", "set", "maxmemory", "1"}, {"config", "set", "maxmemory", "0"}},
		"replica": {{"replicaof", "127.0.0.1", "1"}, {"replicaof", "no", "one"}},
	} {
		must.OK(t, client.Do(ctx, set[0]...).Err())
		usage := &store.Usage{}
		_, err := s.Categories.CreateCategory(store.WithUsage(ctx, usage), "Tea", "tea", "")
		if err == nil || forum.CodeOf(err) != "" || !store.Unavailable(err) || usage.Changed.Load() {
			t.Errorf("%s: CreateCategory = %v, changed %t; want unavailable, unchanged", name, err,
				usage.Changed.Load())
		}
		must.OK(t, client.Do(ctx, set[1]...).Err())
	}
}

// breaker fails the next round trips with an error, after they were executed.
type breaker struct {
	left, met atomic.Int64
	err       error
}

func (b *breaker) meet(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	b.met.Add(1)
	err := next(ctx, cmds)
	if b.left.Add(-1) < 0 {
		return err
	}
	return redistest.Fail(cmds, b.err)
}

// readCategory reads a category named Tea.
func readCategory(t *testing.T, s *store.Store, id forum.CategoryID) func(context.Context) error {
	return func(ctx context.Context) error {
		r := s.Read(ctx)
		get := r.Listing.Categories([]forum.CategoryID{id})
		if err := r.Exec(); err != nil {
			return err
		}
		found, errs := get()
		if errs == nil && (found[0] == nil || found[0].Name != "Tea") {
			t.Errorf("the category is %+v; want Tea", found[0])
		}
		return errors.Join(errs...)
	}
}

// readFront reads a page with a script that only reads.
func readFront(s *store.Store) func(context.Context) error {
	front := forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByCreated, Direction: forum.Descending}
	return func(ctx context.Context) error {
		r := s.Read(ctx)
		get := r.Listing.Page(listing.TimelineLists(front, nil)[0], forum.Window{Count: 10})
		if err := r.Exec(); err != nil {
			return err
		}
		_, err := get()
		return err
	}
}

// Reads whose connection broke are retried once; commands that may change something are not, nor are those
// that timed out.
func TestBrokenReadsAreRetriedOnce(t *testing.T) {
	client := redistest.New(t)
	s := must.Do(store.Open(t.Context(), store.Over(client), store.Layout{}))(t)
	defer s.Close()
	id := site.On(t, s).Category("Tea")
	b := &breaker{}
	client.AddHook(redistest.Hook(b.meet))
	read, page := readCategory(t, s, id), readFront(s)
	one := func(ctx context.Context) error { return s.Engine.Client.Redis.Get(ctx, "none").Err() }
	write := func(ctx context.Context) error {
		_, err := s.Categories.CreateCategory(ctx, "Coffee", "coffee", "")
		return err
	}
	fenced := func(ctx context.Context) error {
		r := s.Engine.Read(ctx)
		r.Batch.Publish(ctx, "own", "1") // as a Fence does
		sessions.On(r).Session(1, "digest")
		return r.Exec()
	}
	deleted, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name   string
		ctx    context.Context
		do     func(context.Context) error
		fails  int64
		err    error
		trips  int64
		passes bool
	}{
		{"a pipeline", t.Context(), read, 1, io.EOF, 2, true},
		{"events' reads", store.Coalesced(t.Context()), read, 1, io.EOF, 2, true},
		{"a page", t.Context(), page, 1, &net.OpError{Op: "read", Err: syscall.ECONNRESET}, 2, true},
		{"a session with a fence", t.Context(), fenced, 1, io.EOF, 2, true},
		{"twice", t.Context(), read, 2, io.EOF, 2, false},
		{"too slow", t.Context(), read, 1, context.DeadlineExceeded, 1, false},
		{"not reached", t.Context(), read, 1, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, 1, false},
		{"nobody waits", deleted, read, 1, io.EOF, 1, false},
		{"a write", t.Context(), write, 1, io.EOF, 1, false},
	}
	for _, tt := range tests {
		b.met.Store(0)
		b.left.Store(tt.fails)
		b.err = tt.err
		err := tt.do(tt.ctx)
		b.left.Store(0)
		if (err == nil) != tt.passes || b.met.Load() != tt.trips {
			t.Errorf("%s: %v after %d round trips; want passed %t after %d", tt.name, err, b.met.Load(), tt.passes,
				tt.trips)
		}
	}
	b.left.Store(1)
	b.err = io.EOF
	if err := one(t.Context()); !errors.Is(err, redis.Nil) {
		t.Errorf("one command = %v; want redis.Nil", err)
	}
}

// Usage knows whether a request may have changed data, so that its error can say so.
func TestUsageKnowsWhatMayHaveChanged(t *testing.T) {
	client := redistest.New(t)
	s := must.Do(store.Open(t.Context(), store.Over(client), store.Layout{}))(t)
	defer s.Close()
	b := &breaker{}
	client.AddHook(redistest.Hook(b.meet))
	for _, tt := range []struct {
		name string
		err  error
		want bool
	}{
		{"the reply is lost", io.EOF, true},
		{"too slow", context.DeadlineExceeded, true},
		{"not reached", &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, false},
		{"no connection free", redis.ErrPoolTimeout, false},
		{"refused", storetest.ServerError("OOM command not allowed"), false},
	} {
		usage := &store.Usage{}
		b.err = tt.err
		b.left.Store(1)
		if _, err := s.Categories.CreateCategory(store.WithUsage(t.Context(), usage), tt.name, tt.name,
			""); err == nil ||
			usage.Changed.Load() != tt.want {
			t.Errorf("%s: %v, may have changed %t; want an error, %t", tt.name, err, usage.Changed.Load(), tt.want)
		}
	}
	usage := &store.Usage{}
	if _, err := s.Stats(store.WithUsage(t.Context(), usage)); err != nil || usage.Changed.Load() {
		t.Errorf("Stats = %v, may have changed %t; want read only", err, usage.Changed.Load())
	}
}

// The scripts that count as reads call no commands that write.
func TestReadScriptsOnlyRead(t *testing.T) {
	for _, sc := range script.ReadOnly() {
		for rest := sc.Text(); ; {
			_, after, found := strings.Cut(rest, `redis.call("`)
			if !found {
				break
			}
			var name string
			name, rest, _ = strings.Cut(after, `"`)
			if name = strings.ToLower(name); !pipeline.Reads(name) {
				t.Errorf("%s calls %s, which is not a read", sc.Name(), name)
			}
		}
	}
}
