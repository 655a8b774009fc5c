package event

import (
	"context"
	"fmt"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/categories"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

func (s *site) timeline(t forum.Timeline, after *string) *Timeline {
	s.t.Helper()
	tl := must.Do(s.hub.Timeline(s.t.Context(), t, func(ctx context.Context) ([]listing.Log, error) {
		return s.Listing.LogsOf(ctx, t, s.ann, forum.Rules{})
	}, after))(s.t)
	s.t.Cleanup(tl.Close)
	return tl
}

func (s *site) postIn(c forum.CategoryID) forum.TopicID {
	return s.Titled(s.ann, c, "t")
}

func (s *site) wantEvents(next func(context.Context) ([]Event, error), what string, want ...Event) {
	s.t.Helper()
	for i, e := range take(s.t, next, len(want)) {
		if e.Kind != want[i].Kind || e.Entry.ID != want[i].Entry.ID {
			s.t.Errorf("%s: event %d = %s of %d; want %s of %d", what, i, e.Kind, e.Entry.ID, want[i].Kind, want[i].Entry.ID)
		}
	}
}

func about(kind forum.EventKind, id forum.TopicID) Event {
	return Event{Entry: listing.Entry{Kind: kind, ID: int64(id)}}
}

func front(order forum.TopicOrderField) forum.Timeline {
	return forum.Timeline{Kind: forum.FrontTimeline, Order: order, Direction: forum.Descending}
}

func TestTopicsAreAddedMovedAndRemoved(t *testing.T) {
	s := newSite(t)
	created, active := s.timeline(front(forum.ByCreated), nil), s.timeline(front(forum.ByActive), nil)
	profile := s.timeline(
		forum.Timeline{Kind: forum.ProfileTimeline, Owner: int64(s.ann.ID), Order: forum.ByCreated, Direction: forum.Descending},
		nil,
	)
	home := s.timeline(
		forum.Timeline{Kind: forum.HomeTimeline, Owner: int64(s.ann.ID), Order: forum.ByCreated, Direction: forum.Descending},
		nil,
	)
	s.clock.Advance(time.Second)
	other := s.post("other")
	s.clock.Advance(time.Second)
	s.reply("moves its topic")
	must.OK(t, s.Posts.DeleteTopic(t.Context(), s.ann, other))
	s.wantEvents(created.Next, "by time of posting", about(forum.EventAdded, other), about(forum.EventRemoved, other))
	s.wantEvents(
		active.Next,
		"by activity",
		about(forum.EventAdded, other),
		about(forum.EventMoved, s.topic),
		about(forum.EventRemoved, other),
	)
	s.wantEvents(profile.Next, "profile", about(forum.EventAdded, other), about(forum.EventRemoved, other))
	s.wantEvents(home.Next, "home", about(forum.EventAdded, other), about(forum.EventRemoved, other))
}

func TestTabMergesEventsOfItsCategories(t *testing.T) {
	s := newSite(t)
	a, b, c := s.Category("a"), s.Category("b"), s.Category("c")
	tab := must.Do(s.Categories.CreateTab(t.Context(), "tab", "tab", []forum.CategoryID{a, b}))(t)
	of := forum.Timeline{Kind: forum.TabTimeline, Owner: int64(tab), Order: forum.ByCreated, Direction: forum.Descending}
	tl := s.timeline(of, nil)
	one, two := s.postIn(a), s.postIn(b)
	events := take(t, tl.Next, 2)
	if events[0].Entry.ID != int64(one) || events[1].Entry.ID != int64(two) {
		t.Errorf("events = %+v; want topics %d and %d", events, one, two)
	}
	s.wantEvents(s.timeline(of, &events[0].ID).Next, "after the first", about(forum.EventAdded, two))
	must.OK(t, s.Categories.UpdateTab(t.Context(), tab, categories.TabChange{Add: []forum.CategoryID{c}}))
	s.wantEvents(tl.Next, "another category", about(forum.EventReset, 0))
	s.wantEvents(s.timeline(of, &events[1].ID).Next, "after that, from before", about(forum.EventReset, 0))
	three := s.postIn(c)
	s.wantEvents(tl.Next, "in the other category", about(forum.EventAdded, three))
}

// A new subscriber to a snapshot may be shown an older one.
func TestSnapshotsAreRenewed(t *testing.T) {
	s := newSite(t)
	s.post("after the snapshot, before the subscription")
	s.beforeMinute(50 * time.Millisecond)
	tl := s.timeline(front(forum.ByTop), nil)
	s.wantEvents(tl.Next, "the next minute", about(forum.EventReset, 0))
	s.post("new")
	s.beforeMinute(50 * time.Millisecond)
	s.wantEvents(tl.Next, "the minute after that", about(forum.EventReset, 0))
}

// A timeline without subscribers costs nothing.
func TestStreamsExistOnlyWhileWatched(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	streams := func() []string {
		return must.Do(s.redis.Keys(t.Context(), "*:ev").Result())(t)
	}
	s.post("unwatched")
	if got := streams(); len(got) > 0 {
		t.Errorf("streams %v; want none", got)
	}
	tl := s.timeline(front(forum.ByActive), nil)
	s.post("watched")
	take(t, tl.Next, 1)
	if got := streams(); len(got) != 1 {
		t.Errorf("streams %v; want one", got)
	}
	left, err := s.redis.TTL(t.Context(), streams()[0]).Result()
	if err != nil || left <= 23*time.Hour || left > forum.StreamLife {
		t.Errorf("it expires in %v, %v; want a day", left, err)
	}
	for range forum.StreamLength + 200 {
		s.clock.Advance(time.Millisecond) // otherwise the topic stays where it is
		s.reply("more")
	}
	if n := s.redis.XLen(t.Context(), streams()[0]).Val(); n < forum.StreamLength || n > forum.StreamLength+100 {
		t.Errorf("it holds %d events; want about %d", n, forum.StreamLength)
	}
}

// A client that has read a tab between two changes knows neither what was there before nor what is there now.
func TestTabThatChangesBackIsReadAgain(t *testing.T) {
	s := newSite(t)
	a, b := s.Category("a"), s.Category("b")
	tab, of := s.tab(forum.ByCreated, a)
	both := []forum.CategoryID{b}
	there, away := s.timeline(of, nil), s.timeline(of, nil)
	s.changeTab(tab, both, nil)
	reset := take(t, away.Next, 1)[0]
	take(t, there.Next, 1)
	away.Close()
	s.changeTab(tab, nil, both)
	s.changeTab(tab, both, nil)
	changes := there.sub.sources[len(there.sub.sources)-1]
	last := must.Do(s.redis.XRevRangeN(t.Context(), changes.log.Name(), "+", "-", 1).Result())(t)[0].ID
	wait.Until(t, "both changes are read", func() bool {
		end := changes.end()
		return fmt.Sprintf("%d-%d", end.Major, end.Minor) == last
	})
	s.wantEvents(there.Next, "changed twice", about(forum.EventReset, 0))
	s.wantEvents(s.timeline(of, &reset.ID).Next, "changed twice while nobody listened", about(forum.EventReset, 0))
	topic := s.postIn(b)
	s.wantEvents(there.Next, "afterwards", about(forum.EventAdded, topic))
}
