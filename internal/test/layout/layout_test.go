// Package layout tests that a site whose keys an earlier version has written is served as that version served it.
package layout

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/httpserver/limit"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/archive"
	"agora/internal/store/fsck"
	"agora/internal/store/notify"
	"agora/internal/store/sessions"
	"agora/internal/test/clustertest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// written is a site as a version of the server wrote it, and what that version answered. It cannot be made again: later
// versions write other keys. testdata/layout3 is of commit bfeb312, which wrote layout 2, and was migrated by the last
// version that could do so:
//
//   - appendonlydir is that of a redis-server 7.0. The last servers were killed between two scripts, so that marks and
//     tasks are left.
//   - site.jsonl.gz is the export of the same data.
//   - answers.json.gz has operations that select each field of the schema of that version but Timeline.eventId, which
//     contains a time of Redis's own clock, and their answers once workers have finished what is left: first queries,
//     then mutations and what can be read after them.
//
// A test in package graph made it, with the clock of redistest: by mutations, by store.Import, and by stores with
// WithSteps that panicked before a step. Keys that had expired by that clock were deleted, and those that expire by the
// clock of Redis were given an expiry by the other one. There is every kind of key but rankings of comments, events of
// the report queue, failed sign-ins, tasks given up, and what exists only in a cluster, during an import, or for
// seconds.
type written struct {
	// Now is the time at which the operations were executed.
	Now time.Time
	// Tokens are those of the viewers, by login.
	Tokens map[string]string
	// Documents are those of the operations, by name.
	Documents  map[string]string
	Operations []operation
}

// operation is one request.
type operation struct {
	Name, Document string
	As             string // login of the viewer; "" is signed out
	Variables      map[string]any
	NotExported    bool // the answer has what exports leave out
	Settled        bool // workers have finished what the operations before it left
	Answer         answer
}

// answer is what clients read, without what differs from call to call.
type answer struct {
	Data   any
	Errors []failure
}

type failure struct {
	Message    string
	Path       []any
	Extensions struct{ Code string }
}

// layouts are the directories of testdata.
var layouts = []string{"layout3"}

// start starts a Redis with a copy of the data of a directory of testdata.
func start(t *testing.T, name string) redis.UniversalClient {
	t.Helper()
	dir := t.TempDir()
	must.OK(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))))
	return clustertest.StartOne(t, testlevel.RedisProgram(t), "--dir", dir, "--appendonly", "yes").Redis
}

// A redis-server with the data of an earlier version.
func TestDataOfEarlierLayouts(t *testing.T) {
	for _, name := range layouts {
		t.Run(name, func(t *testing.T) {
			rdb, want := start(t, name), answers(t, name)
			s := openSite(t, rdb, want)
			for _, op := range want.Operations {
				s.compare(t, op)
			}
			s.check(t)
		})
	}
}

// madeUp is a layout that no version wrote: users have their name in another field. migrateMadeUp is its migration.
const madeUp = store.LayoutVersion - 1

func migrateMadeUp(ctx context.Context, conn *store.Connection, keys []string) error {
	for _, k := range keys {
		name, err := conn.Redis.HGet(ctx, k, "oldName").Result()
		if err != nil { // it has none, or is no hash
			continue
		}
		if err := conn.Redis.HSet(ctx, k, "name", name).Err(); err != nil {
			return err
		}
		if err := conn.Redis.HDel(ctx, k, "oldName").Err(); err != nil {
			return err
		}
	}
	return nil
}

// Servers refuse data of an older layout until they are migrated. A migration that is interrupted leaves data that
// nothing opens until it has been run again, and running it again changes nothing of what is done.
func TestMigrationsGoOn(t *testing.T) {
	testlevel.Usual(t)
	rdb := start(t, layouts[0])
	conn, want := store.Over(rdb), dump(t, rdb)
	for k, fields := range want {
		if name := fields["name"]; strings.Contains(k, ":u:") && name != "" {
			must.OK(t, rdb.HSet(t.Context(), k, "oldName", name).Err())
			must.OK(t, rdb.HDel(t.Context(), k, "name").Err())
		}
	}
	must.OK(t, rdb.HSet(t.Context(), "meta:layout", "version", madeUp).Err())
	refused := func(why string) {
		t.Helper()
		if _, err := store.Open(t.Context(), conn, store.Layout{}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("Open = %v; want %q", err, why)
		}
	}
	refused("which this program cannot bring to version")
	store.Migrations[madeUp] = migrateMadeUp
	defer delete(store.Migrations, madeUp)
	refused("then run agora migrate")
	migrate := func(ctx context.Context, progress func(int64)) error {
		t.Helper()
		m, err := store.FindMigration(t.Context(), conn)
		if err != nil || m.From != madeUp {
			t.Fatalf("FindMigration = %+v, %v; want one from version %d", m, err, madeUp)
		}
		return m.Run(ctx, progress)
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	if err := migrate(interrupted, func(int64) { interrupt() }); !errors.Is(err, context.Canceled) {
		t.Errorf("the interrupted migration: %v", err)
	}
	refused("run agora migrate again")
	must.OK(t, migrate(t.Context(), func(int64) {}))
	if diff := cmp.Diff(want, dump(t, rdb)); diff != "" {
		t.Errorf("the migrated data differ (-want +got):\n%s", diff)
	}
	if m, err := store.FindMigration(t.Context(), conn); err != nil || m.Needed() {
		t.Errorf("FindMigration = %+v, %v; want none", m, err)
	}
}

// dump returns the fields of all hashes.
func dump(t *testing.T, rdb redis.Cmdable) map[string]map[string]string {
	t.Helper()
	all := map[string]map[string]string{}
	for _, k := range rdb.Keys(t.Context(), "*").Val() {
		all[k] = rdb.HGetAll(t.Context(), k).Val()
	}
	return all
}

// An export of an earlier layout, in an empty database.
func TestExportsOfEarlierLayouts(t *testing.T) {
	testlevel.Usual(t)
	for _, name := range layouts {
		t.Run(name, func(t *testing.T) {
			want := answers(t, name)
			server := redistest.Start(t)
			server.Freeze(want.Now)
			rdb := server.Client(t)
			open := func() (io.ReadCloser, error) {
				file, err := os.Open(filepath.Join("testdata", name, "site.jsonl.gz"))
				if err != nil {
					return nil, err
				}
				t.Cleanup(func() { file.Close() })
				return gzip.NewReader(file)
			}
			must.Do(archive.Import(t.Context(), store.Over(rdb), open, archive.ImportOptions{}))(t)
			s := openSite(t, rdb, want)
			s.signIn(t, want)
			for _, op := range want.Operations {
				if !op.NotExported {
					s.compare(t, op)
				}
			}
			s.check(t)
		})
	}
}

// answers reads the answers of a site.
func answers(t *testing.T, name string) (all written) {
	t.Helper()
	file := must.Do(os.Open(filepath.Join("testdata", name, "answers.json.gz")))(t)
	defer file.Close()
	text := must.Do(gzip.NewReader(file))(t)
	must.OK(t, json.NewDecoder(text).Decode(&all))
	return all
}

// site is a server of the present version over the data.
type site struct {
	store   *store.Store
	handler http.Handler
	written
}

// openSite opens data as servers do, at the time of the answers, and lets workers finish what was left.
func openSite(t *testing.T, rdb redis.UniversalClient, want written) *site {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	data := must.Do(store.Open(t.Context(), store.Over(rdb), store.Layout{}, store.WithLog(log),
		store.WithClock(func() time.Time { return want.Now })))(t)
	t.Cleanup(data.Close)
	schema := must.Do(os.ReadFile("../../../schema.graphqls"))(t)
	limits := limit.Defaults() // some operations are larger than those of clients
	limits.Rows, limits.Values = 1<<30, 1<<30
	s := &site{store: data, written: want}
	s.handler = httpserver.New(httpserver.Options{
		Resolver: &graph.Resolver{Store: data, Hasher: auth.NewHasher(1, auth.Cheap()), Events: event.New(data, log),
			SiteName: "Agora", Log: log},
		Schema: string(schema), Limits: &limits, Log: log,
	})
	s.finish(t)
	return s
}

// finish lets workers finish what is left.
func (s *site) finish(t *testing.T) {
	t.Helper()
	for n := 1; n > 0; {
		err := s.store.Flush(t.Context())
		if err == nil {
			n, err = s.store.Engine.RunDueTasks(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// signIn starts the sessions of the viewers, which exports leave out.
func (s *site) signIn(t *testing.T, want written) {
	t.Helper()
	ends := s.store.Engine.Now() + forum.Time(forum.SessionLife.Milliseconds())
	for login, text := range want.Tokens {
		token, ok := auth.ParseToken(text)
		if !ok {
			t.Fatalf("the token of %s does not parse", login)
		}
		in := sessions.NewSession{User: token.User, Digest: token.Digest(), Ends: ends}
		if err := s.store.Sessions.StartSession(t.Context(), in); err != nil && forum.CodeOf(err) != forum.CodeBanned {
			t.Fatalf("sign in %s: %v", login, err)
		}
	}
}

// compare executes an operation and compares its answer.
func (s *site) compare(t *testing.T, op operation) {
	t.Helper()
	if op.Settled {
		s.finish(t)
	}
	body := must.Do(json.Marshal(map[string]any{"query": s.Documents[op.Document], "variables": op.Variables}))(t)
	r := httptest.NewRequest("POST", "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if op.As != "" {
		r.Header.Set("Authorization", "Bearer "+s.Tokens[op.As])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	var got answer
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("%s: %v: %s", op.Name, err, w.Body)
	}
	if diff := cmp.Diff(op.Answer, got); diff != "" {
		t.Errorf("%s (document %s, as %q, %s) has another answer (-want +got):\n%s", op.Name, op.Document, op.As,
			fmt.Sprint(op.Variables), diff)
	}
}

// check checks all invariants of the data.
func (s *site) check(t *testing.T) {
	t.Helper()
	s.finish(t)
	report := must.Do(fsck.Check(t.Context(), s.store, fsck.Options{}))(t)
	for _, f := range report.Findings {
		switch f.Rule {
		case "expiry-long": // by the clock of Redis, which is years behind
		case accounts.RuleLooks, notify.RuleNoteUnread: // until check --repair
		default:
			t.Errorf("check: %v", f)
		}
	}
}
