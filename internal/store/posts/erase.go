package posts

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// What a deleted user wrote is deleted by a task, one post after the other, with the scripts of an author's deletions.
// First come the posts that everybody sees, which the user's profile and comments list. No list has the others: those
// that are hidden or held, and comments on topics that are hidden or deleted. So the task then looks at all ids of the
// site.

const (
	// eraseTurn is the maximum number of posts that a turn deletes, which takes about 0.1 s, 0.4 s on the embedded
	// store. A worker begins a turn each second.
	eraseTurn = 200
	// eraseIDs is the maximum number of ids that a turn looks at, which takes about 0.1 s, in pipelines of 1 ms.
	eraseIDs = 100_000
	// eraseAfter is how long after the order the task begins to look at all ids, in ms. What the user was posting then
	// exists by that time: requests end after 25 s (live.AnswerTime).
	eraseAfter = 30_000
)

// erase runs one turn of the task that deletes what a deleted user wrote.
func (s *Store) erase(ctx context.Context, user forum.UserID, cursor string) (next string, due forum.Time, err error) {
	c, err := record.ParseEraseCursor(cursor)
	if err != nil {
		return "", 0, err
	}
	ordered, err := s.engine.Client.Redis.HGet(ctx, key.Internal(key.User(user)), "erase").Int64()
	if err != nil {
		if errors.Is(err, redis.Nil) { // nobody ordered that, or it is done
			return "", 0, nil
		}
		return "", 0, fmt.Errorf("order to delete what user %d wrote: %w", user, err)
	}
	due = s.engine.Now()
	if c.List != "" {
		if c, err = s.eraseListed(ctx, user, c); c.List == "" {
			due = max(due, forum.Time(ordered)+eraseAfter)
		}
	} else if c, err = s.eraseOthers(ctx, user, c); c.Partition == forum.Partitions && err == nil {
		s.engine.Step("erased")
		return "", 0, s.engine.Client.Redis.HDel(ctx, key.Internal(key.User(user)), "erase").Err()
	}
	if err != nil {
		return "", 0, fmt.Errorf("delete what user %d wrote: %w", user, err)
	}
	return c.String(), due, nil
}

// eraseListed deletes the next posts of a list, and returns where to go on. Where more posts than those of one turn
// were posted in the same millisecond, some are left to eraseOthers.
func (s *Store) eraseListed(ctx context.Context, user forum.UserID, c record.EraseCursor) (record.EraseCursor, error) {
	list, next := key.Profile(user), record.EraseCursor{List: "c"}
	if c.List == "c" {
		list, next = key.UserCommentsContainer(user).Order(key.OrderCreated), record.EraseCursor{}
	}
	by := &redis.ZRangeBy{Min: "-inf", Max: "+inf", Count: eraseTurn}
	if c.Before > 0 {
		by.Max = "(" + key.Itoa(c.Before)
	}
	members, err := s.engine.Client.Redis.ZRevRangeByScore(ctx, list, by).Result()
	if err != nil {
		return c, err
	}
	for _, member := range members {
		id, at, err := record.ParseMember(member)
		if err != nil {
			return c, fmt.Errorf("entry of %s: %w", list, err)
		}
		post := forum.Subject{Topic: forum.TopicID(id)}
		if c.List == "c" {
			post = forum.Subject{Comment: forum.CommentID(id)}
		}
		if err := s.erasePost(ctx, user, post); err != nil {
			return c, err
		}
		c.Before = at
	}
	if len(members) < eraseTurn {
		return next, nil
	}
	return c, nil
}

// eraseOthers deletes those of the user's posts whose ids are next, and returns where to go on.
func (s *Store) eraseOthers(ctx context.Context, user forum.UserID, c record.EraseCursor) (record.EraseCursor, error) {
	b := s.engine.Client.Batch()
	sequences := make([]*redis.StringCmd, forum.Partitions)
	for p := range sequences {
		sequences[p] = b.Get(ctx, key.Sequence(forum.Partition(p)))
	}
	reserved := b.HGet(ctx, key.Layout, "reserved")
	if err := b.Exec(ctx); err != nil {
		return c, err
	}
	unused := record.Atoi(reserved.Val())/forum.Partitions - 1 // numbers that have no ids
	for ids, deleted := int64(0), 0; c.Partition < forum.Partitions; {
		first, last := max(c.Number, unused)+1, record.Atoi(sequences[c.Partition].Val())
		if first > last {
			c.Partition, c.Number = c.Partition+1, 0
			continue
		}
		last = min(last, first+engine.TaskPass-1)
		found, err := s.postsOf(ctx, user, forum.Partition(c.Partition), first, last)
		if err != nil {
			return c, err
		}
		for _, post := range found {
			if err := s.erasePost(ctx, user, post); err != nil {
				return c, err
			}
			if deleted++; deleted == eraseTurn {
				c.Number = int64(post.Topic+forum.TopicID(post.Comment)) / forum.Partitions
				return c, nil
			}
		}
		c.Number = last
		if ids += last - first + 1; ids >= eraseIDs {
			return c, nil
		}
	}
	return c, nil
}

// postsOf returns those of the user's topics and comments that are not deleted and have numbers from first to last in a
// partition. Topics are in their authors' partitions.
func (s *Store) postsOf(ctx context.Context, user forum.UserID, p forum.Partition, first, last int64) ([]forum.Subject,
	error) {
	b := s.engine.Client.Batch()
	var posts []forum.Subject
	var fields []*redis.SliceCmd
	read := func(post forum.Subject) {
		posts, fields = append(posts, post), append(fields, b.HMGet(ctx, key.Subject(post), "author", "deleted"))
	}
	for n := first; n <= last; n++ {
		id := n*forum.Partitions + int64(p)
		read(forum.Subject{Comment: forum.CommentID(id)})
		if p == user.Partition() {
			read(forum.Subject{Topic: forum.TopicID(id)})
		}
	}
	if err := b.Exec(ctx); err != nil {
		return nil, err
	}
	author, found := key.Itoa(user), posts[:0]
	for i, cmd := range fields {
		if is := cmd.Val(); is[0] == author && is[1] == nil {
			found = append(found, posts[i])
		}
	}
	return found, nil
}

// erasePost deletes one post, as its author could. The author may not see it: a comment on a topic that is hidden or
// deleted. Who moderates does.
func (s *Store) erasePost(ctx context.Context, user forum.UserID, post forum.Subject) error {
	by := &forum.Viewer{ID: user, Role: forum.RoleModerator}
	s.engine.Step("erase_post")
	var err error
	if post.Topic != 0 {
		err = s.DeleteTopic(ctx, by, post.Topic)
	} else {
		err = s.DeleteComment(ctx, by, post.Comment)
	}
	if forum.CodeOf(err) == forum.CodeNotFound { // a list has it, but it does not exist
		return nil
	}
	return err
}
