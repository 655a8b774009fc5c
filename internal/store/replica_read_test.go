package store_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/connection"
	"agora/internal/store/storetest"
	"agora/internal/test/clustertest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// Replicas serve reads whose context allows it, and no others. When they fail, masters do.
func TestReplicasServeReads(t *testing.T) {
	testlevel.LongWithoutRace(t)
	t.Parallel() // it waits more than it works
	c := clustertest.Start(t, testlevel.RedisProgram(t), 3, 1)
	s := openURL(t, c.URL(), connection.Options{FromReplicas: true})
	var ids []forum.UserID
	for i := range 20 {
		id := site.On(t, s).User(fmt.Sprintf("user%d", i)).ID
		ids = append(ids, id)
	}
	replicas := func() []*clustertest.Node {
		var all []*clustertest.Node
		for _, m := range c.Masters() {
			all = append(all, c.ReplicaOf(m))
		}
		return all
	}()
	served := func() (n int) {
		for _, r := range replicas {
			for line := range strings.Lines(r.Redis.Info(t.Context(), "commandstats").Val()) {
				if strings.HasPrefix(line, "cmdstat_hgetall:") {
					n++
				}
			}
		}
		return n
	}
	read := func(from bool) error {
		ctx := t.Context()
		if from {
			ctx = engine.FromReplicas(ctx)
		}
		r := s.Read(ctx)
		take := r.Listing.Users(ids)
		if err := r.Exec(); err != nil {
			return err
		}
		users, _ := take()
		for i, u := range users {
			if u == nil || u.Login != fmt.Sprintf("user%d", i) {
				return fmt.Errorf("user %d is %+v", i, u)
			}
		}
		return nil
	}
	for range 5 {
		storetest.WantOK(t, "a read from masters", read(false))
	}
	if n := served(); n != 0 {
		t.Errorf("%d replicas have served reads that must see the latest write", n)
	}
	wait.Succeed(t, "reads from replicas", func() error {
		if err := read(true); err != nil {
			return err // a replica may lag
		}
		if n := served(); n != len(replicas) {
			return fmt.Errorf("%d of %d replicas have served reads", n, len(replicas))
		}
		return nil
	})
	for _, r := range replicas {
		r.Pause()
	}
	wantFreshSnapshot(t, s)
	for _, r := range replicas {
		r.Kill()
	}
	for range 20 {
		storetest.WantOK(t, "a read without replicas", read(true))
	}
}

// wantFreshSnapshot checks that a snapshot is there as soon as it was taken, even if no replica has it.
func wantFreshSnapshot(t *testing.T, s *store.Store) {
	t.Helper()
	top := forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByTop, Direction: forum.Descending}
	storetest.WantOK(t, "TakeSnapshot", s.Listing.TakeSnapshot(t.Context(), top, s.Listing.SnapshotNow(), nil))
	r := s.Read(engine.FromReplicas(t.Context()))
	page := r.Listing.SnapshotPage(top, s.Listing.SnapshotNow(), forum.Window{Count: 1})
	storetest.WantOK(t, "Exec", r.Exec())
	if p, err := page(); p == nil || err != nil {
		t.Errorf("the snapshot that was just taken = %v, %v; want a page", p, err)
	}
}

// Only who names replicas can read from them.
func TestReadsFromReplicasNeedReplicas(t *testing.T) {
	_, err := connection.Open(t.Context(), "redis://127.0.0.1:1", connection.Options{FromReplicas: true})
	if err == nil || !strings.Contains(err.Error(), "redis+cluster://") {
		t.Errorf("Connect = %v; want what to use instead", err)
	}
}
