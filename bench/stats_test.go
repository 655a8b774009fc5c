package main

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agora/bench/document"
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
		name   string
		cached Sample
		met    bool
	}{
		{"at their bounds", Sample{Throughput: 150, CPU: 50, RedisCPU: 15, Mallocs: 600, Bytes: 80_000}, true},
		{"beyond", Sample{Throughput: 149, CPU: 51, RedisCPU: 16, Mallocs: 601, Bytes: 80_001}, false},
	}
	for _, tt := range tests {
		r := Report{Results: []*Result{
			of(16, "limit", other), of(16, "cached", tt.cached),
			of(64, "tuned", other), of(64, "cached", tt.cached),
		}}
		want := []string{
			"front: CPU of cached at 16 clients at most 0.5 of limit's",
			"front: Redis CPU of cached at 16 clients at most 0.15 of limit's",
			"front: throughput of cached at 64 clients at least 1.5 of tuned's",
			"front: at most 600 allocations of cached",
			"front: at most 80 kB of cached",
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
		"front": "limit tuned kept agora cached gqlgen usual", "topic": "limit tuned agora cached gqlgen usual",
		"front-own": "cached agora", "front-voted": "cached agora", "topics": "limit tuned agora cached",
		"topic-html": "limit tuned agora cached gqlgen usual",
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
