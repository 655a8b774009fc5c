package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// migrated runs a command on the site of a server.
func migrated(t *testing.T, server *redistest.Server, args ...string) (stdout string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	p := newProgram("", nil, strings.NewReader(""), &out, &errs)
	err = p.run(t.Context(), append([]string{"agora"}, args...), environment(map[string]string{"REDIS_URL": server.URL()}))
	if err == nil && errs.Len() > 0 {
		t.Logf("agora %v: %s", args, errs.String())
	}
	return out.String(), err
}

// Data of an older layout are refused until they were migrated, with all servers stopped.
func TestMigrate(t *testing.T) {
	testlevel.Usual(t)
	const older = store.LayoutVersion - 1
	seen := map[string]bool{}
	store.Migrations[older] = func(_ context.Context, _ *store.Connection, keys []string) error {
		for _, k := range keys {
			seen[k] = true
		}
		return nil
	}
	defer delete(store.Migrations, older)
	server := redistest.Start(t)
	rdb := server.Client(t)
	s := must.Do(store.Open(t.Context(), store.Over(rdb), store.Layout{}))(t)
	must.Do(s.Categories.CreateCategory(t.Context(), "Tea", "tea", ""))(t)
	s.Close()
	must.OK(t, rdb.HSet(t.Context(), "meta:layout", "version", older).Err())
	run := func(args string) string {
		out, err := migrated(t, server, strings.Fields(args)...)
		if err != nil {
			return err.Error()
		}
		return out
	}
	stop := fmt.Sprintf("the data have layout version %d, and this program needs version %d: stop all servers, then run "+
		"agora migrate", older, store.LayoutVersion)
	for _, step := range []struct{ args, want string }{
		{"check", stop},
		{"serve --addr 127.0.0.1:0", stop},
		{"export --out " + t.TempDir() + "/export", stop},
		{"migrate --dry-run", fmt.Sprintf("from version %d to %d, with ", older, store.LayoutVersion)},
		{"check", stop},
		{"migrate", fmt.Sprintf("The data have layout version %d.", store.LayoutVersion)},
		{"migrate --dry-run", "Nothing was changed."},
	} {
		if got := run(step.args); !strings.Contains(got, step.want) {
			t.Errorf("agora %s: %s; want %q", step.args, got, step.want)
		}
	}
	for _, k := range rdb.Keys(t.Context(), "*").Val() {
		if !seen[k] {
			t.Errorf("the migration was not called with %s", k)
		}
	}
}

func TestMigrateRefuses(t *testing.T) {
	server := redistest.Start(t)
	for args, want := range map[string]string{
		"migrate now":       "takes no arguments",
		"migrate --dry-run": "no Agora data",
	} {
		if _, err := migrated(t, server, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("agora %s = %v; want %q", args, err, want)
		}
	}
}
