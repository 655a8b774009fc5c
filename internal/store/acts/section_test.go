package acts_test

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
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// What moderators change of categories and tabs is in the log at once, what others change is not.
func TestSectionActsAreListed(t *testing.T) {
	w := storetest.NewSanctioned(t)
	tea := must.Do(w.Categories.AddCategory(w.Ctx, categories.NewCategory{Name: "Chai", Fold: "chai", By: w.Mia}))(t)
	storetest.WantOK(t, "UpdateCategory", w.Categories.UpdateCategory(w.Ctx, tea,
		categories.CategoryChange{Description: new("d"), By: w.Mia}))
	storetest.WantOK(t, "UpdateCategory", w.Categories.UpdateCategory(w.Ctx, tea,
		categories.CategoryChange{Description: new("e")}))
	w.Settle()
	var ids []forum.ActID
	for _, m := range w.Redis.ZRange(w.Ctx, key.SubjectActs(forum.Subject{Category: tea}), 0, -1).Val() {
		id, _, err := record.ParseMember(m)
		storetest.WantOK(t, "ParseMember", err)
		if !forum.ActID(id).OfSection() || !w.Exists(key.Act(forum.ActID(id))) {
			t.Errorf("act %d has no hash in the slot of categories", id)
		}
		for _, list := range []string{key.ModerationLog, key.UserActs(w.Mia.ID)} {
			if w.Redis.ZScore(w.Ctx, list, m).Err() != nil {
				t.Errorf("%s lacks act %d", list, id)
			}
		}
		ids = append(ids, forum.ActID(id))
	}
	if len(ids) != 2 {
		t.Fatalf("%d acts on the category; want 2", len(ids))
	}
	if got, want := w.Redis.HGet(w.Ctx, key.Internal(key.Category(tea)), "act").Val(), key.Itoa(ids[1]); got != want {
		t.Errorf("the category was changed last by act %s; want %s", got, want)
	}
	if w.Exists(key.SectionActMarks) {
		t.Error("marks are left")
	}
	w.WantSound()
}

// What changes of the rules and of the blocklist is in the log. It has no act of a process that died before the script,
// and the whole one of a process that died after it.
func TestSiteActs(t *testing.T) {
	w := storetest.NewSanctioned(t)
	storetest.WantOK(t, "UpdateRules", w.Rules.Update(w.Ctx, w.Mia, map[string]int{"newMemberLinks": 2,
		"heldPosts": 0}, false))
	storetest.WantOK(t, "UpdateRules", w.Rules.Update(w.Ctx, w.Mia, map[string]int{"newMemberLinks": 2}, false))
	storetest.WantOK(t, "UpdateBlocklist", w.Rules.UpdateBlocklist(w.Ctx, w.Mia, forum.BlockWord, []string{"spam",
		"buy now"}, nil))
	storetest.WantOK(t, "UpdateBlocklist", w.Rules.UpdateBlocklist(w.Ctx, w.Mia, forum.BlockWord, []string{"spam"},
		[]string{"new"}))
	for dies := range 2 {
		w.Dies(dies+1, func(s *store.Store) {
			s.Rules.UpdateBlocklist(t.Context(), w.Mia, forum.BlockWord, []string{"new"}, []string{"spam", "none"})
		})
		w.Clock.Advance(time.Minute)
		w.Settle()
	}
	var details []string
	for _, m := range w.Redis.ZRange(w.Ctx, key.ModerationLog, 0, -1).Val() {
		id, _, err := record.ParseMember(m)
		storetest.WantOK(t, "ParseMember", err)
		acts := must.Do(w.Store.Acts.Acts(w.Ctx, []forum.ActID{forum.ActID(id)}))(t)
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
	if w.Exists(key.SiteActMarks) {
		t.Error("marks are left")
	}
	w.WantSound()
}

// A deletion whose process dies is finished by the sweeper, in the name of who began it; an act that no list has yet is
// listed.
func TestSectionActsAfterCrashes(t *testing.T) {
	testlevel.Sequential(t)
	for dies := 1; ; dies++ {
		w := storetest.NewSanctioned(t)
		id := w.Category("chai")
		if !w.Dies(dies, func(s *store.Store) { s.Categories.DeleteCategory(t.Context(), w.Mia, id) }) {
			if dies < 4 {
				t.Errorf("the deletion has %d steps; want more", dies)
			}
			return
		}
		begun := dies > 1
		w.Clock.Advance(time.Minute)
		w.Settle()
		acts := w.Redis.ZCard(w.Ctx, key.ModerationLogOf(forum.ActDeleteCategory)).Val()
		if begun != (acts == 1) || begun == w.Exists(key.Category(id)) {
			t.Errorf("died at step %d: %d acts, the category exists: %t", dies, acts, w.Exists(key.Category(id)))
		}
		if got := w.Redis.ZCard(w.Ctx, key.UserActs(w.Mia.ID)).Val(); begun && got != 1 {
			t.Errorf("died at step %d: the moderator has %d acts; want 1", dies, got)
		}
		w.WantSound()
	}
}
