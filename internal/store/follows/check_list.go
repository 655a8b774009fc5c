package follows

import (
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// nearSets are the sorted sets of a user's edges, farSets those of edges that lead to the user.
var (
	nearSets = []func(forum.UserID) string{key.Following, key.Subjects, key.Blocked, key.Bookmarks, key.Watching}
	farSets  = []func(forum.UserID) string{key.Followers, key.Blockers, key.Listed}
)

// KeysOf returns the keys of a user's edges and lists.
func KeysOf(id forum.UserID) []string {
	all := []string{key.HiddenBookmarks(id), key.Lists(id), key.ListNames(id)}
	for _, set := range slices.Concat(nearSets, farSets) {
		all = append(all, set(id))
	}
	return all
}

// ofUser returns what is examined of a user: counts, times and lists, each edge and each bookmark.
func ofUser(on check.Target) ([]check.Target, []check.List) {
	id := forum.UserID(on.ID)
	bookmark := check.Target{Kind: onBookmark, ID: on.ID}
	lists := []check.List{{Key: key.Bookmarks(id), On: bookmark}, {Key: key.HiddenBookmarks(id), On: bookmark}}
	for _, set := range slices.Concat(nearSets, farSets) {
		lists = append(lists, check.Sets(onMember, set(id))...)
	}
	return []check.Target{{Kind: onSocial, ID: on.ID}}, lists
}

// social checks a user's counters, times, caps and lists. The hash is read last, so that its times are no older than
// the edges.
func (c checks) social(l *check.Look) {
	id := forum.UserID(l.On.ID)
	k, size := key.User(id), map[string]*redis.IntCmd{}
	var newest []*redis.ZSliceCmd
	for _, set := range nearSets {
		newest = append(newest, l.Next().ZRevRangeWithScores(l.Ctx, set(id), 0, 0))
		size[set(id)] = l.Size(set(id))
	}
	followers, lists, names := l.Size(key.Followers(id)), l.ZSet(key.Lists(id)), l.Hash(key.ListNames(id))
	l.Wait()
	f := l.Fetch(k, "state", "following", "followers", "etime")
	if f["state"] != catalogue.UserActive {
		return
	}
	l.WantCount(k, f, "following", int(size[key.Following(id)].Val()), key.Following(id))
	l.WantCount(k, f, "followers", int(followers.Val()), key.Followers(id))
	last := 0.0
	for _, zs := range newest {
		for _, z := range zs.Val() {
			last = max(last, z.Score)
		}
	}
	l.WantLeast(k, f, "etime", int64(last))
	c.ownLists(l, id, lists.Val(), names.Val())
	for set, most := range map[string]int{key.Bookmarks(id): c.engine.Limits.Bookmarks,
		key.Watching(id): c.engine.Limits.Watched} {
		l.AtMost(set, int(size[set].Val()), most, check.Fix{})
	}
}

// ownLists compares a user's records of lists with the lists.
func (c checks) ownLists(l *check.Look, id forum.UserID, lists []redis.Z, names map[string]string) {
	all, byName := key.Lists(id), key.ListNames(id)
	check.Each(l, lists, func(l *check.Look, z redis.Z) {
		name := z.Member.(string)
		f := l.Fetch(key.ListPrefix(id.Partition())+name, "owner")
		if f["owner"] != key.Itoa(id) || record.FormatScore(z.Score) != name {
			l.Add(RuleListPosition, all, check.Drop(all, name), // the next round adds existing ones again
				"%q at %.0f is not a list of user %d, or has the wrong score", name, z.Score, id)
		}
	})
	check.Each(l, slices.Collect(maps.Keys(names)), func(l *check.Look, fold string) {
		f := l.Fetch(key.ListPrefix(id.Partition())+names[fold], "owner", "fold")
		if f["owner"] != key.Itoa(id) || f["fold"] != fold {
			l.Add(RuleListName, byName, check.Unset(byName, fold), "%q leads to list %s, which has another name", fold,
				names[fold])
		}
	})
	l.AtMost(all, len(lists), forum.MaxLists, check.Fix{})
}

// list checks a list of users.
func (c checks) list(l *check.Look) {
	id := forum.ListID(l.On.ID)
	k, members := key.List(id), key.ListMembers(id)
	hash, size := l.Fields(k, catalogue.UserList.Names()), l.Size(members)
	newest := l.Next().ZRevRangeWithScores(l.Ctx, members, 0, 0)
	owner := c.owner(l, id)
	f := hash()
	user, position := l.Fields(key.User(owner), []string{"state", "ltime"}), l.Score(key.Lists(owner), key.Itoa(id))
	named := l.Field(key.ListNames(owner), f["fold"])
	cleanup := l.Exists(key.Task(id.Partition(), record.AccountCleanupTask(owner)))
	l.Wait()
	of := user()
	switch {
	case len(f) == 0:
		l.Orphans(false, "there is no list "+key.Itoa(id), members)
		return
	case check.Exists(cleanup):
		l.Postpone()
		return
	case of["state"] == catalogue.UserDeleted:
		l.Add(RuleListOwner, k, check.Remove(k, members), "belongs to user %d, who is deleted", owner)
		return
	case of["state"] != catalogue.UserActive:
		l.Lose(check.Loss{Fix: check.Remove(k, members), What: "the list of users " + k}, RuleListOwner, k,
			"belongs to user %q, which is %q", f["owner"], of["state"])
		return
	}
	l.WrongFields(check.Loss{}, RuleListFields, k, f, catalogue.UserList.Wrong(f))
	if fold := texts.Fold(f["name"]); fold != "" {
		l.WantField(RuleListFields, k, "fold", f["fold"], fold)
	}
	l.WantMember(RuleListPosition, key.Lists(owner), key.Itoa(id), position, key.Itoa(id), k)
	l.NameOwner(RuleListName, key.ListNames(owner), f["fold"], key.Itoa(id), named.Val(), k)
	l.AtMost(members, int(size.Val()), forum.MaxListMembers, check.Fix{})
	for _, z := range newest.Val() {
		l.WantLeast(key.User(owner), of, "ltime", int64(z.Score))
	}
}

// bookmark compares a bookmark, or what is noted of one as hidden, with its topic.
func (c checks) bookmark(l *check.Look) {
	user, member := forum.UserID(l.On.ID), l.On.Text
	k := key.HiddenBookmarks(user)
	id, err := forum.ParseID[forum.TopicID](member)
	e := record.Edge{From: user, Kind: record.KeepTopic, To: int64(id)}
	waits := tasks(l, e)
	kept, noted := l.Score(key.Bookmarks(user), member), l.Score(k, member)
	state, hash := l.Field(key.User(user), "state"), l.Fields(key.Topic(id), []string{"state", "rev"})
	l.Wait()
	f := hash()
	hidden := check.Is(kept) && f["state"] == string(forum.TopicHidden)
	switch {
	case state.Val() != catalogue.UserActive, !check.Is(kept) && !check.Is(noted):
	case check.Is(kept) && (err != nil || hidden == (noted.Val() > 0)): // a malformed bookmark is another finding
	case slices.ContainsFunc(waits, check.Exists):
		l.Postpone()
	default:
		repair := check.Drop(k, member)
		if hidden {
			repair = check.Put(k, member, float64(f.Int("rev")))
		}
		l.Add(RuleBookmarkHidden, k, repair, "topic %s is %q, bookmarked: %t; noted at %.0f", member, f["state"],
			check.Is(kept), noted.Val())
	}
}
