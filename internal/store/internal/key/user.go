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

// User is a HASH: the account (docs/keys.md). No expiry.
func User(id forum.UserID) string { return string(AppendUser(nil, id)) }

// Profile is a ZSET: the user's topics as members of an index, by time of posting (Unix ms), without
// deleted ones. No expiry.
func Profile(id forum.UserID) string { return User(id) + ":profile" }

// VoteLog is a ZSET: the last VoteLog articles that the user voted on; the score is 4 * the time of the
// vote (Unix ms) + 1 for UP, 2 for DOWN, 0 for a withdrawn vote. No expiry.
func VoteLog(id forum.UserID) string { return User(id) + ":votes" }

// Karma is a HASH: comment of the user -> "revision net", the votes on it that were counted in karma. No expiry.
func Karma(id forum.UserID) string { return User(id) + ":karma" }

// Following is a ZSET: users that the user follows, by the time of following (Unix µs). No expiry.
func Following(id forum.UserID) string { return User(id) + ":following" }

// Subjects is a ZSET: categories ("c<id>") and tags ("g<id>") that the user follows, by the time of
// following (Unix µs). No expiry.
func Subjects(id forum.UserID) string { return User(id) + ":subjects" }

// Followers is a ZSET: users who follow the user, by the time of following (Unix µs), mirroring their
// Following. No expiry.
func Followers(id forum.UserID) string { return User(id) + ":followers" }

// Blocked is a ZSET: users that the user has blocked, by the time of blocking (Unix µs). No expiry.
func Blocked(id forum.UserID) string { return User(id) + ":blocked" }

// Blockers is a ZSET: users who have blocked the user, by the time of blocking (Unix µs), mirroring their
// Blocked. No expiry.
func Blockers(id forum.UserID) string { return User(id) + ":blockers" }

// Bookmarks is a ZSET: topics that the user has bookmarked, by the time of bookmarking (Unix µs); at most
// MaxBookmarks. No expiry.
func Bookmarks(id forum.UserID) string { return User(id) + ":bookmarks" }

// HiddenBookmarks is a ZSET: those of Bookmarks whose topics are hidden, or were: the score is the topic's revision
// then, negative if it was restored. No expiry.
func HiddenBookmarks(id forum.UserID) string { return Bookmarks(id) + ":hidden" }

// Watching is a ZSET: topics whose new comments the user is notified of, by the time of beginning (Unix µs); at most
// MaxWatched. No expiry.
func Watching(id forum.UserID) string { return User(id) + ":watching" }

// Marks is a HASH: "t<topic>" -> number of the last comment when the user marked the topic
// as read; "l<timeline>" -> time of marking the timeline (Unix ms). No expiry.
func Marks(id forum.UserID) string { return User(id) + ":marks" }

// Marked is a ZSET: the fields of Marks by time of marking (Unix ms); at most
// MaxReadMarks. No expiry.
func Marked(id forum.UserID) string { return User(id) + ":marked" }

// Home is a ZSET: the topics of the user's home, ids in hexadecimal of fixed width by time of posting (Unix
// ms); at most HomeSize. No expiry.
func Home(id forum.UserID) string { return User(id) + ":home" }

// Lists is a ZSET: the user's lists of users by id, which is the order of creation. No expiry.
func Lists(id forum.UserID) string { return User(id) + ":lists" }

// ListNames is a HASH: folded name -> id of the user's lists. No expiry.
func ListNames(id forum.UserID) string { return User(id) + ":lists:names" }

// Listed is a ZSET: lists that the user is on ("owner:list"), by the time of being added (Unix µs),
// mirroring their ListMembers. No expiry.
func Listed(id forum.UserID) string { return User(id) + ":listed" }

// List is a HASH: owner, name, fold, created. No expiry.
func List(id forum.ListID) string { return string(AppendList(nil, id)) }

// AppendList appends the key that List returns.
func AppendList(b []byte, id forum.ListID) []byte {
	return appendNumbered(b, id.Partition(), "l:", id)
}

// ListPrefix returns the prefix of the keys of a partition's lists of users; the id follows.
func ListPrefix(p forum.Partition) string { return PartitionPrefix(p) + "l:" }

// ListMembers is a ZSET: the users on a list by the time of being added (Unix µs). No expiry.
func ListMembers(id forum.ListID) string { return List(id) + ":members" }

// EndedLife is how long removals from the far side of edges are remembered.
const EndedLife = forum.RemovalLife + forum.ExpiryGrace

// Ended is a ZSET next to a far side of edges (followers, blockers, listed, bookmarkers, watchers): the members
// removed from it, by the time of removal (Unix µs). Expires RemovalLife + ExpiryGrace after the last.
func Ended(far string) string { return far + ":ended" }

// HomeFence is a HASH of the topic states that homes in the partition must refuse: topic id -> "d" if the
// topic is deleted, otherwise the revision before which its states are out of date. There is one for each
// hour, by its number. Expires RemovalLife + ExpiryGrace after the hour.
func HomeFence(p forum.Partition, hour int64) string {
	return PartitionPrefix(p) + "gone:" + strconv.FormatInt(hour, 10)
}

// Events is a STREAM next to a list of topics: about the last StreamLength topics that were added, moved or
// removed: k (A added, M moved, R removed, X many together, - begun), m (member, as in indexes), o (digits
// of the orders in which it moved). It exists, and is written, only while it is watched. Expires StreamLife
// after the last watcher.
func Events(list string) string { return list + ":ev" }

// Notes is a ZSET: the numbers of the user's notifications, each with itself as score; at most
// MaxNotifications. No expiry.
func Notes(id forum.UserID) string { return User(id) + ":notes" }

// Unread is a ZSET: the members of Notes that were not marked as read. No expiry.
func Unread(id forum.UserID) string { return Notes(id) + ":unread" }

// Note is a HASH: for each of Notes its number -> "reason actor subject created", and its subject ("c<id>",
// "t<id>", "f<id>") -> number. No expiry.
func Note(id forum.UserID) string { return User(id) + ":note" }

// Sessions is a HASH: SHA-256 of the user's tokens -> "created seen ends userAgent", times in Unix ms.
// Expires ExpiryGrace after the last.
func Sessions(id forum.UserID) string { return User(id) + ":sessions" }

// Devices is a ZSET: pseudonyms of addresses from which the user signed in, by the time of the last sign-in
// (Unix ms); at most MaxDevices. Expires DeviceLife + ExpiryGrace after the last.
func Devices(id forum.UserID) string { return User(id) + ":devices" }

// Release is a SET of "claim-key value": claims to release. Empty at rest.
func Release(id forum.UserID) string { return User(id) + ":rel" }

// LoginClaim and EmailClaim are STRINGs "user/nonce". They are valid only if the user's hash agrees. No
// expiry, except that the claims on a deleted account's login and its looks stay reserved with the value
// "0/rest:<until>", and expire an hour later.
func LoginClaim(fold string) string { return "uniq:{l:" + fold + "}" }

// LookClaim is a STRING "user/nonce": the claim on a look of a login (text.Looks); an account has one or
// two. No expiry.
func LookClaim(look string) string { return "uniq:{k:" + look + "}" }

// BarredEmail is a STRING "user/rest:until": a banned account had the e-mail of a claim, which no other can have
// until then; pseudonym is that of the claim's key, so that nobody without the site's secret can test guesses. Expires
// then, at most forum.EmailBarredMost later.
func BarredEmail(pseudonym string) string { return "uniq:{b:" + pseudonym + "}" }

// EmailClaim is described at LoginClaim.
func EmailClaim(fold string) string {
	sum := sha256.Sum256([]byte(fold))
	return "uniq:{e:" + hex.EncodeToString(sum[:]) + "}"
}
