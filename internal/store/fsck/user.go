package fsck

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/follows"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// uncheckedUserFields are the fields of an account that other rules are about, and the password: of that, only its
// presence is checked.
var uncheckedUserFields = []string{"password", "noteSeq", "noteFloor", record.ReadsField}

// checkedUserFields are the others.
var checkedUserFields = catalogue.User.Names(uncheckedUserFields...)

// userView is an account.
type userView struct {
	id     forum.UserID
	f      record.Fields
	cleans bool // a task follows the account's deletion
}

func (u *userView) key() string { return key.User(u.id) }

// loss is what a prune deletes if an account cannot be repaired.
func (c *checker) loss(u *userView) check.Loss {
	return check.Loss{Fix: c.Forget(u.id),
		What: "the account of user " + key.Itoa(u.id) + ", which becomes a deleted one"}
}

// need reports a field of an account unless it is ok.
func (c *checker) need(l *check.Look, u *userView, name string, ok bool) {
	l.Need(c.loss(u), RuleUserFields, u.key(), u.f, name, ok)
}

// user checks an account.
func (c *checker) user(l *check.Look) {
	id := forum.UserID(l.On.ID)
	u := &userView{id: id}
	hash, topics := l.Fields(u.key(), checkedUserFields), l.Size(key.Profile(id))
	mark, release := l.Marked(id.Partition(), "u:"+key.Itoa(id)), l.Next().SCard(l.Ctx, key.Release(id))
	cleanup := l.Exists(key.Task(id.Partition(), record.AccountCleanupTask(id)))
	l.Wait()
	u.f, u.cleans = hash(), check.Exists(cleanup)
	switch u.f["state"] {
	case catalogue.UserActive:
		c.account(l, u, "created")
		c.names(l, u)
		c.sessions(l, u)
		c.externals(l, u, int(topics.Val()))
		c.invitations(l, u)
		c.ban(l, u)
		c.moderates(l, u)
		c.approved(l, id)
		c.unfinished(l, u, "newLoginNonce", "newLoginSince")
		c.unfinished(l, u, "newEmailNonce", "newEmailSince")
	case catalogue.UserApplied:
		c.account(l, u, "applied")
		c.rejection(l, u)
	case catalogue.UserDeleted:
		c.deletedAccount(l, u)
	case catalogue.UserPending, catalogue.UserAbandoned:
		c.unfinished(l, u, "state", "since")
	}
	if check.IsAuthor(u.f["state"]) {
		l.WantCount(u.key(), u.f, "topics", int(topics.Val()), key.Profile(id))
		l.Imported(u.key(), "u", u.f["src"], cmp.Or(u.f["nonce"], "0"))
	}
	if len(u.f) > 0 {
		l.WrongFields(c.loss(u), RuleUserFields, u.key(), u.f, catalogue.User.Wrong(u.f, uncheckedUserFields...))
	}
	if u.f["state"] != catalogue.UserActive {
		c.lostKeys(l, u)
	}
	if release.Val() > 0 && !check.Is(mark) {
		l.Add(RuleRelease, key.Release(id), c.sweep(id), "%d claims to release, but no mark", release.Val())
	}
}

// lostKeys reports keys that a user in that state cannot have. All of them can be rebuilt, or are worthless, or other
// findings follow from them.
func (c *checker) lostKeys(l *check.Look, u *userView) {
	id, state := u.id, u.f["state"]
	lost := []string{key.Sessions(id), key.Externals(id), key.Tokens(id), key.Invitations(id), key.VoteLog(id),
		key.Approved(id), key.Notes(id), key.Unread(id), key.Note(id), key.Karma(id)}
	if box := key.UserCommentsContainer(id); !check.IsAuthor(state) {
		lost = append(lost, key.Profile(id), box.Order(key.OrderCreated), box.Revisions(), box.Removed())
	}
	if !u.cleans {
		lost = append(append(lost, key.Home(id), key.Marks(id), key.Marked(id)), follows.KeysOf(id)...)
	}
	l.Orphans(false, fmt.Sprintf("user %d is %q", id, state), lost...)
}

// deletedAccount checks a deleted account.
func (c *checker) deletedAccount(l *check.Look, u *userView) {
	c.need(l, u, "deleted", u.f["deleted"] != "")
	c.need(l, u, "created", u.f["created"]+u.f["applied"] != "")
	password, erasure := l.Field(u.key(), "password"), l.Exists(key.Task(u.id.Partition(), record.EraseTask(u.id)))
	l.Wait()
	left := slices.DeleteFunc(slices.Concat(catalogue.User.Erased()), func(name string) bool {
		_, there := u.f[name]
		return !there && (name != "password" || !check.Is(password))
	})
	if u.f["moderates"]+u.f["moderatesRev"] != "" && !u.cleans {
		left = append(left, "moderates", "moderatesRev")
	}
	if len(left) > 0 {
		l.Add(RuleDeletedUser, u.key(), check.Unset(u.key(), left...), "is deleted but has %v", left)
	}
	if u.f["erase"] != "" && !check.Exists(erasure) {
		l.Add(RuleErasure, u.key(), check.Fix{Run: func(ctx context.Context) error {
			return c.s.Accounts.DeleteUser(ctx, u.id, true)
		}}, "what the user wrote is to be deleted, but no task does so")
	}
	if hash := u.f["external"]; hash != "" && u.f["externalGone"] == "" {
		c.externalOf(l, u, hash)
	}
}

// approved checks that posts that count as approved for a user were. The reverse is checked with the acts.
func (c *checker) approved(l *check.Look, id forum.UserID) {
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
			l.Add(acts.RuleApproved, k, check.Command("srem", k, name), "%q of user %d was not approved", name, id)
		}
	})
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
	a, sessions := l.Fields(key.Act(forum.ActID(u.f.Int("banAct"))), []string{"kind", "member", "reversedBy"}),
		l.Exists(key.Sessions(u.id))
	l.Wait()
	if act := a(); !slices.Contains(forum.BanScopes, ban.Scope) || !u.f.IsWhole("banUntil", 0) ||
		!slices.Contains(forum.Reasons, ban.Reason) || act["kind"] != string(forum.ActBan) ||
		act["member"] != key.Itoa(u.id) || act["reversedBy"] != "" {
		l.Add(RuleBan, u.key(), check.Fix{}, "is banned from %q until %q for %q by act %q: %q of user %q, ended by %q",
			u.f["ban"], u.f["banUntil"], u.f["banReason"], u.f["banAct"], act["kind"], act["member"], act["reversedBy"])
	} else if check.Exists(sessions) && ban.BarsSignIn(c.Engine.Now()) {
		l.Add(RuleBan, key.Sessions(u.id), check.Remove(key.Sessions(u.id)).Given(u.key()),
			"is banned from signing in, but has sessions")
	}
}

// rejection checks that an act rejected the application of a user, if it is rejected.
func (c *checker) rejection(l *check.Look, u *userView) {
	if u.f["rejection"] == "" {
		return
	}
	a := l.Fetch(key.Act(forum.ActID(u.f.Int("rejection"))), "kind", "member")
	if a["kind"] != string(forum.ActRejectAccount) || a["member"] != key.Itoa(u.id) {
		l.Lose(check.Loss{Fix: check.Unset(u.key(), "rejection"),
			What: fmt.Sprintf("that the account of user %d was rejected", u.id)}, RuleRejection, u.key(),
			"is rejected by act %q: %q of user %q", u.f["rejection"], a["kind"], a["member"])
	}
}

// moderators compares the moderators of a category with what these users moderate. The reverse is checked with the
// users.
func (c *checker) moderators(l *check.Look) {
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

// moderates checks what an active user moderates.
func (c *checker) moderates(l *check.Look, u *userView) {
	ids := record.ParseIDs[forum.CategoryID](u.f["moderates"])
	sorted := slices.Sorted(slices.Values(ids))
	c.need(l, u, "moderates", len(slices.Compact(sorted)) == len(ids) && len(ids) <= forum.MaxModerated)
	c.need(l, u, "moderatesRev", u.f.IsWholeOrNone("moderatesRev", 1))
	check.Each(l, ids, func(l *check.Look, id forum.CategoryID) {
		k := key.CategoryModerators(id)
		exists, at := l.Exists(key.Category(id)), l.Score(k, key.Itoa(u.id))
		l.Wait()
		switch {
		case !check.Exists(exists):
			l.Add(RuleModerators, u.key(), check.Fix{Run: func(ctx context.Context) error {
				b := c.rdb.Batch()
				c.s.Acts.QueueUnmoderate(ctx, b, u.id, id)
				return b.Exec(ctx)
			}}, "moderates category %d, which does not exist", id)
		case at.Val() <= 0:
			l.Add(RuleModerators, k, check.Put(k, key.Itoa(u.id), float64(max(1, u.f.Int("moderatesRev")))),
				"user %d moderates category %d, but is not entered", u.id, id)
		}
	})
}
