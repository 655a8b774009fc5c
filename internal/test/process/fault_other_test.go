package process

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// moved is how many slots move to an added master.
const moved = 24

// moveSlots adds a master with a replica, and moves slots to it, that of the topic which is followed live among them.
func moveSlots(b *bench, _ int) {
	c, ctx := b.cluster, context.Background()
	client := b.site.redis.(*redis.ClusterClient)
	keys := must.Do(redistest.Keys(ctx, client, "*"))(b.t)
	began := time.Now()
	added := c.AddMaster()
	c.AddReplica(added)
	done := map[int]bool{}
	for _, key := range append([]string{liveKey(b.live)}, keys...) {
		slot := int(client.ClusterKeySlot(ctx, key).Val())
		if done[slot] || len(done) == moved {
			continue
		}
		done[slot] = true
		for _, from := range c.Masters() {
			if from != added && from.Redis.ClusterCountKeysInSlot(ctx, slot).Val() > 0 {
				c.Move(slot, from, added)
			}
		}
	}
	b.t.Logf("%d slots moved within %v", len(done), time.Since(began).Round(time.Millisecond))
	b.works()
}

// full is how long memory stays full.
const full = 4 * time.Second

// fillMemory lets a master use no more memory. Writes to it are refused; reads, and writes to others, go on.
func fillMemory(b *bench, n int) {
	ctx, master := context.Background(), b.master(n)
	used := ""
	for line := range strings.Lines(master.Redis.Info(ctx, "memory").Val()) {
		if v, ok := strings.CutPrefix(line, "used_memory:"); ok {
			used = strings.TrimSpace(v)
		}
	}
	set := func(limit string) {
		must.OK(b.t, master.Redis.ConfigSet(ctx, "maxmemory", limit).Err())
	}
	before := b.codes("UNAVAILABLE")
	set(used)
	over := time.After(full)
	for reading := true; reading; {
		read[any](b.run, opReplies, map[string]any{"id": b.live.id})
		select {
		case <-over:
			reading = false
		default:
		}
	}
	set("0")
	b.works()
	if got := b.codes("UNAVAILABLE") - before; got == 0 {
		b.t.Error("no write was refused while memory was full")
	}
	if got := b.codes("INTERNAL_SERVER_ERROR"); got > 0 {
		b.t.Errorf("%d writes failed without a reason while memory was full", got)
	}
}

// codes returns how many calls were answered by an error with a code.
func (b *bench) codes(code string) int {
	b.run.mu.Lock()
	defer b.run.mu.Unlock()
	return b.run.codes[code]
}

// during is how long connections are disturbed.
const during = 8 * time.Second

// disturb does something to all proxies again and again, and then waits until writes work. It returns how many
// connections it broke.
func (b *bench) disturb(every time.Duration, do func(i int) int) {
	tick, over, broken := time.NewTicker(every), time.After(during), 0
	defer tick.Stop()
	for disturbing := true; disturbing; {
		for i := range b.proxies {
			broken += do(i)
		}
		select {
		case <-over:
			disturbing = false
		case <-tick.C:
		}
	}
	b.t.Logf("%d connections were broken", broken)
	b.works()
}

// delayAnswers delays each answer of Redis by 200 ms.
func delayAnswers(b *bench, _ int) {
	for _, p := range b.proxies {
		p.Delay(200 * time.Millisecond)
	}
	<-time.After(during)
	for _, p := range b.proxies {
		p.Delay(0)
	}
	b.works()
}

// resetConnections resets all connections to Redis, several times a second.
func resetConnections(b *bench, _ int) {
	b.disturb(200*time.Millisecond, func(i int) int { return b.proxies[i].Cut(true) })
}

// freezeConnections makes all connections to Redis silent; new ones work.
func freezeConnections(b *bench, _ int) {
	b.disturb(3*time.Second, func(i int) int { return b.proxies[i].Freeze() })
}

// cutAnswers ends all connections to Redis in the middle of an answer, several times a second.
func cutAnswers(b *bench, _ int) {
	b.disturb(200*time.Millisecond, func(i int) int { return b.proxies[i].CutInAnswer() })
}

// stopServers asks one server after the other to stop, and starts it again.
func stopServers(b *bench, n int) {
	c := b.children[n%len(b.children)]
	must.OK(b.t, c.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-c.exited:
	case <-time.After(exitWithin):
		b.t.Errorf("the server has not ended after %v; its log: %s", exitWithin, b.site.logged(""))
		c.kill()
	}
	if code := c.cmd.ProcessState.ExitCode(); code != 0 {
		b.t.Errorf("exit code %d; want 0; its log: %s", code, b.site.logged(""))
	}
	b.works()
	b.restartServer(n % len(b.children))
}

// jumpClocks sets the clock of one server an hour ahead, then that of the other one an hour back, and corrects both.
func jumpClocks(b *bench, _ int) {
	set := func(n int, ahead string) {
		name := filepath.Join(b.site.clocks, b.site.addrs[n])
		must.OK(b.t, os.WriteFile(name+".new", []byte(ahead), 0o600))
		must.OK(b.t, os.Rename(name+".new", name))
	}
	set(0, "1h")
	b.run.rest(5 * warm)
	set(1, "-1h")
	b.run.rest(5 * warm)
	set(0, "0s")
	set(1, "0s")
	b.works()
	b.after = b.shorten
}

// shorten repairs what a clock that was ahead has left: what is kept for a day is kept for an hour more, and an index
// that has forgotten a removal after less than an hour may hold the topic again.
func (b *bench) shorten() {
	out, _ := b.site.command("check", "--repair")
	for line := range strings.Lines(out) {
		if rule, _, found := strings.Cut(line, "  "); found && rule != "expiry-long" && rule != "index-stray" {
			b.t.Errorf("check: %s", line)
		}
	}
}
