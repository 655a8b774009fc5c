package main

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/importer"
	"agora/internal/store"
	"agora/internal/store/archive"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// BenchmarkArchive measures rows per second, alternately: export writes a site; import reads it into an empty Redis, as
// the commands do; bare sends the same pipelines as import, recorded before, through go-redis, one after the other on
// one connection.
func BenchmarkArchive(b *testing.B) {
	requireServer(b)
	server := redistest.Start(b)
	var file bytes.Buffer
	rows := exportSite(b, client(b, server), &file)
	noting := &pipelines{}
	importArchive(b, client(b, server), noting, file.Bytes())
	rates := map[string][]float64{}
	for round := range rounds {
		for _, side := range []string{"import", "bare"} {
			b.Run(fmt.Sprintf("%s/%d", side, round+1), func(b *testing.B) {
				c := client(b, server)
				b.StopTimer()
				b.ResetTimer()
				for range b.N {
					if side == "import" {
						importArchive(b, c, nil, file.Bytes())
					} else {
						flush(b, c)
						send(b, c, noting)
					}
				}
				rates[side] = append(rates[side], report(b, rows))
			})
		}
	}
	b.Run("export", func(b *testing.B) {
		c := client(b, server)
		importArchive(b, c, nil, file.Bytes())
		s := reopen(b, c)
		defer s.Close()
		b.ResetTimer()
		b.StartTimer()
		for range b.N {
			writeArchive(b, s, io.Discard)
		}
		report(b, rows)
	})
	if len(rates) < 2 {
		return // -bench selected one of the sides
	}
	b.Run("ratio", func(b *testing.B) {
		imported, bare := median(rates["import"]), median(rates["bare"])
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(imported/bare, "ratio")
		if b.N == 1 {
			b.Logf("%d rows, %d bytes, %d pipelines of %d commands, medians of %d: import %.0f/s, bare %.0f/s, ratio %.2f",
				rows, file.Len(), len(noting.sent), noting.commands(), rounds, imported, bare, imported/bare)
		}
	})
}

// report reports the rate at which rows were written, and returns it.
func report(b *testing.B, rows int64) float64 {
	rate := float64(rows) * float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "rows/s")
	return rate
}

// flush empties a Redis.
func flush(b *testing.B, c *redis.Client) {
	must.OK(b, c.FlushDB(background).Err())
}

// reopen opens the site in a Redis.
func reopen(b *testing.B, c *redis.Client) *store.Store {
	return must.Do(store.Open(background, store.Over(c), store.Layout{}))(b)
}

// exportSite writes the export of a site with topics and comments, and returns its rows.
func exportSite(b *testing.B, c *redis.Client, w io.Writer) int64 {
	for format, file := range map[importer.Format][]byte{importer.V2EX: v2exFile(), importer.Discourse: discourseFile()} {
		s := reopen(b, c)
		_, err := importer.Run(background, s, importer.Options{Format: format, Category: "Imported"},
			[]importer.Input{{Name: "made up", Open: func() (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(file)), nil
			}}})
		s.Close()
		if err != nil {
			b.Fatal(err)
		}
	}
	s := reopen(b, c)
	defer s.Close()
	return writeArchive(b, s, w)
}

// writeArchive exports a site, and returns the number of rows.
func writeArchive(b *testing.B, s *store.Store, w io.Writer) int64 {
	return must.Do(archive.Export(background, s, w, archive.ExportOptions{}))(b)
}

// importArchive imports an export into an empty Redis while the timer runs.
func importArchive(b *testing.B, c *redis.Client, noting *pipelines, file []byte) {
	flush(b, c)
	if noting != nil {
		c.AddHook(redistest.Hook(noting.note))
	}
	b.StartTimer()
	_, err := archive.Import(background, store.Over(c), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(file)), nil
	}, archive.ImportOptions{})
	b.StopTimer()
	if err != nil {
		b.Fatal(err)
	}
}
