package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"agora/breadth/example/internal/exampletest"
	"agora/breadth/example/redis/graph"
)

const document = `{ newest(first: 10) { id title listeners artist { name followers } tracks { title listeners } } }`

// trips counts round trips.
type trips struct{ atomic.Int64 }

// DialHook implements redis.Hook.
func (*trips) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (n *trips) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return next // a connection is opened; the resolvers send pipelines
}

// ProcessPipelineHook implements redis.Hook.
func (n *trips) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cs []redis.Cmder) error {
		n.Add(1)
		return next(ctx, cs)
	}
}

// servers returns 20 albums of 4 artists, with 3 tracks each, on gqlgen's executor and on breadth.
func servers(t testing.TB) (db *miniredis.Miniredis, n *trips, gqlgen, breadth http.Handler) {
	t.Helper()
	db = miniredis.RunT(t)
	for i := range 20 {
		id, artist := fmt.Sprint(i), fmt.Sprint(i%4)
		db.HSet("album:"+id, "title", "Album "+id, "artist", artist)
		db.HSet("artist:"+artist, "name", "Artist "+artist)
		for _, err := range []error{
			second(db.ZAdd("albums", float64(i), id)),
			second(db.SAdd("followers:"+artist, "a fan", "fan "+id)),
			second(db.PfAdd("listeners:album:"+id, "a", "b")),
			second(db.Push("tracks:"+id, "Intro "+id, "Song "+id, "Outro "+id)),
			second(db.PfAdd("listeners:track:Song "+id, "a")),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	// With the identity, opening a connection would send a pipeline too.
	client := redis.NewClient(&redis.Options{Addr: db.Addr(), DisableIdentity: true})
	t.Cleanup(func() { client.Close() })
	n = &trips{}
	client.AddHook(n)
	r := &resolver{client}
	return db, n, serve(graph.NewExecutableSchema(graph.Config{Resolvers: r})), serve(r.schema(), r.withPipeline)
}

func second[T any](_ T, err error) error { return err }

func TestLevelsAreReadInOneRoundTrip(t *testing.T) {
	_, n, gqlgen, breadth := servers(t)
	want, errs := exampletest.Ask(t, gqlgen, document)
	const begin = `{"newest":[{"id":"19","title":"Album 19","listeners":2,"artist":{"name":"Artist 3","followers":6},` +
		`"tracks":[{"title":"Intro 19","listeners":0},{"title":"Song 19","listeners":1},`
	if errs != nil || !strings.HasPrefix(want, begin) {
		t.Fatalf("gqlgen answers %s %q", want, errs)
	}
	// The ids, the albums; listeners, artists and tracks; the followers of each artist, and the listeners of each list.
	if got := n.Swap(0); got != 2+3+10+10 {
		t.Errorf("gqlgen takes %d round trips; want %d", got, 2+3+10+10)
	}
	if got, errs := exampletest.Ask(t, breadth, document); got != want || errs != nil {
		t.Errorf("breadth answers %s %q; want %s", got, errs, want)
	}
	// The ids; the albums; their listeners, artists and tracks; the followers and listeners of those.
	if got := n.Swap(0); got != 4 {
		t.Errorf("breadth takes %d round trips; want 4", got)
	}
}

func TestErrorsOfRedisAreErrorsOfTheField(t *testing.T) {
	db, n, _, breadth := servers(t)
	db.Del("followers:1")
	if err := db.Set("followers:1", "no set"); err != nil {
		t.Fatal(err)
	}
	n.Store(0)
	data, errs := exampletest.Ask(t, breadth, "{ newest(first: 1) { title artist { followers } tracks { listeners } } }")
	if data == "null" || errs != nil {
		t.Errorf("breadth answers %s %q for an artist that is in order", data, errs)
	}
	data, errs = exampletest.Ask(t, breadth, "{ newest(first: 3) { artist { followers } tracks { title } } }")
	if len(errs) != 3 || !strings.Contains(errs[0], "[newest 0 artist followers]: WRONGTYPE") ||
		!strings.Contains(data, `"artist":null,"tracks":[{"title":"Intro 17"`) {
		t.Errorf("breadth answers %s %q", data, errs)
	}
}

func BenchmarkRedis(b *testing.B) {
	_, _, gqlgen, breadth := servers(b)
	exampletest.Benchmark(b, gqlgen, breadth, document)
}
