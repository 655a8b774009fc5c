package listing_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

// listedTopic reports whether a topic with these fields is in lists.
func listedTopic(h map[string]string) bool { return h["state"] == "OPEN" || h["state"] == "LOCKED" }

// Of more than ten thousand comments, the newest ten thousand are ranked. A ranking that cursors refer to is kept for a
// little longer than they are valid.
func TestRankingOfTenThousandComments(t *testing.T) {
	x := storetest.New(t)
	list, votes := key.TopicComments(99_328), key.CommentVotes(key.Topic(99_328))
	pipe := x.Redis.Pipeline()
	for number := 1; number <= forum.RankedComments+3; number++ {
		pipe.ZAdd(t.Context(), list, redis.Z{Score: float64(number), Member: strconv.Itoa(100_000 + number)})
	}
	pipe.HSet(t.Context(), votes, "100003", "50 0", "100004", "40 1", "105000", "39 0", "100005", "0 7")
	must.Do(pipe.Exec(t.Context()))(t)
	l := listing.TopicComments(99_328, false, forum.MostVoted)
	first, last := x.Page(l, forum.Window{Count: 3}), x.Page(l, forum.Window{Count: 1, Backward: true})
	if first.Total != forum.RankedComments || first.Rows[0].ID != 100_004 || first.Rows[1].ID != 105_000 ||
		first.Rows[2].ID != 100_006 || last.Rows[0].ID != 100_005 {
		t.Errorf("the ranking = %+v of %d, at the end %+v; want 100004, 105000, 100006 of 10000, at the end 100005",
			first.Rows, first.Total, last.Rows)
	}
	r := x.Read(t.Context())
	r.Listing.Keep([]forum.Ranking{*first.Ranking})
	storetest.WantOK(t, "Exec", r.Exec())
	life := x.Redis.PTTL(t.Context(), key.Ranking(first.Ranking.List, first.Ranking.Sum)).Val()
	if life <= 10*time.Minute || life > 11*time.Minute {
		t.Errorf("Redis keeps the ranking for %v; want more than ten minutes, and at most eleven", life)
	}
}
