package catalogue

import "agora/internal/forum"

// States of an account. A PENDING account is being registered; a GONE one was abandoned before it was ACTIVE and is
// releasing its claims; an APPLIED one is registered, but moderators have not approved it; a DELETED one no longer belongs
// to a user.
const (
	UserActive    = "ACTIVE"
	UserPending   = "PENDING"
	UserAbandoned = "GONE"
	UserApplied   = "APPLIED"
	UserDeleted   = "DELETED"
)

// UserListed reports whether an account is in the list of users and counted, given these fields.
func UserListed(state, prepared string) bool { return state == UserActive && prepared == "" }

// User is what is stored of an account. A change of login or e-mail in progress is in fields whose names begin with
// new.
var User = table("user", []Field[forum.User]{
	{Name: "state", Valid: oneOf(UserActive, UserPending, UserAbandoned, UserApplied, UserDeleted),
		Kept: "says that the account is deleted", Required: true,
		Set: func(u *forum.User, v string) { u.Active = v == UserActive },
		Doc: "PENDING (being registered), ACTIVE, GONE (abandoned), APPLIED (not approved), DELETED"},
	{Name: "login", Valid: anyText, Posted: &forum.PostedLogin,
		Set: func(u *forum.User, v string) { u.Login = v }, Doc: "as shown"},
	{Name: "fold", Valid: anyText, Made: "the login", Set: func(u *forum.User, v string) { u.LoginFold = v },
		Doc: "the login, as compared"},
	{Name: "name", Valid: anyText, Posted: &forum.PostedName,
		Set: func(u *forum.User, v string) { u.Name = v }, Doc: "as shown"},
	{Name: "role", Valid: oneOf(forum.RoleUser, forum.RoleModerator, forum.RoleAdmin),
		Set: func(u *forum.User, v string) { u.Role = forum.Role(v) }, Doc: "USER, MODERATOR, ADMIN"},
	{Name: "roleUntil", Valid: at, Set: func(u *forum.User, v string) { u.RoleUntil = forum.Time(Atoi(v)) },
		Doc: "end of a role from an issuer's token"},
	{Name: "created", Valid: at, Kept: "of an account that existed",
		Set: func(u *forum.User, v string) { u.CreatedAt = forum.Time(Atoi(v)) },
		Doc: "missing while PENDING or APPLIED"},
	{Name: "bio", Valid: anyText, Posted: &forum.PostedBio, Set: func(u *forum.User, v string) { u.Bio = v },
		Doc: "as shown"},
	{Name: "website", Valid: anyText, Posted: &forum.PostedWebsite, Set: func(u *forum.User, v string) { u.Website = v },
		Doc: "as shown"},
	{Name: "avatar", Valid: anyText, Posted: &forum.PostedAvatar, Set: func(u *forum.User, v string) { u.AvatarURL = v },
		Doc: "as shown"},
	{Name: "bot", Valid: flag, Set: func(u *forum.User, v string) { u.IsBot = v == "1" },
		Doc: "`1`: as `User.isBot`"},
	{Name: "oldFold", Valid: anyText, Made: "a login", Set: func(u *forum.User, v string) { u.OldFold = v },
		Doc: "the login before, folded"},
	{Name: "ban", Valid: oneOf(forum.BanPost, forum.BanSignIn),
		Set: func(u *forum.User, v string) { u.Ban.Scope = forum.BanScope(v) },
		Doc: "last ban, POST or SIGN_IN, perhaps over"},
	{Name: "banUntil", Valid: count, Set: func(u *forum.User,
		v string) {
		u.Ban.Until = forum.Time(Atoi(v))
	},
		Doc: "its end (0: never), reason, act"},
	{Name: "banReason", Valid: anyText, Made: "an enum", Set: func(u *forum.User,
		v string) {
		u.Ban.Reason = forum.Reason(v)
	},
		Doc: "its end (0: never), reason, act"},
	{Name: "banAct", Valid: at, Set: func(u *forum.User, v string) { u.Ban.Act = forum.ActID(Atoi(v)) },
		Doc: "its end (0: never), reason, act"},
	{Name: "moderates", Valid: ids, Kept: "a task removes it",
		Set: func(u *forum.User, v string) { u.Moderates = parseIDs[forum.CategoryID](v) },
		Doc: "categories moderated, at most 50"},
}, []Field[forum.User]{
	{Name: "topics", Valid: count, Kept: keptCounts, Required: true, Doc: "length of the profile"},
	{Name: "followers", Valid: count, Kept: keptCounts, Doc: "length of that set"},
	{Name: "following", Valid: count, Doc: "likewise"},
	{Name: "karma", Valid: whole(-forum.MaxID),
		Doc: "others' votes on topics and live comments, up minus down"},
	{Name: "rev", Valid: at, Kept: keptWork, Required: true,
		Doc: "revision: 1, 2 when abandoned, higher with e-mail, login, deletion, arrival"},
	{Name: "src", Valid: anyText, Kept: keptImport,
		Doc: "`site:id` that it was imported from"},
	{Name: "external", Valid: hash, Kept: "the issuer may not register it again",
		Doc: "hash of the account at an issuer for which it was registered"},
	{Name: "externalGone", Valid: flag, Kept: "the issuer may not register it again",
		Doc: "`1`: that account was taken from the user"},
	{Name: "linking", Valid: nonce, Doc: "nonce of the account linked last, while its record may be missing"},
	{Name: "invitation", Valid: anyText, Doc: "`invitation:<user>:<name>`: the invitation used"},
	{Name: "applied", Valid: at, Kept: "of an account that existed",
		Doc: "time of the application, its text until approval, act that rejected it"},
	{Name: "applicationText", Valid: anyText, Doc: "time of the application, its text until approval, act " +
		"that rejected it"},
	{Name: "rejection", Valid: at, Doc: "time of the application, its text until approval, act that rejected it"},
	{Name: "owned", Valid: owned,
		Doc: "those of `login`, `name`, `avatar`, `role` set here; `-` for none; missing if never at an issuer"},
	{Name: "prepared", Valid: flag, Doc: "`1`: made by `upsertUser`, and the member has not come"},
	{Name: "deactivated", Valid: at, Doc: "time"},
	{Name: "validSince", Valid: at,
		Doc: "issuers' tokens from before are refused"},
	{Name: "since", Valid: at, Doc: "start of the registration"},
	{Name: "deleted", Valid: at, Kept: "says since when the account is deleted",
		Doc: "time"},
	{Name: "password", Valid: anyText, Doc: "argon2id hash; empty for none"},
	{Name: "email", Valid: anyText, Doc: "as given"},
	{Name: "emailFold", Valid: anyText, Doc: "the e-mail, as compared"},
	{Name: "nonce", Valid: nonce,
		Doc: "of the registration, of the last change of login; in the claims on login and look"},
	{Name: "loginNonce", Valid: nonce,
		Doc: "of the registration, of the last change of login; in the claims on login and look"},
	{Name: "renamed", Valid: at, Doc: "time of the last change of login"},
	{Name: "firstFold", Valid: anyText,
		Doc: "folded login at registration, if not `fold`"},
	{Name: "loginClaim", Valid: anyText, Doc: "keys of the claims on login, looks, e-mail"},
	{Name: "lookClaims", Valid: anyText, Doc: "likewise"},
	{Name: "emailClaim", Valid: anyText, Doc: "likewise"},
	{Name: "emailNonce", Valid: nonce,
		Doc: "in the claim on the e-mail"},
	{Name: "oldNonce", Valid: nonce, Doc: "of the login before: nonce (older data), claims, until when it " +
		"rests (0: forever, empty: not at all)"},
	{Name: "oldClaims", Valid: anyText, Doc: "of the login before: nonce (older data), claims, until when it " +
		"rests (0: forever, empty: not at all)"},
	{Name: "oldUntil", Valid: anyText,
		Doc: "of the login before: nonce (older data), claims, until when it rests (0: forever, empty: not at all)"},
	{Name: "newLogin", Valid: anyText, Doc: "a change of login in progress: as shown, as compared, nonce, claims, " +
		"start"},
	{Name: "newLoginFold", Valid: anyText, Doc: "likewise"},
	{Name: "newLoginNonce", Valid: nonce, Doc: "likewise"},
	{Name: "newLoginClaims", Valid: anyText, Doc: "likewise"},
	{Name: "newLoginSince", Valid: at, Doc: "likewise"},
	{Name: "newEmail", Valid: anyText, Doc: "a change of e-mail in progress: as given, as compared, nonce, claim, " +
		"start"},
	{Name: "newEmailFold", Valid: anyText, Doc: "likewise"},
	{Name: "newEmailNonce", Valid: nonce, Doc: "likewise"},
	{Name: "newEmailClaim", Valid: anyText, Doc: "likewise"},
	{Name: "newEmailSince", Valid: at, Doc: "likewise"},
	{Name: "staff", Valid: flag, Kept: "its login is never free",
		Doc: "`1`: was moderator or administrator: its login is never free"},
	{Name: "unlisted", Valid: flag, Kept: keptWork, Doc: "`1`: the list of users must be written"},
	{Name: "seen", Valid: at,
		Doc: "last use of a session or API token"},
	{Name: "moderatesRev", Valid: at, Kept: "a task removes it",
		Doc: "number of changes of `moderates`"},
	{Name: "groups", Valid: memberships, Doc: "`<group>:<until>:<sources>:<since>`, with spaces, at most 50: groups, when " +
		"that ends (0: never), letters of what it comes from (`d`: given directly), time of joining"},
	{Name: "groupsRev", Valid: at, Kept: "a task removes it",
		Doc: "number of changes of `groups`, and of whether they count"},
	{Name: "etime", Valid: at, Kept: keptWork,
		Doc: "last change of edges, of lists (Unix µs)"},
	{Name: "ltime", Valid: at, Kept: keptWork, Doc: "last change of edges, of lists (Unix µs)"},
	{Name: "noteSeq", Valid: at,
		Doc: "last number of a notification"},
	{Name: "noteFloor", Valid: at,
		Doc: "latest time of a dropped notification"},
	{Name: "noteReads", Valid: anyText,
		Doc: "`" + ReadsRow.Shape + "`: how often notifications were marked as read, when last"},
	{Name: "homeFloor", Valid: anyText,
		Doc: "watermark: the member above which the home holds all of its sources; `g`: not kept up to date"},
	{Name: "homeRooms", Valid: at, Kept: keptWork,
		Doc: "`epochs` of the rules that the home follows; another one is not read"},
	{Name: "homeEpoch", Valid: at,
		Doc: "epoch"},
	{Name: "postsAct", Valid: at, Kept: keptActs,
		Doc: "latest HIDE_POSTS or RESTORE_POSTS"},
	{Name: "erase", Valid: at, Kept: keptWork,
		Doc: "when erasing its posts was ordered, until done"},
	{Name: "armed", Valid: at, Kept: keptWork,
		Doc: "how often its tasks were armed"},
})
