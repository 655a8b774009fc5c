package process

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"agora/internal/test/clustertest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// A site moves from one Redis to a cluster by export and import, with nothing changed.
func TestSiteMovesToACluster(t *testing.T) {
	testlevel.LongWithoutRace(t)
	from := startKillSite(t, asUsual)
	server := from.start(from.addrs[0])
	from.addrs[1] = from.addrs[0]
	from.await(server)
	w := newKillRun(from)
	w.furnish()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var clients sync.WaitGroup
	for _, c := range w.clients {
		clients.Go(func() { c.work(ctx) }) // ends with ctx
	}
	clients.Wait()
	server.kill()

	c := clustertest.Borrow(t, testlevel.RealRedis(t))
	to := newKillSite(t, asUsual, c.URL(), c.Client(t))
	old, moved := filepath.Join(t.TempDir(), "old"), filepath.Join(t.TempDir(), "moved")
	for _, step := range []struct {
		site *killSite
		args []string
	}{
		{from, []string{"export", "--out", old}},
		{to, []string{"import", "--format", "agora", old}},
		{to, []string{"check"}},
		{to, []string{"export", "--out", moved}},
	} {
		if out, code := step.site.command(step.args...); code != 0 {
			t.Fatalf("%v: exit code %d: %s", step.args, code, out)
		}
	}
	if was, is := content(t, old), content(t, moved); !bytes.Equal(was, is) || len(was) == 0 {
		t.Errorf("the site has changed in the move: the exports have %d and %d bytes", len(was), len(is))
	}
}

func content(t *testing.T, name string) []byte {
	t.Helper()
	return must.Do(os.ReadFile(name))(t)
}
