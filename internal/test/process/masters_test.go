package process

import (
	"context"
	"fmt"
	"math/rand/v2"
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
// assigned twice, and the data are consistent without a repair by hand. KILL_SECONDS is the duration, at least two
// faults.
func TestMastersAreReplaced(t *testing.T) {
	testlevel.LongWithoutRace(t)
	c := clustertest.Start(t, testlevel.RealRedis(t), 3, 1, "--appendonly", "yes", "--appendfsync", "no")
	s := newKillSite(t, asUsual, c.URL(), c.Client(t))
	s.env = []string{"DURABILITY=replicated"}
	children := []*child{s.start(s.addrs[0]), s.start(s.addrs[1])}
	for _, c := range children {
		s.await(c)
	}
	w := newKillWorld(s)
	w.furnish()

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	began := time.Now()
	var clients sync.WaitGroup
	for _, c := range w.clients {
		clients.Go(func() { c.work(ctx) }) // ends with ctx, and when its last keyed call is acknowledged
	}
	var last time.Time
	for n := 0; n < 2 || time.Since(began) < killSeconds(t); n++ {
		w.rest(100)
		last = time.Now()
		s.replaceMaster(c, n)
	}
	cancel()
	took := time.Since(began)
	clients.Wait()
	s.awaitRecheck(last)
	s.checkClean(time.Now())
	w.verify()
	w.report(took)
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
	if !until(failoverWithin, func() bool { return sum() >= before+writes }) {
		w.site.t.Errorf("%d writes acknowledged in %v; want %d", sum()-before, time.Since(began), writes)
	}
}

// replaceMaster makes a master fail until another one serves its slots, and brings it back as a replica.
func (s *killSite) replaceMaster(c *clustertest.Cluster, n int) {
	masters := c.Masters()
	master := masters[rand.IntN(len(masters))]
	key := s.keyOf(c, master)
	what := "killed"
	if n%2 == 0 {
		master.Kill()
	} else {
		what = "paused"
		master.Pause()
	}
	began := time.Now()
	if !until(failoverWithin, func() bool { return s.servedBy(c, master, key) }) {
		s.t.Errorf("%s: its slots are not served %v after it was %s", master.Addr, time.Since(began), what)
	}
	s.t.Logf("%s was %s; its slots are served again after %v", master.Addr, what,
		time.Since(began).Round(time.Millisecond))
	if n%2 == 0 {
		c.Restart(master)
	} else {
		master.Resume()
	}
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
func (s *killSite) keyOf(c *clustertest.Cluster, master *clustertest.Node) string {
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
