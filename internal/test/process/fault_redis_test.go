package process

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store/listing"
	"agora/internal/test/clustertest"
	"agora/internal/test/port"
	"agora/internal/test/proxy"
	"agora/internal/test/testlevel"
)

// deployment is how the Redis of a bench is set up.
type deployment int

const (
	cluster              deployment = iota // three masters with a replica each
	clusterOnHosts                         // the same, each on a host of its own
	clusterBehindProxies                   // the same, each behind a proxy
	sentinels                              // a master with a replica, and three Sentinels
	one                                    // a single Redis
	oneBehindProxy
)

// String returns the name for the table.
func (d deployment) String() string {
	return [...]string{"cluster", "cluster", "cluster", "Sentinels", "one Redis", "one Redis"}[d]
}

// backend is what strikes need to know of a Redis, however it is set up.
type backend struct {
	cluster *clustertest.Cluster // or nil
	// nodes are the servers that may have data.
	nodes func() []*clustertest.Node
	// master is the nth master to fail. The first one has the topic that is followed live.
	master func(n int) *clustertest.Node
	// replicaOf is the replica of a master.
	replicaOf func(master *clustertest.Node) *clustertest.Node
	// restart starts a killed node again, whole waits until every master has its replica in step.
	restart func(*clustertest.Node)
	whole   func()
}

// start starts the Redis, and makes the bench's site.
func (d deployment) start(b *bench) {
	program := testlevel.RealRedis(b.t)
	switch d {
	case cluster:
		b.onCluster(clustertest.Start(b.t, program, 3, 1, b.fault.with...))
	case clusterOnHosts:
		b.network = clustertest.NewNetwork(b.t, 3*2+2)
		b.onCluster(clustertest.StartIn(b.t, b.network, program, 3, 1, b.fault.with...))
		b.site.hosts = map[string]*clustertest.Host{}
		for i, host := range b.network.Hosts[3*2:] {
			b.site.addrs[i] = host.Control + ":8080"
			b.site.hosts[b.site.addrs[i]] = host
		}
	case clusterBehindProxies:
		b.onCluster(clustertest.StartBehind(b.t, b.front, program, 3, 1, b.fault.with...))
	case sentinels:
		b.onSentinels(clustertest.StartSentinels(b.t, program, b.fault.with...))
	case one:
		o := clustertest.StartOne(b.t, program, b.fault.with...)
		b.onOne(o, o.Addr)
	case oneBehindProxy:
		o := clustertest.StartOne(b.t, program, b.fault.with...)
		b.onOne(o, b.front(o.Addr))
	}
}

// front starts a proxy in front of an address, and returns its own. It is on the host of the nodes of a cluster: each
// announces one host for its port, which is the proxy's, and for its bus.
func (b *bench) front(addr string) string {
	p := proxy.At(b.t, port.Free(b.t), addr)
	b.proxies = append(b.proxies, p)
	return p.Addr()
}

func (b *bench) onCluster(c *clustertest.Cluster) {
	client := c.Client(b.t)
	b.site = newKillSite(b.t, asUsual, c.URL(), client)
	b.backend = backend{
		cluster: c,
		nodes:   func() []*clustertest.Node { return c.Nodes },
		master: func(n int) *clustertest.Node {
			masters := c.Masters()
			for i, m := range masters {
				if m.Redis.Exists(context.Background(), liveKey(b.live)).Err() == nil {
					return masters[(i+n)%len(masters)]
				}
			}
			return masters[n%len(masters)]
		},
		replicaOf: c.ReplicaOf,
		restart:   c.Restart,
		whole:     c.AwaitWhole,
	}
}

// liveKey returns a key in the slot of a topic.
func liveKey(topic *killPost) string {
	_, number, _ := globalid.Split(topic.id)
	id, _ := strconv.ParseInt(number, 10, 64)
	return listing.CommentLog(forum.TopicID(id)).Channel
}

func (b *bench) onSentinels(s *clustertest.Sentinels) {
	client := redis.NewFailoverClient(&redis.FailoverOptions{
		MasterName: clustertest.MasterName, SentinelAddrs: s.Addrs(),
	})
	b.t.Cleanup(func() { client.Close() })
	b.site = newKillSite(b.t, asUsual, s.URL(), client)
	b.backend = backend{
		nodes:  func() []*clustertest.Node { return s.Nodes },
		master: func(int) *clustertest.Node { return s.Master() },
		replicaOf: func(master *clustertest.Node) *clustertest.Node {
			if s.Nodes[0] == master {
				return s.Nodes[1]
			}
			return s.Nodes[0]
		},
		restart: s.Return,
		whole:   s.AwaitWhole,
	}
}

// onOne makes the site of a single Redis that servers reach at an address.
func (b *bench) onOne(o *clustertest.One, addr string) {
	client := redis.NewClient(&redis.Options{Addr: o.Addr})
	b.t.Cleanup(func() { client.Close() })
	b.site = newKillSite(b.t, asUsual, "redis://"+addr, client)
	b.backend = backend{
		nodes:   func() []*clustertest.Node { return []*clustertest.Node{o.Node} },
		master:  func(int) *clustertest.Node { return o.Node },
		restart: func(*clustertest.Node) { o.Restart() },
		whole:   func() {},
	}
}
