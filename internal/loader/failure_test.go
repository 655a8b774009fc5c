package loader

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/must"
)

// wantFailed checks that each key of a load has the error.
func wantFailed(t *testing.T, name string, errs []error, want error) {
	t.Helper()
	if len(errs) == 0 || slices.ContainsFunc(errs, func(err error) bool { return !errors.Is(err, want) }) {
		t.Errorf("%s: errors %v; want %v for each key", name, errs, want)
	}
}

// A failure fails each key of each load, and does not affect the next response.
func TestErrorsAreReportedAndNotShared(t *testing.T) {
	x := newSite(t)
	called, cancel := context.WithCancel(t.Context())
	cancel()
	for _, mode := range modes {
		for _, k := range x.loads() {
			broken := New(called, x.Store, x.ann)
			mode.run(t, t.Context(), broken, func(ctx context.Context) {
				wantFailed(t, mode.name+", canceled: "+k.name, k.run(ctx, broken), context.Canceled)
			})
			ctx, l, _ := x.response(x.ann)
			x.sent.take(k.trips)
			mode.run(t, ctx, l, func(ctx context.Context) {
				wantFailed(t, mode.name+", last round trip: "+k.name, k.run(ctx, l), errBroken)
			})
			ctx, next, _ := x.response(x.ann)
			mode.run(t, ctx, next, func(ctx context.Context) {
				if errs := k.run(ctx, next); errs != nil {
					t.Errorf("%s: %s of the next response: %v", mode.name, k.name, errs)
				}
			})
		}
	}
	must.OK(t, x.redis.Close())
	for _, mode := range modes {
		for _, k := range x.loads() {
			ctx, l, _ := x.response(x.ann)
			mode.run(t, ctx, l, func(ctx context.Context) {
				wantFailed(t, mode.name+", closed: "+k.name, k.run(ctx, l), redis.ErrClosed)
			})
		}
	}
}

// A failed pipeline is an error of all loads of its level.
func TestAFailureIsThatOfTheLevel(t *testing.T) {
	x := newSite(t)
	for _, mode := range modes {
		ctx, l, _ := x.response(x.ann)
		x.sent.take(1)
		var resolvers []func(context.Context)
		for _, k := range x.loads() {
			if k.trips == 1 {
				resolvers = append(resolvers,
					func(ctx context.Context) { wantFailed(t, mode.name+": "+k.name, k.run(ctx, l), errBroken) })
			}
		}
		mode.run(t, ctx, l, resolvers...)
	}
}

// An object that could not be read reports the reason, and is not read again before Forget.
func TestFailedObjectsKeepTheReason(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) {
		fresh := l.ListedTopics([]forum.TopicID{x.topic, x.imported})
		x.sent.take(1)
		wantFailed(t, "listed", l.NeedTopics(ctx, fresh), errBroken)
		x.sent.take(0)
		wantFailed(t, "by id", l.NeedTopics(ctx, l.Topics([]forum.TopicID{x.topic})), errBroken)
		x.want("what has failed")
		for _, o := range fresh {
			if o.status != statusFailed || !errors.Is(o.failure(), errBroken) || o.Missing() || o.unread() {
				t.Errorf("handle = %+v; want it failed, with its reason, and not to be read again", o.handle)
			}
		}
		l.Forget()
		if errs := l.NeedTopics(ctx, l.Topics([]forum.TopicID{x.topic})); errs != nil {
			t.Errorf("after Forget: %v", errs)
		}
	})
}

// A comment whose topic could not be read fails, too: without the topic, it is unknown whether the viewer may see it.
func TestCommentsFailWithTheirTopics(t *testing.T) {
	x := newSite(t)
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		x.sent.take(2)
		mode.run(t, ctx, l, func(ctx context.Context) {
			cs := l.Comments([]forum.CommentID{x.comment, x.answer})
			errs := l.NeedComments(ctx, cs)
			wantFailed(t, mode.name, errs, errBroken)
		})
	}
}

// The goroutines of a response end with it: after a success, after a failure, and if no caller waits for the result.
func TestNoGoroutineIsLeft(t *testing.T) {
	x := newSite(t)
	warm, l, _ := x.response(nil)
	inResponse(t, warm, l, func(ctx context.Context) {
		l.NeedTopics(ctx, l.Topics([]forum.TopicID{x.topic}))
	})
	before := goleak.IgnoreCurrent()
	called, cancel := context.WithCancel(t.Context())
	cancel()
	for range 5 {
		for _, mode := range modes {
			for _, k := range x.loads() {
				ctx, l, _ := x.response(x.ann)
				again := func(ctx context.Context) { k.run(ctx, l) }
				mode.run(t, ctx, l, again, again, func(ctx context.Context) {
					k.run(ctx, l)
					l.Forget()
					k.run(ctx, l)
				})
				broken := New(called, x.Store, x.ann)
				mode.run(t, t.Context(), broken, func(ctx context.Context) { k.run(ctx, broken) })
			}
		}
		_, unused, _ := x.response(nil)
		unused.Ask(Objects{Topics: []forum.TopicID{x.topic}, Users: []forum.UserID{x.ann.ID}})
		unused.Close()
	}
	const peer = "github.com/alicebob/miniredis/v2/server.(*Server).servePeer" // one more connection is no leak
	goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction(peer), goleak.IgnoreAnyFunction(peer+".func2"))
}

// Rows whose reading panics fail; no caller waits for them forever.
func TestRowsThatAreNotReadFail(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(x.ann)
	read := l.topicHandles.read
	l.topicHandles.read = func(r *store.Read, ids []forum.TopicID) func() ([]*forum.Topic, []error) {
		read(r, ids)
		return func() ([]*forum.Topic, []error) { panic("bad row") }
	}
	inResponse(t, ctx, l, func(ctx context.Context) {
		ts := l.Topics([]forum.TopicID{x.topic, x.deleted})
		for range 2 {
			if errs := l.NeedTopics(ctx, ts); len(errs) != 2 || errs[0] == nil || errs[1] == nil {
				t.Errorf("NeedTopics = %v; want an error for each", errs)
			}
		}
	})
}

// Reads queued but not sent when a part of a response ends are sent when a later part requests them.
func TestWhatCloseDropsIsReadLater(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	front := []forum.Timeline{activity(forum.FrontTimeline, 0)}
	for range 2 {
		l.Ask(Objects{Topics: []forum.TopicID{x.topic}, Comments: []forum.CommentID{x.comment}})
		l.Close()
		inResponse(t, ctx, l, func(ctx context.Context) {
			ts, errs := l.TopicsNow(ctx, []forum.TopicID{x.topic})
			if errs != nil || ts[0] == nil || ts[0].Title != "t" {
				t.Errorf("TopicsNow after Close = %+v, %v; want the topic", ts[0], errs)
			}
			pages, errs := l.Timelines(ctx, front, []forum.Window{{Count: 9}})
			if errs != nil || len(pages[0].Rows) != 2 {
				t.Errorf("Timelines after Close = %+v, %v; want two topics", pages, errs)
			}
		})
		l.Forget()
	}
}
