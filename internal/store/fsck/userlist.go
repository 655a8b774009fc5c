package fsck

import (
	"maps"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// userList checks a list of users.
func (l *look) userList() {
	id := forum.ListID(l.on.id)
	k, members := key.List(id), key.ListMembers(id)
	hash, size := l.hmget(k, catalogue.UserList.Names()), l.size(members)
	newest := l.next().ZRevRangeWithScores(l.ctx, members, 0, 0)
	l.wait()
	f, owner := hash(), forum.UserID(0)
	if of, err := forum.ParseID[forum.UserID](f["owner"]); err == nil && of.Partition() == id.Partition() {
		owner = of
	}
	user, position := l.hmget(key.User(owner), []string{"state", "ltime"}), l.score(key.Lists(owner), key.Itoa(id))
	named := l.field(key.ListNames(owner), f["fold"])
	cleanup := l.exists(key.Task(id.Partition(), record.AccountCleanupTask(owner)))
	l.wait()
	of := user()
	switch {
	case len(f) == 0:
		l.orphans(false, "there is no list "+key.Itoa(id), members)
		return
	case exists(cleanup):
		l.postpone()
		return
	case owner == 0 || of["state"] != catalogue.UserActive:
		del := fix{}
		if of["state"] == catalogue.UserDeleted {
			del = remove(k, members)
		}
		l.add(RuleListOwner, k, del, "belongs to user %q, which is %q", f["owner"], of["state"])
		return
	}
	l.wrongFields(RuleListFields, k, f, catalogue.UserList.Wrong(f))
	if fold := texts.Fold(f["name"]); fold != "" {
		l.wantField(RuleListFields, k, "fold", f["fold"], fold)
	}
	if !is(position) {
		l.add(RuleListPosition, key.Lists(owner), put(key.Lists(owner), key.Itoa(id), float64(id)).given(k),
			"list %d is missing", id)
	}
	l.nameOwner(RuleListName, key.ListNames(owner), f["fold"], key.Itoa(id), named.Val(), k)
	l.atMost(RuleListCap, members, size.Val(), forum.MaxListMembers)
	for _, z := range newest.Val() {
		l.wantLeast(RuleEdgeTime, key.User(owner), of, "ltime", int64(z.Score))
	}
}

// nameOwner checks that a folded name, if there is one, leads to its owner. If it leads to another one, only people can
// decide.
func (l *look) nameOwner(rule Rule, names, fold, id, has string, given ...string) {
	switch {
	case fold == "", has == id:
	case has == "":
		l.add(rule, names, set(names, fold, id).given(given...), "%q does not lead to %s", fold, id)
	default:
		l.add(rule, names, fix{}, "%q leads to %s, not to %s", fold, has, id)
	}
}

// ownLists compares a user's records of lists with the lists.
func (l *look) ownLists(id forum.UserID, lists []redis.Z, names map[string]string) {
	all, byName := key.Lists(id), key.ListNames(id)
	read := func(l *look, name string) record.Fields {
		return l.fetch(key.ListPrefix(id.Partition())+name, "owner", "fold")
	}
	each(l, lists, func(l *look, z redis.Z) {
		name := z.Member.(string)
		if read(l, name)["owner"] != key.Itoa(id) || strconv.FormatFloat(z.Score, 'f', -1, 64) != name {
			l.add(RuleListPosition, all, drop(all, name), // the next round adds existing ones again
				"%q at %.0f is not a list of user %d, or has the wrong score", name, z.Score, id)
		}
	})
	each(l, slices.Collect(maps.Keys(names)), func(l *look, fold string) {
		if f := read(l, names[fold]); f["owner"] != key.Itoa(id) || f["fold"] != fold {
			l.add(RuleListName, byName, unset(byName, fold), "%q leads to list %s, which has another name", fold, names[fold])
		}
	})
	l.atMost(RuleListCap, all, int64(len(lists)), forum.MaxLists)
}
