package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var userKeys = []Kind{
	{Name: "user", Type: Hash, Object: OfUser, Keys: []Pattern{{key.User(id),
		"the account. **`…:internal` has the e-mail and the password's hash**", ""}}},
	{Name: "user-internal", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Internal(key.User(id)),
		"likewise", ""}}},
	{Name: "user-activity", Type: ZSet, Object: OfUser, Keys: []Pattern{
		{key.Profile(id),
			"open topics: members as in indexes, by time of posting", ""},
		{key.VoteLog(id),
			"votes on articles: topic id by 4 × time + 1 for UP, 2 for DOWN, 0 if taken back",
			"latest 1,000"},
	}},
	{Name: "user-set", Type: ZSet, Object: OfUser, Keys: []Pattern{
		{key.Following(id),
			"users followed by time (Unix µs)", ""},
		{key.Subjects(id),
			"categories `c<id>` and tags `g<id>` followed, likewise", ""},
		{key.Blocked(id),
			"users blocked, likewise", ""},
		{key.Bookmarks(id),
			"topics bookmarked, likewise",
			"10,000: more are refused"},
		{key.HiddenBookmarks(id),
			"bookmarks of hidden topics, not counted: topic by its revision, negative once restored", ""},
		{key.Watching(id),
			"topics watched, as `bookmarks`",
			"10,000: more are refused"},
		{key.Followers(id),
			"reverse sides of others' `following` and `blocked`", ""},
		{key.Blockers(id), "likewise", ""},
		{key.Listed(id),
			"lists that the user is on, `owner:list`: reverse side of their `members`", ""},
		{key.Marked(id),
			"fields of `marks` by time of marking", ""},
		{key.Home(id),
			"stored home: 8 hex digits of topic id, by time of posting",
			"latest 1,000; empty while not kept up to date (`homeFloor`)"},
		{key.Lists(id),
			"the user's lists of users: id by id",
			"100"},
	}},
	{Name: "user-hash", Type: Hash, Object: OfUser, Keys: []Pattern{
		{key.Karma(id),
			"for karma: comment → `" + KarmaRow.Shape + "`: its `votes`; others' votes, up minus down, 0 while it " +
				"or its topic is hidden; `4503599627370496 0` once either was deleted", ""},
		{key.Marks(id),
			"read up to: `t<topic>` → comment number, `l<timeline>` (its name) → time of marking",
			"10,000 marked last"},
		{key.ListNames(id),
			"folded name → id of the list", ""},
	}},
	{Name: "user-notes", Type: ZSet, Object: OfUser, Keys: []Pattern{
		{key.Notes(id),
			"notifications: numbers, each its own score",
			"newest 1,000"},
		{key.Unread(id),
			"unread ones, likewise", ""},
	}},
	{Name: "user-note", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Note(id),
		"number → `" + NoteRow.Shape + "`: `NotificationReason` (`WATCH:<topic>`); user; `c<comment>`, " +
			"`t<topic>`, `f<follower>` or `m<act>`; time. Subject → number. `withheld`: unread when hidden, and " +
			"again once shown: `number:why:comment:topic`: 1 for the comment or follower, 2 for the topic, 3 for " +
			"both, 0 for neither any more; then the known revisions of both",
		"removed with the number"}}},
	{Name: "user-ended", Type: ZSet, Object: OfReverseEnded, Life: key.EndedLife,
		Keys: []Pattern{{all(key.Ended(key.Followers(id)), key.Ended(key.Blockers(id)), key.Ended(key.Listed(id))),
			"who left these, by time (Unix µs)",
			"each an hour; 2 h after the last"}}},
	{Name: "user-acts", Type: ZSet, Object: OfUser, Keys: []Pattern{{all(key.UserActs(id), key.UserRecord(id)),
		"acts of the user as a moderator; acts that concern the user: as `{mod}:log`", ""}}},
	{Name: "recent-posts", Type: Hash, Object: OfUser, Life: forum.RecentPostsLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.RecentPosts(id),
			"recent posts of a new member: `day`, `posts` on it; `k` and hash of an idempotency key → `time OK` " +
				"or `time HELD`, for a day; `x` and hash of a text → time, for an hour",
			"26 h after the last post"}}},
	{Name: "approved", Type: Set, Object: OfUser, Keys: []Pattern{{key.Approved(id),
		"held posts that were approved: `t<id>`, `c<id>`", ""}}},
	{Name: "user-events", Type: Stream, Object: OfEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{all(key.Events(key.Home(id)), key.Events(key.Profile(id)), key.Events(key.Bookmarks(id))),
			"as `{ix:front}:ev`; `X`: many at once; `m` of a bookmark: topic",
			"about 256"}}},
	{Name: "user-external", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Externals(id),
		"accounts at issuers: hash → `" + ExternalRow.Shape + "`: issue of the token applied last; last sign-out " +
			"there (may be missing); when applied (0: never); hash of the last login claim, `-` before the first " +
			"after a link (missing in older entries); iss and sub",
		"10"}}},
	{Name: "invitations", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Invitations(id),
		"24 digits of an invitation code's SHA-256 → JSON: `code`, `uses` (how many may register), `created`, " +
			"`expires`, if any `revoked`, `note`, `came` (`user/nonce` of each)",
		"50 open; 100"}}},
	{Name: "sessions", Type: Hash, Object: OfUser, Life: forum.SessionLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Sessions(id),
			"SHA-256 of a token's secret → `" + SessionRow.Shape + "`: three times; last proof of who it is (0: " +
				"unknown), hash of the account at an issuer (both missing in older entries); header at sign-in",
			"1 h after the last one ends; 20"}}},
	{Name: "tokens", Type: Hash, Object: OfUser, Life: forum.TokenIdle + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Tokens(id),
			"the same of API tokens → `" + TokenRow.Shape + "`: three times, the last two 0 for never; scopes " +
				"with commas; origin as in `sessions`",
			"180 days and 1 h after the last use or creation; 20"}}},
	{Name: "takeout", Type: String, Object: OfUser, Life: forum.TakeoutLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Takeout(id),
			"`" + TakeoutRow.Shape + "` of a [take-out](limits.md#take-out): WAITS or RUNS; until when; SHA-256 " +
				"of the secret in the address",
			"1 h after it ends, at most 70 min"}}},
	{Name: "releases", Type: Set, Object: OfUser, Keys: []Pattern{{key.Release(id),
		"names, or uses of an invitation, to release: `claim-key value`, and `until` if they rest then",
		"empty at rest"}}},
	{Name: "claim", Type: String, Object: OfClaim, Keys: []Pattern{
		{key.LoginClaim("<login>"),
			"claim `user/nonce` on a login; counts if the user's hash agrees. At rest `0/rest:<until>` (0: " +
				"forever, for staff) on a deleted account's login or look, `user/rest:<until>` on a former login",
			"at rest an hour after that time, 90 days"},
		{key.LookClaim("<look>"),
			"likewise on what a login [looks like](limits.md#names-that-look-alike), one or two per account; " +
				"imported and older accounts have those that were free", ""},
		{key.EmailClaim(hashed),
			"likewise on an e-mail", ""},
	}},
	{Name: "barred-email", Type: String, Object: OfSite, Life: forum.EmailBarredMost + forum.ExpiryGrace,
		Keys: []Pattern{{key.BarredEmail("<hash>"),
			"`user/rest:until`: a banned account's e-mail, which nobody can register",
			"at the end of the ban, 90 days to 100 years"}}},
	{Name: "devices", Type: ZSet, Object: OfUser, Life: forum.DeviceLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Devices(id),
			"pseudonyms of addresses of sign-ins, by time of the last",
			"90 days and 1 h after the last; 20"}}},
}

var listKeys = []Kind{
	{Name: "list", Type: Hash, Object: OfList, Keys: []Pattern{{key.List(id),
		"the list, in its owner's partition, see below", ""}}},
	{Name: "list-members", Type: ZSet, Object: OfList, Keys: []Pattern{{key.ListMembers(id),
		"users on it by time of adding (Unix µs)",
		"500"}}},
	{Name: "list-events", Type: Stream, Object: OfEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{key.Events(key.List(id)),
			"users were added or removed: as `{ix:front}:ev`, `k` is `X`",
			"the latest"}}},
}
