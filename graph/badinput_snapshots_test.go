package graph_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/test/testlevel"
)

// forgery requests a page of a fixed list between two forged cursors; "" is none.
type forgery struct {
	name          string
	after, before string
	want          string // verdict
	rows          int    // number of rows, -1 for any
}

// wantForgeries requests pages from both ends, and checks that nothing was written.
func (b *fullSite) wantForgeries(c connection, tests []forgery) {
	b.t.Helper()
	before := b.contents()
	for _, tt := range tests {
		for _, size := range []string{"first: 100", "last: 100", "first: 1", "last: 1"} {
			args := size
			for argument, cursor := range map[string]string{"after": tt.after, "before": tt.before} {
				if cursor != "" {
					args += fmt.Sprintf(", %s: %q", argument, cursor)
				}
			}
			a := b.ask(b.ann, c.with(args), nil)
			b.wantVerdict(c.with(size)+" "+tt.name, a, tt.want)
			want := tt.rows
			if strings.HasSuffix(size, " 1") {
				want = min(want, 1)
			}
			if got := strings.Count(a.body, `"cursor":`); got != want && want >= 0 {
				b.t.Errorf("%s %s: %d rows; want %d: %s", c.with(size), tt.name, got, want, a.body)
			}
		}
		b.wantUntouched(c.query+" "+tt.name, before, answer{})
	}
}

// position is the content of a cursor.
func position(t *testing.T, cursor string) forum.Position {
	t.Helper()
	bytes, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(bytes) < 18 {
		t.Fatalf("cursor %q: %v", cursor, err)
	}
	return forum.Position{Score: math.Float64frombits(binary.BigEndian.Uint64(bytes[9:])), Member: string(bytes[17:])}
}

func TestForgedCursorsOfSnapshots(t *testing.T) {
	b := newFullSite(t)
	lists := map[string]connection{}
	for _, c := range b.connections() {
		for part, name := range map[string]string{
			"{ x: front(orderBy: {field: TOP}) ": "front:0:top:desc:all", "{ x: front(orderBy: {field: CONTROVERSIAL}) ": "front:0:controversial:desc",
			`{ x: tab(by: {name: "All"}) { timeline(orderBy: {field: TOP}) `: "tab:1:top:desc:all",
		} {
			if strings.HasPrefix(c.query, part) {
				lists[name] = c
			}
		}
	}
	wantEqual(t, "lists", len(lists), 3)
	now := float64(b.store.Listing.SnapshotNow())
	for name, c := range lists {
		if got := position(t, b.cursorOf(c)); got != (forum.Position{Score: now, Member: "0"}) {
			t.Errorf("%s: first cursor = %+v; want position 0 of snapshot %v", name, got, now)
		}
		at := func(n float64, place string) string { return forum.Position{Score: n, Member: place}.Cursor(name) }
		tests := []forgery{
			{"between its rows", at(now, "0"), at(now, "1"), "", 0},
			{"before its second row", "", at(now, "1"), "", 1},
			{"crossed", at(now, "1"), at(now, "0"), "", 0},
			{"twice the same", at(now, "1"), at(now, "1"), "", 0},
			{"after more than there are", at(now, "999"), "", "", 0},
			{"before the end", "", at(now, "2"), "", 2},
			{"before more than there are", "", at(now, "999"), "", -1},
			{"between places that are not there", at(now, "700"), at(now, "999"), "", 0},
			{"crossed, far away", at(now, "999"), at(now, "1"), "", 0},
			{"of two snapshots", at(now, "0"), at(now-1, "1"), "CURSOR_INVALID before", 0},
			{"of two snapshots, both not there", at(now-1, "0"), at(now-2, "1"), "CURSOR_INVALID before", 0},
		}
		for _, n := range []float64{now - 1, now + 1, 1, 1 << 53} {
			tests = append(tests, forgery{fmt.Sprint("of snapshot ", n), at(n, "0"), "", "CURSOR_EXPIRED after", 0})
		}
		for _, n := range []float64{0, -1, -now, 0.5, -1 << 62} {
			tests = append(tests, forgery{fmt.Sprint("of snapshot ", n), at(n, "0"), "", "CURSOR_INVALID after", 0})
		}
		for _, place := range []string{"x", "-1", "1000", "0.5", "99999999999999999999", "1e3", "0x1"} {
			tests = append(tests, forgery{"at place " + place, at(now, place), "", "CURSOR_INVALID after", 0},
				forgery{"before place " + place, "", at(now, place), "CURSOR_INVALID before", 0})
		}
		b.wantForgeries(c, tests)
	}
}

func TestForgedCursorsOfRankings(t *testing.T) {
	b := newFullSite(t)
	since := float64(b.store.Engine.Now())
	long := forum.SnapshotLife.Milliseconds()
	for list, args := range map[string]string{
		row(t, b.topic) + ":commentsTOP":           "orderBy: TOP",
		row(t, b.topic) + ":commentsCONTROVERSIAL": "orderBy: CONTROVERSIAL",
	} {
		c := connection{"Topic.comments",
			fmt.Sprintf("{ x: node(id: %q) { ... on Topic { comments(%%s, %s)%s } }", b.topic, args, rows)}
		first := position(t, b.cursorOf(c))
		sum := strings.TrimSuffix(first.Member, ".0")
		if first.Score != since || len(sum) != 16 || sum == first.Member {
			t.Fatalf("%s: first cursor = %+v; want the time %v, and a sum with position 0", list, first, since)
		}
		at := func(at float64, member string) string { return forum.Position{Score: at, Member: member}.Cursor(list) }
		other := strings.Repeat("0", 16)
		tests := []forgery{
			{"between its rows", at(since, sum+".0"), at(since, sum+".2"), "", 1},
			{"crossed", at(since, sum+".2"), at(since, sum+".0"), "", 0},
			{"twice the same", at(since, sum+".1"), at(since, sum+".1"), "", 0},
			{"after more than there are", at(since, sum+".10000"), "", "", 0},
			{"before more than there are", "", at(since, sum+".10000"), "", 3},
			{"crossed, far away", at(since, sum+".9999"), at(since, sum+".1"), "", 0},
			{"of another ranking", at(since, other+".0"), "", "CURSOR_EXPIRED after", 0},
			{"of two rankings", at(since, sum+".0"), at(since, other+".1"), "CURSOR_INVALID before", 0},
			{"as old as it may be", at(since-float64(long)+1, sum+".0"), "", "", 2},
			{"too old", at(since-float64(long), sum+".0"), "", "CURSOR_EXPIRED after", 0},
			{"since ever", at(0, sum+".0"), "", "CURSOR_EXPIRED after", 0},
			{"since long before", at(-math.MaxFloat64, sum+".0"), "", "CURSOR_EXPIRED after", 0},
		}
		for _, member := range []string{sum, sum + ".", sum + ".x", sum + ".-1", sum + ".10001", sum + ".1.1",
			sum[1:] + ".0", "." + sum, "0" + sum + ".0", "1"} {
			tests = append(tests, forgery{member, at(since, member), "", "CURSOR_INVALID after", 0},
				forgery{"before " + member, "", at(since, member), "CURSOR_INVALID before", 0})
		}
		b.wantForgeries(c, tests)
	}
}

// Cursors are valid for ten minutes, and for one snapshot only.
func TestCursorsOfSnapshotsExpire(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	var fixed []connection
	for _, c := range b.connections() {
		if strings.Contains(c.query, "TOP") || strings.Contains(c.query, "CONTROVERSIAL") {
			fixed = append(fixed, c)
		}
	}
	if len(fixed) < 10 {
		t.Fatalf("%d lists are fixed while paging; want 10 or more", len(fixed))
	}
	old := make([]string, len(fixed))
	for i, c := range fixed {
		old[i] = b.cursorOf(c)
	}
	after := func(i int, when, want string) {
		t.Helper()
		a := b.ask("", fixed[i].with(fmt.Sprintf("first: 1, after: %q", old[i])), nil)
		b.wantVerdict(fixed[i].query+" "+when, a, want)
		b.wantNothingInternal(when, a)
	}
	b.clock.Advance(time.Minute)
	for i, c := range fixed {
		fresh := b.cursorOf(c)
		if strings.Contains(c.query, "timeline") || strings.Contains(c.query, "front") {
			a := b.ask("", c.with(fmt.Sprintf("first: 1, after: %q, before: %q", old[i], fresh)), nil)
			b.wantVerdict(c.query+" between two snapshots", a, "CURSOR_INVALID before")
		}
		after(i, "after a minute", "")
	}
	b.clock.Advance(forum.SnapshotLife - time.Minute - time.Millisecond)
	for i := range fixed {
		after(i, "a moment before the end", "")
	}
	b.clock.Advance(time.Millisecond)
	for i, c := range fixed {
		after(i, "at the end", "CURSOR_EXPIRED after")
		b.cursorOf(c) // starting again finds the list as it is
	}
}
