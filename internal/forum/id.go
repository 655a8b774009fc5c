package forum

import (
	"errors"
	"strconv"
)

// Partitions is the number of partitions of topics, comments and users. It is stored with the data
// (meta:layout) and never changes.
const Partitions = 256

// MaxID is the largest id: `Topic.number` is a GraphQL Int, which has 32 bits.
const MaxID = 1<<31 - 1

// The ids of users, topics, comments, lists and acts share one number space. Each is sequence *
// Partitions + partition, so an id determines where its object is stored. Ids are sparse and not
// chronological. Zero means none.
type (
	// UserID names a user; 0 is the ghost.
	UserID int64
	// TopicID names a topic.
	TopicID int64
	// CommentID names a comment.
	CommentID int64
	// ListID names a user's list of users.
	ListID int64
	// ActID names an entry of the moderation log.
	ActID int64
	// CategoryID names a category; categories have a sequence of their own.
	CategoryID int64
	// TabID names a tab; tabs have a sequence of their own.
	TabID int64
	// GroupID names a group of users; groups have a sequence of their own.
	GroupID int64
)

// Partition is the number of a partition, 0 to Partitions-1.
type Partition uint8

// Partition returns the partition of the user's keys.
func (id UserID) Partition() Partition { return Partition(id % Partitions) }

// Partition returns the partition of the topic's keys, which is its author's.
func (id TopicID) Partition() Partition { return Partition(id % Partitions) }

// Partition returns the partition of the comment's keys, which is its topic's.
func (id CommentID) Partition() Partition { return Partition(id % Partitions) }

// Partition returns the partition of the list's keys, which is its owner's.
func (id ListID) Partition() Partition { return Partition(id % Partitions) }

// Acts on what is in no partition have ids above MaxID, in sequences of their own: those on categories and tabs up to
// MaxSectionActID, those on the site above it. MaxActID is the largest: entries of lists have room for 32 bits.
const (
	MaxSectionActID = 3<<30 - 1
	MaxActID        = 1<<32 - 1
)

// OfSection reports whether the act is on a category or tab.
func (id ActID) OfSection() bool { return id > MaxID && id <= MaxSectionActID }

// OfSite reports whether the act is on the site itself, or on what a category permits.
func (id ActID) OfSite() bool { return id > MaxSectionActID }

// ParseActID parses the id of an act in its canonical form.
func ParseActID(s string) (ActID, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n > MaxActID || strconv.FormatInt(n, 10) != s {
		return 0, errors.New("not an id")
	}
	return ActID(n), nil
}

// Partition returns the partition of the act's keys, which is its subject's, unless it is OfSection or OfSite.
func (id ActID) Partition() Partition { return Partition(id % Partitions) }

// ParseID parses an id in its canonical form: decimal digits without sign or leading zeros, 1 to
// MaxID.
func ParseID[T ~int64](s string) (T, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || n > MaxID || strconv.FormatInt(n, 10) != s {
		return 0, errors.New("not an id")
	}
	return T(n), nil
}

// Time is an instant in Unix milliseconds; 0 means never.
type Time int64
