package store_test

import (
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// A bulk store leaves lists to Flush, which ends on any store.
func TestBulkWritesShowAfterSettle(t *testing.T) {
	x := storetest.New(t)
	author, category := x.User("ann"), x.Category("go")
	bulk := x.Bulk()
	topic := site.On(t, bulk).Topic(author, category)
	site.On(t, bulk).Comment(author, topic, 0)
	if got := x.FrontTopics(); len(got) != 0 {
		t.Errorf("front before Settle = %v; want nothing", got)
	}
	storetest.WantOK(t, "Settle", bulk.Flush(t.Context()))
	if got := x.FrontTopics(); !slices.Equal(got, []forum.TopicID{topic}) {
		t.Errorf("front after Settle = %v; want %d", got, topic)
	}
	x.WantSound()
}

func TestStatsAreTenSecondsOldAtMost(t *testing.T) {
	x := storetest.New(t)
	author, category := x.User("ann"), x.Category("go")
	stats := func() store.Stats {
		return must.Do(x.Stats(t.Context()))(t)
	}
	if got, want := stats(), (store.Stats{Users: 1}); got != want {
		t.Errorf("Stats = %+v; want %+v", got, want)
	}
	x.Comment(author, x.Topic(author, category), 0)
	x.Clock.Advance(store.StatsLife - time.Millisecond)
	if got, want := stats(), (store.Stats{Users: 1}); got != want {
		t.Errorf("Stats within ten seconds = %+v; want %+v, as before", got, want)
	}
	x.Clock.Advance(time.Millisecond)
	if got, want := stats(), (store.Stats{Users: 1, Topics: 1, Comments: 1}); got != want {
		t.Errorf("Stats after ten seconds = %+v; want %+v", got, want)
	}
}
