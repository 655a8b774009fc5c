package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// moving is a site with demo data, an empty Redis, and a directory for files.
type moving struct {
	t        *testing.T
	from, to map[string]string // environments
	dir      string
}

func newMoving(t *testing.T) *moving {
	from, to, now := redistest.Start(t), redistest.Start(t), time.Now()
	from.Freeze(now)
	to.Freeze(now)
	m := &moving{t: t, dir: t.TempDir(), from: map[string]string{"REDIS_URL": from.URL()},
		to: map[string]string{"REDIS_URL": to.URL()}}
	must.OK(t, start(t, m.from, "--addr", "127.0.0.1:0", "--demo", "--quiet").stop())
	return m
}

// run runs a command.
func (m *moving) run(env map[string]string, stdin io.Reader, args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	err = run(m.t.Context(), append([]string{"agora"}, args...), environment(env), stdin, &out, &errs)
	return out.String(), errs.String(), err
}

// wantRun runs a command that must succeed, and returns its standard output.
func (m *moving) wantRun(env map[string]string, stdin io.Reader, args ...string) string {
	m.t.Helper()
	out, errs, err := m.run(env, stdin, args...)
	if err != nil {
		m.t.Fatalf("agora %v: %v; %s", args, err, errs)
	}
	return out
}

// The demo's site is the same after it was exported and imported by the command line, and check finds nothing.
func TestExportAndImportCommands(t *testing.T) {
	testlevel.Usual(t)
	m := newMoving(t)
	file := filepath.Join(m.dir, "site.jsonl")
	if out := m.wantRun(m.from, nil, "export", "--out", file); out != "" {
		t.Errorf("export --out writes %q to standard output; want nothing", out)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v, %v; want one that only its owner can read", info.Mode(), err)
	}
	text := must.Do(os.ReadFile(file))(t)
	if out := m.wantRun(m.from, nil, "export"); out != string(text) {
		t.Error("export writes something else to standard output than to a file")
	}
	keys := regexp.MustCompile(`, \d+ keys`) // an export has no consumers
	before := keys.ReplaceAllString(m.wantRun(m.from, nil, "check"), "")
	out := m.wantRun(m.to, bytes.NewReader(text), "import", "--format", "agora", "-")
	if !strings.Contains(out, " rows in ") {
		t.Errorf("import prints %q; want the number of rows", out)
	}
	if again := m.wantRun(m.to, nil, "export"); again != string(text) {
		t.Error("the imported site has another export")
	}
	after := keys.ReplaceAllString(m.wantRun(m.to, nil, "check"), "")
	if after != before || !strings.Contains(after, "no invariant is broken") {
		t.Errorf("check of the imported site = %q; want %q", after, before)
	}
	if _, _, err := m.run(m.to, nil, "import", "--format", "agora", file); err == nil ||
		!strings.Contains(err.Error(), "the database is not empty") {
		t.Errorf("a second import = %v; want a refusal", err)
	}
	names, err := os.ReadDir(m.dir)
	if err != nil || len(names) != 1 {
		t.Errorf("the directory has %v, %v; want only the export", names, err)
	}
}

// A private redis-server is filled and emptied in the same way.
func TestImportIntoADirectory(t *testing.T) {
	testlevel.Usual(t)
	testlevel.RealRedis(t)
	m := newMoving(t)
	text := m.wantRun(m.from, nil, "export")
	data := map[string]string{"DATA_DIR": filepath.Join(m.dir, "data")}
	m.wantRun(data, strings.NewReader(text), "import", "--format", "agora", "-")
	if again := m.wantRun(data, nil, "export"); again != text {
		t.Error("the imported site has another export")
	}
}

func TestExportAndImportRefuse(t *testing.T) {
	testlevel.Usual(t)
	m := newMoving(t)
	file := filepath.Join(m.dir, "site.jsonl")
	m.wantRun(m.from, nil, "export", "--out", file)
	part := filepath.Join(m.dir, "part.jsonl")
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(part, text[:len(text)/2], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		env  map[string]string
		args string
		want string
	}{
		{m.to, "export", "no Agora data in Redis"},
		{nil, "export", "export needs --data DIR"},
		{m.from, "export FILE", "name the file with --out"},
		{m.from, "export --out " + m.dir + "/none/x", "no such file"},
		{m.to, "import --format agora", "pass the files to import"},
		{m.to, "import --format agora " + file + " " + file, "an export is one file"},
		{m.to, "import --format agora " + m.dir, "is a directory"},
		{m.to, "import --format agora --source x " + file, "are for other formats"},
		{m.to, "import --format agora " + part, "the file is truncated"},
		{m.to, "import --format agora --time-zone Asia/Shanghai " + file, "the time zone of the site is UTC"},
	}
	for _, tt := range tests {
		_, _, err := m.run(tt.env, nil, strings.Fields(tt.args)...)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("agora %s = %v; want %q", tt.args, err, tt.want)
		}
	}
	m.wantRun(m.to, nil, "import", "--format", "agora", file) // none of them has written anything
}
