// Package kind knows every kind of key that package key creates: what its names look like, its type, how
// long it lives, and whether exports contain it.
package kind

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"agora/internal/forum"
)

// Kind is a kind of key.
type Kind struct {
	// Name is unique; rows of exports begin with it.
	Name  string
	match *regexp.Regexp
	Type  Type
	// Life is the longest life; 0 for keys that do not expire.
	Life time.Duration
	// Object is what the key belongs to: its number is the first group after the partition, if the key has
	// one.
	Object Object
	Export Export
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
	Row Export = iota
	Header
	Left
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
	OfTag     // an index too
	OfTagBook // its book-keeping, which expires once no topic has the tag
	OfDay     // an index that expires
	OfCategory
	OfTab
	OfClaim
	OfIdem
	OfClick
	OfSource
	OfRanking
	OfChanges
	OfList
	OfRemoved        // fences of a partition
	OfFarEnded       // tombstones on the far side of edges to a user or topic
	OfContainerEnded // tombstones of followers of a category or tag
	OfEvents         // events of a watched list of a user
	OfIndexEvents    // events of a watched index
	OfSnapshot
	OfSectionAct
	OfSiteAct
)

// Key is a parsed key.
type Key struct {
	Kind
	Partition forum.Partition
	ID        int64
	// Text is the number or name of the object as it is in the key.
	Text string
}

// ownPrefixes are the prefixes of a store's keys. Other keys may belong to other programs.
var ownPrefixes = []string{"{p", "{ix:", "{cat}:", "{mod}:", "uniq:{", "rate:{", "door:{", "snap:{"}

// Ours reports whether a key looks like one of a store.
func Ours(name string) bool {
	for _, prefix := range ownPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// Named returns the kind with a name.
func Named(name string) (*Kind, bool) {
	k, ok := byName[name]
	return k, ok
}

var byName = func() map[string]*Kind {
	all := make(map[string]*Kind, len(All))
	for i := range All {
		all[All[i].Name] = &All[i]
	}
	return all
}()

// Read parses a key; ok is false if it has no known kind or is not in its partition.
func Read(name string) (k Key, ok bool) {
	for i := range All {
		if m := All[i].match.FindStringSubmatch(name); m != nil {
			return All[i].key(name, m[1:])
		}
	}
	return Key{}, false
}

// Read parses a key of the kind.
func (k *Kind) Read(name string) (Key, bool) {
	m := k.match.FindStringSubmatch(name)
	if m == nil {
		return Key{}, false
	}
	return k.key(name, m[1:])
}

// key returns a key of the kind, given what its regular expression found.
func (k *Kind) key(name string, groups []string) (Key, bool) {
	parsed := Key{Kind: *k}
	if strings.HasPrefix(name, "{p") {
		n, _ := strconv.ParseUint(groups[0], 16, 8)
		parsed.Partition, groups = forum.Partition(n), groups[1:]
	}
	if len(groups) > 0 {
		parsed.Text = groups[0]
		if k.Object != OfSource { // a source's name is a hash, perhaps without letters
			parsed.ID, _ = strconv.ParseInt(parsed.Text, 10, 64)
		}
	}
	return parsed, parsed.inPartition()
}

// inPartition reports whether the key has a valid number or name, and is in its object's partition.
func (k Key) inPartition() bool {
	switch k.Object {
	case OfTag, OfTagBook, OfContainerEnded, OfIndexEvents:
		return k.ID <= int64(forum.MaxTagID)
	case OfSectionAct:
		return forum.ActID(k.ID).OfSection()
	case OfSiteAct:
		return forum.ActID(k.ID).OfSite() && k.ID <= forum.MaxActID
	case OfDay:
		_, ok := forum.ParseDay(k.Text)
		return ok
	case OfSnapshot:
		_, ok := forum.ParseTimeline(k.Text)
		return ok
	case OfTopic, OfVoters, OfComment, OfUser, OfClick, OfRanking, OfChanges, OfList, OfFarEnded, OfEvents:
		return k.ID <= forum.MaxID && forum.TopicID(k.ID).Partition() == k.Partition
	}
	return k.ID <= forum.MaxID
}
