package store

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

// edgeRow is an entry of one side of an edge.
type edgeRow struct {
	edge   edge
	ok     bool // the member names one
	key    string
	member string
	score  float64
	far    bool
	odd    bool // it is to be looked at closer
}

// nearRows are the edges of entries of a user's own sets.
func nearRows(from forum.UserID, set socialSet, zs []redis.Z) []edgeRow {
	rows := make([]edgeRow, len(zs))
	for i, z := range zs {
		row := edgeRow{key: set.key(from), member: z.Member.(string), score: z.Score}
		row.edge, row.ok = nearEdge(from, set.kind, row.member)
		rows[i] = row
	}
	return rows
}

// nearEdge is the edge that a member of a user's own set names.
func nearEdge(from forum.UserID, kind edgeKind, member string) (edge, bool) {
	if kind == "" { // of categories and tags
		e, err := parseEdge(itoa(from) + ":" + member)
		return e, err == nil && (e.kind == followCategory || e.kind == followTag)
	}
	to, err := forum.ParseID[forum.UserID](member) // a topic's id is of the same form
	return edge{from: from, kind: kind, to: int64(to)}, err == nil
}

// farRows are the edges of entries of a far side.
func farRows(key string, zs []redis.Z) []edgeRow {
	rows := make([]edgeRow, len(zs))
	for i, z := range zs {
		row := edgeRow{key: key, member: z.Member.(string), score: z.Score, far: true}
		row.edge, row.ok = farEdge(key, row.member)
		rows[i] = row
	}
	return rows
}

// farEdge is the edge that a member of a far side names.
func farEdge(key, member string) (edge, bool) {
	k, _ := readKey(key)
	from, list, _ := strings.Cut(member, ":")
	e := edge{to: k.id, kind: followUser}
	var err, bad error
	if e.from, err = forum.ParseID[forum.UserID](from); err != nil {
		return edge{}, false
	}
	switch set := key[strings.LastIndexByte(key, ':')+1:]; {
	case strings.HasPrefix(key, "{ix:c"):
		e.kind = followCategory
	case strings.HasPrefix(key, "{ix:g"):
		e.kind = followTag
	case set == "bookmarkers":
		e.kind = keepTopic
	case set == "blockers":
		e.kind = blockUser
	case set == "listed":
		e.kind = listUser
		e.list, bad = forum.ParseID[forum.ListID](list)
	}
	_, same, _, _ := e.far()
	return e, bad == nil && same == member
}

func (e edge) on() subject {
	return subject{kind: onEdge, id: int64(e.from), key: itoa(e.list), text: string(e.kind) + strconv.FormatInt(e.to, 10)}
}

// edgeOf is the edge that a subject is.
func edgeOf(on subject) edge {
	list, _ := strconv.ParseInt(on.key, 10, 64)
	to, _ := strconv.ParseInt(on.text[1:], 10, 64)
	return edge{from: forum.UserID(on.id), kind: edgeKind(on.text[:1]), to: to, list: forum.ListID(list)}
}

// siftEdges looks closer at those edges that do not stand on the other side as they do here.
func (c *checker) siftEdges(ctx context.Context, rows []edgeRow) error {
	r := c.read(ctx)
	others := make([]*redis.FloatCmd, len(rows))
	owners := make([]*redis.StringCmd, len(rows))
	topics := make([]*redis.StringCmd, len(rows)) // that are kept: both sides outlive a deletion for a while
	for i, row := range rows {
		if !row.ok {
			continue
		}
		key, member, _, _ := row.edge.far()
		if row.far {
			key, member = row.edge.near()
			if row.edge.kind == listUser {
				owners[i] = r.next().HGet(ctx, listKey(row.edge.list), "owner")
			}
		}
		if row.edge.kind == keepTopic && !row.far {
			topics[i] = r.next().HGet(ctx, topicKey(row.edge.topic()), "state")
		}
		others[i] = r.next().ZScore(ctx, key, member)
	}
	if err := r.done(); err != nil {
		return err
	}
	var odd, strange []subject
	for i, row := range rows {
		switch {
		case !row.ok:
			strange = append(strange, subject{kind: onMember, key: row.key, text: row.member})
		case topics[i] != nil && topics[i].Val() != string(forum.TopicOpen), row.odd, others[i].Err() != nil, others[i].Val() != row.score, row.edge.self(),
			owners[i] != nil && owners[i].Val() != itoa(row.edge.from):
			odd = append(odd, row.edge.on())
		}
	}
	if err := c.inspectMembers(ctx, strange); err != nil {
		return err
	}
	return groups(odd, func(on []subject) error { return c.inspectEdges(ctx, on) })
}

// self tells whether the edge leads to its own user, which only lists may.
func (e edge) self() bool {
	return (e.kind == followUser || e.kind == blockUser) && e.user() == e.from
}

// siftEnded looks closer at those who have left a far side and are there, or left in time to come.
func (c *checker) siftEnded(ctx context.Context, ended string, zs []redis.Z) error {
	r := c.read(ctx)
	rows := farRows(strings.TrimSuffix(ended, ":ended"), zs)
	has := make([]*redis.FloatCmd, len(rows))
	for i, row := range rows {
		has[i] = r.next().ZScore(ctx, row.key, row.member)
	}
	if err := r.done(); err != nil {
		return err
	}
	var odd, strange []subject
	for i, row := range rows {
		switch {
		case !row.ok:
			strange = append(strange, subject{kind: onMember, key: ended, text: row.member})
		case has[i].Err() == nil && has[i].Val() <= row.score, c.toCome(row.score):
			odd = append(odd, row.edge.on())
		}
	}
	if err := c.inspectMembers(ctx, strange); err != nil {
		return err
	}
	return groups(odd, func(on []subject) error { return c.inspectEdges(ctx, on) })
}

// toCome tells whether a time in microseconds is later than any clock may show.
func (c *checker) toCome(at float64) bool {
	return at > float64(c.s.micros()+expirySlack.Microseconds())
}

// inspectMembers looks at entries of edges that name none.
func (c *checker) inspectMembers(ctx context.Context, on []subject) error {
	r := c.read(ctx)
	there := make([]*redis.FloatCmd, len(on))
	for i, s := range on {
		there[i] = r.next().ZScore(ctx, s.key, s.text)
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, s := range on {
		if there[i].Err() == nil {
			out := fix{watch: []string{s.key}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, s.key, s.text) }}
			c.add(s, RuleEdgeMember, s.key, out, "%q names nothing that can stand there", s.text)
		}
	}
	return nil
}

// edgeView is an edge as both sides say.
type edgeView struct {
	e                edge
	near, far, ended *redis.FloatCmd
	f                fields // of its user
	owner            string // of the list
	blocks           []*redis.FloatCmd
	waits            []*redis.IntCmd // tasks that will write the far side
	unblocks         []*redis.IntCmd // that will end it because of a block
	// there tells that the far end is; going that it is about to go, or will be back.
	there, going bool
}

// set tells whether the edge stands on its user's side.
func (v *edgeView) set() bool {
	return v.near.Err() == nil && (v.e.kind != listUser || v.owner == itoa(v.e.from))
}

// time is when edges of its kind changed last.
func (v *edgeView) time() string {
	if v.e.kind == listUser {
		return v.f["ltime"]
	}
	return v.f["etime"]
}

// inspectEdges compares both sides of edges. The user's side is read with the task that
// will write the other, and then that.
func (c *checker) inspectEdges(ctx context.Context, on []subject) error {
	r := c.read(ctx)
	views := make([]*edgeView, len(on))
	after := make([]func(), len(on))
	for i, s := range on {
		v := &edgeView{e: edgeOf(s)}
		views[i], after[i] = v, v.queue(r)
	}
	if err := r.done(); err != nil {
		return err
	}
	last := make([]func(), len(on))
	for i, v := range views {
		after[i]()
		last[i] = v.queueFar(r)
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, v := range views {
		last[i]()
		c.judgeEdge(v)
	}
	return nil
}

func (v *edgeView) queue(r *reading) func() {
	ctx, p := r.ctx, v.e.from.Partition()
	exists := func(p forum.Partition, task string) *redis.IntCmd { return r.next().Exists(ctx, taskKey(p, task)) }
	wait := func(at forum.UserID, task string) *redis.IntCmd { return exists(at.Partition(), task) }
	key, member := v.e.near()
	near := r.next().ZScore(ctx, key, member)
	task, owner := v.e.task(), redis.NewStringResult("", nil)
	if v.e.kind == listUser {
		task, owner = listTask(v.e.from, v.e.list), r.next().HGet(ctx, listKey(v.e.list), "owner")
	}
	v.waits = []*redis.IntCmd{exists(p, task), wait(v.e.from, departTask(v.e.from))}
	switch v.e.kind {
	case followCategory, followTag:
	case keepTopic:
		v.waits = append(v.waits, exists(v.e.topic().Partition(), retractTask(v.e.topic())))
	default:
		v.waits = append(v.waits, wait(v.e.user(), departTask(v.e.user())))
	}
	hash := r.hmget(userKey(v.e.from), []string{"state", "etime", "ltime"})
	if v.e.kind == followUser {
		to := v.e.user()
		v.blocks = []*redis.FloatCmd{r.next().ZScore(ctx, blockedKey(v.e.from), itoa(to)), r.next().ZScore(ctx, blockedKey(to), itoa(v.e.from))}
		v.unblocks = []*redis.IntCmd{
			wait(v.e.from, edge{from: v.e.from, kind: blockUser, to: v.e.to}.task()), wait(to, edge{from: to, kind: blockUser, to: int64(v.e.from)}.task()),
		}
	}
	return func() { v.near, v.f, v.owner = near, hash(), owner.Val() }
}

// queueFar queues the far side, and whether there is anything that it leads to.
func (v *edgeView) queueFar(r *reading) func() {
	key, member, end, sort := v.e.far()
	v.far, v.ended = r.next().ZScore(r.ctx, key, member), r.next().ZScore(r.ctx, endedKey(key), member)
	switch sort {
	case "category":
		closed, exists := r.next().Exists(r.ctx, end), r.next().Exists(r.ctx, categoryKey(forum.CategoryID(v.e.to)))
		return func() { v.there, v.going = closed.Val() == 0 && exists.Val() == 1, exists.Val() == 1 }
	case "tag":
		name, topics := r.next().Exists(r.ctx, end), r.next().ZCard(r.ctx, tagContainer(forum.TagID(v.e.to)).order(orderCreated))
		return func() { v.there, v.going = name.Val() == 1, topics.Val() > 0 } // these will name it again
	}
	state, there := r.next().HGet(r.ctx, end, "state"), userActive
	if sort == "topic" {
		there = string(forum.TopicOpen)
	}
	return func() { v.there = state.Val() == there }
}

func (c *checker) judgeEdge(v *edgeView) {
	isThere := func(cmd *redis.IntCmd) bool { return cmd.Val() > 0 }
	if slices.ContainsFunc(v.waits, isThere) {
		c.busy[v.e.on()] = true
		return
	}
	key, member := v.e.near()
	end := fix{run: func(ctx context.Context) error { return c.endEdge(ctx, v.e) }}
	switch {
	case v.f["state"] != userActive && v.set(): // the user's finding
	case v.set() && v.e.self():
		c.add(v.e.on(), RuleEdgeSelf, key, end, "leads to the user, since %s", micros(v.near.Val()))
	case v.set() && !v.there && v.going:
		c.busy[v.e.on()] = true
	case v.set() && !v.there:
		c.add(v.e.on(), RuleEdgeTarget, key, end, "%q, since %s, is not there", member, micros(v.near.Val()))
	case v.set() && slices.ContainsFunc(v.blocks, func(cmd *redis.FloatCmd) bool { return cmd.Err() == nil }):
		if slices.ContainsFunc(v.unblocks, isThere) {
			c.busy[v.e.on()] = true
			return
		}
		c.add(v.e.on(), RuleEdgeBlocked, key, end, "follows %q, since %s, with whom there is a block", member, micros(v.near.Val()))
	default:
		c.judgeFar(v)
	}
}

// judgeFar compares the far side with the user's.
func (c *checker) judgeFar(v *edgeView) {
	key, member, _, _ := v.e.far()
	says := "nothing"
	if v.far.Err() == nil {
		says = micros(v.far.Val())
	}
	mend := fix{watch: []string{key, endedKey(key)}, first: func(ctx context.Context) error { return c.writeFar(ctx, v.e) }}
	if !v.set() && v.time() == "" {
		mend.first = nil // a far side is written by that time
	}
	switch {
	case v.set() && (v.far.Err() != nil || v.far.Val() != v.near.Val()):
		mend.do = func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.Do(ctx, "zadd", key, micros(v.near.Val()), member)
			pipe.ZRem(ctx, endedKey(key), member)
		}
		c.add(v.e.on(), RuleEdgeMissing, key, mend, "%q stands at %s; want %s", member, says, micros(v.near.Val()))
	case !v.set() && v.far.Err() == nil:
		mend.do = func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, key, member) }
		c.add(v.e.on(), RuleEdgeStray, key, mend, "%q stands at %s; their edges changed last at %q", member, says, v.time())
	case v.ended.Err() == nil && (v.far.Err() == nil && v.ended.Val() >= v.far.Val() || c.toCome(v.ended.Val())):
		forget := fix{watch: mend.watch, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, endedKey(key), member) }}
		c.add(v.e.on(), RuleEdgeEnded, endedKey(key), forget, "%q left at %s and stands at %s", member, micros(v.ended.Val()), says)
	}
}

// writeFar writes the far side by the user's, as the edge's task would.
func (c *checker) writeFar(ctx context.Context, e edge) error {
	if e.kind == listUser {
		return c.s.tellListed(ctx, e.from, e.list, []forum.UserID{e.user()})
	}
	return unlessRestless(c.s.passEdge(ctx, strings.TrimPrefix(e.task(), "e:"), ""))
}

// endEdge ends an edge, on both sides.
func (c *checker) endEdge(ctx context.Context, e edge) error {
	if e.kind != listUser {
		return unlessRestless(c.s.endEdge(ctx, e))
	}
	users, t, err := c.s.changeMembers(ctx, e.from, e.list, nil, []forum.UserID{e.user()})
	if forum.CodeOf(err) == forum.CodeNotFound { // the list's finding
		return nil
	}
	if err == nil && t.token != "0" {
		c.s.tellListedNow(ctx, e.from, e.list, users, t)
	}
	return err
}

// unlessRestless passes over a home that changes all the time: the next round decides.
func unlessRestless(err error) error {
	if errors.Is(err, errRestless) {
		return nil
	}
	return err
}
