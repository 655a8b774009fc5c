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

// TopicState is the state of a topic.
type TopicState string

// The states of a topic.
const (
	TopicOpen    TopicState = "OPEN"
	TopicDeleted TopicState = "DELETED"
)

// ContentFormat is the markup language of a text.
type ContentFormat string

// The markup languages.
const (
	Markdown ContentFormat = "MARKDOWN"
	HTML     ContentFormat = "HTML"
)

// Topic is a post: a discussion, an article or a status.
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
	// Day is the latest day on which the topic was commented on. DayComments is the number of
	// comments on that day, DayBefore that on the day before. Neither counts tombstones.
	Day         Day
	DayComments int
	DayBefore   int
}

// CommentsOn returns the number of comments on a day. Only the latest two days are known.
func (t *Topic) CommentsOn(d Day) int {
	switch {
	case t.Day == 0: // never commented on
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

// Votes returns the vote counts of the topic. An ARTICLE accepts votes for VotingWindow after
// posting, other kinds as long as they are open.
func (t *Topic) Votes(now Time) VoteSummary {
	s := VoteSummary{Topic: t.ID, Up: t.Upvotes, Down: t.Downvotes, Open: t.State == TopicOpen}
	if t.Kind == Article {
		s.ClosesAt = t.CreatedAt + VotingWindow
		s.Open = s.Open && now < s.ClosesAt
	}
	return s
}
