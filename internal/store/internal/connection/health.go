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
)

// Trouble is a kind of what may be wrong with the Redis behind a store.
type Trouble string

// The kinds of trouble.
const (
	// TroubleAway: Redis does not answer.
	TroubleAway Trouble = "away"
	// TroubleLoading: Redis is still reading its data.
	TroubleLoading Trouble = "loading"
	// TroubleReplica: Redis was made a replica and takes no writes.
	TroubleReplica Trouble = "replica"
	// TroubleCluster: Redis is a node of a cluster.
	TroubleCluster Trouble = "cluster"
	// TroubleFull: Redis refuses writes because its memory is used up.
	TroubleFull Trouble = "full"
	// TroubleDisk: Redis could not write to its disk.
	TroubleDisk Trouble = "disk"
	// TroubleLayout: the layout of the data is gone or another, as after FLUSHALL.
	TroubleLayout Trouble = "layout"
	// TroubleClock: the clocks of Redis and of this machine are too far apart.
	TroubleClock Trouble = "clock"
	// TroubleEviction: Redis may delete data when memory is short.
	TroubleEviction Trouble = "eviction"
)

// Troubles are all kinds of trouble.
var Troubles = []Trouble{
	TroubleAway, TroubleLoading, TroubleReplica, TroubleCluster, TroubleFull, TroubleDisk, TroubleLayout, TroubleClock,
	TroubleEviction,
}

// Problem is something that is wrong with the Redis behind a store.
type Problem struct {
	Trouble Trouble
	// Detail says what is wrong, for the people who run the server.
	Detail string
	// Severe problems make writes fail, or lose them: the server is not ready.
	Severe bool
}

// Health is what was last seen of the Redis behind a store.
type Health struct {
	// At is when; the zero time if nobody has looked yet.
	At time.Time
	// Problems are in the order of Troubles, at most one of a kind.
	Problems []Problem
	// ClockLead is how far Redis's clock is ahead of this machine's.
	ClockLead time.Duration
	// Memory is what Redis uses and MaxMemory what it may use, in bytes; 0 is not known,
	// or no bound.
	Memory, MaxMemory int64
}

// Ready reports whether nothing is known that makes writes fail or loses them.
func (h Health) Ready() bool {
	return !slices.ContainsFunc(h.Problems, func(p Problem) bool { return p.Severe })
}

const (
	// healthEvery is how often Watch looks.
	healthEvery = 3 * time.Second
	// healthTime is how long it waits for an answer.
	healthTime = 2 * time.Second
)

// Monitor looks at how the Redis behind a store is.
type Monitor struct {
	Connection *Connection
	Now        func() time.Time
	Log        *slog.Logger
	// Created and TimeZone are those of the layout.
	Created  forum.Time
	TimeZone string

	last atomic.Pointer[Health]
	// What follows is Watch's own.
	runID   string
	errors  map[string]int64 // answered so far, by kind
	refused bool             // writes, since the disk fails
}

// Health is what Watch saw last. It costs no round trip.
func (m *Monitor) Health() Health {
	if h := m.last.Load(); h != nil {
		return *h
	}
	return Health{}
}

// Watch looks every few seconds at how Redis is, for Health, and logs what
// changes, and at first what should be better. It returns when ctx ends. Only one may run.
func (m *Monitor) Watch(ctx context.Context) {
	switch c := m.Connection; {
	case c.embedded:
		return
	case !c.private() && c.facts.info != nil:
		c.facts.advise(m.Log)
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

// Look renews what Health says.
func (m *Monitor) Look(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	f, err := readFacts(limited, m.Connection.Redis, m.Now)
	if ctx.Err() != nil {
		return
	}
	before := m.Health()
	h := Health{At: m.Now()}
	if err != nil {
		h.Problems = []Problem{{TroubleAway, "Redis does not answer", true}}
	} else {
		h.ClockLead, h.Memory, h.MaxMemory = f.offset, f.number("used_memory"), f.number("maxmemory")
		h.Problems = m.problems(f)
		m.noteRestart(f)
	}
	m.last.Store(&h)
	for _, p := range h.Problems {
		if !slices.ContainsFunc(before.Problems, func(q Problem) bool { return q.Trouble == p.Trouble }) {
			m.Log.Warn("trouble with Redis: "+p.Detail, "trouble", p.Trouble)
		}
	}
	for _, p := range before.Problems {
		if !slices.ContainsFunc(h.Problems, func(q Problem) bool { return q.Trouble == p.Trouble }) {
			m.Log.Info("trouble with Redis is over", "trouble", p.Trouble)
		}
	}
}

// problems are what is wrong, by what Redis says.
func (m *Monitor) problems(f facts) []Problem {
	var ps []Problem
	add := func(t Trouble, severe bool, detail string, args ...any) {
		ps = append(ps, Problem{t, fmt.Sprintf(detail, args...), severe})
	}
	if f.number("loading") == 1 {
		add(TroubleLoading, true, "Redis is reading its data")
		return ps // the rest is not there yet
	}
	if f.replica() {
		add(TroubleReplica, true, "Redis has become a replica of %s and takes no writes", f.master())
	}
	if f.info["cluster_enabled"] == "1" {
		add(TroubleCluster, true, "Redis is a node of a cluster")
	}
	if f.full() || m.rose(f, "OOM") {
		add(TroubleFull, true, "Redis refuses writes: it uses %d of %d bytes; raise maxmemory", f.number("used_memory"),
			f.number("maxmemory"))
	}
	if m.Connection.private() && f.info["min_slaves_good_slaves"] == "0" {
		add(TroubleDisk, true, "the disk of the data directory is full: writes are refused until it has room")
	} else if failure, refuses := m.diskTrouble(f); failure != "" {
		add(TroubleDisk, refuses, "%s; look at the disk and the log of Redis", failure)
	}
	if f.layout["created"] != key.Itoa(m.Created) || f.layout["timeZone"] != m.TimeZone {
		add(TroubleLayout, true,
			"the key %s is missing or another than at the start: the data were deleted or replaced; restore them and start the server again", key.Layout)
	}
	if f.offset.Abs() > clockWarn {
		add(TroubleClock, f.offset.Abs() > clockMost, "the clock of Redis is %s; set the clocks by NTP",
			describeOffset(f.offset))
	}
	if f.evicts() {
		add(TroubleEviction, false, "maxmemory-policy is %s: Redis may delete data", f.info["maxmemory_policy"])
	}
	return ps
}

// diskTrouble says what Redis failed to write to its disk, or "", and whether it refuses
// writes because of that, or acknowledges what it has nowhere else.
func (m *Monitor) diskTrouble(f facts) (failure string, severe bool) {
	refused := m.rose(f, "MISCONF")
	failure = f.persistFailure()
	if failure == "" && !refused {
		m.refused = false
		return "", false
	}
	m.refused = m.refused || refused
	if failure == "" {
		failure = "Redis refuses writes because it cannot save them"
	}
	return failure, m.refused || f.info["aof_last_write_status"] == "err" || f.info["aof_enabled"] != "1"
}

// rose reports whether Redis has answered errors of a kind since the last look.
func (m *Monitor) rose(f facts, kind string) bool {
	before, looked := m.errors[kind]
	n := f.errorCount(kind)
	if m.errors == nil {
		m.errors = map[string]int64{}
	}
	m.errors[kind] = n
	return looked && n > before
}

// noteRestart logs that another process of Redis answers than before. What that did to
// its append-only file only its own log says.
func (m *Monitor) noteRestart(f facts) {
	id := f.info["run_id"]
	before := m.runID
	if id == "" || id == before {
		return
	}
	m.runID = id
	if before == "" {
		return
	}
	if m.Connection.private() {
		return // whose file was mended before its start
	}
	if f.info["aof_enabled"] == "1" {
		m.Log.Warn("Redis was started again; if its log says \"Truncating the AOF\", run BGREWRITEAOF at once, or what it "+
			"acknowledges now is lost at its next start", "run_id", id)
		return
	}
	m.Log.Warn("Redis was started again, without an append-only file: what it had not saved is lost", "run_id", id)
}
