package fsck

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
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
func edgeList(k string) check.List {
	return check.List{Key: k, On: check.Target{Kind: onMember, Key: k}}
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

func onEdgeOf(e record.Edge) check.Target {
	return check.Target{Kind: onEdge, ID: int64(e.From), Key: key.Itoa(e.List),
		Text: string(e.Kind) + strconv.FormatInt(e.To, 10)}
}

// edgeOf returns the edge of a target.
func edgeOf(on check.Target) record.Edge {
	list, _ := strconv.ParseInt(on.Key, 10, 64)
	to, _ := strconv.ParseInt(on.Text[1:], 10, 64)
	return record.Edge{From: forum.UserID(on.ID), Kind: record.EdgeKind(on.Text[:1]), To: to, List: forum.ListID(list)}
}

// edgeEntry checks an entry of one side of edges: it examines the edge if its two sides differ, if it may not exist, or
// if the entry is a tombstone.
func (c *checker) edgeEntry(l *check.Look, e check.Entry) {
	s := edgeSetOf(e.Key)
	if s.list != 0 {
		owner := l.Field(key.List(s.list), "owner")
		l.Wait()
		if id, err := forum.ParseID[forum.UserID](owner.Val()); err == nil && id.Partition() == s.list.Partition() {
			s.from = id
		}
	}
	edge, ok := s.edge(e.Name)
	if !ok {
		c.member(l)
		return
	}
	if strings.HasSuffix(e.Key, ":ended") {
		l.Examine(onEdgeOf(edge))
		return
	}
	k, member := edge.Own()
	if !s.reverse {
		reverse := edge.Reverse()
		k, member = reverse.Key, reverse.Member
	}
	other, odd := l.Score(k, member), edge.Self()
	switch {
	case s.reverse && edge.Kind == record.ListUser:
		owner := l.Field(key.List(edge.List), "owner")
		l.Wait()
		odd = odd || owner.Val() != key.Itoa(edge.From)
	case s.reverse:
		l.Wait()
	case edge.OnTopic(): // both sides outlive a deletion for a while
		state := l.Field(key.Topic(edge.Topic()), "state")
		l.Wait()
		odd = odd || !endures(state.Val())
	case edge.Kind == record.FollowUser:
		blocks := c.blocks(l.Reading, edge)
		l.Wait()
		odd = odd || check.Count(blocks) > 0
	case edge.Kind == record.FollowCategory:
		there := l.Exists(key.Category(forum.CategoryID(edge.To)))
		l.Wait()
		odd = odd || there.Val() == 0
	default:
		l.Wait()
	}
	if odd || !check.Is(other) || other.Val() != e.Score {
		l.Examine(onEdgeOf(edge))
	}
}

// blocks queues the blocks between the users of a follow.
func (c *checker) blocks(r *check.Reading, e record.Edge) []*redis.FloatCmd {
	return []*redis.FloatCmd{r.Score(key.Blocked(e.From), key.Itoa(e.User())),
		r.Score(key.Blocked(e.User()), key.Itoa(e.From))}
}

// inFuture reports whether a time in microseconds is later than any clock may show.
func (c *checker) inFuture(at float64) bool {
	return at > float64(c.Engine.NowMicros()+check.ExpirySlack.Microseconds())
}

// member checks a malformed member of a set of edges.
func (c *checker) member(l *check.Look) {
	k, name := l.On.Key, l.On.Text
	at := l.Score(k, name)
	l.Wait()
	if check.Is(at) {
		l.Add(RuleEdgeMember, k, check.Drop(k, name), "%q is not a valid member", name)
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
func (c *checker) edge(l *check.Look) {
	v := &edgeView{e: edgeOf(l.On)}
	k, member := v.e.Own()
	v.own = l.Score(k, member)
	hash, owner := l.Fields(key.User(v.e.From), []string{"state", "etime", "ltime"}), l.Field(key.List(v.e.List),
		"owner")
	waits := c.edgeTasks(l.Reading, v.e)
	var blocks []*redis.FloatCmd
	var unblocks []*redis.IntCmd
	if v.e.Kind == record.FollowUser {
		blocks = c.blocks(l.Reading, v.e)
		block, back := record.Edge{From: v.e.From, Kind: record.BlockUser, To: v.e.To},
			record.Edge{From: v.e.User(), Kind: record.BlockUser, To: int64(v.e.From)}
		unblocks = []*redis.IntCmd{l.Exists(key.Task(block.From.Partition(), block.Task())),
			l.Exists(key.Task(back.From.Partition(), back.Task()))}
	}
	l.Wait()
	f := hash()
	v.set, v.changed = check.Is(v.own), f["etime"]
	if v.e.Kind == record.ListUser {
		v.set, v.changed = v.set && owner.Val() == key.Itoa(v.e.From), f["ltime"]
	}
	c.readFar(l, v)
	since, end := record.FormatMicros(v.own.Val()), check.Call(c.repairer.EndEdge, v.e)
	switch blocked := check.Count(blocks) > 0; {
	case slices.ContainsFunc(waits, check.Exists), v.set && !v.e.Self() && !v.there && v.going,
		v.set && v.there && blocked && slices.ContainsFunc(unblocks, check.Exists):
		l.Postpone()
	case f["state"] != catalogue.UserActive && v.set: // the user has a finding
	case v.set && v.e.Self():
		l.Add(RuleEdgeSelf, k, end, "leads to the user, since %s", since)
	case v.set && !v.there:
		l.Add(RuleEdgeTarget, k, end, "%q, since %s, does not exist", member, since)
	case v.set && blocked:
		l.Add(RuleEdgeBlocked, k, end, "follows %q, since %s, despite a block", member, since)
	default:
		c.reverse(l, v)
	}
}

// edgeTasks queues the tasks that will write the reverse side of an edge.
func (c *checker) edgeTasks(r *check.Reading, e record.Edge) []*redis.IntCmd {
	p, task := e.From.Partition(), e.Task()
	if e.Kind == record.ListUser {
		task = record.ListTask(e.From, e.List)
	}
	waits := []*redis.IntCmd{r.Exists(key.Task(p, task)), r.Exists(key.Task(p, record.AccountCleanupTask(e.From)))}
	switch e.Kind {
	case record.FollowCategory, record.FollowTag:
		return waits
	case record.KeepTopic, record.WatchTopic:
		return append(waits, r.Exists(key.Task(e.Topic().Partition(), record.RetractTask(e.Topic()))))
	}
	return append(waits, r.Exists(key.Task(e.User().Partition(), record.AccountCleanupTask(e.User()))))
}

// readFar reads the reverse side, and the object that the edge leads to.
func (c *checker) readFar(l *check.Look, v *edgeView) {
	reverse := v.e.Reverse()
	v.reverse, v.ended = l.Score(reverse.Key, reverse.Member), l.Score(key.Ended(reverse.Key), reverse.Member)
	switch reverse.Sort {
	case "category":
		closed, there := l.Exists(reverse.Target), l.Exists(key.Category(forum.CategoryID(v.e.To)))
		l.Wait()
		v.there, v.going = closed.Val() == 0 && there.Val() == 1, there.Val() == 1
	case "tag":
		name, topics := l.Exists(reverse.Target), l.Size(key.TagContainer(forum.TagID(v.e.To)).Order(key.OrderCreated))
		l.Wait()
		v.there, v.going = name.Val() == 1, topics.Val() > 0 // its topics will name it again
	default:
		state := l.Field(reverse.Target, "state")
		l.Wait()
		if v.there = state.Val() == catalogue.UserActive; reverse.Sort == "topic" {
			v.there = endures(state.Val())
		}
	}
}

// endures reports whether edges can lead to a topic in a state: until it is deleted, whether it is listed or not.
func endures(state string) bool { return state != "" && state != string(forum.TopicDeleted) }

// reverse compares the reverse side with the user's.
func (c *checker) reverse(l *check.Look, v *edgeView) {
	to := v.e.Reverse()
	k, member, value := to.Key, to.Member, "nothing"
	if check.Is(v.reverse) {
		value = record.FormatMicros(v.reverse.Val())
	}
	guarded := func(x check.Fix) check.Fix {
		if v.set || v.changed != "" { // a reverse side is only written with that time
			x.First = func(ctx context.Context) error { return c.repairer.WriteReverse(ctx, v.e) }
		}
		return x
	}
	switch since := record.FormatMicros(v.own.Val()); {
	case v.set && (!check.Is(v.reverse) || v.reverse.Val() != v.own.Val()):
		write := guarded(check.All(check.Command("zadd", k, since, member), check.Drop(key.Ended(k), member)))
		l.Add(RuleEdgeMissing, k, write, "%q is at %s; want %s", member, value, since)
	case !v.set && check.Is(v.reverse):
		l.Add(RuleEdgeStray, k, guarded(check.Drop(k, member).Given(key.Ended(k))),
			"%q is at %s; the user's edges last changed at %q", member, value, v.changed)
	case check.Is(v.ended) && (check.Is(v.reverse) && v.ended.Val() >= v.reverse.Val() || c.inFuture(v.ended.Val())):
		l.Add(RuleEdgeEnded, key.Ended(k), check.Drop(key.Ended(k), member).Given(k),
			"%q was removed at %s but is at %s", member, record.FormatMicros(v.ended.Val()), value)
	}
}
