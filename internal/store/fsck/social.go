package fsck

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
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
func (c *checker) social(l *check.Look) {
	id := forum.UserID(l.On.ID)
	k := key.User(id)
	var newest []*redis.ZSliceCmd
	for _, set := range nearSets {
		newest = append(newest, l.Next().ZRevRangeWithScores(l.Ctx, set(id), 0, 0))
	}
	following, followers := l.Size(key.Following(id)), l.Size(key.Followers(id))
	bookmarks, watching := l.Size(key.Bookmarks(id)), l.Size(key.Watching(id))
	lists, names := l.ZSet(key.Lists(id)), l.Hash(key.ListNames(id))
	marks, marked := l.Hash(key.Marks(id)), l.ZSet(key.Marked(id))
	l.Wait()
	f := l.Fetch(k, "state", "following", "followers", "etime")
	if f["state"] != catalogue.UserActive {
		return
	}
	l.WantCount(RuleFollowCount, k, f, "following", int(following.Val()), key.Following(id))
	l.WantCount(RuleFollowCount, k, f, "followers", int(followers.Val()), key.Followers(id))
	last := 0.0
	for _, zs := range newest {
		for _, z := range zs.Val() {
			last = max(last, z.Score)
		}
	}
	l.WantLeast(RuleEdgeTime, k, f, "etime", int64(last))
	c.ownLists(l, id, lists.Val(), names.Val())
	c.marks(l, id, marks.Val(), marked.Val())
	l.AtMost(RuleBookmarkCap, key.Bookmarks(id), bookmarks.Val(), c.Engine.Caps.Bookmarks)
	l.AtMost(RuleBookmarkCap, key.Watching(id), watching.Val(), c.Engine.Caps.Watched)
}

// cleanUpAccount deletes the edges, lists, marks and home of a deleted account, as its task would.
func (c *checker) cleanUpAccount(ctx context.Context, id forum.UserID) error {
	for _, name := range []string{"etime", "ltime"} { // without these, no reverse side can be written
		if err := c.rdb.Redis.HSetNX(ctx, key.Internal(key.User(id)), name, c.Engine.NowMicros()).Err(); err != nil {
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
func (c *checker) bookmark(l *check.Look) {
	user, member := forum.UserID(l.On.ID), l.On.Text
	k := key.HiddenBookmarks(user)
	id, err := forum.ParseID[forum.TopicID](member)
	e := record.Edge{From: user, Kind: record.KeepTopic, To: int64(id)}
	kept, noted := l.Score(key.Bookmarks(user), member), l.Score(k, member)
	state, hash := l.Field(key.User(user), "state"), l.Fields(key.Topic(id), []string{"state", "rev"})
	waits := []*redis.IntCmd{l.Exists(key.Task(id.Partition(), record.RetractTask(id))),
		l.Exists(key.Task(user.Partition(), e.Task()))}
	l.Wait()
	f := hash()
	hidden := f["state"] == string(forum.TopicHidden)
	switch {
	case state.Val() != catalogue.UserActive, !check.Is(kept) && !check.Is(noted):
	case err != nil: // a malformed bookmark is another finding
		if !check.Is(kept) {
			l.Add(RuleBookmarkHidden, k, check.Drop(k, member), "%q is not a topic", member)
		}
	case check.Is(kept) && hidden == (noted.Val() > 0):
	case slices.ContainsFunc(waits, check.Exists):
		l.Postpone()
	default:
		repair := check.Drop(k, member)
		if check.Is(kept) && hidden {
			repair = check.Put(k, member, float64(f.Int("rev")))
		}
		l.Add(RuleBookmarkHidden, k, repair, "topic %s is %q, bookmarked: %t; noted at %.0f", member, f["state"],
			check.Is(kept), noted.Val())
	}
}
