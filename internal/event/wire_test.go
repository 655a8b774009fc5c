package event

import (
	"bytes"
	"fmt"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// over starts another process whose connections a test cuts.
func (s *site) over(w *redistest.Wire) *site {
	s.t.Helper()
	other := *s
	other.redis = s.server.ClientOver(s.t, w)
	other.Store, other.hub = s.process(other.redis)
	return &other
}

// If a connection breaks while a channel is subscribed to, the new connection lacks that channel.
func TestSubscribeIsRetriedOnANewConnection(t *testing.T) {
	s := newSite(t)
	var wire redistest.Wire
	other := s.over(&wire)
	first := must.Do(other.hub.Subscribe(t.Context(),
		Stream{Scope: "user", Logs: []listing.Log{listing.SessionSignal(s.ann.ID + 1)}}, nil))(t)
	defer first.Close()
	failed := 0
	wire.Refuse(func(p []byte) bool {
		fails := failed == 0 && bytes.Contains(p, []byte("subscribe")) &&
			bytes.Contains(p, []byte(listing.TopicSignal(s.topic).Channel))
		if fails {
			failed++
		}
		return fails
	})
	sub := other.comments(nil)
	id := s.reply("hello")
	if e := take(t, sub.Next, 1)[0]; e.Entry.ID != int64(id) {
		t.Errorf("event = %+v; want comment %d", e, id)
	}
	if failed != 1 {
		t.Errorf("%d writes failed; want 1", failed)
	}
}

// A network may fail silently.
func TestSilentConnectionIsReplaced(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	var wire redistest.Wire
	other := s.over(&wire)
	sub := other.comments(nil)
	s.reply("first")
	take(t, sub.Next, 1)
	if n := wire.MuteListeners(); n != 1 {
		t.Fatalf("%d connections listen; want 1", n)
	}
	id := s.reply("muted")
	if e := take(t, sub.Next, 1)[0]; e.Entry.ID != int64(id) {
		t.Errorf("event = %+v; want comment %d", e, id)
	}
}

// A signal sent while the connection was cut is received after it is restored.
func TestSignalsArriveAfterACut(t *testing.T) {
	s := newSite(t)
	var wire redistest.Wire
	other := s.over(&wire)
	sub := must.Do(other.hub.Subscribe(t.Context(),
		Stream{Scope: "topic", Logs: []listing.Log{listing.TopicSignal(s.topic)}}, nil))(t)
	defer sub.Close()
	wire.CutListeners()
	if e := take(t, sub.Next, 1)[0]; !e.Signal {
		t.Errorf("event = %+v; want a signal", e)
	}
}

// A log that cannot be read does not block others.
func TestUnreadableLogDoesNotBlockOthers(t *testing.T) {
	s := newSite(t)
	spoilt, fresh := s.post("spoilt while it is watched"), s.post("spoilt before")
	known := s.comments(nil)
	watched := must.Do(s.hub.Subscribe(t.Context(),
		Stream{Scope: "spoilt", Logs: []listing.Log{listing.CommentLog(spoilt)}}, nil))(t)
	defer watched.Close()
	for _, id := range []forum.TopicID{spoilt, fresh} {
		s.redis.Set(t.Context(), fmt.Sprintf("{p%02x}:t:%d:comments", id.Partition(), id), "no ZSET", 0)
	}
	s.announce(listing.CommentLog(spoilt))
	waiting := s.hub.attach(Stream{Logs: []listing.Log{listing.CommentLog(fresh)}})
	defer waiting.Close()
	for i := range 20 {
		id := s.reply(fmt.Sprint(i))
		if e := take(t, known.Next, 1)[0]; e.Entry.ID != int64(id) {
			t.Errorf("event = %+v; want comment %d", e, id)
		}
	}
	other := s.post("other")
	sub, err := s.hub.Subscribe(t.Context(), Stream{Scope: "other", Logs: []listing.Log{listing.CommentLog(other)}}, nil)
	if err != nil {
		t.Fatalf("Subscribe while another log is bad: %v", err)
	}
	sub.Close()
}

// A stream keeps as many events as a subscriber is sent at most, and the one before them.
func TestStreamKeepsAllEventsForASubscriber(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	of := front(forum.ByCreated)
	tl := s.timeline(of, nil)
	s.post("first")
	id := take(t, tl.Next, 1)[0].ID
	for range forum.StreamLength {
		s.post("missed")
	}
	again := s.timeline(of, &id)
	if events := take(t, again.Next, forum.StreamLength); events[0].Kind != forum.EventAdded {
		t.Errorf("event = %+v; want ADDED", events[0])
	}
}

// Lost streams are detected within the hour, even without writes.
func TestLostStreamsAreFound(t *testing.T) {
	s := newSite(t)
	tl := s.timeline(front(forum.ByCreated), nil)
	s.redis.Del(t.Context(), listing.TimelineLogs(front(forum.ByCreated), nil, nil)[0].Channel)
	s.post("lost")
	wait.Until(t, "Redis's clock has moved on", func() bool {
		return s.redis.Time(t.Context()).Val().UnixMilli() > tl.sub.at[0].Major
	})
	s.hub.watchAll(t.Context())
	s.wantEvents(tl.Next, "a stream that was lost", about(forum.EventReset, 0))
	topic := s.post("found")
	s.wantEvents(tl.Next, "then", about(forum.EventAdded, topic))
}
