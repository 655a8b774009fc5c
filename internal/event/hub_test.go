package event

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// site is a store with a hub.
type site struct {
	built.Builder
	t      testing.TB
	server *redistest.Server
	redis  redis.UniversalClient
	clock  *redistest.Clock
	hub    *Hub
	ann    *forum.Viewer
	topic  forum.TopicID
}

func newSite(t testing.TB) *site {
	t.Helper()
	server := redistest.Start(t)
	s := &site{t: t, server: server, redis: server.Client(t), clock: redistest.NewClock()}
	s.Store, s.hub = s.process(s.redis)
	s.Builder = built.On(t, s.Store)
	s.ann = s.User("ann")
	s.topic = s.post("hello")
	return s
}

// process opens a store and a hub as another process would.
func (s *site) process(rdb redis.UniversalClient) (*store.Store, *Hub) {
	s.t.Helper()
	st := must.Do(store.Open(s.t.Context(), store.Over(rdb), store.Layout{}, store.WithClock(s.clock.Now)))(s.t)
	hub := New(st, slog.New(slog.DiscardHandler))
	s.t.Cleanup(st.Close)
	wait.Beside(s.t, hub.Run)
	return st, hub
}

func (s *site) post(title string) forum.TopicID { return s.Titled(s.ann, 0, title) }

func (s *site) reply(text string) forum.CommentID { return s.Say(s.ann, s.topic, text) }

func (s *site) comments(after *string) *Sub {
	s.t.Helper()
	return s.commentsOn(s.hub, after)
}

func (s *site) commentsOn(h *Hub, after *string) *Sub {
	s.t.Helper()
	sub, err := h.Subscribe(s.t.Context(), Stream{Scope: "comments", Logs: []listing.Log{listing.CommentLog(s.topic)}}, after)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(sub.Close)
	return sub
}

// take waits for n events.
func take(t testing.TB, next func(context.Context) ([]Event, error), n int) []Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	var all []Event
	for len(all) < n {
		events, err := next(ctx)
		if err != nil {
			t.Fatalf("after %d of %d events: %v", len(all), n, err)
		}
		all = append(all, events...)
	}
	if len(all) != n {
		t.Fatalf("%d events %v; want %d", len(all), all, n)
	}
	return all
}

func TestMissingTooManyEventsIsAReset(t *testing.T) {
	s := newSite(t)
	sub := s.comments(nil)
	s.reply("first")
	id := take(t, sub.Next, 1)[0].ID
	for range forum.StreamLength {
		s.reply("more")
	}
	if n := len(take(t, s.comments(&id).Next, forum.StreamLength)); n != forum.StreamLength {
		t.Errorf("%d events; want %d", n, forum.StreamLength)
	}
	s.reply("one too many")
	take(t, sub.Next, forum.StreamLength+1) // the hub has received all of them
	again := s.comments(&id)
	reset := take(t, again.Next, 1)[0]
	if reset.Kind != forum.EventReset {
		t.Fatalf("event = %+v; want RESET", reset)
	}
	last := s.reply("after the reset")
	if e := take(t, again.Next, 1)[0]; e.Entry.ID != int64(last) {
		t.Errorf("then = %+v; want comment %d", e, last)
	}
	if e := take(t, s.comments(&reset.ID).Next, 1)[0]; e.Entry.ID != int64(last) {
		t.Errorf("resumed after the reset = %+v; want comment %d", e, last)
	}
}

// Slow subscribers read from Redis what the hub no longer has in memory.
func TestSlowSubscribersMissNothing(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	sub, quick := s.comments(nil), s.comments(nil)
	var posted []forum.CommentID
	for i := range 3*maxRecent + 7 {
		posted = append(posted, s.reply(fmt.Sprint(i)))
		take(t, quick.Next, 1)
	}
	for i, e := range take(t, sub.Next, len(posted)) {
		if forum.CommentID(e.Entry.ID) != posted[i] {
			t.Fatalf("event %d = %+v; want comment %d", i, e, posted[i])
		}
	}
}

func TestForeignIDsAreRefused(t *testing.T) {
	s := newSite(t)
	sub := s.comments(nil)
	s.reply("first")
	id := take(t, sub.Next, 1)[0].ID
	other, err := s.hub.Subscribe(t.Context(), Stream{Scope: "other", Logs: []listing.Log{listing.CommentLog(s.topic)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.reply("second")
	foreign := take(t, other.Next, 1)[0].ID
	other.Close()
	for _, bad := range []string{"", "x", "AAAA", id[:len(id)-1], id + "A", foreign, "\n" + id,
		string(make([]byte, maxID+1))} {
		_, err := s.hub.Subscribe(t.Context(), Stream{Scope: "comments", Logs: []listing.Log{listing.CommentLog(s.topic)}}, &bad)
		if forum.CodeOf(err) != forum.CodeCursorInvalid {
			t.Errorf("Subscribe(after %.40q) = %v; want CURSOR_INVALID", bad, err)
		}
	}
}

// If Redis lost entries, by a restart without its latest writes, subscribers get a RESET, because
// the numbers of lost entries are reused.
func TestLostEntriesAreAReset(t *testing.T) {
	s := newSite(t)
	sub := s.comments(nil)
	s.reply("first")
	s.reply("second")
	id := take(t, sub.Next, 2)[1].ID
	key := fmt.Sprintf("{p%02x}:t:%d:comments", s.topic.Partition(), s.topic)
	s.redis.ZRemRangeByScore(t.Context(), key, "2", "2")
	s.redis.ZAdd(t.Context(), key, redis.Z{Score: 2, Member: "777"})
	s.announce(listing.CommentLog(s.topic))
	for name, next := range map[string]func(context.Context) ([]Event, error){"live": sub.Next,
		"resumed": s.comments(&id).Next} {
		if e := take(t, next, 1)[0]; e.Kind != forum.EventReset {
			t.Errorf("%s = %+v; want RESET", name, e)
		}
	}
}

// announce publishes that a topic has another comment, without which.
func (s *site) announce(log listing.Log) {
	s.redis.Publish(s.t.Context(), log.Channel, log.Object+" REPLIES:")
}

// A hub drops sources without subscribers, and unsubscribes from their channels.
func TestClosedSubscribersLeaveNothing(t *testing.T) {
	s := newSite(t)
	both := Stream{Scope: "comments", Logs: []listing.Log{listing.CommentLog(s.topic), listing.TopicSignal(s.topic)}}
	for range 50 {
		sub := must.Do(s.hub.Subscribe(t.Context(), both, nil))(t)
		sub.Close()
	}
	wake, stop := s.hub.WatchUsers(s.ann.ID)
	<-wake // after Redis confirmed
	s.Accounts.SetRole(t.Context(), s.ann.ID, forum.RoleAdmin)
	<-wake
	stop()
	stop()
	wait.Until(t, "the hub has nothing left", func() bool {
		s.hub.mu.Lock()
		defer s.hub.mu.Unlock()
		return len(s.hub.channels)+len(s.hub.sources) == 0
	})
	wait.Until(t, "Redis has no channels", func() bool {
		return len(must.Do(s.redis.PubSubChannels(t.Context(), "*").Result())(t)) == 0
	})
}

// A message of another Redis, which has lost an entry, does not hide that.
func TestMessagesWaitForTheReadAfterAConfirmation(t *testing.T) {
	log := listing.CommentLog(1)
	s := newSource(log)
	s.confirm()
	s.begin(listing.LogPosition{Major: 12, Minor: 7}, s.confirmations())
	s.confirm()
	if s.addAnnounced("REPLIES:13:9") {
		t.Error("an announced comment was added after one that may be another now")
	}
	s.append(nil, s.confirmations())
	if !s.addAnnounced("REPLIES:13:9") {
		t.Error("an announced comment was not added after what was read")
	}
}
