package importer

import (
	"fmt"
	"slices"

	"agora/internal/forum"
)

// Limits of imported data. They are wider than those of posts on this site, so that valid content
// of other sites is not truncated.
const (
	// MaxTitle is the maximum length of a title, in code points after NFC.
	MaxTitle = 300
	// MaxContent is the maximum length of a text, in bytes of UTF-8 after cleaning.
	MaxContent = 1 << 20
	// MaxRecord is the maximum length of a record in its file, in bytes.
	MaxRecord = 16 << 20
	// MaxCount is the maximum number of views, likes or points that is accepted.
	MaxCount = 1_000_000_000
)

// Format is the format of a file.
type Format string

// The supported formats.
const (
	// V2EX is topics as returned by the V2EX API v1 (`/api/topics/hot.json`).
	V2EX Format = "v2ex"
	// Discourse is topics with their posts (`/t/{id}.json`).
	Discourse Format = "discourse"
	// HackerNews is items of the Hacker News API (`/v0/item/{id}.json`).
	HackerNews Format = "hackernews"
	// StackExchange is a site of the Stack Exchange data dump: several related XML files.
	StackExchange Format = "stackexchange"
	// Snap is the edges of a network as in the SNAP collection: users following users.
	Snap Format = "snap"
)

// Formats returns the supported formats.
func Formats() []Format { return []Format{V2EX, Discourse, HackerNews, StackExchange, Snap} }

// IsValid reports whether f is a supported format.
func (f Format) IsValid() bool { return slices.Contains(Formats(), f) }

// Person is a member of the other site. The zero Person is a missing author, for whom the ghost
// stands in.
type Person struct {
	// ID is unique within the source: the member's id there, or "name:" and the name if there is no
	// id.
	ID string
	// Name is the member's name, cleaned: one line in NFC of 1 to forum.MaxName code points. It
	// need not be unique or valid as a login.
	Name string
	// SourceID is the member's number at the source, in decimal; may be empty.
	SourceID string
	// CreatedAt is when the member joined; 0 if unknown.
	CreatedAt forum.Time
}

// Tab is a group of categories of the other site. The zero Tab means none.
type Tab struct {
	// ID is unique within the source.
	ID string
	// Name is one line of 1 to forum.MaxName code points.
	Name string
}

// Category is a category of the other site. The zero Category means none.
type Category struct {
	// ID is unique within the source.
	ID string
	// Name is one line of 1 to forum.MaxName code points.
	Name string
	// Description is plain text of at most forum.MaxDescription code points.
	Description string
	// Tab is the tab that the category belongs to.
	Tab Tab
}

// Topic is a topic of the other site, with all comments in its record.
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
	// Locked reports that it accepts no posts there.
	Locked bool
	// PinnedFront and PinnedCategory are since when it is pinned on the front and in its category; 0
	// if it is not.
	PinnedFront, PinnedCategory forum.Time
	// Upvotes, Downvotes and Clicks are counts without individual votes and clicks; at most
	// MaxCount each.
	Upvotes, Downvotes, Clicks int
	// Comments are in order of posting: a parent comes before its replies.
	Comments []Comment
}

// Comment is a comment of the other site.
type Comment struct {
	// ID is unique within the source.
	ID string
	// Parent is the ID of the object replied to. Among the comments of a Topic it is another
	// comment, or "" for the topic itself; in a comment that is a record of its own it is a topic
	// or a comment, and never "".
	Parent string
	Author Person
	// Content has the limits of a Topic's.
	Content            string
	Format             forum.ContentFormat
	CreatedAt          forum.Time
	Upvotes, Downvotes int
	// Near are members whom a mention means before others of the same name, latest last.
	Near []Person
}

// Follow is an edge of the other site's network: From follows To, which differ.
type Follow struct{ From, To Person }

// Record is one record of a file: exactly one of Topic, Comment, Person, Follow, Votes, Skipped,
// Missing and Err is set.
type Record struct {
	// File and Line are where the record begins; lines count from 1.
	File string
	Line int
	// Index is its place in the JSON array around it, from 1; 0 if there is none.
	Index int

	Topic   *Topic
	Comment *Comment
	// Person is a member to import even without any posts.
	Person *Person
	Follow *Follow
	// Votes reports rows of votes that the counts of posts contain.
	Votes bool
	// Skipped is why a valid record is left out, such as "deleted" or "pollopt".
	Skipped string
	// Missing is what kind of thing the files name that is not in them. It is no row of a file.
	Missing string
	// Count is how many rows are Votes or Skipped, or things are Missing; 0 means one.
	Count int
	// Item is the number of an item of Hacker News, and Kids those of its replies.
	Item int64
	Kids []int64
	// SkippedID and SkippedParent are the ID and Parent of a skipped record, so that its replies
	// can be attached to its parent; Parent is "" for a topic.
	SkippedID, SkippedParent string
	// Err is why the record is invalid, without file and line.
	Err error

	// Changes counts the changes to the texts of a Topic or Comment.
	Changes Changes
}

// rows returns how many rows of the files the record stands for.
func (r Record) rows() int {
	switch {
	case r.Missing != "":
		return 0
	case r.Topic != nil:
		return 1 + len(r.Topic.Comments)
	}
	return max(r.Count, 1)
}

// fault returns an error of the record with its file, line and index.
func (r Record) fault(err error) error {
	return fmt.Errorf("%s:%d: %w", r.File, r.Line, r.indexed(err))
}

// indexed returns an error with the index of the record in its array, from 0 as in JSON paths.
func (r Record) indexed(err error) error {
	if r.Index == 0 {
		return err
	}
	return fmt.Errorf("[%d]: %w", r.Index-1, err)
}

// Changes counts changes made to the texts of records.
type Changes struct {
	// ControlCharacters counts dropped control characters, not line ends and tabs that were
	// converted.
	ControlCharacters int
	// Overrides counts direction overrides and line separators dropped from
	// titles and names.
	Overrides int
	// Links counts links dropped because they are not http or https URLs.
	Links int
	// Relative counts addresses dropped from texts because they are relative to a site whose address
	// is not known.
	Relative int
	// Tags counts dropped tags of topics: those with more than forum.MaxTag code points, without
	// visible characters, or beyond forum.MaxTopicTags.
	Tags int
	// Pins counts topics that are not pinned here, because there are forum.MaxPins others in the place.
	Pins int
}

// Add adds other to c.
func (c *Changes) Add(other Changes) {
	c.ControlCharacters += other.ControlCharacters
	c.Overrides += other.Overrides
	c.Links += other.Links
	c.Relative += other.Relative
	c.Pins += other.Pins
	c.Tags += other.Tags
}

// FileError is why a file cannot be read, or not beyond Line.
type FileError struct {
	File string
	// Line is where reading ended; 0 if the whole file is invalid.
	Line int
	Err  error
}

// Error returns the file, the line if there is one, and the reason.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s: line %d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns the reason.
func (e *FileError) Unwrap() error { return e.Err }
