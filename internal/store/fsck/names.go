package fsck

import (
	"context"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// nameLists returns the lists of users or tags.
func nameLists(names key.Names) []list {
	lists := append(sets(onNamed, ordersOf(names)...), list{key: names.Revisions(), hash: true})
	for i := range lists {
		lists[i].on, lists[i].first = target{kind: onNamed, key: string(names)}, (*look).namedEntry
	}
	return lists
}

// namedEntry examines an entry of a list, by its id if it is a revision.
func (l *look) namedEntry(e entry) {
	if id, err := strconv.ParseInt(e.name, 10, 64); err == nil && id > 0 && e.hash {
		l.on.id, l.on.text = id, ""
	}
	l.named()
}

// named compares the entry of a user or tag in its list.
func (l *look) named() {
	names, id := key.Names(l.on.key), l.on.id
	if l.on.text != "" {
		l.namedMember(names, l.on.text)
		return
	}
	want, lagging := l.nameOf(names, id)
	stored := l.field(names.Revisions(), strconv.FormatInt(id, 10))
	member := want.Member()
	var scores []*redis.FloatCmd
	if member != "" {
		scores = l.scores(ordersOf(names), member)
	}
	l.wait()
	rev, have, _ := strings.Cut(stored.Val(), " ")
	wrong := have != member || names == key.TagNames && member != "" && rev != strconv.FormatInt(want.Rev, 10)
	for i, score := range scores {
		at, _ := strconv.ParseFloat(want.Scores[i], 64)
		wrong = wrong || !is(score) || score.Val() != at
	}
	if wrong && !lagging {
		again := fix{run: func(ctx context.Context) error { return l.relist(ctx, want, have) }}
		l.add(RuleNameList, names.Revisions(), again, "%d is %q; want %q at %v", id, stored.Val(), member, want.Scores)
	}
}

// relist writes an entry again, whatever was written before.
func (c *checker) relist(ctx context.Context, want index.Name, have string) error {
	b := c.rdb.Batch()
	b.HDel(ctx, want.List.Revisions(), strconv.FormatInt(want.ID, 10))
	for _, order := range ordersOf(want.List) {
		b.ZRem(ctx, order, have)
	}
	if err := b.Exec(ctx); err != nil {
		return err
	}
	if want.List == key.TagNames {
		return c.repairer.NameTag(ctx, forum.TagID(want.ID), "")
	}
	b = c.rdb.Batch()
	want.Queue(ctx, b, c.s.Engine.Now())
	return b.Exec(ctx)
}

// nameOf reads what a list should have of a user or tag, and whether the list may be outdated.
func (l *look) nameOf(list key.Names, id int64) (want index.Name, lagging bool) {
	if list != key.TagNames {
		user := forum.UserID(id)
		hash := l.hmget(key.User(user), index.UserFields)
		mark := l.marked(user.Partition(), "u:"+key.Itoa(user))
		l.wait()
		want = index.Name{List: list, ID: id}
		for _, entry := range index.UserNames(user, hash()) {
			if entry.List == list {
				want = entry
			}
		}
		return want, l.young(mark)
	}
	l.tag = forum.TagID(id)
	box := key.TagContainer(l.tag)
	hash := l.hmget(key.Tag(l.tag), []string{"name", "n"})
	topics := l.size(box.Order(key.OrderCreated))
	newest := l.next().ZRevRangeWithScores(l.ctx, box.Order(key.OrderCreated), 0, 0)
	removed := l.next().ZRevRangeWithScores(l.ctx, box.Removed(), 0, 0)
	l.wait()
	f := hash()
	want = index.Name{List: list, ID: id, Rev: int64(f.Int("n"))}
	for _, z := range newest.Val() {
		want.Fold = texts.Fold(f["name"])
		want.Scores = index.TagScores(topics.Val(), int64(z.Score))
		_, at, err := record.ParseMember(z.Member.(string))
		lagging = err == nil && at+lagLife > l.s.Engine.Now()
	}
	for _, z := range removed.Val() {
		lagging = lagging || forum.Time(z.Score)+lagLife > l.s.Engine.Now()
	}
	return want, lagging
}

// namedMember checks a member of the orders of a list: one that is not the entry of its user or tag does not belong
// there. Nor does a revision of what is no id.
func (l *look) namedMember(names key.Names, member string) {
	lost := l.next().HExists(l.ctx, names.Revisions(), member)
	scores := l.scores(ordersOf(names), member)
	l.wait()
	if lost.Val() {
		l.add(RuleNameList, names.Revisions(), unset(names.Revisions(), member), "%q is no id", member)
	}
	if count(scores) == 0 {
		return
	}
	if _, id, err := record.ParseNameMember(member); err == nil {
		if want, lagging := l.nameOf(names, id); lagging || want.Member() == member {
			return
		}
	}
	var drops []fix
	for _, order := range ordersOf(names) {
		drops = append(drops, drop(order, member))
	}
	l.add(RuleNameList, names.Order(key.OrderName), all(drops...), "%q is not the entry of its user or tag", member)
}
