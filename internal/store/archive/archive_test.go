package archive

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/catalogue"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// Every kind of key of a site, with its expiry, is the same after export and import, and so is the next
// export.
func TestImportRestoresEveryKind(t *testing.T) {
	from, to := fullSite(t), newServer(t)
	file := export(t, from)
	must.Do(importInto(t.Context(), to.Client(t), file))(t)
	open(t, to)
	got, want := content(t, to), content(t, from)
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s = %s; want %s", name, got[name], value)
		}
	}
	if len(got) != len(want) || len(want) < 100 {
		t.Errorf("%d keys are imported; want %d", len(got), len(want))
	}
	if again := export(t, to); !bytes.Equal(again, file) {
		t.Errorf("the second export is\n%s; want\n%s", again, file)
	}
	for _, k := range catalogue.Kinds {
		for _, name := range k.Examples() {
			if k.Export == catalogue.LeftOut && bytes.Contains(file, []byte(`"key":"`+name+`"`)) {
				t.Errorf("the export has %s; want it left out", name)
			}
		}
	}
}

// A key with more elements than fit into memory is exported in several rows, in the same order.
func TestExportSplitsBigKeys(t *testing.T) {
	testlevel.WithoutRace(t)
	const size = readElements + 2*maxElements + 1
	from, to := newServer(t), newServer(t)
	s := open(t, from)
	rdb := from.Client(t)
	fields, members := map[string]string{}, make([]redis.Z, size)
	for i := range size {
		fields[fmt.Sprint(i)] = fmt.Sprint(i % 7)
		members[i] = redis.Z{Score: float64(i / 3), Member: fmt.Sprint(i)}
	}
	wantOK(t, "HSET", rdb.HSet(t.Context(), "{ix:front}:rev", fields).Err())
	wantOK(t, "ZADD", rdb.ZAdd(t.Context(), "{ix:front}:active", members...).Err())
	wantOK(t, "HSET", rdb.HSet(t.Context(), "{p07}:t:519", "content", strings.Repeat("x", 1<<20), "title", "y").Err())
	var small, large bytes.Buffer
	for b, memory := range map[*bytes.Buffer]int{&small: 1 << 12, &large: sortMemory} {
		e := &exporter{rdb: s.Engine.Client, out: newWriter(b), memory: memory}
		wantOK(t, "run", e.run(t.Context()))
	}
	if !bytes.Equal(small.Bytes(), large.Bytes()) {
		t.Errorf("the export depends on the memory of the sorter: %d and %d bytes", small.Len(), large.Len())
	}
	const parts = size/maxElements + 1
	for _, want := range []string{
		fmt.Sprintf(`"key":"{ix:front}:rev","part":%d,"hash"`, parts),
		fmt.Sprintf(`"key":"{ix:front}:active","part":%d,"zset"`, parts),
		`"key":"{p07}:t:519","part":2,"hash":{"title":"y"}`,
	} {
		if n := strings.Count(small.String(), want); n != 1 {
			t.Errorf("the export has %d rows with %s; want 1", n, want)
		}
	}
	must.Do(importInto(t.Context(), to.Client(t), small.Bytes()))(t)
	if got, want := content(t, to), content(t, from); !maps.Equal(got, want) {
		t.Errorf("%d keys are imported; want %d with the same content", len(got), len(want))
	}
}

func TestImportReadsGzip(t *testing.T) {
	file := export(t, fullSite(t))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(file)
	wantOK(t, "Write", errors.Join(err, z.Close()))
	to := newServer(t)
	must.Do(importInto(t.Context(), to.Client(t), packed.Bytes()))(t)
	if again := export(t, to); !bytes.Equal(again, file) {
		t.Error("the export of the imported site differs")
	}
	empty := newServer(t)
	rdb := empty.Client(t)
	for size := range packed.Len() {
		var damage *DamagedError
		if _, err := importInto(t.Context(), rdb, packed.Bytes()[:size]); !errors.As(err, &damage) {
			t.Fatalf("Import of the first %d of %d bytes = %v; want a DamagedError", size, packed.Len(), err)
		}
	}
}

func TestExportOfASiteThatChanges(t *testing.T) {
	testlevel.RealRedis(t) // miniredis does not report changes
	from := fullSite(t)
	s, rdb := open(t, from), from.Client(t)
	change := func(_, _ int64) { rdb.HSet(t.Context(), "{p07}:t:519", "title", "new") }
	var w bytes.Buffer
	if _, err := Export(t.Context(), s, &w, ExportOptions{Progress: change}); !errors.Is(err, ErrChanged) {
		t.Errorf("Export during a change = %v; want ErrChanged", err)
	}
	if bytes.Contains(w.Bytes(), []byte(footerHead)) {
		t.Error("the export ends as if it were complete")
	}
	// What expires is no change.
	wantOK(t, "SET", rdb.Set(t.Context(), "{p07}:click:519:u7", "1", time.Millisecond).Err())
	if _, err := Export(t.Context(), s, &bytes.Buffer{}, ExportOptions{}); err != nil {
		t.Errorf("Export while a key expires = %v", err)
	}
}

func TestExportRefuses(t *testing.T) {
	tests := []struct {
		name      string
		write     func(redis.UniversalClient)
		otherKeys bool
		want      string
	}{
		{"an unknown key", func(c redis.UniversalClient) { c.Set(t.Context(), "{p07}:x:1", "", 0) }, true,
			"the key {p07}:x:1 is of no known kind"},
		{"another program's key", func(c redis.UniversalClient) { c.Set(t.Context(), "cache:1", "", 0) }, false,
			"the key cache:1 is of no known kind"},
		{"another program's key, allowed", func(c redis.UniversalClient) { c.Set(t.Context(), "cache:1", "", 0) }, true, ""},
		{"a key of another type", func(c redis.UniversalClient) { c.Set(t.Context(), "{p07}:t:519", "", 0) }, false,
			"the key {p07}:t:519, which should be a hash: WRONGTYPE"},
		{"bytes that are no text", func(c redis.UniversalClient) { c.HSet(t.Context(), "{p07}:t:519", "title", "\xff") },
			false, `the key "{p07}:t:519": it is not UTF-8`},
	}
	for _, tt := range tests {
		server := redistest.Start(t)
		s := open(t, server)
		tt.write(server.Client(t))
		_, err := Export(t.Context(), s, &bytes.Buffer{}, ExportOptions{OtherKeys: tt.otherKeys})
		if got := fmt.Sprint(err); !strings.Contains(got, tt.want) || (err == nil) != (tt.want == "") {
			t.Errorf("Export with %s = %v; want %q", tt.name, err, tt.want)
		}
	}
}
