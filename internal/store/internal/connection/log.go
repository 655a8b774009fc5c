package connection

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// LogRedis makes the Redis client write its own messages to log, at most a few per second, instead of
// standard error. It applies to the whole process.
func LogRedis(log *slog.Logger) { redis.SetLogger(&clientLog{log: log, now: time.Now}) }

// clientLog receives the Redis client's messages.
type clientLog struct {
	log   *slog.Logger
	now   func() time.Time
	lines LogLimit
}

// Printf implements the client's interface for logs.
func (l *clientLog) Printf(ctx context.Context, format string, args ...any) {
	hidden, ok := l.lines.Take(l.now())
	if !ok {
		return
	}
	more := []any{"message", strings.TrimSpace(fmt.Sprintf(format, args...))}
	if hidden > 0 {
		more = append(more, "like_it_before", hidden)
	}
	l.log.WarnContext(ctx, "Redis client", more...)
}
