package follows

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

// The rules of this package.
const (
	// RuleEdgeMissing: an edge is on its reverse side with the same time, unless a task will update it.
	// Repair follows the user's side.
	RuleEdgeMissing check.Rule = "edge-missing"
	// RuleEdgeStray: a reverse side has no other edges. Repair removes them.
	RuleEdgeStray check.Rule = "edge-stray"
	// RuleEdgeTarget: an edge leads to another user, who is active, an open topic, or an existing category or tag. No
	// user follows another while either blocks the other. Repair ends the edge.
	RuleEdgeTarget check.Rule = "edge-target"
	// RuleEdgeEnded: a tombstone on a reverse side is not in the future, and the edge has not existed
	// since an earlier time. Repair removes the tombstone.
	RuleEdgeEnded check.Rule = "edge-ended"
	// RuleBookmarkHidden: the bookmarks of a user that are not counted are those of hidden topics, unless a task will
	// note that. Repair follows the topics.
	RuleBookmarkHidden check.Rule = "bookmark-hidden"
	// RuleListFields: a list of users has a name and a time, and its folded name matches the name.
	// Repair folds the name.
	RuleListFields check.Rule = "list-fields"
	// RuleListOwner: a list belongs to an active user of its partition. Repair deletes the lists of
	// deleted users.
	RuleListOwner check.Rule = "list-owner"
	// RuleListPosition: a user's lists are all that belong to the user, by id. Repair rewrites
	// them.
	RuleListPosition check.Rule = "list-position"
	// RuleListName: each folded name leads to the user's list of that name; there are no other
	// entries. Repair corrects them, unless two lists claim a name.
	RuleListName check.Rule = "list-name"
)

// The kinds of targets: what a user has of edges and lists, a bookmark or what is noted of one, an edge, and a
// malformed member of a set of edges.
const (
	onSocial   check.Kind = "social"
	onBookmark check.Kind = "bookmark"
	onEdge     check.Kind = "edge"
	onMember   check.Kind = "member"
)

// checks are the checks of edges and lists of users.
type checks struct{ *Store }

// Checks returns what is checked of edges and lists of users. The two sides of an edge are compared with each other,
// everything else user by user.
func (s *Store) Checks() check.Subject {
	c := checks{s}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){
			onSocial: c.social, onBookmark: c.bookmark, onEdge: c.edge, onMember: c.member, check.OnList: c.list,
		},
		Entries: map[check.Kind]func(*check.Look, check.Entry){onMember: c.entry},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnUser: ofUser,
			check.OnList: func(on check.Target) ([]check.Target, []check.List) {
				return nil, check.Sets(onMember, key.ListMembers(forum.ListID(on.ID)))
			},
		},
		Scanned: scanned,
		Lags:    []check.Kind{onEdge},
		Tasks: map[record.TaskKind]check.Task{
			record.TaskEdge: check.TaskOfAuthor(func(cursor string) bool {
				return cursor == "" || cursor == record.CursorNotify
			}),
			// A restarted task of a list does not know its users; their edges are checked instead.
			record.TaskList: check.TaskOfAuthor(check.Words(forum.ParseID[forum.UserID])),
		},
	}
}

// scanned notes the sets of edges that are not those of a user.
func scanned(r *check.Run, name string, k catalogue.Key) {
	switch k.Object {
	case catalogue.OfReverseEnded, catalogue.OfContainerEnded, catalogue.OfTopic, catalogue.OfIndex, catalogue.OfTag:
		if edgeSetOf(name).reverse {
			r.Lists[name] = check.Sets(onMember, name)[0]
		}
	}
}

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

// edge returns the edge that a member names, unless it is malformed.
func (s edgeSet) edge(member string) (e record.Edge, ok bool) {
	e = record.Edge{From: s.from, Kind: s.kind, To: s.to, List: s.list}
	var err, bad error
	switch {
	case s.kind == "": // follows of categories and tags
		e, err = record.ParseEdge(key.Itoa(s.from) + ":" + member)
		return e, err == nil && (e.Kind == record.FollowCategory || e.Kind == record.FollowTag)
	case !s.reverse:
		e.To, err = forum.ParseID[int64](member)
		return e, err == nil
	}
	from, list, _ := strings.Cut(member, ":")
	if e.From, err = forum.ParseID[forum.UserID](from); s.kind == record.ListUser {
		e.List, bad = forum.ParseID[forum.ListID](list)
	}
	return e, err == nil && bad == nil && e.Reverse().Member == member
}

// entry checks a member of one side of edges: it examines the edge, unless both sides agree.
func (c checks) entry(l *check.Look, of check.Entry) {
	s := edgeSetOf(of.Key)
	if s.list != 0 {
		s.from = c.owner(l, s.list)
	}
	e, ok := s.edge(of.Name)
	if !ok {
		c.member(l)
		return
	}
	v := c.read(l, e)
	if !v.set || v.wrong() != "" || !check.Is(v.reverse) || v.reverse.Val() != v.own.Val() || check.Is(v.ended) {
		l.Examine(check.Target{Kind: onEdge, ID: int64(e.From), Key: key.Itoa(e.List),
			Text: string(e.Kind) + strconv.FormatInt(e.To, 10)})
	}
}

// owner reads the owner of a list; 0 if it is not one of the list's partition.
func (c checks) owner(l *check.Look, list forum.ListID) forum.UserID {
	id, err := forum.ParseID[forum.UserID](l.Fetch(key.List(list), "owner")["owner"])
	if err != nil || id.Partition() != list.Partition() {
		return 0
	}
	return id
}

// member checks a malformed member of a set of edges.
func (c checks) member(l *check.Look) {
	at := l.Score(l.On.Key, l.On.Text)
	l.Wait()
	if check.Is(at) {
		l.Add(check.RuleValue, l.On.Key, check.Drop(l.On.Key, l.On.Text), "%q is not a valid member", l.On.Text)
	}
}

// edgeView is an edge as read from both sides.
type edgeView struct {
	e                   record.Edge
	set                 bool // it exists on its user's side
	own, reverse, ended *redis.FloatCmd
	// there reports that the target exists, going that it is about to be deleted or created again, blocked that one of
	// the users blocks the other.
	there, going, blocked bool
}

// wrong says why an edge that is set may not be, if so.
func (v *edgeView) wrong() string {
	switch {
	case v.e.Self():
		return "leads to the user"
	case !v.there:
		return "does not exist"
	case v.blocked:
		return "is blocked, or blocks the user"
	}
	return ""
}

// read reads both sides of an edge, and the object that it leads to.
func (c checks) read(l *check.Look, e record.Edge) *edgeView {
	k, member := e.Own()
	to := e.Reverse()
	v := &edgeView{e: e, own: l.Score(k, member), reverse: l.Score(to.Key, to.Member),
		ended: l.Score(key.Ended(to.Key), to.Member)}
	owned := true
	var blocks []*redis.FloatCmd
	switch e.Kind {
	case record.FollowUser:
		blocks = []*redis.FloatCmd{l.Score(key.Blocked(e.From), key.Itoa(e.User())),
			l.Score(key.Blocked(e.User()), key.Itoa(e.From))}
	case record.ListUser:
		owned = c.owner(l, e.List) == e.From
	}
	switch to.Sort {
	case "category":
		closed, there := l.Exists(to.Target), l.Exists(key.Category(forum.CategoryID(e.To)))
		l.Wait()
		v.there, v.going = !check.Exists(closed) && check.Exists(there), check.Exists(there)
	case "tag":
		name, topics := l.Exists(to.Target), l.Size(key.TagContainer(forum.TagID(e.To)).Order(key.OrderCreated))
		l.Wait()
		v.there, v.going = check.Exists(name), topics.Val() > 0 // its topics will name it again
	default:
		state := l.Fetch(to.Target, "state")["state"]
		v.there = state == catalogue.UserActive
		if to.Sort == "topic" { // until it is deleted, whether it is listed or not
			v.there = state != "" && state != string(forum.TopicDeleted)
		}
	}
	v.set, v.blocked = check.Is(v.own) && owned, check.Count(blocks) > 0
	return v
}

// edge compares both sides of an edge. The tasks that will write the reverse side are read first.
func (c checks) edge(l *check.Look) {
	list, _ := strconv.ParseInt(l.On.Key, 10, 64)
	to, _ := strconv.ParseInt(l.On.Text[1:], 10, 64)
	e := record.Edge{From: forum.UserID(l.On.ID), Kind: record.EdgeKind(l.On.Text[:1]), To: to,
		List: forum.ListID(list)}
	waits := tasks(l, e)
	state := l.Fetch(key.User(e.From), "state")["state"]
	v := c.read(l, e)
	own, member := e.Own()
	k, wrong, want := e.Reverse().Key, v.wrong(), ""
	switch {
	case slices.ContainsFunc(waits, check.Exists), v.set && !e.Self() && !v.there && v.going:
		l.Postpone()
		return
	case state != catalogue.UserActive && v.set: // the user has a finding
		return
	case v.set && wrong != "":
		l.Add(RuleEdgeTarget, own, check.Call(c.end, e), "%q, since %.0f, %s", member, v.own.Val(), wrong)
		return
	}
	rule := RuleEdgeStray
	if v.set {
		rule, want = RuleEdgeMissing, record.FormatScore(v.own.Val())
	}
	l.WantMember(rule, k, e.Reverse().Member, v.reverse, want, key.Ended(k))
	future := float64(c.engine.NowMicros() + check.ExpirySlack.Microseconds())
	if check.Is(v.ended) && (check.Is(v.reverse) && v.ended.Val() >= v.reverse.Val() || v.ended.Val() > future) {
		l.Add(RuleEdgeEnded, key.Ended(k), check.Drop(key.Ended(k), e.Reverse().Member).Given(k),
			"%q was removed at %.0f but is at %.0f", e.Reverse().Member, v.ended.Val(), v.reverse.Val())
	}
}

// tasks queues the tasks that will write the reverse side of an edge, or end it.
func tasks(l *check.Look, e record.Edge) (waits []*redis.IntCmd) {
	wait := func(p forum.Partition, name string) { waits = append(waits, l.Exists(key.Task(p, name))) }
	if e.Kind == record.ListUser {
		wait(e.From.Partition(), record.ListTask(e.From, e.List))
	} else {
		wait(e.From.Partition(), e.Task())
	}
	wait(e.From.Partition(), record.AccountCleanupTask(e.From))
	switch {
	case e.OnTopic():
		wait(e.Topic().Partition(), record.RetractTask(e.Topic()))
		return waits
	case e.Kind == record.FollowCategory || e.Kind == record.FollowTag:
		return waits
	case e.Kind == record.FollowUser:
		wait(e.From.Partition(), record.Edge{From: e.From, Kind: record.BlockUser, To: e.To}.Task())
		wait(e.User().Partition(), record.Edge{From: e.User(), Kind: record.BlockUser, To: int64(e.From)}.Task())
	}
	wait(e.User().Partition(), record.AccountCleanupTask(e.User()))
	return waits
}

// end ends an edge, on both sides.
func (c checks) end(ctx context.Context, e record.Edge) error {
	if e.Kind != record.ListUser {
		return c.EndEdge(ctx, e)
	}
	err := c.UpdateListMembers(ctx, e.From, e.List, nil, []forum.UserID{e.User()})
	if forum.CodeOf(err) == forum.CodeNotFound { // reported as a finding of the list
		return nil
	}
	return err
}
