package process

import (
	"encoding/json"
	"net/http"
	"time"

	"agora/internal/test/wait"
)

// startWithoutMaster kills a master and a server, and starts the server again at once, while the master is away.
func startWithoutMaster(b *bench, n int) {
	master := b.master(n)
	key := keyOf(master)
	master.Kill()
	b.startAway(n % len(b.children))
	b.served(master, key)
	b.restart(master)
	b.whole()
}

// startWithoutShard kills a master with its replica, and a server; starts the server again, which serves what the other
// masters have; reads a list meanwhile; and starts the shard again.
func startWithoutShard(b *bench, n int) {
	front := "{ix:front}"
	master := b.master(n)
	if master.Redis.Exists(b.t.Context(), front).Err() == nil { // the list itself must be there
		master = b.master(n + 1)
	}
	replica := b.replicaOf(master)
	replica.Kill()
	master.Kill()
	c := b.startAway(n % len(b.children))
	ready := wait.For(failoverWithin, func() bool {
		resp, err := http.Get("http://" + c.addr + "/readyz")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		var state struct{ Troubles []string }
		return json.NewDecoder(resp.Body).Decode(&state) == nil && resp.StatusCode == http.StatusOK &&
			len(state.Troubles) == 1 && state.Troubles[0] == "away"
	})
	if !ready {
		b.t.Errorf("the server at %s is not ready without a shard; its log: %s", c.addr, b.site.logged(""))
	}
	b.readFront()
	b.restart(master)
	b.restart(replica)
	b.whole()
	b.works()
	b.replaced = time.Now()
}

// startAway kills a server and starts it again, while something is away. It must come up at the first attempt.
func (b *bench) startAway(n int) *child {
	b.children[n].kill()
	b.site.kills.Add(1)
	c := b.site.start(b.children[n].addr)
	b.children[n] = c
	up := wait.For(failoverWithin, func() bool { return b.site.healthy(c) })
	select {
	case <-c.exited:
		up = false
	default:
	}
	if !up {
		b.t.Errorf("the server at %s does not start; its log: %s", c.addr, b.site.logged("agora:"))
	}
	return c
}

// readFront reads the front page until it lacks what is away. Topics that were just deleted are neither shown nor
// missing, so that all may be less than a page.
func (b *bench) readFront() {
	const page = 30
	var shown, missing int
	found := wait.For(failoverWithin, func() bool {
		a, err := b.run.ask(readPatience, "", `{ r: front { topics(first: 30) { nodes { id author { login } } } } }`, nil)
		if err != nil || len(a.Errors) > 0 {
			return false
		}
		var front struct {
			Topics struct{ Nodes []struct{ ID string } }
		}
		if err := json.Unmarshal(a.Data.R, &front); err != nil {
			b.t.Error(err)
		}
		shown, missing = len(front.Topics.Nodes), a.missing()
		return missing > 0
	})
	if !found || shown == 0 || shown+missing > page {
		b.t.Errorf("without a shard the front page shows %d topics and says that %d are missing; want at most %d in all",
			shown, missing, page)
	}
}
