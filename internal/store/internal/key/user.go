package key

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"agora/internal/forum"
)

// AppendUser appends the key that User returns.
func AppendUser(b []byte, id forum.UserID) []byte {
	return appendNumbered(b, id.Partition(), "u:", id)
}

// User is a HASH: the fields of an account.
func User(id forum.UserID) string { return string(AppendUser(nil, id)) }

// Profile is a ZSET: the user's topics as members of an index.
func Profile(id forum.UserID) string { return User(id) + ":profile" }

// VoteLog is a ZSET: the last VoteLog articles that the user voted on.
func VoteLog(id forum.UserID) string { return User(id) + ":votes" }

// Karma is a HASH: the votes on each comment of the user that were counted in karma.
func Karma(id forum.UserID) string { return User(id) + ":karma" }

// Following is a ZSET: users that the user follows.
func Following(id forum.UserID) string { return User(id) + ":following" }

// Subjects is a ZSET: categories ("c<id>") and tags ("g<id>") that the user follows.
func Subjects(id forum.UserID) string { return User(id) + ":subjects" }

// Followers is a ZSET: users who follow the user.
func Followers(id forum.UserID) string { return User(id) + ":followers" }

// Blocked is a ZSET: users that the user has blocked.
func Blocked(id forum.UserID) string { return User(id) + ":blocked" }

// Blockers is a ZSET: users who have blocked the user.
func Blockers(id forum.UserID) string { return User(id) + ":blockers" }

// Bookmarks is a ZSET: topics that the user has bookmarked.
func Bookmarks(id forum.UserID) string { return User(id) + ":bookmarks" }

// HiddenBookmarks is a ZSET: those of Bookmarks whose topics are hidden, or were.
func HiddenBookmarks(id forum.UserID) string { return Bookmarks(id) + ":hidden" }

// Watching is a ZSET: topics whose new comments the user is notified of.
func Watching(id forum.UserID) string { return User(id) + ":watching" }

// Marks is a HASH: up to where the user has read.
func Marks(id forum.UserID) string { return User(id) + ":marks" }

// Marked is a ZSET: the fields of Marks.
func Marked(id forum.UserID) string { return User(id) + ":marked" }

// Home is a ZSET: the topics of the user's home, ids in hexadecimal of fixed width.
func Home(id forum.UserID) string { return User(id) + ":home" }

// Lists is a ZSET: the user's lists of users by id, which is the order of creation.
func Lists(id forum.UserID) string { return User(id) + ":lists" }

// ListNames is a HASH: the ids of the user's lists by folded name.
func ListNames(id forum.UserID) string { return User(id) + ":lists:names" }

// Listed is a ZSET: lists that the user is on ("owner:list").
func Listed(id forum.UserID) string { return User(id) + ":listed" }

// List is a HASH: the fields of a list of users.
func List(id forum.ListID) string { return string(AppendList(nil, id)) }

// AppendList appends the key that List returns.
func AppendList(b []byte, id forum.ListID) []byte {
	return appendNumbered(b, id.Partition(), "l:", id)
}

// ListPrefix returns the prefix of the keys of a partition's lists of users; the id follows.
func ListPrefix(p forum.Partition) string { return PartitionPrefix(p) + "l:" }

// ListMembers is a ZSET: the users on a list.
func ListMembers(id forum.ListID) string { return List(id) + ":members" }

// EndedLife is how long removals from the reverse side of edges are remembered.
const EndedLife = forum.RemovalLife + forum.ExpiryGrace

// Ended is a ZSET next to a reverse side of edges (followers, blockers, listed, bookmarkers, watchers): the members
// removed from it, by the time of removal (Unix µs). Expires RemovalLife + ExpiryGrace after the last.
func Ended(reverse string) string { return reverse + ":ended" }

// HomeFence is a HASH: topic states of an hour that homes in the partition must refuse.
func HomeFence(p forum.Partition, hour int64) string {
	return PartitionPrefix(p) + "gone:" + strconv.FormatInt(hour, 10)
}

// Events is a STREAM next to a list of topics: about the last StreamLength topics that were added, moved or
// removed: k (A added, M moved, R removed, X many together, - begun), m (member, as in indexes), o (digits
// of the orders in which it moved). It exists, and is written, only while it is watched. Expires StreamLife
// after the last watcher.
func Events(list string) string { return list + ":ev" }

// Notes is a ZSET: the numbers of the user's notifications, each with itself as score.
func Notes(id forum.UserID) string { return User(id) + ":notes" }

// Unread is a ZSET: the members of Notes that were not marked as read.
func Unread(id forum.UserID) string { return Notes(id) + ":unread" }

// Note is a HASH: the user's notifications and what they are about.
func Note(id forum.UserID) string { return User(id) + ":note" }

// Externals is a HASH: the user's accounts at issuers by their hashes.
func Externals(id forum.UserID) string { return User(id) + ":external" }

// Invitations is a HASH: the invitations that the user made, by their names.
func Invitations(id forum.UserID) string { return User(id) + ":invitations" }

// Sessions is a HASH: the user's sessions by the hashes of their tokens.
func Sessions(id forum.UserID) string { return User(id) + ":sessions" }

// Tokens is a HASH: the user's API tokens by their hashes.
func Tokens(id forum.UserID) string { return User(id) + ":tokens" }

// Devices is a ZSET: pseudonyms of addresses from which the user signed in.
func Devices(id forum.UserID) string { return User(id) + ":devices" }

// Takeout is a STRING: the take-out of what is kept about the user.
func Takeout(id forum.UserID) string { return User(id) + ":takeout" }

// Release is a SET: the user's claims to release.
func Release(id forum.UserID) string { return User(id) + ":rel" }

// LoginClaim and EmailClaim are STRINGs "user/nonce". They are valid only if the user's hash agrees. No
// expiry, except that the claims on a deleted account's login and its looks stay reserved with the value
// "0/rest:<until>", and expire an hour later.
func LoginClaim(fold string) string { return "uniq:{l:" + fold + "}" }

// LookClaim is a STRING: the claim on a look of a login (text.Looks); an account has one or two.
func LookClaim(look string) string { return "uniq:{k:" + look + "}" }

// BarredEmail is a STRING: a bar on the e-mail of a banned account; pseudonym is that of the claim on it, so
// that nobody without the site's secret can test guesses.
func BarredEmail(pseudonym string) string { return "uniq:{b:" + pseudonym + "}" }

// EmailClaim is described at LoginClaim.
func EmailClaim(fold string) string {
	sum := sha256.Sum256([]byte(fold))
	return "uniq:{e:" + hex.EncodeToString(sum[:]) + "}"
}
