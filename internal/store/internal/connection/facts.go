package connection

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// facts are what a server of Redis reports about itself. What it does not report is "".
type facts struct {
	// node is its address in a cluster, "" otherwise.
	node string
	info map[string]string // INFO, by field
	// cluster is CLUSTER INFO, by field.
	cluster map[string]string
	// layout is that of the data, even if it is on another server.
	layout record.Fields
	// layoutAway is whether it cannot be read, though some server answers.
	layoutAway bool
	// importing is whether an import of an export has begun and not ended.
	importing bool
	// offset is the least by which Redis's clock is ahead of ours, given the time that the reply took; 0 if
	// unknown.
	offset time.Duration
	keys   int64 // in the database
	conf   map[string]string
	// shardedPubSub is whether the server knows SPUBLISH.
	shardedPubSub bool
	// silent is whether it does not answer, though other servers do.
	silent bool
}

// readFacts queries all servers that hold the data about themselves, at the same time, and the layout. It
// fails only if none answers; a command that is forbidden or unknown is no failure. configs are the settings
// to query, which managed services often forbid.
func readFacts(ctx context.Context, rdb redis.Cmdable, now func() time.Time,
	configs ...string) ([]facts, error) {
	nodes, err := masters(ctx, rdb)
	if err != nil {
		return nil, err
	}
	all, errs := make([]facts, len(nodes)), make([]error, len(nodes))
	var queries sync.WaitGroup
	for i, node := range nodes {
		queries.Go(func() {
			all[i], errs[i] = readNode(ctx, node, now, configs)
			all[i].node, all[i].silent = node.addr, errs[i] != nil
		})
	}
	queries.Wait()
	if !slices.Contains(errs, nil) {
		return nil, errs[0]
	}
	if len(nodes) == 1 && nodes[0].addr == "" {
		return all, nil
	}
	pipe := rdb.Pipeline()
	layout, importing := pipe.HGetAll(ctx, key.Layout), pipe.Exists(ctx, key.Import)
	_, _ = pipe.Exec(ctx) // the commands have their own errors
	for i := range all {
		all[i].layout, all[i].importing = layout.Val(), importing.Val() > 0
		all[i].layoutAway = layout.Err() != nil
	}
	return all, nil
}

// readNode queries one server about itself, in one round trip.
func readNode(ctx context.Context, node node, now func() time.Time, configs []string) (facts, error) {
	pipe := node.redis.Pipeline()
	info, clock, size := pipe.Info(ctx), pipe.Time(ctx), pipe.DBSize(ctx)
	var layout *redis.MapStringStringCmd
	var importing *redis.IntCmd
	var cluster *redis.StringCmd
	if node.addr == "" {
		layout, importing = pipe.HGetAll(ctx, key.Layout), pipe.Exists(ctx, key.Import)
	} else {
		cluster = pipe.ClusterInfo(ctx)
	}
	known := pipe.Do(ctx, "command", "info", "spublish")
	asked := make([]*redis.MapStringStringCmd, len(configs))
	for i, name := range configs {
		asked[i] = pipe.ConfigGet(ctx, name)
	}
	before := now()
	cmds, err := pipe.Exec(ctx)
	elapsed := now().Sub(before)
	if err != nil && !answered(cmds) {
		return facts{}, err
	}
	f := facts{info: parseInfo(info.Val()), keys: size.Val(), conf: map[string]string{}}
	if layout != nil {
		f.layout, f.importing = layout.Val(), importing.Val() > 0
	} else {
		f.cluster = parseInfo(cluster.Val())
	}
	if found, err := known.Slice(); err == nil && len(found) == 1 {
		f.shardedPubSub = found[0] != nil
	}
	for _, c := range asked {
		for name, value := range c.Val() {
			f.conf[name] = value
		}
	}
	if err := info.Err(); err != nil && strings.HasPrefix(err.Error(), "LOADING") {
		f.info["loading"] = "1"
	}
	if clock.Err() == nil {
		f.offset = aheadBy(clock.Val(), before, before.Add(elapsed))
	}
	return f, nil
}

// answered reports whether at least one command was answered, even with an error.
func answered(cmds []redis.Cmder) bool {
	for _, cmd := range cmds {
		var refused redis.Error
		if err := cmd.Err(); err == nil || asError(err, &refused) {
			return true
		}
	}
	return false
}

// aheadBy returns the least by which a clock that was read between two instants is ahead; it is negative if
// the clock is behind.
func aheadBy(clock, from, to time.Time) time.Duration {
	switch {
	case clock.After(to):
		return clock.Sub(to)
	case clock.Before(from):
		return clock.Sub(from)
	}
	return 0
}

// parseInfo parses the reply to INFO.
func parseInfo(text string) map[string]string {
	info := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && !strings.HasPrefix(name, "#") {
			info[name] = value
		}
	}
	return info
}

// number returns an integer field of INFO, or 0.
func (f facts) number(name string) int64 {
	n, _ := strconv.ParseInt(f.info[name], 10, 64)
	return n
}

// errorCount returns how many errors of a kind Redis has returned since its start.
func (f facts) errorCount(kind string) int64 {
	n, _ := strconv.ParseInt(strings.TrimPrefix(f.info["errorstat_"+kind], "count="), 10, 64)
	return n
}

// evicts reports whether Redis may delete keys that have no expiry.
func (f facts) evicts() bool {
	policy := f.info["maxmemory_policy"]
	return policy != "" && policy != "noeviction"
}

// full reports whether Redis refuses writes because its memory is used up.
func (f facts) full() bool {
	most := f.number("maxmemory")
	return most > 0 && !f.evicts() && f.number("used_memory")-f.number("mem_not_counted_for_evict") >= most
}

// replica reports whether Redis accepts no writes because it is a replica.
func (f facts) replica() bool { return f.info["role"] == "slave" }

// master returns the address of a replica's master.
func (f facts) master() string {
	return fmt.Sprintf("%s:%s", f.info["master_host"], f.info["master_port"])
}

// persists reports whether the data outlive Redis; if Redis does not report it, they are assumed to.
func (f facts) persists() bool {
	save, said := f.conf["save"]
	return f.info["aof_enabled"] != "0" || !said || strings.TrimSpace(save) != ""
}

// persistFailure describes the latest failure of Redis to write to disk, or returns "".
func (f facts) persistFailure() string {
	switch {
	case f.info["aof_last_write_status"] == "err":
		return "the last write to the append-only file failed"
	case f.info["rdb_last_bgsave_status"] == "err":
		return "the last snapshot failed"
	case f.info["aof_last_bgrewrite_status"] == "err":
		return "the last rewrite of the append-only file failed"
	}
	return ""
}
