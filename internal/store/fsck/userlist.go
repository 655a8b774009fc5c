package fsck

import (
	"maps"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// userList checks a list of users.
func (c *checker) userList(l *check.Look) {
	id := forum.ListID(l.On.ID)
	k, members := key.List(id), key.ListMembers(id)
	hash, size := l.Fields(k, catalogue.UserList.Names()), l.Size(members)
	newest := l.Next().ZRevRangeWithScores(l.Ctx, members, 0, 0)
	l.Wait()
	f, owner := hash(), forum.UserID(0)
	if of, err := forum.ParseID[forum.UserID](f["owner"]); err == nil && of.Partition() == id.Partition() {
		owner = of
	}
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
	case owner == 0 || of["state"] != catalogue.UserActive:
		del := check.Fix{}
		if of["state"] == catalogue.UserDeleted {
			del = check.Remove(k, members)
		}
		l.Add(RuleListOwner, k, del, "belongs to user %q, which is %q", f["owner"], of["state"])
		return
	}
	l.WrongFields(RuleListFields, k, f, catalogue.UserList.Wrong(f))
	if fold := texts.Fold(f["name"]); fold != "" {
		l.WantField(RuleListFields, k, "fold", f["fold"], fold)
	}
	if !check.Is(position) {
		l.Add(RuleListPosition, key.Lists(owner), check.Put(key.Lists(owner), key.Itoa(id), float64(id)).Given(k),
			"list %d is missing", id)
	}
	l.NameOwner(RuleListName, key.ListNames(owner), f["fold"], key.Itoa(id), named.Val(), k)
	l.AtMost(RuleListCap, members, size.Val(), forum.MaxListMembers)
	for _, z := range newest.Val() {
		l.WantLeast(RuleEdgeTime, key.User(owner), of, "ltime", int64(z.Score))
	}
}

// ownLists compares a user's records of lists with the lists.
func (c *checker) ownLists(l *check.Look, id forum.UserID, lists []redis.Z, names map[string]string) {
	all, byName := key.Lists(id), key.ListNames(id)
	read := func(l *check.Look, name string) record.Fields {
		return l.Fetch(key.ListPrefix(id.Partition())+name, "owner", "fold")
	}
	check.Each(l, lists, func(l *check.Look, z redis.Z) {
		name := z.Member.(string)
		if read(l, name)["owner"] != key.Itoa(id) || strconv.FormatFloat(z.Score, 'f', -1, 64) != name {
			l.Add(RuleListPosition, all, check.Drop(all, name), // the next round adds existing ones again
				"%q at %.0f is not a list of user %d, or has the wrong score", name, z.Score, id)
		}
	})
	check.Each(l, slices.Collect(maps.Keys(names)), func(l *check.Look, fold string) {
		if f := read(l, names[fold]); f["owner"] != key.Itoa(id) || f["fold"] != fold {
			l.Add(RuleListName, byName, check.Unset(byName, fold), "%q leads to list %s, which has another name", fold,
				names[fold])
		}
	})
	l.AtMost(RuleListCap, all, int64(len(lists)), forum.MaxLists)
}
