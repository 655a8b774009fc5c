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

// A goal that is exactly reached is met; just beyond, it is not.
func TestGoalsAtTheirBounds(t *testing.T) {
	limit := Sample{P50: 1, Throughput: 100, CPU: 100, Mallocs: 100}
	tests := []struct {
		name  string
		agora Sample
		want  int // goals met
	}{
		{"all at their bounds", Sample{P50: 1.5, Throughput: 70, CPU: 150, Mallocs: 150}, 4},
		{"all beyond", Sample{P50: 1.51, Throughput: 69, CPU: 151, Mallocs: 151}, 0},
	}
	for _, tt := range tests {
		r := Report{}
		for _, clients := range []int{few, many} {
			r.Results = append(r.Results, &Result{Document: "front", Subject: "limit", Clients: clients, Median: limit},
				&Result{Document: "front", Subject: "agora", Clients: clients, Median: tt.agora})
		}
		met := 0
		for _, g := range r.goals() {
			if g.Met {
				met++
			}
		}
		if met != tt.want || len(r.goals()) != 4 {
			t.Errorf("%s: %d goals of %d are met; want %d of 4: %+v", tt.name, met, len(r.goals()), tt.want, r.goals())
		}
	}
}

// Goals refer to the limit; the ratio to the tuned handler is a remark.
func TestGoalsRemarkOnTuned(t *testing.T) {
	of := func(by string, clients int, cpu float64) *Result {
		return &Result{Document: "front", Subject: by, Clients: clients,
			Median: Sample{P50: cpu, Throughput: 1 / cpu, CPU: cpu, RedisCPU: 4, Mallocs: cpu, Bytes: cpu}}
	}
	r := Report{}
	for _, clients := range []int{few, many} {
		r.Results = append(r.Results, of("limit", clients, 2), of("tuned", clients, 1), of("agora", clients, 3))
	}
	want := []Goal{
		{"front page: p50 at 1 client at most 1.5 of the limit's", "1.50 (tuned: 3.00)", true},
		{"front page: throughput at 16 clients at least 0.7 of the limit's", "0.67 (tuned: 0.33)", false},
		{"front page: CPU at 16 clients at most 1.5 of the limit's", "1.50 (tuned: 3.00; Redis: 1.00)", true},
		{"front page: allocations at 16 clients at most 1.5 of the limit's", "1.50 (tuned: 3.00; bytes: 1.50)", true},
	}
	if got := r.goals(); !slices.Equal(got, want) {
		t.Errorf("goals are %+v; want %+v", got, want)
	}
}

// For documents that read pages the tuned handler follows the limit; otherwise they are the same.
func TestSubjectsOfDocuments(t *testing.T) {
	o := options{Subjects: subjectNames}
	want := map[string]string{
		"front": "limit tuned agora gqlgen usual", "topic": "limit tuned agora gqlgen usual",
		"topic-html": "limit tuned agora gqlgen usual",
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
