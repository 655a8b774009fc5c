package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

// topicState is what the indexes need to know of a topic, as a script returned
// it: {rev, state, created, active, category, left, author}.
type topicState struct {
	id       forum.TopicID
	rev      int64
	open     bool
	created  forum.Time
	active   forum.Time
	category forum.CategoryID
	left     []forum.CategoryID // categories whose indexes may still hold the topic
	author   forum.UserID
}

var topicStateFields = []string{"rev", "state", "created", "active", "category", "left", "author"}

func parseTopicState(id forum.TopicID, values []any) topicState {
	text := func(i int) string {
		if i < len(values) {
			s, _ := values[i].(string)
			return s
		}
		return ""
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(text(i), 10, 64)
		return n
	}
	t := topicState{
		id:       id,
		rev:      number(0),
		open:     text(1) == string(forum.TopicOpen),
		created:  forum.Time(number(2)),
		active:   forum.Time(number(3)),
		category: forum.CategoryID(number(4)),
		author:   forum.UserID(number(6)),
	}
	for _, old := range strings.Fields(text(5)) {
		if n, err := strconv.ParseInt(old, 10, 64); err == nil && forum.CategoryID(n) != t.category {
			t.left = append(t.left, forum.CategoryID(n))
		}
	}
	return t
}

// commentState is what the indexes need to know of a comment.
type commentState struct {
	id      forum.CommentID
	rev     int64
	live    bool // neither it nor its topic is deleted
	created forum.Time
	author  forum.UserID
}

// Revisions of a comment's entry in its author's list: deletion is for good,
// whether of the comment or of its topic.
const (
	commentLive = 1
	commentGone = 2
)

// setEntry queues the guard that sets an entry in all orders of a container, or
// removes it when there are no scores.
func (b *batch) setEntry(ctx context.Context, c container, orders []string, id, rev int64, m string, scores ...forum.Time) *redis.Cmd {
	keys := []string{c.revs(), c.gone(), c.closed()}
	for _, o := range orders {
		keys = append(keys, c.order(o))
	}
	args := []any{id, rev, m, int64(b.s.Now()), forum.RemovalLife.Milliseconds()}
	for _, score := range scores {
		args = append(args, int64(score))
	}
	return b.run(ctx, indexSet, keys, args...)
}

var topicOrders = []string{orderCreated, orderActive}

func (b *batch) setTopic(ctx context.Context, c container, t topicState) *redis.Cmd {
	return b.setEntry(ctx, c, topicOrders, int64(t.id), t.rev, member(t.created, int64(t.id)), t.created, t.active)
}

func (b *batch) dropTopic(ctx context.Context, c container, t topicState) *redis.Cmd {
	return b.setEntry(ctx, c, topicOrders, int64(t.id), t.rev, member(t.created, int64(t.id)))
}

func (b *batch) setComment(ctx context.Context, c commentState) {
	if c.author == 0 {
		return
	}
	list, m := userCommentsContainer(c.author), member(c.created, int64(c.id))
	if c.live {
		b.setEntry(ctx, list, []string{orderCreated}, int64(c.id), commentLive, m, c.created)
	} else {
		b.setEntry(ctx, list, []string{orderCreated}, int64(c.id), commentGone, m)
	}
}

// index writes what changed into all lists in other slots, in one round trip,
// and marks it clean. It may be repeated. A topic whose new category was deleted
// meanwhile is taken back; rejected tells so.
func (s *Store) index(ctx context.Context, topics []topicState, comments []commentState) (rejected bool, err error) {
	s.step("index")
	b := s.batch()
	puts := make([]*redis.Cmd, len(topics))
	for i, t := range topics {
		switch {
		case !t.open:
			b.dropTopic(ctx, frontContainer, t)
			if t.category != 0 {
				b.dropTopic(ctx, categoryContainer(t.category), t)
			}
		default:
			b.setTopic(ctx, frontContainer, t)
			if t.category != 0 {
				puts[i] = b.setTopic(ctx, categoryContainer(t.category), t)
			}
		}
	}
	for _, c := range comments {
		b.setComment(ctx, c)
	}
	if err := b.exec(ctx); err != nil {
		return false, fmt.Errorf("write indexes: %w", err)
	}
	for _, c := range comments {
		s.cleaner.add(c.id.Partition(), "c:"+itoa(c.id), commentKey(c.id), c.rev)
	}
	for i, t := range topics {
		if put := puts[i]; put != nil {
			if n, err := put.Int64(); err != nil {
				return false, fmt.Errorf("write index of category %d: %w", t.category, err)
			} else if n < 0 {
				rejected = true
				if err := s.reject(ctx, t); err != nil {
					return true, err
				}
				continue
			}
		}
		if len(t.left) > 0 {
			if err := s.leave(ctx, t); err != nil {
				return rejected, err
			}
		}
		s.cleaner.add(t.id.Partition(), "t:"+itoa(t.id), topicKey(t.id), t.rev)
	}
	return rejected, nil
}

// leave takes a topic out of the categories it was moved from. That comes after
// the new category has accepted it: until then an old category cannot be deleted.
func (s *Store) leave(ctx context.Context, t topicState) error {
	s.step("leave")
	b := s.batch()
	for _, old := range slices.Compact(t.left) {
		b.dropTopic(ctx, categoryContainer(old), t)
	}
	if err := b.exec(ctx); err != nil {
		return fmt.Errorf("leave categories: %w", err)
	}
	if err := s.run(ctx, topicLeft, []string{topicKey(t.id)}, t.rev).Err(); err != nil {
		return fmt.Errorf("leave categories: %w", err)
	}
	return nil
}

// reject takes a topic back out of a deleted category and indexes what became of it.
func (s *Store) reject(ctx context.Context, t topicState) error {
	s.step("reject")
	p := t.id.Partition()
	keys := []string{topicKey(t.id), userKey(t.author), profileKey(t.author), dirtyKey(p), statsKey(p)}
	reply, err := s.run(ctx, topicReject, keys, itoa(t.id), itoa(t.category), int64(s.Now())).Slice()
	if err != nil {
		return fmt.Errorf("take topic %d out of a deleted category: %w", t.id, err)
	}
	_, err = s.index(ctx, []topicState{parseTopicState(t.id, reply)}, nil)
	return err
}

// topicStates reads what the indexes need; topics that do not exist have rev 0.
func (s *Store) topicStates(ctx context.Context, ids []forum.TopicID) ([]topicState, error) {
	b := s.batch()
	cmds := make([]*redis.SliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = b.pipe.HMGet(ctx, topicKey(id), topicStateFields...)
	}
	if err := b.exec(ctx); err != nil {
		return nil, fmt.Errorf("read topics for their indexes: %w", err)
	}
	states := make([]topicState, len(ids))
	for i, cmd := range cmds {
		states[i] = parseTopicState(ids[i], cmd.Val())
	}
	return states, nil
}

// commentStates reads what the indexes need, their topics' state included;
// comments that do not exist have rev 0.
func (s *Store) commentStates(ctx context.Context, ids []forum.CommentID) ([]commentState, error) {
	names := []string{"rev", "author", "created", "deleted", "topic"}
	b := s.batch()
	cmds := make([]*redis.SliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = b.pipe.HMGet(ctx, commentKey(id), names...)
	}
	if err := b.exec(ctx); err != nil {
		return nil, fmt.Errorf("read comments for their indexes: %w", err)
	}
	states := make([]commentState, len(ids))
	topics := make([]forum.TopicID, len(ids))
	for i, cmd := range cmds {
		f := hmget(names, cmd)
		topics[i] = forum.TopicID(f.int("topic"))
		states[i] = commentState{
			id:      ids[i],
			rev:     int64(f.int("rev")),
			live:    f["deleted"] == "",
			created: f.time("created"),
			author:  forum.UserID(f.int("author")),
		}
	}
	of, err := s.topicStates(ctx, topics)
	if err != nil {
		return nil, err
	}
	for i := range states {
		states[i].live = states[i].live && of[i].open
	}
	return states, nil
}
