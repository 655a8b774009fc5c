package fsck

import (
	"context"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// invitations checks the invitations that an active user made.
func (l *look) invitations(u *userView) {
	k := key.Invitations(u.id)
	l.atMost(RuleInvitationCap, k, int64(len(u.invitations)), forum.InvitationsKept)
	for name, value := range u.invitations {
		if _, ok := record.ParseInvitation(u.id, name, value); !ok {
			l.add(RuleInvitationEntry, k, unset(k, name), "%q is not an invitation", value)
			continue
		}
		each(l, record.InvitationTakers(value), func(l *look, taker string) { l.taker(u.id, name, taker) })
	}
}

// taker checks that a use of an invitation was taken by a user who registered with it.
func (l *look) taker(maker forum.UserID, name, taker string) {
	id, nonce := record.ParseClaim(taker)
	claim := record.InvitationClaim(maker, name)
	f := l.hmget(key.User(id), []string{"state", "nonce", "invitation"})
	leaves := l.next().SIsMember(l.ctx, key.Release(id), claim+" "+taker)
	l.wait()
	is := f()
	if is["state"] == catalogue.UserDeleted || is["nonce"] == nonce && is["invitation"] == claim || leaves.Val() {
		return
	}
	back := fix{run: func(ctx context.Context) error { return l.repairer.GiveBack(ctx, maker, name, taker) }}
	l.add(RuleInvitationUse, key.Invitations(maker), back, "user %d took a use of %s, but did not register with it", id, name)
}

// invited checks that the invitation with which an active user registered knows that, as long as it is kept.
func (l *look) invited(u *userView) {
	claim := u.f["invitation"]
	maker, name, ok := record.ParseInvitationClaim(claim)
	u.need(l, "invitation", claim == "" || ok)
	if !ok {
		return
	}
	value := l.field(key.Invitations(maker), name)
	l.wait()
	taker := key.Itoa(u.id) + "/" + u.f["nonce"]
	if is(value) && !slices.Contains(record.InvitationTakers(value.Val()), taker) {
		l.add(RuleInvitationUse, u.key(), fix{}, "registered with %s, which does not know that", claim)
	}
}
