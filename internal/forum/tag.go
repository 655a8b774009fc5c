package forum

import "strings"

// TagID names a tag. It is a hash of the tag's folded name, at most MaxTagID, so
// that whoever writes a name knows the id: nobody need ask whether the tag exists.
type TagID int64

// MaxTagID is the largest id of a tag: 52 bits, which JSON and Lua hold exactly.
const MaxTagID TagID = 1<<52 - 1

// Tag is a free label of topics. It exists as long as a topic has it.
type Tag struct {
	Handle
	ID TagID
	// Name is the tag as it was first written.
	Name string
	// Written is the tag as some topic wrote it, which stands for the name while that is
	// not stored yet; "" if no topic was asked.
	Written string
}

// TopicTag is a tag as it was given to a topic.
type TopicTag struct {
	ID TagID
	// Name is the tag as it was written then. Only the first topic's way of writing
	// it is shown.
	Name string
}

// TopicTags are the tags of a topic, in the order in which they were given.
type TopicTags []TopicTag

// IDs are the ids of the tags.
func (ts TopicTags) IDs() []TagID {
	ids := make([]TagID, len(ts))
	for i, t := range ts {
		ids[i] = t.ID
	}
	return ids
}

// Names are the names of the tags, for people.
func (ts TopicTags) Names() string {
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}
