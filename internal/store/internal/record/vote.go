package record

import (
	"agora/internal/forum"
	"agora/internal/store/catalogue"
)

// logged are the votes by their numbers in entries of a log.
var logged = []forum.VoteDirection{forum.VoteNone, forum.VoteUp, forum.VoteDown}

// PackVote returns an entry of a log: later votes are higher.
func PackVote(at forum.Time, v forum.VoteDirection) int64 {
	n := 4 * int64(at)
	switch v {
	case forum.VoteUp:
		n++
	case forum.VoteDown:
		n += 2
	}
	return n
}

// UnpackVote parses the result of PackVote.
func UnpackVote(entry float64) (at forum.Time, v forum.VoteDirection) {
	n := int64(entry)
	if n < 0 || n%4 == 3 {
		return 0, forum.VoteNone
	}
	return forum.Time(n / 4), logged[n%4]
}

// ParseCommentVotes parses the votes on the comments of a list.
func ParseCommentVotes(f map[string]string) map[forum.CommentID]forum.VoteCount {
	counts := make(map[forum.CommentID]forum.VoteCount, len(f))
	for id, votes := range f {
		n, err := forum.ParseID[forum.CommentID](id)
		if err != nil {
			continue
		}
		v, _ := catalogue.TallyRow.Parse(votes)
		counts[n] = forum.VoteCount{Up: int(v.Int("up")), Down: int(v.Int("down"))}
	}
	return counts
}
