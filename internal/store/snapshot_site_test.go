package store_test

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	built "agora/internal/test/site"
)

// planted is a topic in a container that was not posted.
type planted struct {
	id       forum.TopicID
	created  forum.Time
	up, down int
}

// plant adds topics to the orders that snapshots are chosen from.
func (x *site) plant(c key.Container, topics ...planted) {
	x.t.Helper()
	pipe := x.rdb.Pipeline()
	for _, p := range topics {
		m := record.Member(p.created, int64(p.id))
		pipe.ZAdd(x.ctx, c.Order(key.OrderCreated), redis.Z{Score: float64(p.created), Member: m})
		pipe.ZAdd(x.ctx, c.Order(key.OrderScore), redis.Z{Score: forum.Score(p.created, p.up-p.down), Member: m})
		if p.down > 0 {
			pipe.ZAdd(x.ctx, c.Order(key.OrderDown), redis.Z{Score: float64(p.down), Member: m})
		}
	}
	must.Do(pipe.Exec(x.ctx))(x.t)
}

// ranking returns a timeline of the front that is read from snapshots.
func ranking(order forum.TopicOrderField, direction forum.OrderDirection) forum.Timeline {
	t := forum.Timeline{Kind: forum.FrontTimeline, Order: order, Direction: direction}
	if order == forum.ByTop {
		t.Period = forum.PeriodAll
	}
	return t
}

// readSnapshot reads a page of a snapshot; nil if it does not exist.
func (x *site) readSnapshot(t forum.Timeline, n int64, w forum.Window) *forum.Page {
	x.t.Helper()
	r := x.Read(x.ctx)
	return built.Sent(x.t, r, r.Listing.SnapshotPage(t, n, w))
}

// snapshot reads the current minute's snapshot, taking it if it does not exist.
func (x *site) snapshot(t forum.Timeline, w forum.Window, tab ...forum.CategoryID) *forum.Page {
	x.t.Helper()
	n := x.Listing.SnapshotNow()
	if page := x.readSnapshot(t, n, w); page != nil {
		return page
	}
	wantOK(x.t, "TakeSnapshot", x.Listing.TakeSnapshot(x.ctx, t, n, tab))
	page := x.readSnapshot(t, n, w)
	if page == nil {
		x.t.Fatalf("the snapshot of %s does not exist after it was taken", t.Name())
	}
	return page
}

// standing returns the content of a page's rows.
func standing(p *forum.Page) []planted {
	var all []planted
	for _, r := range p.Rows {
		all = append(all, planted{forum.TopicID(r.ID), r.CreatedAt, r.Up, r.Down})
	}
	return all
}

// walkSnapshot reads a snapshot page by page, from the start or from the end.
func (x *site) walkSnapshot(t forum.Timeline, count int, backward bool, tab ...forum.CategoryID) []planted {
	x.t.Helper()
	w := forum.Window{Count: count, Backward: backward}
	var all []planted
	for page := x.snapshot(t, w, tab...); ; {
		if page == nil {
			x.t.Fatalf("the snapshot of %s is missing after %d topics", t.Name(), len(all))
		}
		var n int64
		if backward {
			all = append(standing(page), all...)
			if !page.HasPrevious() {
				return all
			}
			w.Before = &page.Rows[0].Position
		} else {
			all = append(all, standing(page)...)
			if !page.HasNext() {
				return all
			}
			w.After = &page.Rows[len(page.Rows)-1].Position
		}
		n = must.Do(listing.SnapshotOf(w))(x.t)
		page = x.readSnapshot(t, n, w)
	}
}

// watched opens a process that calls before for every command before sending it.
func (x *site) watched(before func(redis.Cmder)) *store.Store {
	x.t.Helper()
	client := x.server.Client(x.t)
	client.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		for _, cmd := range cmds {
			before(cmd)
		}
		return next(ctx, cmds)
	}))
	s := must.Do(store.Open(x.ctx, store.Over(client), store.Layout{}, store.WithClock(x.clock.Now)))(x.t)
	x.t.Cleanup(s.Close)
	return s
}

// plants returns n topics of the last days, with votes that differ little.
func plants(now forum.Time, n int) []planted {
	all := make([]planted, n)
	for i := range all {
		all[i] = planted{id: forum.TopicID(1000 + i*37%1009*10), created: now - forum.Time(i%7)*1000, up: i % 5,
			down: i * 7 % 4}
	}
	return all
}

func positionAt(n int64, at int) *forum.Position {
	return &forum.Position{Score: float64(n), Member: strconv.Itoa(at)}
}
