// Package fsck checks the data of an installation and repairs them. It compares everything
// in both directions: each object with all lists and counters that it belongs to, and these
// with their objects. rule.go names the invariants, key.go the kinds of keys; each other file
// looks at one kind of thing. Repairs go through the store's own guards (store.Repairer), or
// are transactions that fail when what they rest on changes.
package fsck

import (
	"context"
	"fmt"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/pipeline"
)

// Options say how Check works.
type Options struct {
	// Repair puts right what can be and checks again. Without it nothing is written.
	Repair bool
	// Prune repairs, and forgets what is lost for good.
	Prune bool
	// OtherKeys passes over keys that no store makes.
	OtherKeys bool
	// Progress, if there, is told now and then how far the check has come, in keys.
	Progress func(done, total int64)
	// Rest is how long a check waits before it looks at suspects again; 0 is 200 ms.
	Rest time.Duration
}

// Finding is one broken invariant.
type Finding struct {
	Rule Rule
	// Key is where it shows.
	Key string
	// Detail says what is wrong.
	Detail string
	// Repaired tells that it was put right: it is not there any more.
	Repaired bool
	// Pending tells that nothing is broken: a mutation was interrupted, and the sweeper of
	// a server that runs on the data finishes it.
	Pending bool
	// Failed says why a repair failed, if one did.
	Failed string
	// Loss says what would be, or was, forgotten of what cannot be repaired; "" when a
	// repair can mend it or only people can.
	Loss string
}

// plain is the finding without what became of it.
func (f Finding) plain() Finding { return Finding{Rule: f.Rule, Key: f.Key, Detail: f.Detail} }

// same reports whether two findings say the same of the data.
func (f Finding) same(g Finding) bool {
	return f.plain() == g.plain()
}

// String is the finding on one line.
func (f Finding) String() string {
	s := fmt.Sprintf("%s  %s  %s", f.Rule, f.Key, f.Detail)
	switch {
	case f.Repaired && f.Loss != "":
		s += " (forgotten: " + f.Loss + ")"
	case f.Repaired:
		s += " (repaired)"
	case f.Pending:
		s += " (pending)"
	case f.Failed != "":
		s += " (repair failed: " + f.Failed + ")"
	}
	return s
}

// Report is what a check has seen.
type Report struct {
	// Keys, Users, Topics and Comments are how many were looked at, deleted topics and tombstones included.
	Keys, Users, Topics, Comments int
	// Findings are the first MaxFindings of what was found.
	Findings []Finding
	// Found and Repaired count all findings but those that are pending.
	Found, Repaired int
	// Lost counts what is left and could be forgotten only.
	Lost int
	// Pending counts what the sweeper of a server will finish.
	Pending int
	// Unswept says why not all that is pending could be finished before a repair.
	Unswept error
	// Unsettled counts what looked wrong but changed each time it was looked at:
	// it was being written to, so nothing can be said of it.
	Unsettled int
}

// Broken is how many findings remain.
func (r *Report) Broken() int { return r.Found - r.Repaired }

const (
	// MaxFindings is the most findings that a report keeps.
	MaxFindings = 1000
	// repairRounds is how often a repair looks again at what it did: mending a
	// set shows a wrong counter, mending that a wrong sum.
	repairRounds = 5
	// pruneRounds is the same with Prune, which shows more that is lost: a comment of a
	// topic that was forgotten, a reply to that.
	pruneRounds = 12
	// confirmRounds is how often suspects are looked at again.
	confirmRounds = 4
	// confirmRest is the pause before that; it doubles with each round.
	confirmRest = 200 * time.Millisecond
	// readSize is the most commands of one pipeline.
	readSize = 500
	// groupSize is how many objects are looked at together.
	groupSize = 64

	// markLife is how old a mark on a topic, comment or category may get, ms: the
	// sweeper takes it up after a second.
	markLife = 10_000
	// lagLife is how long a mark excuses indexes that lag behind, ms.
	lagLife = 5_000
)

// registrationLife is how old a registration that was not finished may get.
func (c *checker) registrationLife() forum.Time {
	return forum.Time(2 * c.repairer.PendingLife() / time.Millisecond)
}

// Check verifies every invariant of the data in both directions: from each
// object to all lists and counters that it belongs to, and from these back. The
// site may be written to meanwhile: what looks wrong is looked at again later,
// and only what is wrong in the same way twice, without a change between, is a
// finding. It only reads, so that it runs on a replica and on a Redis that is full. With
// Repair it settles the store first and puts right what can be, never deleting what
// somebody wrote; a repair that fails does not keep others from being made.
func Check(ctx context.Context, s *store.Store, opts Options) (*Report, error) {
	if opts.Rest == 0 {
		opts.Rest = confirmRest
	}
	if !opts.Repair && !opts.Prune {
		c, err := inspect(ctx, s, opts)
		if err != nil {
			return nil, fmt.Errorf("check: %w", err)
		}
		return c.reportAll(nil), nil
	}
	unswept, err := s.Repairer().Flush(ctx)
	if err != nil {
		return nil, fmt.Errorf("repair: %w", err)
	}
	var earlier []Finding
	failed := map[Finding]string{}
	for round := 1; ; round++ {
		c, err := inspect(ctx, s, opts)
		if err != nil {
			return nil, fmt.Errorf("check: %w", err)
		}
		c.failed, c.report.Unswept = failed, unswept
		repairs, err := 0, error(nil)
		if round < repairRounds || opts.Prune && round < pruneRounds {
			repairs, err = c.repair(ctx, round > 1)
			unswept = c.report.Unswept
		}
		if err != nil {
			return nil, fmt.Errorf("repair: %w", err)
		}
		if repairs == 0 {
			return c.reportAll(earlier), nil
		}
		for _, f := range c.confirmed {
			if f.fix.none() {
				_, f.Loss = c.prune(f)
			}
			earlier = append(earlier, f.Finding)
		}
	}
}

// checker is one pass over all data.
type checker struct {
	s        *store.Store
	repairer store.Repairer
	rdb      *pipeline.Client
	opts     Options
	keys     *inventory
	// found holds what looks wrong, by what it was found on; busy is what cannot be judged now.
	found     map[target][]finding
	busy      map[target]bool
	confirmed []finding
	failed    map[Finding]string // why repairs failed
	report    Report
	total     int64
	done      int64
}

// finding is a Finding that is being looked into.
type finding struct {
	Finding
	on  target
	fix fix
}

// add notes that something looks wrong. Details must hold whatever decides, so
// that a finding that comes back is the same state and not a new one.
func (c *checker) add(on target, rule Rule, key string, x fix, detail string, args ...any) {
	f := Finding{Rule: rule, Key: key, Detail: fmt.Sprintf(detail, args...)}
	c.found[on] = append(c.found[on], finding{Finding: f, on: on, fix: x})
}

// inspect looks at everything and makes sure of what looks wrong.
func inspect(ctx context.Context, s *store.Store, opts Options) (*checker, error) {
	c := &checker{s: s, repairer: s.Repairer(), rdb: s.Repairer().Redis(), opts: opts, keys: newInventory(),
		found: map[target][]finding{}, busy: map[target]bool{}}
	steps := []func(context.Context) error{c.scan, c.inspectLayout, c.inspectCatalogue, c.inspectPartitions,
		c.inspectContainers, c.inspectSocial, c.inspectNotes, c.confirm, c.judgePending}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	c.progress(c.total - c.done)
	return c, nil
}

func (c *checker) progress(keys int64) {
	c.done = min(c.done+keys, c.total)
	if c.opts.Progress != nil {
		c.opts.Progress(c.done, c.total)
	}
}

// confirm looks again at what looked wrong or could not be judged, a few times.
// What is the same twice is confirmed; what is gone was only on its way.
func (c *checker) confirm(ctx context.Context) error {
	type same struct {
		on        target
		rule      Rule
		key, text string
	}
	sure := map[same]bool{}
	rest := c.opts.Rest
	for round := 0; round < confirmRounds && c.open(); round++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rest):
		}
		rest *= 2
		before := map[same]bool{}
		suspects := c.busy
		for on, fs := range c.found {
			suspects[on] = true
			for _, f := range fs {
				before[same{on, f.Rule, f.Key, f.Detail}] = true
			}
		}
		c.found, c.busy = map[target][]finding{}, map[target]bool{}
		if err := c.inspectAgain(ctx, suspects); err != nil {
			return err
		}
		for on, fs := range c.found {
			var fresh []finding
			for _, f := range fs {
				id := same{on, f.Rule, f.Key, f.Detail}
				switch {
				case sure[id]:
				case before[id]:
					sure[id] = true
					c.confirmed = append(c.confirmed, f)
				default:
					fresh = append(fresh, f)
				}
			}
			if c.found[on] = fresh; len(fresh) == 0 {
				delete(c.found, on)
			}
		}
	}
	for on := range c.found {
		c.busy[on] = true
	}
	for on := range c.busy {
		if !lagsOnly(on) {
			c.report.Unsettled++
		}
	}
	return nil
}

// open reports whether anything is left to be made sure of.
func (c *checker) open() bool {
	for on := range c.busy {
		if !lagsOnly(on) {
			return true
		}
	}
	return len(c.found) > 0
}

// reportAll sums up this pass and what earlier ones found and repaired.
func (c *checker) reportAll(earlier []Finding) *Report {
	type place struct {
		rule Rule
		key  string
	}
	left := map[place]bool{}
	for _, f := range c.confirmed {
		left[place{f.Rule, f.Key}] = true
	}
	told := map[Finding]bool{}
	r := &c.report
	tell := func(f Finding, repaired bool) {
		if told[f] {
			return
		}
		told[f] = true
		if f.Pending && !repaired {
			r.Pending++
		} else {
			r.Found++
		}
		if f.Repaired = repaired; repaired {
			r.Repaired++
		} else {
			f.Failed = c.failed[f.plain()]
		}
		if len(r.Findings) < MaxFindings {
			r.Findings = append(r.Findings, f)
		}
	}
	for _, f := range earlier {
		if !left[place{f.Rule, f.Key}] {
			tell(f, true)
		}
	}
	for _, f := range c.confirmed {
		if f.fix.none() {
			if _, f.Loss = c.prune(f); f.Loss != "" {
				r.Lost++
			}
		}
		tell(f.Finding, false)
	}
	return r
}
