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
			"open topics: members as in indexes, score time of posting", ""},
		{key.VoteLog(id),
			"votes on articles: topic id, score 4 × the time of the vote + 1 for UP, 2 for DOWN, 0 when taken " +
				"back",
			"latest 1,000"},
	}},
	{Name: "user-set", Type: ZSet, Object: OfUser, Keys: []Pattern{
		{key.Following(id),
			"users followed: id, score time of following (Unix µs)", ""},
		{key.Subjects(id),
			"categories `c<id>` and tags `g<id>` followed, likewise", ""},
		{key.Blocked(id),
			"users blocked, likewise", ""},
		{key.Bookmarks(id),
			"topics bookmarked, likewise",
			"10,000: more are refused"},
		{key.HiddenBookmarks(id),
			"bookmarks whose topics are hidden, which counts leave out: topic, score its revision then, " +
				"negative once it was restored", ""},
		{key.Watching(id),
			"topics watched, as `bookmarks`",
			"10,000: more are refused"},
		{key.Followers(id),
			"the reverse sides of others' `following` and `blocked`: user id, the same score", ""},
		{key.Blockers(id), "likewise", ""},
		{key.Listed(id),
			"lists that the user is on, as `owner:list`: the reverse side of their `members`", ""},
		{key.Marked(id),
			"fields of `marks`, score time of marking", ""},
		{key.Home(id),
			"the stored home: 8 hexadecimal digits of a topic's id, score time of posting",
			"latest 1,000; empty while not kept up to date, see `homeFloor`"},
		{key.Lists(id),
			"the user's lists of users: id, score id",
			"100"},
	}},
	{Name: "user-hash", Type: Hash, Object: OfUser, Keys: []Pattern{
		{key.Karma(id),
			"what the karma counts of the user's comments: comment → `" + KarmaRow.Shape + "`: its `votes`, and " +
				"the votes of others on it, up minus down, 0 while it or its topic is hidden; `4503599627370496 " +
				"0` once either was deleted", ""},
		{key.Marks(id),
			"up to where the user has read: `t<topic>` → comment number, `l<timeline>` (its name) → time of " +
				"marking",
			"10,000 marked last"},
		{key.ListNames(id),
			"folded name → id of the list", ""},
	}},
	{Name: "user-notes", Type: ZSet, Object: OfUser, Keys: []Pattern{
		{key.Notes(id),
			"notifications: numbers, each its own score",
			"newest 1,000"},
		{key.Unread(id),
			"those not marked as read, likewise", ""},
	}},
	{Name: "user-note", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Note(id),
		"number → `" + NoteRow.Shape + "`: a `NotificationReason`, but for WATCH `WATCH:<topic>`; a user; " +
			"`c<comment>`, `t<topic>`, `f<follower>` or `m<act>`; a time. Also subject → number, so that " +
			"nothing is notified twice; and `withheld`: those that were unread when what they are about was " +
			"hidden, and are unread again with it: `number:why:comment:topic`, why 1 for the comment or " +
			"follower, 2 for the topic, 3 for both, 0 for neither any more, then the revisions of both of which " +
			"that is known",
		"removed with the number"}}},
	{Name: "user-ended", Type: ZSet, Object: OfReverseEnded, Life: key.EndedLife,
		Keys: []Pattern{{all(key.Ended(key.Followers(id)), key.Ended(key.Blockers(id)), key.Ended(key.Listed(id))),
			"who has left these, score time of leaving (Unix µs)",
			"each an hour; 2 h after the last"}}},
	{Name: "user-acts", Type: ZSet, Object: OfUser, Keys: []Pattern{{all(key.UserActs(id), key.UserRecord(id)),
		"acts of the user as a moderator; acts that concern the user: as in `{mod}:log`", ""}}},
	{Name: "recent-posts", Type: Hash, Object: OfUser, Life: forum.RecentPostsLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.RecentPosts(id),
			"what a new member posted lately: `day`, a day of the site, and `posts` on it; `k` and the hash of " +
				"an idempotency key → `time OK` or `time HELD`, for a day; `x` and the hash of a text → the " +
				"time, for an hour",
			"26 h after the last post"}}},
	{Name: "approved", Type: Set, Object: OfUser, Keys: []Pattern{{key.Approved(id),
		"posts that were held and approved: `t<id>`, `c<id>`", ""}}},
	{Name: "user-events", Type: Stream, Object: OfEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{all(key.Events(key.Home(id)), key.Events(key.Profile(id)), key.Events(key.Bookmarks(id))),
			"as in `{ix:front}:ev`; `X` is many at once; of a bookmark `m` is the topic",
			"about 256"}}},
	{Name: "user-external", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Externals(id),
		"accounts at issuers: hash → `" + ExternalRow.Shape + "`: when the token was issued whose claims were " +
			"applied last; when the issuer last said that the member signed out there (missing if never); when " +
			"the claims were applied (0 for never); a hash of the last claim of a login, `-` before the first " +
			"after a link (older entries lack `:said`); the claims iss and sub",
		"10"}}},
	{Name: "invitations", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Invitations(id),
		"the user's invitations: name, the first 24 digits of the SHA-256 of the code → JSON with `code`, " +
			"`uses` (how many may register), `created`, `expires`, and if there is one, `revoked`, `note`, and " +
			"`came` (`user/nonce` of each registration)",
		"50 open; 100"}}},
	{Name: "sessions", Type: Hash, Object: OfUser, Life: forum.SessionLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Sessions(id),
			"SHA-256 of the secret of each token → `" + SessionRow.Shape + "`: three times; when the user " +
				"proved who it is (0 for unknown); the hash of the account at an issuer that it came from; the " +
				"header at sign-in. Older entries lack `:proved:origin`",
			"1 h after the last one ends; 20"}}},
	{Name: "tokens", Type: Hash, Object: OfUser, Life: forum.TokenIdle + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Tokens(id),
			"SHA-256 of the secret of each API token → `" + TokenRow.Shape + "`: three times, the last two 0 " +
				"for never; scopes with commas between; origin as in `sessions`, which older entries lack",
			"180 days and 1 h after the last use or creation; 20"}}},
	{Name: "takeout", Type: String, Object: OfUser, Life: forum.TakeoutLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Takeout(id),
			"`" + TakeoutRow.Shape + "` of a [take-out](limits.md#take-out): WAITS until its address is used, " +
				"or RUNS; until when; the SHA-256 of the secret in the address",
			"1 h after it ends, at most 70 min"}}},
	{Name: "releases", Type: Set, Object: OfUser, Keys: []Pattern{{key.Release(id),
		"`claim-key value`: names, or a use of an invitation, to be released; `claim-key value until` if they " +
			"then rest until a time",
		"empty at rest"}}},
	{Name: "claim", Type: String, Object: OfClaim, Keys: []Pattern{
		{key.LoginClaim("<login>"),
			"claim `user/nonce` on a login; counts only if the user's hash says the same. At rest " +
				"`0/rest:<until>` (0 is forever, for staff) on the login of a deleted account or its look, " +
				"`user/rest:<until>` on a former login", "at rest until an hour after that time, 90 days"},
		{key.LookClaim("<look>"),
			"likewise on what a login [looks like](limits.md#names-that-look-alike), one or two of each " +
				"account; imported members, and accounts of earlier versions, have those that were free", ""},
		{key.EmailClaim(hashed),
			"likewise on an e-mail", ""},
	}},
	{Name: "barred-email", Type: String, Object: OfSite, Life: forum.EmailBarredMost + forum.ExpiryGrace,
		Keys: []Pattern{{key.BarredEmail("<hash>"),
			"`user/rest:until`: nobody can register that e-mail, of a banned account, until then; written " +
				"before the claim is released",
			"at the end of the ban, after 90 days to 100 years"}}},
	{Name: "devices", Type: ZSet, Object: OfUser, Life: forum.DeviceLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Devices(id),
			"pseudonyms of addresses from which the user signed in, score time of the last sign-in",
			"90 days and 1 h after the last sign-in; 20"}}},
}

var listKeys = []Kind{
	{Name: "list", Type: Hash, Object: OfList, Keys: []Pattern{{key.List(id),
		"the list, in its owner's partition, see below", ""}}},
	{Name: "list-members", Type: ZSet, Object: OfList, Keys: []Pattern{{key.ListMembers(id),
		"users on it: id, score time when they were added (Unix µs)",
		"500"}}},
	{Name: "list-events", Type: Stream, Object: OfEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{key.Events(key.List(id)),
			"users were added or removed: `k` is `X`, as in `{ix:front}:ev`",
			"the latest"}}},
}
