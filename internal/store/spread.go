package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/pipeline"
)

// A topic comes to the homes of its author and of all who follow the author, its category
// or a tag of it: at most FanOutPass in the mutation, the others by a task. Each pass goes
// by the topic as it is then, so that a deleted one is taken out in the same way.

var (
	homeOffer   = newScript("home_offer")
	homeBar     = newScript("home_bar")
	homeCurrent = newScript("home_current")
	spreadRest  = newScript("spread_rest")
)

// visit is a home that a topic comes to.
type visit struct {
	owner forum.UserID
	// only is whether the home can only lose the topic: its owner follows what the topic
	// has left, and whatever else the owner follows by now has brought the topic itself.
	only bool
}

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

// whole is the audience from its beginning.
func (a audience) whole() audience { return audience{target: a.target} }

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

// readEnded queues one page of those who ended to follow the target of an audience.
func readEnded(r *Read, a audience, count int) audiencePage {
	key, _, _, _ := followEdge(0, a.target).far()
	get := r.Page(List{Name: key, key: endedKey(key)}, forum.Window{Count: count, Uncounted: true})
	return audiencePage{audience: a, count: count, rows: func() ([]forum.Row, error) {
		page, err := get()
		return page.Rows, err
	}}
}

// take returns up to most homes of the followers on the pages, each once, and what is left.
// The audiences in left only lose the topic.
func take(pages, left []audiencePage, most int) (homes []visit, rest []audience, err error) {
	seen := map[forum.UserID]bool{}
	for n, p := range slices.Concat(pages, left) {
		if len(homes) >= most {
			rest = append(rest, p.audience)
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
				homes = append(homes, visit{id, n >= len(pages)})
			}
		}
		if !whole {
			rest = append(rest, audience{p.target, &rows[len(rows)-1].Position})
		}
	}
	return homes, rest, nil
}

// queueOffers queues the guards of homes: one for each partition, which then refuses older
// states of the topic.
func (s *Store) queueOffers(ctx context.Context, b *pipeline.Batch, t topicState, homes []visit) {
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
		int64(now) - forum.InactiveAfter.Milliseconds(), s.sizes.home, s.sizes.low, streamKept,
		t.bar(), s.barExpiry(), len(sources)}, sources...)
	homes = slices.Clone(homes)
	slices.SortFunc(homes, func(a, b visit) int { return int(a.owner.Partition()) - int(b.owner.Partition()) })
	for from := 0; from < len(homes); {
		p := homes[from].owner.Partition()
		keys := append(s.goneKeys(p), dueKey(p))
		args := slices.Clone(fixed)
		for ; from < len(homes) && homes[from].owner.Partition() == p; from++ {
			id := homes[from].owner
			keys = append(keys, userKey(id), homeKey(id), followingKey(id), taskKey(p, homeTask(id)), eventsKey(homeKey(id)))
			if len(sources) > 0 {
				keys = append(keys, subjectsKey(id), blockedKey(id), blockersKey(id))
			}
			if homes[from].only {
				args = append(args, "-"+itoa(id))
			} else {
				args = append(args, itoa(id))
			}
		}
		b.Run(ctx, homeOffer, keys, args...)
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

// queueBars queues, in some partitions, that homes take no state of the topic that is
// older than this one.
func (s *Store) queueBars(ctx context.Context, b *pipeline.Batch, t topicState, partitions []forum.Partition) {
	for _, p := range partitions {
		b.Run(ctx, homeBar, []string{goneKey(p, hourOf(s.Now()))}, itoa(t.id), t.bar(), s.barExpiry())
	}
}

// barExpiry is when Redis drops what homes must not take from now on.
func (s *Store) barExpiry() string {
	return expireAt(forum.Time((hourOf(s.Now()) + 2) * forum.RemovalLife.Milliseconds()))
}

// bar is what homes refuse once they have met this state of the topic, "" for nothing: of a
// topic that was just posted there is no older state.
func (t topicState) bar() string {
	switch {
	case t.fan == "1":
		return ""
	case !t.open:
		return "d"
	}
	// Not the revision of this state: votes and comments change nothing for homes, and
	// must not keep those out who bring the topic there.
	return t.fan
}

// spreadTask is the name of the task that brings a topic to the homes that are left.
func spreadTask(id forum.TopicID) string { return "s:" + itoa(id) }

// spreadLater leaves the rest of a topic's audiences to a task.
func (s *Store) spreadLater(ctx context.Context, t topicState, left []audience) error {
	s.step("spread_rest")
	p, task := t.id.Partition(), spreadTask(t.id)
	err := s.rdb.Run(ctx, spreadRest, []string{topicKey(t.id), dueKey(p), taskKey(p, task)}, t.fan, task, encodeAudiences(left), int64(s.Now())).Err()
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
	b := s.rdb.Batch()
	r := &Read{s: s, b: b, ctx: ctx}
	pages := readAudiences(r, all[:1], s.sizes.pass)
	state := b.HMGet(ctx, topicKey(id), topicStateFields...) // after its followers, as in fans.read
	if err := r.Exec(); err != nil {
		return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
	}
	t := parseTopicState(id, state.Val())
	if t.rev == 0 {
		return "", true, nil
	}
	var gone []audiencePage
	if !slices.Contains(t.audiences(), all[0].whole()) {
		pages, gone = nil, pages
	}
	homes, left, err := take(pages, gone, s.sizes.pass)
	if err != nil {
		return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
	}
	s.step("home_offer")
	b = s.rdb.Batch()
	s.queueOffers(ctx, b, t, homes)
	if err := b.Exec(ctx); err != nil {
		return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
	}
	left = append(left, all[1:]...)
	return encodeAudiences(left), len(left) == 0, nil
}
