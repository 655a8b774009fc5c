package connection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

const (
	// clockWarn and clockMost are how far the clocks of this machine and of Redis may be
	// apart: beyond the first something is logged, beyond the second nothing starts.
	// Expiries go by Redis's clock with a grace of an hour, and idempotency keys, rates and
	// sessions by those of the servers, which so stay within two minutes of each other.
	clockWarn = 2 * time.Second
	clockMost = time.Minute
	// wantListpack is the least zset-max-listpack-entries at which Redis keeps a full home
	// compactly: forum.HomeSize, in round numbers.
	// Source: docs/performance.md.
	wantListpack = 1024
)

// guarded are the settings that guard asks for.
var guarded = []string{"save", "zset-max-listpack-entries"}

// asError is errors.As, by a name that reads well where it is used.
func asError(err error, target any) bool { return errors.As(err, target) }

// guard looks at a Redis before it is used, and refuses one that would lose data or take
// none.
func guard(ctx context.Context, client redis.UniversalClient, o Options) (facts, error) {
	f, err := readFacts(ctx, client, time.Now, guarded...)
	if err != nil {
		return f, err
	}
	if o.ReadOnly {
		if len(f.layout) == 0 {
			return f, fmt.Errorf("Redis has no Agora data: the key %s is missing", key.Layout)
		}
		return f, nil
	}
	for _, refusal := range []string{f.unusable(), f.evicting(o), f.clocks(), f.foreignKeys(ctx, client, o)} {
		if refusal != "" {
			return f, errors.New(refusal)
		}
	}
	return f, nil
}

// unusable says why a Redis takes no writes, or not all of them.
func (f facts) unusable() string {
	switch {
	case f.info["cluster_enabled"] == "1":
		return "it is a node of a cluster, which this program does not know how to use; name a server with cluster-enabled no"
	case f.replica():
		return "it is a replica, which takes no writes; name its master, " + f.master()
	}
	return ""
}

func (f facts) evicting(o Options) string {
	if !f.evicts() {
		return ""
	}
	policy := f.info["maxmemory_policy"]
	if !o.AllowEviction {
		return fmt.Sprintf("its maxmemory-policy is %s: when memory is short it would delete data without a word; run "+
			"CONFIG SET maxmemory-policy noeviction, and note it in redis.conf. --allow-eviction starts all the same", policy)
	}
	o.Log.Warn("REDIS MAY DELETE DATA: whatever it evicts is lost without a word, as --allow-eviction allows",
		"maxmemory-policy", policy, "maxmemory", f.number("maxmemory"))
	return ""
}

func (f facts) clocks() string {
	if f.offset.Abs() <= clockMost {
		return ""
	}
	return fmt.Sprintf("its clock is %s; set the clocks by NTP", describeOffset(f.offset))
}

// describeOffset says where Redis's clock is.
func describeOffset(offset time.Duration) string {
	where := "ahead of"
	if offset < 0 {
		where = "behind"
	}
	return fmt.Sprintf("%s %s that of this machine", offset.Abs().Round(10*time.Millisecond), where)
}

// strangers says that a database without a layout holds keys.
func (f facts) foreignKeys(ctx context.Context, client redis.UniversalClient, o Options) string {
	if len(f.layout) > 0 || f.keys == 0 || o.AllowOtherKeys {
		return ""
	}
	ours := make([]string, forum.Partitions)
	pipe := client.Pipeline()
	for p := range ours {
		pipe.Exists(ctx, key.Sequence(forum.Partition(p)))
	}
	cmds, err := pipe.Exec(ctx)
	if err != nil {
		return "it does not say whether its keys are Agora's: " + err.Error()
	}
	for _, cmd := range cmds {
		if exists, ok := cmd.(*redis.IntCmd); ok && exists.Val() > 0 {
			return fmt.Sprintf("the database holds data of Agora, but the key %[1]s is missing. Restore the data, or, if "+
				"only that key is lost, write it again with the site's time zone: HSET %[1]s version %[2]d partitions %[3]d created 1 timeZone UTC", key.Layout, record.LayoutVersion, forum.Partitions)
		}
	}
	return fmt.Sprintf("the database holds %d keys that are not Agora's; name an empty database, such as redis://…/1. "+
		"--allow-other-keys shares this one", f.keys)
}

// advise logs what is not as it should be.
func (f facts) advise(log *slog.Logger) {
	if f.offset.Abs() > clockWarn {
		log.Warn("the clock of Redis is " + describeOffset(f.offset) + "; set the clocks by NTP")
	}
	if !f.persists() {
		log.Warn("Redis keeps nothing on disk: all is lost when it stops; set appendonly yes")
	}
	if text, said := f.conf["zset-max-listpack-entries"]; said {
		if n, err := strconv.Atoi(text); err == nil && n < wantListpack {
			remedy := fmt.Sprintf("run CONFIG SET zset-max-listpack-entries %d, and note it in redis.conf", wantListpack)
			log.Warn("homes of users take about five times as much memory as they need; "+remedy, "zset-max-listpack-entries", n)
		}
	}
	var unsaid []string
	for _, name := range []string{"role", "cluster_enabled", "maxmemory_policy", "aof_enabled"} {
		if f.info[name] == "" {
			unsaid = append(unsaid, name)
		}
	}
	if len(f.conf) < len(guarded) {
		unsaid = append(unsaid, "CONFIG GET")
	}
	if len(unsaid) > 0 {
		log.Info("Redis does not say all that was asked; see \"Your own Redis\" in docs/operating.md for what it must be",
			"unsaid", unsaid)
	}
}
