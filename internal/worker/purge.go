package worker

import (
	"context"
	"log/slog"
	"time"

	"agora/internal/store"
)

// purgeEvery is the interval at which what was hidden for too long is erased.
const purgeEvery = time.Minute

// Purge erases what moderators hid long ago, until ctx is done.
func Purge(ctx context.Context, s *store.Store, log *slog.Logger) {
	failing := &failures{log: log, what: "erasing what was hidden failed"}
	repeat(ctx, purgeEvery, func() {
		n, err := s.Purge(ctx)
		failing.note(ctx, err)
		if n > 0 {
			log.Info("erased what was hidden", "entities", n)
		}
	})
}
