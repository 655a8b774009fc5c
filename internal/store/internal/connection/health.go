package connection

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Trouble is a kind of problem with the Redis behind a store.
type Trouble string

// The kinds of trouble.
const (
	// TroubleAway: Redis does not answer.
	TroubleAway Trouble = "away"
	// TroubleLoading: Redis is still loading its data.
	TroubleLoading Trouble = "loading"
	// TroubleReplica: Redis has become a replica and accepts no writes.
	TroubleReplica Trouble = "replica"
	// TroubleCluster: Redis is a node of a cluster, or a cluster does not serve all slots.
	TroubleCluster Trouble = "cluster"
	// TroubleFull: Redis refuses writes because its memory is used up.
	TroubleFull Trouble = "full"
	// TroubleDisk: Redis failed to write to its disk.
	TroubleDisk Trouble = "disk"
	// TroubleLayout: the layout of the data is missing or has changed, as after FLUSHALL.
	TroubleLayout Trouble = "layout"
	// TroubleClock: the clocks of Redis and of this machine differ too much.
	TroubleClock Trouble = "clock"
	// TroubleReplicas: no replica is connected that could acknowledge writes, which must be replicated.
	TroubleReplicas Trouble = "replicas"
	// TroubleEviction: Redis may delete data when memory is short.
	TroubleEviction Trouble = "eviction"
)

// Troubles are all kinds of trouble.
var Troubles = []Trouble{
	TroubleAway, TroubleLoading, TroubleReplica, TroubleCluster, TroubleFull, TroubleDisk, TroubleLayout, TroubleClock,
	TroubleReplicas, TroubleEviction,
}

// Problem is a problem with the Redis behind a store.
type Problem struct {
	Trouble Trouble
	// Detail describes the problem for operators.
	Detail string
	// Severe problems make writes fail or lose them: the server is not ready.
	Severe bool
}

// Health is the last known state of the Redis behind a store.
type Health struct {
	// At is the time of the observation; zero if there was none yet.
	At time.Time
	// Problems are in the order of Troubles, at most one of a kind.
	Problems []Problem
	// ClockLead is how far Redis's clock is ahead of this machine's.
	ClockLead time.Duration
	// Memory is what Redis uses and MaxMemory what it may use, in bytes; 0 if unknown or unlimited.
	Memory, MaxMemory int64
}

// Ready reports whether no known problem makes writes fail or loses them.
func (h Health) Ready() bool {
	return !slices.ContainsFunc(h.Problems, func(p Problem) bool { return p.Severe })
}

const (
	// healthEvery is the interval of Watch.
	healthEvery = 3 * time.Second
	// healthTime is how long Watch waits for an answer.
	healthTime = 2 * time.Second
)

// Monitor observes the health of the Redis behind a store.
type Monitor struct {
	Connection *Connection
	Now        func() time.Time
	Log        *slog.Logger
	// Created and TimeZone are those of the layout.
	Created  forum.Time
	TimeZone string

	last atomic.Pointer[Health]
	// Replaced, of capacity 1, receives a signal when a master was replaced or restarted that has replicas;
	// acknowledged writes may be lost. It may be nil.
	Replaced chan struct{}

	// The following fields are used by Watch only.
	processes map[string]string // the process of each server, by address
	errors    map[string]int64  // error replies so far, by server and kind
	refused   map[string]bool   // servers that refuse writes because of disk failures
}

// Health returns the last observation of Watch. It costs no round trip.
func (m *Monitor) Health() Health {
	if h := m.last.Load(); h != nil {
		return *h
	}
	return Health{}
}

// Watch checks Redis every few seconds, for Health. It logs changes, and at the start settings that should
// be improved. It returns when ctx ends. Only one may run.
func (m *Monitor) Watch(ctx context.Context) {
	switch c := m.Connection; {
	case c.embedded:
		return
	case !c.private():
		for _, f := range c.facts {
			if !f.silent {
				f.advise(m.Log)
			}
		}
	}
	tick := time.NewTicker(healthEvery)
	defer tick.Stop()
	for {
		m.Look(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Look updates Health.
func (m *Monitor) Look(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	all, err := readFacts(limited, m.Connection.Redis, m.Now)
	if ctx.Err() != nil {
		return
	}
	before := m.Health()
	h := Health{At: m.Now()}
	if err != nil {
		h.Problems = []Problem{{TroubleAway, "Redis does not answer", true}}
	} else {
		m.judge(all, &h)
	}
	m.last.Store(&h)
	for _, p := range h.Problems {
		if !slices.ContainsFunc(before.Problems, func(q Problem) bool { return q.Trouble == p.Trouble }) {
			m.Log.Warn("problem with Redis: "+p.Detail, "trouble", p.Trouble)
		}
	}
	for _, p := range before.Problems {
		if !slices.ContainsFunc(h.Problems, func(q Problem) bool { return q.Trouble == p.Trouble }) {
			m.Log.Info("problem with Redis is resolved", "trouble", p.Trouble)
		}
	}
}

// judge records what the servers report.
func (m *Monitor) judge(all []facts, h *Health) {
	for _, f := range all {
		h.Memory += f.number("used_memory")
		h.MaxMemory += f.number("maxmemory")
		if f.offset.Abs() > h.ClockLead.Abs() {
			h.ClockLead = f.offset
		}
		for _, p := range m.problems(f) {
			p.Detail = f.named(p.Detail)
			at := slices.IndexFunc(h.Problems, func(q Problem) bool { return q.Trouble == p.Trouble })
			if at < 0 {
				h.Problems = append(h.Problems, p)
			} else if p.Severe && !h.Problems[at].Severe {
				h.Problems[at] = p
			}
		}
	}
	slices.SortStableFunc(h.Problems, func(a, b Problem) int {
		return slices.Index(Troubles, a.Trouble) - slices.Index(Troubles, b.Trouble)
	})
	m.noteRestarts(all)
}

// problems returns the problems that the facts show.
func (m *Monitor) problems(f facts) []Problem {
	var ps []Problem
	add := func(t Trouble, severe bool, detail string, args ...any) {
		ps = append(ps, Problem{t, fmt.Sprintf(detail, args...), severe})
	}
	if f.silent {
		add(TroubleAway, false, "it does not answer") // the others serve their slots, and a replica takes over
		return ps
	}
	if f.number("loading") == 1 {
		add(TroubleLoading, true, "Redis is loading its data")
		return ps // the rest is not known yet
	}
	if f.replica() {
		add(TroubleReplica, true, "Redis has become a replica of %s and accepts no writes", f.master())
	}
	if f.node == "" && f.info["cluster_enabled"] == "1" {
		add(TroubleCluster, true, "Redis is a node of a cluster")
	}
	if state, known := f.cluster["cluster_state"]; known && state != "ok" {
		add(TroubleCluster, true, "the state of the cluster is %s: %d of 16384 slots are served", state,
			record.Atoi(f.cluster["cluster_slots_ok"]))
	}
	if f.full() || m.rose(f, "OOM") {
		add(TroubleFull, true, "Redis refuses writes: it uses %d of %d bytes; raise maxmemory", f.number("used_memory"),
			f.number("maxmemory"))
	}
	if m.Connection.private() && f.info["min_slaves_good_slaves"] == "0" {
		add(TroubleDisk, true, "the disk of the data directory is full: writes are refused until there is space")
	} else if failure, refuses := m.diskTrouble(f); failure != "" {
		add(TroubleDisk, refuses, "%s; check the disk and the log of Redis", failure)
	}
	if !f.layoutAway && (f.layout["created"] != key.Itoa(m.Created) || f.layout["timeZone"] != m.TimeZone) {
		add(TroubleLayout, true,
			"the key %s is missing or has changed since the start: the data were deleted or replaced; restore them and restart the server", key.Layout)
	}
	if f.offset.Abs() > clockWarn {
		add(TroubleClock, f.offset.Abs() > clockMost, "the clock of Redis is %s; synchronize the clocks with NTP",
			describeOffset(f.offset))
	}
	if m.Connection.replication != nil && f.number("connected_slaves") == 0 {
		add(TroubleReplicas, f.node == "", "no replica is connected: writes are executed, but not acknowledged")
	}
	if f.evicts() {
		add(TroubleEviction, false, "maxmemory-policy is %s: Redis may delete data", f.info["maxmemory_policy"])
	}
	return ps
}

// diskTrouble describes the latest failure of Redis to write to its disk, or returns "". severe is whether
// Redis therefore refuses writes, or acknowledges writes that are stored nowhere else.
func (m *Monitor) diskTrouble(f facts) (failure string, severe bool) {
	refused := m.rose(f, "MISCONF")
	failure = f.persistFailure()
	if failure == "" && !refused {
		delete(m.refused, f.node)
		return "", false
	}
	if m.refused == nil {
		m.refused = map[string]bool{}
	}
	m.refused[f.node] = m.refused[f.node] || refused
	if failure == "" {
		failure = "Redis refuses writes because it cannot save them"
	}
	return failure, m.refused[f.node] || f.info["aof_last_write_status"] == "err" || f.info["aof_enabled"] != "1"
}

// rose reports whether a server has returned errors of a kind since the last check.
func (m *Monitor) rose(f facts, kind string) bool {
	id := f.node + " " + kind
	before, seen := m.errors[id]
	n := f.errorCount(kind)
	if m.errors == nil {
		m.errors = map[string]int64{}
	}
	m.errors[id] = n
	return seen && n > before
}

// noteRestarts notices servers that were restarted, and masters that were replaced.
func (m *Monitor) noteRestarts(all []facts) {
	first := m.processes == nil
	if first {
		m.processes = map[string]string{}
	}
	for _, f := range all {
		id := f.process()
		before := m.processes[f.node]
		if id == "" || id == before {
			continue
		}
		m.processes[f.node] = id
		switch {
		case first || m.Connection.private(): // the file of a private server was repaired before its start
		case m.Connection.Replicated:
			m.Log.Warn(f.named("a master of Redis was replaced, added or restarted: writes may be lost; the data are "+
				"checked and repaired in the background"), "run_id", f.info["run_id"])
			signal(m.Replaced)
		default:
			m.warnOfRestart(f)
		}
	}
}

// process identifies the process of a server, and in a cluster how often it became a master.
func (f facts) process() string {
	if f.info["run_id"] == "" || f.node == "" {
		return f.info["run_id"]
	}
	return f.info["run_id"] + " " + f.cluster["cluster_my_epoch"]
}

// warnOfRestart logs what a restart may have lost. Only Redis's own log says what it did to its append-only
// file.
func (m *Monitor) warnOfRestart(f facts) {
	id := f.info["run_id"]
	if f.info["aof_enabled"] == "1" {
		m.Log.Warn(f.named("Redis was restarted; if its log says \"Truncating the AOF\", run BGREWRITEAOF immediately, or "+
			"writes acknowledged from now on are lost at its next start"), "run_id", id)
		return
	}
	m.Log.Warn(f.named("Redis was restarted without an append-only file: unsaved writes are lost"), "run_id", id)
}

// signal sends on a channel of capacity 1, which may be nil, unless a signal waits already.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
