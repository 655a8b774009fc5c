package store

import (
	"context"
	"fmt"
	"maps"
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

// entries gathers what is to be written into indexes: one guard per container.
type entries struct {
	now  forum.Time
	of   map[container]*containerEntries
	list []*containerEntries
}

type containerEntries struct {
	container container
	orders    []string
	args      []any
	count     int
	cmd       *redis.Cmd
}

func (s *Store) entries() *entries {
	return &entries{now: s.Now(), of: map[container]*containerEntries{}}
}

// set puts an entry into all orders of a container, or removes it when there
// are no scores. It returns the entry's place among the container's results.
func (e *entries) set(c container, orders []string, id, rev int64, m string, scores ...forum.Time) int {
	ce := e.of[c]
	if ce == nil {
		ce = &containerEntries{container: c, orders: orders, args: []any{int64(e.now), forum.RemovalLife.Milliseconds()}}
		e.of[c] = ce
		e.list = append(e.list, ce)
	}
	ce.args = append(ce.args, id, rev, m)
	for i := range orders {
		if len(scores) == 0 {
			ce.args = append(ce.args, "")
		} else {
			ce.args = append(ce.args, int64(scores[i]))
		}
	}
	ce.count++
	return ce.count - 1
}

// write sends all guards in one round trip.
func (e *entries) write(ctx context.Context, s *Store) error {
	b := s.batch()
	for _, ce := range e.list {
		keys := []string{ce.container.revs(), ce.container.gone(), ce.container.closed()}
		for _, o := range ce.orders {
			keys = append(keys, ce.container.order(o))
		}
		ce.cmd = b.run(ctx, indexSet, keys, ce.args...)
	}
	if len(e.list) == 0 {
		return nil
	}
	if err := b.exec(ctx); err != nil {
		return fmt.Errorf("write indexes: %w", err)
	}
	return nil
}

// refused tells whether the container said that it is closed to its entry number n.
func (e *entries) refused(c container, n int) bool {
	results, err := e.of[c].cmd.Int64Slice()
	return err == nil && n < len(results) && results[n] < 0
}

var topicOrders = []string{orderCreated, orderActive}

func (e *entries) setTopic(c container, t topicState) int {
	return e.set(c, topicOrders, int64(t.id), t.rev, member(t.created, int64(t.id)), t.created, t.active)
}

func (e *entries) dropTopic(c container, t topicState) {
	e.set(c, topicOrders, int64(t.id), t.rev, member(t.created, int64(t.id)))
}

func (e *entries) setComment(c commentState) {
	if c.author == 0 {
		return
	}
	list, m := userCommentsContainer(c.author), member(c.created, int64(c.id))
	if c.live {
		e.set(list, []string{orderCreated}, int64(c.id), commentLive, m, c.created)
	} else {
		e.set(list, []string{orderCreated}, int64(c.id), commentGone, m)
	}
}

// index writes what changed into all lists in other slots, in one round trip,
// and marks it clean. It may be repeated. A topic whose new category was deleted
// meanwhile is taken back; rejected tells so.
func (s *Store) index(ctx context.Context, topics []topicState, comments []commentState) (rejected bool, err error) {
	if s.bulk {
		return false, nil
	}
	s.step("index")
	e := s.entries()
	places := make([]int, len(topics))
	for i, t := range topics {
		if !t.open {
			e.dropTopic(frontContainer, t)
			if t.category != 0 {
				e.dropTopic(categoryContainer(t.category), t)
			}
			continue
		}
		e.setTopic(frontContainer, t)
		if t.category != 0 {
			places[i] = e.setTopic(categoryContainer(t.category), t)
		}
	}
	for _, c := range comments {
		e.setComment(c)
	}
	if err := e.write(ctx, s); err != nil {
		return false, err
	}
	for _, c := range comments {
		s.clean(c.id.Partition(), "c:"+itoa(c.id), commentKey(c.id), c.rev)
	}
	for i, t := range topics {
		if t.open && t.category != 0 && e.refused(categoryContainer(t.category), places[i]) {
			rejected = true
			if err := s.reject(ctx, t); err != nil {
				return true, err
			}
			continue
		}
		if len(t.left) > 0 {
			if err := s.leave(ctx, t); err != nil {
				return rejected, err
			}
		}
		s.clean(t.id.Partition(), "t:"+itoa(t.id), topicKey(t.id), t.rev)
	}
	return rejected, nil
}

// leave takes a topic out of the categories it was moved from. That comes after
// the new category has accepted it: until then an old category cannot be deleted.
func (s *Store) leave(ctx context.Context, t topicState) error {
	s.step("leave")
	e := s.entries()
	for _, old := range t.left {
		e.dropTopic(categoryContainer(old), t)
	}
	if err := e.write(ctx, s); err != nil {
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
	task := retractTask(t.id)
	keys := []string{topicKey(t.id), authorKey(p, t.author), authorKey(p, t.author) + ":profile", dirtyKey(p), statsKey(p), dueKey(p), taskKey(p, task)}
	reply, err := s.run(ctx, topicReject, keys, itoa(t.id), itoa(t.category), int64(s.Now()), task).Slice()
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
	open := map[forum.TopicID]bool{}
	for i, cmd := range cmds {
		f := hmget(names, cmd)
		topics[i] = forum.TopicID(f.int("topic"))
		open[topics[i]] = false
		states[i] = commentState{
			id:      ids[i],
			rev:     int64(f.int("rev")),
			live:    f["deleted"] == "",
			created: f.time("created"),
			author:  forum.UserID(f.int("author")),
		}
	}
	of, err := s.topicStates(ctx, slices.Collect(maps.Keys(open))) // each once: a pass is all of one topic
	if err != nil {
		return nil, err
	}
	for _, t := range of {
		open[t.id] = t.open
	}
	for i := range states {
		states[i].live = states[i].live && open[topics[i]]
	}
	return states, nil
}
