package connection

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// LogRedis has the Redis client write its own messages to log, a few a second, in place of
// standard error. It holds for the whole process.
func LogRedis(log *slog.Logger) { redis.SetLogger(&clientLog{log: log, now: time.Now}) }

// clientLog is where the Redis client writes its messages.
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
