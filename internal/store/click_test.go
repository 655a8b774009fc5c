package store_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
)

func (x *site) click(by *forum.Viewer, visitor string, topics ...forum.TopicID) []int {
	x.t.Helper()
	return must.Do(x.Votes.RecordClicks(x.ctx, by, visitor, topics))(x.t)
}

// Behaviours A44 and X19: a visitor counts once in ten minutes.
func TestClickCountsOncePerVisitor(t *testing.T) {
	x := newSite(t)
	author := x.User("ann")
	topic := x.Topic(author, x.Category("go"))
	steps := []struct {
		name, visitor string
		topics        []forum.TopicID
		want          []int
	}{
		{"first click", "a", []forum.TopicID{topic}, []int{1}},
		{"same visitor again", "a", []forum.TopicID{topic}, []int{1}},
		{"another visitor, twice in one call", "b", []forum.TopicID{topic, topic}, []int{2, 2}},
	}
	for _, s := range steps {
		if got := x.click(nil, s.visitor, s.topics...); !slices.Equal(got, s.want) {
			t.Errorf("%s: RecordClicks = %v; want %v", s.name, got, s.want)
		}
		if got := x.oneTopic(topic).ClickCount; got != s.want[0] {
			t.Errorf("%s: ClickCount = %d; want %d", s.name, got, s.want[0])
		}
	}
	key := key.Click(topic, "a")
	if ttl := x.rdb.TTL(t.Context(), key).Val(); ttl <= forum.ClickLife-time.Minute || ttl > forum.ClickLife {
		t.Errorf("TTL of %s = %v; want %v", key, ttl, forum.ClickLife)
	}
	x.rdb.Expire(t.Context(), key, 0) // the ten minutes are over
	x.click(nil, "a", topic)
	if got := x.oneTopic(topic).ClickCount; got != 3 {
		t.Errorf("ClickCount after the mark expired = %d; want 3", got)
	}
}

// Behaviour X18: a click on a missing topic creates nothing.
func TestClickOnNothingMakesNoGhost(t *testing.T) {
	x := newSite(t)
	author, stranger, moderator := x.User("ann"), x.User("bob"), x.Moderator("mod")
	category := x.Category("go")
	topic, deleted := x.Topic(author, category), x.Topic(author, category)
	wantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), author, deleted))
	x.settle()
	before := x.keys()
	for name, by := range map[string]*forum.Viewer{"signed out": nil, "stranger": stranger} {
		got := x.click(by, "v", deleted, topic+100*forum.Partitions, 5)
		if !slices.Equal(got, []int{-1, -1, -1}) {
			t.Errorf("%s: RecordClicks = %v; want nothing found", name, got)
		}
	}
	if after := x.keys(); !maps.Equal(before, after) {
		t.Errorf("keys after clicks on nothing: %d; want %d as before", len(after), len(before))
	}
	for name, by := range map[string]*forum.Viewer{"author": author, "moderator": moderator} {
		if got := x.click(by, name, deleted); got[0] < 0 {
			t.Errorf("%s: RecordClicks of a deleted topic = %v; want it found", name, got)
		}
	}
}
