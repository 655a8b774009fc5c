package fsck

import (
	"context"
	"slices"
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
	id       forum.UserID
	f        record.Fields
	secret   bool // has a password, perhaps an empty one
	mark     *redis.FloatCmd
	release  *redis.IntCmd
	sessions map[string]string
	life     time.Duration // expiry of the sessions; negative if none
	profile  []redis.Z
	listed   int64 // entries and revisions in the container of comments
	logged   int64 // votes in the log
	claims   [2]*redis.StringCmd
	record   *redis.StringCmd       // of the import
	banAct   func() record.Fields   // the act of the ban
	approved []approvedView         // what counts as approved
	places   []place                // at the categories that the user moderates
	cleanup  *redis.IntCmd          // the task that follows the account's deletion
	topics   []func() record.Fields // of the profile, in its order
}

func (u *userView) on() target  { return target{kind: onUser, id: int64(u.id)} }
func (u *userView) key() string { return key.User(u.id) }

// inspectUsers checks a group of users.
func (c *checker) inspectUsers(ctx context.Context, ids []forum.UserID) error {
	users, err := c.readUsers(ctx, ids)
	if err != nil {
		return err
	}
	if err := c.readProfiles(ctx, users); err != nil {
		return err
	}
	if err := c.readApproved(ctx, users); err != nil {
		return err
	}
	r := c.read(ctx)
	for _, u := range users {
		u.claims[0] = r.next().Get(ctx, key.LoginClaim(u.f["fold"]))
		u.claims[1] = r.next().Get(ctx, key.EmailClaim(u.f["emailFold"]))
		u.banAct = r.hmget(key.Act(forum.ActID(u.f.Int("banAct"))), []string{"kind", "member", "reversedBy"})
		u.readPlaces(ctx, r)
		u.record = r.next().Get(ctx, key.Source(u.id.Partition(), "u", u.f["src"]))
		for _, z := range u.profile {
			id, _, _ := record.ParseMember(z.Member.(string)) // 0, which is not a topic, if malformed
			u.topics = append(u.topics, r.hmget(key.Topic(forum.TopicID(id)), []string{"state", "author", "created"}))
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, u := range users {
		c.checkUser(u)
	}
	return nil
}

func (c *checker) readUsers(ctx context.Context, ids []forum.UserID) ([]*userView, error) {
	r := c.read(ctx)
	users := make([]*userView, len(ids))
	after := make([]func(), len(ids))
	for i, id := range ids {
		u := &userView{id: id}
		users[i] = u
		hash := r.hmget(u.key(), checkedUserFields)
		u.mark = r.next().ZScore(ctx, key.Dirty(id.Partition()), "u:"+key.Itoa(id))
		u.release = r.next().SCard(ctx, key.Release(id))
		secret := r.next().HExists(ctx, catalogue.KeyOf(u.key(), "password"), "password")
		u.cleanup = r.next().Exists(ctx, key.Task(id.Partition(), record.AccountCleanupTask(id)))
		sessions := r.next().HGetAll(ctx, key.Sessions(id))
		life := r.next().PTTL(ctx, key.Sessions(id))
		listed := r.next().ZCard(ctx, key.UserCommentsContainer(id).Order(key.OrderCreated))
		revs := r.next().HLen(ctx, key.UserCommentsContainer(id).Revisions())
		logged := r.next().ZCard(ctx, key.VoteLog(id))
		after[i] = func() {
			u.f, u.secret, u.listed, u.logged = hash(), secret.Val(), listed.Val()+revs.Val(), logged.Val()
			u.sessions, u.life = sessions.Val(), life.Val()
		}
	}
	err := r.done()
	for _, f := range after {
		f()
	}
	return users, err
}

// readProfiles reads the profiles in chunks.
func (c *checker) readProfiles(ctx context.Context, users []*userView) error {
	const piece = 1000
	left := users
	for from := int64(0); len(left) > 0; from += piece {
		r := c.read(ctx)
		cmds := make([]*redis.ZSliceCmd, len(left))
		for i, u := range left {
			cmds[i] = r.next().ZRangeWithScores(ctx, key.Profile(u.id), from, from+piece-1)
		}
		if err := r.done(); err != nil {
			return err
		}
		var more []*userView
		for i, u := range left {
			u.profile = append(u.profile, cmds[i].Val()...)
			if len(cmds[i].Val()) == piece {
				more = append(more, u)
			}
		}
		left = more
	}
	return nil
}

func (c *checker) checkUser(u *userView) {
	switch state := u.f["state"]; {
	case state == catalogue.UserActive:
		c.checkAccount(u)
		c.checkClaims(u)
		c.checkChange(u)
		c.checkProfile(u)
		c.checkSessions(u)
		c.checkLogSize(u)
		c.checkBan(u)
		c.checkModerates(u)
		c.checkApproved(u)
	case state == catalogue.UserDeleted:
		c.checkDeleted(u)
		c.checkProfile(u)
	case state == catalogue.UserPending || state == catalogue.UserAbandoned:
		c.checkRegistration(u)
	}
	if len(u.f) > 0 {
		c.checkFields(u)
	}
	if source := u.f["src"]; isAuthor(u.f["state"]) && source != "" {
		nonce := u.f["nonce"]
		if nonce == "" {
			nonce = "0"
		}
		(&look{checker: c, on: u.on()}).imported(u.key(), "u", source, u.record.Val(), " "+nonce)
	}
	c.checkLost(u)
	if u.release.Val() > 0 && u.mark.Err() != nil {
		again := fix{run: c.sweepUser(u)}
		c.add(u.on(), RuleRelease, key.Release(u.id), again, "%d claims to release, but no mark", u.release.Val())
	}
}

// isAuthor reports whether a user in that state may have written something.
func isAuthor(state string) bool {
	return state == catalogue.UserActive || state == catalogue.UserDeleted
}

// checkLost reports lists that a user in that state cannot have. All of them can be rebuilt or are
// worthless.
func (c *checker) checkLost(u *userView) {
	lists := map[string]int{}
	if u.f["state"] != catalogue.UserActive {
		lists[key.Sessions(u.id)], lists[key.VoteLog(u.id)] = len(u.sessions), int(u.logged)
		lists[key.Approved(u.id)] = len(u.approved)
	}
	box := key.UserCommentsContainer(u.id)
	if !isAuthor(u.f["state"]) {
		lists[key.Profile(u.id)], lists[box.Order(key.OrderCreated)] = len(u.profile), int(u.listed)
	}
	for k, n := range lists {
		if n > 0 {
			lost := remove(k)
			if k == box.Order(key.OrderCreated) {
				lost.do = func(ctx context.Context, pipe redis.Pipeliner) { pipe.Del(ctx, k, box.Revisions(), box.Removed()) }
			}
			c.add(u.on(), RuleOrphanKey, k, lost, "%d entries, but user %d is %q", n, u.id, u.f["state"])
		}
	}
}

func (c *checker) checkProfile(u *userView) {
	k := key.Profile(u.id)
	if u.f.Int("topics") != len(u.profile) {
		count := set(u.key(), "topics", len(u.profile))
		count.watch = append(count.watch, k)
		c.add(u.on(), RuleUserTopics, u.key(), count, "counts %s; the profile has %d", u.f["topics"], len(u.profile))
	}
	for i, z := range u.profile {
		name := z.Member.(string)
		t := u.topics[i]()
		_, created, _ := record.ParseMember(name)
		if listed(t["state"]) && t["author"] == key.Itoa(u.id) && created == t.Time("created") {
			continue // its score is checked with the topic
		}
		out := fix{watch: []string{u.key(), k},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, k, name) }}
		c.add(u.on(), RuleProfileStray, k, out, "%q is not a listed topic of user %d", name, u.id)
	}
}

// checkRegistration checks an unfinished or abandoned registration.
func (c *checker) checkRegistration(u *userView) {
	if u.f.Time("since")+c.registrationLife() > c.s.Now() {
		return
	}
	abandon := fix{run: c.sweepUser(u)}
	c.add(u.on(), RuleRegistration, u.key(), abandon, "has been %s since %s", u.f["state"], u.f["since"])
}

// sweepUser abandons a registration or change of e-mail and releases its claims, as the sweeper
// would.
func (c *checker) sweepUser(u *userView) func(context.Context) error {
	return func(ctx context.Context) error {
		return c.repairer.SweepUser(ctx, u.id)
	}
}
