package fsck

import (
	"context"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// invitations checks the invitations that an active user made.
func (c *checker) invitations(l *check.Look, u *userView) {
	k := key.Invitations(u.id)
	l.AtMost(RuleInvitationCap, k, int64(len(u.invitations)), forum.InvitationsKept)
	for name, value := range u.invitations {
		if _, ok := record.ParseInvitation(u.id, name, value); !ok {
			l.Add(RuleInvitationEntry, k, check.Unset(k, name), "%q is not an invitation", value)
			continue
		}
		check.Each(l, record.InvitationTakers(value),
			func(l *check.Look, taker string) { c.taker(l, u.id, name, taker) })
	}
}

// taker checks that a use of an invitation was taken by a user who registered with it.
func (c *checker) taker(l *check.Look, maker forum.UserID, name, taker string) {
	id, nonce := record.ParseClaim(taker)
	claim := record.InvitationClaim(maker, name)
	f := l.Fields(key.User(id), []string{"state", "nonce", "invitation"})
	leaves := l.Next().SIsMember(l.Ctx, key.Release(id), claim+" "+taker)
	l.Wait()
	is := f()
	if is["state"] == catalogue.UserDeleted || is["nonce"] == nonce && is["invitation"] == claim || leaves.Val() {
		return
	}
	back := check.Fix{Run: func(ctx context.Context) error { return c.s.Accounts.GiveBack(ctx, maker, name, taker) }}
	l.Add(RuleInvitationUse, key.Invitations(maker), back, "user %d took a use of %s, but did not register with it", id,
		name)
}

// invited checks that the invitation with which an active user registered knows that, as long as it is kept.
func (c *checker) invited(l *check.Look, u *userView) {
	claim := u.f["invitation"]
	maker, name, ok := record.ParseInvitationClaim(claim)
	u.need(l, "invitation", claim == "" || ok)
	if !ok {
		return
	}
	value := l.Field(key.Invitations(maker), name)
	l.Wait()
	taker := key.Itoa(u.id) + "/" + u.f["nonce"]
	if check.Is(value) && !slices.Contains(record.InvitationTakers(value.Val()), taker) {
		l.Add(RuleInvitationUse, u.key(), check.Fix{}, "registered with %s, which does not know that", claim)
	}
}
