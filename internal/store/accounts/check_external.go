package accounts

import (
	"context"
	"fmt"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// externals checks the accounts at issuers of an active user, who has posted so many topics: a member who has not come
// yet has posted nothing.
func (c checks) externals(l *check.Look, u *userView, topics int) {
	k := key.Externals(u.id)
	hash, comments := l.Hash(k), l.Size(key.UserCommentsContainer(u.id).Order(key.OrderCreated))
	l.Wait()
	need(l, u, "owned", u.f["owned"] != "" || len(hash.Val()) == 0)
	for name, entry := range hash.Val() {
		a, ok := record.ParseExternal(entry)
		if !ok || a.Hash() != name || a.Issued < 0 || a.Applied < 0 || a.LoggedOut < 0 {
			l.Add(check.RuleValue, k, check.Unset(k, name), "%q is not an account at an issuer", entry)
			continue
		}
		c.externalOf(l, u, name)
	}
	if n := topics + int(comments.Val()); n > 0 && u.f["prepared"] != "" {
		l.Add(RulePrepared, u.key(), check.Call(c.Arrive, u.id), "has not come, but has %d posts", n)
	}
}

// externalOf checks that an account at an issuer leads to the user.
func (c checks) externalOf(l *check.Look, u *userView, hash string) {
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
	want := record.ExternalRecord(u.id, c.engine.Now())
	l.Add(RuleExternalRecord, k, check.Command("set", k, want).Given(u.key(), key.Externals(u.id)),
		"is %q; want user %d", value.Val(), u.id)
}

// external checks that the record of an account at an issuer leads to a user who has it, or to one who does not exist
// any more, or not yet.
func (c checks) external(l *check.Look, hash string) {
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
func (c checks) invitations(l *check.Look, u *userView) {
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
	need(l, u, "invitation", claim == "" || ok)
	if taker := key.Itoa(u.id) + "/" + u.f["nonce"]; ok && check.Is(own) &&
		!slices.Contains(record.InvitationTakers(own.Val()), taker) {
		l.Lose(check.Loss{Fix: check.Unset(u.key(), "invitation"), What: fmt.Sprintf("who invited user %d", u.id)},
			RuleInvitationUse, u.key(), "registered with %s, which does not know that", claim)
	}
}

// taker checks that a use of an invitation was taken by a user who registered with it.
func (c checks) taker(l *check.Look, creator forum.UserID, name, taker string) {
	id, nonce := record.ParseClaim(taker)
	claim := record.InvitationClaim(creator, name)
	f := l.Fields(key.User(id), []string{"state", "nonce", "invitation"})
	leaves := l.Next().SIsMember(l.Ctx, key.Release(id), claim+" "+taker)
	l.Wait()
	is := f()
	if is["state"] == catalogue.UserDeleted || is["nonce"] == nonce && is["invitation"] == claim || leaves.Val() {
		return
	}
	back := check.Fix{Run: func(ctx context.Context) error { return c.GiveBack(ctx, creator, name, taker) }}
	l.Add(RuleInvitationUse, key.Invitations(creator), back, "user %d took a use of %s, but did not register with it", id,
		name)
}
