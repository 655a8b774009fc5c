package fsck

import (
	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// externals checks the accounts at issuers of an active user.
func (c *checker) externals(l *check.Look, u *userView) {
	u.need(l, "owned", u.f["owned"] != "" || len(u.externals) == 0)
	for hash, entry := range u.externals {
		a, ok := record.ParseExternal(entry)
		if !ok || a.Hash() != hash || a.Issued < 0 || a.Applied < 0 || a.LoggedOut < 0 {
			l.Add(RuleExternalEntry, key.Externals(u.id), check.Unset(key.Externals(u.id), hash),
				"%q is not an account at an issuer", entry)
			continue
		}
		c.externalOf(l, u, hash)
	}
	c.prepared(l, u)
}

// prepared checks that a member who has not come yet has posted nothing.
func (c *checker) prepared(l *check.Look, u *userView) {
	if u.f["prepared"] == "" {
		return
	}
	comments := l.Size(key.UserCommentsContainer(u.id).Order(key.OrderCreated))
	l.Wait()
	if n := len(u.profile) + int(comments.Val()); n > 0 {
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

// external checks that the record of an account at an issuer leads to a user who has it, or to one who does not exist any
// more, or not yet.
func (c *checker) external(l *check.Look, hash string) {
	k := l.On.Key
	value := l.Text(k)
	l.Wait()
	id, _, ok := record.ParseSourceRecord(value.Val())
	if !ok || !sourceForm.MatchString(value.Val()) {
		l.Add(RuleExternalOrphan, k, check.Remove(k), "%q is not a record", value.Val())
		return
	}
	entry, state := l.Field(key.Externals(forum.UserID(id)), hash), l.Field(key.User(forum.UserID(id)), "state")
	l.Wait()
	if state.Val() == catalogue.UserActive && !check.Is(entry) {
		l.Add(RuleExternalOrphan, k, check.Remove(k), "user %d does not have this account", id)
	}
}
