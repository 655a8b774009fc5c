package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"agora/bench/document"
	"agora/bench/subject"
)

// counted counts answered calls.
type counted struct{ n atomic.Int64 }

func (b *benchmark) count(d document.Document) *counted {
	if b.posted[d.Name] == nil {
		b.posted[d.Name] = &counted{}
	}
	return b.posted[d.Name]
}

// wrap counts the answers of do.
func (c *counted) wrap(do call) call {
	return func(client, n int) error {
		err := do(client, n)
		if err == nil {
			c.n.Add(1)
		}
		return err
	}
}

// measure measures all documents, the reading ones first, so that writes do not change what they read.
func (b *benchmark) measure(ctx context.Context) error {
	cells := 0
	b.each(func(document.Document, []string, int) error { cells++; return nil })
	b.progress("measure", cells*b.o.Rounds)
	results := map[string]*Result{}
	for _, writes := range []bool{false, true} {
		for round := range b.o.Rounds {
			err := b.each(func(d document.Document, names []string, clients int) error {
				if d.Writes != writes {
					return nil
				}
				b.bar.Add(1)
				for i := range names {
					name := names[(i+round)%len(names)] // no subject is always first
					sample, err := b.sample(ctx, d, name, clients)
					if err != nil {
						return fmt.Errorf("%s, %s, %d clients: %w", d.Name, name, clients, err)
					}
					key := fmt.Sprint(d.Name, name, clients)
					if results[key] == nil {
						results[key] = &Result{Document: d.Name, Subject: name, Clients: clients}
					}
					results[key].Rounds = append(results[key].Rounds, sample)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return b.each(func(d document.Document, names []string, clients int) error {
		for _, name := range names {
			r := results[fmt.Sprint(d.Name, name, clients)]
			r.summarize()
			b.report.Results = append(b.report.Results, r)
		}
		return nil
	})
}

// each calls f for each document and number of clients.
func (b *benchmark) each(f func(d document.Document, names []string, clients int) error) error {
	for _, d := range b.o.documents() {
		for _, clients := range b.o.Clients {
			names := b.o.subjects(d)
			if d.MaxClients > 0 && clients > d.MaxClients || len(names) == 0 {
				continue
			}
			if err := f(d, names, clients); err != nil {
				return err
			}
		}
	}
	return nil
}

// sample measures one subject once.
func (b *benchmark) sample(ctx context.Context, d document.Document, name string, clients int) (Sample, error) {
	if name == bareRedis {
		return b.time(ctx, b.count(d).wrap(b.bare.call), b.bare.usage, clients)
	}
	server := b.children[name]
	c := newCaller(server.HTTP, clients, b.site.requests(d, clients))
	defer c.close()
	stop := func() (int64, error) { return 0, nil }
	if d.Votes {
		var err error
		if stop, err = b.site.vote(ctx); err != nil {
			return Sample{}, err
		}
	}
	s, err := b.time(ctx, b.count(d).wrap(c.call), server.usage, clients)
	s.Resident = server.resident()
	votes, failed := stop()
	s.Votes = float64(votes) / (b.o.Duration + b.o.Duration/warmUp).Seconds()
	return s, errors.Join(err, failed)
}

// warmUp is the part of the duration that precedes each measurement.
const warmUp = 5

// time measures calls, and the usage of the process that answers them.
func (b *benchmark) time(
	ctx context.Context,
	do call,
	usage func(context.Context, string) (subject.Usage, error),
	clients int,
) (Sample, error) {
	if _, err := usage(ctx, "gc=1"); err != nil {
		return Sample{}, err
	}
	if _, _, err := b.latencies.run(ctx, do, clients, b.o.Duration/warmUp); err != nil {
		return Sample{}, err
	}
	redisBefore, err := b.db.cpu(ctx)
	if err != nil {
		return Sample{}, err
	}
	before, err := usage(ctx, "")
	if err != nil {
		return Sample{}, err
	}
	took, elapsed, err := b.latencies.run(ctx, do, clients, b.o.Duration)
	if err != nil {
		return Sample{}, err
	}
	after, err := usage(ctx, "")
	if err != nil {
		return Sample{}, err
	}
	redisAfter, err := b.db.cpu(ctx)
	if err != nil {
		return Sample{}, err
	}
	n := float64(len(took))
	each := func(d time.Duration) float64 { return d.Seconds() * 1e6 / n }
	return Sample{
		Requests: n, P50: percentile(took, 50).Seconds() * 1000, P99: percentile(took, 99).Seconds() * 1000,
		Throughput: n / elapsed.Seconds(),
		CPU:        each(after.CPU - before.CPU), RedisCPU: each(redisAfter - redisBefore),
		Mallocs: float64(after.Mallocs-before.Mallocs) / n, Bytes: float64(after.Bytes-before.Bytes) / n,
		RoundTrips: float64(after.RoundTrips-before.RoundTrips) / n, Commands: float64(after.Commands-before.Commands) / n,
	}, nil
}

// watched is how many requests are watched for their goroutines.
const watched = 20

// goroutines counts the goroutines of one request, for reading documents.
func (b *benchmark) goroutines(ctx context.Context) error {
	for _, d := range b.o.documents() {
		for _, name := range b.o.subjects(d) {
			if d.Writes || name == bareRedis {
				continue
			}
			g, err := b.goroutinesOf(ctx, d, b.children[name])
			if err != nil {
				return fmt.Errorf("goroutines of %s, %s: %w", d.Name, name, err)
			}
			b.report.Goroutines = append(b.report.Goroutines, g)
		}
	}
	return nil
}

// goroutinesOf watches a subject that answers one request after the other. The lowest number of goroutines seen in
// this time are those at rest: the server's, including those of its connections.
func (b *benchmark) goroutinesOf(ctx context.Context, d document.Document, c *child) (Goroutines, error) {
	ask := newCaller(c.HTTP, 1, b.site.requests(d, 1))
	defer ask.close()
	if err := ask.call(0, 0); err != nil { // opens the connection
		return Goroutines{}, err
	}
	before, err := c.usage(ctx, "watch=1")
	if err != nil {
		return Goroutines{}, err
	}
	for n := range watched {
		if err := ask.call(0, n); err != nil {
			return Goroutines{}, err
		}
	}
	after, err := c.usage(ctx, "watch=0")
	if err != nil {
		return Goroutines{}, err
	}
	started := float64(after.Started-before.Started) / watched
	return Goroutines{Document: d.Name, Subject: c.name, Peak: after.Peak - after.Least, Started: started}, nil
}

// subjectsOf returns the processes that answer a document, first the one that they are compared with.
func (b *benchmark) subjectsOf(d document.Document) []*child {
	var all []*child
	for _, name := range b.o.subjects(d) {
		if c := b.children[name]; c != nil {
			all = append(all, c)
		}
	}
	return slices.Clip(all)
}
