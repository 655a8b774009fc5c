package store

import (
	"context"
	"regexp"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

// checkedUserFields are what is looked at of an account; the password never is.
var checkedUserFields = []string{"state", "role", "login", "fold", "email", "emailFold", "nonce", "topics",
	"created", "since", "rev", "loginClaim", "emailClaim"}

// userView is an account as its keys say.
type userView struct {
	id       forum.UserID
	f        fields
	mark     *redis.FloatCmd
	release  *redis.IntCmd
	sessions []redis.Z
	profile  []redis.Z
	listed   int64 // entries and revisions in the container of comments
	claims   [2]*redis.StringCmd
	topics   []func() fields // of the profile, in its order
}

func (u *userView) on() subject { return subject{kind: onUser, id: int64(u.id)} }
func (u *userView) key() string { return userKey(u.id) }

// inspectUsers looks at a group of users.
func (c *checker) inspectUsers(ctx context.Context, ids []forum.UserID) error {
	users, err := c.readUsers(ctx, ids)
	if err != nil {
		return err
	}
	if err := c.readProfiles(ctx, users); err != nil {
		return err
	}
	r := c.read(ctx)
	for _, u := range users {
		u.claims[0] = r.next().Get(ctx, loginClaimKey(u.f["fold"]))
		u.claims[1] = r.next().Get(ctx, emailClaimKey(u.f["emailFold"]))
		for _, z := range u.profile {
			id, _ := forum.ParseID[forum.TopicID](z.Member.(string))
			u.topics = append(u.topics, r.hmget(topicKey(id), []string{"state", "author"}))
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, u := range users {
		c.judgeUser(u)
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
		u.mark = r.next().ZScore(ctx, dirtyKey(id.Partition()), "u:"+itoa(id))
		u.release = r.next().SCard(ctx, releaseKey(id))
		sessions := r.next().ZRangeWithScores(ctx, sessionsKey(id), 0, -1)
		listed := r.next().ZCard(ctx, userCommentsContainer(id).order(orderCreated))
		revs := r.next().HLen(ctx, userCommentsContainer(id).revs())
		after[i] = func() { u.f, u.sessions, u.listed = hash(), sessions.Val(), listed.Val()+revs.Val() }
	}
	err := r.done()
	for _, f := range after {
		f()
	}
	return users, err
}

// readProfiles reads the profiles a piece at a time.
func (c *checker) readProfiles(ctx context.Context, users []*userView) error {
	const piece = 1000
	left := users
	for from := int64(0); len(left) > 0; from += piece {
		r := c.read(ctx)
		cmds := make([]*redis.ZSliceCmd, len(left))
		for i, u := range left {
			cmds[i] = r.next().ZRangeWithScores(ctx, profileKey(u.id), from, from+piece-1)
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

func (c *checker) judgeUser(u *userView) {
	switch state := u.f["state"]; {
	case state == userActive:
		c.judgeAccount(u)
		c.judgeClaims(u)
		c.judgeProfile(u)
		c.judgeSessions(u)
	case state == userPending || state == userGone:
		c.judgeRegistration(u)
	case len(u.f) == 0:
	default:
		c.add(u.on(), RuleUserFields, u.key(), fix{}, "state is %q", state)
		return
	}
	if u.f["state"] != userActive {
		c.judgeLost(u)
	}
	if u.release.Val() > 0 && u.mark.Err() != nil {
		again := fix{run: c.sweepUser(u)}
		c.add(u.on(), RuleRelease, releaseKey(u.id), again, "%d claims to give back, no mark", u.release.Val())
	}
}

// judgeLost tells of lists of somebody who is no active user. All of them can
// be made anew or are worth nothing.
func (c *checker) judgeLost(u *userView) {
	lists := map[string]int{
		profileKey(u.id):  len(u.profile),
		sessionsKey(u.id): len(u.sessions),
		userCommentsContainer(u.id).order(orderCreated): int(u.listed),
	}
	for key, n := range lists {
		if n > 0 {
			lost := c.remove(key)
			if key != profileKey(u.id) && key != sessionsKey(u.id) {
				box := userCommentsContainer(u.id)
				lost.do = func(ctx context.Context, pipe redis.Pipeliner) { pipe.Del(ctx, key, box.revs(), box.gone()) }
			}
			c.add(u.on(), RuleOrphanKey, key, lost, "%d entries, but user %d is no active user", n, u.id)
		}
	}
}

var noncePattern = regexp.MustCompile(`^[0-9a-f]{16}$`)

func (c *checker) judgeAccount(u *userView) {
	f := u.f
	bad := func(name string, ok bool) {
		if !ok {
			c.add(u.on(), RuleUserFields, u.key(), fix{}, "%s is %q", name, f[name])
		}
	}
	for _, name := range []string{"login", "fold", "email", "emailFold"} {
		bad(name, f[name] != "")
	}
	bad("role", forum.Role(f["role"]).IsValid())
	bad("nonce", noncePattern.MatchString(f["nonce"]))
	bad("created", f.whole("created", 1))
	bad("since", f.whole("since", 1))
	bad("rev", f.whole("rev", 1))
	bad("topics", f.whole("topics", 0))
	bad("loginClaim", f["loginClaim"] == loginClaimKey(f["fold"]))
	bad("emailClaim", f["emailClaim"] == emailClaimKey(f["emailFold"]))
	if p := PartitionOfLogin(f["fold"]); p != u.id.Partition() {
		c.add(u.on(), RuleUserPartition, u.key(), fix{}, "login %q belongs into partition %d", f["fold"], p)
	}
}

func (c *checker) judgeClaims(u *userView) {
	want := itoa(u.id) + "/" + u.f["nonce"]
	for i, key := range []string{loginClaimKey(u.f["fold"]), emailClaimKey(u.f["emailFold"])} {
		have := u.claims[i].Val()
		if have == want {
			continue
		}
		claim := fix{run: func(ctx context.Context) error { return c.s.run(ctx, claimSet, []string{key}, want, "").Err() }}
		c.add(u.on(), RuleUserClaim, key, claim, "is %q; want %q", have, want)
	}
}

func (c *checker) judgeProfile(u *userView) {
	key := profileKey(u.id)
	if u.f.int("topics") != len(u.profile) {
		count := set(u.key(), "topics", len(u.profile))
		count.watch = append(count.watch, key)
		c.add(u.on(), RuleUserTopics, u.key(), count, "counts %s; the profile has %d", u.f["topics"], len(u.profile))
	}
	for i, z := range u.profile {
		name := z.Member.(string)
		t := u.topics[i]()
		if t["state"] == string(forum.TopicOpen) && t["author"] == itoa(u.id) {
			continue // its score is the topic's matter
		}
		out := fix{watch: []string{u.key(), key}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, key, name) }}
		c.add(u.on(), RuleProfileStray, key, out, "%q is no open topic of user %d", name, u.id)
	}
}

var digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (c *checker) judgeSessions(u *userView) {
	key := sessionsKey(u.id)
	if extra := len(u.sessions) - forum.MaxSessions; extra > 0 {
		cut := fix{watch: []string{key}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZRemRangeByRank(ctx, key, 0, int64(extra-1))
		}}
		c.add(u.on(), RuleSessions, key, cut, "%d sessions; the most are %d", len(u.sessions), forum.MaxSessions)
	}
	for _, z := range u.sessions {
		name := z.Member.(string)
		if digestPattern.MatchString(name) && z.Score > 0 {
			continue
		}
		end := fix{watch: []string{key}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, key, name) }}
		c.add(u.on(), RuleSessionEntry, key, end, "%q until %.0f is no session", name, z.Score)
	}
}

// judgeRegistration looks at an account that is not there yet, or never will be.
func (c *checker) judgeRegistration(u *userView) {
	if u.f.time("since")+registrationLife > c.s.Now() {
		return
	}
	giveUp := fix{run: c.sweepUser(u)}
	c.add(u.on(), RuleRegistration, u.key(), giveUp, "is %s since %s", u.f["state"], u.f["since"])
}

// sweepUser gives a registration up and its claims back, as the sweeper would.
func (c *checker) sweepUser(u *userView) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := c.s.sweepUser(ctx, u.id)
		return err
	}
}
