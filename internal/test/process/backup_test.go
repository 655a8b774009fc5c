package process

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// A drill: while clients write, a backup is made, one is killed, and then the server. The restored site has everything
// that was acknowledged before the backup began, and no invariant is broken, also if it is restored much later.
func TestBackupOfABusySite(t *testing.T) {
	testlevel.LongWithoutRace(t)
	s := startKillSite(t, asUsual)
	must.OK(t, s.redis.ConfigSet(t.Context(), "repl-diskless-sync-delay", "1").Err())
	s.addrs[1] = s.addrs[0]
	server := s.start(s.addrs[0])
	s.await(server)
	w := newKillRun(s)
	w.furnish()
	ctx, cancel := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	defer clients.Wait()
	defer cancel()
	for _, c := range w.clients {
		clients.Go(func() { c.work(ctx) }) // ends with ctx
	}
	var mu sync.Mutex
	var kept []string   // topics that nobody deletes
	clients.Go(func() { // ends with ctx
		for ctx.Err() == nil {
			p, f, _ := w.mutate(patient, w.moderator, opCreateTopic, map[string]any{
				"title": "Backed up", "content": "text", "category": map[string]any{"id": w.category()}})
			if f == acknowledged {
				mu.Lock()
				kept = append(kept, p.Topic.ID)
				mu.Unlock()
			}
		}
	})
	const enough = 50
	written := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(kept)
	}
	if !wait.For(30*time.Second, func() bool { return len(written()) >= enough }) {
		t.Fatalf("only %d topics were written", len(written()))
	}
	backups := filepath.Join(t.TempDir(), "backups")
	killBackup(t, s, backups)
	before := written()
	if out, code := s.command("backup", backups); code != 0 {
		t.Fatalf("backup: %s", out)
	}
	cancel()
	clients.Wait()
	server.kill()
	if after := len(written()); after == len(before) {
		t.Errorf("nothing was written during the backup")
	}
	wantRestored(t, backups, before)
}

// killBackup kills a backup while it is made. It leaves nothing that could be restored.
func killBackup(t *testing.T, s *killSite, backups string) {
	t.Helper()
	cmd := childCommand(t, s.kind, "backup", backups)
	cmd.Env = append(cmd.Env, "REDIS_URL="+s.redisURL)
	must.OK(t, cmd.Start())
	unfinished := filepath.Join(backups, ".agora-new", "dump.rdb")
	if !wait.For(10*time.Second, func() bool { _, err := os.Stat(unfinished); return err == nil }) {
		t.Error("no backup is begun")
	}
	cmd.Process.Kill()
	cmd.Wait()
	if out, code := s.command("restore", backups, "--verify"); code != 1 {
		t.Errorf("restore --verify after a backup was killed: exit code %d: %s", code, out)
	}
}

// wantRestored restores the newest backup an hour later, and reports topics that it lacks.
func wantRestored(t *testing.T, backups string, topics []string) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	clocks := t.TempDir()
	clock := filepath.Join(clocks, "clock")
	must.OK(t, os.WriteFile(clock, []byte("1h"), 0o600))
	for _, to := range [][]string{{"--verify"}, {"--data", data}} {
		cmd := childCommand(t, asUsual, append([]string{"restore", backups}, to...)...)
		cmd.Env = append(cmd.Env, clockEnv+"="+clock)
		out, err := cmd.CombinedOutput()
		t.Logf("restore %v: %s", to, out)
		if err != nil {
			t.Errorf("restore %v: %v", to, err)
		}
	}
	s := newKillSite(t, asUsual, "", nil)
	s.addrs[1] = s.addrs[0]
	s.env = []string{"DATA_DIR=" + data}
	server := s.start(s.addrs[0])
	defer server.kill()
	s.await(server)
	w := newKillRun(s)
	for _, id := range topics {
		got := read[*struct{ ID string }](w, `query($id: ID!) { r: topic(by: {id: $id}) { id } }`, map[string]any{"id": id})
		if got == nil {
			t.Errorf("the topic %s was acknowledged before the backup, and is not there", id)
		}
	}
}
