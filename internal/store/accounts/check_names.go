package accounts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
	texts "agora/internal/text"
)

// account checks the fields of an account, which has since since it became what it is, and that it has the claims of
// its names.
func (c checks) account(l *check.Look, u *userView, since string) {
	f := u.f
	for _, name := range []string{"login", "fold", "role", "nonce", "since", since} {
		need(l, u, name, f[name] != "")
	}
	need(l, u, "deleted", f["deleted"] == "")
	need(l, u, "loginClaim", f["loginClaim"] == key.LoginClaim(f["fold"]))
	c.email(l, u, "email", "emailFold", "emailNonce", "emailClaim")
	c.email(l, u, "newEmail", "newEmailFold", "newEmailNonce", "newEmailClaim")
	for since, nonce := range map[string]string{"newEmailSince": "newEmailNonce", "renamed": "loginNonce",
		"newLoginSince": "newLoginNonce"} {
		need(l, u, since, (f[since] == "") == (f[nonce] == ""))
	}
	p := key.PartitionOfLogin(cmp.Or(f["firstFold"], f["fold"]))
	if f["src"] != "" {
		p = key.PartitionOfSource(f["src"])
	} else if f["external"] != "" {
		p = key.PartitionOfExternal(f["external"])
	}
	if p != u.id.Partition() {
		l.Lose(loss(l, u), RuleUserPartition, u.key(), "login %q from %q belongs in partition %d", f["fold"], f["src"],
			p)
	}
	if want := strings.Join(record.LookClaims(f["login"]), " "); f["lookClaims"] != want {
		claim := func(ctx context.Context) error {
			if err := c.ClaimLooks(ctx, []forum.UserID{u.id}); err != nil {
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
func (c checks) email(l *check.Look, u *userView, email, fold, nonce, claim string) {
	f := u.f
	if f[email]+f[fold]+f[nonce]+f[claim] != "" {
		for _, name := range []string{email, fold, nonce} {
			need(l, u, name, f[name] != "")
		}
		need(l, u, claim, f[claim] == key.EmailClaim(f[fold]))
	}
}

func (c checks) claim(l *check.Look, u *userView, k, nonce string) {
	has, want := l.Text(k), key.Itoa(u.id)+"/"+nonce
	l.Wait()
	if has.Val() != want {
		claim := check.Fix{Run: func(ctx context.Context) error {
			return c.engine.Client.Run(ctx, script.ClaimSet{Claim: k, Value: want}).Err()
		}}
		l.Add(RuleUserClaim, k, claim, "is %q; want %q", has.Val(), want)
	}
}

// claimOwnerFields are the fields with which a claim is compared.
var claimOwnerFields = []string{"state", "since", "nonce", "loginClaim", "lookClaims", "emailNonce", "emailClaim",
	"newEmailNonce", "newEmailClaim", "newEmailSince", "loginNonce", "newLoginNonce", "newLoginClaims", "newLoginSince",
	"role", "moderates", "staff"}

// claimKey compares a claim with the account of its holder.
func (c checks) claimKey(l *check.Look) {
	k := l.On.Key
	text := l.Text(k)
	l.Wait()
	value := text.Val()
	if _, rests := record.ParseRest(value); rests && record.RestingClaim(k) {
		return
	}
	holder, nonce := record.ParseClaim(value)
	l.Marked(holder.Partition(), "u:"+key.Itoa(holder))
	hash, release := l.Fields(key.User(holder), claimOwnerFields), l.Next().SMembers(l.Ctx, key.Release(holder))
	l.Wait()
	u := hash()
	is := func(claim, mark string) bool { return u[claim] == k && u[mark] == nonce && nonce != "" }
	young := func(since string) bool { return u.Time(since)+c.RegistrationLife() > c.engine.Now() }
	oneOf := func(claims string) bool { return slices.Contains(strings.Fields(u[claims]), k) }
	login := cmp.Or(u["loginNonce"], u["nonce"]) == nonce && nonce != ""
	mine := login && (oneOf("loginClaim") || oneOf("lookClaims")) || is("emailClaim", "emailNonce")
	releases := func(member string) bool {
		claim, of, _, _ := record.ParseRelease(member)
		return claim == k && of == value
	}
	switch {
	case oneOf("newLoginClaims") && u["newLoginNonce"] == nonce && young("newLoginSince"):
	case mine && (u["state"] == catalogue.UserActive || u["state"] == catalogue.UserApplied || young("since")):
	case is("newEmailClaim", "newEmailNonce") && young("newEmailSince"):
	case slices.ContainsFunc(release.Val(), releases): // if it is not released, that is a finding of its own
	default:
		rest := ""
		if record.RestingClaim(k) && record.WasStaff(u) {
			rest = record.RestOf(0, 0)
		}
		x := check.Fix{Run: func(ctx context.Context) error {
			return c.engine.Client.Run(ctx, script.ClaimRelease{Claim: k, Value: value, Rest: rest}).Err()
		}}
		l.Add(RuleStaleClaim, k, x, "%q is not a claim of an active user", value)
	}
}

// names notes which names of an active user would be refused today: the user keeps them. Staff may have any.
func names(l *check.Look, u *userView) {
	delete(l.Refused, u.id) // of an earlier look at the same user
	if isStaff(u.f) {
		return
	}
	whole := texts.Looks(u.f["login"])
	for _, of := range []string{"login", "name"} {
		name := u.f[of]
		if name == "" || of == "name" && name == u.f["login"] {
			continue
		}
		if texts.LooksReserved(name) {
			refuse(l, u.id, "%s %q: it passes for an office or a reserved word", of, name)
			continue
		}
		parts := texts.PartLooks(name)
		others := othersWith(l, u.id, parts)
		staff := slices.IndexFunc(parts, func(look string) bool { return others[look].staff })
		alike := slices.IndexFunc(parts,
			func(look string) bool { return others[look].id != 0 && slices.Contains(whole, look) })
		switch {
		case staff >= 0:
			refuse(l, u.id, "%s %q: it passes for the login of staff", of, name)
		case of == "login" && alike >= 0:
			refuse(l, u.id, "%s %q: it looks like the login of user %d", of, name, others[parts[alike]].id)
		}
	}
}

// isStaff reports whether a user moderates the site or a category.
func isStaff(f record.Fields) bool {
	return record.WasStaff(record.Fields{"role": f["role"], "moderates": f["moderates"]})
}

// refuse notes that a name of a user would be refused today.
func refuse(l *check.Look, id forum.UserID, why string, args ...any) {
	l.Refused[id] = append(l.Refused[id], fmt.Sprintf(why, args...))
}

// holder is who has a login with a look; user 0 is nobody any more.
type holder struct {
	id    forum.UserID
	staff bool
}

// othersWith finds the other users whose logins have these looks.
func othersWith(l *check.Look, id forum.UserID, looks []string) map[string]holder {
	claims := make([]*redis.StringCmd, len(looks))
	for i, look := range looks {
		claims[i] = l.Text(key.LookClaim(look))
	}
	l.Wait()
	found, users := map[string]holder{}, map[string]func() record.Fields{}
	for i, look := range looks {
		other, _ := record.ParseClaim(claims[i].Val())
		until, rests := record.ParseRest(claims[i].Val())
		switch {
		case rests && until == 0 && (other == 0 || other != id):
			found[look] = holder{staff: true}
		case !rests && other != 0 && other != id:
			found[look] = holder{id: other}
			users[look] = l.Fields(key.User(other), []string{"role", "moderates"})
		}
	}
	if len(users) > 0 {
		l.Wait()
	}
	for look, user := range users {
		found[look] = holder{found[look].id, isStaff(user())}
	}
	return found
}

// RegistrationLife returns the maximum age of an unfinished registration.
func (s *Store) RegistrationLife() forum.Time {
	return forum.Time(2 * s.engine.PendingLife / time.Millisecond)
}

// unfinished checks that a registration, or a change of names, ends.
func (c checks) unfinished(l *check.Look, u *userView, what, since string) {
	if u.f[what] != "" && u.f.Time(since)+c.RegistrationLife() <= c.engine.Now() {
		l.Add(RuleUnfinished, u.key(), c.sweep(u.id), "%s is %q since %s", what, u.f[what], u.f[since])
	}
}

// sweep returns a fix that abandons a registration or change of names that takes too long, and releases claims.
func (c checks) sweep(id forum.UserID) check.Fix {
	return check.Fix{Run: func(ctx context.Context) error {
		_, err := c.SweepUser(ctx, id)
		return err
	}}
}
