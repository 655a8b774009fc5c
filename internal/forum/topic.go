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
	TopicOpen TopicState = "OPEN"
	// TopicLocked accepts no comments, votes and edits, but by moderators.
	TopicLocked TopicState = "LOCKED"
	// TopicHidden was hidden by a moderator, TopicHeld waits for one: only its author and moderators see it.
	TopicHidden TopicState = "HIDDEN"
	TopicHeld   TopicState = "HELD"
	// TopicDeleted was deleted by its author, or was hidden for HiddenLife.
	TopicDeleted TopicState = "DELETED"
)

// Listed reports whether topics in this state are in lists and counts, and seen by everybody.
func (s TopicState) Listed() bool { return s == TopicOpen || s == TopicLocked }

// ContentFormat is the markup language of a text.
type ContentFormat string

// The markup languages.
const (
	Markdown ContentFormat = "MARKDOWN"
	HTML     ContentFormat = "HTML"
)

// Topic is a post: a discussion, an article or a status.
type Topic struct {
	Revised
	ID    TopicID
	Kind  TopicKind
	State TopicState
	// Audience is that of its category when its lists were last written. It does not say who sees the topic.
	Audience Audience
	Title    string
	// Content is the text, unless it is long: then Long is its length in bytes, and it is read on its own.
	Content    string
	Long       int
	Format     ContentFormat
	Link       string
	AuthorID   UserID
	CategoryID CategoryID
	CreatedAt  Time
	EditedAt   Time
	DeletedAt  Time
	// HiddenAt is when a moderator hid the topic; 0 if none did.
	HiddenAt     Time
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

// VisibleTo reports whether the viewer may see the topic by the rules of the site: of those who see its category,
// everybody if it is listed, otherwise its author and those who moderate it.
func (t *Topic) VisibleTo(v *Viewer, r *Rules) bool {
	return t.Audience.IsValid() && r.In(t.CategoryID).SeenBy(v) &&
		(t.State.Listed() || v.Is(t.AuthorID) || v.moderatorOf(t.CategoryID))
}

// IsPublic reports whether the lists of the site have the topic: front, tags, days, profiles and counts.
func (t *Topic) IsPublic() bool { return t.Audience == Public && t.State.Listed() }

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
