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
	// clockWarn and clockMost are tolerances between the clocks of this machine and of Redis: beyond the
	// first a warning is logged, beyond the second the server does not start. Expiries use Redis's clock
	// with a grace of an hour; idempotency keys, rates and sessions use the clocks of the servers, which
	// are then within two minutes of each other.
	clockWarn = 2 * time.Second
	clockMost = time.Minute
)

// listpacks are the least settings at which Redis stores data compactly: a full home (forum.HomeSize, rounded up), and
// a topic or comment with a text of catalogue.MaxShort bytes. Source: bench/results.md.
var listpacks = []struct {
	name   string
	least  int
	advice string
}{
	{"zset-max-listpack-entries", 1024, "home timelines use about five times as much memory as necessary"},
	{"hash-max-listpack-value", 1024, "topics and comments use about twice as much memory as necessary"},
}

// guarded are the settings that guard queries.
var guarded = []string{"save", listpacks[0].name, listpacks[1].name}

// asError is errors.As under a name that reads better at its callers.
func asError(err error, target any) bool { return errors.As(err, target) }

// errLayoutAway is the error for a cluster whose layout cannot be read, though some masters answer.
var errLayoutAway = fmt.Errorf("the master that has the key %s does not answer: %w", key.Layout, ErrAway)

// guard checks the servers of a Redis before it is used, and refuses one that would lose data or accept none.
func guard(ctx context.Context, client redis.Cmdable, o Options) ([]facts, error) {
	all, err := readFacts(ctx, client, time.Now, guarded...)
	if err != nil {
		return nil, err
	}
	if o.ReadOnly {
		if all[0].layoutAway {
			return nil, errLayoutAway
		}
		if len(all[0].layout) == 0 && !all[0].importing {
			return nil, fmt.Errorf("no Agora data in Redis: the key %s is missing", key.Layout)
		}
		return all, nil
	}
	partial := all[0].layoutAway
	if partial && !o.AllowAway {
		return nil, errLayoutAway
	}
	for _, f := range all {
		if f.silent {
			if partial = true; !o.AllowAway {
				return nil, fmt.Errorf("%s: %w", f.named("it does not answer"), ErrAway)
			}
			continue
		}
		for _, refusal := range []string{f.unusable(), f.evicting(o), f.clocks()} {
			if refusal != "" {
				return nil, errors.New(f.named(refusal))
			}
		}
	}
	if partial { // the store refuses to create a site, then
		return all, nil
	}
	if refusal := foreignKeys(ctx, client, all, o); refusal != "" {
		return nil, errors.New(refusal)
	}
	return all, nil
}

// named returns text about a server, preceded by its address in a cluster.
func (f facts) named(text string) string {
	if f.node == "" {
		return text
	}
	return "node " + f.node + ": " + text
}

// unusable returns why a Redis accepts no writes, or not all of them; "" if it does.
func (f facts) unusable() string {
	switch {
	case f.node == "" && f.info["cluster_enabled"] == "1":
		return "it is a node of a cluster; use REDIS_URL=redis+cluster://host1,host2,host3"
	case f.node != "" && !f.shardedPubSub:
		return "it does not know SPUBLISH; a cluster needs Redis 7 or Valkey"
	case f.unassigned() > 0:
		return fmt.Sprintf("%d of 16384 slots belong to no master; run redis-cli --cluster fix", f.unassigned())
	case f.replica():
		return "it is a replica, which accepts no writes; use its master, " + f.master()
	}
	return ""
}

// unassigned returns how many slots of a cluster belong to no master, as far as a server knows.
func (f facts) unassigned() int64 {
	if text, known := f.cluster["cluster_slots_assigned"]; known {
		return 16384 - record.Atoi(text)
	}
	return 0
}

func (f facts) evicting(o Options) string {
	if !f.evicts() {
		return ""
	}
	policy := f.info["maxmemory_policy"]
	if !o.AllowEviction {
		return fmt.Sprintf("its maxmemory-policy is %s: it would silently delete data when memory is short; run "+
			"CONFIG SET maxmemory-policy noeviction and set it in redis.conf, or use --allow-eviction to start anyway", policy)
	}
	o.Log.Warn("REDIS MAY DELETE DATA: evicted keys are lost silently, as allowed by --allow-eviction",
		"maxmemory-policy", policy, "maxmemory", f.number("maxmemory"))
	return ""
}

func (f facts) clocks() string {
	if f.offset.Abs() <= clockMost {
		return ""
	}
	return fmt.Sprintf("its clock is %s; synchronize the clocks with NTP", describeOffset(f.offset))
}

// describeOffset describes Redis's clock relative to this machine's.
func describeOffset(offset time.Duration) string {
	where := "ahead of"
	if offset < 0 {
		where = "behind"
	}
	return fmt.Sprintf("%s %s this machine's clock", offset.Abs().Round(10*time.Millisecond), where)
}

// foreignKeys returns an error message if a database without a layout holds keys, unless a site is being
// imported: the store refuses that itself.
func foreignKeys(ctx context.Context, client redis.Cmdable, all []facts, o Options) string {
	keys := int64(0)
	for _, f := range all {
		keys += f.keys
	}
	if len(all[0].layout) > 0 || keys == 0 || o.AllowOtherKeys || all[0].importing {
		return ""
	}
	ours := make([]string, forum.Partitions)
	pipe := client.Pipeline()
	for p := range ours {
		pipe.Exists(ctx, key.Sequence(forum.Partition(p)))
	}
	cmds, err := pipe.Exec(ctx)
	if err != nil {
		return "it is unknown whether its keys belong to Agora: " + err.Error()
	}
	for _, cmd := range cmds {
		if exists, ok := cmd.(*redis.IntCmd); ok && exists.Val() > 0 {
			return fmt.Sprintf("the database holds Agora data, but the key %[1]s is missing. Restore the data or, if "+
				"only that key is lost, write it again with the site's time zone: HSET %[1]s version %[2]d partitions %[3]d created 1 timeZone UTC", key.Layout, record.LayoutVersion, forum.Partitions)
		}
	}
	return fmt.Sprintf("the database holds %d keys that do not belong to Agora; use an empty database, such as "+
		"redis://…/1, or share this one with --allow-other-keys", keys)
}

// advise logs settings that should be improved.
func (f facts) advise(log *slog.Logger) {
	if f.node != "" {
		log = log.With("node", f.node)
	}
	if f.offset.Abs() > clockWarn {
		log.Warn("the clock of Redis is " + describeOffset(f.offset) + "; synchronize the clocks with NTP")
	}
	if !f.persists() {
		log.Warn(volatile)
	}
	for _, a := range f.wasteful() {
		log.Warn(a.Text, a.Item, f.conf[a.Item])
	}
	if unknown := f.unknown(); len(unknown) > 0 {
		log.Info(unreported, "unknown", unknown)
	}
}

const (
	// volatile is the advice for a Redis without persistence.
	volatile = "Redis stores nothing on disk: all data are lost when it stops; set appendonly yes"
	// unreported is what is said of settings that are unknown.
	unreported = "Redis does not report all of its settings; for the requirements see \"Your own Redis\" in " +
		"docs/operating.md"
)

// wasteful returns what is said of settings that make the data larger than necessary.
func (f facts) wasteful() (found []Finding) {
	for _, s := range listpacks {
		if n, err := strconv.Atoi(f.conf[s.name]); err == nil && n < s.least {
			text := fmt.Sprintf("%s; run CONFIG SET %s %d and set it in redis.conf", s.advice, s.name, s.least)
			found = append(found, Finding{Warning, s.name, text})
		}
	}
	return found
}

// unknown returns the names of what Redis does not report.
func (f facts) unknown() (names []string) {
	for _, name := range []string{"role", "cluster_enabled", "maxmemory_policy", "aof_enabled"} {
		if f.info[name] == "" {
			names = append(names, name)
		}
	}
	if len(f.conf) < len(guarded) {
		names = append(names, "CONFIG GET")
	}
	return names
}
