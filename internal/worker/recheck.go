package worker

import (
	"context"
	"log/slog"
	"time"

	"agora/internal/store"
	"agora/internal/store/fsck"
)

// recheckAgain is the pause before a check that failed is repeated.
const recheckAgain = 5 * time.Second

// Recheck checks and repairs the data each time a master of Redis was replaced, until ctx is done. One process
// does so for all. It begins once nothing that was written before is young enough to be excused.
func Recheck(ctx context.Context, s *store.Store, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.Replaced():
		}
		since := s.Engine.Now()
		for wait := fsck.LagLife; ; wait = recheckAgain {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			if s.Recheck(ctx, since, func(ctx context.Context) error { return recheck(ctx, s, log) }) == nil {
				break
			}
		}
	}
}

// rechecks is how often the data are checked after a fault at most.
const rechecks = 3

// recheck checks and repairs, until it finds nothing to repair: what a repair has just changed is young, so what depends on
// it is excused in the same check.
func recheck(ctx context.Context, s *store.Store, log *slog.Logger) error {
	for n := 1; ; n++ {
		repaired, err := recheckOnce(ctx, s, log)
		if err != nil || repaired == 0 || n == rechecks {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(fsck.LagLife):
		}
	}
}

// recheckOnce checks and repairs, and returns how many findings it repaired.
func recheckOnce(ctx context.Context, s *store.Store, log *slog.Logger) (repaired int, err error) {
	began := time.Now()
	log.Info("checking the data, because a master of Redis was replaced")
	report, err := fsck.Check(ctx, s, fsck.Options{Repair: true, OtherKeys: true})
	if err != nil {
		report := log.Warn
		if ctx.Err() != nil {
			report = log.Debug
		}
		report("checking the data failed, will retry", "error", err)
		return 0, err
	}
	for _, f := range report.Findings {
		log.Info("found", "finding", f.String())
	}
	log.Info("checked the data", "found", report.Found, "repaired", report.Repaired, "keys", report.Keys,
		"seconds", int(time.Since(began).Seconds()))
	if left := report.Broken(); left > 0 {
		log.Error("the data are inconsistent: run agora check", "findings", left)
	}
	return report.Repaired, nil
}
