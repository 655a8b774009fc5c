package fsck

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// This file checks edges, lists and marks of users. The two sides of an edge are compared with each other; everything
// else is checked user by user.

// nearSets are the sorted sets of a user's edges, farSets those of edges that lead to the user.
var (
	nearSets = []func(forum.UserID) string{key.Following, key.Subjects, key.Blocked, key.Bookmarks, key.Watching}
	farSets  = []func(forum.UserID) string{key.Followers, key.Blockers, key.Listed}
)

// social checks a user's counters, times and caps, lists and marks. The hash is read last, so that its times are no
// older than the edges.
func (l *look) social() {
	id := forum.UserID(l.on.id)
	k := key.User(id)
	var newest []*redis.ZSliceCmd
	for _, set := range nearSets {
		newest = append(newest, l.next().ZRevRangeWithScores(l.ctx, set(id), 0, 0))
	}
	following, followers := l.size(key.Following(id)), l.size(key.Followers(id))
	bookmarks, watching := l.size(key.Bookmarks(id)), l.size(key.Watching(id))
	lists, names := l.zset(key.Lists(id)), l.hash(key.ListNames(id))
	marks, marked := l.hash(key.Marks(id)), l.zset(key.Marked(id))
	l.wait()
	f := l.fetch(k, "state", "following", "followers", "etime")
	if f["state"] != catalogue.UserActive {
		return
	}
	l.wantCount(RuleFollowCount, k, f, "following", int(following.Val()), key.Following(id))
	l.wantCount(RuleFollowCount, k, f, "followers", int(followers.Val()), key.Followers(id))
	last := 0.0
	for _, zs := range newest {
		for _, z := range zs.Val() {
			last = max(last, z.Score)
		}
	}
	l.wantLeast(RuleEdgeTime, k, f, "etime", int64(last))
	l.ownLists(id, lists.Val(), names.Val())
	l.marks(id, marks.Val(), marked.Val())
	l.atMost(RuleBookmarkCap, key.Bookmarks(id), bookmarks.Val(), l.repairer.Caps().Bookmarks)
	l.atMost(RuleBookmarkCap, key.Watching(id), watching.Val(), l.repairer.Caps().Watched)
}

// atMost reports a list with more entries than its cap.
func (l *look) atMost(rule Rule, k string, n int64, most int) {
	if n > int64(most) {
		l.add(rule, k, fix{}, "%d entries; the maximum is %d", n, most)
	}
}

// cleanUpAccount deletes the edges, lists, marks and home of a deleted account, as its task would.
func (c *checker) cleanUpAccount(ctx context.Context, id forum.UserID) error {
	for _, name := range []string{"etime", "ltime"} { // without these, no reverse side can be written
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
