package votes_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// Behaviours A44 and X19: a visitor counts again after ten minutes.
func TestMarksOfClicksExpire(t *testing.T) {
	x := storetest.New(t)
	author := x.User("ann")
	topic := x.Topic(author, x.Category("go"))
	x.Click(nil, "a", topic)
	key := key.Click(topic, "a")
	if ttl := x.Redis.TTL(t.Context(), key).Val(); ttl <= forum.ClickLife-time.Minute || ttl > forum.ClickLife {
		t.Errorf("TTL of %s = %v; want %v", key, ttl, forum.ClickLife)
	}
	x.Redis.Expire(t.Context(), key, 0) // the ten minutes are over
	x.Click(nil, "a", topic)
	if got := x.OneTopic(topic).ClickCount; got != 2 {
		t.Errorf("ClickCount after the mark expired = %d; want 2", got)
	}
}
