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
	"agora/internal/store/internal/record"
)

// edgeSet is a sorted set of one side of edges: the user's, or the reverse one.
type edgeSet struct {
	kind    record.EdgeKind // "" if each member has its kind
	from    forum.UserID
	list    forum.ListID
	reverse bool
	to      int64 // of reverse sides
}

// edgeSets are the sets of edges by the ends of their keys. Followers are those of a user.
var edgeSets = map[string]edgeSet{
	"following": {kind: record.FollowUser}, "followers": {kind: record.FollowUser, reverse: true},
	"blocked": {kind: record.BlockUser}, "blockers": {kind: record.BlockUser, reverse: true},
	"bookmarks": {kind: record.KeepTopic}, "bookmarkers": {kind: record.KeepTopic, reverse: true},
	"watching": {kind: record.WatchTopic}, "watchers": {kind: record.WatchTopic, reverse: true},
	"members": {kind: record.ListUser}, "listed": {kind: record.ListUser, reverse: true},
	"subjects": {},
}

// edgeSetOf returns the set of edges with a key, or that whose tombstones have the key. It lacks the owner of a list.
func edgeSetOf(k string) edgeSet {
	k = strings.TrimSuffix(k, ":ended")
	of, _ := catalogue.ReadKey(k)
	s := edgeSets[k[strings.LastIndexByte(k, ':')+1:]]
	switch {
	case s.reverse:
		s.to = of.ID
	case s.kind == record.ListUser:
		s.list = forum.ListID(of.ID)
	default:
		s.from = forum.UserID(of.ID)
	}
	switch {
	case strings.HasPrefix(k, "{ix:c"):
		s.kind = record.FollowCategory
	case strings.HasPrefix(k, "{ix:g"):
		s.kind = record.FollowTag
	}
	return s
}

// edgeList returns a set of edges, or the tombstones of one, as a list.
func edgeList(k string) list {
	s := edgeSetOf(k)
	return list{key: k, on: target{kind: onMember, key: k}, first: func(l *look, e entry) { l.edgeEntry(s, e) }}
}

// edge returns the edge that a member names, unless it is malformed.
func (s edgeSet) edge(member string) (e record.Edge, ok bool) {
	e = record.Edge{From: s.from, Kind: s.kind, To: s.to, List: s.list}
	var err, bad error
	switch {
	case s.kind == "": // follows of categories and tags
		e, err = record.ParseEdge(key.Itoa(s.from) + ":" + member)
		return e, err == nil && (e.Kind == record.FollowCategory || e.Kind == record.FollowTag)
	case !s.reverse:
		var to forum.UserID // topic ids have the same form
		to, err = forum.ParseID[forum.UserID](member)
		e.To = int64(to)
		return e, err == nil
	}
	from, list, _ := strings.Cut(member, ":")
	if e.From, err = forum.ParseID[forum.UserID](from); s.kind == record.ListUser {
		e.List, bad = forum.ParseID[forum.ListID](list)
	}
	return e, err == nil && bad == nil && e.Reverse().Member == member
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

// edgeEntry checks an entry of one side of edges: it examines the edge if its two sides differ, if it may not exist, or
// if the entry is a tombstone.
func (l *look) edgeEntry(s edgeSet, e entry) {
	if s.list != 0 {
		owner := l.field(key.List(s.list), "owner")
		l.wait()
		if id, err := forum.ParseID[forum.UserID](owner.Val()); err == nil && id.Partition() == s.list.Partition() {
			s.from = id
		}
	}
	edge, ok := s.edge(e.name)
	if !ok {
		l.member()
		return
	}
	if strings.HasSuffix(e.key, ":ended") {
		l.examine(onEdgeOf(edge))
		return
	}
	k, member := edge.Own()
	if !s.reverse {
		reverse := edge.Reverse()
		k, member = reverse.Key, reverse.Member
	}
	other, odd := l.score(k, member), edge.Self()
	switch {
	case s.reverse && edge.Kind == record.ListUser:
		owner := l.field(key.List(edge.List), "owner")
		l.wait()
		odd = odd || owner.Val() != key.Itoa(edge.From)
	case s.reverse:
		l.wait()
	case edge.OnTopic(): // both sides outlive a deletion for a while
		state := l.field(key.Topic(edge.Topic()), "state")
		l.wait()
		odd = odd || !endures(state.Val())
	case edge.Kind == record.FollowUser:
		blocks := l.blocks(edge)
		l.wait()
		odd = odd || count(blocks) > 0
	case edge.Kind == record.FollowCategory:
		there := l.exists(key.Category(forum.CategoryID(edge.To)))
		l.wait()
		odd = odd || there.Val() == 0
	default:
		l.wait()
	}
	if odd || !is(other) || other.Val() != e.score {
		l.examine(onEdgeOf(edge))
	}
}

// blocks queues the blocks between the users of a follow.
func (r *reading) blocks(e record.Edge) []*redis.FloatCmd {
	return []*redis.FloatCmd{r.score(key.Blocked(e.From), key.Itoa(e.User())),
		r.score(key.Blocked(e.User()), key.Itoa(e.From))}
}

// inFuture reports whether a time in microseconds is later than any clock may show.
func (c *checker) inFuture(at float64) bool {
	return at > float64(c.repairer.NowMicros()+expirySlack.Microseconds())
}

// member checks a malformed member of a set of edges.
func (l *look) member() {
	k, name := l.on.key, l.on.text
	at := l.score(k, name)
	l.wait()
	if is(at) {
		l.add(RuleEdgeMember, k, drop(k, name), "%q is not a valid member", name)
	}
}

// edgeView is an edge as read from both sides.
type edgeView struct {
	e                   record.Edge
	set                 bool // it exists on its user's side
	own, reverse, ended *redis.FloatCmd
	changed             string // when edges of its kind last changed
	// there reports that the target exists; going that it is about to be deleted or created again.
	there, going bool
}

// edge compares both sides of an edge. The user's side is read together with the tasks that will write the reverse side,
// the reverse side after them.
func (l *look) edge() {
	v := &edgeView{e: edgeOf(l.on)}
	k, member := v.e.Own()
	v.own = l.score(k, member)
	hash, owner := l.hmget(key.User(v.e.From), []string{"state", "etime", "ltime"}), l.field(key.List(v.e.List), "owner")
	waits := l.edgeTasks(v.e)
	var blocks []*redis.FloatCmd
	var unblocks []*redis.IntCmd
	if v.e.Kind == record.FollowUser {
		blocks = l.blocks(v.e)
		block, back := record.Edge{From: v.e.From, Kind: record.BlockUser, To: v.e.To},
			record.Edge{From: v.e.User(), Kind: record.BlockUser, To: int64(v.e.From)}
		unblocks = []*redis.IntCmd{l.exists(key.Task(block.From.Partition(), block.Task())),
			l.exists(key.Task(back.From.Partition(), back.Task()))}
	}
	l.wait()
	f := hash()
	v.set, v.changed = is(v.own), f["etime"]
	if v.e.Kind == record.ListUser {
		v.set, v.changed = v.set && owner.Val() == key.Itoa(v.e.From), f["ltime"]
	}
	l.readFar(v)
	since, end := record.FormatMicros(v.own.Val()), call(l.repairer.EndEdge, v.e)
	switch blocked := count(blocks) > 0; {
	case slices.ContainsFunc(waits, exists), v.set && !v.e.Self() && !v.there && v.going,
		v.set && v.there && blocked && slices.ContainsFunc(unblocks, exists):
		l.postpone()
	case f["state"] != catalogue.UserActive && v.set: // the user has a finding
	case v.set && v.e.Self():
		l.add(RuleEdgeSelf, k, end, "leads to the user, since %s", since)
	case v.set && !v.there:
		l.add(RuleEdgeTarget, k, end, "%q, since %s, does not exist", member, since)
	case v.set && blocked:
		l.add(RuleEdgeBlocked, k, end, "follows %q, since %s, despite a block", member, since)
	default:
		l.reverse(v)
	}
}

// exists reports whether a key that was to be counted does.
func exists(cmd *redis.IntCmd) bool { return cmd.Val() > 0 }

// edgeTasks queues the tasks that will write the reverse side of an edge.
func (r *reading) edgeTasks(e record.Edge) []*redis.IntCmd {
	p, task := e.From.Partition(), e.Task()
	if e.Kind == record.ListUser {
		task = record.ListTask(e.From, e.List)
	}
	waits := []*redis.IntCmd{r.exists(key.Task(p, task)), r.exists(key.Task(p, record.AccountCleanupTask(e.From)))}
	switch e.Kind {
	case record.FollowCategory, record.FollowTag:
		return waits
	case record.KeepTopic, record.WatchTopic:
		return append(waits, r.exists(key.Task(e.Topic().Partition(), record.RetractTask(e.Topic()))))
	}
	return append(waits, r.exists(key.Task(e.User().Partition(), record.AccountCleanupTask(e.User()))))
}

// readFar reads the reverse side, and the object that the edge leads to.
func (l *look) readFar(v *edgeView) {
	reverse := v.e.Reverse()
	v.reverse, v.ended = l.score(reverse.Key, reverse.Member), l.score(key.Ended(reverse.Key), reverse.Member)
	switch reverse.Sort {
	case "category":
		closed, there := l.exists(reverse.Target), l.exists(key.Category(forum.CategoryID(v.e.To)))
		l.wait()
		v.there, v.going = closed.Val() == 0 && there.Val() == 1, there.Val() == 1
	case "tag":
		name, topics := l.exists(reverse.Target), l.size(key.TagContainer(forum.TagID(v.e.To)).Order(key.OrderCreated))
		l.wait()
		v.there, v.going = name.Val() == 1, topics.Val() > 0 // its topics will name it again
	default:
		state := l.field(reverse.Target, "state")
		l.wait()
		if v.there = state.Val() == catalogue.UserActive; reverse.Sort == "topic" {
			v.there = endures(state.Val())
		}
	}
}

// endures reports whether edges can lead to a topic in a state: until it is deleted, whether it is listed or not.
func endures(state string) bool { return state != "" && state != string(forum.TopicDeleted) }

// reverse compares the reverse side with the user's.
func (l *look) reverse(v *edgeView) {
	to := v.e.Reverse()
	k, member, value := to.Key, to.Member, "nothing"
	if is(v.reverse) {
		value = record.FormatMicros(v.reverse.Val())
	}
	guarded := func(x fix) fix {
		if v.set || v.changed != "" { // a reverse side is only written with that time
			x.first = func(ctx context.Context) error { return l.repairer.WriteReverse(ctx, v.e) }
		}
		return x
	}
	switch since := record.FormatMicros(v.own.Val()); {
	case v.set && (!is(v.reverse) || v.reverse.Val() != v.own.Val()):
		write := guarded(all(command("zadd", k, since, member), drop(key.Ended(k), member)))
		l.add(RuleEdgeMissing, k, write, "%q is at %s; want %s", member, value, since)
	case !v.set && is(v.reverse):
		l.add(RuleEdgeStray, k, guarded(drop(k, member).given(key.Ended(k))),
			"%q is at %s; the user's edges last changed at %q", member, value, v.changed)
	case is(v.ended) && (is(v.reverse) && v.ended.Val() >= v.reverse.Val() || l.inFuture(v.ended.Val())):
		l.add(RuleEdgeEnded, key.Ended(k), drop(key.Ended(k), member).given(k), "%q was removed at %s but is at %s", member,
			record.FormatMicros(v.ended.Val()), value)
	}
}
