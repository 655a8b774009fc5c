package fsck

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// account checks the fields of an account, which has since since it became what it is, and that it has the claims of
// its names.
func (c *checker) account(l *check.Look, u *userView, since string) {
	f := u.f
	for _, name := range []string{"login", "fold", "role", "nonce", "since", since} {
		c.need(l, u, name, f[name] != "")
	}
	c.need(l, u, "deleted", f["deleted"] == "")
	c.need(l, u, "loginClaim", f["loginClaim"] == key.LoginClaim(f["fold"]))
	c.email(l, u, "email", "emailFold", "emailNonce", "emailClaim")
	c.email(l, u, "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim")
	for since, nonce := range map[string]string{"newEmailSince": "newEmailNonce", "renamed": "loginNonce",
		"newLoginSince": "newLoginNonce"} {
		c.need(l, u, since, (f[since] == "") == (f[nonce] == ""))
	}
	p := key.PartitionOfLogin(cmp.Or(f["firstFold"], f["fold"]))
	if f["src"] != "" {
		p = key.PartitionOfSource(f["src"])
	} else if f["external"] != "" {
		p = key.PartitionOfExternal(f["external"])
	}
	if p != u.id.Partition() {
		l.Lose(c.loss(u), RuleUserPartition, u.key(), "login %q from %q belongs in partition %d", f["fold"], f["src"],
			p)
	}
	if want := strings.Join(record.LookClaims(f["login"]), " "); f["lookClaims"] != want {
		claim := func(ctx context.Context) error {
			if err := c.s.Accounts.ClaimLooks(ctx, []forum.UserID{u.id}); err != nil {
				return err
			}
			return c.sweep(u.id).Run(ctx)
		}
		l.Add(RuleLooks, u.key(), check.Fix{Run: claim}, "claims %q; want %q", f["lookClaims"], want)
	}
	c.claim(l, u, key.LoginClaim(f["fold"]), cmp.Or(f["loginNonce"], f["nonce"]))
	if f["emailFold"] != "" {
		c.claim(l, u, key.EmailClaim(f["emailFold"]), f["emailNonce"])
	}
}

// email checks the fields of an e-mail: either all or none are present.
func (c *checker) email(l *check.Look, u *userView, email, fold, nonce, claim string) {
	f := u.f
	if f[email]+f[fold]+f[nonce]+f[claim] != "" {
		for _, name := range []string{email, fold, nonce} {
			c.need(l, u, name, f[name] != "")
		}
		c.need(l, u, claim, f[claim] == key.EmailClaim(f[fold]))
	}
}

func (c *checker) claim(l *check.Look, u *userView, k, nonce string) {
	has, want := l.Text(k), key.Itoa(u.id)+"/"+nonce
	l.Wait()
	if has.Val() != want {
		claim := check.Fix{Run: func(ctx context.Context) error {
			return c.rdb.Run(ctx, script.ClaimSet{Claim: k, Value: want}).Err()
		}}
		l.Add(RuleUserClaim, k, claim, "is %q; want %q", has.Val(), want)
	}
}

// unfinished checks that a registration, or a change of names, ends.
func (c *checker) unfinished(l *check.Look, u *userView, what, since string) {
	if u.f[what] != "" && u.f.Time(since)+c.registrationLife() <= c.Engine.Now() {
		l.Add(RuleUnfinished, u.key(), c.sweep(u.id), "%s is %q since %s", what, u.f[what], u.f[since])
	}
}

// sweep returns a fix that abandons a registration or change of names that takes too long, and releases claims.
func (c *checker) sweep(id forum.UserID) check.Fix {
	return check.Fix{Run: func(ctx context.Context) error {
		_, err := c.s.Accounts.SweepUser(ctx, id)
		return err
	}}
}

var (
	digestPattern  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	sessionPattern = regexp.MustCompile(`^([1-9][0-9]{0,15} ){2}[1-9][0-9]{0,15}(:(0|[1-9][0-9]{0,15}):([0-9a-f]{32})?)? `)
)

// credential is a session or an API token.
type credential struct {
	digest        string
	created, ends forum.Time
}

// sessions checks the sessions and the API tokens of an active account.
func (c *checker) sessions(l *check.Look, u *userView) {
	c.credentials(l, key.Sessions(u.id), forum.MaxSessions, func(digest, value string) (credential, bool) {
		s, ok := record.DecodeSession(u.id, digest, value)
		if !ok || !sessionPattern.MatchString(value) {
			return credential{}, false
		}
		return credential{digest, s.CreatedAt, s.EndsAt}, true
	})
	c.credentials(l, key.Tokens(u.id), forum.MaxTokens, func(digest, value string) (credential, bool) {
		t, ok := record.DecodeToken(u.id, digest, value)
		if !ok || t.DiesAt() <= c.Engine.Now() { // dead ones do not count
			return credential{}, ok
		}
		return credential{digest, t.CreatedAt, t.DiesAt()}, true
	})
}

// credentials checks a hash of credentials, of which there are at most most, and which outlives the last of them.
func (c *checker) credentials(l *check.Look, k string, most int, decode func(digest, value string) (credential, bool)) {
	hash, ttl := l.Hash(k), l.Next().PTTL(l.Ctx, k)
	l.Wait()
	var all []credential
	last := forum.Time(0)
	for digest, value := range hash.Val() {
		is, ok := decode(digest, value)
		switch {
		case !ok || !digestPattern.MatchString(digest):
			l.Add(check.RuleValue, k, check.Unset(k, digest), "%q with %q is malformed", digest, value)
		case is.digest != "":
			all, last = append(all, is), max(last, is.ends)
		}
	}
	slices.SortFunc(all, func(a, b credential) int {
		return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.digest, b.digest))
	})
	var oldest []string
	for _, is := range all[:max(0, len(all)-most)] {
		oldest = append(oldest, is.digest)
	}
	l.AtMost(k, len(all), most, check.Unset(k, oldest...))
	if life := ttl.Val(); life >= 0 && c.Engine.Now()+forum.Time(life.Milliseconds()) < last {
		l.Add(RuleExpiryShort, k, check.Command("expireat", k, record.ExpireAt(last)), "expires before the last, at %d",
			last)
	}
}

// externals checks the accounts at issuers of an active user, who has posted so many topics: a member who has not come
// yet has posted nothing.
func (c *checker) externals(l *check.Look, u *userView, topics int) {
	k := key.Externals(u.id)
	hash, comments := l.Hash(k), l.Size(key.UserCommentsContainer(u.id).Order(key.OrderCreated))
	l.Wait()
	c.need(l, u, "owned", u.f["owned"] != "" || len(hash.Val()) == 0)
	for name, entry := range hash.Val() {
		a, ok := record.ParseExternal(entry)
		if !ok || a.Hash() != name || a.Issued < 0 || a.Applied < 0 || a.LoggedOut < 0 {
			l.Add(check.RuleValue, k, check.Unset(k, name), "%q is not an account at an issuer", entry)
			continue
		}
		c.externalOf(l, u, name)
	}
	if n := topics + int(comments.Val()); n > 0 && u.f["prepared"] != "" {
		l.Add(RulePrepared, u.key(), check.Call(c.s.Accounts.Arrive, u.id), "has not come, but has %d posts", n)
	}
}

// externalOf checks that an account at an issuer leads to the user.
func (c *checker) externalOf(l *check.Look, u *userView, hash string) {
	k := key.External(hash)
	value := l.Text(k)
	l.Wait()
	id, _, ok := record.ParseSourceRecord(value.Val())
	if ok && forum.UserID(id) == u.id {
		return
	}
	if ok && u.f["state"] == catalogue.UserActive {
		other := l.Field(key.Externals(forum.UserID(id)), hash)
		l.Wait()
		if check.Is(other) {
			l.Add(RuleExternalRecord, k, check.Unset(key.Externals(u.id), hash), "user %d also has it", id)
			return
		}
	}
	want := record.ExternalRecord(u.id, c.Engine.Now())
	l.Add(RuleExternalRecord, k, check.Command("set", k, want).Given(u.key(), key.Externals(u.id)),
		"is %q; want user %d", value.Val(), u.id)
}

// external checks that the record of an account at an issuer leads to a user who has it, or to one who does not exist
// any more, or not yet.
func (c *checker) external(l *check.Look, hash string) {
	k := l.On.Key
	value := l.Text(k)
	l.Wait()
	id, _, _ := record.ParseSourceRecord(value.Val())
	entry, state := l.Field(key.Externals(forum.UserID(id)), hash), l.Field(key.User(forum.UserID(id)), "state")
	l.Wait()
	if !check.SourceForm.MatchString(value.Val()) {
		l.Add(check.RuleValue, k, check.Remove(k), "%q is not a record", value.Val())
	} else if state.Val() == catalogue.UserActive && !check.Is(entry) {
		l.Add(check.RuleOrphanKey, k, check.Remove(k), "user %d does not have this account", id)
	}
}

// invitations checks the invitations that an active user made, and the one with which the user registered, which knows
// that as long as it is kept.
func (c *checker) invitations(l *check.Look, u *userView) {
	k, claim := key.Invitations(u.id), u.f["invitation"]
	creator, taken, ok := record.ParseInvitationClaim(claim)
	hash, own := l.Hash(k), l.Field(key.Invitations(creator), taken)
	l.Wait()
	l.AtMost(k, len(hash.Val()), forum.InvitationsKept, check.Fix{})
	for name, value := range hash.Val() {
		if _, ok := record.ParseInvitation(u.id, name, value); !ok {
			l.Add(check.RuleValue, k, check.Unset(k, name), "%q is not an invitation", value)
			continue
		}
		check.Each(l, record.InvitationTakers(value),
			func(l *check.Look, taker string) { c.taker(l, u.id, name, taker) })
	}
	c.need(l, u, "invitation", claim == "" || ok)
	if taker := key.Itoa(u.id) + "/" + u.f["nonce"]; ok && check.Is(own) &&
		!slices.Contains(record.InvitationTakers(own.Val()), taker) {
		l.Lose(check.Loss{Fix: check.Unset(u.key(), "invitation"), What: fmt.Sprintf("who invited user %d", u.id)},
			RuleInvitationUse, u.key(), "registered with %s, which does not know that", claim)
	}
}

// taker checks that a use of an invitation was taken by a user who registered with it.
func (c *checker) taker(l *check.Look, creator forum.UserID, name, taker string) {
	id, nonce := record.ParseClaim(taker)
	claim := record.InvitationClaim(creator, name)
	f := l.Fields(key.User(id), []string{"state", "nonce", "invitation"})
	leaves := l.Next().SIsMember(l.Ctx, key.Release(id), claim+" "+taker)
	l.Wait()
	is := f()
	if is["state"] == catalogue.UserDeleted || is["nonce"] == nonce && is["invitation"] == claim || leaves.Val() {
		return
	}
	back := check.Fix{Run: func(ctx context.Context) error { return c.s.Accounts.GiveBack(ctx, creator, name, taker) }}
	l.Add(RuleInvitationUse, key.Invitations(creator), back, "user %d took a use of %s, but did not register with it", id,
		name)
}
