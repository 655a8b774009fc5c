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
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// checkAccount checks the fields of an active account.
func (c *checker) checkAccount(u *userView) {
	f := u.f
	bad := c.wrongFields(u)
	bad("login", f["login"] != "")
	bad("fold", f["fold"] != "")
	bad("role", f["role"] != "")
	bad("nonce", f["nonce"] != "")
	bad("since", f["since"] != "")
	bad("created", f["created"] != "")
	bad("deleted", f["deleted"] == "")
	bad("loginClaim", f["loginClaim"] == key.LoginClaim(f["fold"]))
	lookClaims := strings.Join(record.LookClaims(f["login"]), " ")
	bad("lookClaims", f["lookClaims"] == "" || f["lookClaims"] == lookClaims) // accounts of earlier versions have none
	c.checkEmail(u, "email", "emailFold", "emailNonce", "emailClaim")
	c.checkEmail(u, "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim")
	bad("newEmailSince", (f["newEmailSince"] == "") == (f["newEmailNonce"] == ""))
	bad("renamed", (f["renamed"] == "") == (f["loginNonce"] == ""))
	bad("newLoginSince", (f["newLoginSince"] == "") == (f["newLoginNonce"] == ""))
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

// checkFields checks what the catalogue says of the fields.
func (c *checker) checkFields(u *userView) {
	bad := c.wrongFields(u)
	for _, name := range catalogue.User.Wrong(u.f, uncheckedUserFields...) {
		bad(name, false)
	}
}

// checkEmail checks the fields of an e-mail: either all or none are present.
func (c *checker) checkEmail(u *userView, email, fold, nonce, claim string) {
	f, bad := u.f, c.wrongFields(u)
	if f[email] == "" && f[fold] == "" && f[nonce] == "" && f[claim] == "" {
		return
	}
	bad(email, f[email] != "")
	bad(fold, f[fold] != "")
	bad(nonce, f[nonce] != "")
	bad(claim, f[claim] == key.EmailClaim(f[fold]))
}

func (c *checker) checkClaims(u *userView) {
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

// checkChange checks changes of e-mail and login in progress.
func (c *checker) checkChange(u *userView) {
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

// mortal are the fields deleted with an account.
var mortal = slices.Concat(catalogue.User.Erased())

// checkDeleted checks a deleted account.
func (c *checker) checkDeleted(u *userView) {
	bad := c.wrongFields(u)
	bad("deleted", u.f["deleted"] != "")
	bad("created", u.f["created"] != "")
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
			do: func(ctx context.Context, pipe redis.Pipeliner) { record.Remove(ctx, pipe, u.key(), left...) }}
		c.add(u.on(), RuleDeletedUser, u.key(), del, "is deleted but has %v", left)
	}
}

var (
	digestPattern  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	sessionPattern = regexp.MustCompile(`^([1-9][0-9]{0,15} ){3}`)
)

func (c *checker) checkSessions(u *userView) {
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
