package forum

// TopicKind is what a topic is.
type TopicKind string

// The kinds of topics.
const (
	// Discussion is a forum topic with exactly one category.
	Discussion TopicKind = "DISCUSSION"
	// Article is a link to vote on.
	Article TopicKind = "ARTICLE"
	// Status is a short message, without category.
	Status TopicKind = "STATUS"
)

// TopicState is what can be done with a topic.
type TopicState string

// The states of a topic.
const (
	TopicOpen    TopicState = "OPEN"
	TopicDeleted TopicState = "DELETED"
)

// ContentFormat is the language in which a text was written.
type ContentFormat string

// The languages of texts.
const (
	Markdown ContentFormat = "MARKDOWN"
	HTML     ContentFormat = "HTML"
)

// Topic is something posted: a discussion, an article or a status.
type Topic struct {
	Handle
	ID           TopicID
	Kind         TopicKind
	State        TopicState
	Title        string
	Content      string
	Format       ContentFormat
	Link         string
	AuthorID     UserID
	CategoryID   CategoryID
	CreatedAt    Time
	EditedAt     Time
	DeletedAt    Time
	LastActiveAt Time
	ClickCount   int
	CommentCount int
	Upvotes      int
	Downvotes    int
	Tags         TopicTags
	Mentions     Mentions
	// Day is the latest day on which it was commented on; DayComments are the comments
	// of that day, DayBefore those of the day before it, both without tombstones.
	Day         Day
	DayComments int
	DayBefore   int
}

// CommentsOn is how many comments of a day the topic has. Only the two latest days
// are known.
func (t *Topic) CommentsOn(d Day) int {
	switch {
	case t.Day == 0: // never
		return 0
	case d == t.Day:
		return t.DayComments
	case d == t.Day-1:
		return t.DayBefore
	}
	return 0
}

// IsInteresting reports whether the net votes have reached InterestingVotes.
func (t *Topic) IsInteresting() bool { return t.Upvotes-t.Downvotes >= InterestingVotes }

// VisibleTo reports whether the viewer may see the topic.
func (t *Topic) VisibleTo(v *Viewer) bool { return t.State != TopicDeleted || v.Sees(t.AuthorID) }

// Votes sums up the votes on the topic. An ARTICLE takes votes for VotingWindow
// after posting, all else as long as it is open.
func (t *Topic) Votes(now Time) VoteSummary {
	s := VoteSummary{Topic: t.ID, Up: t.Upvotes, Down: t.Downvotes, Open: t.State == TopicOpen}
	if t.Kind == Article {
		s.ClosesAt = t.CreatedAt + VotingWindow
		s.Open = s.Open && now < s.ClosesAt
	}
	return s
}
