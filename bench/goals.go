package main

import (
	"fmt"
	"math"

	"agora/bench/document"
	"agora/bench/subject"
)

// Goal is a goal for the server, and what was measured.
type Goal struct {
	Goal, Measured string
	Met            bool
}

// The bounds that are no ratios.
const (
	maxMallocs    = 600 // of a front page
	maxKB         = 80
	maxGoroutines = 30
	maxGrowth     = 0.1  // of the CPU, from 2,000 to 200,000 topics
	maxTypename   = 12.0 // µs of CPU above a bare handler
)

// few, many and most are the numbers of clients in the goals.
const few, many, most = 1, 16, 64

// quantity is a figure of a sample that goals compare.
type quantity struct {
	name  string
	least bool // more is better
	of    func(*Sample) float64
}

var (
	p50        = quantity{"p50", false, func(s *Sample) float64 { return s.P50 }}
	throughput = quantity{"throughput", true, func(s *Sample) float64 { return s.Throughput }}
	cpu        = quantity{"CPU", false, func(s *Sample) float64 { return s.CPU }}
	redisCPU   = quantity{"Redis CPU", false, func(s *Sample) float64 { return s.RedisCPU }}
)

// compared are the goals that are ratios of one subject to another, with a document and a number of clients. Pages are
// judged with the object cache, which is on by default.
var compared = []struct {
	document document.Document
	clients  int
	quantity quantity
	of, to   string // the subjects
	bound    float64
}{
	{document.Front, many, cpu, subject.Cached, subject.Limit, 0.5},
	{document.Front, many, cpu, subject.Cached, subject.Kept, 1.5},
	{document.Front, many, redisCPU, subject.Cached, subject.Limit, 0.15},
	{document.Front, most, throughput, subject.Cached, subject.Tuned, 1.5},
	{document.Front, few, p50, subject.Cached, subject.Usual, 0.1},
	{document.Front, many, throughput, subject.Cached, subject.Usual, 5},
	{document.Topic, many, cpu, subject.Cached, subject.Limit, 0.6},
	{document.Topic, many, throughput, subject.Cached, subject.Limit, 1.5},
	{document.Topics, many, cpu, subject.Cached, subject.Limit, 0.6},
	{document.Topics, many, throughput, subject.Cached, subject.Limit, 1.5},
	{document.Topic, few, p50, subject.Cached, subject.Usual, 0.1},
	{document.Topic, many, throughput, subject.Cached, subject.Usual, 5},
	{document.Reply, many, redisCPU, subject.Agora, before, 0.5},
	{document.Reply, most, throughput, subject.Agora, bareRedis, 0.85},
	{document.Post, many, redisCPU, subject.Agora, before, 0.5},
}

// goals judges the measurements; goals without all of them are omitted.
func (r *Report) goals() []Goal {
	all := r.ratioGoals()
	add := func(goal string, met bool, format string, args ...any) {
		all = append(all, Goal{goal, fmt.Sprintf(format, args...), met})
	}
	if a := find(r.Results, document.Front.Name, subject.Cached, many); a != nil {
		add(fmt.Sprintf("front: at most %d allocations of cached", maxMallocs), a.Mallocs <= maxMallocs, "%.0f", a.Mallocs)
		add(fmt.Sprintf("front: at most %d kB of cached", maxKB), a.Bytes <= maxKB*1000, "%.0f", a.Bytes/1000)
		r.goalsBeside(a, add)
	}
	for _, g := range r.Goroutines {
		if g.Document == document.Topic.Name && g.Subject == subject.Agora {
			add(fmt.Sprintf("topic: at most %d goroutines", maxGoroutines), g.Peak <= maxGoroutines,
				"%d at once, %.0f started", g.Peak, g.Started)
		}
	}
	r.goalsOfGrowth(add)
	a := find(r.Results, document.Typename.Name, subject.Agora, many)
	if b := find(r.Results, document.Typename.Name, subject.Bare, many); a != nil && b != nil {
		add(fmt.Sprintf("typename: at most %.0f µs of CPU at 16 clients above a bare handler", maxTypename),
			a.CPU-b.CPU <= maxTypename, "%.1f µs (%.1f and %.1f)", a.CPU-b.CPU, a.CPU, b.CPU)
	}
	return all
}

// goalsBeside judges other front pages by the plain one, of the server as it is by default.
func (r *Report) goalsBeside(plain *Sample, add func(goal string, met bool, format string, args ...any)) {
	if own := find(r.Results, document.FrontOwn.Name, subject.Cached, many); own != nil {
		x := ratio(own.CPU, plain.CPU)
		add("front-own: CPU of cached at 16 clients at most 1.6 of front's", x <= 1.6, "%.2f (%.0f µs more)", x,
			own.CPU-plain.CPU)
	}
	if voted := find(r.Results, document.FrontVoted.Name, subject.Cached, many); voted != nil {
		x := ratio(voted.P99, plain.P99)
		add("front-voted: p99 of cached at 16 clients at most 2 times front's", x <= 2, "%.2f, with %.0f votes a second", x,
			voted.Votes)
	}
}

// ratioGoals judges the ratios.
func (r *Report) ratioGoals() []Goal {
	var all []Goal
	for _, g := range compared {
		mine := find(r.Results, g.document.Name, g.of, g.clients)
		other := find(r.Results, g.document.Name, g.to, g.clients)
		if mine == nil || other == nil {
			continue
		}
		x := ratio(g.quantity.of(mine), g.quantity.of(other))
		met, word, plural := x <= g.bound, "most", "s"
		if g.quantity.least {
			met, word = x >= g.bound, "least"
		}
		if g.clients == 1 {
			plural = ""
		}
		all = append(all, Goal{
			Goal: fmt.Sprintf("%s: %s of %s at %d client%s at %s %v of %s's", g.document.Name, g.quantity.name, g.of,
				g.clients, plural, word, g.bound, g.to),
			Measured: fmt.Sprintf("%.2f", x),
			Met:      met,
		})
	}
	return all
}

func (r *Report) goalsOfGrowth(add func(goal string, met bool, format string, args ...any)) {
	if len(r.Growth) != 2 {
		return
	}
	small, large := r.Growth[0].Median, r.Growth[1].Median
	same := math.Round(small.Commands) == math.Round(large.Commands) &&
		math.Round(small.RoundTrips) == math.Round(large.RoundTrips)
	add("front, 100 times the topics: the same commands", same, "%.0f and %.0f", small.Commands, large.Commands)
	more := ratio(large.CPU, small.CPU) - 1
	add(fmt.Sprintf("front, 100 times the topics: CPU at most %.0f %% more", 100*maxGrowth), more <= maxGrowth,
		"%+.1f %% (Redis %+.1f %%)", 100*more, 100*(ratio(large.RedisCPU, small.RedisCPU)-1))
}
