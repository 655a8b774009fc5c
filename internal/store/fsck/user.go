package fsck

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
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
	cleans      bool     // a task follows the account's deletion
	erases      bool     // a task deletes what the user wrote
}

func (u *userView) key() string { return key.User(u.id) }

// user checks an account.
func (c *checker) user(l *check.Look) {
	id := forum.UserID(l.On.ID)
	u := &userView{id: id}
	hash, password := l.Fields(u.key(), checkedUserFields), l.Field(u.key(), "password")
	mark, release := l.Marked(id.Partition(), "u:"+key.Itoa(id)), l.Next().SCard(l.Ctx, key.Release(id))
	cleanup := l.Exists(key.Task(id.Partition(), record.AccountCleanupTask(id)))
	erasure := l.Exists(key.Task(id.Partition(), record.EraseTask(id)))
	sessions, life := l.Hash(key.Sessions(id)), l.Next().PTTL(l.Ctx, key.Sessions(id))
	externals, invitations := l.Hash(key.Externals(id)), l.Hash(key.Invitations(id))
	tokens, idle := l.Hash(key.Tokens(id)), l.Next().PTTL(l.Ctx, key.Tokens(id))
	approved := l.Next().SMembers(l.Ctx, key.Approved(id))
	l.Wait()
	u.f, u.secret = hash(), check.Is(password)
	u.sessions, u.life, u.approved, u.cleans = sessions.Val(), life.Val(), approved.Val(), cleanup.Val() > 0
	u.externals, u.invitations, u.erases = externals.Val(), invitations.Val(), erasure.Val() > 0
	u.tokens, u.idle = tokens.Val(), idle.Val()
	u.profile = l.Whole(key.Profile(id))[0]
	switch u.f["state"] {
	case catalogue.UserActive:
		c.account(l, u, "created")
		c.claims(l, u)
		c.names(l, u)
		c.pendingChanges(l, u)
		c.profile(l, u)
		c.sessions(l, u)
		c.externals(l, u)
		c.tokens(l, u)
		c.invitations(l, u)
		c.invited(l, u)
		c.ban(l, u)
		c.moderates(l, u)
		check.Each(l, u.approved, func(l *check.Look, name string) { c.approved(l, id, name) })
	case catalogue.UserApplied:
		c.account(l, u, "applied")
		c.claims(l, u)
		c.rejection(l, u)
	case catalogue.UserDeleted:
		c.deletedAccount(l, u)
		c.profile(l, u)
	case catalogue.UserPending, catalogue.UserAbandoned:
		if u.f.Time("since")+c.registrationLife() <= c.Engine.Now() {
			l.Add(RuleRegistration, u.key(), check.Call(c.repairer.SweepUser, id), "has been %s since %s", u.f["state"],
				u.f["since"])
		}
	}
	if len(u.f) > 0 {
		l.WrongFields(RuleUserFields, u.key(), u.f, catalogue.User.Wrong(u.f, uncheckedUserFields...))
	}
	c.elsewhere(l, u)
	if u.f["state"] != catalogue.UserActive {
		c.lostKeys(l, u)
	}
	if release.Val() > 0 && !check.Is(mark) {
		l.Add(RuleRelease, key.Release(id), check.Call(c.repairer.SweepUser, id), "%d claims to release, but no mark",
			release.Val())
	}
}

// elsewhere compares a user with the records of where the account comes from.
func (c *checker) elsewhere(l *check.Look, u *userView) {
	if check.IsAuthor(u.f["state"]) && u.f["src"] != "" {
		c.importedUser(l, u)
	}
	if hash := u.f["external"]; hash != "" && u.f["externalGone"] == "" && u.f["state"] == catalogue.UserDeleted {
		c.externalOf(l, u, hash)
	}
}

// importedUser compares a user with the record of the import.
func (c *checker) importedUser(l *check.Look, u *userView) {
	imported, nonce := l.Text(key.Source(u.id.Partition(), "u", u.f["src"])), u.f["nonce"]
	l.Wait()
	if nonce == "" {
		nonce = "0"
	}
	c.imported(l, u.key(), "u", u.f["src"], imported.Val(), nonce)
}

// lostKeys reports keys that a user in that state cannot have. All of them can be rebuilt or are worthless.
func (c *checker) lostKeys(l *check.Look, u *userView) {
	id, state := u.id, u.f["state"]
	why := fmt.Sprintf("user %d is %q", id, state)
	l.Orphans(false, why, key.Sessions(id), key.Externals(id), key.Tokens(id), key.Invitations(id), key.VoteLog(id),
		key.Approved(id), key.Notes(id), key.Unread(id), key.Note(id), key.Karma(id))
	if box := key.UserCommentsContainer(id); !check.IsAuthor(state) {
		l.Orphans(false, why, key.Profile(id), box.Order(key.OrderCreated), box.Revisions(), box.Removed())
	}
	others := []string{key.Home(id), key.HiddenBookmarks(id), key.Lists(id), key.ListNames(id), key.Marks(id),
		key.Marked(id)}
	for _, set := range slices.Concat(nearSets, farSets) {
		others = append(others, set(id))
	}
	switch left := l.Present(others); {
	case len(left) == 0:
	case state != catalogue.UserDeleted:
		l.Orphans(false, why, left...)
	case u.cleans:
		l.Postpone()
	default:
		l.Add(RuleAccountCleanup, u.key(), check.Call(c.cleanUpAccount, id), "is deleted but has %s",
			strings.Join(left, ", "))
	}
}

// profile checks the topics of a user. Those that are missing, or at the wrong score, are found with the topics.
func (c *checker) profile(l *check.Look, u *userView) {
	k := key.Profile(u.id)
	l.WantCount(RuleUserTopics, u.key(), u.f, "topics", len(u.profile), k)
	check.Each(l, u.profile, func(l *check.Look, z redis.Z) {
		name := z.Member.(string)
		id, created, _ := record.ParseMember(name) // 0, which is not a topic, if malformed
		t := l.Fetch(key.Topic(forum.TopicID(id)), "state", "author", "created")
		if !listed(t["state"]) || t["author"] != key.Itoa(u.id) || created != t.Time("created") {
			l.Add(RuleProfileStray, k, check.Drop(k, name).Given(u.key()), "%q is not a listed topic of user %d", name,
				u.id)
		}
	})
}

// approved checks that a post that counts as approved for a user was. The reverse is checked with the acts.
func (c *checker) approved(l *check.Look, id forum.UserID, name string) {
	on, _ := record.ParseActSubject(name) // none, of which there are no acts, if malformed
	of := l.Next().ZRange(l.Ctx, key.SubjectActs(on), 0, -1)
	l.Wait()
	was := false
	check.Each(l, of.Val(), func(l *check.Look, member string) {
		n, _, _ := record.ParseMember(member)
		f := l.Fetch(key.Act(forum.ActID(n)), "kind", "subject", "member")
		was = was || f["kind"] == string(forum.ActApprove) && f["subject"] == name && f["member"] == key.Itoa(id)
	})
	if k := key.Approved(id); !was {
		l.Add(acts.RuleApproved, k, check.Command("srem", k, name), "%q of user %d was not approved", name, id)
	}
}
