package fsck

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

var noncePattern = regexp.MustCompile(`^[0-9a-f]{16}$`)

// judgeAccount checks the fields of an active account.
func (c *checker) judgeAccount(u *userView) {
	f := u.f
	bad := c.wrongFields(u)
	bad("login", f["login"] != "")
	bad("fold", f["fold"] != "")
	bad("role", forum.Role(f["role"]).IsValid())
	bad("nonce", noncePattern.MatchString(f["nonce"]))
	bad("since", f.IsWhole("since", 1))
	bad("deleted", f["deleted"] == "")
	bad("loginClaim", f["loginClaim"] == key.LoginClaim(f["fold"]))
	lookClaims := strings.Join(record.LookClaims(f["login"]), " ")
	bad("lookClaims", f["lookClaims"] == "" || f["lookClaims"] == lookClaims) // accounts of earlier versions have none
	c.judgeEmail(u, "email", "emailFold", "emailNonce", "emailClaim")
	c.judgeEmail(u, "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim")
	bad("newEmailSince", f.IsWholeOrNone("newEmailSince", 1) && (f["newEmailSince"] == "") == (f["newEmailNonce"] == ""))
	bad("homeEpoch", f.IsWholeOrNone("homeEpoch", 1))
	bad("seen", f.IsWholeOrNone("seen", 1))
	c.judgeTimes(u)
	bad("loginNonce", f["loginNonce"] == "" || noncePattern.MatchString(f["loginNonce"]))
	bad("renamed", f.IsWholeOrNone("renamed", 1) && (f["renamed"] == "") == (f["loginNonce"] == ""))
	bad("newLoginSince", f.IsWholeOrNone("newLoginSince", 1) && (f["newLoginSince"] == "") == (f["newLoginNonce"] == ""))
	p := key.PartitionOfLogin(cmp.Or(f["firstFold"], f["fold"]))
	if f["src"] != "" {
		p = key.PartitionOfSource(f["src"])
	}
	if p != u.id.Partition() {
		c.add(u.on(), RuleUserPartition, u.key(), fix{}, "login %q from %q belongs in partition %d", f["fold"], f["src"], p)
	}
}

// wrongFields returns a function that reports a field if ok is false.
func (c *checker) wrongFields(u *userView) func(name string, ok bool) {
	return func(name string, ok bool) {
		if !ok {
			c.add(u.on(), RuleUserFields, u.key(), fix{}, "%s is %q in state %s", name, u.f[name], u.f["state"])
		}
	}
}

// judgeTimes checks the fields that active and deleted accounts share.
func (c *checker) judgeTimes(u *userView) {
	bad := c.wrongFields(u)
	bad("created", u.f.IsWhole("created", 1))
	bad("rev", u.f.IsWhole("rev", 1))
	bad("topics", u.f.IsWhole("topics", 0))
	for _, name := range []string{"following", "followers", "etime", "ltime", "armed"} {
		bad(name, u.f.IsWholeOrNone(name, 0))
	}
}

// judgeEmail checks the fields of an e-mail: either all or none are present.
func (c *checker) judgeEmail(u *userView, email, fold, nonce, claim string) {
	f, bad := u.f, c.wrongFields(u)
	if f[email] == "" && f[fold] == "" && f[nonce] == "" && f[claim] == "" {
		return
	}
	bad(email, f[email] != "")
	bad(fold, f[fold] != "")
	bad(nonce, noncePattern.MatchString(f[nonce]))
	bad(claim, f[claim] == key.EmailClaim(f[fold]))
}

func (c *checker) judgeClaims(u *userView) {
	f := u.f
	own := []struct{ key, have, nonce string }{{key.LoginClaim(f["fold"]), u.claims[0].Val(),
		cmp.Or(f["loginNonce"], f["nonce"])}}
	if f["emailFold"] != "" {
		own = append(own, struct{ key, have, nonce string }{key.EmailClaim(f["emailFold"]), u.claims[1].Val(),
			f["emailNonce"]})
	}
	for _, o := range own {
		want := key.Itoa(u.id) + "/" + o.nonce
		if o.have == want {
			continue
		}
		claim := fix{run: func(ctx context.Context) error { return c.repairer.SetClaim(ctx, o.key, want) }}
		c.add(u.on(), RuleUserClaim, o.key, claim, "is %q; want %q", o.have, want)
	}
}

// judgeChange checks changes of e-mail and login in progress.
func (c *checker) judgeChange(u *userView) {
	if u.f["newLoginNonce"] != "" && u.f.Time("newLoginSince")+c.registrationLife() <= c.s.Now() {
		c.add(u.on(), RuleLoginChange, u.key(), fix{run: c.sweepUser(u)}, "%s has been in progress since %s",
			u.f["newLoginNonce"], u.f["newLoginSince"])
	}
	if u.f["newEmailNonce"] == "" || u.f.Time("newEmailSince")+c.registrationLife() > c.s.Now() {
		return
	}
	abandon := fix{run: c.sweepUser(u)}
	c.add(u.on(), RuleEmailChange, u.key(), abandon, "%s has been in progress since %s", u.f["newEmailNonce"],
		u.f["newEmailSince"])
}

// mortal are the fields deleted with an account, except the password.
var mortal = []string{"role", "login", "fold", "name", "email", "emailFold", "since", "nonce", "loginClaim",
	"lookClaims", "emailNonce", "emailClaim",
	"newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim", "newEmailSince", "homeFloor", "homeEpoch", "seen",
	"bio", "website", "avatar", "karma",
	"loginNonce", "renamed", "oldFold", "oldNonce", "oldClaims", "oldUntil", "firstFold", "newLogin", "newLoginFold",
	"newLoginNonce", "newLoginClaims", "newLoginSince", "ban", "banUntil", "banReason", "banAct", "wrote"}

// judgeDeleted checks a deleted account.
func (c *checker) judgeDeleted(u *userView) {
	c.wrongFields(u)("deleted", u.f.IsWhole("deleted", 1))
	c.judgeTimes(u)
	var left []string
	for _, name := range mortal {
		if _, there := u.f[name]; there {
			left = append(left, name)
		}
	}
	if u.secret {
		left = append(left, "password")
	}
	if u.f["moderates"]+u.f["moderatesRev"] != "" && u.cleanup.Val() == 0 {
		left = append(left, "moderates", "moderatesRev")
	}
	if len(left) > 0 {
		del := fix{watch: []string{u.key()},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, u.key(), left...) }}
		c.add(u.on(), RuleDeletedUser, u.key(), del, "is deleted but has %v", left)
	}
}

var (
	digestPattern  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	sessionPattern = regexp.MustCompile(`^([1-9][0-9]{0,15} ){3}`)
)

func (c *checker) judgeSessions(u *userView) {
	key := key.Sessions(u.id)
	var open []*forum.Session
	last := forum.Time(0)
	for digest, value := range u.sessions {
		s, ok := record.DecodeSession(u.id, digest, value)
		if !ok || !digestPattern.MatchString(digest) || !sessionPattern.MatchString(value) {
			end := fix{watch: []string{key}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, key, digest) }}
			c.add(u.on(), RuleSessionEntry, key, end, "%q with %q is not a session", digest, value)
			continue
		}
		open, last = append(open, s), max(last, s.EndsAt)
	}
	if extra := len(open) - forum.MaxSessions; extra > 0 {
		slices.SortFunc(open, func(a, b *forum.Session) int {
			return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.Digest, b.Digest))
		})
		cut := fix{watch: []string{key}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			for _, s := range open[:extra] {
				pipe.HDel(ctx, key, s.Digest)
			}
		}}
		c.add(u.on(), RuleSessions, key, cut, "%d sessions; the maximum is %d", len(open), forum.MaxSessions)
	}
	if u.life >= 0 && c.s.Now()+forum.Time(u.life.Milliseconds()) < last {
		keep := fix{watch: []string{key}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ExpireAt(ctx, key, time.UnixMilli(int64(last)).Add(forum.ExpiryGrace))
		}}
		c.add(u.on(), RuleExpiryShort, key, keep, "expires before the last session, which ends at %d", last)
	}
}
