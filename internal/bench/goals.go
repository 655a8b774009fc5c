package main

import (
	"fmt"
	"math"
	"strings"

	"agora/internal/bench/document"
	"agora/internal/bench/subject"
)

// Goal is a goal for the server, and what was measured.
type Goal struct {
	Goal, Measured string
	Met            bool
}

// The bounds. Ratios are to the limit unless noted otherwise.
const (
	maxLatency    = 1.5 // p50 at 1 client
	minThroughput = 0.7 // at 16 clients
	maxCPU        = 1.5
	maxMallocs    = 1.5
	maxGoroutines = 30
	maxGrowth     = 0.1  // of the CPU, from 2,000 to 200,000 topics
	timesFaster   = 5    // throughput at 16 clients, over the usual setup's
	timesShorter  = 10   // the usual setup's p50 at 1 client, over ours
	maxTypename   = 15.0 // µs of CPU above a bare handler
	minReplies    = 0.5  // of the throughput of bare go-redis
)

// few and many are the numbers of clients in the goals.
const few, many = 1, 16

// goals judges the measurements; goals without all of them are omitted.
func (r *Report) goals() []Goal {
	var all []Goal
	add := func(goal string, met bool, format string, args ...any) {
		all = append(all, Goal{goal, fmt.Sprintf(format, args...), met})
	}
	pair := func(d document.Document, other string, clients int) (mine, theirs *Sample) {
		return find(r.Results, d.Name, subject.Agora, clients), find(r.Results, d.Name, other, clients)
	}
	r.goalsOfLimit(add)
	for _, g := range r.Goroutines {
		if g.Document == document.Topic.Name && g.Subject == subject.Agora {
			add(
				fmt.Sprintf("topic page, 1,000 comments: at most %d goroutines", maxGoroutines),
				g.Peak <= maxGoroutines,
				"%d at once, %.0f started",
				g.Peak,
				g.Started,
			)
		}
	}
	r.goalsOfGrowth(add)
	for _, d := range []document.Document{document.Front, document.Topic} {
		if a, u := pair(d, subject.Usual, many); a != nil && u != nil {
			x := ratio(a.Throughput, u.Throughput)
			add(
				fmt.Sprintf("%s: at least %d times the usual set-up's throughput at 16 clients", d.Name, timesFaster),
				x >= timesFaster,
				"%.1f",
				x,
			)
		}
		if a, u := pair(d, subject.Usual, few); a != nil && u != nil {
			x := ratio(u.P50, a.P50)
			add(fmt.Sprintf("%s: at most a tenth of the usual set-up's p50 at 1 client", d.Name), x >= timesShorter, "1/%.1f", x)
		}
	}
	if a, b := pair(document.Typename, subject.Bare, many); a != nil && b != nil {
		add(
			fmt.Sprintf("`{ __typename }`: at most %.0f µs of CPU at 16 clients above a bare handler", maxTypename),
			a.CPU-b.CPU <= maxTypename,
			"%.1f µs (%.1f and %.1f)",
			a.CPU-b.CPU,
			a.CPU,
			b.CPU,
		)
	}
	r.goalsOfReplies(add)
	return all
}

// goalsOfLimit compares with the limit; the ratio to the tuned handler, and that of another figure to the limit, are
// in parentheses.
func (r *Report) goalsOfLimit(add func(goal string, met bool, format string, args ...any)) {
	p50 := func(s *Sample) float64 { return s.P50 }
	throughput := func(s *Sample) float64 { return s.Throughput }
	cpu, redisCPU := func(s *Sample) float64 { return s.CPU }, func(s *Sample) float64 { return s.RedisCPU }
	mallocs, bytes := func(s *Sample) float64 { return s.Mallocs }, func(s *Sample) float64 { return s.Bytes }
	const front, topic = "front page", "topic page, 1,000 comments"
	for _, g := range []struct {
		page, what string
		document   document.Document
		clients    int
		figure     func(*Sample) float64
		least      bool // the bound is a lower one
		bound      float64
		also       string
		other      func(*Sample) float64
	}{
		{page: front, what: "p50 at 1 client", document: document.Front, clients: few, figure: p50, bound: maxLatency},
		{page: front, what: "throughput at 16 clients", document: document.Front, clients: many, figure: throughput,
			least: true, bound: minThroughput},
		{page: front, what: "CPU at 16 clients", document: document.Front, clients: many, figure: cpu, bound: maxCPU,
			also: "Redis", other: redisCPU},
		{page: front, what: "allocations at 16 clients", document: document.Front, clients: many, figure: mallocs,
			bound: maxMallocs, also: "bytes", other: bytes},
		{page: topic, what: "CPU at 16 clients", document: document.Topic, clients: many, figure: cpu, bound: maxCPU,
			also: "Redis", other: redisCPU},
	} {
		a, l := find(
			r.Results,
			g.document.Name,
			subject.Agora,
			g.clients,
		), find(
			r.Results,
			g.document.Name,
			subject.Limit,
			g.clients,
		)
		if a == nil || l == nil {
			continue
		}
		var remarks []string
		if t := find(r.Results, g.document.Name, subject.Tuned, g.clients); t != nil {
			remarks = append(remarks, fmt.Sprintf("tuned: %.2f", ratio(g.figure(a), g.figure(t))))
		}
		if g.other != nil {
			remarks = append(remarks, fmt.Sprintf("%s: %.2f", g.also, ratio(g.other(a), g.other(l))))
		}
		x := ratio(g.figure(a), g.figure(l))
		met, word, remark := x <= g.bound, "most", ""
		if g.least {
			met, word = x >= g.bound, "least"
		}
		if len(remarks) > 0 {
			remark = " (" + strings.Join(remarks, "; ") + ")"
		}
		add(fmt.Sprintf("%s: %s at %s %.1f of the limit's", g.page, g.what, word, g.bound), met, "%.2f%s", x, remark)
	}
}

func (r *Report) goalsOfGrowth(add func(goal string, met bool, format string, args ...any)) {
	if len(r.Growth) != 2 {
		return
	}
	small, large := r.Growth[0].Median, r.Growth[1].Median
	same := math.Round(small.Commands) == math.Round(large.Commands) &&
		math.Round(small.RoundTrips) == math.Round(large.RoundTrips)
	add("front page, 100 times the topics: the same commands", same, "%.0f and %.0f", small.Commands, large.Commands)
	more := ratio(large.CPU, small.CPU) - 1
	add(fmt.Sprintf("front page, 100 times the topics: CPU at most %.0f %% more", 100*maxGrowth), more <= maxGrowth,
		"%+.1f %% (Redis %+.1f %%)", 100*more, 100*(ratio(large.RedisCPU, small.RedisCPU)-1))
}

// goalsOfReplies compares with bare go-redis at each number of clients.
func (r *Report) goalsOfReplies(add func(goal string, met bool, format string, args ...any)) {
	for _, clients := range r.clients() {
		a := find(r.Results, document.Reply.Name, subject.Agora, clients)
		b := find(r.Results, document.Reply.Name, bareRedis, clients)
		if a != nil && b != nil {
			x := ratio(a.Throughput, b.Throughput)
			add(
				fmt.Sprintf("replies, %d clients: at least %.1f of bare go-redis", clients, minReplies),
				x >= minReplies,
				"%.2f",
				x,
			)
		}
	}
}

// clients returns the numbers of clients, in the order in which they were measured.
func (r *Report) clients() []int {
	var all []int
	seen := map[int]bool{}
	for _, x := range r.Results {
		if !seen[x.Clients] {
			seen[x.Clients] = true
			all = append(all, x.Clients)
		}
	}
	return all
}
