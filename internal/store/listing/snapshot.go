package listing

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/singleflight"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/turns"
)

// A snapshot is a timeline whose order changes all the time or is requested too rarely to be stored: the
// first thousand topics as of one instant. There is at most one per minute; the first caller in a minute
// takes it, under a lease, and all others in that minute read the same one. If that takes long they read the
// one before meanwhile, which is at most SnapshotsBack minutes older. Cursors contain the minute and a position.

const (
	// snapshotPoll is how often waiting callers check for the snapshot.
	snapshotPoll = 20 * time.Millisecond
	// snapshotsAtOnce is the maximum number of snapshots that a process takes concurrently.
	snapshotsAtOnce = 2
	// snapshotPass is how many topics are read in one round trip.
	snapshotPass = 1000
	// candidateCost is how many microseconds of a core it takes to read a topic with its votes, and to rank it.
	candidateCost = 3
	// snapshotPatience is how long readers wait for a snapshot if there is a recent one.
	snapshotPatience = 100 * time.Millisecond
)

// Builds are the snapshots that a process takes, each once at a time.
type Builds struct {
	flight singleflight.Group
	turns  sync.Map   // those that take them, by name
	mu     sync.Mutex // guards running.Add
	// running are the goroutines that take them. Each ends with its snapshot, and at the latest after two leases or when
	// closing ends.
	running sync.WaitGroup
	closing context.Context
	close   context.CancelFunc
	slots   chan struct{} // bounds how many are chosen concurrently
}

// NewBuilds returns no builds.
func NewBuilds() *Builds {
	b := &Builds{slots: make(chan struct{}, snapshotsAtOnce)}
	b.closing, b.close = context.WithCancel(context.Background())
	return b
}

// begin reports whether a build may begin: not after end.
func (b *Builds) begin() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closing.Err() != nil {
		return false
	}
	b.running.Add(1)
	return true
}

// End ends all builds and waits for them.
func (b *Builds) End() {
	b.mu.Lock()
	b.close()
	b.mu.Unlock()
	b.running.Wait()
}

// SnapshotNow returns the number of the current minute's snapshots.
func (s *Store) SnapshotNow() int64 {
	return int64(s.engine.Now()) / forum.SnapshotEvery.Milliseconds()
}

// SnapshotOf is paging.SnapshotOf.
func SnapshotOf(w forum.Window) (int64, error) { return paging.SnapshotOf(w) }

// SnapshotPage reads a page of the timeline's snapshot number n; nil if it does not exist or is too old.
func (r Read) SnapshotPage(t forum.Timeline, n int64, w forum.Window) func() (*forum.Page, error) {
	r.read.Batch.FromMasters() // it may have been taken just now
	key := key.Snapshot(t, n)
	head := r.read.Batch.GetRange(r.read.Ctx, key, 0, record.SnapshotHead-1)
	size := r.read.Batch.StrLen(r.read.Ctx, key)
	// The rows that the page may need: from the end, positions follow only from the length.
	first, last := paging.PositionOf(w.After, -1)+1+w.Skip, paging.PositionOf(w.Before, forum.SnapshotSize)
	if w.Backward {
		first = max(last-w.Count-1, 0)
		if w.Before == nil {
			first = 0
		}
	} else {
		last = min(last, first+w.Count)
		first = max(first-1, 0) // the row before
	}
	rows := r.read.Batch.GetRange(r.read.Ctx, key, record.SnapshotHead+int64(first)*record.SnapshotRow,
		record.SnapshotHead+int64(last)*record.SnapshotRow-1)
	return func() (*forum.Page, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		p := paging.SnapshotPage{N: n, First: first, Rows: rows.Val(),
			Total: int(size.Val()-record.SnapshotHead) / record.SnapshotRow}
		if len(head.Val()) < record.SnapshotHead {
			packed := r.read.Engine.Unkept.Get(key)
			if packed == "" {
				return nil, nil
			}
			p = paging.SnapshotPage{N: n, Rows: packed[record.SnapshotHead:],
				Total: (len(packed) - record.SnapshotHead) / record.SnapshotRow, AsOf: paging.TakenAt(packed)}
		} else {
			p.AsOf = paging.TakenAt(head.Val())
		}
		if r.read.Engine.Now() >= p.AsOf+forum.Time(forum.SnapshotLife.Milliseconds()) {
			return nil, nil
		}
		return p.Page(w), nil
	}
}

// RecentSnapshot reads a page of the latest snapshot before number n that can be shown while that one is being taken;
// nil if there is none. It must be full: others are chosen from few topics, which is done at once.
func (r Read) RecentSnapshot(t forum.Timeline, n int64, w forum.Window) func() (*forum.Page, error) {
	var gets []func() (*forum.Page, error)
	for back := range forum.SnapshotsBack {
		gets = append(gets, r.SnapshotPage(t, n-1-int64(back), w))
	}
	return func() (*forum.Page, error) {
		for _, get := range gets {
			p, err := get()
			if err != nil {
				return nil, err
			}
			if p != nil && p.Total >= forum.SnapshotSize {
				return p, nil
			}
		}
		return nil, nil
	}
}

// TakeSnapshotSoon is TakeSnapshot for a caller with a recent one. It waits for a moment, and reports whether the
// snapshot was taken. If not, that goes on; if it fails, the next reader begins again.
func (s *Store) TakeSnapshotSoon(ctx context.Context, t forum.Timeline, n int64, tab []forum.CategoryID) (bool, error) {
	patience, cancel := context.WithTimeout(pipeline.WithUsage(ctx, nil), snapshotPatience) // others may wait for it longer
	defer cancel()
	err := s.TakeSnapshot(patience, t, n, tab)
	if patience.Err() != nil && ctx.Err() == nil {
		return false, nil
	}
	return err == nil, err
}

// TakeSnapshot ensures that the timeline's snapshot number n exists: it takes it, or waits for another
// process that does. If Redis refuses to store it, this process keeps it. tab are the categories of a tab.
func (s *Store) TakeSnapshot(ctx context.Context, t forum.Timeline, n int64, tab []forum.CategoryID) error {
	return s.EnsureSnapshot(ctx, t, n,
		func(ctx context.Context) (string, error) { return s.chooseTopics(ctx, t, tab) })
}

// EnsureSnapshot ensures that a snapshot or a walk exists, which choose packs.
func (s *Store) EnsureSnapshot(ctx context.Context, t forum.Timeline, n int64, choose packer) error {
	name := key.Snapshot(t, n)
	taken := s.snapshots.flight.DoChan(name, func() (any, error) {
		if !s.snapshots.begin() {
			return nil, context.Canceled
		}
		defer s.snapshots.running.Done()
		// All waiting callers share the work, so it must not end with one of them. A dead holder's lease
		// must expire first.
		work, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*key.SnapshotLeaseLife)
		defer cancel()
		defer context.AfterFunc(s.snapshots.closing, cancel)()
		ctx, end := turns.Detach(work, ctx)
		defer end()
		s.snapshots.turns.Store(name, turns.From(ctx))
		defer s.snapshots.turns.Delete(name)
		return nil, s.takeSnapshot(ctx, t, n, choose)
	})
	turn := turns.From(ctx)
	if of, ok := s.snapshots.turns.Load(name); ok { // who waits for the work of others may have used less than they
		turn.Lend(of.(*turns.Turn))
	}
	if turn.Pause() {
		defer turn.Resume(ctx)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case result := <-taken:
		if result.Err != nil {
			return fmt.Errorf("take snapshot %s: %w", name, result.Err)
		}
		return nil
	}
}

// packer chooses the topics of a snapshot and packs them.
type packer func(context.Context) (string, error)

func (s *Store) takeSnapshot(ctx context.Context, t forum.Timeline, n int64, choose packer) error {
	name, lease := key.Snapshot(t, n), key.SnapshotLease(t, n)
	poll := time.NewTicker(snapshotPoll)
	defer poll.Stop()
	for {
		pipe := s.engine.Client.Redis.Pipeline()
		exists := pipe.Exists(ctx, name)
		acquired := pipe.SetNX(ctx, lease, "1", key.SnapshotLeaseLife)
		_, err := pipe.Exec(ctx)
		switch {
		case exists.Err() == nil && pipeline.RefusedNow(acquired.Err()):
			if exists.Val() > 0 {
				return nil
			}
			return s.takeUnkept(ctx, t, n, choose)
		case err != nil:
			return err
		case exists.Val() > 0:
			if acquired.Val() {
				return s.engine.Client.Redis.Del(ctx, lease).Err()
			}
			return nil
		case acquired.Val():
			packed, err := choose(ctx)
			return s.storeSnapshot(ctx, name, lease, packed, err)
		}
		turns.From(ctx).Aside(ctx, func() {
			select {
			case <-ctx.Done():
			case <-poll.C:
			}
		})
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}

// storeSnapshot stores a snapshot and releases the lease. If the snapshot could not be chosen because of
// failed, it only releases the lease.
func (s *Store) storeSnapshot(ctx context.Context, key, lease, packed string, failed error) error {
	pipe := s.engine.Client.Redis.Pipeline()
	if failed == nil { // unless another process stored it first, after the lease had expired
		pipe.SetArgs(ctx, key, packed, redis.SetArgs{Mode: "NX", TTL: forum.SnapshotLife + forum.SnapshotEvery})
	}
	pipe.Del(ctx, lease)
	_, err := pipe.Exec(context.WithoutCancel(ctx))
	switch {
	case err == nil || pipeline.IsNil(err):
		return failed
	case failed == nil && pipeline.RefusedNow(err):
		s.engine.Unkept.Put(key, packed)
		return nil
	}
	return errors.Join(failed, err)
}

// takeUnkept takes a snapshot without storing it.
func (s *Store) takeUnkept(ctx context.Context, t forum.Timeline, n int64, choose packer) error {
	packed, err := choose(ctx)
	if err != nil {
		return err
	}
	s.engine.Unkept.Put(key.Snapshot(t, n), packed)
	return nil
}

// chooseTopics reads the candidates and packs the first of them.
func (s *Store) chooseTopics(ctx context.Context, t forum.Timeline, tab []forum.CategoryID) (string, error) {
	if err := turns.Enter(ctx, s.snapshots.slots); err != nil { // bounded, because candidates take memory
		return "", err
	}
	defer func() { <-s.snapshots.slots }()
	now := s.engine.Now()
	var rows []forum.Row
	containers := TimelineContainers(t, tab)
	for _, c := range containers {
		found, err := s.candidates(ctx, t, indexList(t.Name(), c, key.OrderCreated, true), c, now)
		if err != nil {
			return "", err
		}
		if rows = append(rows, found...); len(rows) > 2*forum.SnapshotCandidates {
			rows = paging.Newest(rows)
		}
	}
	if len(containers) > 1 {
		rows = paging.Newest(rows)
	}
	paging.Rank(t, rows)
	return record.PackSnapshot(now, rows[:min(len(rows), forum.SnapshotSize)]), nil
}

// candidates reads the topics of one list that may be in the snapshot, with their votes.
func (s *Store) candidates(ctx context.Context, t forum.Timeline, l List, c key.Container,
	now forum.Time) ([]forum.Row, error) {
	var rows []forum.Row
	since := t.Period.Since(now)
	w := forum.Window{Count: snapshotPass, Uncounted: true}
	for {
		r := s.engine.Read(ctx)
		read := On(r).Page(l, w)
		if err := r.Exec(); err != nil {
			return nil, err
		}
		page, err := read()
		if err != nil {
			return nil, err
		}
		kept := page.Rows
		pipeline.Owe(ctx, candidateCost*len(kept))
		for len(kept) > 0 && kept[len(kept)-1].CreatedAt < since {
			kept = kept[:len(kept)-1]
		}
		voted, err := s.ReadVotes(ctx, c, kept)
		if err != nil {
			return nil, err
		}
		rows = append(rows, voted...)
		if len(kept) < snapshotPass || len(rows) >= forum.SnapshotCandidates {
			return rows, nil
		}
		w.After = &page.Rows[len(page.Rows)-1].Position
	}
}

// ReadVotes derives the votes on topics from their scores: the order SCORE has the net votes, OrderDown the
// votes against. It leaves out topics that were removed concurrently.
func (s *Store) ReadVotes(ctx context.Context, c key.Container, rows []forum.Row) ([]forum.Row, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	members := make([]string, len(rows))
	for i, r := range rows {
		members[i] = r.Member
	}
	pipe := s.engine.Client.Redis.TxPipeline() // both orders at one instant
	scores, downs, err := votesIn(ctx, pipe, c, members)
	if redis.HasErrorPrefix(err, "EXECABORT") || redis.HasErrorPrefix(err, "OOM") { // a full Redis refuses transactions
		scores, downs, err = votesIn(ctx, s.engine.Client.Redis.Pipeline(), c, members)
	}
	if err != nil {
		return nil, err
	}
	present := make([]forum.Row, 0, len(rows))
	for i, r := range rows {
		if score, ok := pipeline.ScoreAt(scores, i); ok {
			down, _ := pipeline.ScoreAt(downs, i)
			r.Down = int(down)
			r.Up = NetVotes(score, r.CreatedAt) + r.Down
			present = append(present, r)
		}
	}
	return present, nil
}

// votesIn reads the scores of members in the orders from which their votes are derived.
func votesIn(ctx context.Context, pipe redis.Pipeliner, c key.Container,
	members []string) (scores, downs *redis.Cmd, err error) {
	scores = pipe.Do(ctx, pipeline.ZMScore(c.Order(key.OrderScore), members)...)
	downs = pipe.Do(ctx, pipeline.ZMScore(c.Order(key.OrderDown), members)...)
	_, err = pipe.Exec(ctx)
	return scores, downs, err
}

// NetVotes derives the net votes on a topic from its score in the order SCORE.
func NetVotes(score float64, created forum.Time) int {
	return int(score-float64(created)) / (forum.VoteWeight * 1000)
}
