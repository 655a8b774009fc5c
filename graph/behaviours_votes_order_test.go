package graph_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
)

// articles are n articles of ann's, a1 being the oldest, posted at intervals of a second.
func (p *voteSite) articles(n int) (titles []string) {
	p.t.Helper()
	var all []tallied
	for i := range n {
		p.clock.Advance(second)
		titles = append(titles, fmt.Sprint("a", i+1))
		all = append(all, tallied{title: titles[i], created: p.clock.Now(), up: 1, kind: forum.Article})
	}
	p.imported(all...)
	return titles
}

func TestOrdersByTimeAndScore(t *testing.T) {
	p := newVoteSite(t)
	start := p.clock.Now().Unix()
	p.articles(4)
	p.clock.Advance(427 * time.Second) // a5 will be 431 seconds younger than a1
	for _, token := range []string{p.ann, p.bob} {
		p.cast(token, p.ids["a2"], "UP")
	}
	p.cast(p.bob, p.ids["a4"], "DOWN")
	p.cast(p.cid, p.ids["a4"], "DOWN")
	p.cast(p.bob, p.ids["a1"], "UP")
	p.link(p.ann, "a5")
	p.wantListed(byCreated, "a5, a4, a3, a2, a1")
	p.wantListed(byScore, "a2, a1, a5, a3, a4")
	p.wantListed("front(orderBy: {field: SCORE, direction: ASC})", "a4, a3, a5, a1, a2")
	want := []float64{2 + 432*3, 1 + 432*2, 432 + 432, 3 + 432, 4 - 432}
	var scores, rising []float64
	for _, e := range p.edges(byScore) {
		scores = append(scores, e.score-float64(start))
	}
	for _, e := range p.edges("front(orderBy: {field: SCORE, direction: ASC})") {
		rising = append(rising, e.score-float64(start))
	}
	wantEqual(t, "B21: ids with scores, highest first", scores, want)
	slices.Reverse(rising)
	wantEqual(t, "B21: ids with scores, lowest first", rising, want)
	times := p.scores(byCreated)
	wantEqual(t, "B3: score of the order by time", times["a1"], float64(start+1))
	p.link(p.ann, "a6") // a second younger than a5
	p.wantListed(byScore, "a2, a6, a1, a5, a3, a4")
	p.clock.Advance(432 * time.Second) // B12: a new one needs no more votes to rank above a2
	p.link(p.ann, "a7")
	p.wantListed(byScore, "a7, a2, a6, a1, a5, a3, a4")
}

// A topic keeps its votes in another category.
func TestOrdersByVotesFollowAMovedTopic(t *testing.T) {
	p := newVoteSite(t)
	p.category(p.mod, "Tea")
	p.post(p.ann, "a", nil)
	p.post(p.ann, "b", input{"category": input{"name": "Tea"}})
	for _, token := range []string{p.bob, p.cid} {
		p.cast(token, p.ids["a"], "UP")
	}
	p.wantVerdict("move", p.mutate(p.ann, "updateTopic", input{"topicId": p.ids["a"], "category": input{"name": "Tea"}},
		""), "")
	for _, order := range []string{"SCORE", "HOT", "TOP"} {
		p.wantListed(inGo+"(orderBy: {field: "+order+"})", "")
		p.wantListed(inTea+"(orderBy: {field: "+order+"})", "a, b")
	}
	p.cast(p.bob, p.ids["a"], "DOWN")
	p.cast(p.cid, p.ids["a"], "DOWN")
	p.wantListed(inTea+"(orderBy: {field: SCORE})", "b, a")
}
