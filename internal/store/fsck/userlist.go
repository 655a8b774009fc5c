package fsck

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// userListView is a list of users as read from its keys.
type userListView struct {
	id       forum.ListID
	f        record.Fields
	owner    forum.UserID // 0 if invalid
	members  []redis.Z
	of       record.Fields // of the owner
	position *redis.FloatCmd
	named    *redis.StringCmd // the list that its name leads to
	leaves   *redis.IntCmd    // a task will delete it with its owner
}

func (l *userListView) on() target { return target{kind: onList, id: int64(l.id)} }

// inspectLists checks a group of lists of users, and with edges their members.
func (c *checker) inspectLists(ctx context.Context, ids []forum.ListID, edges bool) error {
	lists, err := c.readUserLists(ctx, ids)
	if err != nil {
		return err
	}
	var rows []edgeRow
	for _, l := range lists {
		c.checkUserList(l)
		for _, z := range l.members {
			row := edgeRow{key: key.ListMembers(l.id), member: z.Member.(string), score: z.Score}
			row.edge, row.ok = nearEdge(l.owner, record.ListUser, row.member)
			row.edge.List = l.id
			rows = append(rows, row)
		}
	}
	if !edges {
		return nil
	}
	return groups(rows, func(part []edgeRow) error { return c.siftEdges(ctx, part) })
}

// readUserLists reads lists, and then their owners' records of them.
func (c *checker) readUserLists(ctx context.Context, ids []forum.ListID) ([]*userListView, error) {
	r := c.read(ctx)
	lists := make([]*userListView, len(ids))
	after := make([]func(), len(ids))
	for i, id := range ids {
		l := &userListView{id: id}
		hash, members := r.hmget(key.List(id), catalogue.List.Names()),
			r.next().ZRangeWithScores(ctx, key.ListMembers(id), 0, -1)
		lists[i] = l
		after[i] = func() { l.f, l.members = hash(), members.Val() }
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	for i, l := range lists {
		after[i]()
		if owner, err := forum.ParseID[forum.UserID](l.f["owner"]); err == nil && owner.Partition() == l.id.Partition() {
			l.owner = owner
		}
		hash := r.hmget(key.User(l.owner), []string{"state", "ltime"})
		l.position = r.next().ZScore(ctx, key.Lists(l.owner), key.Itoa(l.id))
		l.named = r.next().HGet(ctx, key.ListNames(l.owner), l.f["fold"])
		l.leaves = r.next().Exists(ctx, key.Task(l.id.Partition(), record.AccountCleanupTask(l.owner)))
		after[i] = func() { l.of = hash() }
	}
	err := r.done()
	for _, f := range after {
		f()
	}
	return lists, err
}

func (c *checker) checkUserList(l *userListView) {
	k, members := key.List(l.id), key.ListMembers(l.id)
	switch {
	case len(l.f) == 0:
		if n := len(l.members); n > 0 {
			c.add(l.on(), RuleOrphanKey, members, remove(members), "there is no list %d, but it has %d users", l.id, n)
		}
		return
	case l.leaves.Val() > 0:
		c.busy[l.on()] = true
		return
	case l.owner == 0 || l.of["state"] != catalogue.UserActive:
		var del fix
		if l.of["state"] == catalogue.UserDeleted {
			del = fix{watch: []string{k, members},
				do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.Del(ctx, k, members) }}
		}
		c.add(l.on(), RuleListOwner, k, del, "belongs to user %q, which is %q", l.f["owner"], l.of["state"])
		return
	}
	c.checkListFields(l)
	c.checkListPosition(l)
	if n := len(l.members); n > forum.MaxListMembers {
		c.add(l.on(), RuleListCap, members, fix{}, "%d users; the maximum is %d", n, forum.MaxListMembers)
	}
	if n := len(l.members); n > 0 && l.members[n-1].Score > float64(record.Atoi(l.of["ltime"])) {
		last := record.FormatMicros(l.members[n-1].Score)
		c.add(l.on(), RuleEdgeTime, key.User(l.owner), set(key.User(l.owner), "ltime", last),
			"the account's lists last changed at %q; a user was added at %s", l.of["ltime"], last)
	}
}

func (c *checker) checkListFields(l *userListView) {
	key := key.List(l.id)
	for _, name := range catalogue.List.Wrong(l.f) {
		c.add(l.on(), RuleListFields, key, fix{}, "%s is %q", name, l.f[name])
	}
	if fold := texts.Fold(l.f["name"]); fold != "" && l.f["fold"] != fold {
		c.add(l.on(), RuleListFields, key, set(key, "fold", fold), "%q is folded to %q; want %q", l.f["name"], l.f["fold"],
			fold)
	}
}

// checkListPosition checks whether the owner records the list.
func (c *checker) checkListPosition(l *userListView) {
	k, all, names := key.List(l.id), key.Lists(l.owner), key.ListNames(l.owner)
	if l.position.Err() != nil {
		enter := fix{watch: []string{k, all}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZAdd(ctx, all, redis.Z{Score: float64(l.id), Member: key.Itoa(l.id)})
		}}
		c.add(l.on(), RuleListPosition, all, enter, "list %d is missing", l.id)
	}
	switch {
	case l.f["fold"] == "":
	case l.named.Err() != nil:
		name := fix{watch: []string{k, names},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HSet(ctx, names, l.f["fold"], key.Itoa(l.id)) }}
		c.add(l.on(), RuleListName, names, name, "%q does not lead to list %d", l.f["fold"], l.id)
	case l.named.Val() != key.Itoa(l.id):
		c.add(l.on(), RuleListName, names, fix{}, "%q leads to list %s, not to %d", l.f["fold"], l.named.Val(), l.id)
	}
}

// checkOwnLists compares a user's records of lists with the lists.
func (c *checker) checkOwnLists(v *socialView) {
	all, names := key.Lists(v.id), key.ListNames(v.id)
	mine := func(name string) bool { return v.listed[name]["owner"] == key.Itoa(v.id) }
	for _, z := range v.lists {
		name := z.Member.(string)
		if mine(name) && strconv.FormatFloat(z.Score, 'f', -1, 64) == name {
			continue
		}
		out := fix{watch: []string{all}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZRem(ctx, all, name) // the next round adds existing ones again
		}}
		c.add(v.on(), RuleListPosition, all, out, "%q at %.0f is not a list of user %d, or has the wrong score",
			name, z.Score, v.id)
	}
	for fold, name := range v.names {
		if mine(name) && v.listed[name]["fold"] == fold {
			continue
		}
		out := fix{watch: []string{names},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, names, fold) }}
		c.add(v.on(), RuleListName, names, out, "%q leads to list %s, which has another name", fold, name)
	}
	if n := len(v.lists); n > forum.MaxLists {
		c.add(v.on(), RuleListCap, all, fix{}, "%d lists; the maximum is %d", n, forum.MaxLists)
	}
}
