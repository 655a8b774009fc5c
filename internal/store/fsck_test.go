package store_test

import (
	"context"
	"fmt"
	"time"

	"agora/internal/store"
	"agora/internal/store/fsck"
)

func init() {
	store.Findings = func(ctx context.Context, s *store.Store) (found []string, err error) {
		report, err := fsck.Check(ctx, s, fsck.Options{Rest: time.Nanosecond})
		if err != nil {
			return nil, err
		}
		for _, f := range report.Findings {
			if f.Rule != fsck.RuleExpiryLong {
				found = append(found, f.String())
			}
		}
		if report.Unsettled > 0 {
			found = append(found, fmt.Sprintf("%d unsettled", report.Unsettled))
		}
		return found, nil
	}
}
