package store_test

import (
	"context"
	"testing"

	"agora/internal/store"
	"agora/internal/store/internal/connection"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

// Where a replica may replace a master, nothing is kept.
func TestNoObjectCacheWithReplicas(t *testing.T) {
	x := storetest.New(t)
	conn := connection.Over(x.Server.Client(t))
	conn.Replicated = true
	s := must.Do(store.Open(context.Background(), conn, store.Layout{}, store.WithObjectCache(1<<20)))(t)
	defer s.Close()
	if _, kept := s.Listing.ObjectStats(); kept {
		t.Error("a object cache is kept with replicas")
	}
}
