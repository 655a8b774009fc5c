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

// Texts that exceed the limit of a response are not read if there are more than a page of them; those of a page are
// read and dropped. In both cases the response ends.
func TestTextsAreBounded(t *testing.T) {
	const each = 10_000
	x := newSite(t)
	ids := x.longComments(pageOfTexts+1, each)
	for _, mode := range modes {
		for _, tt := range []struct {
			name             string
			ids              []forum.CommentID
			limit            int
			measured, refuse bool // their lengths are read; the texts are not
			fails            bool
		}{
			{"a page", ids[1:], pageOfTexts * each, false, false, false},
			{"a page that is too much", ids[1:], pageOfTexts*each - 1, false, false, true},
			{"more", ids, len(ids) * each, true, false, false},
			{"more, and too much", ids, len(ids)*each - 1, true, true, true},
		} {
			t.Run(mode.name+"/"+tt.name, func(t *testing.T) {
				meter := breadth.NewMeter(func(u breadth.Usage) (int, error) {
					if u.Held > tt.limit {
						return 0, errTooMuch
					}
					return 0, nil
				})
				ctx := breadth.WithMeter(store.WithUsage(t.Context(), &store.Usage{}), meter)
				l := New(ctx, x.Store, x.ann)
				x.sent.take(0)
				mode.run(t, t.Context(), l, func(ctx context.Context) {
					found, errs := l.CommentsNow(ctx, tt.ids, forum.CommentFieldContent)
					for i, c := range found {
						if c != nil && (c.Content == "") != tt.fails {
							t.Fatalf("comment %d has %d bytes", i, len(c.Content))
						}
					}
					if tt.refuse {
						wantFailed(t, "CommentsNow", errs, errTooMuch)
					}
				})
				if err := meter.Err(); (err != nil) != tt.fails {
					t.Errorf("the response ended with %v; want that: %v", err, tt.fails)
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
				if (lengths == 1) != tt.measured || (texts == 0) != tt.refuse {
					t.Errorf("%d lengths and %d texts were read", lengths, texts)
				}
			})
		}
	}
}
