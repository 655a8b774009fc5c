package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/pipeline"
)

// entries gathers what is to be written into indexes: one guard per container.
type entries struct {
	now  forum.Time
	zone *time.Location
	of   map[container]*containerEntries
	list []*containerEntries
	tags []tagEntry
	logs []voteLogEntry
	tell *telling       // nil is none
	gone []commentState // whose notifications are marked as read
}

type containerEntries struct {
	container container
	orders    []string
	args      []any
	count     int
	cmd       *redis.Cmd
}

func (s *Store) entries() *entries {
	return &entries{now: s.Now(), zone: s.zone, of: map[container]*containerEntries{}}
}

// in is where the entries of a container are gathered.
func (e *entries) in(c container, orders []string) *containerEntries {
	ce := e.of[c]
	if ce == nil {
		expiry := ""
		if day, ok := c.day(); ok {
			expiry = expireAt(day.Ends(e.zone))
		}
		ce = &containerEntries{container: c, orders: orders, args: []any{int64(e.now), forum.RemovalLife.Milliseconds(), expiry, streamKept}}
		e.of[c] = ce
		e.list = append(e.list, ce)
	}
	return ce
}

// set puts an entry into the orders of a container that have a score for it, or
// removes it when there are no scores. It returns the entry's place among the
// container's results.
func (e *entries) set(c container, orders []string, id, rev int64, m string, scores ...string) int {
	ce := e.in(c, orders)
	ce.args = append(ce.args, id, rev, m)
	for i := range orders {
		score := ""
		if len(scores) > 0 {
			score = scores[i]
		}
		ce.args = append(ce.args, score)
	}
	ce.count++
	return ce.count - 1
}

// write sends all guards in one round trip, and after them what else is to go with them.
func (e *entries) write(ctx context.Context, s *Store, then func(*pipeline.Batch) error) error {
	b := s.rdb.Batch()
	for _, ce := range e.list {
		keys := []string{ce.container.revs(), ce.container.gone(), ce.container.closed(), ce.container.events()}
		for _, o := range ce.orders {
			keys = append(keys, ce.container.order(o))
		}
		ce.cmd = b.Run(ctx, indexSet, keys, ce.args...)
	}
	for _, t := range e.tags { // after the index, which tells whether anybody bears the tag
		t.queue(ctx, b, e.now)
	}
	for _, l := range e.logs {
		l.queue(ctx, b)
	}
	for _, c := range e.gone {
		s.queueSeen(ctx, b, c.told, forum.Subject{Comment: c.id})
	}
	e.tell.queue(ctx, b, s.notes)
	if err := then(b); err != nil {
		return err
	}
	if b.Len() == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("write indexes: %w", err)
	}
	return nil
}

// refused tells whether the container said that it is closed to its entry number n.
func (e *entries) refused(c container, n int) bool {
	results, err := e.of[c].cmd.Int64Slice()
	return err == nil && n < len(results) && results[n] < 0
}

func (e *entries) setTopic(c container, t topicState) int {
	return e.set(c, topicOrders, int64(t.id), t.rev, t.member(), t.scores()...)
}

func (e *entries) dropTopic(c container, t topicState) {
	e.set(c, topicOrders, int64(t.id), t.rev, t.member())
}

// setTags puts the topic into the indexes of its tags, or takes it out of them.
func (e *entries) setTags(t topicState) {
	for _, tag := range t.tags {
		if t.open {
			e.setTopic(tagContainer(tag.ID), t)
			e.tags = append(e.tags, tagEntry{tag.ID, tag.Name})
		} else {
			e.dropTopic(tagContainer(tag.ID), t)
			e.tags = append(e.tags, tagEntry{id: tag.ID})
		}
	}
}

// setDays puts the topic into the ranks of the two latest days with comments, as far
// as these are still readable.
func (e *entries) setDays(t topicState) {
	oldest := forum.DayOf(e.now, e.zone) - 1
	for i, comments := range []int{t.dayComments, t.dayBefore} {
		day := t.day - forum.Day(i)
		if t.day == 0 || comments < 0 || day < oldest {
			continue
		}
		if t.open && comments > 0 {
			e.set(dayContainer(day), dayOrders, int64(t.id), t.rev, t.member(), strconv.Itoa(comments))
		} else {
			e.set(dayContainer(day), dayOrders, int64(t.id), t.rev, t.member())
		}
	}
}

func (e *entries) setComment(c commentState) {
	if !c.live && len(c.told) > 0 {
		e.gone = append(e.gone, c)
	}
	if c.author == 0 {
		return
	}
	list, m := userCommentsContainer(c.author), member(c.created, int64(c.id))
	if c.live {
		e.set(list, commentOrders, int64(c.id), commentLive, m, formatScore(float64(c.created)))
	} else {
		e.set(list, commentOrders, int64(c.id), commentGone, m)
	}
}

// changes are what changed in the entities that lists in other slots hold.
type changes struct {
	topics   []topicState
	comments []commentState
	logs     []voteLogEntry // votes that are noted in logs
	tell     *telling       // whom it concerns; nil is nobody
	gone     *retraction    // of the topic that was deleted; nil if none was
}

// index writes what changed into all lists in other slots, in one round trip,
// and marks it clean. It may be repeated. A topic whose new category was deleted
// meanwhile is taken back; rejected tells so.
func (s *Store) index(ctx context.Context, topics []topicState, comments []commentState) (rejected bool, err error) {
	return s.indexAll(ctx, changes{topics: topics, comments: comments})
}

// indexAll is index for all kinds of changes.
func (s *Store) indexAll(ctx context.Context, c changes) (rejected bool, err error) {
	if s.bulk {
		return false, nil
	}
	s.step("index")
	e := s.entries()
	e.logs, e.tell = c.logs, c.tell
	places := make([]int, len(c.topics))
	for i, t := range c.topics {
		places[i] = e.place(t)
	}
	for _, comment := range c.comments {
		e.setComment(comment)
	}
	fans := &fans{s: s, ctx: ctx, gone: c.gone}
	if err := e.write(ctx, s, func(b *pipeline.Batch) error { return fans.read(b, c.topics) }); err != nil {
		return false, err
	}
	for _, comment := range c.comments {
		s.clean(comment.id.Partition(), "c:"+itoa(comment.id), commentKey(comment.id), comment.rev)
	}
	for _, l := range c.logs {
		s.finish(l.task())
	}
	s.finishTelling(c.tell)
	accepted := make([]topicState, 0, len(c.topics))
	for i, t := range c.topics {
		if t.open && t.category != 0 && e.refused(categoryContainer(t.category), places[i]) {
			rejected = true
			if err := s.reject(ctx, t); err != nil {
				return true, err
			}
			continue
		}
		accepted = append(accepted, t)
	}
	return rejected, s.settleTopics(ctx, accepted, fans)
}

// settleTopics does what comes after the indexes have taken topics: they leave what they
// were in before, and come home.
func (s *Store) settleTopics(ctx context.Context, topics []topicState, fans *fans) error {
	current, err := fans.spread(topics)
	if err != nil {
		return err
	}
	for i, t := range topics {
		switch {
		case current[i]:
			s.cleanTopic(t)
		case !t.leaves: // or the sweeper sees to what it has left
			s.clean(t.id.Partition(), "t:"+itoa(t.id), topicKey(t.id), t.rev)
		}
	}
	return nil
}

// place puts the topic into all containers that it belongs to, or takes it out of them. It
// returns its place among the results of its category.
func (e *entries) place(t topicState) (inCategory int) {
	if t.open {
		e.setTopic(frontContainer, t)
		if t.category != 0 {
			inCategory = e.setTopic(categoryContainer(t.category), t)
		}
	} else {
		e.dropTopic(frontContainer, t)
		if t.category != 0 {
			e.dropTopic(categoryContainer(t.category), t)
		}
	}
	e.setTags(t)
	e.setDays(t)
	return inCategory
}

// day is the day that the container ranks, if it is one of a day.
func (c container) day() (forum.Day, bool) {
	date, ok := strings.CutPrefix(string(c), "{ix:d")
	if !ok {
		return 0, false
	}
	return forum.ParseDay(strings.TrimSuffix(date, "}"))
}

// leave takes a topic out of the tags that it lost and the categories it was moved
// from. That comes after the new category has accepted it: until then an old category
// cannot be deleted.
func (e *entries) leave(t topicState) {
	for _, old := range t.left {
		e.dropTopic(categoryContainer(old), t)
	}
	for _, old := range t.leftTags {
		e.dropTopic(tagContainer(old), t)
		e.tags = append(e.tags, tagEntry{id: old})
	}
}

// reject takes a topic back out of a deleted category and indexes what became of it.
func (s *Store) reject(ctx context.Context, t topicState) error {
	s.step("reject")
	p := t.id.Partition()
	task := retractTask(t.id)
	keys := []string{topicKey(t.id), authorKey(p, t.author), authorKey(p, t.author) + ":profile", dirtyKey(p), statsKey(p), dueKey(p), taskKey(p, task), bookmarkersKey(t.id), eventsKey(authorKey(p, t.author) + ":profile")}
	reply, err := s.rdb.Run(ctx, topicReject, keys, itoa(t.id), itoa(t.category), int64(s.Now()), task, streamKept).Slice()
	if err != nil {
		return fmt.Errorf("take topic %d out of a deleted category: %w", t.id, err)
	}
	_, err = s.index(ctx, []topicState{parseTopicState(t.id, reply)}, nil)
	return err
}
