package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/importer"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// BenchmarkImport measures records and comments per second, alternately: import reads files and writes them as the
// command does; bare sends the same pipelines, recorded before, through go-redis, one after the other on one
// connection. Each begins with an empty Redis. The files are generated, unless IMPORT_FILES names others:
// format=pattern, such as v2ex=/data/*.jsonl.gz.
func BenchmarkImport(b *testing.B) {
	requireServer(b)
	if given := os.Getenv("IMPORT_FILES"); given != "" {
		format, pattern, _ := strings.Cut(given, "=")
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			b.Fatalf("IMPORT_FILES: no files %q: %v", pattern, err)
		}
		var inputs []importer.Input
		for _, name := range names {
			inputs = append(inputs, importer.Input{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }})
		}
		benchmarkImport(b, importer.Format(format), inputs)
		return
	}
	for format, file := range map[importer.Format][]byte{importer.V2EX: v2exFile(), importer.Discourse: discourseFile(),
		importer.HackerNews: hackerNewsFile()} {
		b.Run(string(format), func(b *testing.B) {
			benchmarkImport(b, format, []importer.Input{{Name: "made up", Open: func() (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(file)), nil
			}}})
		})
	}
}

func benchmarkImport(b *testing.B, format importer.Format, inputs []importer.Input) {
	server := redistest.Start(b)
	noting := &pipelines{}
	written := importOnce(b, client(b, server), noting, format, inputs)
	rates := map[string][]float64{}
	for round := range rounds {
		for _, side := range []string{"import", "bare"} {
			b.Run(fmt.Sprintf("%s/%d", side, round+1), func(b *testing.B) {
				c := client(b, server)
				b.StopTimer()
				b.ResetTimer()
				for range b.N {
					if side == "import" {
						importOnce(b, c, nil, format, inputs)
					} else {
						replay(b, c, noting)
					}
				}
				rate := float64(written) * float64(b.N) / b.Elapsed().Seconds()
				b.ReportMetric(rate, "records/s")
				rates[side] = append(rates[side], rate)
			})
		}
	}
	if len(rates) < 2 {
		return // -bench selected one of the sides
	}
	b.Run("ratio", func(b *testing.B) {
		imported, bare := median(rates["import"]), median(rates["bare"])
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(imported/bare, "ratio")
		if b.N == 1 {
			b.Logf("%d topics and comments, %d pipelines of %d commands, medians of %d: import %.0f/s, bare %.0f/s, ratio %.2f",
				written, len(noting.sent), noting.commands(), rounds, imported, bare, imported/bare)
		}
	})
}

// empty creates a new site in an empty Redis.
func empty(b *testing.B, c *redis.Client, opts ...store.Option) *store.Store {
	must.OK(b, c.FlushDB(background).Err())
	return must.Do(store.Open(background, store.Over(c), store.Layout{}, opts...))(b)
}

// importOnce imports the files while the timer runs, and returns how many topics and comments there are.
func importOnce(b *testing.B, c *redis.Client, noting *pipelines, format importer.Format, inputs []importer.Input) int {
	s := empty(b, c)
	if noting != nil {
		c.AddHook(redistest.Hook(noting.note))
	}
	b.StartTimer()
	sum, err := importer.Run(background, s, importer.Options{Format: format, Category: "Imported"}, inputs)
	s.Close() // writes the last clean marks
	b.StopTimer()
	if err != nil || sum.Bad > 0 || sum.Topics == 0 {
		b.Fatalf("import: %+v, %v; want topics and no errors", sum, err)
	}
	return sum.Topics + sum.Comments
}

// replay sends pipelines to an empty site.
func replay(b *testing.B, c *redis.Client, p *pipelines) {
	empty(b, c).Close()
	send(b, c, p)
}

// send sends pipelines while the timer runs.
func send(b *testing.B, c *redis.Client, p *pipelines) {
	b.StartTimer()
	for _, commands := range p.sent {
		pipe := c.Pipeline()
		for _, args := range commands {
			pipe.Do(background, args...)
		}
		if _, err := pipe.Exec(background); err != nil && err != redis.Nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
}

// pipelines is a hook that records what is sent.
type pipelines struct {
	mu   sync.Mutex
	sent [][][]any
}

func (p *pipelines) commands() (n int) {
	for _, commands := range p.sent {
		n += len(commands)
	}
	return n
}

func (p *pipelines) note(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	if name := cmds[0].Name(); name == "hello" || name == "client" { // a new connection
		return next(ctx, cmds)
	}
	var all [][]any
	for _, cmd := range cmds {
		all = append(all, slices.Clone(cmd.Args()))
	}
	p.mu.Lock()
	p.sent = append(p.sent, all)
	p.mu.Unlock()
	return next(ctx, cmds)
}

// The generated files: words without meaning, in the sizes of real ones.

func words(n int) string { return strings.Repeat("lorem ipsum dolor sit amet ", n/27+1)[:n] }

func lines(n int, record func(i int) map[string]any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for i := range n {
		if err := enc.Encode(record(i)); err != nil {
			panic(err) // maps of plain values always encode
		}
	}
	return b.Bytes()
}

var start = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

func v2exFile() []byte {
	return lines(8000, func(i int) map[string]any {
		text := strings.Repeat("问一个问题，", 40)
		return map[string]any{
			"id":               i + 1,
			"title":            fmt.Sprint("问题 ", i),
			"content":          text,
			"content_rendered": text + "<br />",
			"created":          start.Unix() + int64(i)*60,
			"replies":          20,
			"last_modified":    start.Unix(),
			"member": map[string]any{
				"id":       i%4000 + 1,
				"username": fmt.Sprint("member", i%4000),
				"created":  start.Unix(),
			},
			"node": map[string]any{
				"id":               i%200 + 1,
				"name":             fmt.Sprint("node", i%200),
				"title":            fmt.Sprint("Node ", i%200),
				"parent_node_name": fmt.Sprint("tab", i%20),
			},
		}
	})
}

func discourseFile() []byte {
	return lines(2500, func(i int) map[string]any {
		var posts []map[string]any
		for n := range 1 + i%11 {
			post := map[string]any{"post_number": n + 1, "username": fmt.Sprint("user", (i+n*7)%1200),
				"created_at": start.Add(
					time.Duration(i*100+n) * time.Minute,
				), "cooked": "<p>" + words(700) + "</p>", "reply_to_post_number": nil}
			if n > 1 && n%5 == 0 {
				post["reply_to_post_number"] = n
			}
			posts = append(posts, post)
		}
		return map[string]any{
			"id":          i + 1,
			"title":       fmt.Sprint("Topic ", i),
			"created_at":  start.Add(time.Duration(i*100) * time.Minute),
			"posts_count": len(posts),
			"post_stream": map[string]any{"posts": posts},
		}
	})
}

func hackerNewsFile() []byte {
	return lines(15000, func(i int) map[string]any {
		return map[string]any{
			"id":   i + 1,
			"type": "story",
			"by":   fmt.Sprint("user", i%6000),
			"time": start.Unix() + int64(i)*60,
			"title": fmt.Sprint(
				"Story ",
				i,
			),
			"url":         fmt.Sprint("https://example.com/", i),
			"score":       i % 300,
			"descendants": i % 90,
		}
	})
}
