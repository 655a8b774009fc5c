package loader

import (
	"context"
	"slices"
	"testing"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store/categories"
	"agora/internal/store/posts"
	"agora/internal/test/must"
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

// Walking through the pages of a tab shows the topics of all its categories once, in order.
func TestWalkingATab(t *testing.T) {
	x := newSite(t)
	second := x.Category("Redis")
	must.OK(t, x.Categories.UpdateTab(t.Context(), x.tab, categories.TabChange{Add: []forum.CategoryID{second}}))
	want := []forum.TopicID{x.topic}
	for n := range 25 {
		category := []forum.CategoryID{x.category, second}[n%4/3]
		in := posts.NewTopic{Author: x.ann.ID, Kind: forum.Discussion, Title: "t", Category: category,
			CreatedAt: x.Engine.Now() + forum.Time(n+1)}
		want = append(want, x.Post(in))
	}
	slices.Reverse(want)
	ctx, l, _ := x.response(nil)
	ctx = breadth.Outside(ctx, l)
	timelines := []forum.Timeline{activity(forum.TabTimeline, int64(x.tab))}
	read := func(w forum.Window) *forum.Page {
		pages, errs := l.Timelines(ctx, timelines, []forum.Window{w})
		if errs != nil {
			t.Fatalf("Timelines: %v", errs)
		}
		return pages[0]
	}
	var walked, skipped []forum.TopicID
	w := forum.Window{Count: 4}
	for more := true; more; {
		page := read(w)
		walked = append(walked, IDs[forum.TopicID](page)...)
		w.After = &page.Rows[len(page.Rows)-1].Position
		more = page.HasNext()
	}
	for skip := 0; skip < len(want); skip += 7 {
		skipped = append(skipped, IDs[forum.TopicID](read(forum.Window{Count: 7, Skip: skip}))...)
	}
	if !slices.Equal(walked, want) {
		t.Errorf("walk by cursor = %v; want %v", walked, want)
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("walk by skip = %v; want %v", skipped, want)
	}
}
