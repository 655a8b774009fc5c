package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"agora/internal/config"
	"agora/internal/store"
)

// check verifies every invariant of the data, and with repair puts right what
// can be. What remains broken makes it fail.
func (p program) check(ctx context.Context, c config.Config, repair bool) error {
	conn, s, err := p.open(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer s.Close()
	var bar *progressbar.ProgressBar
	progress := func(done, total int64) {
		if total < barFrom {
			return // done before a bar could be read
		}
		if bar == nil {
			bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.stderr), progressbar.OptionSetDescription("check"),
				progressbar.OptionSetVisibility(isTerminal(p.stderr)), progressbar.OptionThrottle(barEvery))
		}
		bar.ChangeMax64(total)
		bar.Set64(done)
	}
	report, err := s.Check(ctx, store.CheckOptions{Repair: repair, Progress: progress})
	if bar != nil {
		bar.Clear()
	}
	if err != nil {
		return err
	}
	return p.printCheck(report)
}

const (
	// barFrom is how much there must be to do for a progress bar, in keys.
	barFrom = 20_000
	// barEvery is how often it is drawn.
	barEvery = 100 * time.Millisecond
)

func (p program) printCheck(r *store.CheckReport) error {
	for _, f := range r.Findings {
		fmt.Fprintln(p.stdout, f)
	}
	if more := r.Found - len(r.Findings); more > 0 {
		fmt.Fprintf(p.stdout, "... and %d more\n", more)
	}
	result := "no invariant is broken"
	if r.Found > 0 {
		noun := "findings"
		if r.Found == 1 {
			noun = "finding"
		}
		result = fmt.Sprintf("%d %s (%d repaired)", r.Found, noun, r.Repaired)
	}
	fmt.Fprintf(p.stdout, "%d topics, %d comments, %d users, %d keys: %s\n", r.Topics, r.Comments, r.Users, r.Keys, result)
	if r.Unsettled > 0 {
		fmt.Fprintf(p.stdout, "%d objects were being written to all the while and could not be judged\n", r.Unsettled)
	}
	if r.Broken() > 0 {
		return errors.New("invariants are broken")
	}
	return nil
}
