package process

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/clustertest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// mirrorSite is a site that is mirrored, and killed.
type mirrorSite struct {
	*mirrorRun
	node     *clustertest.One
	lasting  bool // Redis may be killed
	children []*child
	mirror   *mirror
	follows  *store.Store // the mirror's own
	stop     func()       // stops the mirror
	backups  string
}

// TestMirror keeps a copy of a site by the feed of changes, while clients do whatever can be done, topics of another site
// are imported, and servers, Redis and the mirror end. At the end the copy equals an export, and every change that never
// becomes one with another has come, in order. So it is on the site that a backup becomes which was made meanwhile.
// MIRROR_KILLS is how many processes are killed, 10 if not set.
func TestMirror(t *testing.T) {
	testlevel.LongWithoutRace(t)
	kills := 10
	if text := os.Getenv("MIRROR_KILLS"); text != "" {
		kills = must.Do(strconv.Atoi(text))(t)
	}
	node := clustertest.StartOne(t, testlevel.RealRedis(t), "--appendonly", "yes", "--appendfsync", "always")
	x := &mirrorSite{backups: filepath.Join(t.TempDir(), "backups"), lasting: true}
	x.mirrorRun = newMirrorRun(x.on(t, node))
	x.begin("mirror")
	heard := &mirrorHeard{}
	ctx, deafen := context.WithCancel(t.Context())
	defer deafen()
	var listening sync.WaitGroup
	listening.Go(func() { heard.listen(ctx, node.Redis) }) // ends with ctx
	x.furnish()
	began := time.Now()
	x.endure(kills, func() {
		if out, code := x.site.command("backup", x.backups); code != 0 {
			t.Errorf("backup: %s", out)
		}
	})
	x.killRun.report(time.Since(began))
	x.outlive()
	deafen()
	listening.Wait()
	x.compare("after kills")
	heard.check(x.mirror)
	x.restore()
}

// on returns the site on a Redis.
func (x *mirrorSite) on(t *testing.T, node *clustertest.One) *killSite {
	t.Helper()
	client := redis.NewClient(&redis.Options{Addr: node.Addr})
	t.Cleanup(func() { client.Close() })
	x.node = node
	return newKillSite(t, quick, node.URL(), client)
}

// begin starts two servers and the mirror, and returns when it follows the site. It has an empty copy.
func (x *mirrorSite) begin(name string) {
	x.children = nil
	for _, addr := range x.site.addrs {
		x.children = append(x.children, x.site.start(addr))
	}
	for i := range x.children {
		x.revive(i)
	}
	x.mirror = newMirror(x.site.t, name, x.site.redisURL)
	x.follows, x.stop = x.mirror.run()
	x.mirror.await(x.follows, 30*time.Second)
}

// endure has clients write while servers and Redis are killed so many times, and the mirror starts again. In the middle it
// calls meanwhile. At the end no server runs.
func (x *mirrorSite) endure(kills int, meanwhile func()) {
	ctx, cancel := context.WithCancel(x.site.t.Context())
	var clients sync.WaitGroup
	for range mirrorClients {
		clients.Go(func() { x.work(ctx) }) // ends with ctx
	}
	clients.Go(func() { // ends with ctx
		for ctx.Err() == nil {
			x.importSome(ctx)
		}
	})
	for n := range kills {
		if n == kills/2 {
			meanwhile()
		}
		<-time.After(time.Duration(50+rand.IntN(400)) * time.Millisecond)
		switch at := rand.IntN(6); {
		case at == 0 && x.lasting:
			x.node.Kill()
			x.node.Restart()
		case at == 1:
			x.stop()
			x.follows, x.stop = x.mirror.run()
			x.killServer()
		default:
			x.killServer()
		}
		x.site.kills.Add(1)
	}
	cancel()
	clients.Wait()
	for _, c := range x.children {
		c.kill()
	}
}

// killServer kills a server and starts it again. It may not be up yet, or not any more if Redis was away.
func (x *mirrorSite) killServer() {
	i := rand.IntN(len(x.children))
	if rand.IntN(10) > 0 {
		x.revive(i)
	}
	x.children[i].kill()
	x.children[i] = x.site.start(x.children[i].addr)
}

// revive returns when a server is up. One that found no Redis has ended.
func (x *mirrorSite) revive(i int) {
	x.site.t.Helper()
	if !wait.For(20*time.Second, func() bool {
		select {
		case <-x.children[i].exited:
			x.children[i] = x.site.start(x.children[i].addr)
		default:
		}
		return x.site.healthy(x.children[i])
	}) {
		x.site.t.Fatalf("the server does not start; its log: %s", x.site.logged(""))
	}
}

// outlive moves the clock of the mirror's process, the only one left, until all that was hidden is erased, and every task
// is due. It finishes all work, and stops the mirror when it has seen that.
func (x *mirrorSite) outlive() {
	t := x.site.t
	x.stop()
	x.mirror.later = time.Duration(forum.HiddenLife)*time.Millisecond + time.Hour
	x.follows, x.stop = x.mirror.run()
	x.awaitQuiet()
	all := 0
	for n := 1; n > 0; all += n {
		n = must.Do(x.follows.Purge(t.Context()))(t)
	}
	t.Logf("%d hidden objects are erased", all)
	x.awaitQuiet()
	x.mirror.await(x.follows, 30*time.Second)
	x.stop()
}

// awaitQuiet returns when no object is to be indexed, and no task is left.
func (x *mirrorSite) awaitQuiet() {
	t := x.site.t
	t.Helper()
	var left []string
	if !wait.For(3*time.Minute, func() bool { // erasures take turns of a second
		left = nil
		for _, pattern := range []string{"*}:dirty", "*}:due", "*}:marks"} {
			left = append(left, must.Do(redistest.Keys(t.Context(), x.site.redis, pattern))(t)...)
		}
		return len(left) == 0
	}) {
		t.Errorf("something is left to do: %v", left)
	}
}

// compare compares the copy with an export.
func (x *mirrorSite) compare(what string) {
	want := x.mirror.exported(x.site)
	x.mirror.compare(what, want)
	x.mirror.checkTold(what, want)
}

// restore restores the backup, and follows what becomes of that: with an empty copy, under another name, because the
// mirror has what the backup lacks.
func (x *mirrorSite) restore() {
	t := x.site.t
	data := filepath.Join(t.TempDir(), "data")
	s := newKillSite(t, quick, "", nil)
	out, code := s.command("restore", x.backups, "--data", data)
	t.Logf("restore: exit code %d: %s", code, out) // other tests are about what check finds in it
	env := x.site.env
	x.site = x.on(t, clustertest.StartOne(t, testlevel.RealRedis(t), "--appendonly", "yes", "--dir", data))
	x.site.env, x.lasting = env, false
	x.begin("mirror-of-what-was-restored")
	if len(x.mirror.clone()) == 0 {
		t.Error("the walk over what was restored has met nothing")
	}
	x.endure(4, func() {})
	x.outlive()
	x.compare("after a restore")
}
