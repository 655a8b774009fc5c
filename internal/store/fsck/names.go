package fsck

import (
	"context"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// nameLists returns the lists of users or tags.
func nameLists(names key.Names) []check.List {
	lists := append(check.Sets(onNamed, check.OrdersOf(names)...), check.List{Key: names.Revisions(), Hash: true})
	for i := range lists {
		lists[i].On = check.Target{Kind: onNamed, Key: string(names)}
	}
	return lists
}

// namedEntry examines an entry of a list, by its id if it is a revision.
func (c *checker) namedEntry(l *check.Look, e check.Entry) {
	if id, err := strconv.ParseInt(e.Name, 10, 64); err == nil && id > 0 && e.Hash {
		l.On.ID, l.On.Text = id, ""
	}
	c.named(l)
}

// named compares the entry of a user or tag in its list.
func (c *checker) named(l *check.Look) {
	names, id := key.Names(l.On.Key), l.On.ID
	if l.On.Text != "" {
		c.namedMember(l, names, l.On.Text)
		return
	}
	want, lagging := c.nameOf(l, names, id)
	stored := l.Field(names.Revisions(), strconv.FormatInt(id, 10))
	member := want.Member()
	var scores []*redis.FloatCmd
	if member != "" {
		scores = l.Scores(check.OrdersOf(names), member)
	}
	l.Wait()
	rev, have, _ := strings.Cut(stored.Val(), " ")
	wrong := have != member || names == key.TagNames && member != "" && rev != strconv.FormatInt(want.Rev, 10)
	for i, score := range scores {
		at, _ := strconv.ParseFloat(want.Scores[i], 64)
		wrong = wrong || !check.Is(score) || score.Val() != at
	}
	if wrong && !lagging {
		again := check.Fix{Run: func(ctx context.Context) error { return c.relist(ctx, want, have) }}
		l.Add(RuleNameList, names.Revisions(), again, "%d is %q; want %q at %v", id, stored.Val(), member, want.Scores)
	}
}

// relist writes an entry again, whatever was written before.
func (c *checker) relist(ctx context.Context, want index.Name, have string) error {
	b := c.rdb.Batch()
	b.HDel(ctx, want.List.Revisions(), strconv.FormatInt(want.ID, 10))
	for _, order := range check.OrdersOf(want.List) {
		b.ZRem(ctx, order, have)
	}
	if err := b.Exec(ctx); err != nil {
		return err
	}
	if want.List == key.TagNames {
		return c.repairer.NameTag(ctx, forum.TagID(want.ID), "")
	}
	b = c.rdb.Batch()
	want.Queue(ctx, b, c.Engine.Now())
	return b.Exec(ctx)
}

// nameOf reads what a list should have of a user or tag, and whether the list may be outdated.
func (c *checker) nameOf(l *check.Look, list key.Names, id int64) (want index.Name, lagging bool) {
	if list != key.TagNames {
		user := forum.UserID(id)
		hash := l.Fields(key.User(user), index.UserFields)
		mark := l.Marked(user.Partition(), "u:"+key.Itoa(user))
		l.Wait()
		want = index.Name{List: list, ID: id}
		for _, entry := range index.UserNames(user, hash()) {
			if entry.List == list {
				want = entry
			}
		}
		return want, c.Young(mark)
	}
	l.Tag = forum.TagID(id)
	box := key.TagContainer(l.Tag)
	hash := l.Fields(key.Tag(l.Tag), []string{"name", "n"})
	topics := l.Size(box.Order(key.OrderCreated))
	newest := l.Next().ZRevRangeWithScores(l.Ctx, box.Order(key.OrderCreated), 0, 0)
	removed := l.Next().ZRevRangeWithScores(l.Ctx, box.Removed(), 0, 0)
	l.Wait()
	f := hash()
	want = index.Name{List: list, ID: id, Rev: int64(f.Int("n"))}
	for _, z := range newest.Val() {
		want.Fold = texts.Fold(f["name"])
		want.Scores = index.TagScores(topics.Val(), int64(z.Score))
		_, at, err := record.ParseMember(z.Member.(string))
		lagging = err == nil && at+check.LagLife > c.Engine.Now()
	}
	for _, z := range removed.Val() {
		lagging = lagging || forum.Time(z.Score)+check.LagLife > c.Engine.Now()
	}
	return want, lagging
}

// namedMember checks a member of the orders of a list: one that is not the entry of its user or tag does not belong
// there. Nor does a revision of what is no id.
func (c *checker) namedMember(l *check.Look, names key.Names, member string) {
	lost := l.Next().HExists(l.Ctx, names.Revisions(), member)
	scores := l.Scores(check.OrdersOf(names), member)
	l.Wait()
	if lost.Val() {
		l.Add(RuleNameList, names.Revisions(), check.Unset(names.Revisions(), member), "%q is no id", member)
	}
	if check.Count(scores) == 0 {
		return
	}
	if _, id, err := record.ParseNameMember(member); err == nil {
		if want, lagging := c.nameOf(l, names, id); lagging || want.Member() == member {
			return
		}
	}
	var drops []check.Fix
	for _, order := range check.OrdersOf(names) {
		drops = append(drops, check.Drop(order, member))
	}
	l.Add(RuleNameList, names.Order(key.OrderName), check.All(drops...), "%q is not the entry of its user or tag",
		member)
}
