package worker

import (
	"context"
	"log/slog"
	"time"

	"agora/internal/store"
)

// divideEvery is the interval at which the sizes of indexes are read.
const divideEvery = time.Minute

// Divide has the indexes divided that have more topics than a number, until ctx is done. It returns at once if above is
// 0.
func Divide(ctx context.Context, s *store.Store, above int, log *slog.Logger) {
	if above <= 0 {
		return
	}
	failing := &failures{log: log, what: "dividing large indexes failed"}
	repeat(ctx, divideEvery, func() { failing.note(ctx, divide(ctx, s, above, log)) })
}

func divide(ctx context.Context, s *store.Store, above int, log *slog.Logger) error {
	indexes, err := s.Indexes(ctx, above)
	if err != nil {
		return err
	}
	for _, x := range indexes {
		if x.Phase != "" {
			continue
		}
		if err := s.Divide(ctx, x.Name); err != nil {
			return err
		}
		log.Info("dividing an index", "index", x.Name, "topics", x.Topics)
	}
	return nil
}
