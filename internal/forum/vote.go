package forum

// VotingWindow is how long an ARTICLE accepts votes: a week, in milliseconds. Source: Redis in
// Action, chapter 1 (ONE_WEEK_IN_SECONDS).
const VotingWindow Time = 604_800_000

// VoteDirection is a user's vote on a subject.
type VoteDirection string

// The three directions.
const (
	VoteUp   VoteDirection = "UP"
	VoteDown VoteDirection = "DOWN"
	VoteNone VoteDirection = "NONE"
)

// VoteSummary is the vote counts of one subject, either a topic or a comment.
type VoteSummary struct {
	Topic    TopicID
	Comment  CommentID
	Up, Down int
	// ClosesAt is when voting closes; 0 means never.
	ClosesAt Time
	// Open reports whether a vote is accepted now.
	Open bool
}

// Net returns the upvotes minus the downvotes.
func (s VoteSummary) Net() int { return s.Up - s.Down }
