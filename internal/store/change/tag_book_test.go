package change_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

// The bookkeeping of a tag without topics is kept only as long as a late write may come, and stays if the
// tag is added again.
func TestBookkeepingOfAnUnusedTagExpires(t *testing.T) {
	w := storetest.NewThread(t)
	tag := forum.TopicTags{{ID: 77, Name: "rare"}}
	c := key.TagContainer(77)
	life := func(want bool) {
		t.Helper()
		for _, key := range []string{c.Revisions(), c.Removed()} {
			at := must.Do(w.Redis.ExpireTime(t.Context(), key).Result())(t)
			if at == -2 { // nothing was removed yet
				continue
			}
			end := time.Duration(w.Engine.Now()/1000)*time.Second + forum.RemovalLife + forum.ExpiryGrace
			if (at > 0) != want || want && (at < end-time.Second || at > end+time.Second) {
				t.Errorf("%s expires at %v; want an expiry: %t, at %v", key, at, want, end)
			}
		}
	}
	storetest.WantOK(t, "TagTopic", w.Posts.TagTopic(t.Context(), w.Ann, w.TopicID, tag, nil))
	life(false)
	storetest.WantOK(t, "TagTopic", w.Posts.TagTopic(t.Context(), w.Ann, w.TopicID, nil, tag))
	life(true)
	storetest.WantOK(t, "TagTopic", w.Posts.TagTopic(t.Context(), w.Ann, w.TopicID, tag, nil))
	life(false)
}
