package homes

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// FanOut writes the topics of one change.Set into homes, or removes them.
//
// A process that read a state of a topic long ago must not write it into a home that has a newer one. So
// each home refuses states older than those that it was offered (home_offer), and an older state reaches no
// other homes: its audiences count only if the topic was still in that state after they were read
// (home_current). A later change of the topic finds the same followers, or the tombstones of users who
// stopped following, which are kept for as long as states may come late (docs/architecture/social.md,
// "Fan-out").
type FanOut struct {
	s   *Store
	ctx context.Context
	// pages are the first pages of the audiences that were read, and ended those of users who stopped
	// following; by name, each read once.
	pages, ended map[string]audiencePage
	// checks report whether topics were still in the state that was read.
	checks  map[forum.TopicID]*redis.Cmd
	leaving Leaving // nil for none
}

// Leaving is the cleanup after a topic that was deleted, hidden or restored, which is sent with the writes to homes.
type Leaving interface {
	// States returns the comments that leave their authors' lists, or return there.
	States() []record.CommentState
	// Drop queues what is sent with the indexes, Forget what is sent after that.
	Drop(*pipeline.Batch)
	Forget(*pipeline.Batch)
}

// arrival is the work on the homes of one topic.
type arrival struct {
	state  record.TopicState
	homes  []visit
	rest   []record.Audience // for a task
	fences []forum.Partition // with homes that may have an older state and are not visited
	again  []audiencePage    // audiences that the topic has left, read after it left
	check  *redis.Cmd        // sent after again
}

// FanOut returns what writes the topics of one change.Set into homes; leaving is that of the set.
func (s *Store) FanOut(ctx context.Context, leaving Leaving) *FanOut {
	return &FanOut{s: s, ctx: ctx, leaving: leaving}
}

// Read queues what must run with the index writes of topics that reach other homes than before, and after
// them: it writes the author's own home and reads the audiences.
func (f *FanOut) Read(b *pipeline.Batch, topics []record.TopicState) {
	f.pages, f.ended, f.checks = map[string]audiencePage{}, map[string]audiencePage{}, map[forum.TopicID]*redis.Cmd{}
	r := f.s.engine.ReadIn(f.ctx, b)
	for _, t := range topics {
		if t.Fan != "" {
			if t.Author != 0 {
				f.s.queueOffers(f.ctx, b, t, []visit{{owner: t.Author}})
			}
			f.readAll(r, t, t.Audiences())
		}
		f.readAll(r, t, t.FormerAudiences())
	}
	for _, t := range topics {
		if t.Fan != "" || t.HasFormer {
			f.checks[t.ID] = f.queueCheck(b, t)
		}
	}
	if f.leaving != nil {
		f.leaving.Drop(b)
	}
}

// readAll queues the first page of each audience, and then the users who stopped following. In this order,
// users who stop concurrently are not missed.
func (f *FanOut) readAll(r *engine.Read, t record.TopicState, all []record.Audience) {
	for _, a := range all {
		name := a.String()
		if _, known := f.pages[name]; !known {
			f.pages[name] = readAudiences(r, []record.Audience{a}, f.s.engine.Limits.FanOutPass)[0]
		}
		if _, known := f.ended[name]; !known && t.Fence() != "" {
			f.ended[name] = readEnded(r, a, f.s.engine.Limits.FanOutPass)
		}
	}
}

// queueCheck queues the check that the state still decides the topic's homes. It must run after the
// audiences were read. A pipeline to one Redis runs in order; a cluster client would need a round trip of
// its own.
func (f *FanOut) queueCheck(b *pipeline.Batch, t record.TopicState) *redis.Cmd {
	return b.Run(f.ctx, script.HomeCurrent{Topic: key.Topic(t.ID), Rev: t.Rev, WantedFan: t.Fan})
}

// arrival returns the work on the homes of a topic, or nil if its state is out of date: the writer of the
// newer state does that work.
func (f *FanOut) arrival(t record.TopicState) (*arrival, error) {
	check := f.checks[t.ID]
	if check == nil {
		return &arrival{state: t}, nil
	}
	if current, err := check.Bool(); err != nil || !current {
		return nil, err
	}
	var come, left []audiencePage
	if t.Fan != "" {
		come = f.found(f.pages, t.Audiences())
	}
	left = f.found(f.pages, t.FormerAudiences())
	a := &arrival{state: t}
	var err error
	if a.homes, a.rest, err = take(come, left, f.s.engine.Limits.FanOutPass); err != nil || t.Fence() == "" {
		return a, err
	}
	past, more, err := take(nil, f.found(f.ended, append(t.Audiences(), t.FormerAudiences()...)),
		f.s.engine.Limits.FanOutPass)
	if len(a.rest)+len(more) > 0 {
		a.fences = key.AllPartitions()
		return a, err
	}
	for _, v := range past {
		p := v.owner.Partition()
		if !slices.Contains(a.fences, p) &&
			!slices.ContainsFunc(a.homes, func(v visit) bool { return v.owner.Partition() == p }) {
			a.fences = append(a.fences, p)
		}
	}
	return a, err
}

// found returns the pages of the audiences that were read.
func (f *FanOut) found(pages map[string]audiencePage, all []record.Audience) []audiencePage {
	var found []audiencePage
	for _, a := range all {
		if p, ok := pages[a.String()]; ok {
			found = append(found, p)
		}
	}
	return found
}

// Run removes topics from what they have left, writes them into the first homes, and leaves the rest to
// tasks. It reports for each topic whether its state was current.
func (f *FanOut) Run(topics []record.TopicState) (current []bool, err error) {
	current = make([]bool, len(topics))
	e := f.s.engine.Entries()
	var all []*arrival
	for i, t := range topics {
		a, err := f.arrival(t)
		if err != nil {
			return nil, fmt.Errorf("homes of topic %d: %w", t.ID, err)
		}
		if a != nil {
			current[i], all = true, append(all, a)
		}
	}
	if err := f.leave(e, all); err != nil {
		return nil, err
	}
	for i, t := range topics {
		if !current[i] {
			continue
		}
		a := all[0]
		all = all[1:]
		if a.check != nil {
			if current[i], err = f.afterwards(a); err != nil {
				return nil, fmt.Errorf("homes of topic %d: %w", t.ID, err)
			}
		}
		if current[i] && len(a.rest) > 0 {
			if err := f.s.fanOutLater(f.ctx, t, a.rest); err != nil {
				return nil, err
			}
		}
	}
	return current, nil
}

// leave removes topics from what they have left and then writes them into homes: in one round trip, unless
// there are more homes than one pass handles.
func (f *FanOut) leave(e *index.Entries, all []*arrival) error {
	for _, a := range all {
		if a.state.HasFormer {
			e.Leave(a.state)
		}
	}
	if !e.Empty() {
		f.s.engine.Step("leave")
	}
	if f.leaving != nil {
		f.s.engine.Step("forget_bookmarkers")
	}
	part, all := f.part(all)
	if queued(part) {
		f.s.engine.Step("home_offer")
	}
	err := f.s.engine.WriteIndexes(f.ctx, e, func(b *pipeline.Batch) {
		r := f.s.engine.ReadIn(f.ctx, b)
		for _, a := range slices.Concat(part, all) {
			if left := a.state.FormerAudiences(); len(left) > 0 {
				// Users who followed one of these before the topic left it got the topic from there.
				a.again = readAudiences(r, left, f.s.engine.Limits.FanOutPass)
				a.check = f.queueCheck(b, a.state)
			}
		}
		f.offer(b, part)
		if f.leaving != nil {
			f.leaving.Forget(b)
		}
	})
	for err == nil && len(all) > 0 {
		if part, all = f.part(all); !queued(part) {
			continue
		}
		f.s.engine.Step("home_offer")
		b := f.s.engine.Client.Batch()
		f.offer(b, part)
		err = b.Exec(f.ctx)
	}
	if err != nil {
		return fmt.Errorf("write topics into homes: %w", err)
	}
	return nil
}

// part splits off the topics whose homes fit into one pass.
func (f *FanOut) part(all []*arrival) (part, rest []*arrival) {
	n, homes := 0, 0
	for n < len(all) && homes < f.s.engine.Limits.FanOutPass {
		homes += len(all[n].homes)
		n++
	}
	return all[:n], all[n:]
}

// queued reports whether offer has anything to queue.
func queued(all []*arrival) bool {
	return slices.ContainsFunc(all, func(a *arrival) bool { return len(a.homes)+len(a.fences) > 0 })
}

func (f *FanOut) offer(b *pipeline.Batch, all []*arrival) {
	for _, a := range all {
		f.s.queueOffers(f.ctx, b, a.state, a.homes)
		f.s.queueFences(f.ctx, b, a.state, a.fences)
	}
}

// afterwards removes a topic from the homes of users who started to follow something that the topic was
// about to leave. It reports whether the topic's state is still current.
func (f *FanOut) afterwards(a *arrival) (current bool, err error) {
	if current, err = a.check.Bool(); err != nil || !current {
		return false, err
	}
	homes, rest, err := take(nil, a.again, f.s.engine.Limits.FanOutPass)
	if err != nil {
		return false, err
	}
	late := &arrival{state: a.state, homes: slices.DeleteFunc(homes, func(v visit) bool {
		return slices.ContainsFunc(a.homes, func(known visit) bool { return known.owner == v.owner })
	})}
	for _, r := range rest {
		if !slices.ContainsFunc(a.rest, func(known record.Audience) bool { return known.Target == r.Target }) {
			a.rest = append(a.rest, r)
			if a.state.Fence() != "" {
				late.fences = key.AllPartitions()
			}
		}
	}
	if !queued([]*arrival{late}) {
		return true, nil
	}
	f.s.engine.Step("home_offer")
	b := f.s.engine.Client.Batch()
	f.offer(b, []*arrival{late})
	return true, b.Exec(f.ctx)
}
