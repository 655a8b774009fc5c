package loader

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

var errTooMuch = errors.New("too many bytes")

// longComments creates n comments of the given size.
func (x *site) longComments(n, bytes int) []forum.CommentID {
	x.t.Helper()
	ids := make([]forum.CommentID, n)
	for i := range ids {
		in := posts.NewComment{Topic: x.topic, Content: strings.Repeat("x", bytes)}
		ids[i] = must.Do(x.Posts.CreateComment(x.t.Context(), x.bob, in))(x.t)
	}
	return ids
}

// Long texts for which a response has no room are left out, the last ones first, before they are read, and the response
// goes on.
func TestTextsAreBounded(t *testing.T) {
	const each, all = 10_000, 20
	x := newSite(t)
	ids := x.longComments(all, each)
	for _, mode := range modes {
		for _, room := range []int{0, 3, all} {
			t.Run(fmt.Sprint(mode.name, "/", room), func(t *testing.T) {
				meter := breadth.NewMeter(func(u breadth.Usage) (int, error) { return u.Memory() + 1000, nil }).
					LimitWork(room*each, func(int) error { return errTooMuch })
				ctx := breadth.WithMeter(store.WithUsage(t.Context(), &store.Usage{}), meter)
				l := New(ctx, x.Store, x.ann)
				x.sent.take(0)
				mode.run(t, ctx, l, func(ctx context.Context) {
					texts, errs := l.CommentTexts(ctx, l.Comments(ids))
					for i, text := range texts {
						if left := i >= room; (text == "") != left || errors.Is(at(errs, i), errTooMuch) != left {
							t.Fatalf("comment %d of %d has %d bytes, %v; want room for %d", i, len(ids), len(text), at(errs, i), room)
						}
					}
				})
				if used, _ := meter.Used(); meter.Err() != nil || used.Held != room*each {
					t.Errorf("the response holds %d bytes, %v", used.Held, meter.Err())
				}
				read := 0
				for _, cmd := range slices.Concat(x.sent.take(0)...) {
					if strings.HasPrefix(cmd, "get c:") {
						read++
					}
				}
				if read != room {
					t.Errorf("%d texts were read; want %d", read, room)
				}
			})
		}
	}
}

// A post that was edited between the read of it and the read of its text is read again.
func TestEditsBetweenReadsAreSeen(t *testing.T) {
	x := newSite(t)
	long := func(c string) string { return strings.Repeat(c, 2000) }
	id := x.longComments(1, 2000)[0]
	for _, tt := range []struct {
		name string
		edit func() error
		want string
	}{
		{"to a long text", func() error {
			return x.Posts.UpdateComment(t.Context(), x.bob, id, posts.CommentChange{Content: long("y")})
		}, long("y")},
		{"to a short text", func() error {
			return x.Posts.UpdateComment(t.Context(), x.bob, id, posts.CommentChange{Content: "short"})
		}, "short"},
		{"to a long text again", func() error {
			return x.Posts.UpdateComment(t.Context(), x.bob, id, posts.CommentChange{Content: long("z")})
		}, long("z")},
		{"deleted", func() error { return x.Posts.DeleteComment(t.Context(), x.bob, id) }, ""},
	} {
		for _, mode := range modes {
			ctx, l, _ := x.response(x.bob)
			mode.run(t, ctx, l, func(ctx context.Context) {
				cs := l.Comments([]forum.CommentID{id})
				l.NeedComments(ctx, cs)
				must.OK(t, tt.edit())
				texts, errs := l.CommentTexts(ctx, cs)
				if errs != nil || texts[0] != tt.want && cs[0].Long != 0 {
					t.Errorf("%s, %s: %d bytes, %v; want %d", tt.name, mode.name, len(texts[0]), errs, len(tt.want))
				}
			})
		}
	}
}

// A text that is edited before each read of it cannot be shown: that is a CONFLICT, and no failure of the server.
func TestTextsThatAreAlwaysEdited(t *testing.T) {
	x := newSite(t)
	id := x.longComments(1, 2000)[0]
	ctx, l, _ := x.response(x.bob)
	edits, editing := 0, false
	x.redis.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		reads := slices.ContainsFunc(cmds, func(cmd redis.Cmder) bool {
			return len(cmd.Args()) > 1 && strings.HasSuffix(fmt.Sprint(cmd.Args()[1]), ":text")
		})
		if reads && !editing {
			editing = true
			edits++
			must.OK(t, x.Posts.UpdateComment(t.Context(), x.bob, id, posts.CommentChange{Content: strings.Repeat("y",
				2000+edits)}))
			editing = false
		}
		return next(ctx, cmds)
	}))
	modes[0].run(t, ctx, l, func(ctx context.Context) {
		cs := l.Comments([]forum.CommentID{id})
		l.NeedComments(ctx, cs)
		texts, errs := l.CommentTexts(ctx, cs)
		if edits == 0 || len(errs) != 1 || forum.CodeOf(errs[0]) != forum.CodeConflict {
			t.Errorf("CommentTexts after %d edits = %d texts, %v; want CONFLICT", edits, len(texts), errs)
		}
	})
}
