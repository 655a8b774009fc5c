package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"
	_ "time/tzdata" // so that a site's time zone works on machines without zone files

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/demo"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/httpserver/live"
	"agora/internal/httpserver/ui"
	"agora/internal/issuer"
	"agora/internal/ratelimit"
	"agora/internal/signin"
	"agora/internal/store"
	"agora/internal/text"
	"agora/internal/tracing"
)

// tasksAtOnce is how many partitions' background tasks are processed concurrently.
const tasksAtOnce = 4

// shutdownGrace is how long requests in progress, and live connections, may take to finish.
const shutdownGrace = 9 * time.Second

func (p program) serve(ctx context.Context, c config) error {
	listener, ops, err := listen(c)
	if err != nil {
		return err
	}
	defer closeAll(listener, ops)
	tracer, sendTraces, err := p.trace(ctx, c)
	if err != nil {
		return err
	}
	defer sendTraces()
	conn, s, err := p.openToServe(ctx, c, listener, ops)
	if err != nil {
		return unlessDone(ctx, err)
	}
	defer conn.Close()
	defer s.Close()
	drain, live := &httpserver.Drain{}, live.New()
	options, err := p.options(c, conn, s, drain, live, tracer)
	if err != nil {
		return err
	}
	working, rest := context.WithCancel(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	defer wg.Wait()
	defer rest()
	answering, filled := loops(s, options.Resolver, p.log)
	begin(working, &wg, answering...)
	server := httpserver.Server(httpserver.New(options))
	drain.Watch(server)
	failed := make(chan error, 2)
	limited := httpserver.LimitConnections(listener, *options.Limits, options.Proxies, options.Metrics)
	go func() { failed <- server.Serve(limited) }() // ends at Shutdown
	defer serveOps(httpserver.NewOps(options, c.OpsHosts), ops, failed)()

	b := newBanner(c, conn, listener, ops) // the server already answers while the demo data are written
	made, err := firstData(ctx, c, s, options, &b)
	if err != nil && ctx.Err() == nil {
		return errors.Join(err, server.Close())
	}
	if ctx.Err() == nil {
		b.print(p.stdout)
	}
	if ctx.Err() == nil && b.bot {
		begin(working, &wg, func(ctx context.Context) { runBot(ctx, made.Bot(s, p.log)) })
	}
	begin(working, &wg, filled...)
	select {
	case err = <-failed:
	case err = <-conn.Failed():
		err = errors.Join(err, server.Close())
	case <-ctx.Done():
		p.log.Info("shutting down")
		err = errors.Join(leave(drain, c.DrainDelay, failed), end(context.WithoutCancel(ctx), server, listener, drain, live))
	}
	return unlessClosed(err)
}

// firstData writes demo data if they are enabled, and records in the banner that it did, or that the site is empty.
func firstData(
	ctx context.Context,
	c config,
	s *store.Store,
	o httpserver.Options,
	b *banner,
) (made demo.Seeded, err error) {
	if c.Demo {
		made, err = seedDemo(ctx, s, o, b)
	} else {
		b.fresh, err = s.Empty(ctx)
		b.closed = s.Rules.Current(ctx).Access != forum.AccessEverybody
	}
	if c.replicated() && store.Away(err) {
		o.Log.WarnContext(ctx, "a part of the data cannot be read", "error", err)
		return made, nil
	}
	return made, err
}

// unlessDone returns err, or nil if the server was asked to stop before it had started.
func unlessDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// serveOps serves the routes for operators, if l is not nil, until stop is called: also during shutdown, so that
// /readyz reports it. A failure is sent to failed, which has room for it.
func serveOps(h http.Handler, l net.Listener, failed chan<- error) (stop func()) {
	if l == nil {
		return func() {}
	}
	server := httpserver.Server(h)
	go func() { failed <- server.Serve(l) }() // ends with Close
	return func() { server.Close() }
}

// unlessClosed returns err, or nil if it says only that a server was closed.
func unlessClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// listen listens at the addresses in the configuration; ops is nil if there is none for operations.
func listen(c config) (public, ops net.Listener, err error) {
	public, err = net.Listen("tcp", c.Addr)
	if err != nil {
		return nil, nil, err
	}
	if c.OpsAddr != "" {
		if ops, err = net.Listen("tcp", c.OpsAddr); err != nil {
			return nil, nil, errors.Join(fmt.Errorf("--ops-addr: %w", err), public.Close())
		}
	}
	return public, ops, nil
}

// closeAll closes listeners, of which any may be nil.
func closeAll(all ...net.Listener) {
	for _, l := range all {
		if l != nil {
			l.Close()
		}
	}
}

// leave makes /readyz report, for the delay, that the server is about to stop. It returns the error with which the
// server fails in that time, or nil. Without a delay, Shutdown reports it.
func leave(drain *httpserver.Drain, delay time.Duration, failed <-chan error) error {
	if delay == 0 {
		return nil
	}
	drain.Leave()
	select {
	case <-time.After(delay):
		return nil
	case err := <-failed:
		return err
	}
}

// end waits for requests in progress and ends live connections, concurrently: a stream is both.
func end(
	ctx context.Context,
	server *http.Server,
	l net.Listener,
	drain *httpserver.Drain,
	live *live.Connections,
) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownGrace)
	defer cancel()
	var wg sync.WaitGroup
	var left error
	wg.Go(func() { left = live.Shutdown(ctx) }) // ends with ctx at the latest
	err := drain.Shutdown(ctx, server, l)
	wg.Wait()
	return errors.Join(err, left)
}

// options returns the options of the HTTP server.
func (p program) options(
	c config,
	conn *store.Connection,
	s *store.Store,
	drain *httpserver.Drain,
	live *live.Connections,
	tracer *tracing.Tracer,
) (httpserver.Options, error) {
	resolver := &graph.Resolver{
		Store: s, Hasher: auth.NewHasher(runtime.GOMAXPROCS(0)-1, p.hooks.Hashing...), SignInLimit: c.SignInLimit,
		Rates: ratelimit.New(c.Rates, time.Now), Events: event.New(s, p.log), SiteName: c.SiteName, Log: p.log,
		Texts:  text.NewRenderer(text.DefaultCache, c.Images),
		SignIn: signin.New(s, issuer.New(c.Issuers, p.log, time.Now), p.log), NoPasswords: c.NoPasswords,
		SignInPage: c.SignInPage,
	}
	o := httpserver.Options{
		Resolver: resolver, Schema: p.schema, Docs: p.docs, Durable: conn.Durable, AlwaysTrace: c.Demo,
		Quiet: c.Demo, Log: p.log,
		Limits: &c.Limits, Origins: c.Origins, Proxies: c.Proxies, Metrics: httpserver.NewMetrics(s, p.log, time.Now),
		Drain: drain, Live: live, Cache: c.Cache, Tracer: tracer,
		DocumentsOnly: c.DocumentsOnly, Hosts: c.Hosts, HidePlayground: c.HidePlayground, HideSchema: c.HideSchema, UI: c.UI,
		OpsApart: c.OpsAddr != "", Waiting: spareProcessor(),
	}
	if c.Demo && !c.kept() {
		o.Demo = &ui.Demo{}
	}
	var err error
	if c.Documents != "" {
		o.Documents, err = httpserver.LoadDocuments(c.Documents, resolver.Schema(nil).Schema())
	}
	return o, err
}

// withStore opens the data for a command and closes them afterwards.
func (p program) withStore(ctx context.Context, c config, do func(*store.Store) error) error {
	conn, s, err := p.open(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer s.Close()
	return do(s)
}
