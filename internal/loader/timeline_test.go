package loader

import (
	"context"
	"slices"
	"testing"

	"agora/internal/forum"
)

func activity(kind forum.TimelineKind, owner int64) forum.Timeline {
	return forum.Timeline{Kind: kind, Owner: owner, Order: forum.ByActive, Direction: forum.Descending}
}

// Pages of several timelines are read together; a tab needs its categories first.
func TestTimelinesAreReadTogether(t *testing.T) {
	x := newSite(t)
	timelines := []forum.Timeline{
		activity(forum.FrontTimeline, 0),
		activity(forum.CategoryTimeline, int64(x.category)),
		activity(forum.TabTimeline, int64(x.tab)),
		activity(forum.TabTimeline, 99),
	}
	want := [][]forum.TopicID{{x.topic, x.imported}, {x.topic}, {x.topic}, {}}
	w := forum.Window{Count: 10}
	for _, mode := range modes {
		ctx, l, usage := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) {
			pages, errs := l.Timelines(ctx, timelines, []forum.Window{w, w, w, w})
			if errs != nil {
				t.Errorf("%s: Timelines: %v", mode.name, errs)
			}
			for i, p := range pages {
				if got := IDs[forum.TopicID](p); !slices.Equal(got, want[i]) || p.Total != len(want[i]) {
					t.Errorf("%s: timeline %s = %v of %d; want %v", mode.name, timelines[i].Name(), got, p.Total, want[i])
				}
			}
		})
		// One for each tab, two for each list: the front, the category by itself and in the tab; one for the pins of the
		// front and of the category.
		if got := usage.Commands.Load(); got != 10 {
			t.Errorf("%s: %d commands; want 10, one for each tab, two for each list, and the pins", mode.name, got)
		}
	}
}
