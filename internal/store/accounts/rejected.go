package accounts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// rejectedPage is how many rejected applications are read at a time.
const rejectedPage = 1000

// ForgetApplication deletes an account that moderators rejected: its login and e-mail are free. It returns NOT_FOUND at
// userId for any other account.
func (s *Store) ForgetApplication(ctx context.Context, id forum.UserID) error {
	rejection, err := s.engine.Client.Redis.HGet(ctx, key.Internal(key.User(id)), "rejection").Result()
	if errors.Is(err, redis.Nil) {
		return forum.NotFound(forum.Path("userId"), "user")
	}
	if err != nil {
		return fmt.Errorf("forget the application of user %d: %w", id, err)
	}
	return s.forget(ctx, id, rejection)
}

// forget deletes an account that an act rejected, and which was not approved since.
func (s *Store) forget(ctx context.Context, id forum.UserID, rejection string) error {
	return notFound(s.deleteAccount(ctx, script.UserDelete{ID: id, Password: "*", Rejection: rejection}))
}

// ForgetRejected deletes the accounts that moderators rejected more than forum.RejectedLife ago, and returns how many.
// Any number of processes may do so concurrently.
func (s *Store) ForgetRejected(ctx context.Context) (n int, err error) {
	before := s.engine.Now() - forum.Time(forum.RejectedLife/time.Millisecond)
	// The list is in the order of the applications, which were made before they were rejected.
	from, end := "["+record.ApplicantPrefix(forum.ApplicationRejected),
		fmt.Sprintf("(%s%d", record.ApplicantPrefix(forum.ApplicationRejected), before+1)
	for {
		found, err := s.engine.Client.Redis.ZRangeByLex(ctx, key.Applicants.Order(key.OrderName),
			&redis.ZRangeBy{Min: from, Max: end, Count: rejectedPage}).Result()
		if err != nil {
			return n, fmt.Errorf("find rejected applications: %w", err)
		}
		done, err := s.forgetSome(ctx, found, before)
		if n += done; err != nil || len(found) < rejectedPage {
			return n, err
		}
		from = "(" + found[len(found)-1]
	}
}

// forgetSome deletes those accounts of entries of the list of applicants that were rejected by then.
func (s *Store) forgetSome(ctx context.Context, entries []string, before forum.Time) (n int, err error) {
	b := s.engine.Client.Batch()
	var users []forum.UserID
	var rejections []*redis.StringCmd
	for _, entry := range entries {
		if _, id, err := record.ParseNameMember(entry); err == nil {
			users = append(users, forum.UserID(id))
			rejections = append(rejections, b.HGet(ctx, key.Internal(key.User(forum.UserID(id))), "rejection"))
		}
	}
	if b.Len() == 0 {
		return 0, nil
	}
	if err := b.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return 0, fmt.Errorf("read rejected applications: %w", err)
	}
	acts := make([]forum.ActID, len(users))
	for i, cmd := range rejections {
		acts[i] = forum.ActID(record.Atoi(cmd.Val()))
	}
	found, err := s.acts.Acts(ctx, acts)
	if err != nil {
		return 0, err
	}
	var failed []error
	for i, id := range users {
		if found[i] == nil || found[i].CreatedAt > before {
			continue
		}
		switch err := s.forget(ctx, id, rejections[i].Val()); {
		case err == nil:
			n++
		case forum.CodeOf(err) != forum.CodeNotFound: // another process was faster, or the account was approved
			failed = append(failed, err)
		}
	}
	return n, errors.Join(failed...)
}
