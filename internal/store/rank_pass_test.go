package store

import (
	"testing"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// rowIn is a topic's row in an order, live or of a snapshot.
func rowIn(order forum.TopicOrderField, p planted) forum.Row {
	r := forum.Row{ID: int64(p.id), CreatedAt: p.created, Up: p.up, Down: p.down}
	switch order {
	case forum.ByScore:
		r.Score = forum.Score(p.created, p.up-p.down)
	case forum.ByHot:
		r.Score = forum.Hot(p.created, p.up-p.down)
	case forum.ByRepliesToday:
		r.Score = float64(p.up)
	}
	return r
}

// above reports whether a topic precedes another in descending order.
func above(order forum.TopicOrderField, a, b planted) bool {
	if order == forum.ByTop || order == forum.ByControversial {
		return best(ranking(order, forum.Descending), []planted{a, b})[0] == a
	}
	ra, rb := rowIn(order, a), rowIn(order, b)
	ra.Member, rb.Member = record.Member(a.created, int64(a.id)), record.Member(b.created, int64(b.id))
	return ordered([]forum.Row{ra, rb}, true)[0].ID == ra.ID
}

// Exactly VotesToPass votes put a topic above the one before it; if it returns none, no number does.
func TestVotesToPassAreExact(t *testing.T) {
	draw := func(rt *rapid.T, id forum.TopicID, name string) planted {
		hours := rapid.Int64Range(0, 60).Draw(rt, name+" hours")
		return planted{id, forum.Time(1_700_000_000_000 + hours*3_600_000), rapid.IntRange(0, 40).Draw(rt, name+" up"),
			rapid.IntRange(0, 40).Draw(rt, name+" down")}
	}
	orders := []forum.TopicOrderField{forum.ByScore, forum.ByHot, forum.ByTop, forum.ByControversial}
	rapid.Check(t, func(rt *rapid.T) {
		order := rapid.SampledFrom(orders).Draw(rt, "order")
		below, before := draw(rt, 7, "below"), draw(rt, 7+rapid.SampledFrom([]forum.TopicID{-1, 1}).Draw(rt, "id"), "before")
		if above(order, below, before) {
			below, before = before, below
		}
		with := func(votes int) planted {
			p := below
			p.up += votes
			return p
		}
		got := forum.VotesToPass(order, rowIn(order, below), rowIn(order, before), below.up-below.down)
		switch {
		case got != nil:
			if *got < 1 || !above(order, with(*got), before) || above(order, with(*got-1), before) {
				rt.Fatalf("VotesToPass by %s, %+v below %+v = %d; want the least number that suffices", order, below, before, *got)
			}
		default:
			for votes := range 300 {
				if above(order, with(votes), before) {
					rt.Fatalf("VotesToPass by %s, %+v below %+v = none; want %d", order, below, before, votes)
				}
			}
		}
	})
	for _, order := range []forum.TopicOrderField{forum.ByCreated, forum.ByActive, forum.ByRepliesToday} {
		if got := forum.VotesToPass(order, forum.Row{ID: 1}, forum.Row{ID: 2, Position: forum.Position{Score: 5}},
			0); got != nil {
			t.Errorf("VotesToPass by %s = %d; want none, votes do not move it", order, *got)
		}
	}
}

// The terms of an explanation add up to the row's score.
func TestExplanationsAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := planted{7, forum.Time(rapid.Int64Range(1_000_000_000_000, 4_000_000_000_000).Draw(rt, "created")),
			rapid.IntRange(0, 1_000_000).Draw(rt, "up"), rapid.IntRange(0, 1_000_000).Draw(rt, "down")}
		net := p.up - p.down
		want := map[forum.TopicOrderField]float64{
			forum.ByCreated: float64(p.created) / 1000, forum.ByScore: float64(p.created)/1000 + 432*float64(net),
			forum.ByHot: forum.Hot(p.created, net), forum.ByTop: float64(net),
			forum.ByControversial: forum.Controversy(p.up, p.down),
			forum.ByRepliesToday:  float64(p.up),
		}
		for order, score := range want {
			if got := forum.Explain(order, rowIn(order, p)).Score(); got-score > 1e-6 || score-got > 1e-6 {
				rt.Fatalf("the terms of %+v by %s add up to %v; want %v", p, order, got, score)
			}
		}
	})
}
