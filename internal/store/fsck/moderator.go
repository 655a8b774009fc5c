package fsck

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// moderators compares the moderators of a category with what these users moderate. The reverse is checked with the
// users.
func (c *checker) moderators(l *check.Look) {
	id := forum.CategoryID(l.On.ID)
	k := key.CategoryModerators(id)
	entered, exists := l.ZSet(k), l.Exists(key.Category(id))
	l.Wait()
	if n := len(entered.Val()); n > 0 && exists.Val() == 0 {
		l.Add(RuleModerators, k, check.Remove(k), "%d entries, but there is no category %d", n, id)
		return
	}
	check.Each(l, entered.Val(), func(l *check.Look, z redis.Z) {
		name := z.Member.(string)
		if user, reserved := strings.CutPrefix(name, "s"); reserved && z.Score > 0 && z.Score < 1 {
			if _, err := forum.ParseID[forum.UserID](user); err == nil {
				return
			}
		}
		// The account may have been deleted: until the task that follows has taken the user out of the category, the
		// fields stay.
		f := l.Fetch(key.User(forum.UserID(record.Atoi(name))), "state", "moderates")
		if z.Score >= 0 && !slices.Contains(record.ParseIDs[forum.CategoryID](f["moderates"]), id) {
			l.Add(RuleModerators, k, check.Drop(k, name), "%q is entered, but is %q and moderates %q", name, f["state"],
				f["moderates"])
		}
	})
}

// moderates checks what an active user moderates.
func (c *checker) moderates(l *check.Look, u *userView) {
	ids := record.ParseIDs[forum.CategoryID](u.f["moderates"])
	sorted := slices.Sorted(slices.Values(ids))
	u.need(l, "moderates", len(slices.Compact(sorted)) == len(ids) && len(ids) <= forum.MaxModerated)
	u.need(l, "moderatesRev", u.f.IsWholeOrNone("moderatesRev", 1))
	check.Each(l, ids, func(l *check.Look, id forum.CategoryID) {
		k := key.CategoryModerators(id)
		exists, at := l.Exists(key.Category(id)), l.Score(k, key.Itoa(u.id))
		l.Wait()
		switch {
		case exists.Val() == 0:
			end := check.Fix{Run: func(ctx context.Context) error { return c.repairer.Unmoderate(ctx, u.id, id) }}
			l.Add(RuleModerators, u.key(), end, "moderates category %d, which does not exist", id)
		case at.Val() <= 0:
			l.Add(RuleModerators, k, check.Put(k, key.Itoa(u.id), float64(max(1, u.f.Int("moderatesRev")))),
				"user %d moderates category %d, but is not entered", u.id, id)
		}
	})
}

// rejection checks that an act rejected the application of a user, if it is rejected.
func (c *checker) rejection(l *check.Look, u *userView) {
	if u.f["rejection"] == "" {
		return
	}
	a := l.Fetch(key.Act(forum.ActID(u.f.Int("rejection"))), "kind", "member")
	if a["kind"] != string(forum.ActRejectAccount) || a["member"] != key.Itoa(u.id) {
		l.Add(RuleRejection, u.key(), check.Fix{}, "is rejected by act %q: %q of user %q", u.f["rejection"], a["kind"],
			a["member"])
	}
}

// ban checks the ban of an active user: its act is one that banned the user and was not ended, and who is banned from
// signing in has no sessions.
func (c *checker) ban(l *check.Look, u *userView) {
	ban := record.ParseBan(u.f)
	if ban == nil {
		left := slices.DeleteFunc(slices.Clone(record.BanFields), func(name string) bool { return u.f[name] == "" })
		if len(left) > 0 {
			l.Add(RuleBan, u.key(), check.Unset(u.key(), left...), "has %q, but no ban", left)
		}
		return
	}
	if !slices.Contains(forum.BanScopes, ban.Scope) || !u.f.IsWhole("banUntil", 0) ||
		!slices.Contains(forum.Reasons, ban.Reason) {
		l.Add(RuleBan, u.key(), check.Fix{}, "is banned from %q until %q for %q", u.f["ban"], u.f["banUntil"],
			u.f["banReason"])
		return
	}
	a := l.Fetch(key.Act(forum.ActID(u.f.Int("banAct"))), "kind", "member", "reversedBy")
	if a["kind"] != string(forum.ActBan) || a["member"] != key.Itoa(u.id) || a["reversedBy"] != "" {
		l.Add(RuleBan, u.key(), check.Fix{}, "is banned by act %q: %q of user %q, ended by %q", u.f["banAct"],
			a["kind"], a["member"], a["reversedBy"])
	}
	if n := len(u.sessions); n > 0 && ban.BarsSignIn(c.Engine.Now()) {
		l.Add(RuleBan, key.Sessions(u.id), check.Remove(key.Sessions(u.id)).Given(u.key()),
			"is banned from signing in, but has %d sessions", n)
	}
}
