package clustertest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// MasterName is the name by which the Sentinels know the master.
	MasterName = "forum"
	// DownAfter is how long a master is silent until a Sentinel takes it for dead.
	DownAfter = time.Second
	// sentinels is how many Sentinels there are; most of them must agree.
	sentinels = 3
)

// Sentinels are a master, its replica and the Sentinels that replace the master.
type Sentinels struct {
	// Nodes are the first master, then its replica.
	Nodes []*Node
	// watching are the Sentinels.
	watching []*Node
	all      *Cluster // starts and ends the processes
}

// StartSentinels starts a master with a replica and Sentinels, which end with the test. program is a redis-server,
// extra are further arguments of the master and of the replica.
func StartSentinels(t testing.TB, program string, extra ...string) *Sentinels {
	t.Helper()
	s := &Sentinels{all: newCluster(t, program)}
	s.all.extra = extra
	s.Nodes = []*Node{s.addServer(), s.addServer()}
	host, port, _ := net.SplitHostPort(s.Nodes[0].Addr)
	s.all.must(s.Nodes[1].Redis.ReplicaOf(context.Background(), host, port).Err())
	s.awaitReplica(s.Nodes[1])
	for range sentinels {
		s.watching = append(s.watching, s.addSentinel(host, port))
	}
	s.all.await("the Sentinels know each other and the replica", func(ctx context.Context) error {
		for _, n := range s.watching {
			client := redis.NewSentinelClient(n.Redis.Options())
			m, err := client.Master(ctx, MasterName).Result()
			client.Close()
			if err != nil || m["num-other-sentinels"] != strconv.Itoa(sentinels-1) || m["num-slaves"] != "1" {
				return fmt.Errorf("%v: %w", m, errors.Join(err, errors.New("not yet")))
			}
		}
		return nil
	})
	return s
}

// addServer starts a server that belongs to no cluster.
func (s *Sentinels) addServer() *Node {
	s.all.t.Helper()
	return s.all.addServer()
}

// addServer starts a server that belongs to no cluster.
func (c *Cluster) addServer() *Node {
	c.t.Helper()
	n, dir := c.newNode()
	host, port, _ := net.SplitHostPort(n.Addr)
	n.args = append([]string{
		c.program, "--port", port, "--bind", host, "--replica-announce-ip", host, "--dir", dir, "--save", "", "--loglevel", "warning",
		"--repl-diskless-sync-delay", "0", "--zset-max-listpack-entries", "1024", "--hash-max-listpack-value", "1024",
	}, c.extra...)
	c.start(n)
	return n
}

// addSentinel starts a Sentinel for the master at an address.
func (s *Sentinels) addSentinel(host, port string) *Node {
	s.all.t.Helper()
	n, dir := s.all.newNode()
	address, own, _ := net.SplitHostPort(n.Addr)
	conf := filepath.Join(dir, "sentinel.conf")
	text := fmt.Sprintf("port %s\nbind %s\ndir %s\nsentinel monitor %s %s %s %d\n"+
		"sentinel down-after-milliseconds %[4]s %[8]d\nsentinel failover-timeout %[4]s 10000\n"+
		"sentinel announce-ip %[2]s\n",
		own, address, dir, MasterName, host, port, sentinels/2+1, DownAfter.Milliseconds())
	s.all.must(os.WriteFile(conf, []byte(text), 0o600))
	n.args = []string{s.all.program, conf, "--sentinel"}
	s.all.start(n)
	return n
}

// URL returns the address of the Sentinels in the form of REDIS_URL.
func (s *Sentinels) URL() string {
	return "redis+sentinel://" + strings.Join(s.Addrs(), ",") + "/" + MasterName
}

// Master returns the server that is the master now, or nil if none is, or both are.
func (s *Sentinels) Master() *Node {
	var found *Node
	for _, n := range s.Nodes {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		info := n.Redis.Info(ctx, "replication").Val()
		cancel()
		if !strings.Contains(info, "role:master") {
			continue
		}
		if found != nil {
			return nil
		}
		found = n
	}
	return found
}

// AwaitWhole waits until one server is the master and the other its replica, in step.
func (s *Sentinels) AwaitWhole() {
	s.all.t.Helper()
	s.all.await("a master and a replica in step", func(ctx context.Context) error {
		master := s.Master()
		if master == nil {
			return errors.New("no master, or two")
		}
		info, err := master.Redis.Info(ctx, "replication").Result()
		if err == nil && !strings.Contains(info, "state=online") {
			err = errors.New(info)
		}
		return err
	})
}

// Return starts a server again that was killed. The Sentinels decide what becomes of it: usually a replica, after some
// seconds; or the master again, if they had not agreed on another one.
func (s *Sentinels) Return(n *Node) {
	s.all.t.Helper()
	s.all.start(n)
}

// awaitReplica waits until a server is a replica in step with its master.
func (s *Sentinels) awaitReplica(n *Node) {
	s.all.t.Helper()
	s.all.await(n.Addr+" is a replica in step", func(ctx context.Context) error {
		info, err := n.Redis.Info(ctx, "replication").Result()
		if err == nil && !strings.Contains(info, "master_link_status:up") {
			err = errors.New(info)
		}
		return err
	})
}

// Addrs returns the addresses of the Sentinels.
func (s *Sentinels) Addrs() []string {
	var all []string
	for _, n := range s.watching {
		all = append(all, n.Addr)
	}
	return all
}
