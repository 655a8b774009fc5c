package process

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"agora/internal/test/testlevel"
)

// fault is something that fails while clients write through two servers, and what must hold nevertheless. Nothing may
// be doubled, what live clients see may have no gap, and at the end the data must be consistent.
type fault struct {
	name  string
	on    deployment
	with  []string // arguments of each redis-server
	set   string   // --durability
	times int      // how often it strikes
	short bool     // runs also without FAULTS=all, and with a mirror, which follows the changes
	loss  loss
	// strike makes something fail, waits until writes work again, and mends it.
	strike func(b *bench, n int)
}

// loss is what may happen to writes that were acknowledged.
type loss int

const (
	// none is lost.
	none loss = iota
	// possible: some may be lost.
	possible
	// some are lost: the fault is a control, which shows that the bench notices.
	some
)

const replicated, local = "replicated", "local"

// Arguments of redis-servers.
var (
	inKernel   = []string{"--appendonly", "yes", "--appendfsync", "no"}
	eachSecond = []string{"--appendonly", "yes", "--appendfsync", "everysec"}
	always     = []string{"--appendonly", "yes", "--appendfsync", "always"}
	// alert makes a replica notice within seconds that its connection is silent.
	alert = append([]string{"--repl-timeout", "3", "--repl-ping-replica-period", "1"}, inKernel...)
)

// faults are all faults of the bench. bench/results.md has the results.
var faults = []fault{
	{"master killed while its replica lagged", cluster, inKernel, replicated, 3, true, none, killLagged},
	{"the same, as a control", cluster, inKernel, local, 3, false, some, killLagged},
	{"master killed", cluster, inKernel, replicated, 3, false, none, killMaster},
	{"master paused for 7 s", cluster, inKernel, replicated, 3, false, none, pauseMaster(7 * time.Second)},
	{"master paused for 7 s", cluster, inKernel, local, 3, false, possible, pauseMaster(7 * time.Second)},
	{"master paused for 30 s", cluster, inKernel, replicated, 1, false, none, pauseMaster(30 * time.Second)},
	{"both masters of a pair killed in turn", cluster, inKernel, replicated, 2, false, none, killPair},
	{"master killed, and servers all the time", cluster, inKernel, replicated, 2, false, none, killAll},
	{"a server started without a master", cluster, inKernel, replicated, 2, false, none, startWithoutMaster},
	{"a server started without a shard, lists read", cluster, inKernel, replicated, 2, false, none, startWithoutShard},
	{"master restarted at once", cluster, inKernel, replicated, 3, false, none, restartMaster},
	{"master restarted at once", cluster, inKernel, local, 3, false, none, restartMaster},
	{"master and a server cut off", clusterOnHosts, inKernel, replicated, 2, false, none, cutMaster},
	{"the same, as a control", clusterOnHosts, inKernel, local, 3, false, some, cutMaster},
	{"master, its replica and a server cut off", clusterOnHosts, inKernel, replicated, 2, false, none, cutPair},
	{"a server cut off", clusterOnHosts, inKernel, replicated, 2, false, none, cutServer},
	{"master and replica added, slots moved", cluster, inKernel, replicated, 1, false, none, moveSlots},
	{"memory of a master full", cluster, inKernel, replicated, 2, false, none, fillMemory},
	{"answers delayed by 200 ms", clusterBehindProxies, alert, replicated, 1, false, none, delayAnswers},
	{"connections reset", clusterBehindProxies, alert, replicated, 1, false, none, resetConnections},
	{"connections half-open", clusterBehindProxies, alert, replicated, 1, false, none, freezeConnections},
	{"connections cut in an answer", clusterBehindProxies, alert, replicated, 1, false, none, cutAnswers},
	{"servers stopped by SIGTERM", cluster, inKernel, replicated, 4, false, none, stopServers},
	{"clocks of servers an hour off", cluster, inKernel, replicated, 1, false, none, jumpClocks},

	{"master killed while its replica lagged", sentinels, inKernel, replicated, 3, false, none, killLagged},
	{"the same, as a control", sentinels, inKernel, local, 3, false, some, killLagged},
	{"master killed", sentinels, inKernel, replicated, 3, false, none, killMaster},
	{"master paused for 7 s", sentinels, inKernel, replicated, 3, false, none, pauseMaster(7 * time.Second)},
	{"master paused for 7 s", sentinels, inKernel, local, 3, false, possible, pauseMaster(7 * time.Second)},
	{"master paused for 30 s", sentinels, inKernel, replicated, 1, false, none, pauseMaster(30 * time.Second)},

	{"a server started without a master", sentinels, inKernel, replicated, 2, false, none, startWithoutMaster},

	{"Redis killed, everysec", one, eachSecond, local, 5, false, none, restartMaster},
	{"Redis killed, always", one, always, local, 5, false, none, restartMaster},
	{"Redis paused for 7 s", one, always, local, 2, false, none, pauseOne},
	{"memory full", one, always, local, 2, false, none, fillMemory},
	{"answers delayed by 200 ms", oneBehindProxy, always, local, 1, false, none, delayAnswers},
	{"connections reset", oneBehindProxy, always, local, 1, false, none, resetConnections},
	{"connections half-open", oneBehindProxy, always, local, 1, false, none, freezeConnections},
	{"connections cut in an answer", oneBehindProxy, always, local, 1, false, none, cutAnswers},
	{"servers stopped by SIGTERM", one, always, local, 4, false, none, stopServers},
	{"clocks of servers an hour off", one, always, local, 1, false, none, jumpClocks},
}

// TestFaults makes all that a site depends on fail, one thing at a time, under load. With FAULTS=all it does so with
// all faults, otherwise with those that are marked. At the end it logs a table of the results.
func TestFaults(t *testing.T) {
	testlevel.LongWithoutRace(t)
	all := os.Getenv("FAULTS") == "all"
	var table strings.Builder
	for _, f := range faults {
		if !all && !f.short {
			continue
		}
		t.Run(fmt.Sprintf("%s %s, %s", f.on, f.set, f.name), func(t *testing.T) {
			if !all {
				f.times = 1
			}
			row := runFault(t, f)
			t.Log(row)
			table.WriteString(row + "\n")
		})
	}
	t.Logf("\n%s\n%s", tableHead, table.String())
}
