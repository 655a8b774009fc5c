package redistest

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// objectKey matches the keys with what readers are shown, as is_object of changeHook does.
var objectKey = regexp.MustCompile(`^(\{p[0-9a-f]{2}\}:[tcu]:\d+|\{cat\}:[ct]:\d+|\{ix:g\d+\}:tag)$`)

// plainWrites are commands that change or delete a hash.
var plainWrites = []string{"hset", "hsetnx", "hmset", "hdel", "hincrby", "del", "unlink", "rename"}

// plainHook fails what the program, and not a test, writes to an object with a plain command, unless a script on the
// object is in the same pipeline, which says so: only scripts can say what changes. What loads a whole site need not.
func plainHook(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	var said []any
	for _, cmd := range cmds {
		if args := cmd.Args(); strings.HasPrefix(cmd.Name(), "eval") && len(args) > 3 {
			said = append(said, args[3])
		}
	}
	for _, cmd := range cmds {
		if !slices.Contains(plainWrites, cmd.Name()) {
			continue
		}
		keys := cmd.Args()[1:2]
		if cmd.Name() == "del" || cmd.Name() == "unlink" {
			keys = cmd.Args()[1:]
		}
		for _, k := range keys {
			if objectKey.MatchString(fmt.Sprint(k)) && !slices.Contains(said, k) && sentByProgram() {
				return Fail(cmds, fmt.Errorf("UNNAMED %v, written by %s without a script", k, cmd.Name()))
			}
		}
	}
	return next(ctx, cmds)
}

// sentByProgram reports whether what calls the client is neither a test nor the load of a whole site.
func sentByProgram() bool {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		within := func(name string) bool { return strings.HasPrefix(frame.Function, name) }
		if within("github.com/redis/go-redis/") || within("agora/internal/test/redistest.") ||
			within("agora/internal/store/internal/pipeline.") {
			continue
		}
		return within("agora/internal/") && !within("agora/internal/test/") && !within("agora/internal/store/archive.") &&
			!strings.HasSuffix(frame.File, "_test.go")
	}
	return false
}
