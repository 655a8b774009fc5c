package forum

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

const (
	// VoteWeight is how many seconds of age one net vote offsets in the order SCORE: a day (86,400
	// s) divided by the 200 votes that keep a topic listed for a day. Source: Redis in Action,
	// chapter 1 (VOTE_SCORE).
	VoteWeight = 432
	// InterestingVotes is how many net votes make a topic interesting.
	// Source: Redis in Action, chapter 1.
	InterestingVotes = 200
	// hotEpoch is 2005-12-08 07:46:43 UTC in Unix seconds, the time from which HOT counts. Source:
	// Reddit, r2/lib/db/_sorts.pyx.
	hotEpoch = 1_134_028_003
	// hotScale is how many seconds of age equal a tenfold number of votes in the order HOT: 12.5
	// hours. Source: as for hotEpoch.
	hotScale = 45_000
)

// Score returns the stored key of the order SCORE, in milliseconds: the time of posting plus
// VoteWeight seconds for each net vote.
func Score(created Time, net int) float64 {
	return float64(int64(created) + VoteWeight*1000*int64(net))
}

// Hot returns the key of the order HOT, which recommendations use too:
//
//	sign(net) * log10(max(|net|, 1)) + (created - hotEpoch) / hotScale
//
// This is Reddit's current formula, unrounded, in UTC. The tutorials' copies multiply the time by
// the sign of the votes instead. With them a topic with 1,000 votes against ranks above one with a
// single vote against, all topics without votes have the same key, below any that ever had a vote,
// and a server whose clock shows local time is hours off.
func Hot(created Time, net int) float64 { return hotVotes(net) + hotTime(created) }

func hotVotes(net int) float64 {
	votes := math.Log10(max(math.Abs(float64(net)), 1))
	if net < 0 {
		return -votes
	}
	return votes
}

func hotTime(created Time) float64 { return (float64(created)/1000 - hotEpoch) / hotScale }

// Controversy returns the key of the order CONTROVERSIAL. It is high for many votes that are evenly
// split. Source: Reddit, r2/lib/db/_sorts.pyx.
func Controversy(up, down int) float64 {
	return float64(up+down) / max(math.Abs(float64(up-down)), 1)
}

// Explanation explains the position of a topic in an order.
type Explanation struct {
	// Formula is the formula as text.
	Formula string
	// Terms are the summands. They add up to the score.
	Terms []RankTerm
}

// RankTerm is one summand of a rank.
type RankTerm struct {
	Name  string
	Value float64
}

// Score returns the value of the formula, the sum of its terms.
func (e Explanation) Score() float64 {
	sum := 0.0
	for _, t := range e.Terms {
		sum += t.Value
	}
	return sum
}

// The formulas that have constants, as text.
var (
	scoreFormula = fmt.Sprintf("createdAt + %d * net", VoteWeight)
	hotFormula   = fmt.Sprintf("sign(net) * log10(max(|net|, 1)) + (createdAt - %d) / %d", hotEpoch, hotScale)
)

// Explain explains the position of a row in an order. It uses only the row, so that the terms
// always add up to the value by which the row was sorted.
func Explain(order TopicOrderField, r Row) Explanation {
	created := float64(r.CreatedAt) / 1000
	switch order {
	case ByActive:
		return Explanation{"lastActiveAt", []RankTerm{{"lastActiveAt", r.Score / 1000}}}
	case ByScore:
		return Explanation{
			scoreFormula,
			[]RankTerm{{"createdAt", created}, {"votes", (r.Score - float64(r.CreatedAt)) / 1000}},
		}
	case ByHot:
		age := hotTime(r.CreatedAt)
		return Explanation{
			hotFormula,
			[]RankTerm{{"votes", r.Score - age}, {"createdAt", age}},
		}
	case ByTop:
		return Explanation{"up - down", []RankTerm{{"up", float64(r.Up)}, {"down", float64(0 - r.Down)}}}
	case ByControversial:
		of := max(math.Abs(float64(r.Up-r.Down)), 1)
		return Explanation{
			"(up + down) / max(|net|, 1)",
			[]RankTerm{{"up", float64(r.Up) / of}, {"down", float64(r.Down) / of}},
		}
	case ByRepliesToday:
		return Explanation{"comments of the day", []RankTerm{{"comments", r.Score}}}
	case ByBookmarked: // in microseconds
		return Explanation{"bookmarkedAt", []RankTerm{{"bookmarkedAt", r.Score / 1e6}}}
	default:
		return Explanation{"createdAt", []RankTerm{{"createdAt", created}}}
	}
}

// VotesToPass returns how many upvotes, cast now, would move a row above the one before it in
// descending order, or nil if no number would. net is the topic's current net votes, because the
// votes term of HOT does not determine it.
func VotesToPass(order TopicOrderField, row, before Row, net int) *int {
	most := math.MaxInt32 // the largest GraphQL Int
	var key func(votes int) float64
	switch order {
	case ByScore:
		key = func(votes int) float64 { return row.Score + VoteWeight*1000*float64(votes) }
	case ByHot:
		key = func(votes int) float64 { return Hot(row.CreatedAt, net+votes) }
	case ByTop:
		key = func(votes int) float64 { return float64(row.Up - row.Down + votes) }
	case ByControversial:
		// Upvotes raise the controversy of a topic with more downvotes, until upvotes are one
		// ahead.
		most = max(0, row.Down-row.Up+1)
		key = func(votes int) float64 { return Controversy(row.Up+votes, row.Down) }
	default:
		return nil
	}
	than := before.Score
	switch order {
	case ByTop:
		than = float64(before.Up - before.Down)
	case ByControversial:
		than = Controversy(before.Up, before.Down)
	}
	younger := row.CreatedAt > before.CreatedAt || row.CreatedAt == before.CreatedAt && row.ID > before.ID
	votes := 1 + sort.Search(most, func(n int) bool {
		k := key(n + 1)
		return k > than || k == than && younger
	})
	if votes > most {
		return nil
	}
	return &votes
}

// VoteCount is the votes on a comment.
type VoteCount struct{ Up, Down int }

// RankComments sorts comments that are in order of number by their votes, highest first, then by
// number: for TOP by net votes, for CONTROVERSIAL by Controversy.
func RankComments(order CommentOrder, ids []CommentID, votes map[CommentID]VoteCount) []CommentID {
	type entry struct {
		id  CommentID
		key float64 // lowest first
	}
	entries := make([]entry, len(ids))
	for i, id := range ids {
		t := votes[id]
		entries[i] = entry{id, -float64(t.Up - t.Down)}
		if order == MostControversial {
			entries[i].key = -Controversy(t.Up, t.Down)
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	ranked := make([]CommentID, len(ids))
	for i, e := range entries {
		ranked[i] = e.id
	}
	return ranked
}
