// Package demo contains Agora's demo data: people, categories, topics, comments and follows of an
// invented forum. Build returns them as plain values, Seed writes them to the store, and Bot keeps
// posting comments while the demo runs.
package demo

import (
	"math/rand/v2"

	"agora/internal/forum"
)

// Sizes of the demo data.
const (
	// UserCount is the number of users.
	UserCount = 50
	// TopicCount is the number of topics.
	TopicCount = 200
	// CommentCount is the number of comments.
	CommentCount = 2_000
	// TutorialNumber is the number of the topic that the tutorials show.
	TutorialNumber = 131_853
)

// Data is a whole forum. Entries refer to each other by index.
type Data struct {
	Users      []User
	Categories []Category
	Tabs       []Tab
	Topics     []Topic
	Comments   []Comment
	Votes      []Vote
	Statuses   []Status
	Follows    []Follow
	Lists      []List
}

// User is a member.
type User struct {
	Login, Name, Email string
	CreatedAt          forum.Time
	Role               forum.Role
}

// Category is a subject of the forum.
type Category struct {
	Name, Description string
}

// Tab is a named group of categories.
type Tab struct {
	Name string
	// Categories are indexes into Data.Categories.
	Categories []int
}

// Topic is a topic.
type Topic struct {
	Kind           forum.TopicKind
	Title, Content string
	Format         forum.ContentFormat
	// Link is set in an ARTICLE only.
	Link string
	// Author is an index into Data.Users.
	Author int
	// Category is an index into Data.Categories; -1, in an ARTICLE only, means none.
	Category  int
	CreatedAt forum.Time
	// Upvotes, Downvotes and Clicks are the topic's initial counts.
	Upvotes, Downvotes, Clicks int
	// Tags are free labels.
	Tags []string
	// Number is the required number of the topic; 0 means any.
	Number int64
}

// Comment is a reply.
type Comment struct {
	// Topic is an index into Data.Topics.
	Topic int
	// Parent is the index of an earlier comment on the same topic; -1 for a reply to the topic
	// itself.
	Parent int
	// Author is an index into Data.Users.
	Author    int
	Content   string
	Format    forum.ContentFormat
	CreatedAt forum.Time
	// Upvotes and Downvotes are the comment's initial counts.
	Upvotes, Downvotes int
}

// Vote is a member's vote on a topic.
type Vote struct {
	// User and Topic are indexes into Data.Users and Data.Topics.
	User, Topic int
	// Against reports whether it is a downvote.
	Against bool
}

// Status is a short message.
type Status struct {
	// Author is an index into Data.Users.
	Author    int
	Content   string
	Tags      []string
	CreatedAt forum.Time
}

// none is the index of an unused field of a Follow.
const none = -1

// Follow is a member's follow of exactly one target: another member, a category or a tag.
type Follow struct {
	// User, and Whom unless it is -1, are indexes into Data.Users.
	User, Whom int
	// Category is an index into Data.Categories, or -1.
	Category int
	// Tag is the name of a tag, or "".
	Tag string
}

// List is a member's list of others.
type List struct {
	// Owner and Members are indexes into Data.Users.
	Owner   int
	Name    string
	Members []int
}

// Build returns the demo data. It is deterministic: the same now gives the same data, with all
// times relative to now and before it. Topics, comments and statuses are sorted by time.
func Build(now forum.Time) Data { return build(now).data }

func build(now forum.Time) *builder {
	b := &builder{
		rng:   rand.New(rand.NewPCG(1914, 131_853)), // any seed works, but it must not change
		now:   now,
		texts: readTexts(),
	}
	b.data.Categories, b.data.Tabs = b.texts.categories, b.texts.tabs
	b.addUsers()
	b.addTopics()
	b.addComments()
	b.addTags()
	b.addVotes()
	b.addStatuses()
	b.addFollows()
	b.addLists()
	return b
}

// builder is the state of one Build.
type builder struct {
	rng   *rand.Rand
	now   forum.Time
	texts *texts
	data  Data
	// entries has one entry per topic, from which the topic is built.
	entries []entry
	// threads has one thread per topic. depths are the nesting depths of the comments. writer knows
	// the texts already used.
	threads []*thread
	depths  []int
	writer  *writer
}

// entry is a topic to build.
type entry struct {
	seed
	comments int
}

// Spans of time, in milliseconds.
const (
	second forum.Time = 1_000
	minute            = 60 * second
	hour              = 60 * minute
	day               = 24 * hour
)

// span is the age of the oldest topic.
const span = 90 * day

// ago returns the instant f days before now.
func (b *builder) ago(f float64) forum.Time { return b.now - forum.Time(f*float64(day)) }

// pick returns a random element of s.
func pick[E any](b *builder, s []E) E { return s[b.rng.IntN(len(s))] }

// chance returns true with probability p.
func (b *builder) chance(p float64) bool { return b.rng.Float64() < p }
