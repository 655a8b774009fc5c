// Package subject runs one of the servers that the benchmark compares, in a process of its own, and reports what it
// has used.
package subject

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/redis/go-redis/v9"

	"agora/bench/limit"
	"agora/bench/usual"
	"agora/graph"
	"agora/internal/auth"
	"agora/internal/httpserver"
	httplimit "agora/internal/httpserver/limit"
	"agora/internal/ratelimit"
	"agora/internal/store"
	"agora/internal/test/oracle"
)

// The subjects.
const (
	// Limit is the handler written by hand with go-redis's own calls, Tuned the same with as few allocations as
	// go-redis allows, Kept the same with the server's objects in memory, Agora the server without these, Cached the
	// server as it is by default, Gqlgen the server on gqlgen's executor, Usual the setup of common tutorials, Bare a
	// handler that knows only `{ __typename }`.
	Limit  = "limit"
	Tuned  = "tuned"
	Kept   = "kept"
	Agora  = "agora"
	Cached = "cached"
	Gqlgen = "gqlgen"
	Usual  = "usual"
	Bare   = "bare"
)

// Addresses are where a subject listens: for requests, and for queries of its usage.
type Addresses struct{ HTTP, Usage string }

// Serve runs the subject with this name on the Redis at redisURL until ctx or in ends, and writes its Addresses to
// out as a line of JSON.
func Serve(ctx context.Context, name, redisURL string, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // ends with in, which the parent process holds
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	rdb, err := Connect(ctx, redisURL)
	if err != nil {
		return err
	}
	defer rdb.Close()
	s, err := Start(ctx, name, rdb)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := json.NewEncoder(out).Encode(s.Addresses); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// ReadAddresses reads what Serve writes.
func ReadAddresses(r io.Reader) (Addresses, error) {
	var a Addresses
	line, err := bufio.NewReader(r).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &a)
	}
	return a, err
}

// Subject is a server that runs in this process.
type Subject struct {
	Addresses
	store   *store.Store
	servers []*http.Server
	objects sync.WaitGroup // keeps the object cache
	end     func()         // ends that
}

// patience is how long Redis may take: nothing should fail because the machine is overloaded.
const patience = time.Minute

// Connect opens a Redis as Agora does, except for its patience.
func Connect(ctx context.Context, url string) (*redis.Client, error) {
	o, err := redis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	o.MaxRetries, o.ContextTimeoutEnabled, o.ReadTimeout, o.WriteTimeout = -1, true, patience, patience
	o.Protocol = 2 // as the server does
	rdb := redis.NewClient(o)
	if err := rdb.Ping(ctx).Err(); err != nil {
		rdb.Close()
		return nil, err
	}
	return rdb, nil
}

// cacheBytes is the default of --object-cache.
const cacheBytes = 64 << 20

// Start starts the subject with this name on rdb, whose commands it counts. Close it when done.
func Start(ctx context.Context, name string, rdb *redis.Client) (*Subject, error) {
	count := &counter{}
	rdb.AddHook(count)
	bytes := 0
	if name == Cached || name == Kept {
		bytes = cacheBytes
	}
	st, err := store.Open(ctx, store.Over(rdb), store.Layout{}, store.WithObjectCache(bytes))
	if err != nil {
		return nil, err
	}
	s := &Subject{store: st}
	ctx, s.end = context.WithCancel(ctx)
	s.objects.Go(func() { st.KeepObjects(ctx) }) // ends at Close
	drain := &httpserver.Drain{}
	h, err := handler(name, rdb, st, drain)
	if err == nil {
		server := httpserver.Server(h)
		if name == Agora || name == Cached || name == Gqlgen {
			drain.Watch(server)
		}
		s.HTTP, err = s.listen(server)
	}
	if err == nil {
		s.Usage, err = s.listen(&http.Server{Handler: inspected(&meter{count: count}), ReadHeaderTimeout: time.Second})
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// inspected returns a handler of queries of the usage, and of the profiles of net/http/pprof.
func inspected(usage http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", usage)
	mux.Handle("/debug/pprof/allocs", pprof.Handler("allocs"))
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	return mux
}

// listen starts a server on a local port; it ends at Close.
func (s *Subject) listen(server *http.Server) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	s.servers = append(s.servers, server)
	go server.Serve(l)
	return l.Addr().String(), nil
}

// Flush returns when everything that was posted is written.
func (s *Subject) Flush(ctx context.Context) error { return s.store.Flush(ctx) }

// Close ends the servers, and writes what the store still holds back.
func (s *Subject) Close() {
	for _, server := range s.servers {
		server.Close()
	}
	s.end()
	s.objects.Wait()
	s.store.Close()
}

// handler returns the handler of a subject. All are served by the same http.Server, with its time limits.
func handler(name string, rdb *redis.Client, s *store.Store, drain *httpserver.Drain) (http.Handler, error) {
	switch name {
	case Limit:
		return limit.New(rdb, s), nil
	case Tuned:
		return limit.NewTuned(rdb, s), nil
	case Kept:
		return limit.NewKept(rdb, s), nil
	case Usual:
		return usual.New(rdb, s), nil
	case Bare:
		return http.HandlerFunc(typename), nil
	case Agora, Cached, Gqlgen:
		return agora(name, s, drain), nil
	}
	return nil, fmt.Errorf("unknown subject %q", name)
}

// HasGqlgen reports whether gqlgen's executor was compiled: see package oracle.
const HasGqlgen = oracle.Present

// agora composes the server as internal/cli does, with metrics and a log line for each request, but without rate
// limits. The log is discarded, and no worker runs.
func agora(name string, s *store.Store, drain *httpserver.Drain) http.Handler {
	log := slog.New(httpserver.LogRequestIDs(slog.NewTextHandler(io.Discard, nil)))
	rates := ratelimit.Defaults()
	for kind := range rates {
		rates[kind] = 0
	}
	resolver := &graph.Resolver{
		Store: s, Hasher: auth.NewHasher(1), Rates: ratelimit.New(rates, time.Now), SiteName: "Agora", Log: log,
	}
	limits := httplimit.Defaults()
	var executable graphql.ExecutableSchema
	if name == Gqlgen {
		executable = oracle.Schema(resolver)
	}
	return httpserver.New(httpserver.Options{
		Resolver: resolver, Executable: executable, Log: log, Limits: &limits, Origins: httpserver.LocalOrigins(),
		Metrics: httpserver.NewMetrics(s, log, time.Now), Drain: drain,
	})
}

// typename answers `{ __typename }` with as little work as possible.
func typename(w http.ResponseWriter, r *http.Request) {
	var request struct{ Query string }
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || request.Query == "" {
		http.Error(w, errors.Join(err, errors.New("no request")).Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write([]byte(`{"data":{"__typename":"Query"}}`))
}
