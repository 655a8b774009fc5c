package moderation_test

import (
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/acts"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/sessions"
	"agora/internal/store/storetest"
	"agora/internal/test/testlevel"
)

// sanctions are what moderators do to users, after what prepares it.
var sanctions = []struct {
	name    string
	kind    forum.ActKind
	before  int // steps before the act
	prepare func(w *storetest.Sanctioned) error
	run     func(s *store.Store, w *storetest.Sanctioned) error
}{
	{"warn", forum.ActWarn, 0, nil, func(s *store.Store, w *storetest.Sanctioned) error {
		_, err := s.Moderation.Warn(w.Ctx, w.Mia, w.Ann.ID, storetest.Because)
		return err
	}},
	{"ban", forum.ActBan, 0, nil, func(s *store.Store, w *storetest.Sanctioned) error {
		_, _, err := s.Moderation.Ban(w.Ctx, w.Mia, w.Ann.ID,
			forum.Ban{Scope: forum.BanSignIn, Grounds: storetest.Because})
		return err
	}},
	{"unban", forum.ActUnban, 0, func(w *storetest.Sanctioned) error {
		_, _, err := w.Moderation.Ban(w.Ctx, w.Mia, w.Ann.ID,
			forum.Ban{Scope: forum.BanPost, Grounds: storetest.Because})
		return err
	}, func(s *store.Store, w *storetest.Sanctioned) error {
		_, err := s.Moderation.Unban(w.Ctx, w.Mia, w.Ann.ID, storetest.Because)
		return err
	}},
	{"give a role", forum.ActSetRole, 0, nil, func(s *store.Store, w *storetest.Sanctioned) error {
		return s.Accounts.GiveRole(w.Ctx, w.Mia, w.Ann.ID, forum.RoleModerator, storetest.Because)
	}},
	{"set moderators", forum.ActSetStaff, 1, nil, func(s *store.Store, w *storetest.Sanctioned) error {
		_, err := s.Acts.SetModerators(w.Ctx, w.Mia, w.Tea, []acts.ModeratorChange{{User: w.Ann.ID, On: true,
			Field: "add.0"}},
			storetest.Because)
		return err
	}},
}

// actsOf returns the acts of a kind by mia on ann that exist, and those that a list has.
func actsOf(w *storetest.Sanctioned, kind forum.ActKind, list string) (made, listed []forum.ActID) {
	w.T.Helper()
	for _, k := range w.Redis.Keys(w.Ctx, key.ActPrefix(w.Ann.ID.Partition())+"*").Val() {
		if f := w.Hash(k); f["kind"] == string(kind) && f["by"] == key.Itoa(w.Mia.ID) {
			made = append(made, forum.ActID(record.Atoi(k[len(key.ActPrefix(w.Ann.ID.Partition())):])))
		}
	}
	for _, m := range w.Redis.ZRange(w.Ctx, list, 0, -1).Val() {
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
				w := storetest.NewSanctioned(t)
				if s.prepare != nil {
					storetest.WantOK(t, "prepare", s.prepare(w))
					w.Settle()
				}
				died = w.Dies(n, func(st *store.Store) { s.run(st, w) })
				w.Clock.Advance(time.Minute)
				w.Settle()
				for _, list := range []string{key.ModerationLog, key.ModerationLogOf(s.kind), key.UserActs(w.Mia.ID),
					key.UserRecord(w.Ann.ID)} {
					made, listed := actsOf(w, s.kind, list)
					if !slices.Equal(made, listed) || len(made) != min(max(n-1-s.before, 0), 1) {
						t.Errorf("killed before step %d: acts %v; %s has %v", n, made, list, listed)
					}
					for _, id := range made {
						if !w.Redis.HExists(w.Ctx, key.Note(w.Ann.ID), "m"+key.Itoa(id)).Val() {
							t.Errorf("killed before step %d: ann was not notified of act %d", n, id)
						}
					}
				}
				if s.kind == forum.ActSetStaff {
					score := w.Redis.ZScore(w.Ctx, key.CategoryModerators(w.Tea), key.Itoa(w.Ann.ID)).Val()
					if is := w.Hash(key.User(w.Ann.ID))["moderates"]; (score > 0) != (is == key.Itoa(w.Tea)) {
						t.Errorf("killed before step %d: ann moderates %q, the category has %v", n, is, score)
					}
				}
				storetest.WantOK(t, "again", s.run(w.Store, w))
				w.Settle()
				if left := w.Redis.ZCard(w.Ctx, key.Dirty(w.Ann.ID.Partition())).Val(); left > 0 {
					t.Errorf("killed before step %d: %d dirty marks are left", n, left)
				}
			}
		})
	}
}

// A ban ends all sessions in the script that bans, and no other begins.
func TestBanEndsSessions(t *testing.T) {
	w := storetest.NewSanctioned(t)
	w.Session(w.Ann.ID, "digest", forum.SessionLife)
	until := w.Engine.Now() + 1000
	_, changed, err := w.Moderation.Ban(w.Ctx, w.Mia, w.Ann.ID, forum.Ban{Scope: forum.BanSignIn, Until: until,
		Grounds: storetest.Because})
	storetest.WantOK(t, "Ban", err)
	if got := w.Hash(key.Sessions(w.Ann.ID)); !changed || len(got) > 0 {
		t.Errorf("changed %t, sessions %v; want true and none", changed, got)
	}
	begin := func() forum.Code {
		return forum.CodeOf(w.Sessions.StartSession(w.Ctx, sessions.NewSession{User: w.Ann.ID, Digest: "other",
			Ends: w.Engine.Now() + 100_000}))
	}
	w.Clock.Advance(time.Second - time.Millisecond)
	if got := begin(); got != forum.CodeBanned {
		t.Errorf("StartSession a millisecond before the end = %q; want %q", got, forum.CodeBanned)
	}
	w.Clock.Advance(time.Millisecond)
	if got := begin(); got != "" {
		t.Errorf("StartSession at the end = %q; want none", got)
	}
}

// A note of an older change of what a user moderates does not replace that of a newer one.
func TestLateNotesOfModerators(t *testing.T) {
	w := storetest.NewSanctioned(t)
	for _, on := range []bool{true, false, true} {
		_, err := w.Acts.SetModerators(w.Ctx, w.Mia, w.Tea, []acts.ModeratorChange{{User: w.Ann.ID, On: on,
			Field: "add.0"}}, storetest.Because)
		storetest.WantOK(t, "SetModerators", err)
	}
	made, _ := actsOf(w, forum.ActSetStaff, key.ModerationLog)
	slices.Reverse(made)
	for range 2 {
		for _, id := range made {
			storetest.WantOK(t, "sweepActs", w.Acts.SweepActs(w.Ctx, id.Partition(), []forum.ActID{id}))
		}
	}
	if got := w.Redis.ZScore(w.Ctx, key.CategoryModerators(w.Tea), key.Itoa(w.Ann.ID)).Val(); got != 3 {
		t.Errorf("the category has ann at %v; want 3, as of the last change", got)
	}
}
