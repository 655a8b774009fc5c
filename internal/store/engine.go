package store

import (
	"context"
	"log/slog"
	"time"

	"agora/internal/forum"
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

// Now returns the time by the store's clock.
func (s *Store) Now() forum.Time { return forum.Time(s.now().UnixMilli()) }

// Zone returns the zone in which the site's days begin.
func (s *Store) Zone() *time.Location { return s.zone }

// Today returns the current day in that zone.
func (s *Store) Today() forum.Day { return forum.DayOf(s.Now(), s.zone) }

// Sizes are the sizes of homes, and of one pass over them.
type Sizes struct{ Home, Low, Pass int }

// Caps are the limits of what only its user can see.
type Caps struct{ Bookmarks, Marks, Notes, Watched, AtOnce int }

var defaultCaps = Caps{forum.MaxBookmarks, forum.MaxReadMarks, forum.MaxNotifications, forum.MaxWatched,
	forum.WatchersAtOnce}

var defaultSizes = Sizes{forum.HomeSize, forum.HomeLow, forum.FanOutPass}
