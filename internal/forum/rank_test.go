package forum

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// epoch is the time from which HOT counts, 2005-12-08 07:46:43 UTC.
const epoch = Time(1_134_028_003_000)

func TestFormulas(t *testing.T) {
	tests := []struct {
		name      string
		got, want float64
	}{
		{"score without votes is the time of posting", Score(1_500, 0), 1_500},
		{"a vote is 432 seconds", Score(1_500, 1), 433_500},
		{"a day is 200 votes", Score(0, 200), 86_400_000},
		{"votes against", Score(1_500, -3), -1_294_500},
		{"hot at its epoch", Hot(epoch, 0), 0},
		{"one vote counts as none", Hot(epoch, 1), 0},
		{"and as one against", Hot(epoch, -1), 0},
		{"two", Hot(epoch, 2), 0.301029995663981},
		{"ten", Hot(epoch, 10), 1},
		{"ten against", Hot(epoch, -10), -1},
		{"a thousand", Hot(epoch, 1000), 3},
		{"12.5 hours are ten times the votes", Hot(epoch+45_000_000, 1), 1},
		{"before the epoch", Hot(epoch-90_000_000, 10), -1},
		// log10(90) + (1410165226.25 - 1134028003) / 45000
		{"2014-09-08T08:33:46.250Z, net 90", Hot(1_410_165_226_250, 90), 6138.336981398331},
		// -log10(7) + (1767225600 - 1134028003) / 45000
		{"2026-01-01T00:00:00Z, net -7", Hot(1_767_225_600_000, -7), 14070.212613071098},
		{"no votes", Controversy(0, 0), 0},
		{"as many up as down", Controversy(5, 5), 10},
		{"one more for it", Controversy(5, 4), 9},
		{"one more against it", Controversy(4, 5), 9},
		{"all for it", Controversy(10, 0), 1},
		{"all against it", Controversy(0, 10), 1},
		{"three to one", Controversy(3, 1), 2},
	}
	for _, tt := range tests {
		if math.Abs(tt.got-tt.want) > 1e-9 {
			t.Errorf("%s: %.12f; want %.12f", tt.name, tt.got, tt.want)
		}
	}
}

// More votes never rank lower, and later topics rank higher.
func TestScoreAndHotRiseWithVotesAndTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		created := Time(rapid.Int64Range(0, 253_402_300_799_999).Draw(t, "created"))
		net := rapid.IntRange(-1_000_000, 1_000_000).Draw(t, "net")
		more := net + rapid.IntRange(1, 1_000_000).Draw(t, "more votes")
		later := created + Time(rapid.Int64Range(1, 1_000_000_000).Draw(t, "later by"))
		flat := net >= -1 && more <= 1 // where HOT counts one vote as none
		if a, b := Score(created, net), Score(created, more); a >= b {
			t.Fatalf("Score with %d votes = %v, with %d = %v; want it higher", net, a, more, b)
		}
		if a, b := Hot(created, net), Hot(created, more); a > b || a == b != flat {
			t.Fatalf("Hot with %d votes = %v, with %d = %v; want it higher, except for nets from -1 to 1", net, a, more, b)
		}
		if Score(created, net) >= Score(later, net) || Hot(created, net) >= Hot(later, net) {
			t.Fatalf(
				"at %d: Score %v, Hot %v; at %d: %v, %v; want them higher",
				created,
				Score(created, net),
				Hot(created, net),
				later,
				Score(later, net),
				Hot(later, net),
			)
		}
	})
}

// orders are all orders of topics.
var orders = []TopicOrderField{ByCreated, ByActive, ByScore, ByHot, ByTop, ByControversial, ByRepliesToday}

// keyOf returns the key by which a topic is sorted, in milliseconds if it is a time.
func keyOf(order TopicOrderField, r Row, active Time) float64 {
	switch order {
	case ByActive:
		return float64(active)
	case ByScore:
		return Score(r.CreatedAt, r.Up-r.Down)
	case ByHot:
		return Hot(r.CreatedAt, r.Up-r.Down)
	case ByTop:
		return float64(r.Up - r.Down)
	case ByControversial:
		return Controversy(r.Up, r.Down)
	case ByRepliesToday:
		return float64(r.Up)
	default:
		return float64(r.CreatedAt)
	}
}

// The terms of an explanation add up to the key by which the row was sorted; those of times are in
// seconds.
func TestExplanationsAddUp(t *testing.T) {
	names := map[TopicOrderField][]string{
		ByCreated: {"createdAt"}, ByActive: {"lastActiveAt"}, ByScore: {"createdAt", "votes"}, ByHot: {"votes", "createdAt"},
		ByTop: {"up", "down"}, ByControversial: {"up", "down"}, ByRepliesToday: {"comments"},
	}
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.SampledFrom(orders).Draw(t, "order")
		r := Row{CreatedAt: Time(rapid.Int64Range(0, 253_402_300_799_999).Draw(t, "created")),
			Up: rapid.IntRange(0, 1_000_000).Draw(t, "up"), Down: rapid.IntRange(0, 1_000_000).Draw(t, "down")}
		want := keyOf(order, r, r.CreatedAt+5)
		r.Score = want
		e := Explain(order, r)
		if order == ByCreated || order == ByActive || order == ByScore {
			want /= 1000
		}
		sum := 0.0
		var got []string
		for _, term := range e.Terms {
			sum += term.Value
			got = append(got, term.Name)
			if math.Signbit(term.Value) && term.Value == 0 {
				t.Fatalf("%s of %+v: the term %s is -0", order, r, term.Name)
			}
		}
		// The precision of a double at an instant of the year 9999.
		if math.Abs(sum-want) > 1e-4 || want < 4e9 && math.Abs(sum-want) > 1e-6 || e.Score() != sum || e.Formula == "" {
			t.Fatalf("Explain(%s, %+v) = %+v, which adds up to %v; want %v", order, r, e, sum, want)
		}
		if !slices.Equal(got, names[order]) {
			t.Fatalf("Explain(%s) has the terms %v; want %v", order, got, names[order])
		}
	})
}

// ranksAbove reports whether a ranks above b in descending order.
func ranksAbove(order TopicOrderField, a, b Row) bool {
	ka, kb := keyOf(order, a, 0), keyOf(order, b, 0)
	switch {
	case ka != kb:
		return ka > kb
	case a.CreatedAt != b.CreatedAt:
		return a.CreatedAt > b.CreatedAt
	}
	return a.ID > b.ID
}

// wantFewest checks that VotesToPass returns the smallest number of votes that moves one row above
// the other, and nil only if no number does. most is more than these rows need.
func wantFewest(t interface{ Fatalf(string, ...any) }, order TopicOrderField, above, below Row, most int) {
	above.Score, below.Score = keyOf(order, above, 0), keyOf(order, below, 0)
	if ranksAbove(order, below, above) {
		above, below = below, above
	}
	var want *int
	for n := 1; n <= most && want == nil; n++ {
		lifted := below
		lifted.Up += n
		if ranksAbove(order, lifted, above) {
			want = &n
		}
	}
	got := VotesToPass(order, below, above, below.Up-below.Down)
	if (got == nil) != (want == nil) || got != nil && *got != *want {
		t.Fatalf("VotesToPass(%s, %+v, %+v) = %v; want %v", order, below, above, show(got), show(want))
	}
}

func TestVotesToPassIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row := func(name string, id int64) Row {
			return Row{ID: id, Up: rapid.IntRange(0, 12).Draw(t, name+" up"), Down: rapid.IntRange(0, 12).Draw(t, name+" down"),
				CreatedAt: epoch + 432_000*Time(rapid.IntRange(0, 100).Draw(t, name+" age"))}
		}
		one, other := row("one", 7), row("other", 8)
		for _, order := range []TopicOrderField{ByScore, ByHot} {
			wantFewest(t, order, one, other, 1500)
		}
	})
	for n := range 8 * 8 * 8 * 8 { // all pairs of rows with up to seven votes each way
		one, other := Row{ID: 7, Up: n % 8, Down: n / 8 % 8}, Row{ID: 8, Up: n / 64 % 8, Down: n / 512}
		for _, order := range []TopicOrderField{ByTop, ByControversial} {
			wantFewest(t, order, one, other, 30)
			other.CreatedAt = 1
			wantFewest(t, order, one, other, 30)
			wantFewest(t, order, other, one, 30)
			other.CreatedAt = 0
		}
	}
}

func show(n *int) any {
	if n == nil {
		return "none"
	}
	return *n
}

func TestVotesToPassAcrossLargeAgeGaps(t *testing.T) {
	const none = 0
	tests := []struct {
		name   string
		order  TopicOrderField
		age    Time // of the row, compared to the one before it, in seconds
		before int  // net votes of that
		want   int
	}{
		{"SCORE: twenty years", ByScore, 20 * 365 * 86_400, 0, 1_460_001},
		{"SCORE: 432 seconds are a tie, which the younger one has", ByScore, 432, 0, 2},
		{"SCORE: a little less is not", ByScore, 431, 0, 1},
		{"SCORE: more than an Int holds", ByScore, 432 * (math.MaxInt32 + 1), 0, none},
		{"SCORE: the most that an Int holds", ByScore, 432*math.MaxInt32 - 1, 0, math.MaxInt32},
		{"HOT: 12.5 hours are ten times the votes", ByHot, 45_000, 1, 11},
		{"HOT: 25 hours a hundred times", ByHot, 90_000, 3, 301},
		{"HOT: four days and a half", ByHot, 9 * 45_000, 1, 1_000_000_001},
		{"HOT: five days are more than an Int holds", ByHot, 10 * 45_000, 1, none},
		{"TOP: time does not count", ByTop, 1_000_000_000, 5, 6},
		{"CREATED", ByCreated, 1, 0, none},
		{"ACTIVE", ByActive, 1, 0, none},
		{"REPLIES_TODAY", ByRepliesToday, 0, 0, none},
	}
	for _, tt := range tests {
		row := Row{ID: 1, CreatedAt: epoch}
		before := Row{ID: 2, CreatedAt: epoch + 1000*tt.age, Up: tt.before}
		row.Score, before.Score = keyOf(tt.order, row, 0), keyOf(tt.order, before, 0)
		got := VotesToPass(tt.order, row, before, 0)
		if (got == nil) != (tt.want == none) || got != nil && *got != tt.want {
			t.Errorf("%s: VotesToPass = %v; want %d, where 0 means nil", tt.name, show(got), tt.want)
		}
	}
}

// Comments are sorted by votes, highest first, and ties by number.
func TestRankComments(t *testing.T) {
	votes := map[CommentID]VoteCount{2: {3, 1}, 3: {5, 5}, 4: {0, 2}, 5: {2, 0}, 6: {6, 5}}
	ids := []CommentID{1, 2, 3, 4, 5, 6, 7}
	tests := []struct {
		order CommentOrder
		want  []CommentID
	}{
		{MostVoted, []CommentID{2, 5, 6, 1, 3, 7, 4}},
		{MostControversial, []CommentID{6, 3, 2, 4, 5, 1, 7}},
	}
	for _, tt := range tests {
		if got := RankComments(tt.order, ids, votes); !slices.Equal(got, tt.want) {
			t.Errorf("RankComments(%s) = %v; want %v", tt.order, got, tt.want)
		}
	}
	if !slices.IsSorted(ids) {
		t.Errorf("RankComments changed its argument to %v", ids)
	}
	for order, want := range map[CommentOrder]bool{Oldest: false, Newest: false, MostVoted: true,
		MostControversial: true} {
		if order.Ranked() != want {
			t.Errorf("%s.Ranked() = %t; want %t", order, !want, want)
		}
	}
}
