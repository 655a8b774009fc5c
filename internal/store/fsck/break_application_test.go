package fsck

import (
	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
)

// apply registers an account that moderators are to approve.
func (x *checkSite) apply(login string) forum.UserID {
	in := account(login)
	in.Applies, in.ApplicationText = true, "I like tea."
	id, err := x.Accounts.Register(x.ctx, in)
	wantOK(x.t, "Register", err)
	return id
}

var applicationBreaks = []siteBreak{
	{"an application without a time", accounts.RuleUserFields,
		func(x *checkSite) { x.do("HDEL", key.User(x.applied), "applied") }, stays},
	{"an applicant whose login is somebody else's", accounts.RuleUserClaim,
		func(x *checkSite) { x.do("DEL", key.LoginClaim("waiting")) }, fixed},
	{"a rejection without an act", accounts.RuleRejection,
		func(x *checkSite) { x.do("HSET", key.User(x.refused), "rejection", 77) }, stays},
	{"an applicant who is not listed", change.RuleNameList,
		func(x *checkSite) { x.do("DEL", key.Applicants.Order(key.OrderName)) }, fixed},
	{"an applicant who is listed as waiting, but rejected", change.RuleNameList,
		func(x *checkSite) { x.do("HDEL", key.Applicants.Revisions(), key.Itoa(x.refused)) }, fixed},
	{"an applicant with a session", check.RuleOrphanKey, func(x *checkSite) {
		x.do("HSET", key.Sessions(x.applied), "x", "1 1 2 x")
		x.do("EXPIRE", key.Sessions(x.applied), 60)
	}, fixed},
}
