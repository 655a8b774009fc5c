package pipeline

import (
	"context"
	"errors"
	"strings"
	"unsafe"

	"github.com/redis/go-redis/v9"
)

// Hash is the reply to an HGETALL. Objects are read by thousands, so the reply is kept as it came: go-redis would make
// a map, and a string for each name and value. In a cluster it must parse replies itself, as it follows redirections.
type Hash struct {
	// Reply is a reply of Redis, an array or a map of strings.
	Reply  string
	parsed map[string]string
}

// Read reports whether there is a reply, perhaps of a hash that does not exist.
func (h Hash) Read() bool { return h.Reply != "" || h.parsed != nil }

// Each calls yield for each field.
func (h Hash) Each(yield func(name, value string) bool) {
	for name, value := range h.parsed {
		if !yield(name, value) {
			return
		}
	}
	_, rest, _ := strings.Cut(h.Reply, "\r\n")
	for rest != "" {
		var name, value string
		name, rest = bulk(rest)
		value, rest = bulk(rest)
		if !yield(name, value) {
			return
		}
	}
}

// bulk returns the string with which a reply begins, "$5\r\nvalue\r\n", and what follows. It returns nothing of what is
// no reply.
func bulk(reply string) (value, rest string) {
	if len(reply) == 0 || reply[0] != '$' {
		return "", ""
	}
	n, i := 0, 1
	for ; i < len(reply) && '0' <= reply[i] && reply[i] <= '9' && n < len(reply); i++ {
		n = 10*n + int(reply[i]-'0')
	}
	begin := i + len("\r\n")
	if i == 1 || begin+n+len("\r\n") > len(reply) {
		return "", ""
	}
	return reply[begin : begin+n], reply[begin+n+len("\r\n"):]
}

// Hashes queues an HGETALL for each key. After Exec, the function that it returns returns the hash with the i-th key,
// or the error of its command.
func (b *Batch) Hashes(ctx context.Context, keys []string) func(i int) (Hash, error) {
	if b.client.cluster {
		cmds := make([]*redis.MapStringStringCmd, len(keys))
		for i, key := range keys {
			cmds[i] = b.HGetAll(ctx, key)
		}
		return func(i int) (Hash, error) { return Hash{parsed: cmds[i].Val()}, cmds[i].Err() }
	}
	cmds := make([]*redis.RawCmd, len(keys))
	for i, key := range keys {
		cmds[i] = redis.NewRawCmd(ctx, "hgetall", key)
		_ = b.Process(ctx, cmds[i]) // only queues it
	}
	return func(i int) (Hash, error) {
		reply := cmds[i].Val() // nobody changes it
		return Hash{Reply: unsafe.String(unsafe.SliceData(reply), len(reply))}, cmds[i].Err()
	}
}

// rawHook gives raw commands the errors with which Redis replied to them, which go-redis leaves in the reply.
type rawHook struct{}

// DialHook implements redis.Hook.
func (rawHook) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements redis.Hook. Raw commands are always sent in pipelines.
func (rawHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook implements redis.Hook.
func (rawHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		err := next(ctx, cmds)
		for _, cmd := range cmds {
			raw, is := cmd.(*redis.RawCmd)
			if !is || raw.Err() != nil || len(raw.Val()) == 0 || raw.Val()[0] != '-' {
				continue
			}
			raw.SetErr(replyError(strings.TrimSpace(string(raw.Val()[1:]))))
			raw.SetVal(nil)
			if err == nil || errors.Is(err, redis.Nil) {
				err = raw.Err()
			}
		}
		return err
	}
}

// replyError is an error reply of Redis.
type replyError string

// Error implements error.
func (e replyError) Error() string { return string(e) }

// RedisError marks it as redis.Error.
func (replyError) RedisError() {}
