package fsck

import (
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// A topic that gets a tag again no longer records it as left.
func TestTagAddedAgainIsNotRecordedAsLeft(t *testing.T) {
	testlevel.Usual(t)
	x := newCheckSite(t)
	back := x.tagged("redis")
	for _, step := range []struct {
		name        string
		add, remove forum.TopicTags
	}{
		{"taken and given at once", back, back},
		{"taken", nil, back},
		{"given back", back, nil},
	} {
		x.Give(x.ann, x.thread, step.add, step.remove)
		x.Engine.Cleaner.Flush()
		if left := x.hash(key.Topic(x.thread))["leftTags"]; left != "" {
			t.Errorf("%s: leftTags = %q; want none", step.name, left)
		}
	}
	// The process that removes it dies; another adds it again.
	x.dies(2, func(s *store.Store) { s.Posts.TagTopic(x.ctx, x.ann, x.thread, nil, back) })
	x.Give(x.ann, x.thread, back, nil)
	wantOK(t, "Settle", x.Flush(x.ctx))
	if r := x.check(false); r.Found != 0 {
		t.Errorf("Check found %v; want nothing", r.Findings)
	}
}

// Day 0 cannot have comments, so day 1 has no day before it.
func TestCommentOnDayOne(t *testing.T) {
	testlevel.Usual(t)
	x := newCheckSite(t)
	in := remark(x.left, 0)
	in.CreatedAt = 86_400_000 // 1970-01-02
	for _, id := range []forum.TopicID{x.left, x.moved} {
		in.Topic = id
		must.Do(x.Posts.CreateComment(x.ctx, x.bob, in))(t)
	}
	wantOK(t, "Settle", x.Flush(x.ctx))
	if r := x.check(false); r.Found != 0 {
		t.Errorf("Check found %v; want nothing", r.Findings)
	}
}
