package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/pipeline"
)

var (
	edgeSet = newScript("edge_set")
	edgeFar = newScript("edge_far")
)

// edge is what one user draws to somebody or something else and what lies in two slots.
// The user's side is the truth; the far side follows it (docs/architecture.md, "Follow").
type edge struct {
	from forum.UserID
	kind edgeKind
	to   int64        // the user, category, tag or topic
	list forum.ListID // of members of lists
}

// edgeKind is the first letter of what an edge leads to.
type edgeKind string

const (
	followUser     edgeKind = "u"
	followCategory edgeKind = "c"
	followTag      edgeKind = "g"
	blockUser      edgeKind = "b"
	keepTopic      edgeKind = "k" // a bookmark
	listUser       edgeKind = "l" // of these, user_list.go writes the truth
)

// followEdge is the edge to what is followed.
func followEdge(from forum.UserID, t forum.Target) edge {
	switch {
	case t.Category != 0:
		return edge{from: from, kind: followCategory, to: int64(t.Category)}
	case t.Tag != 0:
		return edge{from: from, kind: followTag, to: int64(t.Tag)}
	}
	return edge{from: from, kind: followUser, to: int64(t.User)}
}

// user is the far end of an edge that leads to a user.
func (e edge) user() forum.UserID { return forum.UserID(e.to) }

// topic is the far end of an edge that leads to a topic.
func (e edge) topic() forum.TopicID { return forum.TopicID(e.to) }

// task is the name of the task that writes the far side.
func (e edge) task() string {
	return "e:" + itoa(e.from) + ":" + string(e.kind) + strconv.FormatInt(e.to, 10)
}

// parseEdge reads what follows "e:" in a task's name.
func parseEdge(name string) (edge, error) {
	from, rest, _ := strings.Cut(name, ":")
	id, err := forum.ParseID[forum.UserID](from)
	if err != nil || len(rest) < 2 {
		return edge{}, fmt.Errorf("%q names no edge", name)
	}
	e := edge{from: id, kind: edgeKind(rest[:1])}
	e.to, err = strconv.ParseInt(rest[1:], 10, 64)
	if err != nil || e.to < 1 || !strings.Contains("ucgbk", string(e.kind)) || e.task() != "e:"+name {
		return edge{}, fmt.Errorf("%q names no edge", name)
	}
	return e, nil
}

// near is the user's side and the edge's member there.
func (e edge) near() (key, member string) {
	id := strconv.FormatInt(e.to, 10)
	switch e.kind {
	case followCategory, followTag:
		return subjectsKey(e.from), string(e.kind) + id
	case blockUser:
		return blockedKey(e.from), id
	case keepTopic:
		return bookmarksKey(e.from), id
	case listUser:
		return listMembersKey(e.list), id
	}
	return followingKey(e.from), id
}

// far is the far side, the edge's member there, and what tells that the far end exists.
func (e edge) far() (key, member, end, sort string) {
	switch e.kind {
	case followCategory:
		c := categoryContainer(forum.CategoryID(e.to))
		return c.followers(), itoa(e.from), c.closed(), "category"
	case followTag:
		return tagContainer(forum.TagID(e.to)).followers(), itoa(e.from), tagKey(forum.TagID(e.to)), "tag"
	case blockUser:
		return blockersKey(e.user()), itoa(e.from), userKey(e.user()), "blocked"
	case keepTopic:
		return bookmarkersKey(e.topic()), itoa(e.from), topicKey(e.topic()), "topic"
	case listUser:
		return listedKey(e.user()), itoa(e.from) + ":" + itoa(e.list), userKey(e.user()), "user"
	}
	return followersKey(e.user()), itoa(e.from), userKey(e.user()), "user"
}

// edgeState is how an edge stands on its user's side.
type edgeState struct {
	set bool
	// since is when it was set, or when edges of the user changed last, as Redis wrote it.
	since string
	// tell tells that the user at its far end is to be told of it.
	tell bool
}

// micros is the present time in microseconds, of which edges have one each.
func (s *Store) micros() int64 { return s.now().UnixMicro() }

// edgeChange is what came of setting or ending an edge on its user's side.
type edgeChange struct {
	edge    edge
	changed bool
	is      edgeState
	// task is what is left to do of a change, under a lease of the caller's.
	task claimedTask
	// home is that of the edge's user after the change; nil if it was not read.
	home *homeView
}

// edgeWish is what is to become of an edge, as scripts read it.
type edgeWish string

const (
	wishSet edgeWish = "1"
	wishEnd edgeWish = "0"
	// wishApart ends an edge between users with a block between them: not one that was set
	// after the end of the block, by whoever ends it late.
	wishApart edgeWish = "b"
	// wishGone ends an edge to what is gone; the far side is left to the caller.
	wishGone edgeWish = "d"
)

// queueEdge queues the setting or ending of an edge on its user's side; now is in microseconds.
func (s *Store) queueEdge(ctx context.Context, b *pipeline.Batch, e edge, wish edgeWish, now int64) *redis.Cmd {
	key, member := e.near()
	counter, other, most, home := "", "", "", "1"
	switch e.kind {
	case followUser:
		counter, other = "following", member
	case keepTopic:
		most, home = strconv.Itoa(s.caps.bookmarks), "0"
	}
	p, task := e.from.Partition(), e.task()
	return b.Run(ctx, edgeSet, []string{userKey(e.from), key, dueKey(p), taskKey(p, task), blockedKey(e.from), blockersKey(e.from), eventsKey(key)},
		member, string(wish), now, int64(s.Now()+firstLease), task, counter, other, most, home, s.edgeCursor(e, wish), streamKept)
}

// cursorTell is the cursor of the task of an edge whose far end is to be told of it.
const cursorTell = "tell"

// edgeCursor is that of the task: who is followed is told, but not by an import.
func (s *Store) edgeCursor(e edge, wish edgeWish) string {
	if e.kind == followUser && wish == wishSet && !s.quiet {
		return cursorTell
	}
	return ""
}

// readEdge reads what queueEdge gave.
func readEdge(cmd *redis.Cmd, e edge, wish edgeWish) (edgeChange, error) {
	reply, err := cmd.Slice()
	if err != nil {
		return edgeChange{}, scriptError(err)
	}
	since, _ := reply[1].(string)
	n, _ := reply[2].(string)
	task := claimedTask{partition: e.from.Partition(), name: e.task(), token: n}
	return edgeChange{edge: e, changed: reply[0] == int64(1), is: edgeState{set: wish == wishSet, since: since}, task: task}, nil
}

// setEdge sets or ends an edge on its user's side.
func (s *Store) setEdge(ctx context.Context, e edge, wish edgeWish) (edgeChange, error) {
	s.step("edge_set")
	b := s.rdb.Batch()
	cmd := s.queueEdge(ctx, b, e, wish, s.micros())
	var home *redis.Cmd
	if e.kind != keepTopic {
		home = s.queueView(ctx, b, e.from, true)
	}
	b.Exec(ctx) // the command has its own error
	c, err := readEdge(cmd, e, wish)
	if err == nil && home != nil {
		c.home = readView(e.from, home)
	}
	return c, err
}

// edgeNow reads how an edge stands. Whoever is gone has no edges.
func (s *Store) edgeNow(ctx context.Context, e edge) (edgeState, error) {
	key, member := e.near()
	names := []string{"state", "etime"}
	b := s.rdb.Batch()
	// In this order: the edge is no older than the time, so that ending it by that time
	// ends no newer one.
	user := b.HMGet(ctx, userKey(e.from), names...)
	score := b.ZScore(ctx, key, member)
	if err := b.Exec(ctx); err != nil {
		return edgeState{}, err
	}
	f := hmget(names, user)
	if score.Err() != nil || f["state"] != userActive {
		return edgeState{since: f["etime"]}, nil
	}
	return edgeState{set: true, since: micros(score.Val())}, nil
}

// micros writes a score that is a time in microseconds.
func micros(score float64) string { return strconv.FormatFloat(score, 'f', 0, 64) }

// queueFar queues the writing of the far side.
func (s *Store) queueFar(ctx context.Context, b *pipeline.Batch, e edge, is edgeState) *redis.Cmd {
	key, member, end, sort := e.far()
	counter, since := "", ""
	if e.kind == followUser {
		counter = "followers"
	}
	if is.set {
		since = is.since
	}
	cmd := b.Run(ctx, edgeFar, []string{key, endedKey(key), end}, member, since, is.since, sort, counter,
		s.micros(), forum.RemovalLife.Microseconds(), endedLife.Milliseconds())
	if e.kind == followTag { // whose name and book-keeping stay for its followers too
		tagEntry{id: forum.TagID(e.to)}.queue(ctx, b, s.Now())
	}
	return cmd
}

// finishEdge does what a change of an edge leaves to do. It may be repeated, and run
// beside other runs of itself. home is that of its user as it was after the change, nil if
// it was not read.
func (s *Store) finishEdge(ctx context.Context, e edge, is edgeState, home *homeView) error {
	switch e.kind {
	case blockUser:
		return s.finishBlock(ctx, e, is)
	case keepTopic:
		_, err := s.writeFar(ctx, e, is, func(*pipeline.Batch) {})
		return err
	}
	if !is.set {
		return s.finishEnd(ctx, e, is, home)
	}
	var source *redis.StringSliceCmd
	var view *redis.Cmd
	there, err := s.writeFar(ctx, e, is, func(b *pipeline.Batch) {
		// After the far side: what is posted from here on comes by the followers.
		source = b.ZRevRange(ctx, e.source(), 0, int64(s.sizes.home))
		if home == nil {
			view = s.queueView(ctx, b, e.from, true)
		}
	})
	if err != nil || !there {
		return err
	}
	if home == nil {
		home = readView(e.from, view)
	}
	// Also without topics: the home may hold such as the source had lately.
	return s.backfill(ctx, e, source.Val(), home)
}

// finishEnd is finishEdge of the end of following.
func (s *Store) finishEnd(ctx context.Context, e edge, is edgeState, home *homeView) error {
	l := s.lookAt(ctx, e.from, home)
	if _, err := s.writeFar(ctx, e, is, func(b *pipeline.Batch) { l.readSources(b) }); err != nil {
		return err
	}
	return s.finishLooks(ctx, s.rdb.Batch(), l)
}

// writeFar writes the far side of an edge, after telling who is followed if that is to be,
// with what else is to go with it. An edge to somebody who is gone is ended.
func (s *Store) writeFar(ctx context.Context, e edge, is edgeState, then func(*pipeline.Batch)) (there bool, err error) {
	s.step("edge_far")
	b := s.rdb.Batch()
	if is.set && is.tell {
		note{to: e.user(), reason: forum.NotifyFollow, actor: e.from, subject: forum.Subject{User: e.from}, created: forum.Time(whole(is.since) / 1000)}.queue(ctx, b, s.notes)
	}
	var state *redis.StringCmd
	if is.tell { // after the notification: nobody is to be told of an account that ended meanwhile
		state = b.HGet(ctx, userKey(e.from), "state")
	}
	far := s.queueFar(ctx, b, e, is)
	then(b)
	if err := b.Exec(ctx); err != nil {
		return false, fmt.Errorf("write edge %s: %w", e.task(), err)
	}
	if is.tell && state.Val() != userActive {
		b := s.rdb.Batch()
		s.queueSeen(ctx, b, []forum.UserID{e.user()}, forum.Subject{User: e.from})
		if err := b.Exec(ctx); err != nil {
			return false, fmt.Errorf("write edge %s: %w", e.task(), err)
		}
	}
	if there, err = far.Bool(); err == nil && !there {
		err = s.endEdge(ctx, e)
	}
	return there, err
}

// source is the list of topics of what is followed.
func (e edge) source() string {
	switch e.kind {
	case followCategory:
		return categoryContainer(forum.CategoryID(e.to)).order(orderCreated)
	case followTag:
		return tagContainer(forum.TagID(e.to)).order(orderCreated)
	}
	return profileKey(e.user())
}

// endEdge ends an edge and does what that leaves to do.
func (s *Store) endEdge(ctx context.Context, e edge) error {
	c, err := s.setEdge(ctx, e, wishEnd)
	if err != nil || !c.changed {
		return err
	}
	return s.finishChange(ctx, c)
}

// finishChange does what a change leaves to do, and ends its task.
func (s *Store) finishChange(ctx context.Context, c edgeChange) error {
	if err := s.finishEdge(ctx, c.edge, c.is, c.home); err != nil {
		return err
	}
	s.finish(c.task)
	return nil
}

// passEdge is a run of the task of an edge.
func (s *Store) passEdge(ctx context.Context, name, cursor string) error {
	e, err := parseEdge(name)
	if err != nil {
		return err
	}
	is, err := s.edgeNow(ctx, e)
	if err != nil {
		return err
	}
	is.tell = cursor == cursorTell
	return s.finishEdge(ctx, e, is, nil)
}

// changeEdge is a mutation: the change, and what it leaves to do if that can be done now.
func (s *Store) changeEdge(ctx context.Context, e edge, want bool) (changed bool, err error) {
	wish := wishEnd
	if want {
		wish = wishSet
	}
	c, err := s.setEdge(ctx, e, wish)
	if err != nil || !c.changed {
		return false, err
	}
	c.is.tell = s.edgeCursor(e, wish) == cursorTell
	// The change is done, whether the caller waits on or not; any process can finish it.
	if err := s.finishChange(context.WithoutCancel(ctx), c); err != nil {
		s.log.Warn("task is left to a worker", "task", c.task.name, "error", err)
	}
	return true, nil
}
