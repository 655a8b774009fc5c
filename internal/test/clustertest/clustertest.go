// Package clustertest starts real Redis Clusters on this machine for tests, and breaks them: it kills, stops and
// restarts nodes, moves slots and adds masters.
package clustertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/port"
	"agora/internal/test/wait"
)

// NodeTimeout is the cluster-node-timeout: how long a master is silent until the others replace it.
const NodeTimeout = 2 * time.Second

// patience is how long a test waits for a cluster to settle.
const patience = 60 * time.Second

// Cluster is a Redis Cluster of processes of this machine.
type Cluster struct {
	t testing.TB
	// Nodes are the masters, then their replicas in the same order, then those that were added.
	Nodes   []*Node
	masters int // how many there must be at least
	copies  int // replicas of each of the first masters
	added   int // masters that were added, without replicas
	program string
	dir     string
	extra   []string
	network *Network                 // in whose hosts the nodes run, or nil
	front   func(addr string) string // returns the address that a node announces, or nil
}

// Node is one process.
type Node struct {
	// Addr is its address, host:port.
	Addr string
	// Announced is the address that it announces to clients and other nodes, usually Addr.
	Announced string
	// Redis is a client of this node alone, which reaches it also if it is cut off from the others.
	Redis *redis.Client
	// Host is where it runs, or nil if that is this machine's own network.
	Host  *Host
	id    string
	args  []string
	cmd   *exec.Cmd
	stdin io.Closer // the process ends when it is closed
}

// Start starts a cluster of masters with as many replicas each, which ends with the test. program is a redis-server,
// extra are further arguments of each.
func Start(t testing.TB, program string, masters, replicas int, extra ...string) *Cluster {
	t.Helper()
	return newCluster(t, program).begin(masters, replicas, extra)
}

// StartIn is Start with each node on its own host of a network.
func StartIn(t testing.TB, network *Network, program string, masters, replicas int, extra ...string) *Cluster {
	t.Helper()
	c := newCluster(t, program)
	c.network = network
	return c.begin(masters, replicas, extra)
}

// StartBehind is Start with nodes that announce other addresses than their own, those of proxies: front returns that
// for a node's address.
func StartBehind(t testing.TB, front func(addr string) string, program string, masters, replicas int,
	extra ...string) *Cluster {
	t.Helper()
	c := newCluster(t, program)
	c.front = front
	return c.begin(masters, replicas, extra)
}

// begin starts the nodes and joins them.
func (c *Cluster) begin(masters, replicas int, extra []string) *Cluster {
	c.t.Helper()
	c.masters, c.copies, c.extra = masters, replicas, extra
	for range masters * (1 + replicas) {
		c.addNode()
	}
	c.join(masters)
	return c
}

// newCluster returns a cluster without nodes. Its processes end with the test.
func newCluster(t testing.TB, program string) *Cluster {
	t.Helper()
	c := &Cluster{t: t, program: program}
	dir := must.Do(os.MkdirTemp("", "clustertest"))(t)
	c.dir = dir
	t.Cleanup(func() {
		for _, n := range c.Nodes {
			n.Redis.Close()
			n.Kill()
		}
		os.RemoveAll(dir)
	})
	return c
}

// newNode returns a node whose process is not started yet, and its directory.
func (c *Cluster) newNode() (n *Node, dir string) {
	c.t.Helper()
	n = &Node{}
	reach := ""
	if c.network != nil {
		n.Host = c.network.Hosts[len(c.Nodes)]
		n.Addr, reach = n.Host.Addr+":6379", n.Host.Control+":6379"
	} else {
		n.Addr = port.Free(c.t)
		reach = n.Addr
	}
	n.Announced = n.Addr
	if c.front != nil {
		n.Announced = c.front(n.Addr)
	}
	dir = filepath.Join(c.dir, n.Addr)
	must.OK(c.t, os.Mkdir(dir, 0o700))
	n.Redis = redis.NewClient(&redis.Options{Addr: reach, DialTimeout: time.Second, DialerRetries: 1, MaxRetries: -1})
	c.Nodes = append(c.Nodes, n)
	return n, dir
}

// addNode starts a node that belongs to no cluster yet.
func (c *Cluster) addNode() *Node {
	c.t.Helper()
	n, dir := c.newNode()
	host, own, _ := net.SplitHostPort(n.Addr)
	announced, announcedPort, _ := net.SplitHostPort(n.Announced)
	number, _ := strconv.Atoi(own)
	n.args = append([]string{
		c.program, "--port", own, "--bind", host, "--dir", dir, "--cluster-enabled", "yes",
		"--cluster-announce-ip", announced, "--cluster-announce-port", announcedPort,
		"--cluster-announce-bus-port", strconv.Itoa(number + port.Bus),
		"--cluster-node-timeout", strconv.FormatInt(NodeTimeout.Milliseconds(), 10), "--save", "",
		"--cluster-require-full-coverage", "no", "--repl-diskless-sync-delay", "0", "--loglevel", "warning",
		"--zset-max-listpack-entries", "1024", "--hash-max-listpack-value", "1024", "--maxmemory-policy", "noeviction",
	}, c.extra...)
	if n.Host != nil {
		n.args = append(n.args, "--bind", n.Host.Addr, n.Host.Control, "--protected-mode", "no")
	}
	c.start(n)
	n.id = n.Redis.ClusterMyID(context.Background()).Val()
	return n
}

// untilEnd is a shell script that runs a command until standard input ends, and then deletes the directory that is its
// name.
const untilEnd = `"$@" </dev/null & read -r x; kill -9 $!; wait; rm -rf "$0"; rmdir "$(dirname "$0")"`

// start starts the process of a node. It ends with this process, too, because then its standard input does.
func (c *Cluster) start(n *Node) {
	c.t.Helper()
	c.repair(n)
	args := append([]string{"-c", untilEnd, filepath.Join(c.dir, n.Addr)}, n.Host.Within(n.args...)...)
	n.cmd = exec.Command("sh", args...)
	n.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	log := must.Do(os.OpenFile(c.logOf(n), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600))(c.t)
	defer log.Close()
	n.cmd.Stdout, n.cmd.Stderr = log, log
	var err error
	if n.stdin, err = n.cmd.StdinPipe(); err != nil {
		c.t.Fatal(err)
	}
	if err := n.cmd.Start(); err != nil {
		c.t.Fatalf("start %s: %v", c.program, err)
	}
	c.await(n.Addr+" answers", func(ctx context.Context) error { return n.Redis.Ping(ctx).Err() })
}

// logOf returns the name of the file of what a node's process prints.
func (c *Cluster) logOf(n *Node) string { return filepath.Join(c.dir, n.Addr, "log") }

// logs returns what the processes of the nodes have printed.
func (c *Cluster) logs() string {
	var all strings.Builder
	for _, n := range c.Nodes {
		text, _ := os.ReadFile(c.logOf(n))
		fmt.Fprintf(&all, "\nthe log of %s:\n%s", n.Addr, text)
	}
	return all.String()
}

// slots is how many slots a cluster has.
const slots = 16384

// join makes the nodes a cluster whose first masters share the slots.
func (c *Cluster) join(masters int) {
	c.t.Helper()
	ctx := context.Background()
	for i, n := range c.Nodes {
		c.must(n.Redis.Do(ctx, "cluster", "set-config-epoch", i+1).Err())
		if i < masters {
			c.must(n.Redis.ClusterAddSlotsRange(ctx, i*slots/masters, (i+1)*slots/masters-1).Err())
		}
		host, port, _ := net.SplitHostPort(c.Nodes[0].Addr)
		c.must(n.Redis.ClusterMeet(ctx, host, port).Err())
	}
	for i, n := range c.Nodes[masters:] {
		c.await("the nodes know each other", func(ctx context.Context) error {
			return n.Redis.ClusterReplicate(ctx, c.Nodes[i%masters].id).Err()
		})
	}
	c.AwaitWhole()
}

// AwaitWhole waits until all running nodes agree that all slots are served, and every replica is in step.
func (c *Cluster) AwaitWhole() {
	c.t.Helper()
	c.await("the cluster is whole", func(ctx context.Context) error {
		for _, n := range c.Nodes {
			if n.cmd == nil {
				continue
			}
			info, err := n.Redis.ClusterInfo(ctx).Result()
			if err != nil {
				return err
			}
			if !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, "cluster_slots_ok:16384") ||
				!strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d\r", len(c.Nodes))) {
				return errors.New(n.Addr + ": " + info)
			}
			repl, err := n.Redis.Info(ctx, "replication").Result()
			if err != nil || strings.Contains(repl, "master_link_status:down") {
				return errors.Join(err, errors.New(n.Addr+" is not in step"))
			}
		}
		return c.roles()
	})
}

// roles returns an error unless there are as many masters as there must be, with their replicas. A node that was paused
// may not know for a while that it was replaced.
func (c *Cluster) roles() error {
	masters, missing := c.Masters(), 0
	for _, n := range masters {
		if c.ReplicaOf(n) == nil {
			missing++
		}
	}
	if len(masters) < c.masters || c.copies > 0 && missing > c.added {
		return fmt.Errorf("%d masters, %d without a replica", len(masters), missing)
	}
	return nil
}

// Addrs returns the addresses that the nodes announce.
func (c *Cluster) Addrs() []string {
	var all []string
	for _, n := range c.Nodes {
		all = append(all, n.Announced)
	}
	return all
}

// Client returns a client of the cluster, which ends with the test.
func (c *Cluster) Client(t testing.TB) *redis.ClusterClient {
	client := redis.NewClusterClient(&redis.ClusterOptions{
		Addrs: c.Addrs(), DialerRetries: 1, DisableRoutingPolicies: true, ClusterStateReloadInterval: time.Second,
		ContextTimeoutEnabled: true,
	})
	t.Cleanup(func() { client.Close() })
	return client
}

// URL returns the cluster's address in the form of REDIS_URL.
func (c *Cluster) URL() string { return "redis+cluster://" + strings.Join(c.Addrs(), ",") }

// Masters returns the running nodes that are masters with slots.
func (c *Cluster) Masters() []*Node {
	var masters []*Node
	for _, n := range c.Nodes {
		if n.cmd == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		text := n.Redis.ClusterNodes(ctx).Val()
		cancel()
		for line := range strings.Lines(text) {
			f := strings.Fields(line)
			if len(f) > 8 && strings.Contains(f[2], "myself") && strings.Contains(f[2], "master") {
				masters = append(masters, n)
			}
		}
	}
	return masters
}

// ReplicaOf returns the running replica of a master, or nil.
func (c *Cluster) ReplicaOf(master *Node) *Node {
	for line := range strings.Lines(master.Redis.ClusterNodes(context.Background()).Val()) {
		f := strings.Fields(line)
		if len(f) <= 8 && len(f) > 3 && f[3] == master.id {
			for _, n := range c.Nodes {
				if n.id == f[0] && n.cmd != nil {
					return n
				}
			}
		}
	}
	return nil
}

// Kill kills the process of a node.
func (n *Node) Kill() {
	if n.cmd == nil {
		return
	}
	_ = syscall.Kill(-n.cmd.Process.Pid, syscall.SIGKILL)
	_ = n.cmd.Wait()
	n.cmd = nil
	if n.Host == nil {
		n.awaitPort()
	}
}

// awaitPort waits until nobody listens at the address: the shell may end before the server.
func (n *Node) awaitPort() {
	wait.For(patience, func() bool {
		l, err := net.Listen("tcp", n.Addr)
		if err == nil {
			l.Close()
		}
		return err == nil
	})
}

// Pause stops the process of a node until Resume.
func (n *Node) Pause() { _ = syscall.Kill(-n.cmd.Process.Pid, syscall.SIGSTOP) }

// Resume continues the process of a node.
func (n *Node) Resume() { _ = syscall.Kill(-n.cmd.Process.Pid, syscall.SIGCONT) }

// Restart starts a node again that was killed.
func (c *Cluster) Restart(n *Node) {
	c.t.Helper()
	c.start(n)
}

func (c *Cluster) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// await tries until do succeeds.
func (c *Cluster) await(what string, do func(context.Context) error) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var last error
	for tick := time.NewTicker(20 * time.Millisecond); ; {
		err := do(ctx)
		if err == nil {
			tick.Stop()
			return
		}
		if ctx.Err() == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			c.t.Fatalf("%s: %v%s", what, last, c.logs())
		case <-tick.C:
		}
	}
}
