package acts

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// moderates checks what an active user moderates, and the posts that count as approved for the user.
func (c checks) moderates(l *check.Look) {
	user := forum.UserID(l.On.ID)
	f := l.Fetch(key.User(user), "state", "moderates", "moderatesRev")
	if f["state"] != catalogue.UserActive {
		return
	}
	c.approved(l, user)
	check.Each(l, record.ParseIDs[forum.CategoryID](f["moderates"]), func(l *check.Look, id forum.CategoryID) {
		k := key.CategoryModerators(id)
		exists, at := l.Exists(key.Category(id)), l.Score(k, key.Itoa(user))
		l.Wait()
		switch {
		case !check.Exists(exists):
			l.Add(RuleModerators, key.User(user), check.Fix{Run: func(ctx context.Context) error {
				b := c.engine.Client.Batch()
				c.QueueUnmoderate(ctx, b, user, id)
				return b.Exec(ctx)
			}}, "moderates category %d, which does not exist", id)
		case at.Val() <= 0:
			l.Add(RuleModerators, k, check.Put(k, key.Itoa(user), float64(max(1, f.Int("moderatesRev")))),
				"user %d moderates category %d, but is not entered", user, id)
		}
	})
}

// approved checks that posts that count as approved for a user were. The reverse is checked with the acts.
func (c checks) approved(l *check.Look, id forum.UserID) {
	k := key.Approved(id)
	names := l.Next().SMembers(l.Ctx, k)
	l.Wait()
	check.Each(l, names.Val(), func(l *check.Look, name string) {
		on, _ := record.ParseActSubject(name) // none, of which there are no acts, if malformed
		of := l.Next().ZRange(l.Ctx, key.SubjectActs(on), 0, -1)
		l.Wait()
		was := false
		check.Each(l, of.Val(), func(l *check.Look, member string) {
			n, _, _ := record.ParseMember(member)
			f := l.Fetch(key.Act(forum.ActID(n)), "kind", "subject", "member")
			was = was || f["kind"] == string(forum.ActApprove) && f["subject"] == name && f["member"] == key.Itoa(id)
		})
		if !was {
			l.Add(RuleApproved, k, check.Command("srem", k, name), "%q of user %d was not approved", name, id)
		}
	})
}

// moderators compares the moderators of a category with what these users moderate. The reverse is checked with the
// users.
func (c checks) moderators(l *check.Look) {
	id := forum.CategoryID(l.On.ID)
	k := key.CategoryModerators(id)
	entered, exists := l.ZSet(k), l.Exists(key.Category(id))
	l.Wait()
	if !check.Exists(exists) {
		l.Orphans(false, "there is no category "+key.Itoa(id), k)
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
