package store

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
)

// debate is a topic whose comments are voted on: replies to it, and to its first comment.
type debate struct {
	*site
	users   []*forum.Viewer
	topic   forum.TopicID
	top     []forum.CommentID // replies to the topic, by number
	answers []forum.CommentID // replies to the first of them
	rng     *rand.Rand
}

func newDebate(t testing.TB) *debate {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	x := &debate{site: newSite(t), rng: rand.New(rand.NewPCG(seed, 0))}
	x.users = x.voters("ann", "bob", "cyd", "dan")
	x.topic = x.site.topic(x.users[0], x.category("go"))
	for range 12 {
		x.top = append(x.top, x.comment(x.users[0], x.topic, 0))
		x.answers = append(x.answers, x.comment(x.users[1], x.topic, x.top[0]))
	}
	x.voteAround(150)
	return x
}

func (x *debate) voteAround(times int) {
	x.t.Helper()
	for range times {
		all := append(x.top[:len(x.top):len(x.top)], x.answers...)
		x.castOn(x.users[x.rng.IntN(4)], all[x.rng.IntN(len(all))], voteDirections[x.rng.IntN(3)])
	}
}

// ranked sorts comments as specified in the schema, from their hashes.
func (x *debate) ranked(order forum.CommentOrder, ids []forum.CommentID) []forum.CommentID {
	x.t.Helper()
	key := func(id forum.CommentID) float64 {
		c := x.oneComment(id)
		if order == forum.MostVoted {
			return float64(c.Upvotes - c.Downvotes)
		}
		return float64(c.Upvotes+c.Downvotes) / max(1, math.Abs(float64(c.Upvotes-c.Downvotes)))
	}
	sorted := slices.Clone(ids)
	slices.SortStableFunc(sorted, func(a, b forum.CommentID) int { return cmp.Compare(key(b), key(a)) })
	return sorted
}

// walkRanked reads a list page by page, like a reader whose rankings are kept. It calls between after every
// page.
func (x *debate) walkRanked(l listing.List, backward bool, between func()) []forum.CommentID {
	x.t.Helper()
	w := forum.Window{Count: 5, Backward: backward}
	var all []forum.CommentID
	for {
		page := x.page(l, w)
		if page.Ranking != nil {
			r := x.Read(x.ctx)
			kept := r.Keep([]forum.Ranking{*page.Ranking})
			wantOK(x.t, "Exec", r.Exec())
			_, err := kept()
			wantOK(x.t, "Keep", err)
		}
		between()
		var found []forum.CommentID
		for _, r := range page.Rows {
			found = append(found, forum.CommentID(r.ID))
		}
		if backward {
			all = append(found, all...)
			if !page.HasPrevious() {
				return all
			}
			w.Before = &page.Rows[0].Position
			continue
		}
		all = append(all, found...)
		if !page.HasNext() {
			return all
		}
		w.After = &page.Rows[len(page.Rows)-1].Position
	}
}

// Comments by votes are ordered by their formulas, then by number, in the topic's list and in that of the
// replies to a comment, tombstones included; paging shows them as of the first page, whatever votes are
// cast concurrently.
func TestCommentsByVotes(t *testing.T) {
	x := newDebate(t)
	wantOK(t, "DeleteComment", x.DeleteComment(t.Context(), x.users[0], x.top[3]))
	wantOK(t, "DeleteComment", x.DeleteComment(t.Context(), x.users[1], x.answers[3]))
	x.top = slices.Delete(x.top, 3, 4) // accepts no more votes
	x.answers = slices.Delete(x.answers, 3, 4)
	all := ids[forum.CommentID](x.site, listing.TopicComments(x.topic, false, forum.Oldest))
	for _, order := range []forum.CommentOrder{forum.MostVoted, forum.MostControversial} {
		lists := map[string]listing.List{
			"all": listing.TopicComments(x.topic, false, order), "top": listing.TopicComments(x.topic, true, order), "answers": listing.CommentReplies(x.top[0], order),
		}
		of := map[string][]forum.CommentID{
			"all": all, "top": ids[forum.CommentID](x.site, listing.TopicComments(x.topic, true, forum.Oldest)),
			"answers": ids[forum.CommentID](x.site, listing.CommentReplies(x.top[0], forum.Oldest)),
		}
		for name, l := range lists {
			for _, backward := range []bool{false, true} {
				want := x.ranked(order, of[name])
				if got := x.walkRanked(l, backward, func() { x.voteAround(4) }); !slices.Equal(got, want) {
					t.Errorf("%s by %s, from the end %t = %v; want %v, as of the first page", name, order, backward, got, want)
				}
			}
		}
	}
	x.wantClean()
}

// Cursors into a ranking are valid for exactly ten minutes from the first page.
func TestRankingOfCommentsExpires(t *testing.T) {
	x := newDebate(t)
	l := listing.TopicComments(x.topic, false, forum.MostVoted)
	first := x.page(l, forum.Window{Count: 5})
	read := func() error {
		r := x.Read(t.Context())
		get := r.Page(l, forum.Window{Count: 5, After: &first.Rows[4].Position})
		wantOK(t, "Exec", r.Exec())
		_, err := get()
		return err
	}
	wantCode(t, "a page of a ranking that was not kept", read(), forum.CodeCursorExpired)
	r := x.Read(t.Context())
	r.Keep([]forum.Ranking{*first.Ranking})
	wantOK(t, "Exec", r.Exec())
	x.clock.Advance(10*time.Minute - time.Millisecond)
	wantOK(t, "a page in the last millisecond", read())
	x.clock.Advance(time.Millisecond)
	wantCode(t, "a page after ten minutes", read(), forum.CodeCursorExpired)
	if life := x.rdb.PTTL(t.Context(),
		key.Ranking(first.Ranking.List, first.Ranking.Sum)).Val(); life <= 10*time.Minute || life > 11*time.Minute {
		t.Errorf("Redis keeps the ranking for %v; want more than ten minutes, and at most eleven", life)
	}
}

// Of more than ten thousand comments, the newest ten thousand are ranked.
func TestRankingOfTenThousandComments(t *testing.T) {
	x := newSite(t)
	list, votes := key.TopicComments(99_328), key.CommentVotes(key.Topic(99_328))
	pipe := x.rdb.Pipeline()
	for number := 1; number <= forum.RankedComments+3; number++ {
		pipe.ZAdd(t.Context(), list, redis.Z{Score: float64(number), Member: strconv.Itoa(100_000 + number)})
	}
	pipe.HSet(t.Context(), votes, "100003", "50 0", "100004", "40 1", "105000", "39 0", "100005", "0 7")
	_, err := pipe.Exec(t.Context())
	wantOK(t, "plant comments", err)
	l := listing.TopicComments(99_328, false, forum.MostVoted)
	first, last := x.page(l, forum.Window{Count: 3}), x.page(l, forum.Window{Count: 1, Backward: true})
	if first.Total != forum.RankedComments || first.Rows[0].ID != 100_004 || first.Rows[1].ID != 105_000 ||
		first.Rows[2].ID != 100_006 || last.Rows[0].ID != 100_005 {
		t.Errorf("the ranking = %+v of %d, at the end %+v; want 100004, 105000, 100006 of 10000, at the end 100005",
			first.Rows, first.Total, last.Rows)
	}
}
