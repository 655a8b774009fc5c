package moderation_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/categories"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/moderation"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// A revert that deletes a category, and dies, is finished by the sweeper, as the revert that it is.
func TestRevertsOfDeletionsAfterCrashes(t *testing.T) {
	testlevel.Sequential(t)
	why := forum.Grounds{Reason: forum.ReasonSpam, Note: "a: b\nc"}
	for dies := 1; ; dies++ {
		w := storetest.NewSanctioned(t)
		tea := must.Do(w.Categories.AddCategory(w.Ctx, categories.NewCategory{Name: "Chai", Fold: "chai",
			By: w.Mia}))(t)
		made := forum.ActID(record.Atoi(w.Redis.HGet(w.Ctx, key.Internal(key.Category(tea)), "act").Val()))
		if !w.Dies(dies, func(s *store.Store) { s.Moderation.Revert(t.Context(), w.Mia, made, why) }) {
			if dies < 4 {
				t.Errorf("the revert has %d steps; want more", dies)
			}
			return
		}
		begun := dies > 1
		w.Clock.Advance(time.Minute)
		w.Settle()
		acts := must.Do(w.Store.Acts.Acts(w.Ctx, []forum.ActID{made}))(t)
		if begun != (acts[0].ReversedBy != 0) || begun == w.Exists(key.Category(tea)) {
			t.Fatalf("died at step %d: reversed by %d, the category exists: %t", dies, acts[0].ReversedBy,
				w.Exists(key.Category(tea)))
		}
		if begun {
			by := must.Do(w.Store.Acts.Acts(w.Ctx, []forum.ActID{acts[0].ReversedBy}))(t)
			if a := by[0]; a.Kind != forum.ActDeleteCategory || a.Grounds != why || a.By != w.Mia.ID ||
				a.Reverses != made {
				t.Errorf("died at step %d: the revert is %+v", dies, a)
			}
		}
		w.WantSound()
	}
}

// Of two who revert an act at the same time, one does, and the other learns that.
func TestOneOfTwoReverts(t *testing.T) {
	w := storetest.NewSanctioned(t)
	storetest.WantOK(t, "UpdateRules", w.Rules.Update(w.Ctx, w.Mia, map[string]int{"newMemberLinks": 2}, false))
	id, _, err := record.ParseMember(w.Redis.ZRange(w.Ctx, key.ModerationLog, -1, -1).Val()[0])
	storetest.WantOK(t, "ParseMember", err)
	root := &forum.Viewer{ID: w.Mia.ID, Role: forum.RoleAdmin}
	results := make(chan moderation.Reverted, 8)
	for range cap(results) {
		go func() {
			done, err := w.Moderation.Revert(w.Ctx, root, forum.ActID(id), forum.Grounds{Reason: forum.ReasonOther})
			if err != nil {
				t.Errorf("Revert: %v", err)
			}
			results <- done
		}()
	}
	changed, by := 0, map[forum.ActID]bool{}
	for range cap(results) {
		done := <-results
		by[done.By] = true
		if done.Changed {
			changed++
		}
	}
	if n := w.Redis.ZCard(w.Ctx, key.ModerationLogOf(forum.ActUpdateRules)).Val(); changed != 1 || len(by) != 1 ||
		n != 2 {
		t.Errorf("%d of 8 calls reverted the act, by acts %v; the log has %d acts; want 1, 1, 2", changed, by, n)
	}
	w.WantClean()
}
