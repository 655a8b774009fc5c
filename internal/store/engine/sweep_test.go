package engine_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// A broken mark in one partition does not hold up others.
func TestSweepContinuesAfterBrokenData(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	const broken = forum.TopicID(forum.Partitions) // in partition 0, which is swept first
	if ann.ID.Partition() == broken.Partition() {
		t.Fatal("the user must be of another partition")
	}
	home := x.Category("Home")
	ctx := t.Context()
	must.OK(t, x.Redis.Set(ctx, key.Topic(broken), "no hash", 0).Err())
	must.OK(t, x.Redis.Do(ctx, "ZADD", key.Dirty(broken.Partition()), 1, "t:"+key.Itoa(broken)).Err())
	topic := must.Do(x.Bulk().Posts.CreateTopic(ctx, site.Discussion(ann, home)))(t)
	x.Clock.Advance(2 * time.Second)
	if _, err := x.Engine.Sweep(ctx); err == nil {
		t.Error("Sweep returned no error for the broken topic")
	}
	if got := x.CategoryTopics(home); len(got) != 1 || got[0] != topic {
		t.Errorf("after Sweep the category lists %v; want [%d]", got, topic)
	}
}

// What a server with a wrong clock leaves unfinished does not wait until the other clocks are there.
func TestSweepHandlesMarksOfWrongClocks(t *testing.T) {
	testlevel.Sequential(t)
	tests := []struct {
		ahead time.Duration
		want  int // topics in the category
	}{
		{-time.Hour, 1},
		{-time.Second, 1},
		{0, 0}, // the mutation may not be finished yet
		{time.Minute, 0},
		{time.Minute + time.Millisecond, 1},
		{time.Hour, 1},
	}
	for _, tt := range tests {
		x := storetest.New(t)
		home, ann := x.Category("Home"), x.User("ann")
		x.Clock.Advance(tt.ahead)
		must.Do(x.Bulk().Posts.CreateTopic(t.Context(), site.Discussion(ann, home)))(t)
		x.Clock.Advance(-tt.ahead)
		must.Do(x.Engine.Sweep(t.Context()))(t)
		if got := x.CategoryTopics(home); len(got) != tt.want {
			t.Errorf("a clock that is %v ahead: the category lists %v; want %d topics", tt.ahead, got, tt.want)
		}
	}
}

// Flush ends although others keep writing: what they begin after it is not its business.
func TestFlushEndsWhileOthersWrite(t *testing.T) {
	x := storetest.New(t)
	home, ann := x.Category("Home"), x.User("ann")
	const most = 20
	written := 0
	write := func() {
		written++
		x.Clock.Advance(time.Millisecond)
		must.Do(x.Bulk().Posts.CreateTopic(t.Context(), site.Discussion(ann, home)))(t)
	}
	write()
	s := x.Process(store.WithSteps(func(name string) {
		if name == "index" && written < most {
			write()
		}
	}))
	storetest.WantOK(t, "Flush", s.Flush(t.Context()))
	if written == most {
		t.Errorf("Flush handled %d topics that were written meanwhile", written-1)
	}
	if got := x.CategoryTopics(home); len(got) == 0 {
		t.Error("the first topic is not listed after Flush")
	}
}
