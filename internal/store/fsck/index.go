package fsck

import (
	"context"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// entryRef is an entry of a container: an object that may belong there, under the member formed
// from its time of posting, or under member if that is set. With id 0, member is not a valid one.
type entryRef struct {
	container key.Container
	id        int64
	member    string
}

func (e entryRef) on() target {
	return target{kind: onEntry, key: string(e.container), id: e.id, text: e.member}
}

// truth is an object's entry as derived from the object.
type truth struct {
	known   bool // the object exists
	silent  bool // it no longer knows
	listed  bool // it belongs in the container
	lagging bool // its indexes may be outdated
	member  string
	scores  []string // by order, in Redis's format; "" where it has no entry
	rev     int64
}

// truths reads the objects of entries.
func (c *checker) truths(ctx context.Context, refs []entryRef) ([]truth, error) {
	found := make([]truth, len(refs))
	for part := 0; part < len(refs); part += groupSize {
		end := min(part+groupSize, len(refs))
		r := c.read(ctx)
		after := make([]func() func(), 0, end-part)
		for i, ref := range refs[part:end] {
			if ref.container.OfComments() {
				after = append(after, c.commentTruth(r, ref, &found[part+i]))
			} else {
				after = append(after, c.topicTruth(r, ref, &found[part+i]))
			}
		}
		if err := r.done(); err != nil {
			return nil, err
		}
		var then []func()
		for _, f := range after {
			if g := f(); g != nil {
				then = append(then, g)
			}
		}
		if err := r.done(); err != nil {
			return nil, err
		}
		for _, g := range then {
			g()
		}
	}
	return found, nil
}

// young reports whether a dirty mark excuses outdated indexes.
func (c *checker) young(mark *redis.FloatCmd) bool {
	return mark.Err() == nil && forum.Time(mark.Val())+lagLife > c.s.Now()
}

func (c *checker) topicTruth(r *reading, ref entryRef, into *truth) func() func() {
	id := forum.TopicID(ref.id)
	state := record.GetTopicState(r.ctx, r.next(), id)
	mark := r.next().ZScore(r.ctx, key.Dirty(id.Partition()), "t:"+key.Itoa(id))
	return func() func() {
		t := state()
		*into = truth{
			known:   t.Rev != 0,
			listed:  t.Listed,
			lagging: c.young(mark),
			member:  t.Member(),
			scores:  t.Scores(ref.container),
			rev:     t.Rev,
		}
		if category := ref.container.Category(); category != 0 {
			into.listed = t.Listed && t.Category == category
		} else if tag := ref.container.Tag(); tag != 0 {
			into.listed = t.Listed && slices.Contains(t.Tags.IDs(), tag)
		} else if day, ok := ref.container.Day(); ok {
			comments := t.CommentsOn(day)
			into.silent = !c.readable(day) || t.Day > day+1
			into.listed = t.Listed && comments > 0
			into.scores = []string{strconv.Itoa(comments)}
		}
		return nil
	}
}

// commentTruth needs a second step: a comment is listed while its topic is, and as of the task that follows when the
// topic is deleted, hidden or restored.
func (c *checker) commentTruth(r *reading, ref entryRef, into *truth) func() func() {
	id := forum.CommentID(ref.id)
	p := id.Partition()
	hash := r.hmget(key.Comment(id), append([]string{"topic"}, script.CommentStateFields...))
	mark := r.next().ZScore(r.ctx, key.Dirty(p), "c:"+key.Itoa(id))
	return func() func() {
		f := hash()
		topic := forum.TopicID(f.Int("topic"))
		state := r.next().HGet(r.ctx, key.Topic(topic), "state")
		topicMark := r.next().ZScore(r.ctx, key.Dirty(p), "t:"+key.Itoa(topic))
		task := r.next().Exists(r.ctx, key.Task(p, record.RetractTask(topic)))
		return func() {
			of := stateOf(state.Val())
			comment := record.ParseCommentState(id, f, of)
			mine := ref.container == key.UserCommentsContainer(comment.Author)
			*into = truth{
				known:   f["topic"] != "" && mine,
				listed:  f["topic"] != "" && mine && comment.Live,
				lagging: c.young(mark) || task.Val() > 0 || !of.Listed && c.young(topicMark),
				member:  record.Member(comment.Created, ref.id),
				scores:  []string{record.FormatScore(float64(comment.Created))},
				rev:     comment.Rev,
			}
			if comment.Deleted { // earlier versions did not raise it with the deletion of the topic
				into.rev = max(comment.Rev, record.CommentPosted+1)
			}
		}
	}
}

// stateOf returns what the state of a topic says of its comments.
func stateOf(state string) record.TopicState {
	return record.TopicState{Listed: listed(state), Deleted: state == string(forum.TopicDeleted)}
}

// listed reports whether topics in a state are in lists.
func listed(state string) bool { return forum.TopicState(state).Listed() }

// entryView is an entry as read from its container.
type entryView struct {
	ref     entryRef
	truth   truth
	scores  []*redis.FloatCmd // of the expected member
	other   []*redis.FloatCmd // of ref.member
	rev     *redis.StringCmd
	removed *redis.FloatCmd
}

// inspectEntries compares entries of containers with their objects.
func (c *checker) inspectEntries(ctx context.Context, refs []entryRef) error {
	truths, err := c.truths(ctx, refs)
	if err != nil {
		return err
	}
	r := c.read(ctx)
	views := make([]entryView, len(refs))
	for i, ref := range refs {
		v := entryView{ref: ref, truth: truths[i]}
		name := strconv.FormatInt(ref.id, 10)
		if ref.id == 0 {
			name = ref.member
		}
		for _, order := range ref.container.OrderNames() {
			v.scores = append(v.scores, r.next().ZScore(ctx, ref.container.Order(order), v.truth.member))
			v.other = append(v.other, r.next().ZScore(ctx, ref.container.Order(order), ref.member))
		}
		v.rev = r.next().HGet(ctx, ref.container.Revisions(), name)
		v.removed = r.next().ZScore(ctx, ref.container.Removed(), name)
		views[i] = v
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, v := range views {
		c.checkEntry(v)
	}
	return nil
}

func there(cmds []*redis.FloatCmd) int {
	n := 0
	for _, cmd := range cmds {
		if cmd.Err() == nil {
			n++
		}
	}
	return n
}

// missing returns the number of orders that lack the entry.
func (t truth) missing(has []*redis.FloatCmd) int {
	n := 0
	for i, cmd := range has {
		if cmd.Err() != nil && t.scores[i] != "" {
			n++
		}
	}
	return n
}

func (c *checker) checkEntry(v entryView) {
	on, t, key := v.ref.on(), v.truth, string(v.ref.container)
	if v.ref.id == 0 {
		if there(v.other) > 0 || v.rev.Err() == nil || v.removed.Err() == nil {
			c.add(on, RuleIndexMember, key, c.rewrite(v), "%q is not an entry", v.ref.member)
		}
		return
	}
	if t.silent {
		return
	}
	if t.lagging {
		c.busy[on] = true
		return
	}
	present := there(v.scores)
	if !t.known {
		present = 0
	}
	if v.ref.member != "" && (!t.known || v.ref.member != t.member) && there(v.other) > 0 {
		c.add(on, RuleIndexStray, key, c.rewrite(v), "%d is at %q, which is not its position", v.ref.id, v.ref.member)
	}
	switch {
	case t.listed && t.missing(v.scores) > 0:
		c.add(on, RuleIndexMissing, key, c.rewrite(v), "%d at revision %d is missing in %d orders", v.ref.id, t.rev,
			t.missing(v.scores))
	case t.listed:
		for i, cmd := range v.scores {
			has := ""
			if cmd.Err() == nil {
				has = record.FormatScore(cmd.Val())
			}
			if has != t.scores[i] {
				c.add(on, RuleIndexScore, key, c.rewrite(v), "%d is at %q by %s; want %q", v.ref.id, has,
					v.ref.container.OrderNames()[i], t.scores[i])
			}
		}
	case present > 0:
		c.add(on, RuleIndexStray, key, c.rewrite(v), "%d at revision %d does not belong there", v.ref.id, t.rev)
	}
	c.checkRevision(v, present > 0)
}

// checkRevision checks the revision and tombstone of an entry.
func (c *checker) checkRevision(v entryView, present bool) {
	on, t, key := v.ref.on(), v.truth, string(v.ref.container)
	rev, removed := v.rev.Val(), v.removed.Err() == nil
	n, err := strconv.ParseInt(rev, 10, 64)
	switch {
	case present && (err != nil || n < 1), rev != "" && t.known && n > t.rev:
		c.add(on, RuleIndexRev, key, c.rewrite(v), "%d at revision %d was indexed at %q", v.ref.id, t.rev, rev)
	case rev != "" && !present && !removed && !t.listed:
		c.add(on, RuleIndexRev, key, c.rewrite(v), "%d is neither listed nor removed, but has revision %q", v.ref.id, rev)
	case removed && (present || rev == ""):
		c.add(on, RuleIndexTombstone, key, c.rewrite(v), "%d is removed; listed: %t, revision %q", v.ref.id, present, rev)
	}
}

// rewrite returns a fix that corrects an entry through the guard. If the guard does nothing,
// because the revision is already stored, the fix writes directly.
func (c *checker) rewrite(v entryView) fix {
	box, t, name := v.ref.container, v.truth, strconv.FormatInt(v.ref.id, 10)
	if v.ref.id == 0 {
		name = v.ref.member
	}
	x := fix{watch: []string{box.Revisions()}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		for i, order := range box.OrderNames() {
			if v.ref.member != "" {
				pipe.ZRem(ctx, box.Order(order), v.ref.member)
			}
			if t.listed && t.scores[i] != "" {
				pipe.Do(ctx, "zadd", box.Order(order), t.scores[i], t.member)
			} else if t.known {
				pipe.ZRem(ctx, box.Order(order), t.member)
			}
		}
		pipe.ZRem(ctx, box.Removed(), name)
		pipe.HDel(ctx, box.Revisions(), name)
		if t.known && v.ref.id != 0 {
			pipe.HSet(ctx, box.Revisions(), name, t.rev)
			if !t.listed {
				pipe.ZAdd(ctx, box.Removed(), redis.Z{Score: float64(c.s.Now()), Member: name})
			}
		}
		if day, ok := box.Day(); ok {
			for _, key := range []string{box.Order(key.OrderReplies), box.Revisions(), box.Removed()} {
				pipe.Do(ctx, "expireat", key, record.ExpireAt(day.Ends(c.s.Zone())))
			}
		}
	}}
	if t.known && t.listed && v.ref.id != 0 {
		p := forum.TopicID(v.ref.id).Partition()
		x.first = func(ctx context.Context) error {
			if box.OfComments() {
				return c.repairer.Reindex(ctx, p, nil, []forum.CommentID{forum.CommentID(v.ref.id)})
			}
			return c.reindex(ctx, forum.TopicID(v.ref.id))
		}
	}
	return x
}

// reindex has the guards write a topic's entries, except in a lost category: its closed index would
// delete the topic.
func (c *checker) reindex(ctx context.Context, id forum.TopicID) error {
	category, err := c.rdb.Redis.HGet(ctx, key.Topic(id), "category").Int64()
	if err != nil {
		return nil // deleted since, or malformed, which is a finding
	}
	if category != 0 {
		n, err := c.rdb.Redis.Exists(ctx, key.Category(forum.CategoryID(category))).Result()
		if err != nil || n == 0 {
			return err
		}
	}
	return c.repairer.Reindex(ctx, id.Partition(), []forum.TopicID{id}, nil)
}

// entriesOf returns the entries that topics and their comments should have.
func (c *checker) entriesOf(topics []*topicView) []entryRef {
	var refs []entryRef
	for _, t := range topics {
		if len(t.f) == 0 {
			continue
		}
		in := func(index key.Container) {
			refs = append(refs, entryRef{container: index, id: int64(t.id)})
		}
		in(key.FrontContainer)
		// A topic in a lost category already has a finding.
		if category := t.f.Int("category"); category != 0 && t.housed {
			in(key.CategoryContainer(forum.CategoryID(category)))
		}
		for _, tag := range catalogue.DecodeTags(t.f["tags"]).IDs() {
			in(key.TagContainer(tag))
		}
		if day := forum.Day(t.f.Int("day")); day > 0 {
			in(key.DayContainer(day))
			in(key.DayContainer(day - 1))
		}
		for _, m := range t.comments {
			if m.Author != 0 && m.authorThere && m.topic == t.id {
				refs = append(refs, entryRef{container: key.UserCommentsContainer(m.Author), id: int64(m.ID)})
			}
		}
	}
	return slices.Clip(refs)
}
