package connection

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Grade says how bad a Finding is.
type Grade int

// The grades.
const (
	// Good needs nothing.
	Good Grade = iota
	// Warning is what should be improved.
	Warning
	// Bad is what keeps a server from starting, makes writes fail, or loses data.
	Bad
)

// Finding is what an examination says of one item of the set-up; unless it is Good, Text has the remedy.
type Finding struct {
	Grade Grade
	Item  string
	Text  string
}

const (
	// fullShare is how much of maxmemory may be used, in percent.
	fullShare = 80
	// forkShare is how much of the machine's memory a Redis may use, in percent: while it rewrites its append-only file,
	// it may need as much again.
	forkShare = 50
	// pings is how many PINGs measure the latency.
	pings = 50
	// slowPing is the median from which on a page takes noticeably long: it needs up to ten round trips. latePing is the
	// same for the worst.
	slowPing, latePing = 3 * time.Millisecond, 100 * time.Millisecond
	// The bounds of cluster-node-timeout: below, masters are replaced that are only slow; above, a fail-over takes long.
	leastNodeTimeout, mostNodeTimeout = time.Second, 5 * time.Second
)

// ItemKeys is the item of a database with keys of other programs, or with a part of a site.
const ItemKeys = "keys"

// examined are the settings that Examine queries.
var examined = slices.Concat(guarded, []string{"appendfsync", "cluster-node-timeout", "cluster-require-full-coverage"})

// Examine reports the state and the settings of each server of the Redis. It writes nothing.
func (c *Connection) Examine(ctx context.Context, o Options) ([]Finding, error) {
	all, err := readFacts(ctx, c.Redis, time.Now, examined...)
	if err != nil {
		return nil, err
	}
	nodes, err := masters(ctx, c.Redis)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(f, g facts) int { return strings.Compare(f.node, g.node) })
	slices.SortFunc(nodes, func(n, m node) int { return strings.Compare(n.addr, m.addr) })
	var found []Finding
	for _, f := range all {
		found = append(found, f.examine(c, o)...)
	}
	for _, n := range nodes {
		found = append(found, n.latency(ctx)...)
	}
	if refusal := foreignKeys(ctx, c.Redis, all, o); refusal != "" {
		found = append(found, Finding{Bad, ItemKeys, refusal})
	}
	return found, nil
}

// examine reports one server.
func (f facts) examine(c *Connection, o Options) []Finding {
	found := f.faults(c, o)
	if !f.silent && f.number("loading") == 0 {
		found = slices.Concat(found, f.version(), f.storage(), f.memory(), f.wasteful(), f.clusterSettings())
		if unknown := f.unknown(); len(unknown) > 0 {
			found = append(found, Finding{Warning, "settings", unreported + " (unknown: " + strings.Join(unknown, ", ") + ")"})
		}
		for _, good := range []Finding{
			{Item: "memory", Text: f.usage()},
			{Item: "persistence", Text: "the append-only file is written, appendfsync " + f.conf["appendfsync"]},
			{Item: "maxmemory-policy", Text: f.info["maxmemory_policy"]},
			{Item: "clock", Text: "as this machine's"},
		} {
			if !slices.ContainsFunc(found, func(g Finding) bool { return g.Item == good.Item }) {
				found = append(found, good)
			}
		}
	}
	for i := range found {
		found[i].Text = f.named(found[i].Text)
	}
	return found
}

// troubleItems are the items of troubles that have another name there.
var troubleItems = map[Trouble]string{
	TroubleFull: "memory", TroubleDisk: "persistence", TroubleEviction: "maxmemory-policy",
}

// faults reports what keeps a server from starting, and what it would report as a trouble.
func (f facts) faults(c *Connection, o Options) (found []Finding) {
	f.layoutAway = true // the layout is examined when the data are opened
	for _, p := range (&Monitor{Connection: c}).problems(f) {
		if p.Trouble == TroubleCluster && f.unusable() != "" {
			continue // which has the remedy
		}
		finding := Finding{Warning, string(p.Trouble), p.Detail}
		if item, has := troubleItems[p.Trouble]; has {
			finding.Item = item
		}
		if p.Severe || p.Trouble == TroubleAway || p.Trouble == TroubleEviction && !o.AllowEviction {
			finding.Grade = Bad
		}
		if p.Trouble == TroubleEviction {
			finding.Text += "; CONFIG SET maxmemory-policy noeviction, and set it in redis.conf"
		}
		found = append(found, finding)
	}
	if refusal := f.unusable(); refusal != "" && !f.silent && !f.replica() {
		found = append(found, Finding{Bad, "cluster", refusal})
	}
	return found
}

// oldestMajor is the first major version of Redis that has all commands. Source: docs/operating.md.
const oldestMajor = 7

// version reports the program.
func (f facts) version() []Finding {
	_, version, _ := strings.Cut(f.program(), " ")
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(major); err == nil && n < oldestMajor {
		return []Finding{{Bad, "version", fmt.Sprintf("%s is too old; install %d.0 or later", f.program(), oldestMajor)}}
	}
	return []Finding{{Item: "version", Text: f.program()}}
}

// program returns the name and the version of the server, such as "Redis 7.0.15".
func (f facts) program() string {
	if v := f.info["valkey_version"]; v != "" {
		return "Valkey " + v
	}
	return "Redis " + f.info["redis_version"]
}

// storage reports how the data are kept on disk.
func (f facts) storage() (found []Finding) {
	switch {
	case !f.persists():
		found = append(found, Finding{Bad, "persistence", volatile})
	case f.info["aof_enabled"] == "0":
		found = append(found, Finding{Warning, "persistence",
			"there are only snapshots: what was written after the last one is lost at a crash; set appendonly yes"})
	case f.conf["appendfsync"] == "no":
		found = append(found, Finding{Warning, "persistence",
			"appendfsync is no: a power failure may lose many seconds; CONFIG SET appendfsync everysec, or always"})
	}
	if f.info["aof_enabled"] == "1" && strings.TrimSpace(f.conf["save"]) != "" {
		found = append(found, Finding{Warning, "save", "there are snapshots besides the append-only file: each takes memory, " +
			`and one that fails blocks all writes; CONFIG SET save "", and set it in redis.conf`})
	}
	return found
}

// memory reports whether the memory suffices for what the data need soon.
func (f facts) memory() []Finding {
	used, most, machine := f.number("used_memory"), f.number("maxmemory"), f.number("total_system_memory")
	switch {
	case f.full():
		return nil // a trouble
	case most > 0 && used*100 > most*fullShare:
		return []Finding{{Warning, "memory", f.usage() + ": soon no more is written; raise maxmemory"}}
	case most > machine && machine > 0:
		return []Finding{{Warning, "memory", f.usage() + ": the machine has less than maxmemory; lower that, or add memory"}}
	case most == 0 && machine > 0 && used*100 > machine*forkShare:
		return []Finding{{Warning, "memory", f.usage() +
			": a rewrite of the append-only file may need as much again; add memory, or share the data out over a cluster"}}
	}
	return nil
}

// usage describes the memory in use.
func (f facts) usage() string {
	most := "none"
	if n := f.number("maxmemory"); n > 0 {
		most = megabytes(n)
	}
	return fmt.Sprintf("%s used, maxmemory %s, machine %s", megabytes(f.number("used_memory")), most,
		megabytes(f.number("total_system_memory")))
}

func megabytes(n int64) string { return strconv.FormatInt((n+1<<20-1)>>20, 10) + " MiB" }

// clusterSettings reports the settings of a node of a cluster, and a master without a replica.
func (f facts) clusterSettings() (found []Finding) {
	if f.node == "" {
		return nil
	}
	n, err := strconv.ParseInt(f.conf["cluster-node-timeout"], 10, 64)
	timeout := time.Duration(n) * time.Millisecond
	if err == nil && (timeout < leastNodeTimeout || timeout > mostNodeTimeout) {
		found = append(found, Finding{Warning, "cluster-node-timeout", fmt.Sprintf("it is %s: with less than %s a fork may look "+
			"like a failure, with more than %s a fail-over takes long; CONFIG SET cluster-node-timeout 2000", timeout,
			leastNodeTimeout, mostNodeTimeout)})
	}
	if f.conf["cluster-require-full-coverage"] == "yes" {
		found = append(found, Finding{Warning, "cluster-require-full-coverage",
			"it is yes: if one master fails, all refuse writes; CONFIG SET cluster-require-full-coverage no"})
	}
	if f.number("connected_slaves") == 0 {
		found = append(found, Finding{Warning, "replicas", "no replica would take its place; add one with --cluster-slave"})
	}
	return found
}

// latency reports how long a server takes to answer; nothing if it does not.
func (n node) latency(ctx context.Context) []Finding {
	took := make([]time.Duration, 0, pings)
	if n.redis.Ping(ctx).Err() != nil { // connects
		return nil
	}
	for range pings {
		began := time.Now()
		if n.redis.Ping(ctx).Err() != nil {
			return nil
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	median, worst := took[pings/2], took[pings-1]
	f := Finding{Item: "latency", Text: fmt.Sprintf("median %s, worst %s", median.Round(10*time.Microsecond),
		worst.Round(10*time.Microsecond))}
	switch {
	case median > slowPing:
		f.Grade, f.Text = Warning, f.Text+": move the server next to Redis, or look for what keeps Redis busy (SLOWLOG GET)"
	case worst > latePing:
		f.Grade, f.Text = Warning, f.Text+
			": look for forks of much memory, transparent huge pages and swapping (redis-cli --intrinsic-latency 10)"
	}
	f.Text = facts{node: n.addr}.named(f.Text)
	return []Finding{f}
}
