// Package key makes the keys of the data; docs/keys.md says what they hold. The part in braces decides the
// slot. The only names in keys are folded logins, which consist of letters, digits, `_`, `-` and `.`.
package key

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"agora/internal/forum"
)

// Layout is a HASH: what is fixed with the data.
const Layout = "meta:layout"

// Secret is a STRING: the site's secret for Pseudonym, 32 random bytes in hexadecimal.
const Secret = "meta:secret"

// Recheck is a STRING: the process that checks and repairs the data after the fail-over of a master.
const Recheck = "meta:recheck"

// RecheckLife is how long a process that checks the data after a fail-over keeps the others from it; it renews it.
const RecheckLife = 15 * time.Second

// Import is a HASH that exists while an export is imported into empty data: sum (SHA-256 of the export), rows
// (how many are written), run (a random name of the process that writes them).
const Import = "meta:import"

// SiteCopy is a STRING: a copy of the layout, the secret and the rules, as a connection.Site in JSON, for starts
// while the masters that have these are away.
func SiteCopy(p forum.Partition) string { return PartitionPrefix(p) + "site" }

// PartitionOfLogin returns the partition of the user who registers with this folded login: FNV-1a, 32 bits,
// modulo the number of partitions.
func PartitionOfLogin(fold string) forum.Partition {
	h := fnv.New32a()
	h.Write([]byte(fold))
	return forum.Partition(h.Sum32() % forum.Partitions)
}

// partitions are the key prefixes of the partitions.
var partitions = func() (tags [forum.Partitions]string) {
	for p := range tags {
		tags[p] = fmt.Sprintf("{p%02x}:", p)
	}
	return tags
}()

// PartitionPrefix returns the prefix of a partition's keys.
func PartitionPrefix(p forum.Partition) string { return partitions[p] }

// appendNumbered appends a key of a partition, a prefix and an id. It avoids allocations, because every
// read creates many keys.
func appendNumbered[T ~int64](b []byte, p forum.Partition, prefix string, id T) []byte {
	return strconv.AppendInt(append(append(b, partitions[p]...), prefix...), int64(id), 10)
}

// Sequence is a STRING: the last number assigned in the partition.
func Sequence(p forum.Partition) string { return PartitionPrefix(p) + "seq" }

// Dirty is a ZSET: the dirty marks of the partition.
func Dirty(p forum.Partition) string { return PartitionPrefix(p) + "dirty" }

// Stats is a HASH: the numbers of live objects of the partition.
func Stats(p forum.Partition) string { return PartitionPrefix(p) + "stats" }

// Due is a ZSET: names of tasks.
func Due(p forum.Partition) string { return PartitionPrefix(p) + "due" }

// Dead is a ZSET: names of tasks given up after MaxAttempts.
func Dead(p forum.Partition) string { return PartitionPrefix(p) + "dead" }

// Task is a HASH: a task.
func Task(p forum.Partition, name string) string { return PartitionPrefix(p) + "task:" + name }

// Idempotency is a STRING: the result of a call with an idempotency key.
func Idempotency(p forum.Partition, by forum.UserID, key string) string {
	sum := sha256.Sum256([]byte(key))
	return fmt.Sprintf("%sidem:%d:%s", PartitionPrefix(p), by, hex.EncodeToString(sum[:16]))
}

// Source is a STRING: the imported object of a source on another site.
func Source(p forum.Partition, kind, source string) string {
	sum := sha256.Sum256([]byte(kind + " " + source))
	return PartitionPrefix(p) + "src:" + hex.EncodeToString(sum[:16])
}

// PartitionOfSource returns the partition of imported users, and of imported topics without an author: it
// depends on the source only.
func PartitionOfSource(source string) forum.Partition { return PartitionOfLogin(source) }

// External is a STRING: the user who has the account at an issuer with that hash.
func External(hash string) string { return PartitionPrefix(PartitionOfExternal(hash)) + "ext:" + hash }

// PartitionOfExternal returns the partition of users who were registered for an account at an issuer.
func PartitionOfExternal(hash string) forum.Partition { return PartitionOfLogin(hash) }

// TopicPrefix, CommentPrefix and UserPrefix return the prefixes of the keys of a partition's topics,
// comments and users; the id follows.
func TopicPrefix(p forum.Partition) string { return PartitionPrefix(p) + "t:" }

// CommentPrefix is described at TopicPrefix.
func CommentPrefix(p forum.Partition) string { return PartitionPrefix(p) + "c:" }

// UserPrefix is described at TopicPrefix.
func UserPrefix(p forum.Partition) string { return PartitionPrefix(p) + "u:" }

// Itoa formats an id or a time as in keys and members.
func Itoa[T ~int64](id T) string { return strconv.FormatInt(int64(id), 10) }

// Internal is a HASH beside that of a topic, comment, user, category or tab: what only scripts and accounts use of it
// (docs/keys.md). No expiry.
func Internal(object string) string { return object + ":internal" }

// Text is a STRING beside the hash of a topic or comment with a long text: the number of its revision, a line feed, and
// the text. No expiry.
func Text(post string) string { return post + ":text" }

// SlotPrefix returns the prefix of the keys in the slot of a key: the part in braces and a colon.
func SlotPrefix(key string) string { return key[:strings.Index(key, "}:")+2] }

// ChangesChannel is the channel on which scripts publish what they have changed in the slot of a key: names of objects,
// which are their keys without SlotPrefix, each followed by a word of catalogue.Changes, with spaces between them.
func ChangesChannel(key string) string { return SlotPrefix(key) + "changes" }

// ChangesChannels is the pattern of the channels of all slots.
const ChangesChannels = "{*}:changes"

// Feed is a ZSET: what consumers have not handled yet of the changes in a slot, by number.
func Feed(slot string) string { return slot + "feed" }

// Consumers is a HASH: who follows the changes in a slot, and how far they are.
func Consumers(slot string) string { return slot + "consumers" }

// Aside is a HASH: the objects of a slot whose changes a consumer could not handle.
func Aside(slot, consumer string) string { return Feed(slot) + ":" + consumer }

// FeedSlots are the prefixes of the keys of all slots with a feed.
var FeedSlots = append(partitions[:forum.Partitions:forum.Partitions], "{cat}:", "{mod}:")

// AllPartitions returns all partitions.
func AllPartitions() []forum.Partition {
	all := make([]forum.Partition, forum.Partitions)
	for p := range all {
		all[p] = forum.Partition(p)
	}
	return all
}
