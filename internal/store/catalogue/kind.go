package catalogue

import (
	"strings"
	"time"

	"agora/internal/forum"
)

// Kind is a kind of key.
type Kind struct {
	// Name is unique; rows of exports begin with it.
	Name string
	Type Type
	// Object is what the key belongs to.
	Object Object
	// Life is the longest life; 0 for keys that do not expire.
	Life   time.Duration
	Export Export
	Keys   []Pattern
}

// Pattern describes keys of a kind.
type Pattern struct {
	// Keys are keys that package key makes, separated by spaces: of some objects, or with the name of what varies, such
	// as "<login>".
	Keys string
	// Doc says what they hold, in Markdown; Ends says when they expire and how long they become.
	Doc, Ends string
}

// Type is a type of Redis, as TYPE returns it.
type Type string

// Types of keys.
const (
	Hash   Type = "hash"
	ZSet   Type = "zset"
	Set    Type = "set"
	String Type = "string"
	List   Type = "list"
	Stream Type = "stream"
)

// Export is where an export has a kind of key.
type Export int

// Where an export has a kind: in rows, in its header, or nowhere, because it belongs to running servers and
// their clients, not to the site.
const (
	InRows Export = iota
	InHeader
	LeftOut
)

// Object is a kind of object.
type Object int

// Kinds of objects.
const (
	OfSite Object = iota
	OfPartition
	OfTopic
	OfVoters // of a topic; those of an article expire
	OfComment
	OfUser
	OfTask
	OfIndex
	OfTag            // an index too
	OfTagBookkeeping // its book-keeping, which expires once no topic has the tag
	OfDay            // an index that expires
	OfCategory
	OfTab
	OfGroup
	OfClaim
	OfIdem
	OfClick
	OfSource
	OfExternal // the record of an account at an issuer
	OfRanking
	OfChanges
	OfList
	OfRemoved        // fences of a partition
	OfReverseEnded   // tombstones on the reverse side of edges to a user or topic
	OfContainerEnded // tombstones of followers of a category or tag
	OfEvents         // events of a watched timeline or list of a user
	OfIndexEvents    // events of a watched index
	OfSectionEvents  // events of a watched tab
	OfSnapshot
	OfActPosts // which a moderator hides
	OfSectionAct
	OfSiteAct
	OfFeed // of a slot, and who follows it
)

// Key is a parsed key.
type Key struct {
	Kind
	Partition forum.Partition
	// ID is the first number in the key after the partition, if it has one.
	ID int64
	// Text is the number, date or name of the object as it is in the key.
	Text string
}

// ownPrefixes are the prefixes of a store's keys. Other keys may belong to other programs.
var ownPrefixes = []string{"{p", "{ix:", "{cat}:", "{grp}:", "{mod}:", "uniq:{", "rate:{", "door:{", "snap:{"}

// Ours reports whether a key looks like one of a store.
func Ours(name string) bool {
	for _, prefix := range ownPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
