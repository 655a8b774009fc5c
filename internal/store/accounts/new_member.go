package accounts

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// PostAttempt is what the rules for new members count of a post.
type PostAttempt struct {
	By *forum.Viewer
	// Text is the folded text; Length its length in code points.
	Text   string
	Length int
	// Once identifies the call, if it can be repeated; "" if it cannot.
	Once string
}

// hash returns the part of a SHA-256 that identifies a text or a key; "" of "".
func hash(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// CountPost counts a post of a new member, and reports whether it is held until a moderator approves it. It returns
// NEW_MEMBER if there were too many posts today, or if the same text was posted within DuplicateLife. A repeated call
// has the same result, and counts once.
func (s *Store) CountPost(ctx context.Context, rules forum.Rules, p PostAttempt) (held bool, err error) {
	now := s.engine.Now()
	call := script.PostCount{
		Recent: key.RecentPosts(p.By.ID), Approved: key.Approved(p.By.ID), Now: now, Day: forum.DayOf(now,
			s.engine.Location), Most: -1,
		Hold: int64(rules.HeldPosts), Once: hash(p.Once), TextLife: forum.DuplicateLife, OnceLife: forum.IdempotencyLife,
		Expires: record.ExpireAt(now + forum.Time(forum.RecentPostsLife/time.Millisecond)),
	}
	if rules.NewMemberPostsPerDay != nil {
		call.Most = int64(*rules.NewMemberPostsPerDay)
	}
	if rules.RefuseDuplicates {
		call.Text = hash(p.Text)
	}
	s.engine.Step("post_count")
	b := s.engine.Client.Batch()
	verdict := b.Run(ctx, call)
	first := func() (bool, error) { return true, nil }
	if rules.RefuseDuplicates && p.Length >= forum.DuplicateLength {
		cmd := b.Run(ctx, script.TextTake{Text: key.PostedText(call.Text), Now: now, User: p.By.ID,
			Life:    forum.DuplicateLife,
			Expires: record.ExpireAt(now + forum.Time(forum.DuplicateLife/time.Millisecond))})
		first = cmd.Bool
	}
	if err := b.Exec(ctx); err != nil {
		return false, fmt.Errorf("count a post: %w", err)
	}
	is, err := verdict.Text()
	if err != nil {
		return false, fmt.Errorf("count a post: %w", err)
	}
	alone, err := first()
	if err != nil {
		return false, fmt.Errorf("count a post: %w", err)
	}
	switch {
	case is == "POSTS":
		end := (forum.DayOf(now, s.engine.Location) + 1).Begins(s.engine.Location)
		return false, rules.NewMemberRefused(p.By, now, forum.RulePostsPerDay, end-now)
	case is == "DUPLICATE":
		return false, rules.NewMemberRefused(p.By, now, forum.RuleDuplicates, 0)
	case !alone:
		return false, cmp.Or(s.UncountPost(ctx, p),
			error(rules.NewMemberRefused(p.By, now, forum.RuleDuplicates, 0)))
	}
	return is == "HELD", nil
}

// ApprovedPosts returns how many posts of a user were held and approved, and whether one of them was.
func (s *Store) ApprovedPosts(ctx context.Context, user forum.UserID, of forum.Subject) (n int, is bool, err error) {
	b := s.engine.Client.Batch()
	all, one := b.SCard(ctx, key.Approved(user)), b.SIsMember(ctx, key.Approved(user), record.EncodeActSubject(of))
	if err := b.Exec(ctx); err != nil {
		return 0, false, fmt.Errorf("count approved posts: %w", err)
	}
	return int(all.Val()), one.Val(), nil
}

// UncountPost undoes CountPost for a post that was refused afterwards.
func (s *Store) UncountPost(ctx context.Context, p PostAttempt) error {
	s.engine.Step("post_uncount")
	return s.engine.Client.Run(ctx, script.PostUncount{Recent: key.RecentPosts(p.By.ID),
		Day: forum.DayOf(s.engine.Now(), s.engine.Location), Text: hash(p.Text),
		Once: hash(p.Once)}).Err()
}
