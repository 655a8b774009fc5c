//go:build linux

package floods

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"agora/internal/test/testlevel"
)

// goals are what a canary at the attacked server may see beyond one at the control server, and how much memory the
// server may take.
type goals struct {
	times   time.Duration // the 99th of 100 answers takes at most so often as long,
	late    time.Duration // or so much longer
	slowest time.Duration // the slowest answer takes at most so much longer
	memory  int64         // bytes resident, with the default object cache
	share   bool          // the flooder is served, too
}

var (
	// floodGoals are those of make floods.
	floodGoals = goals{times: 1, late: 100 * time.Millisecond, slowest: 300 * time.Millisecond, memory: 320 << 20,
		share: true}
	// testGoals are those of make test, where other tests run beside this one.
	testGoals = goals{times: 5, late: 250 * time.Millisecond, slowest: canaryPatience, memory: 400 << 20}
)

// TestFloods floods the site in many ways. make test runs the worst ones, make floods (FLOODS=all) all, and others that
// FLOODS_SEED draws. FLOODS_SECONDS is how long each takes, FLOODS_ONLY a part of the names of those to run.
func TestFloods(t *testing.T) {
	testlevel.LongWithoutRace(t)
	all := os.Getenv("FLOODS") == "all"
	life, seed, accounts, want := 5*time.Second, uint64(1), 0, testGoals
	if all {
		want = floodGoals
		life, seed, accounts = 8*time.Second, number(t, "FLOODS_SEED", uint64(rand.Uint32())), 2000
	}
	life = time.Duration(number(t, "FLOODS_SECONDS", uint64(life.Seconds()))) * time.Second
	p := startPair(t, seed, accounts)
	d := newDrawer(t, seed, p.data)
	rows := scenarios
	only := os.Getenv("FLOODS_ONLY")
	if all {
		t.Logf("FLOODS_SEED=%d repeats what is drawn", seed)
		if only == "" || strings.Contains("drawn: all of them", only) {
			rows = append(rows[:len(rows):len(rows)], drawn(d, p.weigh(d))...)
		}
	}
	var table []result
	for _, s := range rows {
		if (all || s.worst) && strings.Contains(s.name, only) {
			table = append(table, p.run(s, d, life))
		}
	}
	var failures []string
	for _, r := range table {
		failures = append(failures, r.judge(want)...)
	}
	if all && strings.Contains(rendererName, only) {
		text, missed := p.renderers(life)
		t.Log(text)
		failures = append(failures, missed...)
	}
	t.Log(format(table, want))
	for _, f := range failures {
		t.Error(f)
	}
}

// number is an environment variable, or another value if it is not set.
func number(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil || n == 0 {
		t.Fatalf("%s: %q is no number from 1 on", name, text)
	}
	return n
}

// result is what one scenario did.
type result struct {
	scenario          scenario
	attacked, control seen
	memory            int64
	cpu               float64 // processors that the server kept busy
	outcome           outcome // of all flooders
	silent            bool    // no answers are due
	ended             bool    // the server has ended by itself
}

// run floods a new server, with a canary there and one at the control server.
func (p *pair) run(s scenario, d *drawer, life time.Duration) result {
	p.t.Helper()
	p.renew()
	r := result{scenario: s, outcome: outcome{Refused: map[string]int{}}}
	p.attacked.forget()
	began, cpu := time.Now(), p.attacked.cpu()
	var ends []func() outcome
	for _, f := range s.floods(p, d) {
		r.silent = r.silent || f.Silent
		ends = append(ends, f.start(p.t))
	}
	controlled := make(chan seen)
	go func() { controlled <- newCanary(p.control.addr).watch(life, p.front) }() // ends with its last answer
	r.attacked = newCanary(p.attacked.addr).watch(life, p.front)
	r.control = <-controlled
	r.cpu = float64(p.attacked.cpu()-cpu) / float64(time.Since(began))
	r.ended = p.attacked.ended()
	for _, end := range ends {
		o := end()
		r.outcome.Served += o.Served
		for why, n := range o.Refused {
			r.outcome.Refused[why] += n
		}
	}
	r.memory = p.attacked.memory()
	p.t.Logf("%s: %d served, refused: %v; %s", s.name, r.outcome.Served, r.outcome.Refused, r.attacked.failure)
	return r
}

// judge returns the goals that were missed.
func (r result) judge(want goals) (missed []string) {
	miss := func(format string, args ...any) {
		missed = append(missed, r.scenario.name+": "+fmt.Sprintf(format, args...))
	}
	a, c := r.attacked, r.control
	if r.ended {
		miss("the server has ended by itself")
	}
	if a.failed > 0 || a.lacks > 0 {
		miss("%d answers failed (%s), and %d lack rows; want none", a.failed, a.failure, a.lacks)
	}
	if want.share && !r.silent && r.outcome.Served == 0 {
		miss("nothing was served to the flooder (%v); want its share", r.outcome.Refused)
	}
	if late, most := a.at(.99), max(want.times*c.at(.99), c.at(.99)+want.late); late > most {
		miss("the 99th of 100 answers took %v, at the control server %v; want at most %v", ms(late), ms(c.at(.99)), ms(most))
	}
	if slowest, most := a.at(1), c.at(1)+want.slowest; slowest > most {
		miss("the slowest answer took %v, at the control server %v; want at most %v", ms(slowest), ms(c.at(1)), ms(most))
	}
	if r.memory > want.memory {
		miss("%d MB of memory; want at most %d", r.memory>>20, want.memory>>20)
	}
	return missed
}

func ms(d time.Duration) time.Duration { return d.Round(time.Millisecond) }

// format returns the table. Times are milliseconds.
func format(table []result, want goals) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-52s|%22s |%22s | p99   |%5s |%5s |%5s |%5s |%13s | %s\n", "", "attacked p50  p99  max", "control p50  p99  max",
		"fail", "lack", "MB", "CPUs", "served", "")
	for _, r := range table {
		verdict := "ok"
		if r.judge(want) != nil {
			verdict = "MISSED"
		}
		share := "-"
		if n := r.outcome.total(); n > 0 && !r.silent {
			share = fmt.Sprintf("%.0f%%", 100*float64(r.outcome.Served)/float64(n))
		}
		fmt.Fprintf(&b, "%-52.52s|%s |%s | x%-5.1f|%5d |%5d |%5d |%5.1f |%8d %4s | %s\n", r.scenario.name, times(r.attacked), times(r.control),
			float64(r.attacked.at(.99))/float64(max(1, r.control.at(.99))), r.attacked.failed, r.attacked.lacks, r.memory>>20,
			r.cpu, r.outcome.Served, share, verdict)
	}
	return b.String()
}

func times(s seen) string {
	return fmt.Sprintf("%10d %5d %5d", s.at(.5).Milliseconds(), s.at(.99).Milliseconds(), s.at(1).Milliseconds())
}
