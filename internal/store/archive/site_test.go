package archive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// odd are texts that JSON must escape, or need not.
var odd = []string{"", `"quoted" \ backslash`, "line\nline\r\n\ttab\x00\x1f\x7f", "<a>&</a> \u2028 é 你好 🙂", "0"}

// scores are scores of sorted sets: times, a rank, the extremes of whole numbers, and more.
var scores = []float64{
	0, 1, 1_760_000_000_000_123, 4*1_760_000_000_000 + 2, 4143.123456789012, -0.1, 1 << 53, 1e300, 5e-324,
}

// fill writes one key with content of its type.
func fill(t *testing.T, rdb redis.UniversalClient, typ catalogue.Type, name string) {
	t.Helper()
	ctx := t.Context()
	pipe := rdb.Pipeline()
	switch typ {
	case catalogue.Hash:
		for i, text := range odd {
			pipe.HSet(ctx, name, text, odd[len(odd)-1-i])
		}
	case catalogue.ZSet:
		for i, score := range scores {
			pipe.ZAdd(ctx, name, redis.Z{Score: score, Member: fmt.Sprint(i, odd[i%len(odd)])})
		}
	case catalogue.Set:
		for _, text := range odd {
			pipe.SAdd(ctx, name, text)
		}
	case catalogue.String:
		pipe.Set(ctx, name, "of "+name+strings.Join(odd, ","), 0)
	case catalogue.List:
		pipe.RPush(ctx, name, "1")
	case catalogue.Stream:
		pipe.XAdd(ctx, &redis.XAddArgs{Stream: name, Values: []string{"k", "A"}})
	}
	must.Do(pipe.Exec(ctx))(t)
}

// newServer starts an empty Redis whose keys expire in years.
func newServer(t *testing.T) *redistest.Server {
	t.Helper()
	s := redistest.Start(t)
	s.Freeze(redistest.NewClock().Now())
	return s
}

// fullSite returns a server with every kind of key, some of which expire.
func fullSite(t *testing.T) *redistest.Server {
	t.Helper()
	server := newServer(t)
	open(t, server)
	rdb := server.Client(t)
	for _, k := range catalogue.Kinds {
		if k.Name == "secret" || k.Name == "layout" || k.Name == "import" { // the site has two, and is not being imported
			continue
		}
		for i, name := range k.Examples() {
			fill(t, rdb, k.Type, name)
			if k.Life > 0 || k.Object == catalogue.OfVoters || k.Object == catalogue.OfClaim && i > 0 {
				at := redistest.NewClock().Now().Add(time.Hour + time.Duration(i)*time.Millisecond)
				wantOK(t, "PEXPIREAT", rdb.PExpireAt(t.Context(), name, at).Err())
			}
		}
	}
	return server
}

// open opens the store of a server.
func open(t *testing.T, server *redistest.Server) *store.Store {
	t.Helper()
	s := must.Do(store.Open(t.Context(), store.Over(server.Client(t)), store.Layout{TimeZone: "Asia/Shanghai"}))(t)
	t.Cleanup(s.Close)
	return s
}

// export returns the export of a server's site.
func export(t *testing.T, server *redistest.Server) []byte {
	t.Helper()
	var b bytes.Buffer
	rows := must.Do(Export(t.Context(), open(t, server), &b, ExportOptions{}))(t)
	if lines := bytes.Count(b.Bytes(), []byte("\n")); int64(lines) != rows+2 {
		t.Errorf("Export = %d rows, and writes %d lines; want two more", rows, lines)
	}
	return b.Bytes()
}

// importInto imports a file into a server.
func importInto(ctx context.Context, rdb redis.UniversalClient, file []byte) (Summary, error) {
	return Import(ctx, store.Over(rdb), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(file)), nil
	}, ImportOptions{})
}

// content describes all keys of a server but those of kinds that are left out.
func content(t *testing.T, server *redistest.Server) map[string]string {
	t.Helper()
	rdb, ctx := server.Client(t), t.Context()
	names := must.Do(rdb.Keys(ctx, "*").Result())(t)
	all := map[string]string{}
	for _, name := range names {
		k, _ := catalogue.ReadKey(name)
		if k.Export == catalogue.LeftOut {
			continue
		}
		var value any
		switch k.Type {
		case catalogue.Hash:
			value = rdb.HGetAll(ctx, name).Val()
		case catalogue.ZSet:
			value = rdb.ZRangeWithScores(ctx, name, 0, -1).Val()
		case catalogue.Set:
			members := rdb.SMembers(ctx, name).Val()
			slices.Sort(members)
			value = members
		default:
			value = rdb.Get(ctx, name).Val()
		}
		all[name] = fmt.Sprintf("%q until %d", fmt.Sprint(value), rdb.PExpireTime(ctx, name).Val())
	}
	return all
}

// wantOK ends the test if err is not nil.
func wantOK(t *testing.T, call string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
}
