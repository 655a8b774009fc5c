package process

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/test/clustertest"
	"agora/internal/test/proxy"
	"agora/internal/test/wait"
)

const (
	// failoverWithin is how soon after a fault of a master writes to its slots must succeed again. The others notice
	// it after clustertest.NodeTimeout.
	failoverWithin = 6 * time.Second
	// worksWithin is how soon writes must work again after a fault that replaced nothing.
	worksWithin = 5 * time.Second
	// tasksWithin is how soon after the load the data must be consistent: a task that failed is repeated after 1, 2,
	// 4, 8 and 16 s.
	tasksWithin = 35 * time.Second
	// warm is how many writes are acknowledged before each fault, and after the last.
	warm = 100
)

// bench is a site under load, one fault of which is measured.
type bench struct {
	t     *testing.T
	fault fault
	backend
	proxies  []*proxy.Proxy
	network  *clustertest.Network
	site     *killSite
	run      *killRun
	children []*child // by address of the site
	live     *killPost
	watching []*follower
	mirror   *mirror
	follows  *store.Store // the mirror's own
	load     sync.WaitGroup
	// replaced is when a master was last replaced or restarted, so that a server checks the data.
	replaced time.Time
	after    func()          // what an operator does after the fault, or nil
	back     []time.Duration // how long writes did not work
	clean    time.Duration   // after the load ended until check found nothing
}

// runFault starts a site, makes it fail under load, and compares it with what the clients know. It returns the row of
// the table.
func runFault(t *testing.T, f fault) string {
	b := &bench{t: t, fault: f}
	f.on.start(b)
	b.startServers()
	if f.short {
		defer b.follow()()
	}
	w := b.run
	ctx, cancel := context.WithCancel(context.Background())
	watching, leave := context.WithCancel(context.Background())
	began := time.Now()
	defer func() { // if the test ends early; what still runs would report to it
		cancel()
		leave()
		b.load.Wait()
		for _, f := range b.watching {
			f.running.Wait()
		}
	}()
	b.startLoad(ctx, watching)
	for n := range f.times {
		w.rest(warm)
		f.strike(b, n)
	}
	w.rest(warm)
	b.whole()
	cancel()
	took := time.Since(began)
	b.load.Wait()
	events, resets := b.endWatching(leave)
	if !b.replaced.IsZero() {
		b.site.awaitRecheck(b.replaced)
	}
	if b.after != nil {
		b.after()
	}
	b.clean = b.site.checkClean(time.Now())
	if f.short {
		b.compareMirror()
	}
	w.verify()
	w.report(took)
	if f.loss == some && w.lost == 0 {
		t.Error("nothing that was acknowledged is lost; the fault proves nothing")
	}
	return b.row(events, resets)
}

// startServers starts two servers on the bench's Redis, and creates what clients need.
func (b *bench) startServers() {
	b.t.Helper()
	s := b.site
	s.quiet, s.within = true, tasksWithin
	s.env = []string{"DURABILITY=" + b.fault.set}
	s.clocks = b.t.TempDir()
	for _, addr := range s.addrs {
		b.children = append(b.children, s.start(addr))
	}
	for _, c := range b.children {
		s.await(c)
	}
	b.run = newKillRun(s)
	b.run.furnish()
	b.run.lossy = b.fault.loss != none
	if b.network != nil {
		b.run.late = time.Minute // TCP sends again what it could not deliver
	}
}

// The roles of some clients. All others write at random.
const (
	talker     = 0 // posts in the topic that is followed live
	prober     = 1 // asks whether writes work
	persistent = 2 // waits for each answer as long as a server may take
	writers    = 2 // the first of those that write at random
)

// startLoad starts clients that write until ctx ends, and followers of a topic until watching ends.
func (b *bench) startLoad(ctx, watching context.Context) {
	w := b.run
	talk := w.clients[talker]
	talk.patience = func() time.Duration { return patient }
	w.clients[prober].patience = talk.patience
	w.clients[persistent].patience = func() time.Duration { return steady }
	talk.createTopic(true)
	b.live = talk.topics[0]
	for n, addr := range b.site.addrs {
		f := newFollower(b, addr, b.site.addrs[1-n])
		b.watching = append(b.watching, f)
		f.running.Go(func() { f.run(watching) }) // ends with watching
	}
	for !b.watching[0].isOpen() || !b.watching[1].isOpen() {
		w.clients[prober].reply(b.live)
	}
	b.load.Go(func() { // ends with ctx, and when its last reply is acknowledged
		for tick := time.NewTicker(20 * time.Millisecond); ctx.Err() == nil; <-tick.C {
			talk.reply(b.live)
		}
	})
	for _, c := range w.clients[writers:] {
		b.load.Go(func() { c.work(ctx) }) // the same
	}
}

// endWatching returns when the followers have seen all replies, and what they were told.
func (b *bench) endWatching(leave context.CancelFunc) (events, resets int) {
	b.t.Helper()
	for _, f := range b.watching {
		f.awaitAll()
	}
	leave()
	for _, f := range b.watching {
		f.running.Wait()
		f.verify()
		events, resets = events+f.events, resets+f.resets
	}
	return events, resets
}

// served waits until a node other than one that failed, or any if that is nil, serves the slot of a key.
func (b *bench) served(failed *clustertest.Node, key string) {
	b.t.Helper()
	began := time.Now()
	within := failoverWithin
	if !wait.For(within, func() bool { return servedBy(b.nodes(), failed, key) }) {
		b.t.Errorf("writes to the failed part do not work %v after the fault", time.Since(began))
	}
	b.back = append(b.back, time.Since(began))
	b.replaced = began
}

// works waits until a write through the servers is acknowledged.
func (b *bench) works() {
	b.t.Helper()
	began := time.Now()
	b.run.clients[prober].reply(b.live)
	took := time.Since(began)
	if took > worksWithin {
		b.t.Errorf("a write was acknowledged %v after the fault ended; want at most %v", took, worksWithin)
	}
	b.back = append(b.back, took)
}

// servedBy reports whether a node other than one that failed serves the slot of a key.
func servedBy(nodes []*clustertest.Node, failed *clustertest.Node, key string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for _, n := range nodes {
		if n != failed && n.Redis.Set(ctx, key, "x", time.Minute).Err() == nil {
			return n.Redis.Del(ctx, key).Err() == nil
		}
	}
	return false
}

// keyOf returns a key of a slot that the master serves, which no site uses.
func keyOf(master *clustertest.Node) string {
	for n := rand.IntN(1000); ; n++ {
		key := fmt.Sprintf("probe:{%d}", n)
		if master.Redis.Exists(context.Background(), key).Err() == nil {
			return key
		}
	}
}

// rest returns when so many more writes were acknowledged, or after a while.
func (w *killRun) rest(writes int) {
	began, before := time.Now(), w.acknowledged()
	if !wait.For(time.Minute, func() bool { return w.acknowledged() >= before+writes }) {
		w.site.t.Errorf("%d writes acknowledged in %v; want %d", w.acknowledged()-before, time.Since(began), writes)
	}
}

// acknowledged is the number of writes that were acknowledged so far.
func (w *killRun) acknowledged() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.counts {
		n += c[acknowledged]
	}
	return n
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
	if !wait.For(time.Minute, done) {
		s.t.Errorf("no server has checked the data after the last fault; the log: %s", s.logged(""))
	}
	s.note("%s", s.logged("checked the data"))
}

const tableHead = `| fault | on | setting | faults | acknowledged | lost | doubled | work again | longest wait | slowest answer | clean | live, RESETs |
|---|---|---|---|---|---|---|---|---|---|---|---|`

// row returns the row of the table.
func (b *bench) row(events, resets int) string {
	w := b.run
	return fmt.Sprintf("| %s | %s | `%s` | %d | %d | %d | %d | %s | %.1f s | %.1f s | %.1f s | %d, %d |",
		b.fault.name, b.fault.on, b.fault.set, b.fault.times, w.acknowledged(), w.lost, w.doubled, times(b.back),
		w.longest.Seconds(), w.slowest.Seconds(), b.clean.Seconds(), events, resets)
}

// times returns the shortest and the longest of some times.
func times(all []time.Duration) string {
	if len(all) == 0 {
		return ""
	}
	least, most := slices.Min(all).Seconds(), slices.Max(all).Seconds()
	if most-least < 0.1 {
		return fmt.Sprintf("%.1f s", most)
	}
	return fmt.Sprintf("%.1f to %.1f s", least, most)
}
