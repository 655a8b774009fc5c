package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/bench/document"
)

func TestMedian(t *testing.T) {
	tests := []struct {
		of   []float64
		want float64
	}{
		{nil, 0},
		{[]float64{3}, 3},
		{[]float64{9, 1, 2}, 2},
		{[]float64{4, 1, 2, 9}, 3},
		{[]float64{5, 5, 5, 5, 1}, 5},
	}
	for _, tt := range tests {
		if got := median(tt.of); got != tt.want {
			t.Errorf("median(%v) = %v; want %v", tt.of, got, tt.want)
		}
	}
	of := []float64{3, 1, 2}
	median(of)
	if of[0] != 3 {
		t.Errorf("median has sorted what it was given: %v", of)
	}
}

func TestPercentile(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i + 1)
	}
	tests := []struct {
		of   []time.Duration
		p    float64
		want time.Duration
	}{
		{nil, 50, 0},
		{hundred[:1], 99, 1},
		{hundred, 50, 50},
		{hundred, 99, 99},
		{hundred, 100, 100},
		{hundred, 0, 1},
		{hundred[:3], 50, 2},
		{hundred[:3], 99, 3},
	}
	for _, tt := range tests {
		if got := percentile(tt.of, tt.p); got != tt.want {
			t.Errorf("percentile of %d values, %v = %d; want %d", len(tt.of), tt.p, got, tt.want)
		}
	}
}

func TestSummary(t *testing.T) {
	r := Result{Rounds: []Sample{{P50: 3, Commands: 10}, {P50: 1, Commands: 10}, {P50: 2, Commands: 40}}}
	r.summarize()
	if r.Median != (Sample{P50: 2, Commands: 10}) {
		t.Errorf("medians of %+v are %+v; want 2 ms and 10 commands", r.Rounds, r.Median)
	}
}

// A goal that is exactly reached is met; just beyond, it is not. Without its figures there is no goal.
func TestGoalsAtTheirBounds(t *testing.T) {
	of := func(clients int, by string, s Sample) *Result {
		return &Result{Document: "front", Subject: by, Clients: clients, Median: s}
	}
	other := Sample{P50: 1, Throughput: 100, CPU: 100, RedisCPU: 100, Commands: 100}
	tests := []struct {
		name string
		near Sample
		met  bool
	}{
		{"at their bounds", Sample{P50: 1.5, Throughput: 90, CPU: 120, RedisCPU: 60, Commands: 60, Mallocs: 1800}, true},
		{"beyond", Sample{P50: 1.51, Throughput: 89, CPU: 151, RedisCPU: 61, Commands: 61, Mallocs: 1801}, false},
	}
	for _, tt := range tests {
		r := Report{Results: []*Result{
			of(1, "limit", other), of(1, "near", tt.near),
			of(16, "limit", other), of(16, "tuned", other), of(16, "before", other), of(16, "near", tt.near),
			of(64, "tuned", other), of(64, "near", tt.near),
		}}
		want := []string{
			"front: p50 of near at 1 client at most 1.5 of limit's",
			"front: CPU of near at 16 clients at most 1.2 of limit's",
			"front: CPU of near at 16 clients at most 1.5 of tuned's",
			"front: throughput of near at 64 clients at least 0.9 of tuned's",
			"front: commands of near at 16 clients at most 0.6 of before's",
			"front: Redis CPU of near at 16 clients at most 0.6 of before's",
			"front: at most 1800 allocations of near",
		}
		var got []string
		for _, g := range r.goals() {
			got = append(got, g.Goal)
			if g.Met != tt.met {
				t.Errorf("%s: %+v; want that met is %v", tt.name, g, tt.met)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the goals are %q; want %q", tt.name, got, want)
		}
	}
}

// For documents that read pages the tuned handler follows the limit; otherwise they are the same.
func TestSubjectsOfDocuments(t *testing.T) {
	o := options{Subjects: subjectNames}
	want := map[string]string{
		"front": "limit tuned agora near gqlgen usual", "topic": "limit tuned agora near gqlgen usual",
		"topic-html": "limit tuned agora near gqlgen usual",
		"typename":   "bare agora gqlgen usual", "reply": "limit go-redis agora gqlgen usual",
		"post": "limit agora gqlgen usual",
	}
	for _, d := range document.All() {
		if got := strings.Join(o.subjects(d), " "); got != want[d.Name] {
			t.Errorf("%s is measured with %s; want %s", d.Name, got, want[d.Name])
		}
	}
}

func TestInvalidOptions(t *testing.T) {
	good := options{Rounds: 1, Duration: time.Second, Clients: []int{1}, Scale: 1}
	tests := []struct {
		name  string
		spoil func(*options)
	}{
		{"no round", func(o *options) { o.Rounds = 0 }},
		{"no time", func(o *options) { o.Duration = 0 }},
		{"no client", func(o *options) { o.Clients = nil }},
		{"too many clients", func(o *options) { o.Clients = []int{1, maxClients + 1} }},
		{"no forum", func(o *options) { o.Scale = 0 }},
		{"unknown document", func(o *options) { o.Only = []string{"front", "back"} }},
		{"unknown subject", func(o *options) { o.Subjects = []string{"wordpress"} }},
	}
	for _, tt := range tests {
		o := good
		tt.spoil(&o)
		if err := run(t.Context(), o); err == nil {
			t.Errorf("%s: Run succeeds; want an error", tt.name)
		}
	}
	if err := good.check(); err != nil {
		t.Errorf("check(%+v) = %v; want nil", good, err)
	}
}
