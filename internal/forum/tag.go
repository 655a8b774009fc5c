package forum

import "strings"

// TagID identifies a tag. It is a hash of the tag's folded name, at most MaxTagID, so the id
// follows from the name without a read.
type TagID int64

// MaxTagID is the largest id of a tag: 52 bits, which JSON and Lua hold exactly.
const MaxTagID TagID = 1<<52 - 1

// TagOrder is the order of the list of tags.
type TagOrder string

// The orders of the list of tags.
const (
	TagsByCount  TagOrder = "COUNT"
	TagsByName   TagOrder = "NAME"
	TagsByNewest TagOrder = "RECENT"
)

// Tag is a free label of topics. It exists as long as a topic has it.
type Tag struct {
	ID TagID
	// Name is the tag as it was first written.
	Name string
}

// TopicTag is a tag of a topic.
type TopicTag struct {
	ID TagID
	// Name is the tag as written in this topic. Only the spelling of the first topic is shown.
	Name string
}

// TopicTags are the tags of a topic, in the order in which they were entered.
type TopicTags []TopicTag

// IDs returns the ids of the tags.
func (ts TopicTags) IDs() []TagID {
	ids := make([]TagID, len(ts))
	for i, t := range ts {
		ids[i] = t.ID
	}
	return ids
}

// Names returns the names of the tags, separated by commas.
func (ts TopicTags) Names() string {
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = t.Name
	}
	return strings.Join(names, ", ")
}
