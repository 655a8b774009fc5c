package fsck

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// This file checks edges, lists and homes of users. The two sides of an edge are compared with each
// other; everything else is checked user by user.

// socialSet is one of the sorted sets of a user's edges.
type socialSet struct {
	key  func(forum.UserID) string
	kind record.EdgeKind // of sets of users; in other sets each member has its kind
	far  bool
	// whole reports that the entire set is read, because the home or etime depends on it.
	whole bool
}

// The indexes of socialSets.
const (
	setFollowing = iota
	setSubjects
	setBlocked
	setBookmarks
	setWatching
	setFollowers
	setBlockers
	setListed
	socialSetCount
)

var socialSets = [socialSetCount]socialSet{
	{key.Following, record.FollowUser, false, true},
	{key.Subjects, "", false, true},
	{key.Blocked, record.BlockUser, false, true},
	{key.Bookmarks, record.KeepTopic, false, true},
	{key.Watching, record.WatchTopic, false, true},
	{key.Followers, record.FollowUser, true, false},
	{key.Blockers, record.BlockUser, true, true},
	{key.Listed, record.ListUser, true, false},
}

// socialView is a user's edges, lists and home as read from their keys.
type socialView struct {
	id         forum.UserID
	f          record.Fields
	rows       [socialSetCount][]redis.Z // if not whole, the first readSize
	counts     [socialSetCount]int64
	hidden     []redis.Z // bookmarks of hidden topics
	home       []redis.Z
	lists      []redis.Z
	names      map[string]string        // folded name -> list
	marks      map[string]string        // read marks
	marked     []redis.Z                // times of marking
	watermarks map[string]int64         // of marked topics; 0 if the topic does not exist
	listed     map[string]record.Fields // lists that names and lists refer to
	leaves     bool                     // a task will delete all of it
}

func (v *socialView) on() target     { return target{kind: onSocial, id: int64(v.id)} }
func (v *socialView) homeOn() target { return target{kind: onHome, id: int64(v.id)} }
func (v *socialView) active() bool   { return v.f["state"] == catalogue.UserActive }

// inspectSocial checks the edges, lists and homes of all users, from both sides.
func (c *checker) inspectSocial(ctx context.Context) error {
	var users []forum.UserID
	var lists []forum.ListID
	for p := range forum.Partitions {
		users = append(users, toIDs[forum.UserID](c.keys.users[p])...)
		lists = append(lists, toIDs[forum.ListID](c.keys.lists[p])...)
	}
	if err := groups(users, func(ids []forum.UserID) error { return c.inspectSocialOf(ctx, ids, true) }); err != nil {
		return err
	}
	if err := groups(lists, func(ids []forum.ListID) error { return c.inspectLists(ctx, ids, true) }); err != nil {
		return err
	}
	for key := range c.keys.followed {
		if err := c.eachScored(ctx, key, func(zs []redis.Z) error { return c.siftEdges(ctx, farRows(key, zs)) }); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.keys.ended)) {
		if err := c.eachScored(ctx, key, func(zs []redis.Z) error { return c.siftEnded(ctx, key, zs) }); err != nil {
			return err
		}
	}
	return nil
}

// inspectSocialOf checks a group of users, and with edges their edges one by one.
func (c *checker) inspectSocialOf(ctx context.Context, ids []forum.UserID, edges bool) error {
	views, err := c.readSocial(ctx, ids)
	if err != nil {
		return err
	}
	for _, v := range views {
		c.checkSocial(v)
	}
	if err := c.inspectHidden(ctx, views); err != nil {
		return err
	}
	if err := c.inspectHomes(ctx, views); err != nil || !edges {
		return err
	}
	var rows []edgeRow
	for _, v := range views {
		for i, set := range socialSets {
			key := set.key(v.id)
			switch {
			case !set.far:
				rows = append(rows, nearRows(v.id, set, v.rows[i])...)
			case int(v.counts[i]) <= len(v.rows[i]):
				rows = append(rows, farRows(key, v.rows[i])...)
			default:
				if err := c.eachScored(ctx, key,
					func(zs []redis.Z) error { return c.siftEdges(ctx, farRows(key, zs)) }); err != nil {
					return err
				}
			}
		}
		rows = append(rows, v.blockedUsers()...)
	}
	for part := range slices.Chunk(rows, readSize) {
		if err := c.siftEdges(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// socialInspections returns the inspections of single targets of these kinds.
func (c *checker) socialInspections() []inspection {
	return []inspection{
		{onSocial, func(ctx context.Context, on []target) error {
			return groups(targetIDs[forum.UserID](on),
				func(ids []forum.UserID) error { return c.inspectSocialOf(ctx, ids, false) })
		}},
		{onEdge, func(ctx context.Context, on []target) error {
			return groups(on, func(on []target) error { return c.inspectEdges(ctx, on) })
		}},
		{onMember, func(ctx context.Context, on []target) error { return c.inspectMembers(ctx, on) }},
		{onList, func(ctx context.Context, on []target) error {
			return groups(targetIDs[forum.ListID](on),
				func(ids []forum.ListID) error { return c.inspectLists(ctx, ids, false) })
		}},
	}
}

// blockedUsers returns the follows of users who are in a block with the follower.
func (v *socialView) blockedUsers() []edgeRow {
	follows := scores(v.rows[setFollowing])
	var rows []edgeRow
	for _, z := range slices.Concat(v.rows[setBlocked], v.rows[setBlockers]) {
		if _, both := follows[z.Member.(string)]; both {
			for _, row := range nearRows(v.id, socialSets[setFollowing], []redis.Z{z}) {
				row.odd = true
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// readSocial reads users' edges, lists and homes. The hash is read last, so that its times are no
// older than the edges.
func (c *checker) readSocial(ctx context.Context, ids []forum.UserID) ([]*socialView, error) {
	r := c.read(ctx)
	views := make([]*socialView, len(ids))
	after := make([]func(), len(ids))
	for i, id := range ids {
		v := &socialView{id: id}
		views[i] = v
		var rows [socialSetCount]*redis.ZSliceCmd
		var counts [socialSetCount]*redis.IntCmd
		for n, set := range socialSets {
			rows[n], counts[n] = r.next().ZRangeWithScores(ctx, set.key(id), 0, readSize-1), r.next().ZCard(ctx, set.key(id))
		}
		home, lists := r.next().ZRangeWithScores(ctx, key.Home(id), 0, -1),
			r.next().ZRangeWithScores(ctx, key.Lists(id), 0, -1)
		hidden := r.next().ZRangeWithScores(ctx, key.HiddenBookmarks(id), 0, -1)
		names := r.next().HGetAll(ctx, key.ListNames(id))
		marks, marked := r.next().HGetAll(ctx, key.Marks(id)), r.next().ZRangeWithScores(ctx, key.Marked(id), 0, -1)
		after[i] = func() {
			for n := range socialSets {
				v.rows[n], v.counts[n] = rows[n].Val(), counts[n].Val()
			}
			v.hidden = hidden.Val()
			v.home, v.lists, v.names = home.Val(), lists.Val(), names.Val()
			v.marks, v.marked = marks.Val(), marked.Val()
		}
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	for _, f := range after {
		f()
	}
	if err := c.readRest(ctx, views); err != nil {
		return nil, err
	}
	if err := c.readWatermarks(ctx, views); err != nil {
		return nil, err
	}
	return views, c.readSocialHashes(ctx, views)
}

// readRest reads the rest of sets that are needed whole.
func (c *checker) readRest(ctx context.Context, views []*socialView) error {
	for _, v := range views {
		for i, set := range socialSets {
			if !set.whole || len(v.rows[i]) < readSize {
				continue
			}
			v.rows[i] = nil
			err := c.eachScored(ctx, set.key(v.id), func(zs []redis.Z) error {
				v.rows[i] = append(v.rows[i], zs...)
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *checker) readSocialHashes(ctx context.Context, views []*socialView) error {
	r := c.read(ctx)
	after := make([]func(), len(views))
	for i, v := range views {
		hash := r.hmget(key.User(v.id), []string{"state", "following", "followers", "etime", "homeFloor"})
		task := r.next().Exists(ctx, key.Task(v.id.Partition(), record.AccountCleanupTask(v.id)))
		lists := map[string]func() record.Fields{}
		for _, name := range slices.Concat(slices.Collect(maps.Values(v.names)), memberNames(v.lists)) {
			lists[name] = r.hmget(key.ListPrefix(v.id.Partition())+name, []string{"owner", "fold"})
		}
		after[i] = func() {
			v.f, v.leaves, v.listed = hash(), task.Val() > 0, map[string]record.Fields{}
			for name, get := range lists {
				v.listed[name] = get()
			}
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, f := range after {
		f()
	}
	return nil
}

func memberNames(zs []redis.Z) []string {
	names := make([]string, len(zs))
	for i, z := range zs {
		names[i] = z.Member.(string)
	}
	return names
}

// checkSocial checks a user's counters, times and caps, lists and marks.
func (c *checker) checkSocial(v *socialView) {
	if !v.active() {
		c.checkAccountCleanup(v)
		return
	}
	for i, name := range map[int]string{setFollowing: "following", setFollowers: "followers"} {
		if n := v.counts[i]; int64(v.f.Int(name)) != n {
			k := socialSets[i].key(v.id)
			count := set(key.User(v.id), name, n)
			count.watch = append(count.watch, k)
			c.add(v.on(), RuleFollowCount, key.User(v.id), count, "%s counts %s; there are %d", name, v.f[name], n)
		}
	}
	newest := 0.0
	for i := range socialSets {
		for _, z := range v.rows[i] {
			if !socialSets[i].far {
				newest = max(newest, z.Score)
			}
		}
	}
	if newest > float64(record.Atoi(v.f["etime"])) {
		c.add(v.on(), RuleEdgeTime, key.User(v.id), set(key.User(v.id), "etime", record.FormatMicros(newest)),
			"the account's edges last changed at %q; one is of %s", v.f["etime"], record.FormatMicros(newest))
	}
	c.checkOwnLists(v)
	c.checkMarks(v)
	if n := v.counts[setBookmarks]; n > int64(c.repairer.Caps().Bookmarks) {
		c.add(v.on(), RuleBookmarkCap, key.Bookmarks(v.id), fix{}, "%d bookmarks; the maximum is %d", n,
			c.repairer.Caps().Bookmarks)
	}
	if n := v.counts[setWatching]; n > int64(c.repairer.Caps().Watched) {
		c.add(v.on(), RuleBookmarkCap, key.Watching(v.id), fix{}, "%d topics watched; the maximum is %d", n,
			c.repairer.Caps().Watched)
	}
}

// checkAccountCleanup checks that an inactive account has no edges, lists, marks or home left.
func (c *checker) checkAccountCleanup(v *socialView) {
	left := map[string]int{key.Home(v.id): len(v.home), key.Lists(v.id): len(v.lists), key.ListNames(v.id): len(v.names),
		key.Marks(v.id): len(v.marks), key.Marked(v.id): len(v.marked),
		key.HiddenBookmarks(v.id): len(v.hidden)}
	for i, set := range socialSets {
		left[set.key(v.id)] = int(v.counts[i])
	}
	maps.DeleteFunc(left, func(_ string, n int) bool { return n == 0 })
	switch keys := slices.Sorted(maps.Keys(left)); {
	case len(left) == 0:
	case v.leaves:
		c.busy[v.on()] = true
	case v.f["state"] == catalogue.UserDeleted:
		cleanUp := fix{run: func(ctx context.Context) error { return c.cleanUpAccount(ctx, v.id) }}
		c.add(v.on(), RuleAccountCleanup, key.User(v.id), cleanUp, "is deleted but has %s", strings.Join(keys, ", "))
	default:
		for _, key := range keys {
			c.add(v.on(), RuleOrphanKey, key, remove(key), "%d entries, but user %d is %q", left[key], v.id, v.f["state"])
		}
	}
}

// cleanUpAccount deletes the edges, lists, marks and home of a deleted account, as its task would.
func (c *checker) cleanUpAccount(ctx context.Context, id forum.UserID) error {
	for _, name := range []string{"etime", "ltime"} { // without these, no far side can be written
		if err := c.rdb.Redis.HSetNX(ctx, key.Internal(key.User(id)), name, c.repairer.NowMicros()).Err(); err != nil {
			return err
		}
	}
	if err := c.repairer.FinishAccountCleanup(ctx, id); err != nil {
		return err
	}
	b := c.rdb.Batch() // the keys need not share a slot
	for _, key := range []string{key.Home(id), key.Marks(id), key.Marked(id)} {
		b.Del(ctx, key)
	}
	return b.Exec(ctx)
}
