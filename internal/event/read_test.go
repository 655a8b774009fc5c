package event

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// newNotedSite returns a site on which ann has notifications 1 to n. note adds one more.
func newNotedSite(t *testing.T, n int) (s *site, note func()) {
	s = newSite(t)
	bob := s.User("bob")
	note = func() {
		in := posts.NewComment{Topic: s.topic, Content: "hello", Format: forum.Markdown}
		must.Do(s.Posts.CreateComment(t.Context(), bob, in))(t)
	}
	for range n {
		note()
	}
	return s, note
}

// mark marks a notification of ann as read; 0 marks all.
func (s *site) mark(seq int64) {
	s.t.Helper()
	mark := func() error { return s.Notify.MarkNotification(s.t.Context(), s.ann.ID, seq) }
	if seq == 0 {
		mark = func() error { return s.Notify.MarkNotifications(s.t.Context(), s.ann.ID) }
	}
	must.OK(s.t, mark())
}

func (s *site) reads(after *string) *Sub {
	s.t.Helper()
	sub, err := s.hub.Subscribe(s.t.Context(), Stream{Scope: "reads", Logs: []listing.Log{listing.ReadLog(s.ann.ID)}}, after)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(sub.Close)
	return sub
}

func (s *site) wantRead(sub *Sub, seq int64) Event {
	s.t.Helper()
	e := take(s.t, sub.Next, 1)[0]
	if e.Kind != forum.EventRead || e.Entry.ID != seq {
		s.t.Errorf("event = %s %d; want READ %d", e.Kind, e.Entry.ID, seq)
	}
	return e
}

func TestReadMarks(t *testing.T) {
	s, note := newNotedSite(t, 5)
	sub := s.reads(nil)
	s.mark(2)
	first := s.wantRead(sub, 2)
	s.mark(2) // changes nothing
	s.mark(4)
	s.wantRead(sub, 4)
	s.mark(0)
	all := s.wantRead(sub, 0)
	s.mark(0)
	// A subscriber that missed several gets one event for them, and continues from there.
	late := s.reads(&first.ID)
	if e := s.wantRead(late, 0); e.ID != all.ID {
		t.Errorf("the event for several has another ID than the last one")
	}
	now := s.reads(&all.ID)
	note()
	s.mark(6)
	for _, sub := range []*Sub{sub, late, now} {
		s.wantRead(sub, 6)
	}
}

// Marks are not lost if their messages are.
func TestReadMarksAcrossACut(t *testing.T) {
	s, _ := newNotedSite(t, 3)
	var wire redistest.Wire
	other := s.over(&wire)
	sub := other.reads(nil)
	s.mark(1)
	s.wantRead(sub, 1)
	wire.Refuse(func([]byte) bool { return true })
	if wire.CutListeners() == 0 {
		t.Fatal("no client listened")
	}
	s.mark(2)
	s.mark(3)
	wire.Refuse(nil)
	s.wantRead(sub, 0)
}

// If Redis lost marks, it is unknown what was missed.
func TestLostReadMarksAreAReset(t *testing.T) {
	s, _ := newNotedSite(t, 3)
	sub := s.reads(nil)
	s.mark(1)
	s.wantRead(sub, 1)
	s.mark(2)
	last := s.wantRead(sub, 2)
	must.OK(t, s.redis.HSet(t.Context(), listing.ReadLog(s.ann.ID).Name()+":internal", "noteReads", "1 1").Err())
	s.clock.Advance(time.Second)
	if e := take(t, s.reads(&last.ID).Next, 1)[0]; e.Kind != forum.EventReset {
		t.Errorf("resumed: %s; want RESET", e.Kind)
	}
	s.mark(3) // its number was used before
	if e := take(t, sub.Next, 1)[0]; e.Kind != forum.EventReset {
		t.Errorf("live: %s %d; want RESET", e.Kind, e.Entry.ID)
	}
}
