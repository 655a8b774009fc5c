package store

import (
	"slices"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/listing"
)

// Behaviour A38: a new day has a new board without any job.
func TestNewDayHasANewBoard(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	topic := x.topic(ann, x.category("go"))
	x.comment(ann, topic, 0)
	tl := forum.Timeline{Kind: forum.DayRankTimeline, Owner: int64(x.Today()), Order: forum.ByRepliesToday,
		Direction: forum.Descending}
	day := func() forum.Page { return x.page(listing.TimelineLists(tl, nil)[0], forum.Window{Count: 3}) }
	if got := day(); got.Total != 1 || got.Rows[0].Score != 1 {
		t.Errorf("today's rank = %+v; want the topic with its comment", got.Rows)
	}
	x.at((x.Today() + 1).Begins(x.Zone()))
	tl.Owner = int64(x.Today())
	if got := day(); got.Total != 0 {
		t.Errorf("the new day's rank = %+v; want nothing yet", got.Rows)
	}
}

// The board of a day is ordered by comments, then by time of posting and by id, and is exact immediately.
func TestBoardOfADay(t *testing.T) {
	x := newSite(t)
	users, room := x.voters("ann", "bob"), x.category("go")
	var topics []forum.TopicID
	for i := range 12 {
		topics = append(topics, x.topic(users[i%2], room))
		for range []int{2, 1, 3, 2, 1, 2, 0, 3, 1, 2, 2, 1}[i] {
			x.comment(users[0], topics[i], 0)
		}
	}
	byID := slices.Sorted(slices.Values(topics)) // all at one instant
	comments := map[forum.TopicID]int{}
	for i, n := range []int{2, 1, 3, 2, 1, 2, 0, 3, 1, 2, 2, 1} {
		comments[topics[i]] = n
	}
	var want []forum.TopicID
	for n := 3; n > 0; n-- {
		for _, id := range slices.Backward(byID) {
			if comments[id] == n {
				want = append(want, id)
			}
		}
	}
	tl := forum.Timeline{Kind: forum.DayRankTimeline, Owner: int64(x.Today()), Order: forum.ByRepliesToday,
		Direction: forum.Descending}
	page := x.page(listing.TimelineLists(tl, nil)[0], forum.Window{Count: 100})
	got := make([]forum.TopicID, len(page.Rows))
	for i, row := range page.Rows {
		if got[i] = forum.TopicID(row.ID); row.Score != float64(comments[got[i]]) {
			t.Errorf("topic %d has the score %v; want its %d comments", row.ID, row.Score, comments[got[i]])
		}
	}
	if !slices.Equal(got, want) || page.Total != len(want) {
		t.Errorf("the day = %v, %d in all; want %v", got, page.Total, want)
	}
}
