package graph_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/test/testlevel"

	"agora/internal/forum"
)

// reddit is the formula of A42 as it was meant (X13).
func reddit(posted time.Time, up, down int) float64 {
	net := float64(up - down)
	order := math.Log10(max(math.Abs(net), 1))
	sign := 0.0
	if net != 0 {
		sign = net / math.Abs(net)
	}
	return sign*order + (float64(posted.UnixMilli())/1000-1134028003)/45000
}

func (p *voteSite) wantScore(name, list, title string, want float64) {
	p.t.Helper()
	if got := p.scores(list)[title]; math.Abs(got-want) > 1e-6 {
		p.t.Errorf("%s: score of %s in %s = %.7f; want %.7f", name, title, list, got, want)
	}
}

func TestHotIsRightAtCreationAndAfterEachVote(t *testing.T) {
	p := newVoteSite(t)
	topic := p.post(p.ann, "A topic", nil)
	posted := p.clock.Now()
	p.wantScore("A40: at creation", byHot, "A topic", reddit(posted, 0, 0))
	p.clock.Advance(time.Hour)
	steps := []struct {
		token, direction string
		up, down         int
	}{
		{p.ann, "UP", 1, 0}, {p.bob, "UP", 2, 0}, {p.cid, "UP", 3, 0}, {p.mod, "DOWN", 3, 1}, {p.cid, "DOWN", 2, 2},
		{p.bob, "DOWN", 1, 3}, {p.cid, "UP", 2, 2}, {p.cid, "DOWN", 1, 3}, {p.ann, "DOWN", 0, 4}, {p.ann, "NONE", 0, 3},
	}
	for _, s := range steps {
		p.cast(s.token, topic, s.direction)
		for _, list := range []string{byHot, inGo + "(orderBy: {field: HOT})"} {
			p.wantScore(fmt.Sprintf("A40: at %d-%d", s.up, s.down), list, "A topic", reddit(posted, s.up, s.down))
		}
	}
}

// X13: the documents' formula multiplies the time by the sign of the votes. X14: it treats local time as UTC.
func TestHotOfNegativeTopics(t *testing.T) {
	p := newVoteSiteIn(t, "Asia/Shanghai")
	then := time.Unix(1410260053, 0) // the time of the documents' figures
	p.imported(
		tallied{title: "-1000", created: then, down: 1000}, tallied{title: "-1", created: then, down: 1},
		tallied{title: "0", created: then},
		tallied{title: "+1", created: then, up: 1}, tallied{title: "+1000", created: then, up: 1200, down: 200},
		tallied{title: "-1000, 3 h later", created: then.Add(3 * time.Hour), down: 1000},
		tallied{title: "first of all, +1", created: time.Unix(1134028003, 0), up: 1},
	)
	p.wantListed(byHot, "+1000, +1, 0, -1, -1000, 3 h later, -1000, first of all, +1")
	p.wantListed("front(orderBy: {field: HOT, direction: ASC})",
		"first of all, +1, -1000, -1000, 3 h later, -1, 0, +1, +1000")
	for title, want := range map[string]float64{"-1000": 6135.49, "-1": 6138.49, "0": 6138.49, "+1": 6138.49,
		"+1000": 6141.49, "first of all, +1": 0} {
		if got := p.scores(byHot)[title]; math.Abs(got-want) > 0.005 {
			t.Errorf("score of %s = %.4f; want %.2f, whatever the zone", title, got, want)
		}
	}
}

// The formulas of all orders are in one place, and each row names its own.
func TestRanksAreExplained(t *testing.T) {
	p := newVoteSite(t)
	for _, title := range []string{"disputed", "liked", "new"} {
		p.link(p.ann, title)
	}
	for token, direction := range map[string]string{p.bob: "DOWN", p.cid: "DOWN", p.mod: "UP"} {
		p.cast(token, p.ids["disputed"], direction)
		p.cast(token, p.ids["liked"], "UP")
	}
	p.comment(p.bob, p.ids["disputed"], "", "Why?")
	tests := []struct {
		list, formula, titles string
		passes                []any
	}{
		{byCreated, "createdAt", "new liked disputed", []any{nil, nil, nil}},
		{"front", "lastActiveAt", "new disputed liked", []any{nil, nil, nil}},
		{byScore, "createdAt + 432 * net", "liked new disputed", []any{nil, 3.0, 2.0}},
		{byHot, "sign(net) * log10(max(|net|, 1)) + (createdAt - 1134028003) / 45000", "liked new disputed",
			[]any{nil, 3.0, 2.0}},
		{byTop, "up - down", "liked new disputed", []any{nil, 3.0, 2.0}},
		{"front(orderBy: {field: TOP, direction: ASC})", "up - down", "disputed new liked", []any{nil, nil, nil}},
		{"front(orderBy: {field: CONTROVERSIAL})", "(up + down) / max(|net|, 1)", "disputed new liked", []any{nil, nil, nil}},
		{"dayRank", "comments of the day", "disputed", []any{nil}},
	}
	for _, tt := range tests {
		var titles []string
		for i, e := range p.edges(tt.list) {
			titles = append(titles, e.title)
			wantEqual(t, tt.list+": formula", e.formula, tt.formula)
			wantEqual(t, tt.list+": votesToPass of "+e.title, e.votesToPass, tt.passes[i])
		}
		wantEqual(t, tt.list, strings.Join(titles, " "), tt.titles)
	}
}

// votesToPass is exact: so many votes lift the topic, and one fewer does not.
func TestVotesToPassAreEnough(t *testing.T) {
	for _, list := range []string{byScore, byHot} {
		p := newVoteSite(t)
		p.imported(tallied{title: "first", created: p.clock.Now(), up: 5})
		p.post(p.ann, "second", nil)
		voters := []string{p.ann, p.bob, p.cid, p.mod, p.user("dan"), p.user("eve"), p.user("fay")}
		need := p.edges(list)[1].votesToPass.(float64)
		if need < 3 || int(need) > len(voters) {
			t.Fatalf("%s: votesToPass = %v; want some of %d", list, need, len(voters))
		}
		for i, token := range voters[:int(need)] {
			p.wantListed(list, "first, second")
			wantEqual(t, fmt.Sprint("votesToPass after ", i, " votes"), p.edges(list)[1].votesToPass, any(need-float64(i)))
			p.cast(token, p.ids["second"], "UP")
		}
		p.wantListed(list, "second, first")
	}
}

func TestSiteStatesTheRules(t *testing.T) {
	s := newSite(t)
	a := s.must("", `{ site { secondsPerVote votingWindowSeconds } }`, nil)
	wantEqual(t, "B10, B13", a.at("site"),
		any(map[string]any{"secondsPerVote": 86400.0 / 200, "votingWindowSeconds": 604800.0}))
}

// B11: of 1000 articles a day, the 50 that get 200 votes within 12 hours each stay in the top 100 for a day. B12:
// then newer ones rank above them.
func TestInterestingArticlesStayADay(t *testing.T) {
	testlevel.Usual(t)
	p := newVoteSite(t)
	now := p.clock.Now()
	var all []tallied
	ages := map[string]time.Duration{} // of those that will be interesting
	for n := range 1250 {              // 30 hours
		age := time.Duration(n)*86400*time.Millisecond + time.Minute
		title, votes := fmt.Sprint("usual ", n), 6.0
		if n%20 == 0 {
			title, votes = fmt.Sprint("interesting ", n), 200
			ages[title] = age
		}
		all = append(all, tallied{title: title, created: now.Add(-age), up: 1 + int((votes-1)*min(age.Hours()/12, 1)),
			kind: forum.Article})
	}
	p.imported(all...)
	a := p.must("", "{ "+byScore+" { topics(first: 100) { totalCount nodes { title isInteresting votes { net } } } } }",
		nil)
	wantEqual(t, "totalCount", a.number("front", "topics", "totalCount"), len(all))
	best := p.must("", `{ front(orderBy: {field: TOP}) { capacity topics(first: 2, skip: 999) { totalCount nodes { votes { net } } } } }`, nil)
	wantEqual(t, "a snapshot holds 1000", []any{best.at("front", "capacity"), best.at("front", "topics", "totalCount"),
		len(best.texts("votes", "front", "topics", "nodes"))}, []any{1000.0, 1000.0, 1})
	top := a.texts("title", "front", "topics", "nodes")
	for i, title := range top {
		wantEqual(t, "isInteresting of "+title, a.at("front", "topics", "nodes", i, "isInteresting"),
			any(a.number("front", "topics", "nodes", i, "votes", "net") >= 200))
	}
	for title, age := range ages {
		listed := slices.Contains(top, title)
		if age <= 24*time.Hour && !listed {
			t.Errorf("B11: %s, posted %v ago, is not in the top 100", title, age)
		}
		if age >= 26*time.Hour && listed {
			t.Errorf("B12: %s, posted %v ago, is still in the top 100", title, age)
		}
	}
}
