package importer

import (
	"fmt"
	"slices"

	"agora/internal/forum"
)

// Bounds of what is imported. They are wider than those of what is posted
// here, because what others let their members write is not to be cut.
const (
	// MaxTitle is the longest title, in code points after NFC.
	MaxTitle = 300
	// MaxContent is the longest text, in bytes of UTF-8 after cleaning.
	MaxContent = 1 << 20
	// MaxRecord is the longest record as it stands in its file, in bytes.
	MaxRecord = 16 << 20
	// MaxCount is the largest count of views, likes or points that is taken for one.
	MaxCount = 1_000_000_000
)

// Format is the language of a file.
type Format string

// The formats that can be read.
const (
	// V2EX is topics as the V2EX API v1 answers them (`/api/topics/hot.json`).
	V2EX Format = "v2ex"
	// Discourse is topics with their posts (`/t/{id}.json`).
	Discourse Format = "discourse"
	// HackerNews is items of the Hacker News API (`/v0/item/{id}.json`).
	HackerNews Format = "hackernews"
	// StackExchange is a site of the Stack Exchange data dump: files of XML that
	// belong together.
	StackExchange Format = "stackexchange"
	// Snap is the edges of a network, as the SNAP collection has them: who follows whom.
	Snap Format = "snap"
)

// Formats lists the formats that can be read.
func Formats() []Format { return []Format{V2EX, Discourse, HackerNews, StackExchange, Snap} }

// IsValid reports whether f is one of the formats that can be read.
func (f Format) IsValid() bool { return slices.Contains(Formats(), f) }

// Person is a member of the other site. The zero Person is nobody: the ghost
// stands for whoever is missing.
type Person struct {
	// ID is unique within the source: its own id of the member, or "name:" and
	// the name where it has none.
	ID string
	// Name is the name as the source has it, cleaned: one line in NFC of 1 to
	// forum.MaxName code points. It need not be unique, nor fit for a login.
	Name string
	// SourceID is the source's number of the member, in decimal; "" if there is none.
	SourceID string
	// CreatedAt is when the member joined; 0 if that is not known.
	CreatedAt forum.Time
}

// Tab is a group of categories of the other site. The zero Tab is none.
type Tab struct {
	// ID is unique within the source.
	ID string
	// Name is one line of 1 to forum.MaxName code points.
	Name string
}

// Category is a subject of the other site. The zero Category is none.
type Category struct {
	// ID is unique within the source.
	ID string
	// Name is one line of 1 to forum.MaxName code points.
	Name string
	// Description is plain text of at most forum.MaxDescription code points.
	Description string
	// Tab is the group to which the category belongs.
	Tab Tab
}

// Topic is a topic of the other site, with all comments that came in its record.
type Topic struct {
	// ID is unique within the source.
	ID   string
	Kind forum.TopicKind
	// Title is one line in NFC of 1 to MaxTitle code points.
	Title string
	// Content is a text that text.Body accepts, of at most MaxContent bytes; it may be empty.
	Content string
	// Link is a URL that text.Link accepts, or "".
	Link     string
	Format   forum.ContentFormat
	Author   Person
	Category Category
	// Tags are at most forum.MaxTopicTags names that text.Tag accepts, no two of one fold.
	Tags      []string
	CreatedAt forum.Time
	// DeletedAt is not 0 in a topic that was deleted there.
	DeletedAt forum.Time
	// Upvotes, Downvotes and Clicks are counts whose rows are not in the data;
	// at most MaxCount each.
	Upvotes, Downvotes, Clicks int
	// Comments come in the order of posting: a parent stands before its replies.
	Comments []Comment
}

// Comment is a reply of the other site.
type Comment struct {
	// ID is unique within the source.
	ID string
	// Parent is the ID of what is replied to. Among the comments of a Topic it
	// is another comment, or "" for the topic itself; in a comment that is a
	// record of its own it is a topic or a comment, and never "".
	Parent string
	Author Person
	// Content is bounded as in a Topic.
	Content            string
	Format             forum.ContentFormat
	CreatedAt          forum.Time
	Upvotes, Downvotes int
}

// Follow is an edge of the other site's network: From follows To, who is another one.
type Follow struct{ From, To Person }

// Record is what one record of a file holds: exactly one of Topic, Comment,
// Person, Follow, Skipped and Err is set.
type Record struct {
	// File and Line are where the record begins; lines count from 1.
	File string
	Line int

	Topic   *Topic
	Comment *Comment
	// Person is a member who comes in also without having written anything.
	Person *Person
	Follow *Follow
	// Skipped is why a good record is left out, such as "deleted" or "pollopt".
	Skipped string
	// SkippedID and SkippedParent are the ID and Parent of a record that was
	// skipped, so that its replies can be hung higher; Parent is "" in a topic.
	SkippedID, SkippedParent string
	// Err is why the record is bad, without file and line.
	Err error

	// Changes is what reading did to the texts of a Topic or Comment.
	Changes Changes
}

// Changes counts what was done to the texts of records.
type Changes struct {
	// ControlCharacters counts those that were dropped. Line ends and tabs that
	// became something else do not count.
	ControlCharacters int
	// Overrides counts direction overrides and line separators dropped from
	// titles and names.
	Overrides int
	// Links counts links that were dropped because they are no http or https URLs.
	Links int
	// DeletedPosts counts posts within a topic that were left out because they
	// are deleted there.
	DeletedPosts int
	// Tags counts tags of topics that were dropped: of more than forum.MaxTag code
	// points, without anything that can be seen, or beyond forum.MaxTopicTags.
	Tags int
}

// Add sums up.
func (c *Changes) Add(other Changes) {
	c.ControlCharacters += other.ControlCharacters
	c.Overrides += other.Overrides
	c.Links += other.Links
	c.DeletedPosts += other.DeletedPosts
	c.Tags += other.Tags
}

// FileError says why a file cannot be read, or not further than to Line.
type FileError struct {
	File string
	// Line is where reading ended; 0 if the file as a whole is wrong.
	Line int
	Err  error
}

// Error names the file, the line if there is one, and the reason.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s: line %d: %v", e.File, e.Line, e.Err)
}

// Unwrap is the reason.
func (e *FileError) Unwrap() error { return e.Err }
