package store

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/division"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// A process that divides an index sleeps before any of its steps, until another has done all of it. Then it does no
// harm.
func TestSleepingDividerDoesNoHarm(t *testing.T) {
	for _, step := range []string{"division_begin", "division_announce", "division_copy", "division_write",
		"division_read", "division_settle", "division_end", "division_forget"} {
		w := newWorld(t)
		wantOK(t, "Divide", w.Divide(t.Context(), "front"))
		wake := w.asleep(step, func(s *Store) {
			s.settle = 0
			task, _, err := s.claimTask(t.Context(), 0, record.DivideTask("front"))
			wantOK(t, "claimTask", err)
			s.runTask(t.Context(), task, 0)
		})
		w.clock.Advance(record.TaskLease * time.Millisecond)
		w.finishDivision(w.process(WithSettling(0)), "front")
		wake()
		s := w.process()
		if state := s.lists.View(t.Context()).State(key.FrontContainer); state.Phase != division.Divided {
			t.Errorf("after a divider slept at %s, readers know %q", step, state)
		}
		tl := forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByCreated, Direction: forum.Descending}
		if rows := w.walk(s, tl, nil, nil); len(rows) != 1 {
			t.Errorf("after a divider slept at %s, the front has the topics %v", step, rows)
		}
		w.wantDivided(s, "front")
	}
}

// A process dies while it closes the parts of a category, or opens them again. The category can be used afterwards,
// or is deleted.
func TestDeletionOfDividedCategorySurvivesCrashes(t *testing.T) {
	for n, died := 1, true; died; n++ {
		w := newWorld(t)
		var by []*forum.Viewer // one of each part
		for p := range forum.Partition(division.Parts) {
			by = append(by, w.userIn(p))
		}
		w.divide("c" + key.Itoa(w.empty))
		died = w.dies(n, func(s *Store) { s.DeleteCategory(t.Context(), nil, w.empty) })
		for _, user := range []*forum.Viewer{by[0], by[15]} {
			_, err := w.CreateTopic(t.Context(), discussion(user, w.empty))
			if code := forum.CodeOf(err); err != nil && code != forum.CodeNotFound {
				t.Fatalf("CreateTopic after step %d: %v", n, err)
			}
		}
		w.clock.Advance(time.Minute)
		w.settle()
		if w.exists(key.Category(w.empty)) {
			for p, user := range by {
				if _, err := w.CreateTopic(t.Context(), discussion(user, w.empty)); err != nil {
					t.Errorf("a process died at step %d: posting in part %d: %v", n, p, err)
				}
			}
		}
		w.settle()
		w.wantSound()
	}
}

// One process sleeps before it opens the parts of a category again, because of a topic; the topic goes, and another
// deletes the category: it stays closed.
func TestDeletionsOfDividedCategoryOverlap(t *testing.T) {
	w := newWorld(t)
	w.divide("c" + key.Itoa(w.empty))
	by := w.userIn(255)
	var topic forum.TopicID
	first := w.process(WithSteps(func(step string) {
		switch step {
		case "index_close_parts":
			var err error
			topic, err = w.CreateTopic(t.Context(), discussion(by, w.empty))
			wantOK(t, "CreateTopic", err)
		case "index_open":
			wantOK(t, "DeleteTopic", w.DeleteTopic(t.Context(), by, topic))
			wantOK(t, "DeleteCategory", w.DeleteCategory(t.Context(), nil, w.empty))
		}
	}))
	first.DeleteCategory(t.Context(), nil, w.empty)
	for _, part := range division.PartsOf(key.CategoryContainer(w.empty), division.Parts) {
		if !w.exists(part.Closed()) {
			t.Errorf("%s is open after the category was deleted", part)
		}
	}
	w.settle()
	w.wantSound()
}

// A topic moves into a category that is divided while that is deleted: it stays where it was.
func TestMoveIntoCategoryDeletedWhileDivided(t *testing.T) {
	for _, at := range []string{"division_copy", "division_settle", "division_end", "division_forget"} {
		w := newWorld(t)
		name := "c" + key.Itoa(w.empty)
		done := false
		s := w.process(WithSettling(0), WithSteps(func(step string) {
			if step != at || done {
				return
			}
			done = true
			var moved error
			wake := w.asleep("index", func(s *Store) { moved = move(s, w, w.empty) })
			wantOK(t, "DeleteCategory", w.DeleteCategory(t.Context(), nil, w.empty))
			wake()
			wantCode(t, "move", moved, forum.CodeNotFound)
		}))
		wantOK(t, "Divide", s.Divide(t.Context(), name))
		w.finishDivision(s, name)
		w.settle()
		for _, part := range division.PartsOf(division.Container(name), division.Parts) {
			if !w.exists(part.Closed()) || w.exists(part.Order(key.OrderCreated)) {
				t.Errorf("at %s: %s is not closed and empty", at, part)
			}
		}
		w.wantSound()
	}
}

// A category is deleted before the rest of its divided index is.
func TestDeletionBeforeDivisionForgets(t *testing.T) {
	w := newWorld(t)
	topic := w.site.topic(w.ann, w.empty)
	name := "c" + key.Itoa(w.empty)
	wantOK(t, "Divide", w.Divide(t.Context(), name))
	w.diesDividing(name, "division_forget")
	wantOK(t, "DeleteTopic", w.DeleteTopic(t.Context(), w.ann, topic))
	wantOK(t, "DeleteCategory", w.DeleteCategory(t.Context(), nil, w.empty))
	if c := division.Container(name); !w.exists(c.Closed()) {
		t.Errorf("%s is open after the category was deleted", c)
	}
	w.clock.Advance(record.TaskLease * time.Millisecond)
	w.finishDivision(w.process(WithSettling(0)), name)
	w.settle()
	w.wantSound()
}

// diesDividing runs the task of a division in a process that dies before a step.
func (w *world) diesDividing(name, at string) {
	w.t.Helper()
	defer func() {
		if _, killed := recover().(crash); !killed {
			w.t.Errorf("the division of %s has no step %q", name, at)
		}
	}()
	w.finishDivision(w.process(WithSettling(0), WithSteps(func(step string) {
		if step == at {
			panic(crash{})
		}
	})), name)
}
