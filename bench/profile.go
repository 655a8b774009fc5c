package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"agora/bench/document"
	"agora/bench/subject"
)

// profiles writes a CPU profile and a profile of allocations of the server for each document, with the most clients.
func (b *benchmark) profiles(ctx context.Context) error {
	if b.o.Profile == "" {
		return nil
	}
	if err := os.MkdirAll(b.o.Profile, 0o755); err != nil {
		return err
	}
	for _, d := range b.o.documents() {
		for _, name := range b.o.subjects(d) {
			if name != subject.Agora && name != subject.Cached {
				continue
			}
			for _, kind := range []string{"cpu", "allocs"} {
				if err := b.profile(ctx, d, b.children[name], kind); err != nil {
					return fmt.Errorf("profile of %s, %s: %w", d.Name, name, err)
				}
			}
		}
	}
	return nil
}

// profile writes one profile while clients call the server.
func (b *benchmark) profile(ctx context.Context, d document.Document, server *child, kind string) error {
	clients := slices.Max(b.o.Clients)
	if d.MaxClients > 0 {
		clients = min(clients, d.MaxClients)
	}
	c := newCaller(server.HTTP, clients, b.site.requests(d, clients))
	defer c.close()
	seconds := math.Ceil(b.o.Duration.Seconds()) // net/http/pprof takes whole ones
	var g errgroup.Group
	g.Go(func() error {
		_, _, err := b.latencies.run(ctx, b.count(d).wrap(c.call), clients, time.Duration(seconds)*time.Second)
		return err
	})
	g.Go(func() error {
		what := kind
		if kind == "cpu" {
			what = "profile" // as net/http/pprof calls it
		}
		url := fmt.Sprintf("http://%s/debug/pprof/%s?seconds=%.0f", server.Usage, what, seconds)
		return download(ctx, url, filepath.Join(b.o.Profile, d.Name+"."+server.name+"."+kind))
	})
	return g.Wait()
}

// download writes what is at a URL to a file.
func download(ctx context.Context, url, file string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, resp.Status)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}
