// Package releases tests that what the last releases wrote and promised still holds. Their directories in testdata are
// made by keep.sh.
package releases

import (
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/schemadiff"
	"agora/internal/store"
	"agora/internal/store/archive"
	"agora/internal/store/fsck"
	"agora/internal/test/clustertest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/version"
)

// changelog returns what the changelog says of versions.
func changelog(t *testing.T) version.Log {
	t.Helper()
	text := must.Do(os.ReadFile("../../../CHANGELOG.md"))(t)
	return version.Read(string(text))
}

// kept returns the directories of all releases.
func kept(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob("testdata/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no releases are kept: %v", err)
	}
	return dirs
}

// A change of the schema that breaks clients of the last release is named in the changelog, by its coordinate.
func TestBreakingChangesAreInTheChangelog(t *testing.T) {
	log := changelog(t)
	read := func(file string) *ast.Source {
		text := must.Do(os.ReadFile(file))(t)
		return &ast.Source{Name: file, Input: string(text)}
	}
	changes := must.Do(schemadiff.Diff(read(filepath.Join("testdata", log.Newest, "schema.graphqls")),
		read("../../../schema.graphqls")))(t)
	for _, c := range unnamed(changes, log.Unreleased) {
		t.Errorf("the changelog does not name a change that breaks clients of %s: %s", log.Newest, c)
	}
}

// unnamed returns the breaking changes that a part of the changelog does not name.
func unnamed(changes []schemadiff.Change, unreleased string) (missing []schemadiff.Change) {
	for _, c := range changes {
		if c.Severity == schemadiff.Breaking && !strings.Contains(unreleased, "`"+c.Coordinate+"`") {
			missing = append(missing, c)
		}
	}
	return missing
}

func TestUnnamedChanges(t *testing.T) {
	breaking := func(coordinate string) schemadiff.Change {
		return schemadiff.Change{Severity: schemadiff.Breaking, Coordinate: coordinate, What: "was removed"}
	}
	changes := []schemadiff.Change{breaking("Topic.title"), breaking("Topic.titles"), breaking("Query.topic(id:)"),
		{Severity: schemadiff.Safe, Coordinate: "Topic.name", What: "is new"}}
	got := unnamed(changes, "\n- `Topic.titles` and `Query.topic(id:)` are gone.\n")
	if len(got) != 1 || got[0] != changes[0] {
		t.Errorf("unnamed = %v; want the change of Topic.title", got)
	}
}

// The data directory of each release is opened, migrated if necessary, and sound; it has what the export has.
func TestDataOfReleases(t *testing.T) {
	program := testlevel.RedisProgram(t)
	for _, dir := range kept(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			copied := t.TempDir()
			unpack := exec.Command("tar", "-xzf", filepath.Join(dir, "redis.tar.gz"), "-C", copied)
			if said, err := unpack.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", unpack, err, said)
			}
			opened := sound(t, clustertest.StartOne(t, program, "--dir", copied, "--appendonly", "yes").Redis)
			server := redistest.Start(t)
			rdb := server.Client(t)
			must.Do(archive.Import(t.Context(), store.Over(rdb), export(t, dir), archive.ImportOptions{}))(t)
			if imported := sound(t, rdb); imported != opened {
				t.Errorf("the export has %v; want %v, as in the data directory", imported, opened)
			}
		})
	}
}

// export returns a function that opens the export of a release.
func export(t *testing.T, dir string) func() (io.ReadCloser, error) {
	t.Helper()
	return func() (io.ReadCloser, error) {
		file, err := os.Open(filepath.Join(dir, "site.jsonl.gz"))
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { file.Close() })
		return gzip.NewReader(file)
	}
}

// counts is how much a site has.
type counts struct{ users, topics, comments int }

// sound opens a site as an upgrade does, which adds what newer versions derive, checks it, and returns how much it has.
func sound(t *testing.T, rdb redis.UniversalClient) counts {
	t.Helper()
	conn := store.Over(rdb)
	migration, err := store.FindMigration(t.Context(), conn)
	if err == nil && migration.Needed() {
		err = migration.Run(t.Context(), func(int64) {})
	}
	if err != nil {
		t.Fatal(err)
	}
	s := must.Do(store.Open(t.Context(), conn, store.Layout{}))(t)
	defer s.Close()
	must.OK(t, s.Upgrade(t.Context(), func(int64) {}))
	must.OK(t, s.Flush(t.Context()))
	report := must.Do(fsck.Check(t.Context(), s, fsck.Options{}))(t)
	if report.Broken() > 0 || report.Users == 0 {
		t.Errorf("check finds %d problems in %d accounts: %v", report.Broken(), report.Users, report.Findings)
	}
	return counts{report.Users, report.Topics, report.Comments}
}

// Data of a newer version are refused, with what can be done.
func TestDowngrade(t *testing.T) {
	rdb := redistest.New(t)
	s, err := store.Open(t.Context(), store.Over(rdb), store.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	must.OK(t, rdb.HSet(t.Context(), "meta:layout", "version", store.LayoutVersion+1).Err())
	if _, err = store.Open(t.Context(), store.Over(rdb), store.Layout{}); err == nil ||
		!strings.Contains(err.Error(), "use that version again, or restore a backup") {
		t.Errorf("Open of data of a newer layout: %v; want an error that says what can be done", err)
	}
}
