// Package demo holds the content of Agora's demo data: people, categories,
// topics, comments and follows of an invented forum, as plain values (Build); writes them
// (Seed); and goes on with the comments while the demo runs (Bot).
package demo

import (
	"math/rand/v2"

	"agora/internal/forum"
)

// How much there is of what a forum grows.
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

// Data is a whole forum. What refers to another entry does so by its index.
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

// Topic is something posted.
type Topic struct {
	Kind           forum.TopicKind
	Title, Content string
	Format         forum.ContentFormat
	// Link is set in an ARTICLE only.
	Link string
	// Author is an index into Data.Users.
	Author int
	// Category is an index into Data.Categories; -1, in an ARTICLE only, is none.
	Category  int
	CreatedAt forum.Time
	// Upvotes, Downvotes and Clicks are what the topic starts with.
	Upvotes, Downvotes, Clicks int
	// Tags are free labels.
	Tags []string
	// Number is the number that the topic must have; 0 is as it comes.
	Number int64
}

// Comment is a reply.
type Comment struct {
	// Topic is an index into Data.Topics.
	Topic int
	// Parent is the index of an earlier comment on the same topic; -1 is a
	// reply to the topic itself.
	Parent int
	// Author is an index into Data.Users.
	Author    int
	Content   string
	Format    forum.ContentFormat
	CreatedAt forum.Time
	// Upvotes and Downvotes are what the comment starts with.
	Upvotes, Downvotes int
}

// Vote is a member's vote on a topic.
type Vote struct {
	// User and Topic are indexes into Data.Users and Data.Topics.
	User, Topic int
	// Against tells that it is a vote against.
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

// none stands for what a Follow does not lead to.
const none = -1

// Follow has a member follow exactly one thing: another member, a category or a tag.
type Follow struct {
	// User, and Whom unless it is -1, are indexes into Data.Users.
	User, Whom int
	// Category is an index into Data.Categories, or -1.
	Category int
	// Tag is the name of a tag, or "".
	Tag string
}

// List is a member's choice of others.
type List struct {
	// Owner and Members are indexes into Data.Users.
	Owner   int
	Name    string
	Members []int
}

// Build makes the demo data. The same now gives the same data; all times are
// relative to now and before it. Topics, comments and
// statuses are sorted by time.
func Build(now forum.Time) Data { return build(now).data }

func build(now forum.Time) *builder {
	b := &builder{
		rng: rand.New(rand.NewPCG(1914, 131_853)), // any seed will do, as long as it stays
		now: now,
	}
	b.addUsers()
	b.addSubjects()
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
	rng  *rand.Rand
	now  forum.Time
	data Data
	// entries has one entry per topic: what it was made from.
	entries []entry
	// threads has one thread per topic, depths how deep each comment is nested; writer
	// knows what was said.
	threads []*thread
	depths  []int
	writer  *writer
}

// entry is a topic that is to be made.
type entry struct {
	seed
	category int
	comments int
}

// Spans of time, in milliseconds.
const (
	second forum.Time = 1_000
	minute            = 60 * second
	hour              = 60 * minute
	day               = 24 * hour
)

// span is how far back the first topic lies.
const span = 90 * day

// ago returns the instant that lies f days before now.
func (b *builder) ago(f float64) forum.Time { return b.now - forum.Time(f*float64(day)) }

// pick returns one of the elements of s.
func pick[E any](b *builder, s []E) E { return s[b.rng.IntN(len(s))] }

// chance is true in p of all cases.
func (b *builder) chance(p float64) bool { return b.rng.Float64() < p }
