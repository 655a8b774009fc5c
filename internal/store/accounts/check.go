package accounts

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/follows"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// The rules of this package.
const (
	// RuleUserFields: state and role are known, names and times are present. Only reported.
	RuleUserFields check.Rule = "user-fields"
	// RuleUserPartition: a user is in the partition of the login, an imported one in that of the
	// source. Only reported.
	RuleUserPartition check.Rule = "user-partition"
	// RuleUserClaim: an active user's login, and e-mail if any, are claimed with the user's id and
	// the nonce of each. Repair claims free names.
	RuleUserClaim check.Rule = "user-claim"
	// RuleUnfinished: a registration, or a change of e-mail or login, is completed or abandoned within a minute. Repair
	// abandons it.
	RuleUnfinished check.Rule = "unfinished"
	// RuleLooks: a user's account names the claims on all looks of the login, which are made if they were free. Repair
	// makes them.
	RuleLooks check.Rule = "looks"
	// RuleDeletedUser: a deleted account has no name, e-mail, password, role or nonce. Repair
	// removes them.
	RuleDeletedUser check.Rule = "deleted-user"
	// RuleRelease: claims to be released are marked for the sweeper. Repair releases them.
	RuleRelease check.Rule = "release-unmarked"
	// RuleStaleClaim: a claim belongs to an active user with that name and nonce, belongs to a
	// registration or change of e-mail in progress, or is about to be released. Repair releases it.
	RuleStaleClaim check.Rule = "stale-claim"
	// RuleErasure: if what a deleted user wrote is to be deleted, a task does so. Repair arms it.
	RuleErasure check.Rule = "erasure"
	// RuleExternalRecord: an account at an issuer leads to the user who has it, also after the user was deleted, so
	// that no other user is made for it. Repair writes that.
	RuleExternalRecord check.Rule = "external-record"
	// RulePrepared: a member who has not come yet has posted nothing. Repair notes that the member has come.
	RulePrepared check.Rule = "prepared"
	// RuleInvitationUse: who took a use of an invitation registered with it, and the reverse, as long as the invitation
	// is kept. Repair gives uses of others back; one that was not noted is only reported.
	RuleInvitationUse check.Rule = "invitation-use"
	// RuleRejection: an application that is rejected was so by an act. Only reported.
	RuleRejection check.Rule = "rejection"
)

// checks are the checks of accounts and of claims on names.
type checks struct{ *Store }

// Checks returns what is checked of accounts, the names that they claim, and their accounts at issuers.
func (s *Store) Checks() check.Subject {
	c := checks{s}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){check.OnUser: c.user},
		Keys: map[catalogue.Object]func(*check.Look, catalogue.Key){
			catalogue.OfClaim:    func(l *check.Look, _ catalogue.Key) { c.claimKey(l) },
			catalogue.OfExternal: func(l *check.Look, k catalogue.Key) { c.external(l, k.Text) },
		},
		Swept: []check.Rule{RuleUnfinished, RuleStaleClaim},
		Tasks: map[record.TaskKind]check.Task{
			record.TaskAccountCleanup: check.TaskOf(check.TaskUser, "state", check.IsDeleted, nil),
		},
	}
}

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
func loss(l *check.Look, u *userView) check.Loss {
	return check.Loss{Fix: l.Forget(u.id),
		What: "the account of user " + key.Itoa(u.id) + ", which becomes a deleted one"}
}

// need reports a field of an account unless it is ok.
func need(l *check.Look, u *userView, name string, ok bool) {
	l.Need(loss(l, u), RuleUserFields, u.key(), u.f, name, ok)
}

// user checks an account.
func (c checks) user(l *check.Look) {
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
		names(l, u)
		c.externals(l, u, int(topics.Val()))
		c.invitations(l, u)
		moderates(l, u)
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
		l.WrongFields(loss(l, u), RuleUserFields, u.key(), u.f, catalogue.User.Wrong(u.f, uncheckedUserFields...))
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
func (c checks) lostKeys(l *check.Look, u *userView) {
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
func (c checks) deletedAccount(l *check.Look, u *userView) {
	need(l, u, "deleted", u.f["deleted"] != "")
	need(l, u, "created", u.f["created"]+u.f["applied"] != "")
	password, erasure := l.Field(u.key(), "password"), l.Exists(key.Task(u.id.Partition(), record.EraseTask(u.id)))
	l.Wait()
	left := slices.DeleteFunc(slices.Concat(catalogue.User.Erased()), func(name string) bool {
		_, there := u.f[name]
		return !there && (name != "password" || !check.Is(password))
	})
	if u.f["moderates"]+u.f["moderatesRev"] != "" && !u.cleans {
		left = append(left, "moderates", "moderatesRev")
	}
	if u.f["groupsRev"] != "" && !u.cleans {
		left = append(left, "groupsRev")
	}
	if len(left) > 0 {
		l.Add(RuleDeletedUser, u.key(), check.Unset(u.key(), left...), "is deleted but has %v", left)
	}
	if u.f["erase"] != "" && !check.Exists(erasure) {
		l.Add(RuleErasure, u.key(), check.Fix{Run: func(ctx context.Context) error {
			return c.DeleteUser(ctx, u.id, true)
		}}, "what the user wrote is to be deleted, but no task does so")
	}
	if hash := u.f["external"]; hash != "" && u.f["externalGone"] == "" {
		c.externalOf(l, u, hash)
	}
}

// rejection checks that an act rejected the application of a user, if it is rejected.
func (c checks) rejection(l *check.Look, u *userView) {
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

// moderates checks the fields that say what an active user moderates.
func moderates(l *check.Look, u *userView) {
	ids := record.ParseIDs[forum.CategoryID](u.f["moderates"])
	sorted := slices.Sorted(slices.Values(ids))
	need(l, u, "moderates", len(slices.Compact(sorted)) == len(ids) && len(ids) <= forum.MaxModerated)
	need(l, u, "moderatesRev", u.f.IsWholeOrNone("moderatesRev", 1))
}
