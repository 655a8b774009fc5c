package process

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/test/clustertest"
	"agora/internal/test/testlevel"
)

// failoverWithin is how soon after a fault of a master writes to its slots must succeed again. The others notice it
// after clustertest.NodeTimeout.
const failoverWithin = 6 * time.Second

// TestMastersAreReplaced kills and pauses the masters of a cluster, one after the other, while clients write through
// two servers. With --durability replicated nothing that was acknowledged is lost, nothing is doubled, no id is
// assigned twice, and the servers make the data consistent. With KILL_SECONDS, masters fail in all ways for so long;
// without it only one does.
func TestMastersAreReplaced(t *testing.T) {
	testlevel.LongWithoutRace(t)
	w := replaceMasters(t, "replicated")
	w.verify()
	if n := w.lost(); n != 0 {
		t.Errorf("%d acknowledged posts are lost", n)
	}
}

// TestUnreplicatedWritesAreLost is the control: with --durability local the same faults lose what was acknowledged, and
// the test notices. The servers make the data consistent nevertheless.
func TestUnreplicatedWritesAreLost(t *testing.T) {
	testlevel.LongWithoutRace(t)
	w := replaceMasters(t, "local")
	n := w.lost()
	if n == 0 {
		t.Error("no acknowledged post is lost; the faults prove nothing")
	}
	t.Logf("%d acknowledged posts are lost", n)
}

// faults are the ways in which a master fails, in turn. The first one loses writes that are not replicated.
var faults = []struct {
	name       string
	fail, mend func(c *clustertest.Cluster, master *clustertest.Node)
}{
	{"killed while its replica lagged", killLagged,
		func(c *clustertest.Cluster, master *clustertest.Node) { c.Restart(master) }},
	{"paused", func(_ *clustertest.Cluster, master *clustertest.Node) { master.Pause() },
		func(_ *clustertest.Cluster, master *clustertest.Node) { master.Resume() }},
	{"killed", func(_ *clustertest.Cluster, master *clustertest.Node) { master.Kill() },
		func(c *clustertest.Cluster, master *clustertest.Node) { c.Restart(master) }},
}

// lag is how long a replica lags behind: less than clustertest.NodeTimeout.
const lag = clustertest.NodeTimeout / 2

// killLagged kills a master whose replica has not received its latest writes.
func killLagged(c *clustertest.Cluster, master *clustertest.Node) {
	replica := c.ReplicaOf(master)
	replica.Pause()
	// Without its connection it receives nothing more when it continues.
	master.Redis.Do(context.Background(), "client", "kill", "type", "replica")
	<-time.After(lag)
	master.Kill()
	replica.Resume()
}

// replaceMasters makes masters fail under load. Afterwards the servers must have made the data consistent.
func replaceMasters(t *testing.T, durability string) *killWorld {
	t.Helper()
	times, least := len(faults), time.Duration(0)
	if os.Getenv("KILL_SECONDS") == "" {
		times = 1
	} else {
		least = killSeconds(t)
	}
	c := clustertest.Start(t, testlevel.RealRedis(t), 3, 1, "--appendonly", "yes", "--appendfsync", "no")
	s := newKillSite(t, asUsual, c.URL(), c.Client(t))
	s.env = []string{"DURABILITY=" + durability}
	children := []*child{s.start(s.addrs[0]), s.start(s.addrs[1])}
	for _, c := range children {
		s.await(c)
	}
	w := newKillWorld(s)
	w.furnish()
	w.lossy = durability == "local"

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	began := time.Now()
	var clients sync.WaitGroup
	for _, c := range w.clients {
		clients.Go(func() { c.work(ctx) }) // ends with ctx, and when its last keyed call is acknowledged
	}
	var last time.Time
	for n := 0; n < times || time.Since(began) < least; n++ {
		w.rest(100)
		last = time.Now()
		s.replaceMaster(c, n)
	}
	cancel()
	took := time.Since(began)
	clients.Wait()
	s.awaitRecheck(last)
	s.checkClean(time.Now())
	w.report(took)
	return w
}

// lost counts the acknowledged posts that the site does not show, though nobody deleted them.
func (w *killWorld) lost() (n int) {
	var ids []string
	for _, p := range w.posts {
		if p.id != "" && !p.mayBeDeleted() {
			ids = append(ids, p.id)
		}
	}
	for some := range slices.Chunk(ids, 50) {
		for _, node := range read[[]*seenID](w, opNodes, map[string]any{"ids": some}) {
			if node == nil {
				n++
			}
		}
	}
	return n
}

// rest returns when so many more writes were acknowledged, or after a while.
func (w *killWorld) rest(writes int) {
	sum := func() (n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, c := range w.counts {
			n += c[acknowledged]
		}
		return n
	}
	began, before := time.Now(), sum()
	if !until(time.Minute, func() bool { return sum() >= before+writes }) {
		w.site.t.Errorf("%d writes acknowledged in %v; want %d", sum()-before, time.Since(began), writes)
	}
}

// replaceMaster makes a master fail until another one serves its slots, and brings it back as a replica.
func (s *killSite) replaceMaster(c *clustertest.Cluster, n int) {
	masters := c.Masters()
	master, fault := masters[rand.IntN(len(masters))], faults[n%len(faults)]
	key := s.keyOf(master)
	fault.fail(c, master)
	began := time.Now()
	if !until(failoverWithin, func() bool { return s.servedBy(c, master, key) }) {
		s.t.Errorf("%s: its slots are not served %v after it was %s", master.Addr, time.Since(began), fault.name)
	}
	s.t.Logf("%s was %s; its slots are served again after %v", master.Addr, fault.name,
		time.Since(began).Round(time.Millisecond))
	fault.mend(c, master)
	c.AwaitWhole()
}

// servedBy reports whether a node other than one that failed serves the slot of a key.
func (s *killSite) servedBy(c *clustertest.Cluster, failed *clustertest.Node, key string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, n := range c.Nodes {
		if n != failed && n.Redis.Set(ctx, key, "x", time.Minute).Err() == nil {
			return n.Redis.Del(ctx, key).Err() == nil
		}
	}
	return false
}

// keyOf returns a key of a slot that the master serves, which no site uses.
func (s *killSite) keyOf(master *clustertest.Node) string {
	for n := 0; ; n++ {
		key := fmt.Sprintf("probe:{%d}", n)
		if master.Redis.Exists(context.Background(), key).Err() == nil {
			return key
		}
	}
}

// awaitRecheck returns when a server has checked and repaired the data after a fault.
func (s *killSite) awaitRecheck(fault time.Time) {
	s.t.Helper()
	done := func() bool {
		f := strings.Fields(s.redis.Get(context.Background(), "meta:recheck").Val())
		if len(f) != 3 {
			return false
		}
		began, err := strconv.ParseInt(f[1], 10, 64)
		return err == nil && began >= fault.UnixMilli()
	}
	if !until(time.Minute, done) {
		s.t.Errorf("no server has checked the data after the last fault; the log: %s", s.logged(""))
	}
	s.t.Log(s.logged("checked the data"))
}
