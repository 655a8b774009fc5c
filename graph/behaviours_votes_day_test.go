package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// dayRank returns the ranking of a day as "title comments, title comments", or "null"; date is "" for today.
func (p *voteSite) dayRank(date string) string {
	p.t.Helper()
	args := ""
	if date != "" {
		args = fmt.Sprintf("(date: %q)", date)
	}
	a := p.must("", "{ dayRank"+args+" { topics(first: 100) { edges { score node { title } } } } }", nil)
	if a.at("dayRank") == nil {
		return "null"
	}
	list, _ := a.at("dayRank", "topics", "edges").([]any)
	rows := []string{}
	for i := range list {
		rows = append(rows, fmt.Sprint(a.text("dayRank", "topics", "edges", i, "node", "title"), " ",
			a.number("dayRank", "topics", "edges", i, "score")))
	}
	return strings.Join(rows, ", ")
}

// wantDayRanks checks the rankings of days.
func (p *voteSite) wantDayRanks(name string, want map[string]string) {
	p.t.Helper()
	for date, rank := range want {
		if got := p.dayRank(date); got != rank {
			p.t.Errorf("%s: dayRank of %q = %q; want %q", name, date, got, rank)
		}
	}
}

// minute advances the clock to the beginning of the next minute, when rankings are read again.
func (p *voteSite) minute() { p.at(p.clock.Now().Truncate(time.Minute).Add(time.Minute)) }

// X17: the documents' command adds the comments to the topic with id 1.
func TestCommentsOfTheDayRankTopics(t *testing.T) {
	p := newVoteSite(t)
	for _, title := range []string{"a", "b", "c", "silent"} {
		p.post(p.ann, title, nil)
	}
	wantEqual(t, "no replies", p.dayRank(""), "")
	first := p.comment(p.bob, p.ids["b"], "", "x")
	p.comment(p.cid, p.ids["b"], first, "a reply to a comment counts too")
	p.comment(p.bob, p.ids["a"], "", "x")
	for range 3 {
		p.comment(p.bob, p.ids["c"], "", "x")
	}
	wantEqual(t, "A37: each new comment counts one", p.dayRank(""), "c 3, b 2, a 1")
	top := p.must("", "{ dayRank { kind order direction topics(first: 2) { totalCount edges { rank score node { title "+
		"commentCountToday } } } } }", nil)
	edge := func(rank, score float64, title string) any {
		return map[string]any{"rank": rank, "score": score,
			"node": map[string]any{"title": title, "commentCountToday": score}}
	}
	wantEqual(t, "A39: the top two, with scores", top.at("dayRank"),
		any(map[string]any{"kind": "DAY_RANK", "order": "REPLIES_TODAY", "direction": "DESC",
			"topics": map[string]any{"totalCount": 3.0, "edges": []any{edge(1, 3, "c"), edge(2, 2, "b")}}}))
	wantEqual(t, "A39: the same by numbers", p.must("", "{ dayRank { topics(first: 2) { nodes { title } } } }",
		nil).texts("title", "dayRank", "topics", "nodes"), []string{"c", "b"})
	p.wantVerdict("delete a comment", p.mutate(p.bob, "deleteComment", input{"commentId": first}, ""), "")
	p.wantVerdict("delete a topic", p.mutate(p.ann, "deleteTopic", input{"topicId": p.ids["c"]}, ""), "")
	wantEqual(t, "without what was deleted; of equal ones the newer is first", p.dayRank(""), "b 1, a 1")
}

// X15: the documents' ranking never expires. X16: in the first second of a day it is deleted immediately.
func TestRanksOfDays(t *testing.T) {
	p := newVoteSite(t)
	p.post(p.ann, "a", nil)
	p.post(p.ann, "b", nil)
	midnight := time.Date(2096, 1, 3, 0, 0, 0, 0, time.UTC)
	p.at(midnight.Add(-time.Millisecond))
	yesterdays := p.comment(p.bob, p.ids["a"], "", "x")
	p.comment(p.bob, p.ids["a"], "", "x")
	wantEqual(t, "the last moment of the day", p.dayRank(""), "a 2")
	p.at(midnight)
	wantEqual(t, "X16: a new ranking starts by itself", p.dayRank(""), "")
	p.comment(p.bob, p.ids["b"], "", "in the first millisecond")
	p.at(midnight.Add(999 * time.Millisecond))
	p.comment(p.bob, p.ids["b"], "", "in the first second")
	p.expire()
	p.minute()
	p.wantDayRanks("X16: after the first second",
		map[string]string{"": "b 2", "2096-01-03": "b 2", "2096-01-02": "a 2", "2096-01-01": "null", "2096-01-04": "null"})
	ends := p.must("", `{ today: dayRank { expiresAt } yesterday: dayRank(date: "2096-01-02") { expiresAt } front { expiresAt } }`, nil)
	wantEqual(t, "A38: expiresAt", ends.Data, map[string]any{
		"today":     map[string]any{"expiresAt": "2096-01-05T00:00:00.000Z"},
		"yesterday": map[string]any{"expiresAt": "2096-01-04T00:00:00.000Z"}, "front": map[string]any{"expiresAt": nil}})
	p.wantVerdict("delete a comment of yesterday's",
		p.mutate(p.bob, "deleteComment", input{"commentId": yesterdays}, ""), "")
	p.minute()
	p.wantDayRanks("without it", map[string]string{"": "b 2", "2096-01-02": "a 1"})
	p.at(midnight.Add(24*time.Hour - time.Millisecond))
	p.expire()
	p.wantDayRanks("a moment before the next midnight", map[string]string{"": "b 2", "2096-01-02": "a 1"})
	id := p.must("", `{ dayRank(date: "2096-01-02") { id } }`, nil).text("dayRank", "id")
	p.at(midnight.Add(24 * time.Hour))
	p.wantDayRanks("A38: at the next midnight",
		map[string]string{"": "", "2096-01-04": "", "2096-01-03": "b 2", "2096-01-02": "null"})
	wantEqual(t, "the one that is over, by id", p.must("", `query($id: ID!) { node(id: $id) { id } }`, input{"id": id}).at("node"), nil)
	p.wantDayKeys("X15: an hour later", time.Hour, "2096-01-03")
	p.wantDayKeys("X15: a day later", 24*time.Hour)
}

// wantDayKeys checks for which days Redis holds data, after some time.
func (p *voteSite) wantDayKeys(name string, later time.Duration, want ...string) {
	p.t.Helper()
	p.clock.Advance(later)
	p.expire()
	var days []string
	for key := range p.contents() {
		if rest, ok := strings.CutPrefix(key, "{ix:d"); ok {
			days = append(days, rest[:10])
		}
	}
	slices.Sort(days)
	wantEqual(p.t, name+": days of which there are keys", slices.Compact(days), want)
}

// Days begin in the site's zone: at 16:00 UTC in Shanghai; in New York summer ends with a day of 25 hours.
func TestDaysBeginInTheSitesZone(t *testing.T) {
	tests := []struct {
		zone, before, after string
		midnight            time.Time // between the two
		long                time.Duration
	}{
		{"Asia/Shanghai", "2096-01-02", "2096-01-03", time.Date(2096, 1, 2, 16, 0, 0, 0, time.UTC), 24 * time.Hour},
		{"America/New_York", "2096-11-04", "2096-11-05", time.Date(2096, 11, 5, 5, 0, 0, 0, time.UTC), 25 * time.Hour},
	}
	for _, tt := range tests {
		p := newVoteSiteIn(t, tt.zone)
		wantEqual(t, "timeZone", p.must("", "{ site { timeZone } }", nil).text("site", "timeZone"), tt.zone)
		p.at(tt.midnight.Add(-tt.long))
		p.renew()
		p.post(p.ann, "a", nil)
		p.comment(p.bob, p.ids["a"], "", "x")
		p.minute()
		p.wantDayRanks(tt.zone+": in the first minute", map[string]string{"": "a 1", tt.before: "a 1", tt.after: "null"})
		p.at(tt.midnight.Add(-time.Millisecond))
		p.renew()
		p.comment(p.bob, p.ids["a"], "", "x")
		p.wantDayRanks(tt.zone+": a moment before midnight", map[string]string{"": "a 2", tt.before: "a 2", tt.after: "null"})
		p.at(tt.midnight)
		p.comment(p.bob, p.ids["a"], "", "x")
		p.wantDayRanks(tt.zone+": at midnight", map[string]string{"": "a 1", tt.before: "a 2", tt.after: "a 1"})
		today := p.must("", `query($id: ID!) { topic(by: {id: $id}) { commentCount commentCountToday } }`, input{"id": p.ids["a"]})
		wantEqual(t, tt.zone+": commentCountToday", today.at("topic"),
			any(map[string]any{"commentCount": 3.0, "commentCountToday": 1.0}))
	}
}
