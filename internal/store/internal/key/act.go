package key

import (
	"time"

	"agora/internal/forum"
)

// ModerationLog is a ZSET: all acts of moderators.
const ModerationLog = "{mod}:log"

// ModerationLogOf is a ZSET: the acts of one kind.
func ModerationLogOf(kind forum.ActKind) string { return ModerationLog + ":" + string(kind) }

// ActLists returns the lists that have an act.
func ActLists(a *forum.Act) []string {
	lists := []string{ModerationLog, ModerationLogOf(a.Kind)}
	if a.Subject.User == 0 && !a.Subject.Site { // the acts on users are in their records, those on the site by kind
		lists = append(lists, SubjectActs(a.Subject))
	}
	if a.By != 0 {
		lists = append(lists, UserActs(a.By))
	}
	if a.Member != 0 {
		lists = append(lists, UserRecord(a.Member))
	}
	return lists
}

// ActPrefix returns the prefix of the keys of a partition's acts; the id follows.
func ActPrefix(p forum.Partition) string { return PartitionPrefix(p) + "m:" }

// Keys of acts on categories and tabs, in the slot of these.
const (
	// SectionActSequence is a STRING: the last id assigned, without forum.MaxID. No expiry.
	SectionActSequence = "{cat}:seq:m"
	// SectionActMarks is a ZSET: acts "m:<id>" that some lists may lack, by their time (Unix ms). Empty at rest.
	SectionActMarks = "{cat}:marks"

	SectionActPrefix = "{cat}:m:"
)

// Keys of acts on the site itself, in the slot of its rules and blocklist.
const (
	// SiteActSequence is a STRING: the last id assigned, without forum.MaxSectionActID. No expiry.
	SiteActSequence = "{mod}:seq:m"
	// SiteActMarks is a ZSET: as SectionActMarks. Empty at rest.
	SiteActMarks = "{mod}:marks"

	SiteActPrefix = "{mod}:m:"
)

// SharedActMarks are the ZSETs with marks of acts on what is in no partition.
var SharedActMarks = []string{SectionActMarks, SiteActMarks}

// Act is the HASH of an act, in the slot of its subject. No expiry.
func Act(id forum.ActID) string {
	switch {
	case id.OfSite():
		return SiteActPrefix + Itoa(id)
	case id.OfSection():
		return SectionActPrefix + Itoa(id)
	}
	return ActPrefix(id.Partition()) + Itoa(id)
}

// ActPosts is a ZSET: the posts "t<topic>" and "c<comment>" that an act of kind HIDE_POSTS hides, by their place from 1.
// Expires ActPostsLife after the act.
func ActPosts(id forum.ActID) string { return Act(id) + ":posts" }

// ActPostsLife is how long the posts of an act are kept: as long as they can be restored.
const ActPostsLife = time.Duration(forum.HiddenLife)*time.Millisecond + forum.ExpiryGrace

// ActMarks is the ZSET of an act's dirty mark: SectionActMarks, SiteActMarks, or Dirty of its partition. No expiry.
func ActMarks(id forum.ActID) string {
	switch {
	case id.OfSite():
		return SiteActMarks
	case id.OfSection():
		return SectionActMarks
	}
	return Dirty(id.Partition())
}

// SubjectActs is a ZSET: the acts on a topic, comment, category or tab.
func SubjectActs(s forum.Subject) string { return Subject(s) + ":acts" }

// UserActs is a ZSET: what a user did as a moderator.
func UserActs(id forum.UserID) string { return User(id) + ":acts" }

// UserRecord is a ZSET: the acts that concern a user.
func UserRecord(id forum.UserID) string { return User(id) + ":record" }

// Hidden is a ZSET: topics "t:<id>" and comments "c:<id>" of the partition that are hidden, or were held and are
// refused.
func Hidden(p forum.Partition) string { return PartitionPrefix(p) + "hidden" }
