package votes_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// Behaviours A44 and X19: a visitor counts once in ten minutes.
func TestClickCountsOncePerVisitor(t *testing.T) {
	x := storetest.New(t)
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
		if got := x.Click(nil, s.visitor, s.topics...); !slices.Equal(got, s.want) {
			t.Errorf("%s: RecordClicks = %v; want %v", s.name, got, s.want)
		}
		if got := x.OneTopic(topic).ClickCount; got != s.want[0] {
			t.Errorf("%s: ClickCount = %d; want %d", s.name, got, s.want[0])
		}
	}
	key := key.Click(topic, "a")
	if ttl := x.Redis.TTL(t.Context(), key).Val(); ttl <= forum.ClickLife-time.Minute || ttl > forum.ClickLife {
		t.Errorf("TTL of %s = %v; want %v", key, ttl, forum.ClickLife)
	}
	x.Redis.Expire(t.Context(), key, 0) // the ten minutes are over
	x.Click(nil, "a", topic)
	if got := x.OneTopic(topic).ClickCount; got != 3 {
		t.Errorf("ClickCount after the mark expired = %d; want 3", got)
	}
}

// Behaviour X18: a click on a missing topic creates nothing.
func TestClickOnNothingMakesNoGhost(t *testing.T) {
	x := storetest.New(t)
	author, stranger, moderator := x.User("ann"), x.User("bob"), x.Moderator("mod")
	category := x.Category("go")
	topic, deleted := x.Topic(author, category), x.Topic(author, category)
	storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), author, deleted))
	x.Settle()
	before := x.Keys()
	for name, by := range map[string]*forum.Viewer{"signed out": nil, "stranger": stranger} {
		got := x.Click(by, "v", deleted, topic+100*forum.Partitions, 5)
		if !slices.Equal(got, []int{-1, -1, -1}) {
			t.Errorf("%s: RecordClicks = %v; want nothing found", name, got)
		}
	}
	if after := x.Keys(); !maps.Equal(before, after) {
		t.Errorf("keys after clicks on nothing: %d; want %d as before", len(after), len(before))
	}
	for name, by := range map[string]*forum.Viewer{"author": author, "moderator": moderator} {
		if got := x.Click(by, name, deleted); got[0] < 0 {
			t.Errorf("%s: RecordClicks of a deleted topic = %v; want it found", name, got)
		}
	}
}
