package event

import (
	"context"
	"errors"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/categories"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/wait"
)

// tab creates a tab of categories, and returns it with the timeline of its topics in an order.
func (s *site) tab(order forum.TopicOrderField, of ...forum.CategoryID) (forum.TabID, forum.Timeline) {
	s.t.Helper()
	id := must.Do(s.Categories.CreateTab(s.t.Context(), "tab", "tab", of))(s.t)
	return id, forum.Timeline{Kind: forum.TabTimeline, Owner: int64(id), Order: order, Direction: forum.Descending}
}

func (s *site) changeTab(id forum.TabID, add, remove []forum.CategoryID) {
	s.t.Helper()
	must.OK(s.t, s.Categories.UpdateTab(s.t.Context(), id, categories.TabChange{Add: add, Remove: remove}))
}

// watching subscribes to a timeline whose logs are read through around.
func (s *site) watching(
	of forum.Timeline,
	around func(read func() ([]listing.Log, error)) ([]listing.Log, error),
) *Timeline {
	s.t.Helper()
	tl := must.Do(s.hub.Timeline(s.t.Context(), of, func(ctx context.Context) ([]listing.Log, error) {
		return around(func() ([]listing.Log, error) { return s.Listing.LogsOf(ctx, of, s.ann, forum.Rules{}) })
	}, nil))(s.t)
	s.t.Cleanup(func() { tl.Close() })
	return tl
}

// A tab may get another category after its categories were read, before the subscription to its
// changes begins.
func TestTabChangedDuringSubscribe(t *testing.T) {
	s := newSite(t)
	a, b := s.Category("a"), s.Category("b")
	tab, of := s.tab(forum.ByCreated, a)
	tl := s.watching(of, func(read func() ([]listing.Log, error)) ([]listing.Log, error) {
		logs, err := read()
		s.changeTab(tab, []forum.CategoryID{b}, nil)
		return logs, err
	})
	topic := s.postIn(b)
	s.wantEvents(tl.Next, "in the category that came meanwhile", about(forum.EventAdded, topic))
}

// A tab's subscription continues after Redis is unreachable for a moment.
func TestTabSubscriptionSurvivesFailures(t *testing.T) {
	s := newSite(t)
	a, b := s.Category("a"), s.Category("b")
	tab, of := s.tab(forum.ByCreated, a)
	fail := 0
	tl := s.watching(of, func(read func() ([]listing.Log, error)) ([]listing.Log, error) {
		if fail > 0 {
			fail--
			return nil, errors.New("Redis is out of reach")
		}
		return read()
	})
	fail = 2
	s.changeTab(tab, []forum.CategoryID{b}, nil)
	s.wantEvents(tl.Next, "after failures", about(forum.EventReset, 0))
	topic := s.postIn(b)
	s.wantEvents(tl.Next, "in the new category", about(forum.EventAdded, topic))
}

// An error of reading the logs ends the subscription.
func TestSubscriptionToDeletedListEnds(t *testing.T) {
	s := newSite(t)
	a, b := s.Category("a"), s.Category("b")
	tab, of := s.tab(forum.ByCreated, a)
	removed := false
	tl := s.watching(of, func(read func() ([]listing.Log, error)) ([]listing.Log, error) {
		if removed {
			return nil, forum.NotFound([]string{"id"}, "tab")
		}
		return read()
	})
	removed = true
	s.changeTab(tab, []forum.CategoryID{b}, nil)
	if events, err := tl.Next(t.Context()); forum.CodeOf(err) != forum.CodeNotFound {
		t.Errorf("Next() = %v, %v; want NOT_FOUND", events, err)
	}
}

// beforeMinute moves the clock to shortly before a snapshot can be taken.
func (s *site) beforeMinute(before time.Duration) {
	every := forum.SnapshotEvery
	s.clock.Advance(every - time.Duration(s.Engine.Now())*time.Millisecond%every - before)
}

// A tab may get another category while a snapshot waits to be renewed.
func TestSnapshotOfTabFollowsItsCategories(t *testing.T) {
	s := newSite(t)
	a, b := s.Category("a"), s.Category("b")
	tab, of := s.tab(forum.ByTop, a)
	s.beforeMinute(30 * time.Second)
	tl := s.timeline(of, nil)
	s.postIn(a)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if events, err := tl.Next(ctx); err == nil {
		t.Errorf("events %v; want none before the next minute", events)
	}
	s.changeTab(tab, []forum.CategoryID{b}, nil)
	changes := tl.sub.sources[1]
	began := tl.sub.at[1]
	wait.Until(t, "the change has come", func() bool { return changes.end() != began })
	s.beforeMinute(50 * time.Millisecond)
	s.wantEvents(tl.Next, "another category, or the next minute", about(forum.EventReset, 0))
	s.postIn(b)
	s.beforeMinute(50 * time.Millisecond)
	s.wantEvents(tl.Next, "after a post in the new category", about(forum.EventReset, 0))
	if n := len(tl.sub.stream.Logs); n != 3 {
		t.Errorf("%d logs are followed; want those of 2 categories and the tab's changes", n)
	}
}

// A tab without categories has events too, from which a client can resume.
func TestEmptyTabsResume(t *testing.T) {
	s := newSite(t)
	a := s.Category("a")
	tab, of := s.tab(forum.ByCreated, a)
	tl := s.timeline(of, nil)
	s.changeTab(tab, nil, []forum.CategoryID{a})
	reset := take(t, tl.Next, 1)[0]
	again := s.timeline(of, &reset.ID)
	s.changeTab(tab, []forum.CategoryID{a}, nil)
	s.wantEvents(again.Next, "after the tab was empty", about(forum.EventReset, 0))
}
