package fsck

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/kind"
	"agora/internal/store/internal/record"
)

// edgeRow is an entry of one side of an edge.
type edgeRow struct {
	edge   record.Edge
	ok     bool // the member is valid
	key    string
	member string
	score  float64
	far    bool
	odd    bool // needs closer inspection
}

// nearRows returns the edges of entries of a user's own sets.
func nearRows(from forum.UserID, set socialSet, zs []redis.Z) []edgeRow {
	rows := make([]edgeRow, len(zs))
	for i, z := range zs {
		row := edgeRow{key: set.key(from), member: z.Member.(string), score: z.Score}
		row.edge, row.ok = nearEdge(from, set.kind, row.member)
		rows[i] = row
	}
	return rows
}

// nearEdge returns the edge that a member of a user's own set names.
func nearEdge(from forum.UserID, kind record.EdgeKind, member string) (record.Edge, bool) {
	if kind == "" { // follows of categories and tags
		e, err := record.ParseEdge(key.Itoa(from) + ":" + member)
		return e, err == nil && (e.Kind == record.FollowCategory || e.Kind == record.FollowTag)
	}
	to, err := forum.ParseID[forum.UserID](member) // topic ids have the same form
	return record.Edge{From: from, Kind: kind, To: int64(to)}, err == nil
}

// farRows returns the edges of entries of a far side.
func farRows(key string, zs []redis.Z) []edgeRow {
	rows := make([]edgeRow, len(zs))
	for i, z := range zs {
		row := edgeRow{key: key, member: z.Member.(string), score: z.Score, far: true}
		row.edge, row.ok = farEdge(key, row.member)
		rows[i] = row
	}
	return rows
}

// farEdge returns the edge that a member of a far side names.
func farEdge(key, member string) (record.Edge, bool) {
	k, _ := kind.Read(key)
	from, list, _ := strings.Cut(member, ":")
	e := record.Edge{To: k.ID, Kind: record.FollowUser}
	var err, bad error
	if e.From, err = forum.ParseID[forum.UserID](from); err != nil {
		return record.Edge{}, false
	}
	switch set := key[strings.LastIndexByte(key, ':')+1:]; {
	case strings.HasPrefix(key, "{ix:c"):
		e.Kind = record.FollowCategory
	case strings.HasPrefix(key, "{ix:g"):
		e.Kind = record.FollowTag
	case set == "bookmarkers":
		e.Kind = record.KeepTopic
	case set == "watchers":
		e.Kind = record.WatchTopic
	case set == "blockers":
		e.Kind = record.BlockUser
	case set == "listed":
		e.Kind = record.ListUser
		e.List, bad = forum.ParseID[forum.ListID](list)
	}
	return e, bad == nil && e.Far().Member == member
}

func onEdgeOf(e record.Edge) target {
	return target{kind: onEdge, id: int64(e.From), key: key.Itoa(e.List),
		text: string(e.Kind) + strconv.FormatInt(e.To, 10)}
}

// edgeOf returns the edge of a target.
func edgeOf(on target) record.Edge {
	list, _ := strconv.ParseInt(on.key, 10, 64)
	to, _ := strconv.ParseInt(on.text[1:], 10, 64)
	return record.Edge{From: forum.UserID(on.id), Kind: record.EdgeKind(on.text[:1]), To: to, List: forum.ListID(list)}
}

// siftEdges selects for closer inspection edges whose two sides differ.
func (c *checker) siftEdges(ctx context.Context, rows []edgeRow) error {
	r := c.read(ctx)
	others := make([]*redis.FloatCmd, len(rows))
	owners := make([]*redis.StringCmd, len(rows))
	topics := make([]*redis.StringCmd, len(rows)) // of bookmarks and the like: both sides outlive a deletion for a while
	for i, row := range rows {
		if !row.ok {
			continue
		}
		far := row.edge.Far()
		k, member := far.Key, far.Member
		if row.far {
			k, member = row.edge.Near()
			if row.edge.Kind == record.ListUser {
				owners[i] = r.next().HGet(ctx, key.List(row.edge.List), "owner")
			}
		}
		if row.edge.OnTopic() && !row.far {
			topics[i] = r.next().HGet(ctx, key.Topic(row.edge.Topic()), "state")
		}
		others[i] = r.next().ZScore(ctx, k, member)
	}
	if err := r.done(); err != nil {
		return err
	}
	var odd, unexpected []target
	for i, row := range rows {
		switch {
		case !row.ok:
			unexpected = append(unexpected, target{kind: onMember, key: row.key, text: row.member})
		case topics[i] != nil && !endures(topics[i].Val()), row.odd, others[i].Err() != nil,
			others[i].Val() != row.score, row.edge.Self(),
			owners[i] != nil && owners[i].Val() != key.Itoa(row.edge.From):
			odd = append(odd, onEdgeOf(row.edge))
		}
	}
	if err := c.inspectMembers(ctx, unexpected); err != nil {
		return err
	}
	return groups(odd, func(on []target) error { return c.inspectEdges(ctx, on) })
}

// siftEnded selects for closer inspection tombstones of edges that still exist, or that are in the
// future.
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
	var odd, unexpected []target
	for i, row := range rows {
		switch {
		case !row.ok:
			unexpected = append(unexpected, target{kind: onMember, key: ended, text: row.member})
		case has[i].Err() == nil && has[i].Val() <= row.score, c.inFuture(row.score):
			odd = append(odd, onEdgeOf(row.edge))
		}
	}
	if err := c.inspectMembers(ctx, unexpected); err != nil {
		return err
	}
	return groups(odd, func(on []target) error { return c.inspectEdges(ctx, on) })
}

// inFuture reports whether a time in microseconds is later than any clock may show.
func (c *checker) inFuture(at float64) bool {
	return at > float64(c.repairer.NowMicros()+expirySlack.Microseconds())
}

// inspectMembers checks malformed members of sets of edges.
func (c *checker) inspectMembers(ctx context.Context, on []target) error {
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
			out := fix{watch: []string{s.key},
				do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, s.key, s.text) }}
			c.add(s, RuleEdgeMember, s.key, out, "%q is not a valid member", s.text)
		}
	}
	return nil
}

// edgeView is an edge as read from both sides.
type edgeView struct {
	e                record.Edge
	near, far, ended *redis.FloatCmd
	f                record.Fields // of its user
	owner            string        // of the list
	blocks           []*redis.FloatCmd
	waits            []*redis.IntCmd // tasks that will write the far side
	unblocks         []*redis.IntCmd // tasks that will end it because of a block
	// there reports that the far end exists; going that it is about to be deleted or created again.
	there, going bool
}

// set reports whether the edge exists on its user's side.
func (v *edgeView) set() bool {
	return v.near.Err() == nil && (v.e.Kind != record.ListUser || v.owner == key.Itoa(v.e.From))
}

// time returns when edges of its kind last changed.
func (v *edgeView) time() string {
	if v.e.Kind == record.ListUser {
		return v.f["ltime"]
	}
	return v.f["etime"]
}

// inspectEdges compares both sides of edges. The user's side is read together with the task that
// will write the far side, the far side after it.
func (c *checker) inspectEdges(ctx context.Context, on []target) error {
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
		c.checkEdge(v)
	}
	return nil
}

func (v *edgeView) queue(r *reading) func() {
	ctx, p := r.ctx, v.e.From.Partition()
	exists := func(p forum.Partition, task string) *redis.IntCmd { return r.next().Exists(ctx, key.Task(p, task)) }
	wait := func(at forum.UserID, task string) *redis.IntCmd { return exists(at.Partition(), task) }
	k, member := v.e.Near()
	near := r.next().ZScore(ctx, k, member)
	task, owner := v.e.Task(), redis.NewStringResult("", nil)
	if v.e.Kind == record.ListUser {
		task, owner = record.ListTask(v.e.From, v.e.List), r.next().HGet(ctx, key.List(v.e.List), "owner")
	}
	v.waits = []*redis.IntCmd{exists(p, task), wait(v.e.From, record.AccountCleanupTask(v.e.From))}
	switch v.e.Kind {
	case record.FollowCategory, record.FollowTag:
	case record.KeepTopic, record.WatchTopic:
		v.waits = append(v.waits, exists(v.e.Topic().Partition(), record.RetractTask(v.e.Topic())))
	default:
		v.waits = append(v.waits, wait(v.e.User(), record.AccountCleanupTask(v.e.User())))
	}
	hash := r.hmget(key.User(v.e.From), []string{"state", "etime", "ltime"})
	if v.e.Kind == record.FollowUser {
		to := v.e.User()
		v.blocks = []*redis.FloatCmd{r.next().ZScore(ctx, key.Blocked(v.e.From), key.Itoa(to)),
			r.next().ZScore(ctx, key.Blocked(to), key.Itoa(v.e.From))}
		v.unblocks = []*redis.IntCmd{
			wait(v.e.From, record.Edge{From: v.e.From, Kind: record.BlockUser, To: v.e.To}.Task()),
			wait(to, record.Edge{From: to, Kind: record.BlockUser, To: int64(v.e.From)}.Task()),
		}
	}
	return func() { v.near, v.f, v.owner = near, hash(), owner.Val() }
}

// queueFar queues reads of the far side, and of the object that the edge leads to.
func (v *edgeView) queueFar(r *reading) func() {
	far := v.e.Far()
	v.far = r.next().ZScore(r.ctx, far.Key, far.Member)
	v.ended = r.next().ZScore(r.ctx, key.Ended(far.Key), far.Member)
	switch far.Sort {
	case "category":
		closed, exists := r.next().Exists(r.ctx, far.Target), r.next().Exists(r.ctx, key.Category(forum.CategoryID(v.e.To)))
		return func() { v.there, v.going = closed.Val() == 0 && exists.Val() == 1, exists.Val() == 1 }
	case "tag":
		name, topics := r.next().Exists(r.ctx, far.Target),
			r.next().ZCard(r.ctx, key.TagContainer(forum.TagID(v.e.To)).Order(key.OrderCreated))
		return func() { v.there, v.going = name.Val() == 1, topics.Val() > 0 } // its topics will name it again
	}
	state := r.next().HGet(r.ctx, far.Target, "state")
	if far.Sort == "topic" {
		return func() { v.there = endures(state.Val()) }
	}
	return func() { v.there = state.Val() == catalogue.UserActive }
}

// endures reports whether edges can lead to a topic in a state: until it is deleted, whether it is listed or not.
func endures(state string) bool { return state != "" && state != string(forum.TopicDeleted) }

func (c *checker) checkEdge(v *edgeView) {
	isThere := func(cmd *redis.IntCmd) bool { return cmd.Val() > 0 }
	if slices.ContainsFunc(v.waits, isThere) {
		c.busy[onEdgeOf(v.e)] = true
		return
	}
	key, member := v.e.Near()
	end := fix{run: func(ctx context.Context) error { return c.repairer.EndEdge(ctx, v.e) }}
	switch {
	case v.f["state"] != catalogue.UserActive && v.set(): // the user has a finding
	case v.set() && v.e.Self():
		c.add(onEdgeOf(v.e), RuleEdgeSelf, key, end, "leads to the user, since %s", record.FormatMicros(v.near.Val()))
	case v.set() && !v.there && v.going:
		c.busy[onEdgeOf(v.e)] = true
	case v.set() && !v.there:
		c.add(onEdgeOf(v.e), RuleEdgeTarget, key, end, "%q, since %s, does not exist", member,
			record.FormatMicros(v.near.Val()))
	case v.set() && slices.ContainsFunc(v.blocks, func(cmd *redis.FloatCmd) bool { return cmd.Err() == nil }):
		if slices.ContainsFunc(v.unblocks, isThere) {
			c.busy[onEdgeOf(v.e)] = true
			return
		}
		c.add(onEdgeOf(v.e), RuleEdgeBlocked, key, end, "follows %q, since %s, despite a block", member,
			record.FormatMicros(v.near.Val()))
	default:
		c.checkFar(v)
	}
}

// checkFar compares the far side with the user's.
func (c *checker) checkFar(v *edgeView) {
	far := v.e.Far()
	k, member := far.Key, far.Member
	value := "nothing"
	if v.far.Err() == nil {
		value = record.FormatMicros(v.far.Val())
	}
	repair := fix{watch: []string{k, key.Ended(k)},
		first: func(ctx context.Context) error { return c.repairer.WriteFar(ctx, v.e) }}
	if !v.set() && v.time() == "" {
		repair.first = nil // a far side is only written with that time
	}
	switch {
	case v.set() && (v.far.Err() != nil || v.far.Val() != v.near.Val()):
		repair.do = func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.Do(ctx, "zadd", k, record.FormatMicros(v.near.Val()), member)
			pipe.ZRem(ctx, key.Ended(k), member)
		}
		c.add(onEdgeOf(v.e), RuleEdgeMissing, k, repair, "%q is at %s; want %s", member, value,
			record.FormatMicros(v.near.Val()))
	case !v.set() && v.far.Err() == nil:
		repair.do = func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, k, member) }
		c.add(onEdgeOf(v.e), RuleEdgeStray, k, repair, "%q is at %s; the user's edges last changed at %q", member, value,
			v.time())
	case v.ended.Err() == nil && (v.far.Err() == nil && v.ended.Val() >= v.far.Val() || c.inFuture(v.ended.Val())):
		forget := fix{watch: repair.watch,
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, key.Ended(k), member) }}
		c.add(onEdgeOf(v.e), RuleEdgeEnded, key.Ended(k), forget, "%q was removed at %s but is at %s", member,
			record.FormatMicros(v.ended.Val()), value)
	}
}
