package loader

import (
	"context"
	"errors"
	"testing"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
)

// Lists by votes are charged before they are ranked, the first ones, too.
func TestRankingIsCharged(t *testing.T) {
	x := newSite(t)
	lists := pointers(listing.TopicComments(x.topic, false, forum.MostVoted),
		listing.CommentReplies(x.comment, forum.MostControversial))
	for _, mode := range modes {
		for _, room := range []int{0, 2 * listing.RankedCost, 3 * listing.RankedCost} {
			meter := breadth.NewMeter(func(u breadth.Usage) (int, error) { return u.Memory(), nil }).
				LimitWork(room, func(int) error { return errTooMuch })
			ctx := breadth.WithMeter(store.WithUsage(t.Context(), &store.Usage{}), meter)
			l := New(ctx, x.Store, nil)
			mode.run(t, ctx, l, func(ctx context.Context) {
				_, errs := l.Pages(ctx, lists, forum.Window{Count: 1, Bare: true})
				used, _ := meter.Used()
				if first, second := at(errs, 0), at(errs, 1); errors.Is(first, errTooMuch) != (room == 0) ||
					errors.Is(second, errTooMuch) != (room < 3*listing.RankedCost) || used.Work != room {
					t.Errorf("%s: room for %d: %v, %v, and %d were used; the lists have 2 and 1 comments", mode.name, room, first,
						second, used.Work)
				}
			})
		}
	}
}
