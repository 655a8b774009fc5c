package worker

import (
	"context"
	"log/slog"
	"time"

	"agora/internal/store"
)

const (
	// upgradeAgain is the pause before an upgrade that failed is repeated.
	upgradeAgain = 5 * time.Second
	// upgradeShown is the interval at which the progress of an upgrade is logged.
	upgradeShown = 10 * time.Second
)

// Upgrade adds to the data what an earlier version did not derive, unless that is done, and returns then, or when ctx is
// done.
func Upgrade(ctx context.Context, s *store.Store, log *slog.Logger) {
	failing := &failures{log: log, what: "upgrading the data failed, will retry"}
	for {
		users, began := int64(0), time.Now()
		shown := began
		err := s.Upgrade(ctx, func(n int64) {
			if users = n; time.Since(shown) >= upgradeShown {
				shown = time.Now()
				log.Info("upgrading the data", "users", n)
			}
		})
		if failing.note(ctx, err); err == nil {
			if users > 0 {
				log.Info("upgraded the data", "users", users, "seconds", int(time.Since(began).Seconds()))
			}
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(upgradeAgain):
		}
	}
}
