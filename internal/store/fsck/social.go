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

// This file checks edges, lists and marks of users. The two sides of an edge are compared with each other; everything
// else is checked user by user.

// nearSets are the sorted sets of a user's edges, with their kinds; farSets those of edges that lead to the user.
var (
	nearSets = []struct {
		key  func(forum.UserID) string
		kind record.EdgeKind // "" if each member has its kind
	}{
		{key.Following, record.FollowUser}, {key.Subjects, ""}, {key.Blocked, record.BlockUser},
		{key.Bookmarks, record.KeepTopic}, {key.Watching, record.WatchTopic},
	}
	farSets = []func(forum.UserID) string{key.Followers, key.Blockers, key.Listed}
)

// inspectSocial checks the edges, lists and homes of all users, from both sides.
func (c *checker) inspectSocial(ctx context.Context) error {
	for p := range forum.Partitions {
		for _, kind := range []targetKind{onSocial, onHome} {
			if err := c.examineAll(ctx, kind, c.keys.users[p]); err != nil {
				return err
			}
		}
		if err := groups(toIDs[forum.UserID](c.keys.users[p]), func(ids []forum.UserID) error {
			return c.inspectEdges(ctx, ids)
		}); err != nil {
			return err
		}
		if err := groups(toIDs[forum.ListID](c.keys.lists[p]), func(ids []forum.ListID) error {
			return c.inspectLists(ctx, ids)
		}); err != nil {
			return err
		}
	}
	sides := func(keys map[string]bool, check func(*look, edgeSet, entry)) error {
		return groups(slices.Sorted(maps.Keys(keys)), func(keys []string) error {
			of := map[string]edgeSet{}
			for _, k := range keys {
				of[k] = farSet(strings.TrimSuffix(k, ":ended"))
			}
			return c.eachEntry(ctx, sets(keys...), func(l *look, e entry) { check(l, of[e.key], e) })
		})
	}
	if err := sides(c.keys.followed, (*look).edgeEntry); err != nil {
		return err
	}
	return sides(c.keys.ended, (*look).endedEntry)
}

// inspectEdges checks the edges of users, and bookmarks of hidden topics.
func (c *checker) inspectEdges(ctx context.Context, ids []forum.UserID) error {
	of := map[string]edgeSet{}
	var lists, bookmarks []list
	owners := map[string]forum.UserID{}
	for _, id := range ids {
		for _, set := range nearSets {
			of[set.key(id)] = edgeSet{kind: set.kind, from: id}
			lists = append(lists, list{key: set.key(id)})
		}
		for _, set := range farSets {
			of[set(id)] = farSet(set(id))
			lists = append(lists, list{key: set(id)})
		}
		for _, k := range []string{key.Bookmarks(id), key.HiddenBookmarks(id)} {
			owners[k] = id
			bookmarks = append(bookmarks, list{key: k})
		}
	}
	if err := c.eachEntry(ctx, lists, func(l *look, e entry) { l.edgeEntry(of[e.key], e) }); err != nil {
		return err
	}
	return c.eachEntry(ctx, bookmarks, func(l *look, e entry) {
		l.examine(target{kind: onBookmark, id: int64(owners[e.key]), text: e.name})
	})
}

// inspectLists checks lists of users and their members.
func (c *checker) inspectLists(ctx context.Context, ids []forum.ListID) error {
	of := map[string]edgeSet{}
	if err := together(ctx, c, ids, func(l *look, id forum.ListID) {
		l.on = target{kind: onList, id: int64(id)}
		owner := l.userList()
		of[key.ListMembers(id)] = edgeSet{kind: record.ListUser, from: owner, list: id}
	}); err != nil {
		return err
	}
	return c.eachEntry(ctx, sets(slices.Sorted(maps.Keys(of))...), func(l *look, e entry) { l.edgeEntry(of[e.key], e) })
}

// social checks a user's counters, times and caps, lists and marks. The hash is read last, so that its times are no
// older than the edges.
func (l *look) social() {
	id := forum.UserID(l.on.id)
	k := key.User(id)
	sizes, newest := map[string]*redis.IntCmd{}, []*redis.ZSliceCmd{}
	for _, set := range nearSets {
		sizes[set.key(id)] = l.size(set.key(id))
		newest = append(newest, l.next().ZRevRangeWithScores(l.ctx, set.key(id), 0, 0))
	}
	for _, set := range farSets {
		sizes[set(id)] = l.size(set(id))
	}
	for _, of := range []string{key.Home(id), key.HiddenBookmarks(id), key.Lists(id), key.Marked(id)} {
		sizes[of] = l.size(of)
	}
	lists, names := l.zset(key.Lists(id)), l.hash(key.ListNames(id))
	marks, marked := l.hash(key.Marks(id)), l.zset(key.Marked(id))
	l.wait()
	hash := l.hmget(k, []string{"state", "following", "followers", "etime"})
	cleanup := l.exists(key.Task(id.Partition(), record.AccountCleanupTask(id)))
	l.wait()
	f := hash()
	if f["state"] != catalogue.UserActive {
		left := map[string]int{key.ListNames(id): len(names.Val()), key.Marks(id): len(marks.Val())}
		for of, n := range sizes {
			left[of] = int(n.Val())
		}
		l.accountCleanup(id, f["state"], left, exists(cleanup))
		return
	}
	l.wantCount(RuleFollowCount, k, f, "following", int(sizes[key.Following(id)].Val()), key.Following(id))
	l.wantCount(RuleFollowCount, k, f, "followers", int(sizes[key.Followers(id)].Val()), key.Followers(id))
	last := 0.0
	for _, zs := range newest {
		for _, z := range zs.Val() {
			last = max(last, z.Score)
		}
	}
	if last > float64(record.Atoi(f["etime"])) {
		l.add(RuleEdgeTime, k, set(k, "etime", record.FormatMicros(last)),
			"the account's edges last changed at %q; one is of %s", f["etime"], record.FormatMicros(last))
	}
	l.ownLists(id, lists.Val(), names.Val())
	l.marks(id, marks.Val(), marked.Val())
	l.atMost(RuleBookmarkCap, key.Bookmarks(id), sizes[key.Bookmarks(id)].Val(), l.repairer.Caps().Bookmarks)
	l.atMost(RuleBookmarkCap, key.Watching(id), sizes[key.Watching(id)].Val(), l.repairer.Caps().Watched)
}

// atMost reports a list with more entries than its cap.
func (l *look) atMost(rule Rule, k string, n int64, most int) {
	if n > int64(most) {
		l.add(rule, k, fix{}, "%d entries; the maximum is %d", n, most)
	}
}

// accountCleanup checks that an inactive account has no edges, lists, marks or home left.
func (l *look) accountCleanup(id forum.UserID, state string, left map[string]int, cleans bool) {
	maps.DeleteFunc(left, func(_ string, n int) bool { return n == 0 })
	switch keys := slices.Sorted(maps.Keys(left)); {
	case len(left) == 0:
	case cleans:
		l.postpone()
	case state == catalogue.UserDeleted:
		l.add(RuleAccountCleanup, key.User(id), call(l.cleanUpAccount, id), "is deleted but has %s", strings.Join(keys, ", "))
	default:
		for _, k := range keys {
			l.add(RuleOrphanKey, k, remove(k), "%d entries, but user %d is %q", left[k], id, state)
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

// bookmark compares a bookmark, or what is noted of one as hidden, with its topic.
func (l *look) bookmark() {
	user, member := forum.UserID(l.on.id), l.on.text
	k := key.HiddenBookmarks(user)
	id, err := forum.ParseID[forum.TopicID](member)
	e := record.Edge{From: user, Kind: record.KeepTopic, To: int64(id)}
	kept, noted := l.score(key.Bookmarks(user), member), l.score(k, member)
	state, hash := l.field(key.User(user), "state"), l.hmget(key.Topic(id), []string{"state", "rev"})
	waits := []*redis.IntCmd{l.exists(key.Task(id.Partition(), record.RetractTask(id))),
		l.exists(key.Task(user.Partition(), e.Task()))}
	l.wait()
	f := hash()
	hidden := f["state"] == string(forum.TopicHidden)
	switch {
	case state.Val() != catalogue.UserActive, !is(kept) && !is(noted):
	case err != nil: // a malformed bookmark is another finding
		if !is(kept) {
			l.add(RuleBookmarkHidden, k, drop(k, member), "%q is not a topic", member)
		}
	case is(kept) && hidden == (noted.Val() > 0):
	case slices.ContainsFunc(waits, exists):
		l.postpone()
	default:
		repair := drop(k, member)
		if is(kept) && hidden {
			repair = put(k, member, float64(f.Int("rev")))
		}
		l.add(RuleBookmarkHidden, k, repair, "topic %s is %q, bookmarked: %t; noted at %.0f", member, f["state"], is(kept),
			noted.Val())
	}
}
