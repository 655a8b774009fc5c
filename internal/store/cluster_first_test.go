package store_test

import (
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/test/clustertest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// A cluster whose master with the layout is away, before the start or from its middle on, is never taken for one without a
// site: the start fails for the time being, and the other masters get no keys.
func TestFirstStartWithoutTheMasterOfTheLayout(t *testing.T) {
	testlevel.LongWithoutRace(t)
	t.Parallel() // it waits more than it works
	c := clustertest.Start(t, testlevel.RedisProgram(t), 3, 0, "--cluster-require-full-coverage", "no")
	client := c.Client(t)
	holder := must.Do(client.MasterForKey(t.Context(), key.Layout))(t).Options().Addr
	var layout *clustertest.Node
	for _, n := range c.Masters() {
		if n.Addr == holder {
			layout = n
		}
	}
	start := func(partly bool, meanwhile func()) error {
		o := connection.Options{Timeout: 300 * time.Millisecond, AllowAway: partly}
		conn, err := connection.Open(t.Context(), c.URL(), o)
		if err != nil {
			return err
		}
		defer conn.Close()
		meanwhile()
		s, err := store.Open(t.Context(), conn, store.Layout{})
		if err == nil {
			s.Close()
		}
		return err
	}
	wantAway := func(what string, err error) {
		t.Helper()
		if !store.Away(err) {
			t.Errorf("%s: %v; want an error that says that Redis is away", what, err)
		}
		for _, n := range c.Nodes {
			if n == layout {
				continue
			}
			if keys := n.Redis.DBSize(t.Context()).Val(); keys != 0 {
				t.Errorf("%s: %s has %d keys; want none", what, n.Addr, keys)
			}
		}
	}
	wantAway("it is killed during the start", start(false, layout.Kill))
	wantAway("it was killed", start(false, func() {}))
	wantAway("what the others have is enough", start(true, func() {}))
	c.Restart(layout)
	c.AwaitWhole()
	if err := start(false, func() {}); err != nil {
		t.Errorf("Open once all masters answer: %v", err)
	}
}
