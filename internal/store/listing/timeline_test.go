package listing_test

import (
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// timelineTopics reads the first page of a timeline.
func timelineTopics(x *storetest.Site, tl forum.Timeline, tab []forum.CategoryID) []forum.TopicID {
	x.T.Helper()
	page, _ := storetest.Merged(listing.TimelineLists(tl, tab), forum.Window{Count: forum.MaxPage},
		func(r listing.ListRead) forum.Page { return x.Page(r.List, r.Window) })
	found := []forum.TopicID{}
	for _, row := range page.Rows {
		found = append(found, forum.TopicID(row.ID))
	}
	return found
}

// Row X29 of docs/behaviours.md: topics with equal scores are ordered by id, as numbers.
func TestEqualScores(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	for range 5 { // ids 536 to 1560
		x.Post(site.Link(ann))
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
		for _, id := range timelineTopics(x, tl, nil) {
			ids = append(ids, int64(id))
		}
		wantSorted(order, ids)
	}
	var ids []int64
	for _, r := range x.Snapshot(storetest.Ranking(forum.ByTop, forum.Ascending), forum.Window{Count: 9}).Rows {
		ids = append(ids, r.ID)
	}
	wantSorted(forum.ByTop, ids)
	x.WantClean()
}
