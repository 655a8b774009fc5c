package clustertest

import "testing"

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
