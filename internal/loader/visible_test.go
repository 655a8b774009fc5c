package loader

import (
	"context"
	"slices"
	"testing"

	"agora/internal/forum"
)

func shownTopic(
	ctx context.Context, l *Loaders, name func([]forum.TopicID) []*Topic, id forum.TopicID,
) string {
	ts := name([]forum.TopicID{id})
	errs := l.NeedTopics(ctx, ts)
	switch {
	case errs != nil:
		return errs[0].Error()
	case ts[0].Missing():
		return ""
	}
	if ts[0].Title == "" {
		return "erased"
	}
	return ts[0].Title
}

// An object that the viewer may not see is absent, and is not read again.
func TestHandlesOfHiddenObjectsAreEmpty(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(x.bob)
	inResponse(t, ctx, l, func(ctx context.Context) {
		ts := l.Topics([]forum.TopicID{x.deleted, x.dropped, nothing})
		l.NeedTopics(ctx, ts)
		cs := l.Comments([]forum.CommentID{x.buried, nothing})
		l.NeedComments(ctx, cs)
		for _, topic := range ts {
			if topic.status != statusAbsent {
				t.Errorf("topic %d: %+v; want it absent", topic.ID, topic.handle)
			}
		}
		for _, c := range cs {
			if c.status != statusAbsent {
				t.Errorf("comment %d: %+v; want it absent", c.ID, c.handle)
			}
		}
		x.sent.take(0)
		l.NeedTopics(ctx, ts)
		l.NeedComments(ctx, cs)
		x.want("the hidden objects, once more")
	})
}

// A list hides a deleted topic even from its author, while in the same response a query by id shows it; both are read
// once.
func TestListsHideWhatItsAuthorSees(t *testing.T) {
	x := newSite(t)
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		ctx, l, usage := x.response(x.ann)
		shown := make([]string, 2)
		ways := []func(context.Context){
			func(ctx context.Context) { shown[0] = shownTopic(ctx, l, l.Topics, x.deleted) },
			func(ctx context.Context) { shown[1] = shownTopic(ctx, l, l.ListedTopics, x.deleted) },
		}
		inResponse(t, ctx, l, ways[order[0]], ways[order[1]], func(ctx context.Context) {
			for _, way := range order { // also if one of them is already known
				ways[way](ctx)
			}
		})
		if !slices.Equal(shown, []string{"erased", ""}) {
			t.Errorf("by id and in a list = %q; want it by id only", shown)
		}
		wantUsage(t, "both", usage, 1, 1)
	}
}
