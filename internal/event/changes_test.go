package event

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// thread is a topic whose comments change, and those who keep what they show up to date by its events.
type thread struct {
	s       *site // the connections of its hub are cut
	topic   forum.TopicID
	users   []forum.UserID
	live    []forum.CommentID
	readers []*shown
	ids     []shownAt
	n       int // of edits
}

// shown is what a subscriber shows of each comment. added is the number of the last comment that was added.
type shown struct {
	sub   *Sub
	of    map[int64]string
	added int64
}

// shownAt is what was shown after an event.
type shownAt struct {
	id    string
	of    map[int64]string
	added int64
}

// state returns what is shown of a comment now.
func (th *thread) state(id int64) string {
	key := fmt.Sprintf("{p%02x}:c:%d", id%256, id)
	return fmt.Sprint(th.s.redis.HMGet(context.Background(), key, "content", "deleted", "up", "down").Val())
}

// all returns all comments as they are now.
func (th *thread) all() map[int64]string {
	all := map[int64]string{}
	for _, id := range th.members() {
		all[id] = th.state(id)
	}
	return all
}

func (th *thread) members() []int64 {
	key := fmt.Sprintf("{p%02x}:t:%d:comments", th.topic%256, th.topic)
	var ids []int64
	for _, m := range th.s.redis.ZRange(context.Background(), key, 0, -1).Val() {
		var id int64
		fmt.Sscan(m, &id)
		ids = append(ids, id)
	}
	return ids
}

func (th *thread) change(t *rapid.T) {
	ctx, by := context.Background(), th.s.ann
	what := rapid.SampledFrom([]string{"post", "edit", "edit", "vote", "vote", "vote", "delete"}).Draw(t, "change")
	if what == "post" || len(th.live) == 0 {
		writer := *th.s
		writer.topic = th.topic
		th.live = append(th.live, writer.reply("reply"))
		return
	}
	i := rapid.IntRange(0, len(th.live)-1).Draw(t, "comment")
	id, err := th.live[i], error(nil)
	switch what {
	case "edit":
		th.n++
		err = th.s.Posts.UpdateComment(ctx, by, id, posts.CommentChange{Content: fmt.Sprint("edit ", th.n)})
	case "vote":
		voter := &forum.Viewer{ID: rapid.SampledFrom(th.users).Draw(t, "voter")}
		_, err = th.s.Votes.VoteComment(ctx, voter, id,
			rapid.SampledFrom([]forum.VoteDirection{forum.VoteUp, forum.VoteDown, forum.VoteNone}).Draw(t, "vote"))
	case "delete":
		th.live = slices.Delete(th.live, i, i+1)
		err = th.s.Posts.DeleteComment(ctx, by, id)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// subscribe begins at an earlier event, or else after reading everything.
func (th *thread) subscribe(t *rapid.T, from *shownAt) {
	stream := CommentChanges(th.topic)
	if from == nil {
		ends, errs := th.s.Listing.Watch(context.Background(), stream.Logs)
		must.OK(t, firstOf(errs))
		from = &shownAt{stream.ID(ends), th.all(), int64(len(th.members()))}
	}
	sub := must.Do(th.s.hub.Subscribe(context.Background(), stream, &from.id))(t)
	th.readers = append(th.readers, &shown{sub, maps.Clone(from.of), from.added})
}

func firstOf(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// see takes one batch of events into account.
func (th *thread) see(t *rapid.T, r *shown) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	events, err := r.sub.NextOfComments(ctx)
	if err != nil {
		now := th.all()
		maps.DeleteFunc(now, func(id int64, state string) bool { return r.of[id] == state })
		t.Fatalf("%v; what is not shown as it is: %v", err, now)
	}
	seen := map[string]bool{}
	for _, e := range events {
		name := fmt.Sprint(e.Kind, e.Entry.ID)
		_, known := r.of[e.Entry.ID]
		switch {
		case e.Kind == forum.EventReset:
			t.Fatal("RESET, though nothing was lost")
		case seen[name]:
			t.Fatalf("%s twice at the same time", name)
		case e.Kind == forum.EventAdded:
			if r.added++; e.Major != r.added {
				t.Fatalf("comment %d was added after %d", e.Major, r.added-1)
			}
		case !known:
			t.Fatalf("%s before it was added", name)
		case e.Kind == forum.EventRemoved && !th.deleted(e.Entry.ID):
			t.Fatalf("%s, which is not deleted", name)
		}
		seen[name] = true
		r.of[e.Entry.ID] = th.state(e.Entry.ID)
		th.ids = append(th.ids, shownAt{e.ID, maps.Clone(r.of), r.added})
	}
}

func (th *thread) deleted(id int64) bool {
	return th.s.redis.HExists(context.Background(), fmt.Sprintf("{p%02x}:c:%d", id%256, id), "deleted").Val()
}

// Whatever is changed, cut and resumed: in the end everyone who began with what was there, and applied the events,
// shows what is there. Each new comment came once, in order, and before its changes; there was no RESET.
func TestThreadsShownByEventsAgreeWithTheStore(t *testing.T) {
	testlevel.Usual(t)
	fewChecks(t)
	s := newSite(t)
	users := []forum.UserID{s.User("ben").ID, s.User("cas").ID, s.User("dan").ID}
	var wire redistest.Wire
	cut := s.over(&wire)
	rapid.Check(t, func(t *rapid.T) {
		th := &thread{s: cut, topic: s.post("thread"), users: users}
		defer func() {
			for _, r := range th.readers {
				r.sub.Close()
			}
		}()
		th.subscribe(t, nil)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			step := rapid.SampledFrom([]string{"change", "change", "read", "subscribe", "resume", "cut"}).Draw(t, "step")
			switch {
			case step == "change":
				for range rapid.IntRange(1, 12).Draw(t, "changes") {
					th.change(t)
				}
			case step == "subscribe":
				th.subscribe(t, nil)
			case step == "resume" && len(th.ids) > 0:
				th.subscribe(t, &th.ids[rapid.IntRange(0, len(th.ids)-1).Draw(t, "after")])
			case step == "cut":
				wire.CutListeners()
			case step == "read":
				if r := rapid.SampledFrom(th.readers).Draw(t, "reader"); !maps.Equal(r.of, th.all()) {
					th.see(t, r)
				}
			}
		}
		for _, r := range th.readers {
			for !maps.Equal(r.of, th.all()) {
				th.see(t, r)
			}
		}
	})
}

// A subscriber that was away while more comments changed than are kept, or whose changes have expired, reads again.
func TestMissingTooManyChangesIsAReset(t *testing.T) {
	s := newSite(t)
	id := s.reply("first")
	edit := func(id forum.CommentID, text string) {
		t.Helper()
		must.OK(t, s.Posts.UpdateComment(t.Context(), s.ann, id, posts.CommentChange{Content: text}))
	}
	subscribe := func(after *string) *Sub {
		t.Helper()
		sub := must.Do(s.hub.Subscribe(t.Context(), CommentChanges(s.topic), after))(t)
		t.Cleanup(sub.Close)
		return sub
	}
	sub := subscribe(nil)
	edit(id, "one")
	seen := take(t, sub.NextOfComments, 1)[0]
	edit(id, "two")
	last := take(t, sub.NextOfComments, 1)[0]
	s.redis.Del(t.Context(), fmt.Sprintf("{p%02x}:t:%d:changes", s.topic%256, s.topic)) // it expired
	if e := take(t, subscribe(&seen.ID).NextOfComments, 1)[0]; e.Kind != forum.EventReset {
		t.Errorf("after a change that is no longer kept: %+v; want RESET", e)
	}
	again := subscribe(&last.ID)
	edit(id, "three")
	if e := take(t, again.NextOfComments, 1)[0]; e.Kind != forum.EventChanged {
		t.Errorf("after the last change: %+v; want CHANGED", e)
	}
	if e := take(t, subscribe(&last.ID).NextOfComments, 1)[0]; e.Kind != forum.EventChanged {
		t.Errorf("after the last change, later: %+v; want CHANGED", e)
	}
	for n := range forum.ChangedComments + 2 {
		edit(s.reply("more"), fmt.Sprint(n))
	}
	if e := take(t, subscribe(&last.ID).NextOfComments, 1)[0]; e.Kind != forum.EventReset {
		t.Errorf("after too many changes: %+v; want RESET", e)
	}
}
