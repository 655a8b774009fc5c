package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"agora/internal/test/clustertest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// firstLayout is a site that a program of layout version 1 wrote and exported: 4 users, 12 topics of all kinds, one of
// them deleted, 36 comments, votes, follows, tags.
const firstLayout = "testdata/layout1.jsonl"

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

// An export of the first layout is migrated when it is imported.
func TestExportsOfTheFirstLayout(t *testing.T) {
	testlevel.Usual(t)
	server := redistest.Start(t)
	env := map[string]string{"REDIS_URL": server.URL()}
	run := func(want string, args ...string) {
		t.Helper()
		out, err := migrated(t, server, args...)
		if err != nil || !strings.Contains(out, want) {
			t.Fatalf("agora %v = %q, %v; want %q", args, out, err, want)
		}
	}
	const front = `{front {topics(first: 20) {totalCount nodes {
		title votes {up down} tags {name} author {login} comments(first: 9) {nodes {content author {login}}}}}}}`
	run("", "import", "--format", "agora", firstLayout)
	run("repaired", "check", "--repair") // what later versions keep besides: lists of names, karma
	run("no invariant is broken", "check")
	s := start(t, env, "--addr", "127.0.0.1:0")
	defer s.stop()
	shown := s.post(t, "", front)
	if !strings.Contains(shown, `"totalCount":11`) || !strings.Contains(shown, "Reply of cleo") {
		t.Errorf("the front = %s; want the imported topics", shown)
	}
}

// Data of the second layout are refused until they were migrated, with all servers stopped.
func TestMigrateDataOfTheSecondLayout(t *testing.T) {
	testlevel.Usual(t)
	dir := t.TempDir()
	must.OK(t, os.CopyFS(dir, os.DirFS("../test/layout/testdata/layout2")))
	server := clustertest.StartOne(t, testlevel.RedisProgram(t), "--dir", dir, "--appendonly", "yes")
	env := environment(map[string]string{"REDIS_URL": "redis://" + server.Addr})
	run := func(args ...string) string {
		var out, errs bytes.Buffer
		p := newProgram("", nil, strings.NewReader(""), &out, &errs)
		if err := p.run(t.Context(), append([]string{"agora"}, args...), env); err != nil {
			return err.Error()
		}
		return out.String()
	}
	const stop = "the data have layout version 2, and this program needs version 3: stop all servers, then run " +
		"agora migrate"
	for _, step := range []struct{ args, want string }{
		{"check", stop},
		{"serve --addr 127.0.0.1:0", stop},
		{"export --out " + dir + "/export", stop},
		{"migrate --dry-run", "from version 2 to 3, with "},
		{"check", stop},
		{"migrate", "The data have layout version 3."},
		{"migrate --dry-run", "Nothing was changed."},
	} {
		if got := run(strings.Fields(step.args)...); !strings.Contains(got, step.want) {
			t.Errorf("agora %s: %s; want %q", step.args, got, step.want)
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
