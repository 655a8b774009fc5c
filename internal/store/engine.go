package store

import (
	"context"
	"log/slog"
)

// LogFailure logs a failure because of Redis, at most a few lines per second in total, because an outage
// fails every operation in progress. log is the destination.
func (s *Store) LogFailure(ctx context.Context, log *slog.Logger, message string, args ...any) {
	if hidden, ok := s.failures.Take(s.now()); ok {
		if hidden > 0 {
			args = append(args, "like_it_before", hidden)
		}
		log.WarnContext(ctx, message, args...)
	}
}

// Pseudonym returns the replacement of an address, a name or the like in keys and logs: see record.Secret.
func (s *Store) Pseudonym(kind, of string) string { return s.secret.Pseudonym(kind, of) }
