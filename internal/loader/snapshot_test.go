package loader

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// gate holds back the reads of votes that snapshots are made of, while it is shut.
type gate struct {
	mu      sync.Mutex
	shut    chan struct{} // nil while open
	arrived chan struct{}
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shut = make(chan struct{})
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.shut)
	g.shut = nil
}

func (g *gate) pass(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	if !slices.ContainsFunc(cmds, func(c redis.Cmder) bool { return c.Name() == "zmscore" }) {
		return next(ctx, cmds)
	}
	g.mu.Lock()
	shut := g.shut
	g.mu.Unlock()
	if shut != nil {
		g.arrived <- struct{}{}
		<-shut
	}
	return next(ctx, cmds)
}

// fill imports as many topics as a snapshot has.
func (x *site) fill() {
	x.t.Helper()
	im := x.Import()
	var in []posts.NewTopic
	for i := range forum.SnapshotSize {
		in = append(in, posts.NewTopic{Kind: forum.Article, Title: "t", CreatedAt: x.Engine.Now() - forum.Time(i),
			Source: "fill:" + strconv.Itoa(i)})
	}
	made := must.Do(im.Topics(x.t.Context(), in))(x.t)
	must.OK(x.t, im.Publish(x.t.Context(), made, nil, nil))
}

// readBest reads a page of the front's snapshot.
func (x *site) readBest(w forum.Window) *forum.Page {
	x.t.Helper()
	ctx := Alone(x.t.Context(), x.Store, nil)
	pages, errs := From(ctx).Timelines(ctx, []forum.Timeline{best(forum.FrontTimeline, 0)}, []forum.Window{w})
	if errs != nil {
		x.t.Fatalf("Timelines: %v", errs)
	}
	return pages[0]
}

// While a snapshot of a long list is being taken, by one process once, readers get the one of a minute or two before,
// and can go on with its cursors.
func TestRecentSnapshotIsShownMeanwhile(t *testing.T) {
	x := newSite(t)
	x.fill()
	g := &gate{arrived: make(chan struct{}, 10)}
	x.redis.AddHook(redistest.Hook(g.pass))
	w := forum.Window{Count: 10}
	x.clock.Advance(forum.SnapshotEvery)
	began := x.Engine.Now()
	if p := x.readBest(w); p.AsOf != began || p.Total != forum.SnapshotSize {
		t.Fatalf("the first page is as of %d, of %d topics; want %d, and %d", p.AsOf, p.Total, began, forum.SnapshotSize)
	}
	x.clock.Advance(forum.SnapshotEvery)
	g.close()
	for range 3 {
		first := x.readBest(w)
		second := x.readBest(forum.Window{Count: 10, After: &first.Rows[9].Position})
		if first.AsOf != began || second.AsOf != began || second.Start != 10 {
			t.Errorf("pages while a snapshot is taken are as of %d and %d, from %d; want %d twice, from 10", first.AsOf,
				second.AsOf, second.Start, began)
		}
	}
	if got := len(g.arrived); got != 1 {
		t.Errorf("%d snapshots are being taken; want 1", got)
	}
	g.open()
	taken := x.Engine.Now()
	must.OK(t, x.Listing.TakeSnapshot(t.Context(), best(forum.FrontTimeline, 0), x.Listing.SnapshotNow(), nil))
	if p := x.readBest(w); p.AsOf != taken {
		t.Errorf("once it is taken, a page is as of %d; want %d", p.AsOf, taken)
	}
	<-g.arrived
	x.clock.Advance((forum.SnapshotsBack + 1) * forum.SnapshotEvery)
	g.close()
	read := make(chan *forum.Page, 1)
	go func() { read <- x.readBest(w) }() // ends when the gate opens
	<-g.arrived
	g.open()
	if p := <-read; p.AsOf != x.Engine.Now() {
		t.Errorf("without a recent snapshot a page is as of %d; want %d", p.AsOf, x.Engine.Now())
	}
}
