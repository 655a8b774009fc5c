package main

import (
	"fmt"
	"io"
	"strings"

	"agora/bench/document"
)

// writeMarkdown writes the report as tables.
func (r *Report) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	disk := "nothing on disk"
	if r.Machine.Durable {
		disk = "every write on disk before it is acknowledged"
	}
	fmt.Fprintf(
		&b,
		"# Benchmark\n\n%s, %s, Redis %s (%s), %d CPUs, GOMAXPROCS %d, GOGC %s. %d users, %d topics, %d comments. "+
			"Medians of %d rounds of %.3g s each; %d answers compared. It took %.0f s.\n",
		r.Machine.Time.Format(
			"2006-01-02 15:04 MST",
		),
		r.Machine.Go,
		r.Machine.Redis,
		disk,
		r.Machine.CPUs,
		r.Machine.GOMAXPROCS,
		r.Machine.GOGC,
		r.Users,
		r.Topics,
		r.Comments,
		r.Rounds,
		r.Seconds,
		r.Compared,
		r.Took,
	)
	for _, d := range document.All() {
		r.table(&b, d)
	}
	r.goroutineTable(&b)
	r.growthTable(&b)
	if len(r.Goals) > 0 {
		b.WriteString("\n## Goals\n\n| goal | measured | met |\n|---|---|---|\n")
		for _, g := range r.Goals {
			met := "no"
			if g.Met {
				met = "yes"
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", g.Goal, g.Measured, met)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const (
	columns = " p50, ms | p99, ms | requests/s | CPU, µs | Redis CPU, µs | allocations | kB | round trips | commands |" +
		" resident MB |"
	rule   = "---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
	ratios = " p50 × | requests/s × | CPU × | Redis CPU × | allocations × |"
	ruled  = "---:|---:|---:|---:|---:|"
)

// cells returns the figures of a row.
func (s *Sample) cells() string {
	return fmt.Sprintf(" %.3f | %.3f | %.0f | %.1f | %.1f | %.0f | %.1f | %.1f | %.1f | %.0f |",
		s.P50, s.P99, s.Throughput, s.CPU, s.RedisCPU, s.Mallocs, s.Bytes/1000, s.RoundTrips, s.Commands,
		s.Resident/1e6)
}

// against returns the ratios to the first subject of the table.
func (s *Sample) against(t *Sample) string {
	return fmt.Sprintf(" %.2f | %.2f | %.2f | %.2f | %.2f |", ratio(s.P50, t.P50), ratio(s.Throughput, t.Throughput),
		ratio(s.CPU, t.CPU), ratio(s.RedisCPU, t.RedisCPU), ratio(s.Mallocs, t.Mallocs))
}

// table writes the results of one document; ratios are to the first row with the same number of clients.
func (r *Report) table(b *strings.Builder, d document.Document) {
	begun, bare := false, false
	var first *Result
	for _, clients := range r.clients() {
		for _, x := range r.Results {
			if x.Document != d.Name || x.Clients != clients {
				continue
			}
			if !begun {
				fmt.Fprintf(
					b,
					"\n## %s (%s)\n\n| clients | subject |%s%s\n|---:|---|%s%s\n",
					d.Title,
					d.Name,
					columns,
					ratios,
					rule,
					ruled,
				)
				begun = true
			}
			if first == nil || first.Clients != clients {
				first = x
			}
			if x.Subject == bareRedis {
				bare = true
			}
			fmt.Fprintf(b, "| %d | %s |%s%s\n", clients, x.Subject, x.Median.cells(), x.Median.against(&first.Median))
		}
	}
	if bare {
		b.WriteString("\n*go-redis* runs in the process that sends the requests of the others.\n")
	}
}

func (r *Report) goroutineTable(b *strings.Builder) {
	if len(r.Goroutines) == 0 {
		return
	}
	b.WriteString(
		"\n## Goroutines of one request\n\n| document | subject | most at once | started |\n|---|---|---:|---:|\n",
	)
	for _, g := range r.Goroutines {
		fmt.Fprintf(b, "| %s | %s | %d | %.0f |\n", g.Document, g.Subject, g.Peak, g.Started)
	}
}

func (r *Report) growthTable(b *strings.Builder) {
	if len(r.Growth) == 0 {
		return
	}
	fmt.Fprintf(
		b,
		"\n## Growth: the front page of two forums, %d clients\n\n| forum |%s%s\n|---|%s%s\n",
		r.Growth[0].Clients,
		columns,
		ratios,
		rule,
		ruled,
	)
	for _, x := range r.Growth {
		fmt.Fprintf(b, "| %s |%s%s\n", x.Document, x.Median.cells(), x.Median.against(&r.Growth[0].Median))
	}
}
