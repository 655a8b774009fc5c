package catalogue

import (
	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

var userKeys = []Kind{
	{Name: "user", Type: Hash, Object: OfUser, Keys: []Pattern{{key.User(id),
		"what readers are shown of the account", ""}}},
	{Name: "user-internal", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Internal(key.User(id)),
		"the rest of it. **Holds the e-mail and the password's hash**", ""}}},
	{Name: "user-activity", Type: ZSet, Object: OfUser, Keys: []Pattern{
		{key.Profile(id),
			"the user's open topics: members as in indexes, score time of posting", ""},
		{key.VoteLog(id),
			"the user's votes on articles: topic id, score 4 × the time of the vote + 1 for UP, 2 for " +
				"DOWN, 0 when it was taken back; still known when an article's voters have expired",
			"1000 latest"},
	}},
	{Name: "user-set", Type: ZSet, Object: OfUser, Keys: []Pattern{
		{key.Following(id),
			"users that the user follows: id, score time of following (Unix µs)", ""},
		{key.Subjects(id),
			"categories `c<id>` and tags `g<id>` that the user follows, score as above", ""},
		{key.Blocked(id),
			"users that the user has blocked, likewise", ""},
		{key.Bookmarks(id),
			"topics that the user has bookmarked: id, score as above",
			"10,000: more are refused"},
		{key.HiddenBookmarks(id),
			"those of the bookmarks whose topics are hidden, which counts leave out: topic, score its " +
				"revision then; negative once it was restored",
			"as `bookmarks`"},
		{key.Watching(id),
			"topics of whose new comments the user is notified: id, score as above",
			"10,000: more are refused"},
		{key.Followers(id),
			"users who follow this one: the reverse side of their `following`, with the same score", ""},
		{key.Blockers(id),
			"users who have blocked this one: the reverse side of their `blocked`", ""},
		{key.Listed(id),
			"lists that the user is on, as `owner:list`: the reverse side of their `members`", ""},
		{key.Marked(id),
			"the fields of `marks`, score time of marking",
			"as `marks`"},
		{key.Home(id),
			"the stored home: 8 hexadecimal digits of a topic's id, score time of posting",
			"1000 latest; empty while it is not kept up to date, see `homeFloor`"},
		{key.Lists(id),
			"the user's lists of users: id, score id (order of creation)",
			"100"},
	}},
	{Name: "user-hash", Type: Hash, Object: OfUser, Keys: []Pattern{
		{key.Karma(id),
			"what the karma counts of the user's comments: comment → `" + KarmaRow.Shape + "`, the field `votes` " +
				"of the comment and the votes of others on it, up minus down; `4503599627370496 0` once " +
				"it, or its topic, was deleted; the net is 0 while either is hidden", ""},
		{key.Marks(id),
			"up to where the user has read: `t<topic>` → number of the comment up to which it was " +
				"read, `l<timeline>` (its name) → time of marking",
			"10,000 marked last"},
		{key.ListNames(id),
			"folded name → id of the list", ""},
	}},
	{Name: "user-notes", Type: ZSet, Object: OfUser, Keys: []Pattern{
		{key.Notes(id),
			"the user's notifications: their numbers, each with itself as score",
			"1000 newest"},
		{key.Unread(id),
			"those not marked as read, likewise", ""},
	}},
	{Name: "user-note", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Note(id),
		"number → `" + NoteRow.Shape + "`: a `NotificationReason` of the schema, but for WATCH " +
			"`WATCH:<topic>`; a user's id; `c<comment>`, `t<topic>`, `f<follower>` or `m<act>`; a time; and " +
			"subject → number, so that nothing is notified twice; `withheld`: those that were unread when what they are " +
			"about was hidden, and are unread again with it: `number:why:comment:topic`, 1 for the comment or follower, 2 " +
			"for the topic, 3 for both, 0 for neither any more, and the revisions of both of which that is known",
		"both are removed with the number"}}},
	{Name: "user-ended", Type: ZSet, Object: OfReverseEnded, Life: key.EndedLife,
		Keys: []Pattern{{all(key.Ended(key.Followers(id)), key.Ended(key.Blockers(id)), key.Ended(key.Listed(id))),
			"users who have left the reverse side, score time of leaving (Unix µs), so that no late write " +
				"adds them again",
			"each an hour; 2 h after the last"}}},
	{Name: "user-acts", Type: ZSet, Object: OfUser, Keys: []Pattern{{all(key.UserActs(id), key.UserRecord(id)),
		"what the user did as a moderator; what moderators did that concerns the user: acts, as in " +
			"`{mod}:log`", ""}}},
	{Name: "recent-posts", Type: Hash, Object: OfUser, Life: forum.RecentPostsLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.RecentPosts(id),
			"what a new member posted lately: `day`, a day of the site, and `posts`, how many on it; " +
				"`k` and the hash of an idempotency key → `time OK` or `time HELD`, for a day; `x` and the " +
				"hash of a text → the time, for an hour",
			"26 h after the last post"}}},
	{Name: "approved", Type: Set, Object: OfUser, Keys: []Pattern{{key.Approved(id),
		"posts of the user that were held and approved: `t<id>`, `c<id>`", ""}}},
	{Name: "user-events", Type: Stream, Object: OfEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{all(key.Events(key.Home(id)), key.Events(key.Profile(id)), key.Events(key.Bookmarks(id))),
			"what was added to the home, profile or bookmarks or removed from them, as in " +
				"`{ix:front}:ev`; `X` is many at once; for a bookmark `m` is the topic",
			"exists only while someone watches it, and for 24 h after; about 256 latest"}}},
	{Name: "user-external", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Externals(id),
		"the user's accounts at issuers: hash → `" + ExternalRow.Shape + "`: when the token was " +
			"issued whose claims were applied last, when the issuer last said that the member signed out there (missing if " +
			"never), when the claims were applied (Unix ms, 0 for never), a hash of the last claim of a login, `-` " +
			"before the first after a link (older entries lack `:said`), and the claims iss and sub",
		"10"}}},
	{Name: "invitations", Type: Hash, Object: OfUser, Keys: []Pattern{{key.Invitations(id),
		"the invitations that the user made: name, the first 24 digits of the SHA-256 of the code → a JSON object with " +
			"`code`, `uses`, how many may register with it, `created`, `expires`, and if there is one, `revoked`, `note`, " +
			"and `came`, who registered with it: `user/nonce` of each registration",
		"50 open; 100"}}},
	{Name: "sessions", Type: Hash, Object: OfUser, Life: forum.SessionLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Sessions(id),
			"SHA-256 of the secret of each token → `" + SessionRow.Shape + "`: three times, when the user " +
				"proved who it is (0 for unknown), the hash of the account at an issuer that the session came from, if it did, " +
				"and the header at sign-in; older entries lack `:proved:origin`",
			"1 h after the last one ends; 20"}}},
	{Name: "tokens", Type: Hash, Object: OfUser, Life: forum.TokenIdle + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Tokens(id),
			"SHA-256 of the secret of each API token → `" + TokenRow.Shape + "`: three times, of which the last " +
				"two are 0 for never, the scopes, separated by commas, and the hash of the account at an issuer that the token " +
				"came from, if it did; older entries lack `:origin`",
			"180 days and 1 h after the last use or creation; 20"}}},
	{Name: "takeout", Type: String, Object: OfUser, Life: forum.TakeoutLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Takeout(id),
			"`" + TakeoutRow.Shape + "` of a [take-out](limits.md#take-out): WAITS until its address is used, or RUNS; " +
				"until when that holds; and the SHA-256 of the secret in the address",
			"1 h after it ends, at most 70 min"}}},
	{Name: "releases", Type: Set, Object: OfUser, Keys: []Pattern{{key.Release(id),
		"`claim-key value`: names, or a use of an invitation, to be released; `claim-key value until` if they then rest until " +
			"a time (Unix ms)",
		"empty at rest"}}},
	{Name: "claim", Type: String, Object: OfClaim, Keys: []Pattern{
		{key.LoginClaim("<login>"),
			"claim `user/nonce` on a login; counts only if the user's hash says the same. A claim at rest is " +
				"`0/rest:<until>` (Unix ms; 0 is forever, for staff) on the login of a deleted account, or on its look, and " +
				"`user/rest:<until>` on a former login", "an hour after that time, 90 days"},
		{key.LookClaim("<look>"),
			"claim `user/nonce` on what a login [looks like](limits.md#names-that-look-alike): two logins that " +
				"look alike cannot both be taken. One or two of each account; imported members, and accounts of earlier " +
				"versions, have them as far as they were free", ""},
		{key.EmailClaim(hashed),
			"claim on an e-mail", ""},
	}},
	{Name: "barred-email", Type: String, Object: OfSite, Life: forum.EmailBarredMost + forum.ExpiryGrace,
		Keys: []Pattern{{key.BarredEmail("<hash>"),
			"`user/rest:until`: a banned account had that e-mail, which nobody can register until " +
				"then; written before the claim is released",
			"at the end of the ban, after 90 days to 100 years"}}},
	{Name: "devices", Type: ZSet, Object: OfUser, Life: forum.DeviceLife + forum.ExpiryGrace, Export: LeftOut,
		Keys: []Pattern{{key.Devices(id),
			"pseudonyms of addresses from which the user signed in, score time of the last sign-in",
			"90 days and 1 h after the last sign-in; 20"}}},
}

var listKeys = []Kind{
	{Name: "list", Type: Hash, Object: OfList, Keys: []Pattern{{key.List(id),
		"the list, with the fields below. In its owner's partition", ""}}},
	{Name: "list-members", Type: ZSet, Object: OfList, Keys: []Pattern{{key.ListMembers(id),
		"the users on it: id, score time when they were added (Unix µs)",
		"500"}}},
	{Name: "list-events", Type: Stream, Object: OfEvents, Life: forum.StreamLife, Export: LeftOut,
		Keys: []Pattern{{key.Events(key.List(id)),
			"that users were added or removed: `k` is `X`, as in `{ix:front}:ev`",
			"exists only while someone watches it, and for 24 h after; the latest"}}},
}
