package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// A topic comes to the homes of its author and of all who follow the author, its category
// or a tag of it: at most FanOutPass in the mutation, the others by a task. Each pass goes
// by the topic as it is then, so that a deleted one is taken out in the same way.

var (
	homeOffer  = newScript("home_offer")
	homeBar    = newScript("home_bar")
	spreadRest = newScript("spread_rest")
)

// audience is those who follow one target, as far as a topic has not come to them yet.
type audience struct {
	target forum.Target
	after  *forum.Position
}

// String is how an audience stands in the cursor of a task: "u5" or "u5@score:member".
func (a audience) String() string {
	_, name, _ := strings.Cut(strings.TrimPrefix(followEdge(0, a.target).task(), "e:"), ":")
	if a.after == nil {
		return name
	}
	return name + "@" + micros(a.after.Score) + ":" + a.after.Member
}

func parseAudience(s string) (audience, error) {
	name, at, has := strings.Cut(s, "@")
	e, err := parseEdge("1:" + name)
	if err != nil || e.kind == blockUser {
		return audience{}, fmt.Errorf("%q is no audience", s)
	}
	a := audience{target: e.target()}
	if has {
		score, member, _ := strings.Cut(at, ":")
		n, err := strconv.ParseFloat(score, 64)
		if err != nil {
			return audience{}, fmt.Errorf("%q is no audience", s)
		}
		a.after = &forum.Position{Score: n, Member: member}
	}
	return a, nil
}

// target is what the edge follows.
func (e edge) target() forum.Target {
	switch e.kind {
	case followCategory:
		return forum.Target{Category: forum.CategoryID(e.to)}
	case followTag:
		return forum.Target{Tag: forum.TagID(e.to)}
	}
	return forum.Target{User: e.user()}
}

// audiences are those who get the topic from its present sources.
func (t topicState) audiences() []audience {
	var all []audience
	if t.author != 0 {
		all = append(all, audience{target: forum.Target{User: t.author}})
	}
	if t.category != 0 {
		all = append(all, audience{target: forum.Target{Category: t.category}})
	}
	for _, tag := range t.tags {
		all = append(all, audience{target: forum.Target{Tag: tag.ID}})
	}
	return all
}

// leftAudiences are those who got it from sources that it has left.
func (t topicState) leftAudiences() []audience {
	var all []audience
	for _, id := range t.left {
		all = append(all, audience{target: forum.Target{Category: id}})
	}
	for _, id := range t.leftTags {
		all = append(all, audience{target: forum.Target{Tag: id}})
	}
	return all
}

// audiencePage is a page of an audience that is read with what else goes out.
type audiencePage struct {
	audience
	count int
	rows  func() ([]forum.Row, error)
}

// readAudiences queues one page of each audience.
func readAudiences(r *Read, all []audience, count int) []audiencePage {
	pages := make([]audiencePage, len(all))
	for i, a := range all {
		key, _, _, _ := followEdge(0, a.target).far()
		get := r.Page(List{Name: key, key: key}, forum.Window{Count: count, After: a.after, Uncounted: true})
		pages[i] = audiencePage{audience: a, count: count, rows: func() ([]forum.Row, error) {
			page, err := get()
			return page.Rows, err
		}}
	}
	return pages
}

// take gives up to most of the followers on the pages, each once, and what is left.
func take(pages []audiencePage, most int) (homes []forum.UserID, left []audience, err error) {
	seen := map[forum.UserID]bool{}
	for _, p := range pages {
		if len(homes) >= most {
			left = append(left, p.audience)
			continue
		}
		rows, err := p.rows()
		if err != nil {
			return nil, nil, err
		}
		whole := len(rows) < p.count
		for i, row := range rows {
			if len(homes) >= most {
				rows, whole = rows[:i], false
				break
			}
			if id := forum.UserID(row.ID); !seen[id] {
				seen[id] = true
				homes = append(homes, id)
			}
		}
		if !whole {
			left = append(left, audience{p.target, &rows[len(rows)-1].Position})
		}
	}
	return homes, left, nil
}

// queueOffers queues the guards of homes: one for each partition.
func (s *Store) queueOffers(ctx context.Context, b *batch, t topicState, homes []forum.UserID) {
	now := s.Now()
	var sources []any
	if t.category != 0 {
		sources = append(sources, "c"+itoa(t.category))
	}
	for _, tag := range t.tags {
		sources = append(sources, "g"+itoa(tag.ID))
	}
	m := t.member()
	fixed := append([]any{itoa(t.id), int64(t.created), homeMember(m), m, t.rev, flag(t.open), itoa(t.author), int64(now),
		int64(now) - forum.InactiveAfter.Milliseconds(), s.sizes.home, s.sizes.low, streamKept, len(sources)}, sources...)
	homes = slices.Clone(homes)
	slices.SortFunc(homes, func(a, b forum.UserID) int { return int(a.Partition()) - int(b.Partition()) })
	for from := 0; from < len(homes); {
		p := homes[from].Partition()
		keys := append(s.goneKeys(p), dueKey(p))
		args := slices.Clone(fixed)
		for ; from < len(homes) && homes[from].Partition() == p; from++ {
			id := homes[from]
			keys = append(keys, userKey(id), homeKey(id), followingKey(id), taskKey(p, homeTask(id)), eventsKey(homeKey(id)))
			if len(sources) > 0 {
				keys = append(keys, subjectsKey(id), blockedKey(id), blockersKey(id))
			}
			args = append(args, itoa(id))
		}
		b.run(ctx, homeOffer, keys, args...)
	}
}

// hourOf numbers the hours, for what homes must not take.
func hourOf(t forum.Time) int64 { return int64(t) / forum.RemovalLife.Milliseconds() }

// goneKeys are what homes of the partition must not take now: clocks of processes may
// lie on both sides of an hour.
func (s *Store) goneKeys(p forum.Partition) []string {
	hour := hourOf(s.Now())
	return []string{goneKey(p, hour-1), goneKey(p, hour), goneKey(p, hour+1)}
}

// queueBars queues, in all partitions, that homes take no state of the topic that is
// older than this one.
func (s *Store) queueBars(ctx context.Context, b *batch, t topicState) {
	// Not the revision of this state: votes and comments change nothing for homes, and
	// must not keep those out who bring the topic there.
	least, hour := t.fan, hourOf(s.Now())
	if !t.open {
		least = "d"
	}
	expires := expireAt(forum.Time((hour + 2) * forum.RemovalLife.Milliseconds()))
	for p := range forum.Partitions {
		b.run(ctx, homeBar, []string{goneKey(forum.Partition(p), hour)}, itoa(t.id), least, expires)
	}
}

// barred tells whether homes may have met another state of the topic: of one that was
// just posted there is none.
func (t topicState) barred() bool { return t.fan != "1" }

// spreadTask is the name of the task that brings a topic to the homes that are left.
func spreadTask(id forum.TopicID) string { return "s:" + itoa(id) }

// fans are those to whom the topics of one call of index come, or from whom they go.
type fans struct {
	s   *Store
	ctx context.Context
	// pages are of the audiences that were read, by name; once each.
	pages map[string]audiencePage
	// left are those of the sources that a topic has left.
	left map[forum.TopicID][]audiencePage
}

// read queues what has to go with the indexes of topics that come to other homes than
// before, and after them: late writes are kept out, the author's own home is written, the
// audiences are read.
func (f *fans) read(b *batch, topics []topicState) {
	r := &Read{b: b, ctx: f.ctx}
	for _, t := range topics {
		if t.fan == "" {
			continue
		}
		if t.barred() {
			f.s.queueBars(f.ctx, b, t)
		}
		if t.author != 0 {
			f.s.queueOffers(f.ctx, b, t, []forum.UserID{t.author})
		}
		for _, a := range t.audiences() {
			if f.pages == nil {
				f.pages = map[string]audiencePage{}
			}
			if _, known := f.pages[a.String()]; !known {
				f.pages[a.String()] = readAudiences(r, []audience{a}, f.s.sizes.pass)[0]
			}
		}
	}
}

// readLeft queues the audiences of the sources that a topic has left, after it left them.
func (f *fans) readLeft(b *batch, t topicState) {
	if f.left == nil {
		f.left = map[forum.TopicID][]audiencePage{}
	}
	f.left[t.id] = readAudiences(&Read{b: b, ctx: f.ctx}, t.leftAudiences(), f.s.sizes.pass)
}

// spread brings topics to the first homes, and leaves the rest to tasks.
func (f *fans) spread(topics []topicState) error {
	left := map[forum.TopicID][]audience{}
	offers, b := 0, f.s.batch()
	send := func() error {
		if offers == 0 {
			return nil
		}
		f.s.step("home_offer")
		err := b.exec(f.ctx)
		if offers, b = 0, f.s.batch(); err != nil {
			return fmt.Errorf("bring topics home: %w", err)
		}
		return nil
	}
	for _, t := range topics {
		pages := f.left[t.id]
		if t.fan != "" {
			for _, a := range t.audiences() {
				pages = append(pages, f.pages[a.String()])
			}
		}
		homes, rest, err := take(pages, f.s.sizes.pass)
		if err != nil {
			return fmt.Errorf("homes of topic %d: %w", t.id, err)
		}
		if len(rest) > 0 {
			left[t.id] = rest
		}
		f.s.queueOffers(f.ctx, b, t, homes)
		if offers += len(homes); offers >= f.s.sizes.pass {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if err := send(); err != nil {
		return err
	}
	for _, t := range topics {
		if rest := left[t.id]; len(rest) > 0 {
			if err := f.s.spreadLater(f.ctx, t, rest); err != nil {
				return err
			}
		}
	}
	return nil
}

// spreadLater leaves the rest of a topic's audiences to a task.
func (s *Store) spreadLater(ctx context.Context, t topicState, left []audience) error {
	s.step("spread_rest")
	p, task := t.id.Partition(), spreadTask(t.id)
	err := s.run(ctx, spreadRest, []string{topicKey(t.id), dueKey(p), taskKey(p, task)}, t.fan, task, encodeAudiences(left), int64(s.Now())).Err()
	if err != nil {
		return fmt.Errorf("leave homes of topic %d to a task: %w", t.id, err)
	}
	return nil
}

func encodeAudiences(all []audience) string {
	texts := make([]string, len(all))
	for i, a := range all {
		texts[i] = a.String()
	}
	return strings.Join(texts, " ")
}

// passSpread brings a topic, as it is now, to up to FanOutPass homes.
func (s *Store) passSpread(ctx context.Context, id forum.TopicID, cursor string) (string, bool, error) {
	var all []audience
	for _, text := range strings.Fields(cursor) {
		a, err := parseAudience(text)
		if err != nil {
			return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
		}
		all = append(all, a)
	}
	if len(all) == 0 {
		return "", true, nil
	}
	b := s.batch()
	r := &Read{b: b, ctx: ctx}
	pages := readAudiences(r, all[:1], s.sizes.pass)
	state := b.pipe.HMGet(ctx, topicKey(id), topicStateFields...)
	if err := r.Exec(); err != nil {
		return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
	}
	homes, left, err := take(pages, s.sizes.pass)
	if err != nil {
		return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
	}
	t := parseTopicState(id, state.Val())
	if t.rev == 0 {
		return "", true, nil
	}
	s.step("home_offer")
	b = s.batch()
	s.queueOffers(ctx, b, t, homes)
	if err := b.exec(ctx); err != nil {
		return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
	}
	left = append(left, all[1:]...)
	return encodeAudiences(left), len(left) == 0, nil
}
