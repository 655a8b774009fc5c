package store

import (
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/listing"
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

// Behaviours A11, A17, A25, B3: a reply moves its topic to the top of its category, of the category's tabs,
// and of the front; by CREATED nothing moves.
func TestRepliesBumpTimelines(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	bob := x.userElsewhere(ann.ID.Partition())
	a, b, c := x.category("a"), x.category("b"), x.category("c")
	post := func(by *forum.Viewer, in forum.CategoryID) forum.TopicID {
		x.clock.Advance(time.Second)
		return x.topic(by, in)
	}
	a1, b1, a2, c1 := post(ann, a), post(bob, b), post(bob, a), post(ann, c)
	x.clock.Advance(time.Second)
	x.comment(bob, a1, 0)
	x.clock.Advance(time.Second)
	x.comment(ann, b1, 0)

	type topics = []forum.TopicID
	tab := []forum.CategoryID{a, b}
	tests := []struct {
		name  string
		kind  forum.TimelineKind
		owner int64
		order forum.TopicOrderField
		want  topics
	}{
		{"front by activity", forum.FrontTimeline, 0, forum.ByActive, topics{b1, a1, c1, a2}},
		{"front by posting", forum.FrontTimeline, 0, forum.ByCreated, topics{c1, a2, b1, a1}},
		{"category by activity", forum.CategoryTimeline, int64(a), forum.ByActive, topics{a1, a2}},
		{"category by posting", forum.CategoryTimeline, int64(a), forum.ByCreated, topics{a2, a1}},
		{"tab by activity", forum.TabTimeline, 1, forum.ByActive, topics{b1, a1, a2}},
		{"tab by posting", forum.TabTimeline, 1, forum.ByCreated, topics{a2, b1, a1}},
	}
	for _, tt := range tests {
		tl := forum.Timeline{Kind: tt.kind, Owner: tt.owner, Order: tt.order, Direction: forum.Descending}
		if got := x.timelineTopics(tl, tab); !slices.Equal(got, tt.want) {
			t.Errorf("%s = %v; want %v", tt.name, got, tt.want)
		}
		tl.Direction = forum.Ascending
		slices.Reverse(tt.want)
		if got := x.timelineTopics(tl, tab); !slices.Equal(got, tt.want) {
			t.Errorf("%s, ascending = %v; want %v", tt.name, got, tt.want)
		}
	}
	x.settle()
	x.wantSound()
}

// Behaviour X29: topics of the same instant are ordered by id.
func TestTopicsOfOneInstantAreOrderedByID(t *testing.T) {
	x := newSite(t)
	author, category := x.user("ann"), x.category("go")
	want := []forum.TopicID{}
	for range 12 {
		want = append(want, x.topic(author, category))
	}
	slices.Reverse(want)
	if got := x.frontTopics(); !slices.Equal(got, want) {
		t.Errorf("front = %v; want %v", got, want)
	}
}

// A bulk store leaves lists to Flush, which ends on any store.
func TestBulkWritesShowAfterSettle(t *testing.T) {
	x := newSite(t)
	author, category := x.user("ann"), x.category("go")
	bulk := x.Bulk()
	topic, err := bulk.CreateTopic(t.Context(), discussion(author, category))
	wantOK(t, "CreateTopic", err)
	_, err = bulk.CreateComment(t.Context(), author, remark(topic, 0))
	wantOK(t, "CreateComment", err)
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
	author, category := x.user("ann"), x.category("go")
	stats := func() Stats {
		s, err := x.Stats(t.Context())
		wantOK(t, "Stats", err)
		return s
	}
	if got, want := stats(), (Stats{Users: 1}); got != want {
		t.Errorf("Stats = %+v; want %+v", got, want)
	}
	x.comment(author, x.topic(author, category), 0)
	x.clock.Advance(statsLife - time.Millisecond)
	if got, want := stats(), (Stats{Users: 1}); got != want {
		t.Errorf("Stats within ten seconds = %+v; want %+v, as before", got, want)
	}
	x.clock.Advance(time.Millisecond)
	if got, want := stats(), (Stats{Users: 1, Topics: 1, Comments: 1}); got != want {
		t.Errorf("Stats after ten seconds = %+v; want %+v", got, want)
	}
}
