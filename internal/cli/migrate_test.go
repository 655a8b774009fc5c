package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"agora/internal/store"
	"agora/internal/store/fsck"
	"agora/internal/test/clustertest"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// firstLayout is a site that a program of layout version 1 wrote and exported: 4 users, 12 topics of all kinds, one of
// them deleted, 36 comments, votes, follows, tags.
const firstLayout = "testdata/layout1.jsonl"

// migrated runs a command on the site of a server, without waiting for other processes.
func migrated(t *testing.T, server *redistest.Server, args ...string) (stdout string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	p := newProgram("", nil, strings.NewReader(""), &out, &errs)
	p.hooks.Storing = []store.Option{store.WithSettling(0)}
	err = p.run(t.Context(), append([]string{"agora"}, args...), environment(map[string]string{"REDIS_URL": server.URL()}))
	if err == nil && errs.Len() > 0 {
		t.Logf("agora %v: %s", args, errs.String())
	}
	return out.String(), err
}

// An export of the first layout is migrated when it is imported, and shows the same after its front was divided.
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
	read := func() string {
		s := start(t, env, "--addr", "127.0.0.1:0")
		defer s.stop()
		return s.post(t, "", front)
	}
	run("", "import", "--format", "agora", firstLayout)
	run("repaired", "check", "--repair") // what later versions keep besides: lists of names, karma
	run("no invariant is broken", "check")
	before := read()
	if !strings.Contains(before, `"totalCount":11`) || !strings.Contains(before, "Reply of cleo") {
		t.Fatalf("the front = %s; want the imported topics", before)
	}
	keys := func() string { return strings.Join(server.Client(t).Keys(t.Context(), "*").Val(), " ") }
	run("The index front is to be divided: 0 of 11 topics", "migrate", "--dry-run", "--divide-above", "10")
	if strings.Contains(keys(), "{ix:front/") {
		t.Errorf("--dry-run has made the keys %s", keys())
	}
	run("The data have layout version 3.", "migrate", "--divide-above", "10")
	if all := keys(); !strings.Contains(all, "{ix:front/") || strings.Contains(all, "{ix:front}:created") {
		t.Errorf("after migrate there are the keys %s", all)
	}
	run("The index front, with 11 topics, is divided.", "migrate", "--divide-above", "10")
	run("no invariant is broken", "check")
	if after := read(); after != before {
		t.Errorf("the front after migrate = %s; want %s", after, before)
	}
	site := t.TempDir() + "/site"
	run("", "export", "--out", site)
	server = redistest.Start(t) // an import keeps divisions
	run("", "import", "--format", "agora", site)
	run("The index front, with 11 topics, is divided.", "migrate", "--divide-above", "10")
	run("no invariant is broken", "check")
}

// Servers divide indexes, too.
func TestServersDivideIndexes(t *testing.T) {
	testlevel.Usual(t)
	server := redistest.Start(t)
	if _, err := migrated(t, server, "import", "--format", "agora", firstLayout); err != nil {
		t.Fatal(err)
	}
	conn, err := store.Connect(t.Context(), server.URL(), store.ConnectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	s, err := store.Open(t.Context(), conn, store.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	serving := startWith(t, Hooks{Storing: []store.Option{store.WithSettling(0)}},
		map[string]string{"REDIS_URL": server.URL()}, "--addr", "127.0.0.1:0", "--divide-above", "5")
	defer serving.stop()
	for {
		indexes, err := s.Indexes(t.Context(), 5)
		if err != nil {
			t.Fatal(err)
		}
		if len(indexes) == 1 && indexes[0].Divided() {
			break
		}
	}
	if _, err := fsck.Check(t.Context(), s, fsck.Options{Repair: true}); err != nil { // names, karma
		t.Fatal(err)
	}
	if r, err := fsck.Check(t.Context(), s, fsck.Options{}); err != nil || r.Found > 0 {
		t.Errorf("Check = %+v, %v; want nothing found", r, err)
	}
}

// Data of the second layout are refused until they were migrated, with all servers stopped.
func TestMigrateDataOfTheSecondLayout(t *testing.T) {
	testlevel.Usual(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../test/layout/testdata/layout2")); err != nil {
		t.Fatal(err)
	}
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
		"migrate now":               "takes no arguments",
		"migrate --divide-above -1": "whole number",
		"migrate --dry-run":         "no Agora data",
		"serve --divide-above x":    "whole number",
	} {
		if _, err := migrated(t, server, strings.Fields(args)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("agora %s = %v; want %q", args, err, want)
		}
	}
}
