package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/test/redistest"
)

// walker reads a list of topics page by page.
type walker struct {
	list         string
	after        any // cursor
	titles, asOf []string
}

// page reads the next page, and returns the answer.
func (w *walker) page(s *site, size int) answer {
	s.t.Helper()
	a := s.ask("", "query($n: Int!, $after: String) { x: "+w.list+
		" { topics(first: $n, after: $after) { asOf nodes { title } pageInfo { endCursor hasNextPage } } } "+
		strings.Repeat("} ", 1+strings.Count(w.list, "{")-strings.Count(w.list, "}")), input{"n": size, "after": w.after})
	page := answer{Data: map[string]any{}}
	page.Data, _ = a.at("x", "topics").(map[string]any)
	if page.Data == nil {
		page.Data, _ = a.at("x", "timeline", "topics").(map[string]any)
	}
	w.titles = append(w.titles, page.texts("title", "nodes")...)
	w.asOf = append(w.asOf, page.text("asOf"))
	w.after = page.at("pageInfo", "endCursor")
	return a
}

const (
	byControversy = "front(orderBy: {field: CONTROVERSIAL})"
	inAllByTop    = `tab(by: {name: "All"}) { timeline(orderBy: {field: TOP})`
	inGoByTop     = inGo + "(orderBy: {field: TOP}, period: DAY)"
	inDBByTop     = `tag(name: "db") { timeline(orderBy: {field: TOP}, period: YEAR)`
	byTopRising   = "front(orderBy: {field: TOP, direction: ASC})"
)

// newSnapshots is a voteSite with the topics a1 to a6 in the tab All, tagged db, of which a5 is the newest one with a
// vote, a3 has two, and each has as many comments as its name says.
func newSnapshots(t *testing.T) *voteSite {
	p := newVoteSite(t)
	for n := 1; n <= 6; n++ {
		title := fmt.Sprint("a", n)
		p.post(p.ann, title, input{"tags": []string{"db"}})
		for c := range n {
			p.comment(p.bob, p.ids[title], "", fmt.Sprint(c))
		}
	}
	p.cast(p.bob, p.ids["a5"], "UP")
	p.cast(p.bob, p.ids["a3"], "UP")
	p.cast(p.cid, p.ids["a3"], "DOWN")
	p.wantVerdict("createTab",
		p.mutate(p.mod, "createTab", input{"name": "All", "categories": refs(gid("Category", "1"))}, ""), "")
	p.minute()
	p.clock.Advance(257 * time.Millisecond)
	return p
}

// X8: in the documents page 2 repeats the last row of page 1 if a topic is bumped.
func TestPagesOfSnapshotsAreFixed(t *testing.T) {
	p := newSnapshots(t)
	tests := []struct{ list, began, then string }{
		{byTop, "a5 a6 a4 a3 a2 a1", "a1 new a6 a4 a3 a2 a5"},
		{byTopRising, "a1 a2 a3 a4 a6 a5", "a5 a2 a3 a4 a6 new a1"},
		{byControversy, "a3 a5 a6 a4 a2 a1", "a5 a1 new a6 a4 a3 a2"},
		{inGoByTop, "a5 a6 a4 a3 a2 a1", "a1 new a6 a4 a3 a2 a5"},
		{inAllByTop, "a5 a6 a4 a3 a2 a1", "a1 new a6 a4 a3 a2 a5"},
		{inDBByTop, "a5 a6 a4 a3 a2 a1", "a1 a6 a4 a3 a2 a5"},
	}
	walkers := make([]walker, len(tests))
	for page := range 3 {
		for i, tt := range tests {
			walkers[i].list = tt.list
			p.wantVerdict(tt.list, walkers[i].page(p.site, 2), "")
		}
		p.clock.Advance(3 * time.Minute)
		for _, token := range []string{p.ann, p.bob, p.cid, p.mod}[page:] {
			p.cast(token, p.ids["a1"], "UP")
		}
		p.cast(p.bob, p.ids["a5"], "DOWN")
		p.cast(p.bob, p.ids["a3"], "NONE")
		p.cast(p.cid, p.ids["a3"], "NONE")
		for n := range 2 {
			p.comment(p.bob, p.ids["a1"], "", fmt.Sprint("bump ", n))
		}
		if page == 0 {
			p.post(p.ann, "new", nil)
		}
	}
	for i, tt := range tests {
		wantEqual(t, tt.list+": each topic once", strings.Join(walkers[i].titles, " "), tt.began)
		wantEqual(t, tt.list+": asOf of all pages", walkers[i].asOf, slices.Repeat([]string{"2096-01-02T03:05:00.257Z"}, 3))
		wantEqual(t, tt.list+": what is new shows to who begins again", strings.Join(p.listed(tt.list, "title"), " "),
			tt.then)
	}
}

// A deleted topic leaves the following pages without shifting other rows.
func TestDeletionLeavesAGapInASnapshot(t *testing.T) {
	p := newSnapshots(t)
	w := walker{list: byTop}
	for _, gone := range [][]string{{"a6", "a4"}, {"a1"}, {}} { // of a page that was read, and of later ones
		w.page(p.site, 2)
		for _, title := range gone {
			p.wantVerdict("delete", p.mutate(p.ann, "deleteTopic", input{"topicId": p.ids[title]}, ""), "")
		}
	}
	wantEqual(t, "pages", strings.Join(w.titles, " "), "a5 a6 a3 a2")
	p.wantListed(byTop, "a5, a3, a2")
}

func TestSnapshotsAreNewEveryMinute(t *testing.T) {
	p := newSnapshots(t)
	p.minute() // 03:06:00
	seen := func() (string, string) {
		w := walker{list: byTop}
		w.page(p.site, 3)
		return w.asOf[0], strings.Join(w.titles, " ")
	}
	steps := []struct {
		advance    time.Duration
		asOf, want string
	}{
		{1234 * time.Millisecond, "2096-01-02T03:06:01.234Z", "a5 a6 a4"},
		{time.Second, "2096-01-02T03:06:01.234Z", "a5 a6 a4"},
		{57*time.Second + 765*time.Millisecond, "2096-01-02T03:06:01.234Z", "a5 a6 a4"}, // 03:06:59.999
		{time.Millisecond, "2096-01-02T03:07:00.000Z", "a1 a5 a6"},
		{59 * time.Second, "2096-01-02T03:07:00.000Z", "a1 a5 a6"},
		{time.Second, "2096-01-02T03:08:00.000Z", "a1 a5 a6"},
	}
	for _, s := range steps {
		p.clock.Advance(s.advance)
		asOf, titles := seen()
		wantEqual(t, "asOf", asOf, s.asOf)
		wantEqual(t, "at "+p.clock.Now().String(), titles, s.want)
		p.cast(p.bob, p.ids["a1"], "UP")
		p.cast(p.cid, p.ids["a1"], "UP")
	}
	wantEqual(t, "live orders have no asOf",
		p.must("", "{ "+byHot+" { topics { asOf } } }", nil).at("front", "topics", "asOf"), nil)
}

// X26: in the documents the cached list may expire between two commands, which returns an empty page, and many
// readers build it concurrently.
func TestManyReadersOfOneSnapshot(t *testing.T) {
	p := newSnapshots(t)
	pages := make([]walker, 16)
	var wg sync.WaitGroup
	for i := range pages {
		pages[i].list = inDBByTop
		wg.Go(func() { pages[i].page(p.site, 100) })
	}
	wg.Wait()
	for _, w := range pages {
		wantEqual(t, "page", strings.Join(w.titles, " "), "a5 a6 a4 a3 a2 a1")
		wantEqual(t, "asOf", w.asOf, []string{"2096-01-02T03:05:00.257Z"})
	}
	kept, _ := redistest.Keys(context.Background(), p.redis, "snap:*")
	wantEqual(t, "snapshots that are kept", len(kept), 1)
}

// An expired cursor is reported: it never returns an empty page, or rows of another snapshot.
func TestSnapshotCursorsExpire(t *testing.T) {
	p := newSnapshots(t)
	lists := []string{byTop, byTopRising, byControversy, inGoByTop, inAllByTop, inDBByTop}
	begin := func() []walker {
		began := make([]walker, len(lists))
		for i := range lists {
			began[i].list = lists[i]
			began[i].page(p.site, 2)
		}
		return began
	}
	wantPages := func(name string, began []walker, want string, rows int) {
		t.Helper()
		for _, w := range began {
			read := len(w.titles)
			p.wantVerdict(w.list+" "+name, w.page(p.site, 2), want)
			wantEqual(t, w.list+" "+name+": rows", len(w.titles)-read, rows)
		}
	}
	began := begin()
	p.clock.Advance(10*time.Minute - time.Millisecond)
	wantPages("a moment before", began, "", 2)
	p.clock.Advance(time.Millisecond)
	wantPages("after 10 minutes", began, "CURSOR_EXPIRED after", 0)
	fresh := begin()
	wantPages("after 10 minutes, when there are new ones", began, "CURSOR_EXPIRED after", 0)
	wantPages("again", fresh, "", 2)
	p.loses("snap:*")
	wantPages("what Redis has lost", fresh, "CURSOR_EXPIRED after", 0)
	wantPages("those that are taken instead of it", begin(), "", 2)
}

// loses deletes keys early, as Redis might.
func (p *voteSite) loses(pattern string) {
	p.t.Helper()
	ctx := context.Background()
	keys, err := redistest.Keys(ctx, p.redis, pattern)
	if err != nil || len(keys) == 0 {
		p.t.Fatalf("keys %s: %v, %v; want some", pattern, keys, err)
	}
	for _, key := range keys {
		p.redis.Del(ctx, key)
	}
}

// TOP looks back by exactly so many days, to the millisecond.
func TestTopOfAPeriod(t *testing.T) {
	p := newVoteSite(t)
	now := p.clock.Now()
	periods := []struct {
		name   string
		length time.Duration
	}{{"DAY", 24 * time.Hour}, {"WEEK", 7 * 24 * time.Hour}, {"MONTH", 30 * 24 * time.Hour},
		{"YEAR", 365 * 24 * time.Hour}}
	all := []tallied{{title: "now", created: now, down: 3}}
	for i, period := range periods {
		all = append(all, tallied{title: period.name, created: now.Add(-period.length), up: 10 * (i + 1)},
			tallied{title: "before the " + period.name, created: now.Add(-period.length - time.Millisecond), up: 10*(i+1) + 5})
	}
	p.imported(all...)
	want := "DAY, now"
	for i, period := range periods {
		for _, list := range []string{"front(", inGo + "("} {
			p.wantListed(list+"orderBy: {field: TOP}, period: "+period.name+")", want)
		}
		if i < 3 {
			want = fmt.Sprintf("%s, before the %s, %s", periods[i+1].name, period.name, want)
		}
	}
	everything := "before the YEAR, YEAR, before the MONTH, MONTH, before the WEEK, WEEK, before the DAY, DAY, now"
	p.wantListed(byTop, everything)
	p.wantListed("front(orderBy: {field: TOP}, period: ALL)", everything)
	p.clock.Advance(time.Minute) // a minute later the day begins later
	p.wantListed("front(orderBy: {field: TOP}, period: DAY)", "now")
}
