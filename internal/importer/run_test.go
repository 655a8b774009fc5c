package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/fsck"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// site is an installation to import into: a Redis, a clock, and a first process.
type site struct {
	*store.Store
	all      []*store.Store // of all processes since the site was created or wiped
	t        testing.TB
	ctx      context.Context
	server   *redistest.Server
	rdb      redis.UniversalClient // reads the keys
	clock    *redistest.Clock
	reported []string // errors reported by the last run
}

func newSite(t testing.TB) *site {
	t.Helper()
	server := redistest.Start(t)
	x := &site{t: t, ctx: t.Context(), server: server, rdb: server.Client(t), clock: redistest.NewClock()}
	x.Store = x.process(server.Client(t))
	return x
}

// process opens another process on the same data and clock; it ends with the test.
func (x *site) process(rdb redis.UniversalClient, opts ...store.Option) *store.Store {
	x.t.Helper()
	s := must.Do(store.Open(x.ctx, store.Over(rdb), store.Layout{}, append(opts, store.WithClock(x.clock.Now))...))(x.t)
	x.t.Cleanup(s.Close)
	x.all = append(x.all, s)
	return s
}

// wipe resets the site.
func (x *site) wipe() {
	x.t.Helper()
	for _, s := range x.all { // whose late marks would affect new objects with the same ids
		s.Close()
	}
	x.all = nil
	must.OK(x.t, x.rdb.FlushAll(x.ctx).Err())
	x.Store = x.process(x.server.Client(x.t))
}

// inputs returns files with these contents, named file1 and so on.
func inputs(files [][]byte) []Input {
	var in []Input
	for i, data := range files {
		in = append(in, Input{Name: fmt.Sprintf("file%d", i+1), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data)), nil
		}})
	}
	return in
}

// run imports files with a process of the site.
func (x *site) run(ctx context.Context, s *store.Store, o Options, files ...[]byte) (Summary, error) {
	x.reported = nil
	if o.Category == "" {
		o.Category = "Imported"
	}
	o.rest = time.Microsecond
	o.Bad = func(err error) { x.reported = append(x.reported, err.Error()) }
	return Run(ctx, s, o, inputs(files))
}

// load imports valid files and checks the summary.
func (x *site) load(want Summary, o Options, files ...[]byte) {
	x.t.Helper()
	got, err := x.run(x.ctx, x.Store, o, files...)
	if err != nil || len(x.reported) > 0 {
		x.t.Fatalf("Run = %v, reported %q; want no errors", err, x.reported)
	}
	wantSummary(x.t, got, want)
	wantBalance(x.t, got)
}

// wantBalance checks that the summary says of each row of the files what became of it.
func wantBalance(t testing.TB, s Summary) {
	t.Helper()
	n := s.Topics + s.Comments + s.Members + s.Votes + s.Known + s.Follows + s.KnownFollows + s.Bad
	for _, skipped := range s.Skipped {
		n += skipped
	}
	if n != s.Records {
		t.Errorf("of %d records, %d are accounted for in %+v", s.Records, n, s)
	}
}

func wantSummary(t testing.TB, got, want Summary) {
	t.Helper()
	if want.Skipped == nil {
		want.Skipped = map[string]int{}
	}
	if want.Missing == nil {
		want.Missing = map[string]int{}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the summary differs (-want +got):\n%s", diff)
	}
}

// settle completes all pending work, and checks the invariants.
func (x *site) settle() {
	x.t.Helper()
	must.Do(x.Engine.RunDueTasks(x.ctx))(x.t)
	must.OK(x.t, x.Flush(x.ctx))
	r := must.Do(fsck.Check(x.ctx, x.Store, fsck.Options{}))(x.t)
	for _, f := range r.Findings {
		x.t.Errorf("Check found %s", f)
	}
	if r.Unsettled > 0 {
		x.t.Errorf("Check leaves %d unsettled; want none", r.Unsettled)
	}
}

// keys returns all keys with their contents.
func (x *site) keys() map[string]string {
	x.t.Helper()
	names := must.Do(x.rdb.Keys(x.ctx, "*").Result())(x.t)
	held := map[string]string{}
	for _, name := range names {
		var value any
		var err error
		switch kind := x.rdb.Type(x.ctx, name).Val(); kind {
		case "hash":
			value, err = x.rdb.HGetAll(x.ctx, name).Result()
		case "zset":
			value, err = x.rdb.ZRangeWithScores(x.ctx, name, 0, -1).Result()
		case "set":
			value, err = x.rdb.SMembers(x.ctx, name).Result()
		default:
			value, err = x.rdb.Get(x.ctx, name).Result()
		}
		if err != nil {
			x.t.Fatalf("read %s: %v", name, err)
		}
		held[name] = fmt.Sprint(value)
	}
	return held
}

var entityKey = regexp.MustCompile(`^\{p..\}:([tcu]):(\d+)$`)

// obj is a JSON object.
type obj = map[string]any

// lines returns records, one per line.
func lines(records ...obj) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			panic(err) // maps of plain values always encode
		}
	}
	return b.Bytes()
}

// array returns a JSON array of records.
func array(records ...obj) []byte {
	b, err := json.MarshalIndent(records, "", " ")
	if err != nil {
		panic(err)
	}
	return b
}

// with returns a record with fields replaced.
func with(r, fields obj) obj {
	all := obj{}
	for _, m := range []obj{r, fields} {
		for name, value := range m {
			all[name] = value
		}
	}
	return all
}

// seconds returns times of posting: n minutes after 2020-01-01T00:00:00Z.
func seconds(n int) int { return 1_577_836_800 + 60*n }

func rfc3339(n int) string { return time.Unix(int64(seconds(n)), 0).UTC().Format(time.RFC3339) }

// undent removes the tabs at the start of lines.
func undent(s string) string {
	return strings.TrimSpace(strings.ReplaceAll("\n"+s, "\n\t\t", "\n")) + "\n"
}
