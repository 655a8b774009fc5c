package store

import (
	"context"
	"testing"

	"agora/internal/store/internal/connection"
	"agora/internal/test/must"
)

// Where a replica may replace a master, nothing is kept.
func TestNoObjectCacheWithReplicas(t *testing.T) {
	x := newSite(t)
	conn := connection.Over(x.server.Client(t))
	conn.Replicated = true
	s := must.Do(Open(context.Background(), conn, Layout{}, WithObjectCache(1<<20)))(t)
	defer s.Close()
	if _, kept := s.ObjectStats(); kept {
		t.Error("a object cache is kept with replicas")
	}
}
