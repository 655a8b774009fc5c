package homes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// A topic reaches the homes of its author and of all users who follow the author, its category or one of
// its tags: up to FanOutPass homes in the mutation, the others in a task. Each pass uses the topic's
// current state, so a deleted topic is removed in the same way.

// visit is a home that a topic is offered to.
type visit struct {
	owner forum.UserID
	// leaveOnly is whether the home can only lose the topic: its owner follows something that the topic has
	// left. Anything else that the owner follows has brought the topic itself.
	leaveOnly bool
}

// audiencePage is a page of an audience that is read in the same pipeline as other things.
type audiencePage struct {
	record.Audience
	count int
	rows  func() ([]forum.Row, error)
}

// readAudiences queues one page of each audience.
func readAudiences(r *engine.Read, all []record.Audience, count int) []audiencePage {
	pages := make([]audiencePage, len(all))
	for i, a := range all {
		followers := record.FollowEdge(0, a.Target).Reverse().Key
		get := listing.On(r).Page(listing.List{Name: followers, Key: followers},
			forum.Window{Count: count, After: a.After, Uncounted: true})
		pages[i] = audiencePage{Audience: a, count: count, rows: func() ([]forum.Row, error) {
			page, err := get()
			return page.Rows, err
		}}
	}
	return pages
}

// readEnded queues one page of the users who stopped following the target of an audience.
func readEnded(r *engine.Read, a record.Audience, count int) audiencePage {
	followers := record.FollowEdge(0, a.Target).Reverse().Key
	get := listing.On(r).Page(listing.List{Name: followers, Key: key.Ended(followers)},
		forum.Window{Count: count, Uncounted: true})
	return audiencePage{Audience: a, count: count, rows: func() ([]forum.Row, error) {
		page, err := get()
		return page.Rows, err
	}}
}

// take returns up to most homes of the followers on the pages, without duplicates, and the audiences that
// remain. The audiences in left only lose the topic.
func take(pages, left []audiencePage, most int) (homes []visit, rest []record.Audience, err error) {
	seen := map[forum.UserID]bool{}
	for n, p := range slices.Concat(pages, left) {
		if len(homes) >= most {
			rest = append(rest, p.Audience)
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
			rest = append(rest, record.Audience{Target: p.Target, After: &rows[len(rows)-1].Position})
		}
	}
	return homes, rest, nil
}

// queueOffers queues the scripts that offer the topic to homes: one for each partition, which then refuses
// older states of the topic.
func (s *Store) queueOffers(ctx context.Context, b *pipeline.Batch, t record.TopicState, homes []visit) {
	now := s.engine.Now()
	var sources []string
	if t.Category != 0 {
		sources = append(sources, "c"+key.Itoa(t.Category))
	}
	for _, tag := range t.Tags {
		sources = append(sources, "g"+key.Itoa(tag.ID))
	}
	m := t.Member()
	offer := script.HomeOffer{
		Topic: t.ID, Created: t.Created, Member: record.HomeMember(m), WatermarkMember: m, Rev: t.Rev,
		Open: t.Public, Author: t.Author,
		Now: now, ActiveSince: now - forum.Time(forum.InactiveAfter.Milliseconds()),
		Most: int64(s.engine.Limits.Home), Low: int64(s.engine.Limits.HomeLow), Kept: record.StreamKept,
		Refuse: t.Fence(), FenceExpires: s.fenceExpiry(), Sources: sources,
	}
	homes = slices.Clone(homes)
	slices.SortFunc(homes, func(a, b visit) int { return int(a.owner.Partition()) - int(b.owner.Partition()) })
	for from := 0; from < len(homes); {
		p := homes[from].owner.Partition()
		offer.FenceBefore, offer.Fence, offer.FenceNext = fences(s.engine.Now(), p)
		offer.Due, offer.Homes = key.Due(p), nil
		for ; from < len(homes) && homes[from].owner.Partition() == p; from++ {
			id := homes[from].owner
			home := script.HomeOfferHome{
				Owner: key.User(id), Home: key.Home(id), Following: key.Following(id),
				Task: key.Task(p, record.HomeTask(id)), Events: key.Events(key.Home(id)), User: key.Itoa(id),
			}
			if len(sources) > 0 {
				home.Subjects, home.Blocked, home.Blockers = key.Subjects(id), key.Blocked(id), key.Blockers(id)
			}
			if homes[from].leaveOnly {
				home.User = "-" + home.User
			}
			offer.Homes = append(offer.Homes, home)
		}
		b.Run(ctx, offer)
	}
}

// hourOf numbers the hours by which fences are stored.
func hourOf(t forum.Time) int64 { return int64(t) / forum.RemovalLife.Milliseconds() }

// fences returns the keys of the partition's fences for the last hour, this one and the next, because the
// clocks of processes may be on both sides of an hour.
func fences(at forum.Time, p forum.Partition) (before, now, next string) {
	hour := hourOf(at)
	return key.HomeFence(p, hour-1), key.HomeFence(p, hour), key.HomeFence(p, hour+1)
}

// queueFences queues fences in some partitions: homes there refuse states of the topic older than this one.
func (s *Store) queueFences(ctx context.Context, b *pipeline.Batch, t record.TopicState, partitions []forum.Partition) {
	for _, p := range partitions {
		b.Run(ctx, script.HomeFence{
			Fence: key.HomeFence(p, hourOf(s.engine.Now())), Topic: t.ID, Refuse: t.Fence(), Expires: s.fenceExpiry(),
		})
	}
}

// fenceExpiry returns when Redis drops a fence that is set now.
func (s *Store) fenceExpiry() string {
	return record.ExpireAt(forum.Time((hourOf(s.engine.Now()) + 2) * forum.RemovalLife.Milliseconds()))
}

// fanOutLater leaves the rest of a topic's audiences to a task.
func (s *Store) fanOutLater(ctx context.Context, t record.TopicState, left []record.Audience) error {
	s.engine.Step("fan_out_rest")
	p, task := t.ID.Partition(), record.FanOutTask(t.ID)
	err := s.engine.Client.Run(ctx, script.FanOutRest{
		Topic: key.Topic(t.ID), Due: key.Due(p), Task: key.Task(p, task),
		Fan: t.Fan, TaskName: task, Audiences: record.EncodeAudiences(left), Now: s.engine.Now(),
	}).Err()
	if err != nil {
		return fmt.Errorf("leave homes of topic %d to a task: %w", t.ID, err)
	}
	return nil
}

// runFanOut writes a topic, in its current state, into up to FanOutPass homes.
func (s *Store) runFanOut(ctx context.Context, id forum.TopicID, cursor string) (string, bool, error) {
	var all []record.Audience
	for _, text := range strings.Fields(cursor) {
		a, err := record.ParseAudience(text)
		if err != nil {
			return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
		}
		all = append(all, a)
	}
	if len(all) == 0 {
		return "", true, nil
	}
	b := s.engine.Client.Batch()
	r := s.engine.ReadIn(ctx, b)
	pages := readAudiences(r, all[:1], s.engine.Limits.FanOutPass)
	state := record.GetTopicState(ctx, b, id) // after its followers, as in fanOut.read
	if err := r.Exec(); err != nil {
		return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
	}
	t := state()
	if t.Rev == 0 {
		return "", true, nil
	}
	var leaving []audiencePage
	if !slices.Contains(t.Audiences(), all[0].Whole()) {
		pages, leaving = nil, pages
	}
	homes, left, err := take(pages, leaving, s.engine.Limits.FanOutPass)
	if err != nil {
		return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
	}
	s.engine.Step("home_offer")
	b = s.engine.Client.Batch()
	s.queueOffers(ctx, b, t, homes)
	if err := b.Exec(ctx); err != nil {
		return "", false, fmt.Errorf("homes of topic %d: %w", id, err)
	}
	left = append(left, all[1:]...)
	return record.EncodeAudiences(left), len(left) == 0, nil
}
