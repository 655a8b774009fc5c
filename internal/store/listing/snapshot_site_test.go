package listing_test

import (
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

// planted is a topic in a container that was not posted.
type planted struct {
	id       forum.TopicID
	created  forum.Time
	up, down int
}

// plant adds topics to the orders that snapshots are chosen from.
func plant(x *storetest.Site, c key.Container, topics ...planted) {
	x.T.Helper()
	pipe := x.Redis.Pipeline()
	for _, p := range topics {
		m := record.Member(p.created, int64(p.id))
		pipe.ZAdd(x.Ctx, c.Order(key.OrderCreated), redis.Z{Score: float64(p.created), Member: m})
		pipe.ZAdd(x.Ctx, c.Order(key.OrderScore), redis.Z{Score: forum.Score(p.created, p.up-p.down), Member: m})
		if p.down > 0 {
			pipe.ZAdd(x.Ctx, c.Order(key.OrderDown), redis.Z{Score: float64(p.down), Member: m})
		}
	}
	must.Do(pipe.Exec(x.Ctx))(x.T)
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
func walkSnapshot(x *storetest.Site, t forum.Timeline, count int, backward bool, tab ...forum.CategoryID) []planted {
	x.T.Helper()
	w := forum.Window{Count: count, Backward: backward}
	var all []planted
	for page := x.Snapshot(t, w, tab...); ; {
		if page == nil {
			x.T.Fatalf("the snapshot of %s is missing after %d topics", t.Name(), len(all))
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
		n = must.Do(listing.SnapshotOf(w))(x.T)
		page = x.ReadSnapshot(t, n, w)
	}
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
