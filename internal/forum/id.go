package forum

import (
	"errors"
	"strconv"
)

// Partitions is the number of slots that topics, comments and users are spread
// over. It is written into the data (meta:layout) and never changes.
const Partitions = 256

// MaxID is the largest id: `Topic.number` is a GraphQL Int, which has 32 bits.
const MaxID = 1<<31 - 1

// The ids of users, topics, comments and lists are unique over all four: each is
// sequence * Partitions + partition, so that an id tells where its object lies.
// They are sparse and not chronological. Zero is nobody or nothing.
type (
	// UserID names a user; 0 is the ghost.
	UserID int64
	// TopicID names a topic.
	TopicID int64
	// CommentID names a comment.
	CommentID int64
	// ListID names a user's list of users.
	ListID int64
	// CategoryID names a category; categories have a sequence of their own.
	CategoryID int64
	// TabID names a tab; tabs have a sequence of their own.
	TabID int64
)

// Partition is a slot number, 0 to Partitions-1.
type Partition uint8

// Partition tells where the user's keys lie.
func (id UserID) Partition() Partition { return Partition(id % Partitions) }

// Partition tells where the topic's keys lie: in its author's partition.
func (id TopicID) Partition() Partition { return Partition(id % Partitions) }

// Partition tells where the comment's keys lie: in its topic's partition.
func (id CommentID) Partition() Partition { return Partition(id % Partitions) }

// Partition tells where the list's keys lie: in its owner's partition.
func (id ListID) Partition() Partition { return Partition(id % Partitions) }

// ParseID reads an id in its one canonical form: decimal digits without sign or
// leading zeros, 1 to MaxID.
func ParseID[T ~int64](s string) (T, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n > MaxID || strconv.FormatInt(n, 10) != s {
		return 0, errors.New("not an id")
	}
	return T(n), nil
}

// Time is an instant in Unix milliseconds; 0 means never.
type Time int64
