package event

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
)

// divide divides an index in another process, and calls at before each of its steps.
func (s *site) divide(name string, at func(step string)) {
	s.t.Helper()
	ctx := s.t.Context()
	worker, err := store.Open(ctx, store.Over(s.server.Client(s.t)), store.Layout{}, store.WithClock(s.clock.Now),
		store.WithSettling(0), store.WithSteps(at))
	if err != nil {
		s.t.Fatal(err)
	}
	defer worker.Close()
	if err := worker.Divide(ctx, name); err != nil {
		s.t.Fatal(err)
	}
	if n, err := worker.RunDivisions(ctx); n == 0 || err != nil {
		s.t.Fatalf("RunDivisions = %d, %v; want the division", n, err)
	}
}

// Subscribers hear of what is posted while an index is divided, then get a RESET, and hear of what is posted
// afterwards.
func TestSubscribersFollowDivisions(t *testing.T) {
	s := newSite(t)
	a, b := s.category("a"), s.category("b")
	tab, err := s.CreateTab(t.Context(), "tab", "tab", []forum.CategoryID{a, b})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		of   forum.Timeline
	}{
		{"c1", forum.Timeline{Kind: forum.CategoryTimeline, Owner: int64(a), Order: forum.ByCreated}},
		{"c2", forum.Timeline{Kind: forum.TabTimeline, Owner: int64(tab), Order: forum.ByCreated}},
		{"front", front(forum.ByCreated)},
	}
	for _, tt := range tests {
		tt.of.Direction = forum.Descending
		tl := s.timeline(tt.of, nil)
		during := map[string]forum.TopicID{}
		var first Event
		s.divide(tt.name, func(step string) {
			switch step {
			case "division_copy", "division_end":
				s.clock.Advance(time.Second)
				if during[step] == 0 {
					during[step] = s.postIn(a)
				}
			case "division_read":
				first = take(t, tl.Next, 1)[0]
			case "division_settle": // by its end all processes have learned of it
				if _, err := s.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		})
		if first.Kind != forum.EventAdded || first.Entry.ID != int64(during["division_copy"]) {
			t.Errorf("%s: the first event = %+v; want the topic posted while it was copied", tt.name, first)
		}
		s.wantEvents(tl.Next, tt.name+" was divided", about(forum.EventReset, 0))
		s.wantEvents(s.timeline(tt.of, &first.ID).Next, "after that, from before", about(forum.EventReset, 0))
		after := s.postIn(a)
		next := take(t, tl.Next, 1)[0]
		for next.Kind == forum.EventReset { // it may be told twice to read again: two signals announce the end
			next = take(t, tl.Next, 1)[0]
		}
		if next.Kind != forum.EventAdded || next.Entry.ID != int64(after) {
			t.Errorf("%s afterwards: %+v; want topic %d to be added", tt.name, next, after)
		}
	}
}
