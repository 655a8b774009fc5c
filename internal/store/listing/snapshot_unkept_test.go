package listing_test

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// full refuses writes, like a Redis that is full.
type full struct {
	rdb     *pipeline.Client
	on      bool
	allowed int // how many writes still succeed
}

func (f *full) hit(cmd redis.Cmder) bool {
	if !f.on || f.rdb.OnlyReads(cmd) {
		return false
	}
	if f.allowed > 0 {
		f.allowed--
		return false
	}
	cmd.SetErr(storetest.ServerError("OOM command not allowed when used memory > 'maxmemory'."))
	return true
}

func (f *full) meet(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	if cmds[0].Name() == "multi" {
		return next(ctx, cmds)
	}
	var sent, all []redis.Cmder
	for _, cmd := range cmds {
		if !f.hit(cmd) {
			sent = append(sent, cmd)
		}
		all = append(all, cmd)
	}
	if len(sent) > 0 {
		if err := next(ctx, sent); err != nil {
			return err
		}
	}
	return pipeline.FirstError(all)
}

// While Redis refuses writes, snapshots are served without being stored, and their cursors work; later they
// are stored again.
func TestSnapshotsThatCannotBeStored(t *testing.T) {
	for name, allowed := range map[string]int{"the lease": 0, "the snapshot": 1} {
		x := storetest.New(t)
		plant(x, key.FrontContainer, planted{1, 5, 3, 0}, planted{2, 6, 9, 1}, planted{3, 7, 1, 0})
		f := &full{rdb: x.Store.Engine.Client, on: true, allowed: allowed}
		pipeline.Universal(x.Store.Engine.Client.Redis).AddHook(redistest.Hook(f.meet))
		tl := storetest.Ranking(forum.ByTop, forum.Descending)
		page := x.Snapshot(tl, forum.Window{Count: 2})
		if page.Total != 3 || len(page.Rows) != 2 || page.Rows[0].ID != 2 || page.Rows[0].Up != 9 ||
			page.AsOf != x.Engine.Now() {
			t.Fatalf("%s refused: page %+v; want topics 2 and 1 of 3", name, page)
		}
		rest := x.ReadSnapshot(tl, x.Listing.SnapshotNow(), forum.Window{Count: 2, After: &page.Rows[1].Position})
		if rest == nil || len(rest.Rows) != 1 || rest.Rows[0].ID != 3 {
			t.Errorf("%s refused: next page %+v; want topic 3", name, rest)
		}
		if keys := x.KeysLike("snap:"); name == "the lease" && len(keys) > 0 {
			t.Errorf("%s refused: keys %v; want none", name, keys)
		}
		f.on = false
		x.Clock.Advance(forum.SnapshotEvery)
		if x.Snapshot(tl, forum.Window{Count: 2}); len(x.KeysLike("snap:")) == 0 {
			t.Errorf("%s: no snapshot is stored once Redis accepts writes again", name)
		}
		x.Clock.Advance(forum.SnapshotLife)
		if old := x.ReadSnapshot(tl, x.Listing.SnapshotNow()-11, forum.Window{Count: 2}); old != nil {
			t.Errorf("%s: an old snapshot is served: %+v", name, old)
		}
	}
}

// The number of unkept snapshots is limited.
func TestUnkeptSnapshotsAreBounded(t *testing.T) {
	u := &paging.Unkept{}
	for n := range 3 * paging.MaxUnkept {
		u.Put(strconv.Itoa(n), record.PackSnapshot(forum.Time(n), nil))
	}
	if len(u.Packed) != paging.MaxUnkept || u.Get(strconv.Itoa(3*paging.MaxUnkept-1)) == "" || u.Get("0") != "" {
		t.Errorf("%d unkept snapshots; want the latest %d", len(u.Packed), paging.MaxUnkept)
	}
}

// A ranking that cannot be stored is served, with all other results of the same read.
func TestRankingsThatCannotBeStored(t *testing.T) {
	x := storetest.New(t)
	f := &full{rdb: x.Store.Engine.Client, on: true}
	pipeline.Universal(x.Store.Engine.Client.Redis).AddHook(redistest.Hook(f.meet))
	r := x.Read(x.Ctx)
	keep := r.Listing.Keep([]forum.Ranking{{List: "l", Sum: "s", IDs: "1234"}})
	read := r.Listing.Categories([]forum.CategoryID{1})
	storetest.WantOK(t, "Exec", r.Exec())
	must.Do(keep())(t)
	_, errs := read()
	storetest.WantOK(t, "Categories", errors.Join(errs...))
}
