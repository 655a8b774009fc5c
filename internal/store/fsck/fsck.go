// Package fsck checks the data of an installation and repairs them. It compares everything in both
// directions: each object with all lists and counters that it belongs to, and these with their
// objects. Subjects of the store have checks of their own (check.Subject); those of partitions, tasks and single keys are
// here, with their rules in rule.go. Repairs go through the store's own guards, or are transactions that
// fail if the data they depend on change.
package fsck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"agora/internal/store"
	"agora/internal/store/check"
	"agora/internal/store/internal/pipeline"
)

// Options configure Check.
type Options struct {
	// Repair repairs what it can and checks again. Without it nothing is written.
	Repair bool
	// Prune repairs, and deletes what cannot be recovered.
	Prune bool
	// OtherKeys ignores keys that do not look like a store's.
	OtherKeys bool
	// Progress, if not nil, is called from time to time with the progress of the check, in keys.
	Progress func(done, total int64)
	// Rest is how long a check waits before it checks findings again; 0 is 200 ms.
	Rest time.Duration
}

// Finding is one broken invariant.
type Finding = check.Finding

// Report is the result of a check.
type Report struct {
	// Keys, Users, Topics and Comments count what was checked, including deleted topics and
	// tombstones.
	Keys, Users, Topics, Comments int
	// Findings are the first MaxFindings findings.
	Findings []Finding
	// Found and Repaired count all findings except pending ones.
	Found, Repaired int
	// Lost counts remaining findings that only a prune can remove.
	Lost int
	// Pending counts findings that the sweeper of a server will finish.
	Pending int
	// Unswept is why pending work could not be finished before a repair.
	Unswept error
	// Refused are the names of users that would be refused today, and why. That is no finding: they keep them.
	Refused []string
	// Unsettled counts what looked wrong but changed each time it was checked: it was being written
	// to, so it cannot be checked.
	Unsettled int
}

// Broken returns the number of remaining findings.
func (r *Report) Broken() int { return r.Found - r.Repaired }

const (
	// MaxFindings is the maximum number of findings that a report keeps.
	MaxFindings = 1000
	// repairRounds is the maximum number of checks in a repair: repairing a set may reveal a wrong
	// counter, repairing that a wrong sum.
	repairRounds = 5
	// pruneRounds is the same with Prune, which reveals further losses: a comment of a deleted
	// topic, then a reply to that comment.
	pruneRounds = 12
	// confirmRounds is how often findings are checked again.
	confirmRounds = 4
	// confirmRest is the pause before that; it doubles with each round.
	confirmRest = 200 * time.Millisecond
	// readSize is the maximum number of commands of one pipeline.
	readSize = 500
)

// LagLife is how long indexes may be out of date after a change.
const LagLife = check.LagLife * time.Millisecond

// Check verifies every invariant of the data in both directions: from each object to all lists and
// counters that it belongs to, and back. The site may be written to during the check: what looks
// wrong is checked again later, and only what is wrong in the same way twice, without a change in
// between, is a finding. It only reads, so it works on a replica and on a Redis that is out of
// memory. With Repair it flushes the store's pending work first and repairs what it can, but never
// deletes user content. A failed repair does not prevent others.
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
	unswept, err := s.FlushDespite(ctx)
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
			repairs, err = c.repair(ctx)
			unswept = c.report.Unswept
		}
		if err != nil {
			return nil, fmt.Errorf("repair: %w", err)
		}
		if repairs == 0 {
			return c.reportAll(earlier), nil
		}
		for _, f := range c.confirmed {
			earlier = append(earlier, f.Finding)
		}
	}
}

// checker is one check of all data.
type checker struct {
	*check.Run
	s         *store.Store
	rdb       *pipeline.Client
	opts      Options
	keys      *inventory
	confirmed []check.Found
	failed    map[Finding]string // why repairs failed
	report    Report
	total     int64
	done      int64
}

// inspect checks all data, confirms the findings and sets which are pending.
func inspect(ctx context.Context, s *store.Store, opts Options) (*checker, error) {
	c, err := checkAll(ctx, s, opts)
	if err != nil {
		return nil, err
	}
	if err := c.checkPending(ctx); err != nil {
		return nil, err
	}
	c.progress(c.total - c.done)
	return c, nil
}

// checkAll checks all data and confirms the findings.
func checkAll(ctx context.Context, s *store.Store, opts Options) (*checker, error) {
	c := &checker{s: s, rdb: s.Engine.Client, opts: opts, keys: newInventory()}
	c.Run = check.NewRun(s.Engine, append(s.Checks(), c.own()))
	steps := []func(context.Context) error{c.scan, c.inspectPartitions, c.inspectSite, c.confirm}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *checker) progress(keys int64) {
	c.done = min(c.done+keys, c.total)
	if c.opts.Progress != nil {
		c.opts.Progress(c.done, c.total)
	}
}

// confirm checks again what has findings and what could not be checked, a few times. What is the same twice is
// confirmed. What disappears was a write in progress.
func (c *checker) confirm(ctx context.Context) error {
	type same struct {
		on check.Target
		Finding
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
		rechecks := c.Busy
		for on, fs := range c.Found {
			rechecks[on] = true
			for _, f := range fs {
				before[same{on, f.Plain()}] = true
			}
		}
		if err := c.inspectAgain(ctx, rechecks); err != nil {
			return err
		}
		for on, fs := range c.Found {
			var fresh []check.Found
			for _, f := range fs {
				id := same{on, f.Plain()}
				switch {
				case sure[id]:
				case before[id]:
					sure[id] = true
					c.confirmed = append(c.confirmed, f)
				default:
					fresh = append(fresh, f)
				}
			}
			if c.Found[on] = fresh; len(fresh) == 0 {
				delete(c.Found, on)
			}
		}
	}
	for on := range c.Found {
		c.Busy[on] = true
	}
	for on := range c.Busy {
		if !c.LagsOnly(on) {
			c.report.Unsettled++
		}
	}
	return nil
}

// open reports whether anything remains to be confirmed.
func (c *checker) open() bool {
	for on := range c.Busy {
		if !c.LagsOnly(on) {
			return true
		}
	}
	return len(c.Found) > 0
}

// reportAll combines this check with what earlier ones found and repaired.
func (c *checker) reportAll(earlier []Finding) *Report {
	type location struct {
		rule Rule
		key  string
	}
	left := map[location]bool{}
	for _, f := range c.confirmed {
		left[location{f.Rule, f.Key}] = true
	}
	added := map[Finding]bool{}
	r := &c.report
	r.Refused = c.refusedNames()
	add := func(f Finding, repaired bool) {
		if added[f] {
			return
		}
		added[f] = true
		if f.Pending && !repaired {
			r.Pending++
		} else {
			r.Found++
		}
		if f.Repaired = repaired; repaired {
			r.Repaired++
		} else {
			f.Failed = c.failed[f.Plain()]
		}
		if len(r.Findings) < MaxFindings {
			r.Findings = append(r.Findings, f)
		}
	}
	for _, f := range earlier {
		if !left[location{f.Rule, f.Key}] {
			add(f, true)
		}
	}
	for _, f := range c.confirmed {
		if f.Loss != "" {
			r.Lost++
		}
		add(f.Finding, false)
	}
	return r
}

// refusedNames returns what was noted, by user.
func (c *checker) refusedNames() []string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(c.Refused)) {
		for _, why := range c.Refused[id] {
			all = append(all, fmt.Sprintf("user %d: %s", id, why))
		}
	}
	return all
}
