package fsck

import (
	"cmp"
	"context"
	"regexp"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// need reports a field of an account unless it is ok.
func (u *userView) need(l *check.Look, name string, ok bool) {
	l.Need(RuleUserFields, u.key(), u.f, name, ok)
}

// account checks the fields of an account, which has since since it became what it is.
func (c *checker) account(l *check.Look, u *userView, since string) {
	f := u.f
	for _, name := range []string{"login", "fold", "role", "nonce", "since", since} {
		u.need(l, name, f[name] != "")
	}
	u.need(l, "deleted", f["deleted"] == "")
	u.need(l, "loginClaim", f["loginClaim"] == key.LoginClaim(f["fold"]))
	c.looks(l, u)
	c.email(l, u, "email", "emailFold", "emailNonce", "emailClaim")
	c.email(l, u, "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim")
	u.need(l, "newEmailSince", (f["newEmailSince"] == "") == (f["newEmailNonce"] == ""))
	u.need(l, "renamed", (f["renamed"] == "") == (f["loginNonce"] == ""))
	u.need(l, "newLoginSince", (f["newLoginSince"] == "") == (f["newLoginNonce"] == ""))
	p := key.PartitionOfLogin(cmp.Or(f["firstFold"], f["fold"]))
	if f["src"] != "" {
		p = key.PartitionOfSource(f["src"])
	} else if f["external"] != "" {
		p = key.PartitionOfExternal(f["external"])
	}
	if p != u.id.Partition() {
		l.Add(RuleUserPartition, u.key(), check.Fix{}, "login %q from %q belongs in partition %d", f["fold"], f["src"],
			p)
	}
}

// email checks the fields of an e-mail: either all or none are present.
func (c *checker) email(l *check.Look, u *userView, email, fold, nonce, claim string) {
	f := u.f
	if f[email]+f[fold]+f[nonce]+f[claim] != "" {
		for _, name := range []string{email, fold, nonce} {
			u.need(l, name, f[name] != "")
		}
		u.need(l, claim, f[claim] == key.EmailClaim(f[fold]))
	}
}

// claims checks that an account has the claims of its names.
func (c *checker) claims(l *check.Look, u *userView) {
	c.claim(l, u, key.LoginClaim(u.f["fold"]), cmp.Or(u.f["loginNonce"], u.f["nonce"]))
	if u.f["emailFold"] != "" {
		c.claim(l, u, key.EmailClaim(u.f["emailFold"]), u.f["emailNonce"])
	}
}

func (c *checker) claim(l *check.Look, u *userView, k, nonce string) {
	has, want := l.Text(k), key.Itoa(u.id)+"/"+nonce
	l.Wait()
	if has.Val() != want {
		claim := check.Fix{Run: func(ctx context.Context) error {
			return c.Engine.Client.Run(ctx, script.ClaimSet{Claim: k, Value: want}).Err()
		}}
		l.Add(RuleUserClaim, k, claim, "is %q; want %q", has.Val(), want)
	}
}

// pendingChanges checks changes of e-mail and login in progress.
func (c *checker) pendingChanges(l *check.Look, u *userView) {
	for _, change := range []struct {
		rule         Rule
		nonce, since string
	}{{RuleLoginChange, "newLoginNonce", "newLoginSince"}, {RuleEmailChange, "newEmailNonce", "newEmailSince"}} {
		if u.f[change.nonce] != "" && u.f.Time(change.since)+c.registrationLife() <= c.Engine.Now() {
			l.Add(change.rule, u.key(), check.Call(c.repairer.SweepUser, u.id), "%s has been in progress since %s",
				u.f[change.nonce], u.f[change.since])
		}
	}
}

// mortal are the fields deleted with an account.
var mortal = slices.Concat(catalogue.User.Erased())

// deletedAccount checks a deleted account.
func (c *checker) deletedAccount(l *check.Look, u *userView) {
	u.need(l, "deleted", u.f["deleted"] != "")
	u.need(l, "created", u.f["created"]+u.f["applied"] != "")
	var left []string
	for _, name := range mortal {
		if _, there := u.f[name]; there {
			left = append(left, name)
		}
	}
	if u.secret {
		left = append(left, "password")
	}
	if u.f["moderates"]+u.f["moderatesRev"] != "" && !u.cleans {
		left = append(left, "moderates", "moderatesRev")
	}
	if len(left) > 0 {
		l.Add(RuleDeletedUser, u.key(), check.Unset(u.key(), left...), "is deleted but has %v", left)
	}
	if u.f["erase"] != "" && !u.erases {
		l.Add(RuleErasure, u.key(),
			check.Fix{Run: func(ctx context.Context) error { return c.s.Accounts.DeleteUser(ctx, u.id, true) }},
			"what the user wrote is to be deleted, but no task does so")
	}
}

var (
	digestPattern  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	sessionPattern = regexp.MustCompile(`^([1-9][0-9]{0,15} ){2}[1-9][0-9]{0,15}(:(0|[1-9][0-9]{0,15}):([0-9a-f]{32})?)? `)
)

// tokens checks the API tokens of an active account.
func (c *checker) tokens(l *check.Look, u *userView) {
	k := key.Tokens(u.id)
	var alive []*forum.APIToken
	last := forum.Time(0)
	for digest, value := range u.tokens {
		t, ok := record.DecodeToken(u.id, digest, value)
		if !ok || !digestPattern.MatchString(digest) {
			l.Add(RuleTokenEntry, k, check.Unset(k, digest), "%q with %q is not a token", digest, value)
			continue
		}
		if t.DiesAt() > c.Engine.Now() {
			alive, last = append(alive, t), max(last, t.DiesAt())
		}
	}
	if extra := len(alive) - forum.MaxTokens; extra > 0 {
		slices.SortFunc(alive, func(a, b *forum.APIToken) int {
			return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.Digest, b.Digest))
		})
		var oldest []string
		for _, t := range alive[:extra] {
			oldest = append(oldest, t.Digest)
		}
		l.Add(RuleTokens, k, check.Unset(k, oldest...), "%d tokens; the maximum is %d", len(alive), forum.MaxTokens)
	}
	if u.idle >= 0 && c.Engine.Now()+forum.Time(u.idle.Milliseconds()) < last {
		l.Add(RuleExpiryShort, k, check.Command("expireat", k, record.ExpireAt(last)),
			"expires before the last token, which dies at %d", last)
	}
}

func (c *checker) sessions(l *check.Look, u *userView) {
	k := key.Sessions(u.id)
	var open []*forum.Session
	last := forum.Time(0)
	for digest, value := range u.sessions {
		s, ok := record.DecodeSession(u.id, digest, value)
		if !ok || !digestPattern.MatchString(digest) || !sessionPattern.MatchString(value) {
			l.Add(RuleSessionEntry, k, check.Unset(k, digest), "%q with %q is not a session", digest, value)
			continue
		}
		open, last = append(open, s), max(last, s.EndsAt)
	}
	if extra := len(open) - forum.MaxSessions; extra > 0 {
		slices.SortFunc(open, func(a, b *forum.Session) int {
			return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), cmp.Compare(a.Digest, b.Digest))
		})
		var oldest []string
		for _, s := range open[:extra] {
			oldest = append(oldest, s.Digest)
		}
		l.Add(RuleSessions, k, check.Unset(k, oldest...), "%d sessions; the maximum is %d", len(open),
			forum.MaxSessions)
	}
	if u.life >= 0 && c.Engine.Now()+forum.Time(u.life.Milliseconds()) < last {
		l.Add(RuleExpiryShort, k, check.Command("expireat", k, record.ExpireAt(last)),
			"expires before the last session, which ends at %d", last)
	}
}
