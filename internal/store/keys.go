package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"

	"agora/internal/forum"
)

// Every key of the data is made here, and docs/keys.md lists them all. What stands in braces decides
// the slot. Only folded logins, which hold letters, digits, `_`, `-` and `.`, stand in keys as names.

// layoutKey is a HASH: version, partitions, created (Unix ms), timeZone; reserved,
// the largest id kept back by ReserveIDs; run, see sequenceGuard. No expiry.
const layoutKey = "meta:layout"

// secretKey is a STRING: the site's secret, 32 random bytes in hexadecimal, with which
// Pseudonym works. No expiry.
const secretKey = "meta:secret"

// PartitionOfLogin is where the user who registers with this folded login
// lives: FNV-1a, 32 bits, modulo the number of partitions.
func PartitionOfLogin(fold string) forum.Partition {
	h := fnv.New32a()
	h.Write([]byte(fold))
	return forum.Partition(h.Sum32() % forum.Partitions)
}

// partitions are the beginnings of the keys of each partition.
var partitions = func() (tags [forum.Partitions]string) {
	for p := range tags {
		tags[p] = fmt.Sprintf("{p%02x}:", p)
	}
	return tags
}()

func partition(p forum.Partition) string { return partitions[p] }

// appendNumbered appends a key of a partition, a prefix and an id: every read makes many.
func appendNumbered[T ~int64](b []byte, p forum.Partition, prefix string, id T) []byte {
	return strconv.AppendInt(append(append(b, partitions[p]...), prefix...), int64(id), 10)
}

// appendTopic, appendComment and appendUser append what topicKey, commentKey and userKey make.
func appendTopic(b []byte, id forum.TopicID) []byte {
	return appendNumbered(b, id.Partition(), "t:", id)
}

func appendComment(b []byte, id forum.CommentID) []byte {
	return appendNumbered(b, id.Partition(), "c:", id)
}

func appendUser(b []byte, id forum.UserID) []byte {
	return appendNumbered(b, id.Partition(), "u:", id)
}

// seqKey is a STRING: the last number given out in the partition. No expiry.
func seqKey(p forum.Partition) string { return partition(p) + "seq" }

// dirtyKey is a ZSET: entities ("t:<id>", "c:<id>", "u:<id>") whose indexes may
// lag behind, by the time of the change (Unix ms). Empty at rest.
func dirtyKey(p forum.Partition) string { return partition(p) + "dirty" }

// statsKey is a HASH: users, topics, comments: how many live ones the partition holds. No expiry.
func statsKey(p forum.Partition) string { return partition(p) + "stats" }

// dueKey is a ZSET: names of tasks by the time at which they may be claimed (Unix ms). Empty at rest.
func dueKey(p forum.Partition) string { return partition(p) + "due" }

// deadKey is a ZSET: names of tasks given up after MaxAttempts, by the time of that (Unix ms). No expiry.
func deadKey(p forum.Partition) string { return partition(p) + "dead" }

// taskKey is a HASH: n (fencing token), attempts, cursor. Lives as long as the task.
func taskKey(p forum.Partition, name string) string { return partition(p) + "task:" + name }

// idemKey is a STRING "time input-hash result": what a call with an idempotency
// key did. The key begins with the kind of call, so that kinds do not meet. Expires IdempotencyLife + ExpiryGrace after the call.
func idemKey(p forum.Partition, by forum.UserID, key string) string {
	sum := sha256.Sum256([]byte(key))
	return fmt.Sprintf("%sidem:%d:%s", partition(p), by, hex.EncodeToString(sum[:16]))
}

// sourceKey is a STRING "time src id", of a user with a nonce: what a record of
// another site became when it was imported. kind is "t", "c" or "u". No expiry.
func sourceKey(p forum.Partition, kind, source string) string {
	sum := sha256.Sum256([]byte(kind + " " + source))
	return partition(p) + "src:" + hex.EncodeToString(sum[:16])
}

// PartitionOfSource returns where imported users live, and imported topics of
// nobody: what is known of them before they are made.
func PartitionOfSource(source string) forum.Partition { return PartitionOfLogin(source) }

// rateKey is a LIST: times of the latest calls of one caller, a pseudonym (Unix ms), latest first. Expires ExpiryGrace after its window.
func rateKey(what, who string) string { return "rate:{" + what + ":" + who + "}" }

// failuresKey is a STRING: when the failed sign-ins with a name, a pseudonym, are forgotten
// (Unix ms). Expires FailureWindow + ExpiryGrace after the last.
func failuresKey(name string) string { return "rate:{failures:" + name + "}" }

// attemptsKey is a HASH: n, since, due: sign-ins with a name from one address, both
// pseudonyms, that failed. Expires FailureWindow + ExpiryGrace after the last.
func attemptsKey(name, address string) string { return failuresKey(name) + ":" + address }

// clickKey is a STRING, there while a further click of the visitor (a hash) on
// the topic does not count. Expires after ClickLife.
func clickKey(id forum.TopicID, visitor string) string {
	return fmt.Sprintf("%sclick:%d:%s", partition(id.Partition()), id, visitor)
}

func topicPrefix(p forum.Partition) string   { return partition(p) + "t:" }
func commentPrefix(p forum.Partition) string { return partition(p) + "c:" }
func userPrefix(p forum.Partition) string    { return partition(p) + "u:" }

// topicKey is a HASH: the topic's fields (docs/keys.md). It stays after deletion. No expiry.
func topicKey(id forum.TopicID) string { return string(appendTopic(nil, id)) }

// topicCommentsKey is a ZSET: all comments of the topic by floor, tombstones included. No expiry.
func topicCommentsKey(id forum.TopicID) string { return topicKey(id) + ":comments" }

// topicRepliesKey is a ZSET: the comments without parent by floor. No expiry.
func topicRepliesKey(id forum.TopicID) string { return topicKey(id) + ":replies" }

// bookmarkersKey is a ZSET: users who have bookmarked the topic, by the time of that (Unix
// µs), as their bookmarksKeys say; empty when the topic is deleted. No expiry.
func bookmarkersKey(id forum.TopicID) string { return topicKey(id) + ":bookmarkers" }

// tombstonesKey is a ZSET: the deleted ones of the topic's comments by floor. No expiry.
func tombstonesKey(id forum.TopicID) string { return topicKey(id) + ":gone" }

// authorsKey is a ZSET, all at 0: author and floor of each live comment of the topic, in
// hexadecimal of fixed width. No expiry.
func authorsKey(id forum.TopicID) string { return topicKey(id) + ":authors" }

// authored is the member of authorsKey for a comment.
func authored(author forum.UserID, floor int64) string {
	return fmt.Sprintf("%08x%08x", int64(author), floor)
}

// commentKey is a HASH: the comment's fields (docs/keys.md). No expiry.
func commentKey(id forum.CommentID) string { return string(appendComment(nil, id)) }

// commentRepliesKey is a ZSET: the replies to the comment by floor, tombstones included. No expiry.
func commentRepliesKey(id forum.CommentID) string { return commentKey(id) + ":replies" }

// talliesKey is a HASH: comment id -> "up down" of those comments of a list that have
// votes. The list is that of a topic, or of the replies to a comment. No expiry.
func talliesKey(list string) string { return list + ":tally" }

// rankingKey is a STRING: the comments of a list in an order by votes, as they stood
// for somebody who pages; sum is that of the ranking itself. Expires SnapshotLife after the last who began with it.
func rankingKey(list, sum string) string { return list + ":ranking:" + sum }

// upKey and downKey are ZSETs: users who voted on the subject, beside the imported
// base, by id. Expires ExpiryGrace after voting on an ARTICLE has ended; on all else no expiry.
func upKey(subject string) string   { return subject + ":up" }
func downKey(subject string) string { return subject + ":down" }

// userKey is a HASH: the account (docs/keys.md). No expiry.
func userKey(id forum.UserID) string { return string(appendUser(nil, id)) }

// profileKey is a ZSET: the user's topics as members of an index, by time of posting (Unix ms), without deleted ones. No expiry.
func profileKey(id forum.UserID) string { return userKey(id) + ":profile" }

// voteLogKey is a ZSET: the last VoteLog articles that the user voted on; the score
// is 4 * the time of the vote (Unix ms) + 1 for UP, 2 for DOWN, 0 when it was taken back. No expiry.
func voteLogKey(id forum.UserID) string { return userKey(id) + ":votes" }

// followingKey is a ZSET: users whom the user follows, by the time of that (Unix µs). No expiry.
func followingKey(id forum.UserID) string { return userKey(id) + ":following" }

// subjectsKey is a ZSET: categories ("c<id>") and tags ("g<id>") that the user follows,
// by the time of that (Unix µs). No expiry.
func subjectsKey(id forum.UserID) string { return userKey(id) + ":subjects" }

// followersKey is a ZSET: users who follow the user, by the time of that (Unix µs), as
// their followingKeys say. No expiry.
func followersKey(id forum.UserID) string { return userKey(id) + ":followers" }

// blockedKey is a ZSET: users whom the user has blocked, by the time of that (Unix µs). No expiry.
func blockedKey(id forum.UserID) string { return userKey(id) + ":blocked" }

// blockersKey is a ZSET: users who have blocked the user, by the time of that (Unix µs),
// as their blockedKeys say. No expiry.
func blockersKey(id forum.UserID) string { return userKey(id) + ":blockers" }

// bookmarksKey is a ZSET: topics that the user has bookmarked, by the time of that (Unix µs);
// at most MaxBookmarks. No expiry.
func bookmarksKey(id forum.UserID) string { return userKey(id) + ":bookmarks" }

// marksKey is a HASH: "t<topic>" -> floor of the last comment when the user marked the topic
// as read; "l<timeline>" -> time of marking the timeline (Unix ms). No expiry.
func marksKey(id forum.UserID) string { return userKey(id) + ":marks" }

// markedKey is a ZSET: the fields of marksKey by time of marking (Unix ms); at most
// MaxReadMarks. No expiry.
func markedKey(id forum.UserID) string { return userKey(id) + ":marked" }

// homeKey is a ZSET: topics that have come home, ids in hexadecimal of fixed width by time
// of posting (Unix ms); at most HomeSize. No expiry.
func homeKey(id forum.UserID) string { return userKey(id) + ":home" }

// listsKey is a ZSET: the user's lists of users by id, which is the order of making. No expiry.
func listsKey(id forum.UserID) string { return userKey(id) + ":lists" }

// listNamesKey is a HASH: folded name -> id of the user's lists. No expiry.
func listNamesKey(id forum.UserID) string { return userKey(id) + ":lists:names" }

// listedKey is a ZSET: lists of others that the user is on ("owner:list"), by the time of
// that (Unix µs), as their listMembersKeys say. No expiry.
func listedKey(id forum.UserID) string { return userKey(id) + ":listed" }

// listKey is a HASH: owner, name, fold, created. No expiry.
func listKey(id forum.ListID) string { return string(appendList(nil, id)) }

func appendList(b []byte, id forum.ListID) []byte {
	return appendNumbered(b, id.Partition(), "l:", id)
}

func listPrefix(p forum.Partition) string { return partition(p) + "l:" }

// listMembersKey is a ZSET: the users on a list by the time when they came (Unix µs). No expiry.
func listMembersKey(id forum.ListID) string { return listKey(id) + ":members" }

// endedKey is a ZSET beside one of the far sides of edges (followers, blockers, listed, bookmarkers):
// who left it, by the time of that (Unix µs). Expires RemovalLife + ExpiryGrace after the last.
func endedKey(far string) string { return far + ":ended" }

// goneKey is a HASH of what homes in the partition must not take any more: topic id ->
// "d" when it is deleted, else the revision before which states of it are out of date.
// There is one for each hour, by its number. Expires goneLife after it.
func goneKey(p forum.Partition, hour int64) string {
	return partition(p) + "gone:" + strconv.FormatInt(hour, 10)
}

// eventsKey is a STREAM beside a list of topics: what came to it, moved or went, about the
// last StreamLength of that: k (A added, M moved, R removed, X many at once, - begun), m
// (member, as indexes have it), o (digits of the orders in which it moved). It is there,
// and written, only while somebody watches. Expires StreamLife after the last who does.
func eventsKey(list string) string { return list + ":ev" }

// notesKey is a ZSET: the numbers of the user's notifications, each by itself; at most
// MaxNotifications. No expiry.
func notesKey(id forum.UserID) string { return userKey(id) + ":notes" }

// unreadKey is a ZSET: those of notesKey that were not marked as read, likewise. No expiry.
func unreadKey(id forum.UserID) string { return notesKey(id) + ":unread" }

// noteKey is a HASH: of each of notesKey its number -> "reason actor subject created", and
// its subject ("c<id>", "t<id>", "f<id>") -> number. No expiry.
func noteKey(id forum.UserID) string { return userKey(id) + ":note" }

// sessionsKey is a HASH: SHA-256 of the user's tokens -> "created seen ends userAgent", times in Unix ms. Expires ExpiryGrace after the last.
func sessionsKey(id forum.UserID) string { return userKey(id) + ":sessions" }

// devicesKey is a ZSET: pseudonyms of addresses from which the user signed in, by the time of
// the last time (Unix ms); at most MaxDevices. Expires DeviceLife + ExpiryGrace after the last.
func devicesKey(id forum.UserID) string { return userKey(id) + ":devices" }

// releaseKey is a SET of "claim-key value": claims to give back. Empty at rest.
func releaseKey(id forum.UserID) string { return userKey(id) + ":rel" }

// loginClaimKey and emailClaimKey are STRINGs "user/nonce". They count only if
// the user's hash says the same. No expiry; but the claims on a deleted account's login
// and its looks rest, with the value "0/rest:<until>", and expire an hour later.
func loginClaimKey(fold string) string { return "uniq:{l:" + fold + "}" }

// lookClaimKey is a STRING "user/nonce": the claim on what a login looks like (text.Looks),
// one or two of an account. No expiry.
func lookClaimKey(look string) string { return "uniq:{k:" + look + "}" }

func emailClaimKey(fold string) string {
	sum := sha256.Sum256([]byte(fold))
	return "uniq:{e:" + hex.EncodeToString(sum[:]) + "}"
}

const (
	// categorySeqKey and tabSeqKey are STRINGs: the last id given out. No expiry.
	categorySeqKey = "{cat}:seq:c"
	tabSeqKey      = "{cat}:seq:t"
	// categoryNamesKey and tabNamesKey are HASHes: folded name -> id. No expiry.
	categoryNamesKey = "{cat}:names:c"
	tabNamesKey      = "{cat}:names:t"
	// categorySourcesKey and tabSourcesKey are HASHes: what a category or tab of
	// another site, or a category's place in a tab, became when it was imported. No expiry.
	categorySourcesKey = "{cat}:src:c"
	tabSourcesKey      = "{cat}:src:t"
	// categoriesKey and tabsKey are ZSETs: all ids by id, which is the order of making. No expiry.
	categoriesKey = "{cat}:all:c"
	tabsKey       = "{cat}:all:t"
	// categoryDirtyKey is a ZSET: categories being deleted by the time of the call (Unix ms). Empty at rest.
	categoryDirtyKey = "{cat}:dirty"

	categoryPrefix = "{cat}:c:"
	tabPrefix      = "{cat}:t:"
)

// categoryKey is a HASH: name, fold, description, created; deleting while it is being deleted. No expiry.
func categoryKey(id forum.CategoryID) string { return categoryPrefix + itoa(id) }

// categoryTabsKey is a ZSET: the tabs that show the category, by id. No expiry.
func categoryTabsKey(id forum.CategoryID) string { return categoryKey(id) + ":tabs" }

// tabKey is a HASH: name, fold, created, categories (how many). No expiry.
func tabKey(id forum.TabID) string { return tabPrefix + itoa(id) }

// tabCategoriesKey is a ZSET: the tab's categories, by id. No expiry.
func tabCategoriesKey(id forum.TabID) string { return tabKey(id) + ":categories" }

// container is the prefix of the keys of one index: all orders of one list,
// with the guard's book-keeping, in one slot.
type container string

// frontContainer indexes all topics of the site.
const frontContainer container = "{ix:front}"

// categoryContainer indexes the topics of one category.
func categoryContainer(id forum.CategoryID) container { return container("{ix:c" + itoa(id) + "}") }

// tagContainer indexes the topics that bear a tag.
func tagContainer(id forum.TagID) container { return container("{ix:g" + itoa(id) + "}") }

// dayContainer indexes the topics that were commented on on a day. Its keys expire
// ExpiryGrace after the end of the next day.
func dayContainer(d forum.Day) container { return container("{ix:d" + d.String() + "}") }

// tagKey is a HASH: name, as it was first written. It goes with the tag's last topic and follower. No expiry.
func tagKey(id forum.TagID) string { return string(tagContainer(id)) + ":tag" }

// snapshotKey is a STRING: a snapshot of a timeline, as packed by packSnapshot; n is
// the number of the minute in which it was taken. Expires SnapshotLife + SnapshotEvery later.
func snapshotKey(t forum.Timeline, n int64) string {
	return "snap:{" + t.Name() + "}:" + strconv.FormatInt(n, 10)
}

// snapshotLeaseKey is a STRING, there while somebody takes a snapshot. Expires after snapshotLease.
func snapshotLeaseKey(t forum.Timeline, n int64) string { return snapshotKey(t, n) + ":lease" }

// userCommentsContainer indexes the live comments of one user, in the user's slot.
func userCommentsContainer(id forum.UserID) container { return container(userKey(id) + ":comments") }

// order is a ZSET: members by score in one order. No expiry.
func (c container) order(name string) string { return string(c) + ":" + name }

// revs is a HASH: id -> revision of the entry that was written last. No expiry.
func (c container) revs() string { return string(c) + ":rev" }

// gone is a ZSET: ids that left the list, by the time they did (Unix ms); each stays for RemovalLife.
func (c container) gone() string { return string(c) + ":gone" }

// events is a STREAM: what happened in the container, as eventsKey has it. Expires StreamLife after the last who watches.
func (c container) events() string { return eventsKey(string(c)) }

// followers is a ZSET: users who follow the category or tag, by the time of that (Unix
// µs), as their subjectsKeys say. No expiry.
func (c container) followers() string { return string(c) + ":followers" }

// closed is a STRING, there when the category is being or was deleted. No expiry: ids are never reused.
func (c container) closed() string { return string(c) + ":closed" }

// Orders of containers. All but the last hold every entry.
const (
	orderCreated = "created"
	orderActive  = "active"
	orderScore   = "score"
	orderHot     = "hot"
	// orderReplies is the only order of a day: by comments of that day.
	orderReplies = "replies"
	// orderDown is by votes against, of those topics that have any. With the orders
	// created and score it tells all votes.
	orderDown = "down"
)

// member is how an entry stands in a container's orders: the time of posting
// and the id in hexadecimal of fixed width, so that equal scores stand by time
// of posting, then by id, in Redis's order of bytes too.
func member(created forum.Time, id int64) string { return fmt.Sprintf("%011x%08x", int64(created), id) }

// parseMember reads the id and the time of posting back.
func parseMember(m string) (id int64, created forum.Time, err error) {
	if len(m) != 19 {
		return 0, 0, fmt.Errorf("member %q of an index", m)
	}
	at, err := strconv.ParseInt(m[:11], 16, 64)
	if err != nil {
		return 0, 0, err
	}
	id, err = strconv.ParseInt(m[11:], 16, 64)
	return id, forum.Time(at), err
}

func itoa[T ~int64](id T) string { return strconv.FormatInt(int64(id), 10) }
