package acts_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/acts"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// appoints returns changes that make users moderators.
func appoints(users ...*forum.Viewer) []acts.ModeratorChange {
	var changes []acts.ModeratorChange
	for i, u := range users {
		changes = append(changes, acts.ModeratorChange{User: u.ID, On: true, Field: fmt.Sprintf("add.%d", i)})
	}
	return changes
}

// moderatorsOf returns how many moderators a category has, and how many places are reserved.
func moderatorsOf(x *storetest.Site, id forum.CategoryID) [2]int64 {
	k := key.CategoryModerators(id)
	return [2]int64{x.Redis.ZCount(x.Ctx, k, "1", "+inf").Val(), x.Redis.ZCount(x.Ctx, k, "(0", "(1").Val()}
}

// A category has no more than its maximum of moderators, whoever appoints them at the same time.
func TestCategoryHasTwentyModerators(t *testing.T) {
	x := storetest.New(t)
	mod, talk := x.Moderator("mod"), x.Category("talk")
	users := make([]*forum.Viewer, forum.MaxCategoryModerators+2)
	for i := range users {
		users[i] = x.User(fmt.Sprintf("user%d", i))
	}
	set := func(changes ...acts.ModeratorChange) forum.Code {
		_, err := x.Acts.SetModerators(x.Ctx, mod, talk, changes, forum.Grounds{Reason: forum.ReasonOther})
		return forum.CodeOf(err)
	}
	last := forum.MaxCategoryModerators - 1
	var all sync.WaitGroup
	for i := range users {
		all.Go(func() { set(appoints(users[i])...) })
	}
	all.Wait()
	if got := moderatorsOf(x, talk); got != [2]int64{forum.MaxCategoryModerators, 0} {
		t.Errorf("after %d at once, the category has %d moderators; want %d", len(users), got,
			forum.MaxCategoryModerators)
	}
	for i, want := range []forum.Code{forum.CodeTooLong, ""} { // the second time, one leaves
		changes := appoints(newcomer(x, users, talk))
		if i == 1 {
			changes = append(changes, acts.ModeratorChange{User: appointed(x, users, talk).ID, Field: "remove.0"})
		}
		if got := set(changes...); got != want {
			t.Errorf("SetModerators of one more, %d removed: %q; want %q", i, got, want)
		}
		if got := moderatorsOf(x, talk); got[0] != int64(last+1) {
			t.Errorf("after that, the category has %d moderators; want %d", got, last+1)
		}
	}
	if got := set(acts.ModeratorChange{User: appointed(x, users, talk).ID, Field: "remove.0"}); got != "" {
		t.Errorf("SetModerators that removes one: %q", got)
	}

	// A process that dies leaves a place reserved for a while.
	died := x.Dies(2, func(s *store.Store) {
		s.Acts.SetModerators(x.Ctx, mod, talk, appoints(newcomer(x, users, talk)),
			forum.Grounds{Reason: forum.ReasonOther})
	})
	if got := moderatorsOf(x, talk); !died || got != [2]int64{int64(last), 1} {
		t.Errorf("after a process died (%t), the category has %d moderators; want %d and one place", died, got, last)
	}
	other := newcomers(x, users, talk)[1]
	if got := set(appoints(other)...); got != forum.CodeTooLong {
		t.Errorf("SetModerators while the last place is reserved: %q; want %q", got, forum.CodeTooLong)
	}
	x.Clock.Advance(time.Duration(acts.ReservationLife+1) * time.Millisecond)
	if got := set(appoints(other)...); got != "" {
		t.Errorf("SetModerators when the reservation is void: %q", got)
	}
	if got := moderatorsOf(x, talk); got != [2]int64{int64(last + 1), 0} {
		t.Errorf("in the end, the category has %d moderators; want %d", got, last+1)
	}
	if err := x.Flush(x.Ctx); err != nil {
		t.Errorf("Flush: %v", err)
	}
	x.WantSound()
}

// newcomers returns the users who do not moderate a category, newcomer the first of them, appointed one who does.
func newcomers(x *storetest.Site, users []*forum.Viewer, id forum.CategoryID) []*forum.Viewer {
	var found []*forum.Viewer
	for _, u := range users {
		if x.Redis.ZScore(x.Ctx, key.CategoryModerators(id), key.Itoa(u.ID)).Val() <= 0 {
			found = append(found, u)
		}
	}
	return found
}

func newcomer(x *storetest.Site, users []*forum.Viewer, id forum.CategoryID) *forum.Viewer {
	return newcomers(x, users, id)[0]
}

func appointed(x *storetest.Site, users []*forum.Viewer, id forum.CategoryID) *forum.Viewer {
	for _, u := range users {
		if x.Redis.ZScore(x.Ctx, key.CategoryModerators(id), key.Itoa(u.ID)).Val() > 0 {
			return u
		}
	}
	return nil
}
