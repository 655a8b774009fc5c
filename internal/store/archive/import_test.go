package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// smallSite returns the export of a site with little more than a layout.
func smallSite(t *testing.T) []byte {
	t.Helper()
	server := newServer(t)
	open(t, server)
	rdb := server.Client(t)
	wantOK(t, "HSET", rdb.HSet(t.Context(), "{p07}:t:519", "title", "a", "kind", "STATUS").Err())
	wantOK(t, "ZADD", rdb.ZAdd(t.Context(), "{p07}:t:519:up", redis.Z{Score: 7, Member: "7"}).Err())
	return export(t, server)
}

// refused imports a file into an empty database, and returns the error, once it is sure that nothing was
// written.
func refused(t *testing.T, rdb redis.UniversalClient, file []byte) error {
	t.Helper()
	_, err := importInto(t.Context(), rdb, file)
	if keys := rdb.Keys(t.Context(), "*").Val(); err == nil || len(keys) > 0 {
		t.Fatalf("Import = %v, and there are the keys %v; want an error and no keys; the file is\n%s", err, keys, file)
	}
	return err
}

// footed returns lines with a footer that matches them.
func footed(lines string) []byte {
	return fmt.Appendf(nil, "%s{\"rows\":%d,\"sha256\":\"%x\"}\n", lines, strings.Count(lines, "\n")-1,
		sha256.Sum256([]byte(lines)))
}

func TestImportRefusesTruncatedFiles(t *testing.T) {
	file := smallSite(t)
	rdb := redistest.New(t)
	for size := range len(file) { // line boundaries, and all between
		var damage *DamagedError
		if err := refused(t, rdb, file[:size]); !errors.As(err, &damage) {
			t.Fatalf("Import of %d of %d bytes = %v; want a DamagedError", size, len(file), err)
		}
	}
	lines := bytes.SplitAfter(file, []byte("\n"))
	for i := range len(lines) - 1 { // the last is empty
		without := append(bytes.Join(lines[:i], nil), bytes.Join(lines[i+1:], nil)...)
		refused(t, rdb, without)
	}
	refused(t, rdb, append(bytes.Clone(file), '\n'))
	refused(t, rdb, append(bytes.Clone(file), file...))
}

func TestImportRefusesDamagedFiles(t *testing.T) {
	file := smallSite(t)
	rdb := redistest.New(t)
	for at := range file {
		for _, flip := range []byte{1, 32} {
			damaged := bytes.Clone(file)
			damaged[at] ^= flip
			refused(t, rdb, damaged)
		}
	}
}

func TestImportRefusesWrongFiles(t *testing.T) {
	text := string(smallSite(t))
	text = text[:strings.LastIndex(text, `{"rows":`)]
	first, rest, _ := strings.Cut(text, "\n")
	row := func(s string) string { return first + "\n" + s + "\n" }
	tests := []struct {
		name, lines, want string
	}{
		{"newer format", strings.Replace(text, `{"agora":1`, `{"agora":2`, 1), "format version 2, but this program supports version 1"},
		{"newer layout", strings.Replace(text, `"version":"3"`, `"version":"4"`, 1), "layout version 4"},
		{"other partitions", strings.Replace(text, `"partitions":"256"`, `"partitions":"16"`, 1), "partitions version 16"},
		{"no time zone", strings.Replace(text, `Asia/Shanghai`, `Asia/Nowhere`, 1), "the time zone of the site"},
		{"never created", regexp.MustCompile(`"created":"\d+"`).ReplaceAllString(text, `"created":"x"`), "when the site was created"},
		{"another file", `{"id":1,"type":"story"}` + "\n" + rest, "line 1: this is not an export of agora"},
		{"unknown kind", row(`{"kind":"poll","key":"{p07}:t:519","string":"x"}`), `line 2: exports have no rows of kind "poll"`},
		{"kind that is left out", row(`{"kind":"rate","key":"rate:{a:0a}","string":"x"}`), `no rows of kind "rate"`},
		{"layout in a row", row(`{"kind":"layout","key":"meta:layout","hash":{"version":"1"}}`), `no rows of kind "layout"`},
		{"key of another kind", row(`{"kind":"topic","key":"{p07}:c:519","hash":{"a":"b"}}`), `"{p07}:c:519" is not a key of kind topic`},
		{"key in another partition", row(`{"kind":"topic","key":"{p08}:t:519","hash":{"a":"b"}}`), `is not a key of kind topic`},
		{"content of another type", row(`{"kind":"topic","key":"{p07}:t:519","zset":{"a":1}}`), `the content of "{p07}:t:519" is not a hash`},
		{"no content", row(`{"kind":"topic","key":"{p07}:t:519","hash":{}}`), `line 2: it does not have the form of a row`},
		{"two contents", row(`{"kind":"topic","key":"{p07}:t:519","hash":{"a":"b"},"set":["a"]}`), `does not have the form`},
		{"unknown member", row(`{"kind":"topic","key":"{p07}:t:519","hash":{"a":"b"},"ttl":7}`), `does not have the form`},
		{"negative expiry", row(`{"kind":"topic","key":"{p07}:t:519","expires":-1,"hash":{"a":"b"}}`), `does not have the form`},
		{"score that is no number", row(`{"kind":"topic-votes","key":"{p07}:t:519:up","zset":{"a":"b"}}`), `line 2: it does not have the form`},
		{"two values in a line", row(`{"kind":"topic","key":"{p07}:t:519","hash":{"a":"b"}} {}`), `does not have the form`},
		{"a line that is too long", row(strings.Repeat("x", maxLine+1<<20)), "line 2: it has more than"},
	}
	rdb := redistest.New(t)
	for _, tt := range tests {
		if err := refused(t, rdb, footed(tt.lines)); !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Import of a file with a %s = %v; want %q", tt.name, err, tt.want)
		}
	}
	if _, err := importInto(t.Context(), rdb, footed(text)); err != nil {
		t.Errorf("Import of the file without a fault = %v", err)
	}
}

func TestImportRefusesDatabasesInUse(t *testing.T) {
	file := smallSite(t)
	tests := []struct {
		name  string
		write func(*redistest.Server)
		o     ImportOptions
	}{
		{"a site", func(s *redistest.Server) { open(t, s) }, ImportOptions{OtherKeys: true}},
		{"another program's keys", func(s *redistest.Server) { s.Client(t).Set(t.Context(), "cache:1", "", 0) },
			ImportOptions{}},
		{"another time zone", func(*redistest.Server) {}, ImportOptions{TimeZone: "UTC"}},
		{"another export", func(s *redistest.Server) { s.Client(t).HSet(t.Context(), key.Import, "sum", "00", "rows", 7) },
			ImportOptions{}},
	}
	for _, tt := range tests {
		server := newServer(t)
		tt.write(server)
		rdb := server.Client(t)
		before := rdb.Keys(t.Context(), "*").Val()
		var refusal *TargetError
		_, err := Import(t.Context(), store.Over(rdb), func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(file)), nil
		}, tt.o)
		if after := rdb.Keys(t.Context(), "*").Val(); !errors.As(err, &refusal) || len(after) != len(before) {
			t.Errorf("Import into a database with %s = %v, keys %v; want a TargetError and %v", tt.name, err, after, before)
		}
	}
	shared := newServer(t)
	shared.Client(t).Set(t.Context(), "cache:1", "", 0)
	must.Do(Import(t.Context(), store.Over(shared.Client(t)), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(file)), nil
	}, ImportOptions{OtherKeys: true, TimeZone: "Asia/Shanghai"}))(t)
}

// dying fails all commands from the nth pipeline on, as if the process were killed.
func dying(n int) redistest.Hook {
	return func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		if n--; n < 0 {
			return redistest.Fail(cmds, errKilled)
		}
		return next(ctx, cmds)
	}
}

var errKilled = errors.New("killed")

// manyRows returns the export of a site with so many claims that they take several records of the progress.
func manyRows(t *testing.T) []byte {
	t.Helper()
	server := newServer(t)
	s := open(t, server)
	pipe := server.Client(t).Pipeline()
	for i := range 3 * batches * batchRows {
		pipe.Set(t.Context(), fmt.Sprintf("uniq:{l:user%d}", i), fmt.Sprint(i, "/00"), 0)
	}
	must.Do(pipe.Exec(t.Context()))(t)
	var b bytes.Buffer
	must.Do(Export(t.Context(), s, &b, ExportOptions{}))(t)
	return b.Bytes()
}

// An import that is killed before any of its commands leaves data that no store opens, and is completed by
// the next one, which does not write everything again.
func TestInterruptedImportIsResumed(t *testing.T) {
	testlevel.Sequential(t)
	file, other := manyRows(t), smallSite(t)
	resumed := 0
	for n := 1; ; n += 1 + n/8 {
		server := newServer(t)
		killed := server.Client(t)
		killed.AddHook(dying(n))
		_, err := importInto(t.Context(), killed, file)
		if err == nil {
			break
		}
		rdb := server.Client(t)
		if begun := rdb.Exists(t.Context(), key.Import).Val() == 1; begun {
			_, err := store.Open(t.Context(), store.Over(server.Client(t)), store.Layout{})
			_, errRead := store.OpenReadOnly(t.Context(), store.Over(server.Client(t)), store.Layout{})
			if !errors.Is(err, store.ErrImporting) || !errors.Is(errRead, store.ErrImporting) {
				t.Fatalf("after an import was killed before command %d, Open = %v, OpenReadOnly = %v; want ErrImporting", n, err,
					errRead)
			}
			var refusal *TargetError
			if _, err := importInto(t.Context(), rdb, other); !errors.As(err, &refusal) {
				t.Fatalf("Import of another export = %v; want a TargetError", err)
			}
		}
		sum, err := importInto(t.Context(), rdb, file)
		if err != nil {
			t.Fatalf("Import after one was killed before command %d: %v", n, err)
		}
		if sum.Earlier > 0 {
			resumed++
		}
		if again := export(t, server); !bytes.Equal(again, file) {
			t.Fatalf("the export of a site whose import was killed before command %d differs", n)
		}
	}
	if resumed < 2 {
		t.Errorf("%d imports were continued; want some", resumed)
	}
}

// Of two imports at the same time, the earlier one gives up.
func TestLaterImportTakesOver(t *testing.T) {
	rdb := newServer(t).Client(t)
	a := &target{conn: store.Over(rdb), sum: "00", run: "a"}
	b := &target{conn: store.Over(rdb), sum: "00", run: "b"}
	must.Do(a.begin(t.Context(), false))(t)
	wantOK(t, "note", a.note(t.Context(), 5))
	rows, err := b.begin(t.Context(), false)
	if err != nil || rows != 5 {
		t.Errorf("begin of the later = %d, %v; want 5 rows", rows, err)
	}
	if err := a.note(t.Context(), 6); !errors.Is(err, errTaken) {
		t.Errorf("note of the earlier = %v; want errTaken", err)
	}
	wantOK(t, "finish", b.finish(t.Context(), map[string]string{"created": "1", "version": "3"}))
	if err := a.finish(t.Context(), map[string]string{"created": "1", "version": "3"}); !errors.Is(err, errTaken) {
		t.Errorf("finish of the earlier = %v; want errTaken", err)
	}
	if rdb.Exists(t.Context(), key.Import).Val() != 0 {
		t.Error("the earlier import has marked the site as incomplete again")
	}
}

// A server that creates a site while an import begins keeps the database.
func TestImportGivesWayToAServer(t *testing.T) {
	rdb := newServer(t).Client(t)
	a := &target{conn: store.Over(rdb), sum: "00", run: "a"}
	wantOK(t, "HSET", rdb.HSet(t.Context(), key.Import, "sum", "00").Err())
	wantOK(t, "HSET", rdb.HSet(t.Context(), key.Layout, "created", 1).Err())
	var refusal *TargetError
	if _, err := a.begin(t.Context(), false); !errors.As(err, &refusal) || rdb.Exists(t.Context(), key.Import).Val() != 0 {
		t.Errorf("begin = %v; want a TargetError, and the claim given up", err)
	}
}
