package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/redistest"
)

const (
	clients = 64
	// topicsPerClient is how many topics each client replies to in turn; together
	// they spread over all partitions.
	topicsPerClient = 4
	// rounds is how often each side is measured; the medians count.
	rounds = 3
)

// BenchmarkReplies measures replies a second of 64 clients, in turns:
// graphql goes through HTTP and the whole server; bare sends the commands that
// the server sends for a reply straight through go-redis, one pipeline for each
// step. Both share one redis-server, and their clients have pools of one size.
// The clean marks, which the server writes for many replies together, bare
// writes together too; bare-alone writes them in a pipeline for each reply.
func BenchmarkReplies(b *testing.B) {
	requireServer(b)
	server := redistest.Start(b)
	s := newSite(b, server)
	recorded := s.record()
	bare := newBare(b, client(b, server), recorded)
	sides := []struct {
		name  string
		reply func(client, n int) error
		rest  func() error // returns when all is written
	}{
		{"graphql", s.connect().reply, s.rest},
		{"bare", bare.reply, bare.rest},
		{"bare-alone", bare.replyAlone, func() error { return nil }},
	}
	rates := map[string][]float64{}
	done := int64(0)
	for round := range rounds {
		for _, side := range sides {
			rate := 0.0
			b.Run(fmt.Sprintf("%s/%d", side.name, round+1), func(b *testing.B) {
				run(b, side.reply)
				if err := side.rest(); err != nil {
					b.Fatal(err)
				}
				done += int64(b.N)
				rate = float64(b.N) / b.Elapsed().Seconds()
				b.ReportMetric(rate, "replies/s")
				b.ReportMetric(float64(recorded[0].roundTrips()), "roundtrips/reply")
			})
			rates[side.name] = append(rates[side.name], rate)
		}
	}
	s.verify(done + int64(len(recorded)))
	report(b, rates, recorded[0].roundTrips())
}

// report gives the medians and their ratios.
func report(b *testing.B, rates map[string][]float64, roundTrips int) {
	graphql, together, alone := median(rates["graphql"]), median(rates["bare"]), median(rates["bare-alone"])
	if graphql == 0 || together == 0 || alone == 0 {
		return // -bench chose one of the sides
	}
	b.Run("ratio", func(b *testing.B) {
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(graphql/together, "ratio")
		if b.N == 1 {
			b.Logf("%d clients, medians of %d: graphql %.0f replies/s, bare %.0f/s, ratio %.2f; bare-alone %.0f/s, ratio %.2f; %d round trips a reply, and one for the marks",
				clients, rounds, graphql, together, graphql/together, alone, graphql/alone, roundTrips)
		}
	})
}

// requireServer sees to it that redistest starts a redis-server.
func requireServer(b *testing.B) {
	b.Helper()
	if os.Getenv("TEST_REDIS_SERVER") != "" {
		return
	}
	program, err := exec.LookPath("redis-server")
	if err != nil {
		b.Fatalf("this benchmark needs a real redis-server: %v; install one (Debian: apt-get install redis-server) or name it in TEST_REDIS_SERVER", err)
	}
	b.Setenv("TEST_REDIS_SERVER", program)
}

// client opens a client as the server does, without redistest's slot check.
func client(b *testing.B, server *redistest.Server) *redis.Client {
	o := server.Options
	c := redis.NewClient(&o)
	b.Cleanup(func() { c.Close() })
	return c
}

// run has all clients reply, b.N times together.
func run(b *testing.B, reply func(client, n int) error) {
	b.Helper()
	var left atomic.Int64
	left.Store(int64(b.N))
	errs := make([]error, clients)
	var wg sync.WaitGroup
	b.ResetTimer()
	for c := range clients {
		wg.Go(func() { // ends when all replies are posted
			for n := 0; left.Add(-1) >= 0; n++ {
				if err := reply(c, n); err != nil {
					errs[c] = err
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
}

func median(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}

var background = context.Background()
