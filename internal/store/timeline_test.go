package store_test

import (
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	built "agora/internal/test/site"
)

// timelineTopics reads the first page of a timeline.
func (x *site) timelineTopics(tl forum.Timeline, tab []forum.CategoryID) []forum.TopicID {
	x.t.Helper()
	page, _ := merged(listing.TimelineLists(tl, tab), forum.Window{Count: forum.MaxPage},
		func(r listing.ListRead) forum.Page { return x.page(r.List, r.Window) })
	found := []forum.TopicID{}
	for _, row := range page.Rows {
		found = append(found, forum.TopicID(row.ID))
	}
	return found
}

// A bulk store leaves lists to Flush, which ends on any store.
func TestBulkWritesShowAfterSettle(t *testing.T) {
	x := newSite(t)
	author, category := x.User("ann"), x.Category("go")
	bulk := x.Bulk()
	topic := built.On(t, bulk).Topic(author, category)
	built.On(t, bulk).Comment(author, topic, 0)
	if got := x.frontTopics(); len(got) != 0 {
		t.Errorf("front before Settle = %v; want nothing", got)
	}
	wantOK(t, "Settle", bulk.Flush(t.Context()))
	if got := x.frontTopics(); !slices.Equal(got, []forum.TopicID{topic}) {
		t.Errorf("front after Settle = %v; want %d", got, topic)
	}
	x.wantSound()
}

func TestStatsAreTenSecondsOldAtMost(t *testing.T) {
	x := newSite(t)
	author, category := x.User("ann"), x.Category("go")
	stats := func() store.Stats {
		return must.Do(x.Stats(t.Context()))(t)
	}
	if got, want := stats(), (store.Stats{Users: 1}); got != want {
		t.Errorf("Stats = %+v; want %+v", got, want)
	}
	x.Comment(author, x.Topic(author, category), 0)
	x.clock.Advance(store.StatsLife - time.Millisecond)
	if got, want := stats(), (store.Stats{Users: 1}); got != want {
		t.Errorf("Stats within ten seconds = %+v; want %+v, as before", got, want)
	}
	x.clock.Advance(time.Millisecond)
	if got, want := stats(), (store.Stats{Users: 1, Topics: 1, Comments: 1}); got != want {
		t.Errorf("Stats after ten seconds = %+v; want %+v", got, want)
	}
}

// Row X29 of docs/behaviours.md: topics with equal scores are ordered by id, as numbers.
func TestEqualScores(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	for range 5 { // ids 536 to 1560
		x.Post(link(ann))
	}
	wantSorted := func(order forum.TopicOrderField, ids []int64) {
		t.Helper()
		if !slices.IsSorted(ids) {
			t.Errorf("%s: equal scores are ordered as %v", order, ids)
		}
	}
	for _, order := range []forum.TopicOrderField{forum.ByCreated, forum.ByActive, forum.ByScore, forum.ByHot} {
		tl := forum.Timeline{Kind: forum.FrontTimeline, Order: order, Direction: forum.Ascending}
		var ids []int64
		for _, id := range x.timelineTopics(tl, nil) {
			ids = append(ids, int64(id))
		}
		wantSorted(order, ids)
	}
	var ids []int64
	for _, r := range x.snapshot(ranking(forum.ByTop, forum.Ascending), forum.Window{Count: 9}).Rows {
		ids = append(ids, r.ID)
	}
	wantSorted(forum.ByTop, ids)
	x.wantClean()
}
