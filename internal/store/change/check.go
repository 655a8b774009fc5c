package change

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// The rules of this package.
const (
	// RuleIndexMissing: an object that belongs in a container is in all its orders in which it has
	// a score. Repair writes it.
	RuleIndexMissing check.Rule = "index-missing"
	// RuleIndexScore: its scores follow from its times, votes and comments, and it is only in
	// orders in which it has a score. Repair writes it.
	RuleIndexScore check.Rule = "index-score"
	// RuleIndexStray: a container has no other members. Repair removes them.
	RuleIndexStray check.Rule = "index-stray"
	// RuleIndexRev: the indexed revision is present, and not above the object's. Repair sets it.
	RuleIndexRev check.Rule = "index-rev"
	// RuleIndexTombstone: a removed member is not in the orders, and its revision is known. Repair
	// deletes the tombstone.
	RuleIndexTombstone check.Rule = "index-tombstone"
	// RuleTagName: a tag has a name that folds to its id as long as its index has topics or the tag
	// has followers. Repair takes the name from one of the topics, or deletes it. The wrong name of
	// a tag without topics is only reported.
	RuleTagName check.Rule = "tag-name"
	// RuleNameList: the list of users has each active user by login, that of applicants each account to be approved,
	// and that of tags each tag that topics have by name, number of topics and newest topic; they have no other
	// entries. Repair rewrites them.
	RuleNameList check.Rule = "name-list"
)

// onEntry is an entry of a container, or of a list of names.
const onEntry check.Kind = "entry"

// checks are the checks of lists that follow changes.
type checks struct{ *Store }

// Checks returns what is checked of the containers of topics and comments, and of the lists of names.
func (s *Store) Checks() check.Subject {
	c := checks{s}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){
			onEntry:           func(l *check.Look) { c.entry(l, c.truth(l)) },
			check.OnContainer: c.tagIndex,
		},
		Entries: map[check.Kind]func(*check.Look, check.Entry){onEntry: c.listed},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnContainer: c.ofContainer,
			check.OnUser: func(on check.Target) ([]check.Target, []check.List) {
				names := []check.Target{Checked(key.Container(key.UserNames), on.ID),
					Checked(key.Container(key.Applicants), on.ID)}
				return names, entriesOf(key.UserCommentsContainer(forum.UserID(on.ID)))
			},
		},
		Lists: slices.Concat(entriesOf(key.Container(key.UserNames)), entriesOf(key.Container(key.Applicants)),
			entriesOf(key.Container(key.TagNames))),
		Lags: []check.Kind{onEntry},
		Tasks: map[record.TaskKind]check.Task{
			record.TaskCategory: check.TaskOf(func(is record.Task) string { return key.Category(is.Category) }, "name",
				check.Present, func(cursor string) bool {
					_, _, err := record.ParseMember(cursor)
					return cursor == "" || err == nil
				}),
		},
		Swept: []check.Rule{RuleIndexMissing, RuleIndexScore, RuleIndexStray, RuleIndexRev, RuleIndexTombstone,
			RuleNameList},
	}
}

// Checked returns the target for an entry of a container: an object that may belong there.
func Checked(in key.Container, id int64) check.Target {
	return check.Target{Kind: onEntry, Key: string(in), ID: id}
}

// ofContainer returns the lists of a container, and the name of a tag.
func (c checks) ofContainer(on check.Target) (all []check.Target, lists []check.List) {
	in := key.Container(on.Key)
	if day, ok := in.Day(); !ok || c.readable(day) {
		lists = entriesOf(in)
	}
	if tag := in.Tag(); tag != 0 {
		all = []check.Target{Checked(key.Container(key.TagNames), int64(tag))}
	}
	return all, lists
}

// entriesOf returns the lists of a container.
func entriesOf(in key.Container) []check.List {
	on := Checked(in, 0)
	lists := []check.List{{Key: in.Revisions(), Hash: true, On: on}, {Key: in.Removed(), On: on}}
	for _, k := range ordersOf(in) {
		lists = append(lists, check.List{Key: k, On: on})
	}
	return lists
}

// ordersOf returns the orders of a container, or of a list of names.
func ordersOf(in key.Container) []string {
	if isNames(in) {
		return check.OrdersOf(key.Names(in))
	}
	return check.OrdersOf(in)
}

// readable reports whether the rank of a day can still be read. Older ranks cannot be compared, because topics record
// two days only.
func (c checks) readable(d forum.Day) bool { return d >= c.engine.Today()-1 }

// listed examines an entry of a list of a container, except one that belongs there at that position: that was examined
// with its object. With id 0, it is not a valid one.
func (c checks) listed(l *check.Look, e check.Entry) {
	in := key.Container(l.On.Key)
	if e.Key == in.Revisions() || e.Key == in.Removed() {
		if id, err := strconv.ParseInt(e.Name, 10, 64); err == nil && id > 0 && (isNames(in) || id <= forum.MaxID) {
			l.On = Checked(in, id)
		}
	} else if _, id, err := record.ParseNameMember(e.Name); err == nil && isNames(in) {
		l.On.ID = id
	} else if id, _, err := record.ParseMember(e.Name); err == nil && id >= 1 && id <= forum.MaxID {
		l.On.ID = id
	}
	if first := ordersOf(in)[0]; l.On.Text != "" && e.Key != first {
		there := l.Score(first, l.On.Text)
		if l.Wait(); check.Is(there) { // it is checked there, with all orders
			return
		}
	}
	if t := c.truth(l); l.On.ID == 0 || t.scores == nil || l.On.Text != "" && l.On.Text != t.member {
		c.entry(l, t)
	}
}

// truth is an object's entry as derived from the object.
type truth struct {
	known   bool // the object exists
	silent  bool // it no longer knows
	lagging bool // its indexes may be outdated
	member  string
	scores  []string // by order, "" where it has no entry; nil if it does not belong in the container
	rev     int64
}

// truth reads the object of an entry.
func (c checks) truth(l *check.Look) truth {
	switch in := key.Container(l.On.Key); {
	case isNames(in):
		return c.nameTruth(l)
	case in.OfComments():
		return c.commentTruth(l)
	}
	in, id := key.Container(l.On.Key), forum.TopicID(l.On.ID)
	state := record.GetTopicState(l.Ctx, l.Next(), id)
	mark := l.Marked(id.Partition(), "t:"+key.Itoa(id))
	l.Wait()
	t := state()
	day, isDay := in.Day()
	return truth{known: t.Rev != 0, silent: isDay && (!c.readable(day) || t.Day > day+1), lagging: l.Young(mark),
		member: t.Member(), scores: derive.TopicIn(t, in), rev: t.Rev}
}

// commentTruth is truth for a comment. It is listed while its topic is, and as of the task that follows when the topic
// is deleted, hidden or restored.
func (c checks) commentTruth(l *check.Look) truth {
	in, id := key.Container(l.On.Key), forum.CommentID(l.On.ID)
	f, comment, lagging := l.CommentState(id)
	is := truth{lagging: lagging, member: record.Member(comment.Created, int64(id)), rev: comment.Rev}
	if f["topic"] == "" || in != key.UserCommentsContainer(comment.Author) {
		return is
	}
	is.known, is.scores = true, derive.CommentIn(comment, in)
	if comment.Deleted { // earlier versions did not raise it with the deletion of the topic
		is.rev = max(comment.Rev, record.CommentPosted+1)
	}
	return is
}

// entry compares an entry of a container with its object.
func (c checks) entry(l *check.Look, t truth) {
	in, id, name, member := key.Container(l.On.Key), l.On.ID, strconv.FormatInt(l.On.ID, 10), l.On.Text
	if id == 0 {
		name = member
	}
	scores, other := l.Scores(ordersOf(in), t.member), l.Scores(ordersOf(in), member)
	indexed, tombstone := l.Next().HGet(l.Ctx, in.Revisions(), name), l.Score(in.Removed(), name)
	l.Wait()
	has, missing := make([]string, len(scores)), false
	for i, cmd := range scores {
		if check.Is(cmd) {
			has[i] = record.FormatScore(cmd.Val())
		}
		missing = missing || t.scores != nil && has[i] == "" && t.scores[i] != ""
	}
	rev, named, _ := strings.Cut(indexed.Val(), " ") // of a list of names, the member follows
	removed, present := check.Is(tombstone), t.known && check.Count(scores) > 0
	n, err := strconv.ParseInt(rev, 10, 64)
	rule := check.RuleValue
	switch {
	case id == 0:
		if check.Count(other) == 0 && rev == "" && !removed {
			return
		}
	case t.silent:
		return
	case t.lagging:
		l.Postpone()
		return
	case check.Count(other) > 0 && (!t.known || member != t.member), t.scores == nil && present:
		rule = RuleIndexStray
	case missing:
		rule = RuleIndexMissing
	case t.scores != nil && !slices.Equal(has, t.scores):
		rule = RuleIndexScore
	case present && (err != nil || n < 1), rev != "" && t.known && n > t.rev,
		rev != "" && !present && !removed && t.scores == nil:
		rule = RuleIndexRev
	case removed && (present || rev == ""):
		rule = RuleIndexTombstone
	case isNames(in) && (named != t.member || key.Names(in) == key.TagNames && present && n != t.rev):
	default:
		return
	}
	if isNames(in) {
		rule = RuleNameList
	}
	l.Add(rule, l.On.Key, c.rewrite(in, t, id, name, member, named),
		"%q at revision %d is at %q, indexed at %q, removed: %t, also at %q; want %q", name, t.rev, has, rev, removed,
		member, t.scores)
}

// rewrite returns a fix that corrects an entry.
func (c checks) rewrite(in key.Container, t truth, id int64, name string, others ...string) check.Fix {
	value := strconv.FormatInt(t.rev, 10)
	if isNames(in) && t.scores != nil {
		value += " " + t.member
	}
	return check.Transaction([]string{in.Revisions()}, func(ctx context.Context, pipe redis.Pipeliner) {
		for i, order := range ordersOf(in) {
			pipe.ZRem(ctx, order, append(record.Anys(others), t.member)...)
			if t.scores != nil && t.scores[i] != "" {
				pipe.Do(ctx, "zadd", order, t.scores[i], t.member)
			}
		}
		pipe.ZRem(ctx, in.Removed(), name)
		pipe.HDel(ctx, in.Revisions(), name)
		if t.known && id != 0 {
			pipe.HSet(ctx, in.Revisions(), name, value)
			if t.scores == nil {
				pipe.ZAdd(ctx, in.Removed(), redis.Z{Score: float64(c.engine.Now()), Member: name})
			}
		}
		if day, ok := in.Day(); ok {
			for _, key := range []string{in.Order(key.OrderReplies), in.Revisions(), in.Removed()} {
				pipe.Do(ctx, "expireat", key, record.ExpireAt(day.Ends(c.engine.Location)))
			}
		}
	})
}

// Reindex writes the entries of a topic, except in a lost category: its closed index would delete the topic.
func (s *Store) Reindex(ctx context.Context, id forum.TopicID) error {
	category, err := s.engine.Client.Redis.HGet(ctx, key.Topic(id), "category").Int64()
	if err != nil {
		return nil // deleted since, or malformed, which is a finding
	}
	if category != 0 {
		n, err := s.engine.Client.Redis.Exists(ctx, key.Category(forum.CategoryID(category))).Result()
		if err != nil || n == 0 {
			return err
		}
	}
	return s.SweepTopics(ctx, id.Partition(), []forum.TopicID{id})
}
