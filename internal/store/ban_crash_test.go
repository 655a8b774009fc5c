package store_test

import (
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/acts"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/testlevel"
)

// because is why moderators act in tests.
var because = forum.Grounds{Reason: forum.ReasonSpam, Note: "Tea, again."}

// sanctions are what moderators do to users, after what prepares it.
var sanctions = []struct {
	name    string
	kind    forum.ActKind
	before  int // steps before the act
	prepare func(w *sanctionSite) error
	run     func(s *store.Store, w *sanctionSite) error
}{
	{"warn", forum.ActWarn, 0, nil, func(s *store.Store, w *sanctionSite) error {
		_, err := s.Moderation.Warn(w.ctx, w.mia, w.ann.ID, because)
		return err
	}},
	{"ban", forum.ActBan, 0, nil, func(s *store.Store, w *sanctionSite) error {
		_, _, err := s.Moderation.Ban(w.ctx, w.mia, w.ann.ID, forum.Ban{Scope: forum.BanSignIn, Grounds: because})
		return err
	}},
	{"unban", forum.ActUnban, 0, func(w *sanctionSite) error {
		_, _, err := w.Moderation.Ban(w.ctx, w.mia, w.ann.ID, forum.Ban{Scope: forum.BanPost, Grounds: because})
		return err
	}, func(s *store.Store, w *sanctionSite) error {
		_, err := s.Moderation.Unban(w.ctx, w.mia, w.ann.ID, because)
		return err
	}},
	{"give a role", forum.ActSetRole, 0, nil, func(s *store.Store, w *sanctionSite) error {
		return s.Accounts.GiveRole(w.ctx, w.mia, w.ann.ID, forum.RoleModerator, because)
	}},
	{"set moderators", forum.ActSetStaff, 1, nil, func(s *store.Store, w *sanctionSite) error {
		_, err := s.Acts.SetModerators(w.ctx, w.mia, w.tea, []acts.ModeratorChange{{User: w.ann.ID, On: true,
			Field: "add.0"}},
			because)
		return err
	}},
}

// sanctionSite is a site with a moderator, a member and a category.
type sanctionSite struct {
	*site
	mia, ann *forum.Viewer
	tea      forum.CategoryID
}

func newSanctionSite(t *testing.T) *sanctionSite {
	x := newSite(t)
	w := &sanctionSite{site: x, mia: x.Moderator("mia"), ann: x.User("ann")}
	w.tea = x.Category("Tea")
	return w
}

// acts returns the acts of a kind by mia on ann that exist, and those that a list has.
func (w *sanctionSite) acts(kind forum.ActKind, list string) (made, listed []forum.ActID) {
	w.t.Helper()
	for _, k := range w.rdb.Keys(w.ctx, key.ActPrefix(w.ann.ID.Partition())+"*").Val() {
		if f := w.hash(k); f["kind"] == string(kind) && f["by"] == key.Itoa(w.mia.ID) {
			made = append(made, forum.ActID(record.Atoi(k[len(key.ActPrefix(w.ann.ID.Partition())):])))
		}
	}
	for _, m := range w.rdb.ZRange(w.ctx, list, 0, -1).Val() {
		if id, _, _ := record.ParseMember(m); slices.Contains(made, forum.ActID(id)) {
			listed = append(listed, forum.ActID(id))
		}
	}
	slices.Sort(made)
	slices.Sort(listed)
	return made, listed
}

// What a moderator does may be killed before any step: it is done and logged, and the member is notified, or nothing
// happens.
func TestCrashOfSanctionsAtEveryStep(t *testing.T) {
	testlevel.Sequential(t)
	for _, s := range sanctions {
		t.Run(s.name, func(t *testing.T) {
			for n, died := 1, true; died; n++ {
				w := newSanctionSite(t)
				if s.prepare != nil {
					wantOK(t, "prepare", s.prepare(w))
					w.settle()
				}
				died = w.dies(n, func(st *store.Store) { s.run(st, w) })
				w.clock.Advance(time.Minute)
				w.settle()
				for _, list := range []string{key.ModerationLog, key.ModerationLogOf(s.kind), key.UserActs(w.mia.ID),
					key.UserRecord(w.ann.ID)} {
					made, listed := w.acts(s.kind, list)
					if !slices.Equal(made, listed) || len(made) != min(max(n-1-s.before, 0), 1) {
						t.Errorf("killed before step %d: acts %v; %s has %v", n, made, list, listed)
					}
					for _, id := range made {
						if !w.rdb.HExists(w.ctx, key.Note(w.ann.ID), "m"+key.Itoa(id)).Val() {
							t.Errorf("killed before step %d: ann was not notified of act %d", n, id)
						}
					}
				}
				if s.kind == forum.ActSetStaff {
					score := w.rdb.ZScore(w.ctx, key.CategoryModerators(w.tea), key.Itoa(w.ann.ID)).Val()
					if is := w.hash(key.User(w.ann.ID))["moderates"]; (score > 0) != (is == key.Itoa(w.tea)) {
						t.Errorf("killed before step %d: ann moderates %q, the category has %v", n, is, score)
					}
				}
				wantOK(t, "again", s.run(w.Store, w))
				w.settle()
				if left := w.rdb.ZCard(w.ctx, key.Dirty(w.ann.ID.Partition())).Val(); left > 0 {
					t.Errorf("killed before step %d: %d dirty marks are left", n, left)
				}
			}
		})
	}
}

// A ban ends all sessions in the script that bans, and no other begins.
func TestBanEndsSessions(t *testing.T) {
	w := newSanctionSite(t)
	w.Session(w.ann.ID, "digest", forum.SessionLife)
	until := w.Engine.Now() + 1000
	_, changed, err := w.Moderation.Ban(w.ctx, w.mia, w.ann.ID, forum.Ban{Scope: forum.BanSignIn, Until: until,
		Grounds: because})
	wantOK(t, "Ban", err)
	if got := w.hash(key.Sessions(w.ann.ID)); !changed || len(got) > 0 {
		t.Errorf("changed %t, sessions %v; want true and none", changed, got)
	}
	begin := func() forum.Code {
		return forum.CodeOf(w.Accounts.StartSession(w.ctx, accounts.NewSession{User: w.ann.ID, Digest: "other",
			Ends: w.Engine.Now() + 100_000}))
	}
	w.clock.Advance(time.Second - time.Millisecond)
	if got := begin(); got != forum.CodeBanned {
		t.Errorf("StartSession a millisecond before the end = %q; want %q", got, forum.CodeBanned)
	}
	w.clock.Advance(time.Millisecond)
	if got := begin(); got != "" {
		t.Errorf("StartSession at the end = %q; want none", got)
	}
}

// A note of an older change of what a user moderates does not replace that of a newer one.
func TestLateNotesOfModerators(t *testing.T) {
	w := newSanctionSite(t)
	for _, on := range []bool{true, false, true} {
		_, err := w.Acts.SetModerators(w.ctx, w.mia, w.tea, []acts.ModeratorChange{{User: w.ann.ID, On: on,
			Field: "add.0"}}, because)
		wantOK(t, "SetModerators", err)
	}
	made, _ := w.acts(forum.ActSetStaff, key.ModerationLog)
	slices.Reverse(made)
	for range 2 {
		for _, id := range made {
			wantOK(t, "sweepActs", w.Acts.SweepActs(w.ctx, id.Partition(), []forum.ActID{id}))
		}
	}
	if got := w.rdb.ZScore(w.ctx, key.CategoryModerators(w.tea), key.Itoa(w.ann.ID)).Val(); got != 3 {
		t.Errorf("the category has ann at %v; want 3, as of the last change", got)
	}
}
