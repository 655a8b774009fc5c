package fsck

import (
	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
)

// at is the account of a subject at an issuer.
func at(subject string) forum.External {
	return forum.External{Issuer: "https://id.example.org", Subject: subject}
}

// external registers a user for an account at an issuer.
func (x *checkSite) external(subject string) forum.UserID {
	login := "guest" + subject
	id, err := x.Accounts.Register(x.ctx, accounts.NewUser{Login: login, LoginFold: login, Name: login,
		External: at(subject)})
	wantOK(x.t, "Register", err)
	return id
}

var externalBreaks = []siteBreak{
	{"a malformed account at an issuer", check.RuleValue,
		func(x *checkSite) { x.do("HSET", key.Externals(x.guest), at("9").Hash(), "yes") }, fixed},
	{"an account at an issuer under another hash", check.RuleValue,
		func(x *checkSite) {
			x.do("HSET", key.Externals(x.guest), at("9").Hash(), "0 0 https://id.example.org 10")
		}, fixed},
	{"an account at an issuer that leads nowhere", accounts.RuleExternalRecord,
		func(x *checkSite) { x.do("DEL", key.External(at("7").Hash())) }, fixed},
	{"an account at an issuer that leads to another user", accounts.RuleExternalRecord,
		func(x *checkSite) { x.do("SET", key.External(at("7").Hash()), "5 src "+key.Itoa(x.leaver)+" 0") }, fixed},
	{"a deleted user's account at an issuer, which could be used again", accounts.RuleExternalRecord,
		func(x *checkSite) { x.do("DEL", key.External(at("8").Hash())) }, fixed},
	{"a malformed record of an account at an issuer", check.RuleValue,
		func(x *checkSite) { x.do("SET", key.External(at("9").Hash()), "yes") }, fixed},
	{"a record of an account that its user does not have", check.RuleOrphanKey,
		func(x *checkSite) { x.do("SET", key.External(at("9").Hash()), "5 src "+key.Itoa(x.ann.ID)+" 0") }, fixed},
	{"a deleted user with an account at an issuer", check.RuleOrphanKey,
		func(x *checkSite) {
			x.do("HSET", key.Externals(x.leaver), at("8").Hash(), "0 0 https://id.example.org 8")
		}, fixed},
	{"a member who has not come, but is listed", change.RuleNameList,
		func(x *checkSite) { x.do("HSET", key.User(x.guest), "prepared", "1") }, fixed},
	{"a member who has not come, but is counted", RuleStats,
		func(x *checkSite) { x.do("HSET", key.User(x.guest), "prepared", "1") }, fixed},
	{"a member who has come, but is not counted", RuleStats,
		func(x *checkSite) { x.do("HINCRBY", key.Stats(x.guest.Partition()), "users", -1) }, fixed},
	{"a member who has posted without coming", accounts.RulePrepared,
		func(x *checkSite) { x.do("HSET", key.User(x.ann.ID), "prepared", "1") }, fixed},
	{"no owner of values that tokens set", accounts.RuleUserFields,
		func(x *checkSite) { x.do("HDEL", key.User(x.guest), "owned") }, stays},
}
