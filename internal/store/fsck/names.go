package fsck

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// nameLists are the lists of names.
var nameLists = []key.Names{key.UserNames, key.TagNames}

// namedView is a user or tag, and its entry in a list of names.
type namedView struct {
	list    key.Names
	id      int64
	want    index.Name // as derived from the object
	lagging bool       // the entry may be outdated
	have    string     // revision and member, as stored
	scores  []*redis.FloatCmd
}

func (v *namedView) on() target { return target{kind: onNamed, key: string(v.list), id: v.id} }

// inspectNames compares the lists of users and tags with these.
func (c *checker) inspectNames(ctx context.Context) error {
	for p := range c.keys.users {
		users := func(ids []int64) error { return c.inspectNamed(ctx, key.UserNames, ids) }
		if err := groups(c.keys.users[p], users); err != nil {
			return err
		}
	}
	var tags []int64
	for box := range c.keys.indexes {
		if tag := box.Tag(); tag != 0 {
			tags = append(tags, int64(tag))
		}
	}
	if err := groups(tags, func(ids []int64) error { return c.inspectNamed(ctx, key.TagNames, ids) }); err != nil {
		return err
	}
	for _, list := range nameLists {
		if err := c.eachField(ctx, list.Revisions(), func(names []string) error {
			var ids []int64
			for _, name := range names {
				if id, err := strconv.ParseInt(name, 10, 64); err == nil && id > 0 {
					ids = append(ids, id)
					continue
				}
				c.addNoID(list, name)
			}
			return groups(ids, func(ids []int64) error { return c.inspectNamed(ctx, list, ids) })
		}); err != nil {
			return err
		}
		for _, order := range list.OrderNames() {
			if err := c.eachMember(ctx, list.Order(order), func(members []string) error {
				return groups(members, func(members []string) error { return c.inspectNameMembers(ctx, list, members) })
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// addNoID adds the finding that an entry of a list has no id.
func (c *checker) addNoID(list key.Names, name string) {
	lost := fix{watch: []string{list.Revisions()},
		do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, list.Revisions(), name) }}
	c.add(target{kind: onNamed, key: string(list), text: name}, RuleNameList, list.Revisions(), lost, "%q is no id", name)
}

// inspectNamed checks the entries of users or tags.
func (c *checker) inspectNamed(ctx context.Context, list key.Names, ids []int64) error {
	views, err := c.readNamed(ctx, list, ids)
	if err != nil {
		return err
	}
	for _, v := range views {
		member := v.want.Member()
		rev, have := splitName(v.have)
		wrong := have != member || v.list == key.TagNames && member != "" && rev != strconv.FormatInt(v.want.Rev, 10)
		for i, score := range v.scores {
			want, _ := strconv.ParseFloat(v.want.Scores[i], 64)
			wrong = wrong || score.Err() != nil || score.Val() != want
		}
		if !wrong || v.lagging {
			continue
		}
		again := fix{run: func(ctx context.Context) error { return c.relist(ctx, v) }}
		c.add(v.on(), RuleNameList, v.list.Revisions(), again, "%d is %q; want %q at %v", v.id, v.have, member,
			v.want.Scores)
	}
	return nil
}

// relist writes an entry again, whatever was written before.
func (c *checker) relist(ctx context.Context, v *namedView) error {
	b := c.rdb.Batch()
	b.HDel(ctx, v.list.Revisions(), strconv.FormatInt(v.id, 10))
	for _, order := range v.list.OrderNames() {
		if _, have := splitName(v.have); have != "" {
			b.ZRem(ctx, v.list.Order(order), have)
		}
	}
	if err := b.Exec(ctx); err != nil {
		return err
	}
	if v.list == key.TagNames {
		return c.repairer.NameTag(ctx, forum.TagID(v.id), "")
	}
	b = c.rdb.Batch()
	v.want.Queue(ctx, b, c.s.Now())
	return b.Exec(ctx)
}

// splitName splits "revision member".
func splitName(value string) (rev, member string) {
	for i := range len(value) {
		if value[i] == ' ' {
			return value[:i], value[i+1:]
		}
	}
	return value, ""
}

func (c *checker) readNamed(ctx context.Context, list key.Names, ids []int64) ([]*namedView, error) {
	r := c.read(ctx)
	views := make([]*namedView, len(ids))
	after := make([]func(), len(ids))
	for i, id := range ids {
		v := &namedView{list: list, id: id}
		views[i] = v
		have := r.next().HGet(ctx, list.Revisions(), strconv.FormatInt(id, 10))
		read := c.readTagName
		if list == key.UserNames {
			read = c.readUserName
		}
		is := read(r, v)
		after[i] = func() { v.have = have.Val(); is() }
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	for i, v := range views {
		if after[i](); v.want.Member() != "" {
			for _, order := range list.OrderNames() {
				v.scores = append(v.scores, r.next().ZScore(ctx, list.Order(order), v.want.Member()))
			}
		}
	}
	return views, r.done()
}

// readUserName reads what the list of users should have of a user.
func (c *checker) readUserName(r *reading, v *namedView) func() {
	id := forum.UserID(v.id)
	hash := r.hmget(key.User(id), []string{"state", "fold", "rev"})
	mark := r.next().ZScore(r.ctx, key.Dirty(id.Partition()), "u:"+key.Itoa(id))
	return func() {
		f := hash()
		fold := f["fold"]
		if f["state"] != catalogue.UserActive {
			fold = ""
		}
		v.want, v.lagging = index.UserName(id, int64(f.Int("rev")), fold), c.young(mark)
	}
}

// readTagName reads what the list of tags should have of a tag.
func (c *checker) readTagName(r *reading, v *namedView) func() {
	box := key.TagContainer(forum.TagID(v.id))
	hash := r.hmget(key.Tag(forum.TagID(v.id)), []string{"name", "n"})
	topics := r.next().ZCard(r.ctx, box.Order(key.OrderCreated))
	newest := r.next().ZRevRangeWithScores(r.ctx, box.Order(key.OrderCreated), 0, 0)
	removed := r.next().ZRevRangeWithScores(r.ctx, box.Removed(), 0, 0)
	return func() {
		f := hash()
		v.want = index.Name{List: v.list, ID: v.id, Rev: int64(f.Int("n"))}
		for _, z := range newest.Val() {
			v.want.Fold = texts.Fold(f["name"])
			v.want.Scores = index.TagScores(topics.Val(), int64(z.Score))
			_, at, err := record.ParseMember(z.Member.(string))
			v.lagging = err == nil && at+lagLife > c.s.Now()
		}
		for _, z := range removed.Val() {
			v.lagging = v.lagging || forum.Time(z.Score)+lagLife > c.s.Now()
		}
	}
}

// inspectNameMembers checks members of an order: those that are not the entry of their user or tag do not belong there.
func (c *checker) inspectNameMembers(ctx context.Context, list key.Names, members []string) error {
	var ids []int64
	var known []string
	stray := func(member string) {
		out := fix{watch: []string{list.Order(key.OrderName)}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			for _, order := range list.OrderNames() {
				pipe.ZRem(ctx, list.Order(order), member)
			}
		}}
		c.add(target{kind: onNamed, key: string(list), text: member}, RuleNameList, list.Order(key.OrderName), out,
			"%q is not the entry of its user or tag", member)
	}
	for _, m := range members {
		if _, id, err := record.ParseNameMember(m); err == nil {
			ids, known = append(ids, id), append(known, m)
		} else {
			stray(m)
		}
	}
	views, err := c.readNamed(ctx, list, ids)
	if err != nil {
		return err
	}
	for i, v := range views {
		if known[i] != v.want.Member() && !v.lagging {
			stray(known[i])
		}
	}
	return nil
}

// inspectNamedAgain checks entries and members again.
func (c *checker) inspectNamedAgain(ctx context.Context, on []target) error {
	for _, list := range nameLists {
		var ids []int64
		var members []string
		for _, t := range on {
			switch {
			case t.key != string(list):
			case t.text != "":
				members = append(members, t.text)
			default:
				ids = append(ids, t.id)
			}
		}
		if err := groups(ids, func(ids []int64) error { return c.inspectNamed(ctx, list, ids) }); err != nil {
			return err
		}
		held := members[:0]
		for _, m := range members { // only those that are still there
			if c.rdb.Redis.HExists(ctx, list.Revisions(), m).Val() {
				c.addNoID(list, m)
				continue
			}
			for _, order := range list.OrderNames() {
				if err := c.rdb.Redis.ZScore(ctx, list.Order(order), m).Err(); err == nil {
					held = append(held, m)
					break
				}
			}
		}
		if err := groups(held, func(m []string) error { return c.inspectNameMembers(ctx, list, m) }); err != nil {
			return err
		}
	}
	return nil
}
