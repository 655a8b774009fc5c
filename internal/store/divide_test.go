package store

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/division"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/testlevel"
)

// divide divides an index, in a process of its own that does not wait for others.
func (x *site) divide(name string) {
	x.t.Helper()
	s := x.process(WithSettling(0))
	wantOK(x.t, "Divide", s.Divide(x.ctx, name))
	x.finishDivision(s, name)
}

// finishDivision runs the task of a division to its end.
func (x *site) finishDivision(s *Store, name string) {
	x.t.Helper()
	t, ok, err := s.claimTask(x.ctx, 0, record.DivideTask(name))
	if err != nil || !ok {
		x.t.Errorf("claim the division of %s: %t, %v", name, ok, err)
		return
	}
	if err := s.runTask(x.ctx, t, 0); err != nil {
		x.t.Errorf("divide %s: %v", name, err)
	}
}

// walk returns the topics of a timeline after a position, page by page, as a process sees them.
func (x *site) walk(s *Store, tl forum.Timeline, tab []forum.CategoryID, after *forum.Position) (rows []forum.Row) {
	x.t.Helper()
	for {
		page, err := s.merged(x.ctx, s.TimelineLists(x.ctx, tl, tab), forum.Window{Count: 7, After: after})
		wantOK(x.t, "merged", err)
		if len(page.Rows) == 0 {
			return rows
		}
		rows = append(rows, page.Rows...)
		after = &page.Rows[len(page.Rows)-1].Position
	}
}

// liveTimelines returns all live timelines of the front, two categories and their tab.
func (w *world) liveTimelines() (all []forum.Timeline) {
	for _, order := range []forum.TopicOrderField{forum.ByCreated, forum.ByActive, forum.ByScore, forum.ByHot} {
		for _, direction := range []forum.OrderDirection{forum.Ascending, forum.Descending} {
			for kind, owner := range map[forum.TimelineKind]int64{forum.FrontTimeline: 0, forum.CategoryTimeline: int64(w.a),
				forum.TabTimeline: 1} {
				all = append(all, forum.Timeline{Kind: kind, Owner: owner, Order: order, Direction: direction})
			}
		}
	}
	return all
}

// busyWorld is a world with topics of many partitions, replies and votes.
func busyWorld(t *testing.T) *world {
	w := newWorld(t)
	for n := range 60 {
		by := w.user(fmt.Sprint("user", n))
		w.clock.Advance(time.Duration(n%3) * time.Second)
		topic := w.site.topic(by, []forum.CategoryID{w.a, w.b}[n%2])
		if n%4 == 0 {
			w.site.comment(w.bob, topic, 0)
		}
		if n%5 == 0 {
			_, err := w.VoteTopic(t.Context(), w.bob, topic, forum.VoteUp)
			wantOK(t, "VoteTopic", err)
		}
	}
	w.settle()
	return w
}

// A timeline is the same after its index was divided, and a walk that began before goes on.
func TestDividedIndexesReadTheSame(t *testing.T) {
	w := busyWorld(t)
	tab := []forum.CategoryID{w.a, w.b}
	before := map[forum.Timeline][]forum.Row{}
	for _, tl := range w.liveTimelines() {
		before[tl] = w.walk(w.Store, tl, tab, nil)
	}
	for _, name := range []string{"front", "c" + key.Itoa(w.a)} {
		w.divide(name)
		s := w.process()
		for tl, want := range before {
			if got := w.walk(s, tl, tab, nil); !slices.Equal(got, want) {
				t.Errorf("%s after %s was divided = %v; want %v", tl.Name(), name, got, want)
			}
			if got := w.walk(s, tl, tab, &want[9].Position); !slices.Equal(got, want[10:]) {
				t.Errorf("the rest of %s after %s was divided = %v; want %v", tl.Name(), name, got, want[10:])
			}
		}
		w.wantDivided(s, name)
	}
	w.wantSound()
}

// wantDivided checks that nothing of an index is outside of its parts.
func (x *site) wantDivided(s *Store, name string) {
	x.t.Helper()
	c, sizes := division.Container(name), []int{}
	for _, key := range x.keysLike(string(c) + ":") {
		if key != c.Division() && key != c.Followers() {
			x.t.Errorf("%s is left of %s", key, name)
		}
	}
	for _, part := range division.PartsOf(c, division.Parts) {
		sizes = append(sizes, int(x.rdb.ZCard(x.ctx, part.Order(key.OrderCreated)).Val()))
	}
	if slices.Max(sizes) == 0 {
		x.t.Errorf("the parts of %s are empty", name)
	}
	all, err := s.Indexes(x.ctx, 1<<30)
	i := slices.IndexFunc(all, func(i Index) bool { return i.Name == name })
	if err != nil || i < 0 || !all[i].Divided() || all[i].Topics == 0 {
		x.t.Errorf("Indexes = %+v, %v; want %s, divided", all, err, name)
	}
}

// During each step of a division other processes write: one that learned of it at each of its steps, and one that never
// did. Readers see all of it, and nothing is lost.
func TestWritesDuringDivision(t *testing.T) {
	testlevel.Usual(t)
	w := busyWorld(t)
	stale, current := w.process(), w.process()
	posted := map[forum.TopicID]bool{}
	learn := func() { wantOK(t, "Refresh", current.lists.Refresh(t.Context())) }
	write := func(step string) {
		w.clock.Advance(time.Second)
		for _, s := range []*Store{stale, current} {
			id, err := s.CreateTopic(t.Context(), discussion(w.bob, w.a))
			wantOK(t, "CreateTopic", err)
			posted[id] = true
			gone, err := s.CreateTopic(t.Context(), discussion(w.ann, w.a))
			wantOK(t, "CreateTopic", err)
			for old := range posted {
				_, err = s.CreateComment(t.Context(), w.ann, remark(old, 0))
				wantOK(t, "CreateComment", err)
			}
			wantOK(t, "DeleteTopic", s.DeleteTopic(t.Context(), w.ann, gone))
			moved, err := s.CreateTopic(t.Context(), discussion(w.ann, w.b))
			wantOK(t, "CreateTopic", err)
			wantOK(t, "UpdateTopic", s.UpdateTopic(t.Context(), w.ann, moved, TopicChange{Category: &w.a}))
			posted[moved] = true
		}
		learn()
		for _, tl := range w.liveTimelines() {
			shown := map[forum.TopicID]bool{}
			for _, row := range w.walk(current, tl, []forum.CategoryID{w.a, w.b}, nil) {
				shown[forum.TopicID(row.ID)] = true
			}
			for id := range posted {
				if !shown[id] {
					t.Fatalf("at %s, %s lacks topic %d", step, tl.Name(), id)
				}
			}
		}
	}
	for _, name := range []string{"c" + key.Itoa(w.a), "front"} {
		steps := map[string]bool{}
		s := w.process(WithSettling(0), WithSteps(func(step string) {
			if !steps[step] { // its first time
				steps[step] = true
				write(step)
			}
		}))
		wantOK(t, "Divide", s.Divide(t.Context(), name))
		w.finishDivision(s, name)
		if len(steps) < 7 {
			t.Errorf("the division had the steps %v", slices.Collect(maps.Keys(steps)))
		}
		write("the end")
		w.settle()
		w.wantDivided(current, name)
		w.wantSound()
	}
}

// A process that divides an index dies before each of its steps. Another goes on.
func TestDivisionSurvivesCrashes(t *testing.T) {
	testlevel.Usual(t)
	for n, died := 1, true; died; n++ {
		w := newWorld(t)
		died = w.dies(n, func(s *Store) {
			s.settle = 0
			wantOK(t, "Divide", s.Divide(t.Context(), "front"))
			w.finishDivision(s, "front")
		})
		if died {
			w.clock.Advance(record.TaskLease * time.Millisecond)
			w.finishDivision(w.process(WithSettling(0)), "front")
		} else if n < 9 {
			t.Errorf("a division has %d steps", n)
		}
		w.settle()
		w.wantSound()
		w.wantDivided(w.Store, "front")
	}
}

// A divided category can be deleted once it is empty, and a topic that is being posted there is withdrawn; a category
// that is deleted while it is divided leaves nothing open.
func TestDeletionOfDividedCategory(t *testing.T) {
	w := newWorld(t)
	w.divide("c" + key.Itoa(w.a))
	wantCode(t, "DeleteCategory with a topic", w.DeleteCategory(t.Context(), nil, w.a), forum.CodeNotEmpty)
	_, err := w.CreateTopic(t.Context(), discussion(w.bob, w.a))
	wantOK(t, "CreateTopic after that", err)
	w.divide("c" + key.Itoa(w.empty))
	var late error
	wake := w.asleep("index", func(s *Store) { _, late = s.CreateTopic(t.Context(), discussion(w.ann, w.empty)) })
	wantOK(t, "DeleteCategory", w.DeleteCategory(t.Context(), nil, w.empty))
	wake()
	wantCode(t, "CreateTopic while the category is deleted", late, forum.CodeNotFound)

	fresh := w.category("fresh")
	name := "c" + key.Itoa(fresh)
	s := w.process(WithSettling(0), WithSteps(func(step string) {
		if step == "division_settle" {
			wantOK(t, "DeleteCategory", w.DeleteCategory(t.Context(), nil, fresh))
		}
	}))
	wantOK(t, "Divide", s.Divide(t.Context(), name))
	w.finishDivision(s, name)
	for _, part := range division.PartsOf(division.Container(name), division.Parts) {
		if !w.exists(part.Closed()) {
			t.Errorf("%s is open after the category was deleted", part)
		}
	}
	w.settle()
	w.wantSound()
}

// A topic that is posted just before the parts of its category are closed keeps all of them open.
func TestDeletionOfDividedCategoryIsAbandoned(t *testing.T) {
	w := newWorld(t)
	w.divide("c" + key.Itoa(w.empty))
	last := forum.Partition(255) // of the last part
	by := w.userIn(last)
	s := w.process(WithSteps(func(step string) {
		if step == "index_close_parts" {
			_, err := w.CreateTopic(t.Context(), discussion(by, w.empty))
			wantOK(t, "CreateTopic", err)
		}
	}))
	wantCode(t, "DeleteCategory", s.DeleteCategory(t.Context(), nil, w.empty), forum.CodeNotEmpty)
	if open := w.keysLike(":closed"); len(open) != 0 {
		t.Errorf("the parts %v are closed", open)
	}
	_, err := w.CreateTopic(t.Context(), discussion(w.ann, w.empty))
	wantOK(t, "CreateTopic", err)
	w.settle()
	w.wantSound()
}

// The days after the next are divided with the front.
func TestDaysAreDividedWithTheFront(t *testing.T) {
	w := newWorld(t)
	w.divide("front")
	s := w.process()
	for ahead := range forum.Day(4) {
		id, err := s.CreateTopic(t.Context(), discussion(w.ann, w.a))
		wantOK(t, "CreateTopic", err)
		_, err = s.CreateComment(t.Context(), w.bob, remark(id, 0))
		wantOK(t, "CreateComment", err)
		parts := w.keysLike("{ix:d" + s.Today().String() + "/")
		if divided := len(parts) > 0; divided != (ahead >= 2) {
			t.Errorf("%d days after the division the index of the day is divided: %t", ahead, divided)
		}
		rank := forum.Timeline{Kind: forum.DayRankTimeline, Owner: int64(s.Today()), Order: forum.ByRepliesToday,
			Direction: forum.Descending}
		rows := w.walk(s, rank, nil, nil)
		if !slices.ContainsFunc(rows, func(r forum.Row) bool { return r.ID == int64(id) }) {
			t.Errorf("the day's topics are %v; want %d among them", rows, id)
		}
		w.clock.Advance(24 * time.Hour)
	}
}

// What cannot be divided is refused.
func TestDivideRefusesOtherNames(t *testing.T) {
	x := newSite(t)
	for _, name := range []string{"", "g7", "d2026-11-23", "front/3", "c0", "c07"} {
		if err := x.Divide(t.Context(), name); err == nil {
			t.Errorf("Divide(%q) = nil; want an error", name)
		}
	}
}
