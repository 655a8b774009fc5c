package fsck

import (
	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
)

const invitationName = "0123456789abcdef01234567"

// invite registers a user whom the moderator invited.
func (x *checkSite) invite(login string) forum.UserID {
	in := account(login)
	in.Invitation = &accounts.TakenInvitation{Creator: x.mod.ID, Name: invitationName, By: forum.RoleModerator}
	wantOK(x.t, "CreateInvitation", x.Accounts.CreateInvitation(x.ctx, &forum.Invitation{Creator: x.mod.ID,
		Name: invitationName,
		Code: "code", Uses: 5, CreatedAt: x.Engine.Now(), ExpiresAt: x.Engine.Now() + 1000, Note: "For friends"}))
	id, err := x.Accounts.Register(x.ctx, in)
	wantOK(x.t, "Register", err)
	return id
}

// setInvitation replaces the invitation of the moderator.
func (x *checkSite) setInvitation(value string) {
	x.do("HSET", key.Invitations(x.mod.ID), invitationName, value)
}

var invitationBreaks = []siteBreak{
	{"a malformed invitation", check.RuleValue,
		func(x *checkSite) { x.do("HSET", key.Invitations(x.ann.ID), "name", "yes") }, fixed},
	{"more uses than allowed", check.RuleValue, func(x *checkSite) {
		x.do("HSET", key.Invitations(x.ann.ID), invitationName,
			`{"code":"x","uses":1,"created":1,"expires":2,"came":"1/a 2/b"}`)
	}, fixed},
	{"a use by a user who was not invited", accounts.RuleInvitationUse, func(x *checkSite) {
		x.setInvitation(`{"code":"x","uses":2,"created":1,"expires":2,"came":"` + x.registration(x.friend) + " " +
			x.registration(x.bob.ID) + `"}`)
	}, fixed},
	{"a use by nobody", accounts.RuleInvitationUse, func(x *checkSite) {
		x.setInvitation(`{"code":"x","uses":2,"created":1,"expires":2,"came":"` + x.registration(x.friend) + ` 9999/a"}`)
	}, fixed},
	{"a use that was not noted", accounts.RuleInvitationUse,
		func(x *checkSite) { x.setInvitation(`{"code":"x","uses":2,"created":1,"expires":2}`) }, stays},
	{"no invitation", accounts.RuleUserFields,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "invitation", "yes") }, stays},
	{"a deleted user with invitations", check.RuleOrphanKey, func(x *checkSite) {
		x.do("HSET", key.Invitations(x.eve), invitationName, `{"code":"x","uses":2,"created":1,"expires":2}`)
	}, fixed},
	{"too many invitations", check.RuleCap, func(x *checkSite) {
		for n := range forum.InvitationsKept {
			x.do("HSET", key.Invitations(x.mod.ID), invitationName[:21]+key.Itoa(forum.UserID(100+n)),
				`{"code":"x","uses":2,"created":1,"expires":2}`)
		}
	}, stays},
}

// registration returns how an invitation names the registration of a user.
func (x *checkSite) registration(id forum.UserID) string {
	return key.Itoa(id) + "/" + x.hash(key.User(id))["nonce"]
}
