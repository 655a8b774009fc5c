package fsck

import (
	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// externals checks the accounts at issuers of an active user.
func (l *look) externals(u *userView) {
	u.need(l, "owned", u.f["owned"] != "" || len(u.externals) == 0)
	for hash, entry := range u.externals {
		a, ok := record.ParseExternal(entry)
		if !ok || a.Hash() != hash || a.Issued < 0 || a.Applied < 0 || a.LoggedOut < 0 {
			l.add(RuleExternalEntry, key.Externals(u.id), unset(key.Externals(u.id), hash), "%q is not an account at an issuer",
				entry)
			continue
		}
		l.externalOf(u, hash)
	}
	l.prepared(u)
}

// prepared checks that a member who has not come yet has posted nothing.
func (l *look) prepared(u *userView) {
	if u.f["prepared"] == "" {
		return
	}
	comments := l.size(key.UserCommentsContainer(u.id).Order(key.OrderCreated))
	l.wait()
	if n := len(u.profile) + int(comments.Val()); n > 0 {
		l.add(RulePrepared, u.key(), call(l.repairer.Arrive, u.id), "has not come, but has %d posts", n)
	}
}

// externalOf checks that an account at an issuer leads to the user.
func (l *look) externalOf(u *userView, hash string) {
	k := key.External(hash)
	value := l.text(k)
	l.wait()
	id, _, ok := record.ParseSourceRecord(value.Val())
	if ok && forum.UserID(id) == u.id {
		return
	}
	if ok && u.f["state"] == catalogue.UserActive {
		other := l.field(key.Externals(forum.UserID(id)), hash)
		l.wait()
		if is(other) {
			l.add(RuleExternalRecord, k, unset(key.Externals(u.id), hash), "user %d also has it", id)
			return
		}
	}
	want := record.ExternalRecord(u.id, l.s.Engine.Now())
	l.add(RuleExternalRecord, k, command("set", k, want).given(u.key(), key.Externals(u.id)), "is %q; want user %d",
		value.Val(), u.id)
}

// external checks that the record of an account at an issuer leads to a user who has it, or to one who does not exist any
// more, or not yet.
func (l *look) external(hash string) {
	k := l.on.key
	value := l.text(k)
	l.wait()
	id, _, ok := record.ParseSourceRecord(value.Val())
	if !ok || !sourceForm.MatchString(value.Val()) {
		l.add(RuleExternalOrphan, k, remove(k), "%q is not a record", value.Val())
		return
	}
	entry, state := l.field(key.Externals(forum.UserID(id)), hash), l.field(key.User(forum.UserID(id)), "state")
	l.wait()
	if state.Val() == catalogue.UserActive && !is(entry) {
		l.add(RuleExternalOrphan, k, remove(k), "user %d does not have this account", id)
	}
}
