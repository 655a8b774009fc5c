package homes

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Revalidation is RevalidateHome in pipelines that are sent with other commands: the sources of a home are
// read together with the home, for the sources that it had just before. If the sources have changed by
// then, the home is revalidated from the beginning.
type Revalidation struct {
	s   *Store
	ctx context.Context
	id  forum.UserID
	// before is the home and its sources as first read.
	before HomeView
	// again is the home as read just before its sources; nil if it was not read again, and before applies.
	again   *redis.Cmd
	ranges  map[string]*redis.StringSliceCmd
	authors map[int64]*redis.StringCmd // of topics whose authors may be in a block
}

// QueueView queues reading a home and its sources.
func (s *Store) QueueView(ctx context.Context, b *pipeline.Batch, id forum.UserID, topics bool) *redis.Cmd {
	return b.Run(ctx, script.HomeSources{
		Owner: key.User(id), Following: key.Following(id), Subjects: key.Subjects(id),
		Blocked: key.Blocked(id), Blockers: key.Blockers(id), Home: key.Home(id), WithTopics: topics,
	})
}

// ReadView returns the result of QueueView; nil if it failed.
func (s *Store) ReadView(ctx context.Context, id forum.UserID, cmd *redis.Cmd) *HomeView {
	of, err := script.HomeSources{}.Result(cmd.Result())
	if err != nil {
		return nil
	}
	v := s.newHomeView(ctx, id, of)
	return &v
}

// Revalidation begins the revalidation of a home; before is nil if it was not read.
func (s *Store) Revalidation(ctx context.Context, id forum.UserID, before *HomeView) *Revalidation {
	l := &Revalidation{s: s, ctx: ctx, id: id}
	if before != nil {
		l.before = *before
	}
	return l
}

// ReadAgain queues reading the home again, which must come before its sources.
func (l *Revalidation) ReadAgain(b *pipeline.Batch) { l.again = l.s.QueueView(l.ctx, b, l.id, true) }

// ReadSources queues reading the topics of the sources. blocked are users in a block with the owner that
// began after the home was first read.
func (l *Revalidation) ReadSources(b *pipeline.Batch, blocked ...forum.UserID) {
	keys := l.before.keys()
	if !l.before.active || l.again == nil && len(l.before.topics) == 0 || len(keys) > rangesAtOnce {
		return
	}
	for _, id := range blocked {
		l.before.blockedUsers[id] = true
	}
	l.ranges = make(map[string]*redis.StringSliceCmd, len(keys))
	for _, key := range keys {
		l.ranges[key] = b.ZRangeByScore(l.ctx, key, &redis.ZRangeBy{Min: l.before.least(), Max: "+inf"})
	}
	l.authors = map[int64]*redis.StringCmd{}
	for _, m := range l.before.topics {
		if id, err := strconv.ParseInt(m, 16, 64); err == nil && l.before.maybeBlocked(id) {
			l.authors[id] = b.HGet(l.ctx, key.Topic(forum.TopicID(id)), "author")
		}
	}
}

// maybeBlocked reports whether the author of a topic may be in a block with the owner: a topic is in its
// author's partition.
func (v HomeView) maybeBlocked(topic int64) bool {
	for user := range v.blockedUsers {
		if user.Partition() == forum.TopicID(topic).Partition() {
			return true
		}
	}
	return false
}

// least returns the time of posting down to which sources are read.
func (v HomeView) least() string {
	if _, created, err := record.ParseMember(v.watermark); err == nil {
		return key.Itoa(created)
	}
	return "-inf"
}

// strays returns the home and those of its members that none of its sources holds. known reports whether
// the data that were read suffice.
func (l *Revalidation) strays() (v HomeView, members []string, known bool) {
	v = l.before
	if l.again != nil {
		again := l.s.ReadView(l.ctx, l.id, l.again)
		if again == nil {
			return v, nil, false
		}
		v = *again
	}
	if !v.active || len(v.topics) == 0 {
		return v, nil, l.before.active // inactive before: it was not read
	}
	if v.watermark < l.before.watermark {
		return v, nil, false
	}
	held, unverified := map[int64]bool{}, map[int64]bool{}
	for i, key := range v.keys() {
		cmd := l.ranges[key]
		if cmd == nil {
			return v, nil, false
		}
		for _, m := range cmd.Val() {
			if m <= v.watermark {
				continue
			}
			if id, _, _ := record.ParseMember(m); i < len(v.users) {
				held[id] = true
			} else {
				unverified[id] = true
			}
		}
	}
	for _, m := range v.topics {
		id, _ := strconv.ParseInt(m, 16, 64)
		if unverified[id] && !held[id] && v.maybeBlocked(id) {
			author := l.authors[id]
			if author == nil {
				return v, nil, false
			}
			unverified[id] = !v.blockedUsers[forum.UserID(record.Atoi(author.Val()))]
		}
		if !held[id] && !unverified[id] {
			members = append(members, m)
		}
	}
	return v, members, true
}

// FinishRevalidations removes from homes the topics that none of their sources holds, in one round trip
// with the commands queued in b.
func (s *Store) FinishRevalidations(ctx context.Context, b *pipeline.Batch, all ...*Revalidation) error {
	drops := make([]*redis.Cmd, len(all))
	dropping := false
	for i, l := range all {
		v, members, known := l.strays()
		if known && len(members) == 0 {
			all[i] = nil
		} else if known {
			drops[i], dropping = s.queueDrop(ctx, b, l.id, v.epoch, members), true
		}
	}
	if dropping {
		s.engine.Step("home_drop")
	}
	if b.Len() > 0 {
		if err := b.Exec(ctx); err != nil {
			return err
		}
	}
	for i, l := range all {
		if l == nil {
			continue
		}
		if drops[i] != nil {
			if done, err := drops[i].Bool(); err != nil || done {
				continue // exec returned the error
			}
		}
		if err := s.RevalidateHome(ctx, l.id); err != nil {
			return err
		}
	}
	return nil
}
