package forum

// VotingWindow is how long an ARTICLE takes votes: a week, in milliseconds.
// Source: Redis in Action, chapter 1 (ONE_WEEK_IN_SECONDS).
const VotingWindow Time = 604_800_000

// VoteDirection is a user's stand on a subject.
type VoteDirection string

// The three stands.
const (
	VoteUp   VoteDirection = "UP"
	VoteDown VoteDirection = "DOWN"
	VoteNone VoteDirection = "NONE"
)

// VoteSummary is the votes on one subject, either a topic or a comment.
type VoteSummary struct {
	Topic    TopicID
	Comment  CommentID
	Up, Down int
	// ClosesAt is when votes freeze; 0 is never.
	ClosesAt Time
	// Open reports whether a vote would be taken now.
	Open bool
}

// Net is the votes in favour less those against.
func (s VoteSummary) Net() int { return s.Up - s.Down }
