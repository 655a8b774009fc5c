package store

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// What moderators change of categories and tabs is in the log at once, what others change is not.
func TestSectionActsAreListed(t *testing.T) {
	w := newSanctionWorld(t)
	tea, err := w.AddCategory(w.ctx, NewCategory{Name: "Chai", Fold: "chai", By: w.mia})
	wantOK(t, "AddCategory", err)
	wantOK(t, "UpdateCategory", w.UpdateCategory(w.ctx, tea, CategoryChange{Description: text("d"), By: w.mia}))
	wantOK(t, "UpdateCategory", w.UpdateCategory(w.ctx, tea, CategoryChange{Description: text("e")}))
	w.settle()
	var ids []forum.ActID
	for _, m := range w.rdb.ZRange(w.ctx, key.SubjectActs(forum.Subject{Category: tea}), 0, -1).Val() {
		id, _, err := record.ParseMember(m)
		wantOK(t, "ParseMember", err)
		if !forum.ActID(id).OfSection() || !w.exists(key.Act(forum.ActID(id))) {
			t.Errorf("act %d has no hash in the slot of categories", id)
		}
		for _, list := range []string{key.ModerationLog, key.UserActs(w.mia.ID)} {
			if w.rdb.ZScore(w.ctx, list, m).Err() != nil {
				t.Errorf("%s lacks act %d", list, id)
			}
		}
		ids = append(ids, forum.ActID(id))
	}
	if len(ids) != 2 {
		t.Fatalf("%d acts on the category; want 2", len(ids))
	}
	if got, want := w.rdb.HGet(w.ctx, key.Category(tea), "act").Val(), key.Itoa(ids[1]); got != want {
		t.Errorf("the category was changed last by act %s; want %s", got, want)
	}
	if w.exists(key.SectionActMarks) {
		t.Error("marks are left")
	}
	w.wantSound()
}

// A deletion whose process dies is finished by the sweeper, in the name of who began it; an act that no list has yet is
// listed.
func TestSectionActsAfterCrashes(t *testing.T) {
	for dies := 1; ; dies++ {
		w := newSanctionWorld(t)
		id := w.category("chai")
		if !w.dies(dies, func(s *Store) { s.DeleteCategory(t.Context(), w.mia, id) }) {
			if dies < 4 {
				t.Errorf("the deletion has %d steps; want more", dies)
			}
			return
		}
		begun := dies > 1
		w.clock.Advance(time.Minute)
		w.settle()
		acts := w.rdb.ZCard(w.ctx, key.ModerationLogOf(forum.ActDeleteCategory)).Val()
		if begun != (acts == 1) || begun == w.exists(key.Category(id)) {
			t.Errorf("died at step %d: %d acts, the category exists: %t", dies, acts, w.exists(key.Category(id)))
		}
		if got := w.rdb.ZCard(w.ctx, key.UserActs(w.mia.ID)).Val(); begun && got != 1 {
			t.Errorf("died at step %d: the moderator has %d acts; want 1", dies, got)
		}
		w.wantSound()
	}
}
