// Package key makes every key of the data; docs/keys.md lists them all. What stands in braces
// decides the slot. Only folded logins, which hold letters, digits, `_`, `-` and `.`, stand in
// keys as names.
package key

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"

	"agora/internal/forum"
)

// Layout is a HASH: version, partitions, created (Unix ms), timeZone; reserved,
// the largest id kept back by ReserveIDs; run, see sequenceGuard. No expiry.
const Layout = "meta:layout"

// Secret is a STRING: the site's secret, 32 random bytes in hexadecimal, with which
// Pseudonym works. No expiry.
const Secret = "meta:secret"

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

// PartitionPrefix begins the keys of a partition.
func PartitionPrefix(p forum.Partition) string { return partitions[p] }

// appendNumbered appends a key of a partition, a prefix and an id: every read makes many.
func appendNumbered[T ~int64](b []byte, p forum.Partition, prefix string, id T) []byte {
	return strconv.AppendInt(append(append(b, partitions[p]...), prefix...), int64(id), 10)
}

// Sequence is a STRING: the last number given out in the partition. No expiry.
func Sequence(p forum.Partition) string { return PartitionPrefix(p) + "seq" }

// Dirty is a ZSET: entities ("t:<id>", "c:<id>", "u:<id>") whose indexes may
// lag behind, by the time of the change (Unix ms). Empty at rest.
func Dirty(p forum.Partition) string { return PartitionPrefix(p) + "dirty" }

// Stats is a HASH: users, topics, comments: how many live ones the partition holds. No expiry.
func Stats(p forum.Partition) string { return PartitionPrefix(p) + "stats" }

// Due is a ZSET: names of tasks by the time at which they may be claimed (Unix ms). Empty at rest.
func Due(p forum.Partition) string { return PartitionPrefix(p) + "due" }

// Dead is a ZSET: names of tasks given up after MaxAttempts, by the time of that (Unix ms). No expiry.
func Dead(p forum.Partition) string { return PartitionPrefix(p) + "dead" }

// Task is a HASH: n (fencing token), attempts, cursor. Lives as long as the task.
func Task(p forum.Partition, name string) string { return PartitionPrefix(p) + "task:" + name }

// Idempotency is a STRING "time input-hash result": what a call with an idempotency
// key did. The key begins with the kind of call, so that kinds do not meet. Expires IdempotencyLife + ExpiryGrace
// after the call.
func Idempotency(p forum.Partition, by forum.UserID, key string) string {
	sum := sha256.Sum256([]byte(key))
	return fmt.Sprintf("%sidem:%d:%s", PartitionPrefix(p), by, hex.EncodeToString(sum[:16]))
}

// Source is a STRING "time src id", of a user with a nonce: what a record of
// another site became when it was imported. kind is "t", "c" or "u". No expiry.
func Source(p forum.Partition, kind, source string) string {
	sum := sha256.Sum256([]byte(kind + " " + source))
	return PartitionPrefix(p) + "src:" + hex.EncodeToString(sum[:16])
}

// PartitionOfSource returns where imported users live, and imported topics of
// nobody: what is known of them before they are made.
func PartitionOfSource(source string) forum.Partition { return PartitionOfLogin(source) }

// TopicPrefix, CommentPrefix and UserPrefix begin the keys of a partition's topics,
// comments and users; the id follows.
func TopicPrefix(p forum.Partition) string { return PartitionPrefix(p) + "t:" }

// CommentPrefix is described at TopicPrefix.
func CommentPrefix(p forum.Partition) string { return PartitionPrefix(p) + "c:" }

// UserPrefix is described at TopicPrefix.
func UserPrefix(p forum.Partition) string { return PartitionPrefix(p) + "u:" }

// Itoa writes an id or a time as keys and members have it.
func Itoa[T ~int64](id T) string { return strconv.FormatInt(int64(id), 10) }

// AllPartitions are all partitions.
func AllPartitions() []forum.Partition {
	all := make([]forum.Partition, forum.Partitions)
	for p := range all {
		all[p] = forum.Partition(p)
	}
	return all
}
