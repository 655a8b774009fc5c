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

// topicState is what the indexes need to know of a topic, as scripts return it.
type topicState struct {
	id       forum.TopicID
	rev      int64
	open     bool
	created  forum.Time
	active   forum.Time
	category forum.CategoryID
	left     []forum.CategoryID // categories whose indexes may still hold the topic
	author   forum.UserID
	up, down int
	tags     forum.TopicTags
	leftTags []forum.TagID // tags whose indexes may still hold the topic
	leaves   bool          // it remembers any that it left, perhaps only such as it bears again
	// day is the latest day with comments; on it and the day before there are so many, -1
	// when there never were any.
	day                    forum.Day
	dayComments, dayBefore int
	// fan is the revision at which it last came to be in other homes than before, "" when
	// these were written since.
	fan string
}

// topicStateFields are the fields of a topic that scripts return, in this order.
var topicStateFields = []string{"rev", "state", "created", "active", "category", "left", "author",
	"up", "down", "tags", "leftTags", "day", "dayComments", "dayBefore", "fan"}

func parseTopicState(id forum.TopicID, values []any) topicState {
	text := func(i int) string {
		if i < len(values) {
			s, _ := values[i].(string)
			return s
		}
		return ""
	}
	count := func(i int) int {
		if text(i) == "" {
			return -1
		}
		return int(whole(text(i)))
	}
	t := topicState{
		id:          id,
		rev:         whole(text(0)),
		open:        text(1) == string(forum.TopicOpen),
		created:     forum.Time(whole(text(2))),
		active:      forum.Time(whole(text(3))),
		category:    forum.CategoryID(whole(text(4))),
		author:      forum.UserID(whole(text(6))),
		up:          int(whole(text(7))),
		down:        int(whole(text(8))),
		tags:        decodeTags(text(9)),
		day:         forum.Day(whole(text(11))),
		dayComments: count(12),
		dayBefore:   count(13),
		fan:         text(14),
		leaves:      text(5)+text(10) != "",
	}
	for _, old := range parseIDs[forum.CategoryID](text(5)) {
		if old != t.category {
			t.left = append(t.left, old)
		}
	}
	for _, old := range parseIDs[forum.TagID](text(10)) {
		if !slices.Contains(t.tags.IDs(), old) {
			t.leftTags = append(t.leftTags, old)
		}
	}
	return t
}

// commentsOn is how many comments of a day the topic has; 0 for all but the two latest.
func (t topicState) commentsOn(d forum.Day) int {
	switch {
	case t.day != 0 && d == t.day:
		return max(t.dayComments, 0)
	case t.day != 0 && d == t.day-1:
		return max(t.dayBefore, 0)
	}
	return 0
}

// parseIDs reads ids with spaces between.
func parseIDs[T ~int64](s string) []T {
	var ids []T
	for _, f := range strings.Fields(s) {
		if n, err := strconv.ParseInt(f, 10, 64); err == nil {
			ids = append(ids, T(n))
		}
	}
	return ids
}

// Orders of the three kinds of containers.
var (
	topicOrders   = []string{orderCreated, orderActive, orderScore, orderHot, orderDown}
	dayOrders     = []string{orderReplies}
	commentOrders = []string{orderCreated}
)

// scores are where the topic stands in topicOrders, as Redis reads them.
func (t topicState) scores() []string {
	scores := make([]string, 0, len(topicOrders))
	for _, score := range []float64{float64(t.created), float64(t.active), forum.Score(t.created, t.up-t.down), forum.Hot(t.created, t.up-t.down)} {
		scores = append(scores, formatScore(score))
	}
	if t.down == 0 {
		return append(scores, "")
	}
	return append(scores, strconv.Itoa(t.down))
}

// formatScore writes a score so that Redis reads the same number.
func formatScore(score float64) string { return strconv.FormatFloat(score, 'f', -1, 64) }

func (t topicState) member() string { return member(t.created, int64(t.id)) }

// commentState is what the indexes need to know of a comment.
type commentState struct {
	id      forum.CommentID
	rev     int64
	live    bool // neither it nor its topic is deleted
	created forum.Time
	author  forum.UserID
	told    []forum.UserID // who may have a notification of it
}

// Revisions of a comment's entry in its author's list: deletion is for good,
// whether of the comment or of its topic.
const (
	commentLive = 1
	commentGone = 2
)

// topicStates reads what the indexes need; topics that do not exist have rev 0.
func (s *Store) topicStates(ctx context.Context, ids []forum.TopicID) ([]topicState, error) {
	b := s.rdb.Batch()
	cmds := make([]*redis.SliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = b.HMGet(ctx, topicKey(id), topicStateFields...)
	}
	if err := b.Exec(ctx); err != nil {
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
	names := []string{"rev", "author", "created", "deleted", "topic", "told", "tell"}
	b := s.rdb.Batch()
	cmds := make([]*redis.SliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = b.HMGet(ctx, commentKey(id), names...)
	}
	if err := b.Exec(ctx); err != nil {
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
			told:    parseIDs[forum.UserID](f["told"] + " " + f["tell"]),
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
