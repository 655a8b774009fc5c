package store

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Rows X15 to X17: the tutorials' board of a day, and ours.

func TestBoardExpires(t *testing.T) {
	expires := func(x *site, key string) error {
		if life := x.rdb.TTL(x.ctx, key).Val(); life <= 0 {
			return fmt.Errorf("TTL %s = %d; want it to expire", key, life)
		}
		return nil
	}
	contrast(t, 1, func(x *site) error {
		reply := func() {
			x.rdb.ZIncrBy(x.ctx, "day", 1, "topic:1")
			if ttl := x.rdb.Do(x.ctx, "TTL", "day").Val(); ttl == nil { // -1, or -2 without a key
				x.rdb.Expire(x.ctx, "day", time.Hour)
			}
		}
		reply()
		reply()
		return expires(x, "day")
	}, func(x *site) error {
		ann := x.user("ann")
		x.comment(ann, x.topic(ann, x.category("go")), 0)
		return expires(x, key.DayContainer(x.Today()).Order(key.OrderReplies))
	})
}

// firstSecond checks what a board shows of a reply in the first second of a day.
func firstSecond(replies float64) error {
	if replies != 1 {
		return fmt.Errorf("the new day's board has %v replies; want 1", replies)
	}
	return nil
}

func TestReplyInTheFirstSecondOfADay(t *testing.T) {
	contrast(t, 1, func(x *site) error {
		x.at((x.Today() + 1).Begins(x.Zone()))
		// timedelta.seconds omits whole days, so that a day has 0.
		remaining := int((x.Today()+1).Begins(x.Zone())-x.Now()) / 1000 % 86_400
		x.rdb.ZIncrBy(x.ctx, "day", 1, "topic:1")
		x.rdb.Do(x.ctx, "EXPIRE", "day", remaining)
		return firstSecond(x.rdb.ZScore(x.ctx, "day", "topic:1").Val())
	}, func(x *site) error {
		ann := x.user("ann")
		topic := x.topic(ann, x.category("go"))
		x.at((x.Today() + 1).Begins(x.Zone()))
		x.comment(ann, topic, 0)
		x.clock.Advance(999 * time.Millisecond)
		return firstSecond(x.board(x.Today())[topic])
	})
}

func TestReplyCountsForItsTopic(t *testing.T) {
	counts := func(n float64, others int64) error {
		if n != 1 || others != 0 {
			return fmt.Errorf("topic 77 has %v replies, and %d others have some; want 1 and none", n, others)
		}
		return nil
	}
	contrast(t, 1, func(x *site) error {
		x.rdb.Do(x.ctx, "ZINCRBY", "day", 77, 1) // as in the text: increment and member are swapped
		return counts(x.rdb.ZScore(x.ctx, "day", "77").Val(), x.rdb.ZCard(x.ctx, "day").Val())
	}, func(x *site) error {
		ann := x.user("ann")
		topic := x.topic(ann, x.category("go"))
		x.comment(ann, topic, 0)
		board := x.board(x.Today())
		day := x.oneTopic(topic).CommentsOn(x.Today())
		if day != 1 {
			return errors.New("the topic does not count its reply")
		}
		return counts(board[topic], int64(len(board)-1))
	})
}

// Behaviour A38: a new day has a new board without any job.
func TestNewDayHasANewBoard(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	topic := x.topic(ann, x.category("go"))
	x.comment(ann, topic, 0)
	tl := forum.Timeline{Kind: forum.DayRankTimeline, Owner: int64(x.Today()), Order: forum.ByRepliesToday,
		Direction: forum.Descending}
	day := func() forum.Page { return x.page(TimelineLists(tl, nil)[0], forum.Window{Count: 3}) }
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
	page := x.page(TimelineLists(tl, nil)[0], forum.Window{Count: 100})
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
