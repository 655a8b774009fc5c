package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/categories"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/moderation"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// What moderators change of categories and tabs is in the log at once, what others change is not.
func TestSectionActsAreListed(t *testing.T) {
	w := newSanctionSite(t)
	tea := must.Do(w.Categories.AddCategory(w.ctx, categories.NewCategory{Name: "Chai", Fold: "chai", By: w.mia}))(t)
	wantOK(t, "UpdateCategory", w.Categories.UpdateCategory(w.ctx, tea,
		categories.CategoryChange{Description: new("d"), By: w.mia}))
	wantOK(t, "UpdateCategory", w.Categories.UpdateCategory(w.ctx, tea,
		categories.CategoryChange{Description: new("e")}))
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
	if got, want := w.rdb.HGet(w.ctx, key.Internal(key.Category(tea)), "act").Val(), key.Itoa(ids[1]); got != want {
		t.Errorf("the category was changed last by act %s; want %s", got, want)
	}
	if w.exists(key.SectionActMarks) {
		t.Error("marks are left")
	}
	w.wantSound()
}

// What changes of the rules and of the blocklist is in the log. It has no act of a process that died before the script,
// and the whole one of a process that died after it.
func TestSiteActs(t *testing.T) {
	w := newSanctionSite(t)
	wantOK(t, "UpdateRules", w.Moderation.UpdateRules(w.ctx, w.mia, map[string]int{"newMemberLinks": 2,
		"heldPosts": 0}))
	wantOK(t, "UpdateRules", w.Moderation.UpdateRules(w.ctx, w.mia, map[string]int{"newMemberLinks": 2}))
	wantOK(t, "UpdateBlocklist", w.Moderation.UpdateBlocklist(w.ctx, w.mia, forum.BlockWord, []string{"spam",
		"buy now"}, nil))
	wantOK(t, "UpdateBlocklist", w.Moderation.UpdateBlocklist(w.ctx, w.mia, forum.BlockWord, []string{"spam"},
		[]string{"new"}))
	for dies := range 2 {
		w.dies(dies+1, func(s *store.Store) {
			s.Moderation.UpdateBlocklist(t.Context(), w.mia, forum.BlockWord, []string{"new"}, []string{"spam", "none"})
		})
		w.clock.Advance(time.Minute)
		w.settle()
	}
	var details []string
	for _, m := range w.rdb.ZRange(w.ctx, key.ModerationLog, 0, -1).Val() {
		id, _, err := record.ParseMember(m)
		wantOK(t, "ParseMember", err)
		acts := must.Do(w.Store.Acts.Acts(w.ctx, []forum.ActID{forum.ActID(id)}))(t)
		if a := acts[0]; a.ID.OfSite() && a.Subject.Site {
			c, _ := a.Change()
			details = append(details, fmt.Sprint(a.Kind, " ", c.Before, " ", c.After))
		}
	}
	want := []string{"UPDATE_RULES map[newMemberLinks:-1] map[newMemberLinks:2]",
		"UPDATE_BLOCKLIST map[] map[words:spam\nbuy now]", "UPDATE_BLOCKLIST map[words:spam] map[words:new]"}
	if !slices.Equal(details, want) {
		t.Errorf("the acts on the site are %q; want %q", details, want)
	}
	if w.exists(key.SiteActMarks) {
		t.Error("marks are left")
	}
	w.wantSound()
}

// A deletion whose process dies is finished by the sweeper, in the name of who began it; an act that no list has yet is
// listed.
func TestSectionActsAfterCrashes(t *testing.T) {
	testlevel.Sequential(t)
	for dies := 1; ; dies++ {
		w := newSanctionSite(t)
		id := w.Category("chai")
		if !w.dies(dies, func(s *store.Store) { s.Categories.DeleteCategory(t.Context(), w.mia, id) }) {
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

// A revert that deletes a category, and dies, is finished by the sweeper, as the revert that it is.
func TestRevertsOfDeletionsAfterCrashes(t *testing.T) {
	testlevel.Sequential(t)
	why := forum.Grounds{Reason: forum.ReasonSpam, Note: "a: b\nc"}
	for dies := 1; ; dies++ {
		w := newSanctionSite(t)
		tea := must.Do(w.Categories.AddCategory(w.ctx, categories.NewCategory{Name: "Chai", Fold: "chai",
			By: w.mia}))(t)
		made := forum.ActID(record.Atoi(w.rdb.HGet(w.ctx, key.Internal(key.Category(tea)), "act").Val()))
		if !w.dies(dies, func(s *store.Store) { s.Moderation.Revert(t.Context(), w.mia, made, why) }) {
			if dies < 4 {
				t.Errorf("the revert has %d steps; want more", dies)
			}
			return
		}
		begun := dies > 1
		w.clock.Advance(time.Minute)
		w.settle()
		acts := must.Do(w.Store.Acts.Acts(w.ctx, []forum.ActID{made}))(t)
		if begun != (acts[0].ReversedBy != 0) || begun == w.exists(key.Category(tea)) {
			t.Fatalf("died at step %d: reversed by %d, the category exists: %t", dies, acts[0].ReversedBy,
				w.exists(key.Category(tea)))
		}
		if begun {
			by := must.Do(w.Store.Acts.Acts(w.ctx, []forum.ActID{acts[0].ReversedBy}))(t)
			if a := by[0]; a.Kind != forum.ActDeleteCategory || a.Grounds != why || a.By != w.mia.ID || a.Reverses != made {
				t.Errorf("died at step %d: the revert is %+v", dies, a)
			}
		}
		w.wantSound()
	}
}

// Of two who revert an act at the same time, one does, and the other learns that.
func TestOneOfTwoReverts(t *testing.T) {
	w := newSanctionSite(t)
	wantOK(t, "UpdateRules", w.Moderation.UpdateRules(w.ctx, w.mia, map[string]int{"newMemberLinks": 2}))
	id, _, err := record.ParseMember(w.rdb.ZRange(w.ctx, key.ModerationLog, -1, -1).Val()[0])
	wantOK(t, "ParseMember", err)
	root := &forum.Viewer{ID: w.mia.ID, Role: forum.RoleAdmin}
	results := make(chan moderation.Reverted, 8)
	for range cap(results) {
		go func() {
			done, err := w.Moderation.Revert(w.ctx, root, forum.ActID(id), forum.Grounds{Reason: forum.ReasonOther})
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
	if n := w.rdb.ZCard(w.ctx, key.ModerationLogOf(forum.ActUpdateRules)).Val(); changed != 1 || len(by) != 1 || n != 2 {
		t.Errorf("%d of 8 calls reverted the act, by acts %v; the log has %d acts; want 1, 1, 2", changed, by, n)
	}
	w.wantClean()
}
