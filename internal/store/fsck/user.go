package fsck

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// uncheckedUserFields are the fields of an account that other rules are about, and the password: of that, only its
// presence is checked.
var uncheckedUserFields = []string{"password", "noteSeq", "noteFloor", record.ReadsField}

// checkedUserFields are the others.
var checkedUserFields = slices.DeleteFunc(catalogue.User.Names(), func(name string) bool {
	return slices.Contains(uncheckedUserFields, name)
})

// userView is an account as read from its keys.
type userView struct {
	id        forum.UserID
	f         record.Fields
	secret    bool // has a password, perhaps an empty one
	sessions  map[string]string
	life      time.Duration // expiry of the sessions; negative if none
	tokens    map[string]string
	idle      time.Duration // expiry of the API tokens; negative if none
	profile   []redis.Z
	externals map[string]string // accounts at issuers
	// invitations are those that the user made.
	invitations map[string]string
	approved    []string // posts that count as approved
	logged      int64    // votes in the log
	cleans      bool     // a task follows the account's deletion
	erases      bool     // a task deletes what the user wrote
}

func (u *userView) key() string { return key.User(u.id) }

// isAuthor reports whether a user in that state may have written something.
func isAuthor(state string) bool {
	return state == catalogue.UserActive || state == catalogue.UserDeleted
}

// user checks an account.
func (l *look) user() {
	id := forum.UserID(l.on.id)
	u := &userView{id: id}
	hash, password := l.hmget(u.key(), checkedUserFields), l.field(u.key(), "password")
	mark, release := l.marked(id.Partition(), "u:"+key.Itoa(id)), l.next().SCard(l.ctx, key.Release(id))
	cleanup := l.exists(key.Task(id.Partition(), record.AccountCleanupTask(id)))
	erasure := l.exists(key.Task(id.Partition(), record.EraseTask(id)))
	sessions, life := l.hash(key.Sessions(id)), l.next().PTTL(l.ctx, key.Sessions(id))
	externals, invitations := l.hash(key.Externals(id)), l.hash(key.Invitations(id))
	tokens, idle := l.hash(key.Tokens(id)), l.next().PTTL(l.ctx, key.Tokens(id))
	logged, approved := l.size(key.VoteLog(id)), l.next().SMembers(l.ctx, key.Approved(id))
	l.wait()
	u.f, u.secret, u.logged = hash(), is(password), logged.Val()
	u.sessions, u.life, u.approved, u.cleans = sessions.Val(), life.Val(), approved.Val(), cleanup.Val() > 0
	u.externals, u.invitations, u.erases = externals.Val(), invitations.Val(), erasure.Val() > 0
	u.tokens, u.idle = tokens.Val(), idle.Val()
	u.profile = l.whole(key.Profile(id))[0]
	switch u.f["state"] {
	case catalogue.UserActive:
		l.account(u, "created")
		l.claims(u)
		l.names(u)
		l.pendingChanges(u)
		l.profile(u)
		l.sessions(u)
		l.externals(u)
		l.tokens(u)
		l.invitations(u)
		l.invited(u)
		l.ban(u)
		l.moderates(u)
		each(l, u.approved, func(l *look, name string) { l.approved(id, name) })
		if k := key.VoteLog(id); u.logged > forum.VoteLog {
			l.add(RuleVoteLog, k, command("zremrangebyrank", k, 0, -1-forum.VoteLog), "%d votes; the maximum is %d", u.logged,
				forum.VoteLog)
		}
	case catalogue.UserApplied:
		l.account(u, "applied")
		l.claims(u)
		l.rejection(u)
	case catalogue.UserDeleted:
		l.deletedAccount(u)
		l.profile(u)
	case catalogue.UserPending, catalogue.UserAbandoned:
		if u.f.Time("since")+l.registrationLife() <= l.s.Engine.Now() {
			l.add(RuleRegistration, u.key(), call(l.repairer.SweepUser, id), "has been %s since %s", u.f["state"], u.f["since"])
		}
	}
	if len(u.f) > 0 {
		l.wrongFields(RuleUserFields, u.key(), u.f, catalogue.User.Wrong(u.f, uncheckedUserFields...))
	}
	l.elsewhere(u)
	if u.f["state"] != catalogue.UserActive {
		l.lostKeys(u)
	}
	if release.Val() > 0 && !is(mark) {
		l.add(RuleRelease, key.Release(id), call(l.repairer.SweepUser, id), "%d claims to release, but no mark", release.Val())
	}
}

// elsewhere compares a user with the records of where the account comes from.
func (l *look) elsewhere(u *userView) {
	if isAuthor(u.f["state"]) && u.f["src"] != "" {
		l.importedUser(u)
	}
	if hash := u.f["external"]; hash != "" && u.f["externalGone"] == "" && u.f["state"] == catalogue.UserDeleted {
		l.externalOf(u, hash)
	}
}

// importedUser compares a user with the record of the import.
func (l *look) importedUser(u *userView) {
	imported, nonce := l.text(key.Source(u.id.Partition(), "u", u.f["src"])), u.f["nonce"]
	l.wait()
	if nonce == "" {
		nonce = "0"
	}
	l.imported(u.key(), "u", u.f["src"], imported.Val(), nonce)
}

// lostKeys reports keys that a user in that state cannot have. All of them can be rebuilt or are worthless.
func (l *look) lostKeys(u *userView) {
	id, state := u.id, u.f["state"]
	why := fmt.Sprintf("user %d is %q", id, state)
	l.orphans(false, why, key.Sessions(id), key.Externals(id), key.Tokens(id), key.Invitations(id), key.VoteLog(id),
		key.Approved(id), key.Notes(id), key.Unread(id), key.Note(id), key.Karma(id))
	if box := key.UserCommentsContainer(id); !isAuthor(state) {
		l.orphans(false, why, key.Profile(id), box.Order(key.OrderCreated), box.Revisions(), box.Removed())
	}
	others := []string{key.Home(id), key.HiddenBookmarks(id), key.Lists(id), key.ListNames(id), key.Marks(id), key.Marked(id)}
	for _, set := range slices.Concat(nearSets, farSets) {
		others = append(others, set(id))
	}
	switch left := l.present(others); {
	case len(left) == 0:
	case state != catalogue.UserDeleted:
		l.orphans(false, why, left...)
	case u.cleans:
		l.postpone()
	default:
		l.add(RuleAccountCleanup, u.key(), call(l.cleanUpAccount, id), "is deleted but has %s", strings.Join(left, ", "))
	}
}

// profile checks the topics of a user. Those that are missing, or at the wrong score, are found with the topics.
func (l *look) profile(u *userView) {
	k := key.Profile(u.id)
	l.wantCount(RuleUserTopics, u.key(), u.f, "topics", len(u.profile), k)
	each(l, u.profile, func(l *look, z redis.Z) {
		name := z.Member.(string)
		id, created, _ := record.ParseMember(name) // 0, which is not a topic, if malformed
		t := l.fetch(key.Topic(forum.TopicID(id)), "state", "author", "created")
		if !listed(t["state"]) || t["author"] != key.Itoa(u.id) || created != t.Time("created") {
			l.add(RuleProfileStray, k, drop(k, name).given(u.key()), "%q is not a listed topic of user %d", name, u.id)
		}
	})
}

// approved checks that a post that counts as approved for a user was. The reverse is checked with the acts.
func (l *look) approved(id forum.UserID, name string) {
	on, _ := record.ParseActSubject(name) // none, of which there are no acts, if malformed
	acts := l.next().ZRange(l.ctx, key.SubjectActs(on), 0, -1)
	l.wait()
	was := false
	each(l, acts.Val(), func(l *look, member string) {
		n, _, _ := record.ParseMember(member)
		f := l.fetch(key.Act(forum.ActID(n)), "kind", "subject", "member")
		was = was || f["kind"] == string(forum.ActApprove) && f["subject"] == name && f["member"] == key.Itoa(id)
	})
	if k := key.Approved(id); !was {
		l.add(RuleApproved, k, command("srem", k, name), "%q of user %d was not approved", name, id)
	}
}
