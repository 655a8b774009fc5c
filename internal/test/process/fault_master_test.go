package process

import (
	"context"
	"time"

	"agora/internal/test/clustertest"
	"agora/internal/test/wait"
)

// killLagged kills a master whose replica has not received its latest writes.
func killLagged(b *bench, n int) {
	master := b.master(n)
	key, replica := keyOf(master), b.replicaOf(master)
	replica.Pause()
	// Without its connection it receives nothing more when it continues.
	master.Redis.Do(context.Background(), "client", "kill", "type", "replica")
	<-time.After(lag)
	master.Kill()
	replica.Resume()
	b.served(master, key)
	b.restart(master)
	b.whole()
}

// lag is how long a replica lags behind: less than clustertest.NodeTimeout and clustertest.DownAfter.
const lag = clustertest.DownAfter * 9 / 10

// killMaster kills a master, and starts it again when its replica has taken its place.
func killMaster(b *bench, n int) { b.killUntilReplaced(b.master(n)) }

func (b *bench) killUntilReplaced(master *clustertest.Node) {
	key := keyOf(master)
	master.Kill()
	b.served(master, key)
	b.restart(master)
	b.whole()
}

// killPair kills a master and, when it is back as a replica, the one that took its place.
func killPair(b *bench, n int) {
	master := b.master(n)
	replica := b.replicaOf(master)
	b.killUntilReplaced(master)
	b.killUntilReplaced(replica)
}

// killAll kills a master while the servers are killed again and again.
func killAll(b *bench, n int) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	reaped := make(chan struct{})
	go func() { // ends with ctx
		defer close(reaped)
		for n := 0; ctx.Err() == nil; n++ {
			c := b.children[n%len(b.children)]
			c.kill()
			b.site.kills.Add(1)
			b.restartServer(n % len(b.children))
		}
	}()
	killMaster(b, n)
	end()
	<-reaped
}

// restartServer starts a server again that has ended, until it is up: none starts while a master is missing.
func (b *bench) restartServer(n int) {
	c := b.children[n]
	up := wait.For(2*failoverWithin, func() bool {
		select {
		case <-c.exited:
			c = b.site.start(c.addr)
		default:
		}
		return b.site.healthy(c)
	})
	if b.children[n] = c; !up {
		b.t.Errorf("the server at %s does not start; its log: %s", c.addr, b.site.logged("agora:"))
	}
}

// pauseMaster stops the process of a master for some time; its replica takes its place.
func pauseMaster(d time.Duration) func(b *bench, n int) {
	return func(b *bench, n int) {
		master := b.master(n)
		key, over := keyOf(master), time.After(d)
		master.Pause()
		b.served(master, key)
		<-over
		master.Resume()
		b.whole()
	}
}

// pauseOne stops the process of the only Redis for a while.
func pauseOne(b *bench, n int) {
	master := b.master(n)
	master.Pause()
	<-time.After(7 * time.Second)
	master.Resume()
	b.works()
}

// restartMaster kills a master and starts it again at once, before others take its place.
func restartMaster(b *bench, n int) {
	master := b.master(n)
	key, struck := keyOf(master), time.Now()
	master.Kill()
	b.restart(master)
	b.served(nil, key)
	b.back[len(b.back)-1] = time.Since(struck)
	if b.replicaOf == nil {
		b.replaced = time.Time{} // one Redis that has restarted is not checked
	}
	b.whole()
}

// cutMaster cuts a master and a server off from the other masters and the replicas, and from the other server.
func cutMaster(b *bench, n int) {
	master := b.master(n)
	b.cutOff(master, master.Host, b.site.hosts[b.site.addrs[0]])
}

// cutOff cuts hosts off until the replica of a master has taken its place, and a little longer.
func (b *bench) cutOff(master *clustertest.Node, hosts ...*clustertest.Host) {
	key, over := keyOf(master), time.After(2*failoverWithin)
	b.network.Cut(hosts...)
	b.served(master, key)
	<-over
	b.network.Mend()
	b.whole()
}

// cutPair cuts a master, its replica and a server off from all others: nobody can take its place.
func cutPair(b *bench, n int) {
	master := b.master(n)
	b.network.Cut(master.Host, b.replicaOf(master).Host, b.site.hosts[b.site.addrs[0]])
	<-time.After(2 * failoverWithin)
	b.network.Mend()
	b.whole()
	b.works()
}

// cutServer cuts a server off from the cluster.
func cutServer(b *bench, _ int) {
	b.network.Cut(b.site.hosts[b.site.addrs[0]])
	<-time.After(failoverWithin)
	b.network.Mend()
	b.works()
}
