package clustertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// One is a single redis-server, which can be killed and started again with its data.
type One struct {
	*Node
	all *Cluster // starts and ends the process
}

// StartOne starts a single redis-server, which ends with the test. extra are further arguments.
func StartOne(t testing.TB, program string, extra ...string) *One {
	t.Helper()
	c := newCluster(t, program)
	c.extra = extra
	return &One{Node: c.addServer(), all: c}
}

// Restart starts the server again that was killed.
func (o *One) Restart() {
	o.all.t.Helper()
	o.all.start(o.Node)
}

// URL returns its address in the form of REDIS_URL.
func (o *One) URL() string { return "redis://" + o.Addr }

// repair truncates the append-only file of a node that was killed before a transaction that is not complete, as
// docs/operating.md asks of those who run a Redis 7.0.
func (c *Cluster) repair(n *Node) {
	c.t.Helper()
	manifest := filepath.Join(c.dir, n.Addr, "appendonlydir", "appendonly.aof.manifest")
	if _, err := os.Stat(manifest); err != nil {
		return
	}
	cmd := exec.Command(strings.TrimSuffix(c.program, "server")+"check-aof", "--fix", manifest)
	cmd.Stdin = strings.NewReader("y\ny\n")
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("repair %s: %v: %s", manifest, err, out)
	}
}
