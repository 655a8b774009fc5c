package loader

import (
	"context"
	"errors"
	"strings"
	"testing"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
)

var errTooMuch = errors.New("too many bytes")

// longComments creates n comments of the given size.
func (x *site) longComments(n, bytes int) []forum.CommentID {
	x.t.Helper()
	ids := make([]forum.CommentID, n)
	for i := range ids {
		in := store.NewComment{Topic: x.topic, Content: strings.Repeat("x", bytes)}
		ids[i] = must(x.CreateComment(x.t.Context(), x.bob, in))(x.t)
	}
	return ids
}

// Texts for which a response has no room are left out, the last ones first, and the response goes on. They are not read
// if there are more than a page of them, or if the response has done much before; those of a page are read and dropped.
func TestTextsAreBounded(t *testing.T) {
	const each = 10_000
	x := newSite(t)
	ids := x.longComments(pageOfTexts+1, each)
	for _, mode := range modes {
		for _, tt := range []struct {
			name         string
			ids          []forum.CommentID
			before, room int  // work done before, and room for so many texts
			measured     bool // their lengths are read
			read, left   int  // texts
		}{
			{"a page", ids[1:], 0, pageOfTexts, false, pageOfTexts, 0},
			{"a page that is too much", ids[1:], 0, 1, false, pageOfTexts, pageOfTexts - 1},
			{"a page after much work", ids[1:], unmeasured + 1, 2, true, 2, pageOfTexts - 2},
			{"more", ids, 0, len(ids), true, len(ids), 0},
			{"more, and too much", ids, 0, 3, true, 3, len(ids) - 3},
		} {
			t.Run(mode.name+"/"+tt.name, func(t *testing.T) {
				meter := breadth.NewMeter(func(u breadth.Usage) (int, error) { return u.Memory() + 1000, nil }).
					LimitWork(tt.before+tt.room*each, func(int) error { return errTooMuch })
				if err := meter.Work(tt.before); err != nil {
					t.Fatal(err)
				}
				ctx := breadth.WithMeter(store.WithUsage(t.Context(), &store.Usage{}), meter)
				l := New(ctx, x.Store, x.ann)
				x.sent.take(0)
				mode.run(t, t.Context(), l, func(ctx context.Context) {
					found, errs := l.CommentsNow(ctx, tt.ids)
					if errs != nil {
						t.Fatal(errs)
					}
					for i, c := range found {
						left := i >= len(tt.ids)-tt.left
						if (c.Content == "") != left || errors.Is(c.TextFailure, errTooMuch) != left {
							t.Fatalf("comment %d of %d has %d bytes, %v; want that %d are left out", i, len(found), len(c.Content),
								c.TextFailure, tt.left)
						}
					}
				})
				if used, _ := meter.Used(); meter.Err() != nil || used.Held != (len(tt.ids)-tt.left)*each {
					t.Errorf("the response holds %d bytes, %v", used.Held, meter.Err())
				}
				lengths, texts := 0, 0
				for _, pipeline := range x.sent.take(0) {
					for _, cmd := range pipeline {
						switch {
						case strings.HasPrefix(cmd, "evalsha"):
							lengths++ // of all, which are in one partition
						case strings.HasPrefix(cmd, "hgetall c:"), strings.HasPrefix(cmd, "hmget c:") && strings.Contains(cmd, "content"):
							texts++
						}
					}
				}
				if (lengths == 1) != tt.measured || texts != tt.read {
					t.Errorf("%d lengths and %d texts were read; want %d texts", lengths, texts, tt.read)
				}
			})
		}
	}
}
