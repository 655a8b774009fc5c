package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// importing is a site that files are imported into by the command line.
type importing struct {
	t   *testing.T
	env map[string]string
	dir string
}

func newImporting(t *testing.T) *importing {
	return &importing{t: t, env: map[string]string{"REDIS_URL": redistest.Start(t).URL()}, dir: t.TempDir()}
}

// file writes a file and returns its path.
func (i *importing) file(name, content string) string {
	i.t.Helper()
	path := filepath.Join(i.dir, name)
	must.OK(i.t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// run runs import with a text on standard input.
func (i *importing) run(stdin string, args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	err = run(
		context.Background(),
		append([]string{"agora", "import"}, args...),
		environment(i.env),
		strings.NewReader(stdin),
		&out,
		&errs,
	)
	return out.String(), errs.String(), err
}

// stories are Hacker News stories of ann's with ids from 1 on.
func stories(n int) string {
	var b strings.Builder
	for id := range n {
		fmt.Fprintf(&b, `{"id":%d,"type":"story","by":"ann","time":1577836800,"title":"T"}`+"\n", id+1)
	}
	return b.String()
}

func packed(t *testing.T, s string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(s))
	must.OK(t, z.Close())
	return b.String()
}

func TestImportCommandRefuses(t *testing.T) {
	i := newImporting(t)
	good := i.file("good", stories(1))
	here, there := i.dump("a.example.org", "Posts.xml", "Users.xml"), i.dump("b.example.org", "Posts.xml", "Posts.xml.gz")
	tests := []struct {
		name string
		env  map[string]string
		args []string
		want string
	}{
		{"no files", i.env, []string{"--format", "hackernews"}, "pass the files to import"},
		{"no format", i.env, []string{good}, "discourse, hackernews, stackexchange, snap, agora"},
		{"unknown format", i.env, []string{"--format", "phpbb", good}, "--format must be one of v2ex, discourse, hackernews"},
		{
			"bad source",
			i.env,
			[]string{"--format", "hackernews", "--source", "a b", good},
			`the source "a b" must consist of`,
		},
		{"bad address of the source", i.env, []string{"--format", "hackernews", "--source-url", "old.example.org", good},
			`the source's URL "old.example.org" must be`},
		{"no category", i.env, []string{"--format", "hackernews", "--category", "", good}, "category must have at least 1"},
		{"missing file", i.env, []string{"--format", "hackernews", good, filepath.Join(i.dir, "gone")}, "gone: no such file"},
		{"directory", i.env, []string{"--format", "hackernews", i.dir}, "is a directory; pass its files"},
		{"a dump on standard input", i.env, []string{"--format", "stackexchange", "-"}, "cannot come from standard input"},
		{
			"a dump that is not there",
			i.env,
			[]string{"--format", "stackexchange", filepath.Join(i.dir, "gone")},
			"gone: no such file",
		},
		{"no dump in a directory", i.env, []string{"--format", "stackexchange", i.dir}, "there is no Posts.xml"},
		{
			"another file in place of a dump",
			i.env,
			[]string{"--format", "stackexchange", good},
			"good: the files of a Stack Exchange site are named",
		},
		{"two dumps in a directory", i.env, []string{"--format", "stackexchange", there}, "Posts.xml.gz are the same table"},
		{
			"a dump in two directories",
			i.env,
			[]string{"--format", "stackexchange", here, filepath.Join(there, "Posts.xml")},
			"set the site's name with --source",
		},
		{
			"a bad name of a directory",
			i.env,
			[]string{"--format", "stackexchange", i.dump("my site", "Posts.xml")},
			`the source "my site" must consist of`,
		},
		{"the embedded store", nil, []string{"--format", "hackernews", good}, "import needs --data DIR, or REDIS_URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, _, err := (&importing{t: t, env: tt.env}).run("", tt.args...)
			if err == nil || !strings.Contains(err.Error(), tt.want) || out != "" {
				t.Errorf("import %q = %v, prints %q; want an error with %q and nothing", tt.args, err, out, tt.want)
			}
		})
	}
	if out := command(t, i.env, "check"); !strings.HasPrefix(out, "0 topics") {
		t.Errorf("after refusals check prints %q; want no topics", out)
	}
	if out := command(t, nil, "import", "--help"); !strings.Contains(out, "USAGE") || !strings.Contains(out, "--strict") {
		t.Errorf("import --help prints %q", out)
	}
}

// dump creates a directory with these files of a Stack Exchange site, and others, and returns its path.
func (i *importing) dump(name string, files ...string) string {
	i.t.Helper()
	content := map[string]string{
		"Posts.xml": `<posts>
			<row Id="1" PostTypeId="1" CreationDate="2020-01-01T00:00:00" Title="T" OwnerUserId="5" Tags="&lt;tea&gt;&lt;` + strings.Repeat("x", 99) + `&gt;" />
			<row Id="2" PostTypeId="2" ParentId="1" CreationDate="2020-01-01T00:00:00" />
			</posts>`,
		"Users.xml":    `<users><row Id="5" DisplayName="Ann" /></users>`,
		"Comments.xml": `<comments><row Id="1" PostId="2" CreationDate="2020-01-01T00:00:00" Text="x" /></comments>`,
		"Tags.xml":     "whatever",
		"readme.txt":   "whatever",
	}
	content["Posts.xml.gz"] = packed(i.t, content["Posts.xml"])
	must.OK(i.t, os.Mkdir(filepath.Join(i.dir, name), 0o700))
	for _, file := range files {
		i.file(filepath.Join(name, file), content[file])
	}
	return filepath.Join(i.dir, name)
}

// A dump can be imported by its directory or its files; a source and a category are named after the directory.
func TestImportCommandReadsADump(t *testing.T) {
	i := newImporting(t)
	whole := i.dump("tea.example.org", "Posts.xml.gz", "Users.xml", "Comments.xml", "Tags.xml", "readme.txt")
	part := i.dump("part", "Posts.xml", "Tags.xml")
	in := func(dir string, files ...string) (paths []string) {
		for _, file := range files {
			paths = append(paths, filepath.Join(dir, file))
		}
		return paths
	}
	const tags = "1 tags left out that are empty, too long or too many\n"
	tests := []struct {
		name string
		args []string
		want string
	}{
		{
			"a directory",
			[]string{whole},
			"4 records in T s: 1 topics, 2 comments, 1 users, 1 categories, 0 tabs\nread: 1 records of users\n" + tags,
		},
		{
			"its files",
			in(whole, "Comments.xml", "Users.xml", "Posts.xml.gz", "Tags.xml"),
			"4 records in T s: 0 topics, 0 comments, 0 users, 0 categories, 0 tabs\nread: 1 records of users\nimported before: 3 " +
				"topics and comments\n" + tags,
		},
		{
			"some files, a category that is there",
			append(in(part, "Posts.xml"), "--category", "Tea.Example.org"),
			"2 records in T s: 1 topics, 1 comments, 1 users, 0 categories, 0 tabs\n" +
				"not in the files: 1 users who wrote something\n" + tags,
		},
		{
			"the same source, of two directories",
			append(in(whole, "Users.xml"), part, "--source", "part"),
			"3 records in T s: 0 topics, 0 comments, 0 users, 1 categories, 0 tabs\nread: 1 records of users\nimported before: 2 " +
				"topics and comments\n" + tags,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, stderr, err := i.run("", append([]string{"--format", "stackexchange"}, tt.args...)...)
			if got := took.ReplaceAllString(out, "in T s:"); err != nil || got != tt.want || stderr != "" {
				t.Errorf("import %q = %v, reports %q, prints\n%swant\n%s", tt.args, err, stderr, got, tt.want)
			}
		})
	}
}

// took is the duration of an import, which varies.
var took = regexp.MustCompile(`in \d+\.\d s:`)

func TestImportCommandSumsUp(t *testing.T) {
	item := func(fields string) string { return `{"time":1577836800,"by":"ann",` + fields + "}\n" }
	site := stories(
		2,
	) + item(
		`"id":3,"type":"story","title":"A\u202e\u0007","url":"ftp://x"`,
	) + item(
		`"id":4,"type":"story","dead":true,"title":"T"`,
	) +
		item(
			`"id":5,"type":"comment","parent":1,"text":"x"`,
		) + item(
		`"id":6,"type":"comment","parent":99,"text":"x"`,
	) +
		item(
			`"id":7,"type":"comment","parent":4,"text":"x"`,
		) + item(
		`"id":8,"type":"pollopt"`,
	) + item(
		`"id":9,"type":"comment","parent":1,"deleted":true`,
	)
	const left = "left out: 1, comment on a topic that is left out or deleted\nleft out: 1, comment on something that is " +
		"not in the data\nleft out: 1, dead\nleft out: 1, deleted\nleft out: 1, pollopt\n" +
		"1 control characters removed from texts\n1 direction overrides and line separators removed from titles and " +
		"names\n1 links left out that are not http or https URLs\n"
	tests := []struct {
		name  string
		stdin string
		args  []string
		want  string
	}{
		{
			"a first run",
			"",
			[]string{"plain"},
			"9 records in T s: 3 topics, 1 comments, 1 users, 0 categories, 0 tabs\n" + left,
		},
		{
			"the same, packed",
			"",
			[]string{"packed"},
			"9 records in T s: 0 topics, 0 comments, 0 users, 0 categories, 0 tabs\nimported before: 4 " +
				"topics and comments\n" + left,
		},
		{
			"standard input beside a file",
			stories(7),
			[]string{"more", "-"},
			"11 records in T s: 4 topics, 0 comments, 0 users, 0 categories, 0 tabs\nimported before: 7 " +
				"topics and comments\n",
		},
		{
			"packed standard input, of another source",
			packed(t, stories(2)),
			[]string{"--source", "other", "-"},
			"2 records in T s: 2 topics, 0 comments, 1 users, 0 categories, 0 tabs\n",
		},
		{"an empty file", "", []string{"empty"}, ""},
	}
	i := newImporting(t)
	paths := map[string]string{
		"plain":  i.file("plain", site),
		"packed": i.file("packed.gz", packed(t, site)),
		"more":   i.file("more", stories(4)),
		"empty":  i.file("empty", ""),
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := []string{"--format", "hackernews"}
			for _, a := range tt.args {
				if path := paths[a]; path != "" {
					a = path
				}
				args = append(args, a)
			}
			out, _, err := i.run(tt.stdin, args...)
			if got := took.ReplaceAllString(out, "in T s:"); err != nil || got != tt.want {
				t.Errorf("import %q = %v, prints\n%swant\n%s", args, err, got, tt.want)
			}
		})
	}
	if out := command(t, i.env, "check"); !strings.Contains(out, "no invariant is broken") {
		t.Errorf("check prints %q", out)
	}
}

// The summary of an edge list counts users and follows.
func TestImportCommandSumsUpAnEdgeList(t *testing.T) {
	i := newImporting(t)
	path := i.file("edges.gz", packed(t, "# notes\n0\t1\n1\t0\n2\t2\n0\t1\n1\tx\n"))
	for _, want := range []string{
		"5 records in T s: 2 users, 2 follows\nimported before: 1 follows\nleft out: 1, users who follow themselves\n1 bad " +
			"records skipped\n",
		"5 records in T s: 0 users, 0 follows\nimported before: 3 follows\nleft out: 1, users who follow themselves\n1 bad " +
			"records skipped\n",
	} {
		out, stderr, err := i.run("", "--format", "snap", path)
		if got := took.ReplaceAllString(out, "in T s:"); err != nil || got != want {
			t.Errorf("import = %v, prints\n%swant\n%s", err, got, want)
		}
		if line := path + ":6: \"x\" is not the number of a user\n"; stderr != line {
			t.Errorf("import reports %q; want %q", stderr, line)
		}
	}
}

// A file that cannot be read completely makes the command fail after the readable part was imported.
func TestImportCommandFailsOnABadFile(t *testing.T) {
	i := newImporting(t)
	whole := packed(t, stories(3))
	half, good := i.file("half.gz", whole[:len(whole)-8]), i.file("good", stories(5))
	out, stderr, err := i.run("", "--format", "hackernews", half, good)
	if err == nil || err.Error() != "not all files could be read completely" {
		t.Errorf("import of a truncated file = %v; want an error", err)
	}
	if want := half + ": line 4: the file is truncated: its gzip data ends early\n"; !strings.Contains(stderr, want) ||
		!strings.Contains(out, " 5 topics") {
		t.Errorf("import of a truncated file reports %q, prints %q; want %q, 5 topics", stderr, out, want)
	}
	out, stderr, err = i.run("", "--format", "hackernews", "--strict", "--source", "strict", half, good)
	if err == nil || !strings.Contains(err.Error(), "the file is truncated") || !strings.Contains(out, " 3 topics") {
		t.Errorf("strict import of a truncated file = %v, prints %q, reports %q; want an error, 3 topics", err, out, stderr)
	}
}

// Bad records are reported on standard error, the first fifty individually; they do not make the command fail.
func TestImportCommandReportsBadRecords(t *testing.T) {
	for _, bad := range []int{1, maxReported, maxReported + 7} {
		t.Run(fmt.Sprint(bad), func(t *testing.T) {
			i := newImporting(t)
			path := i.file("bad", stories(1)+strings.Repeat("{\"id\":7}\n", bad))
			out, stderr, err := i.run("", "--format", "hackernews", path)
			if want := fmt.Sprintf("%d bad records skipped\n", bad); err != nil || !strings.HasSuffix(out, want) {
				t.Errorf("import = %v, prints %q; want %q", err, out, want)
			}
			if n := strings.Count(stderr, "type is missing\n"); n != min(bad, maxReported) ||
				!strings.Contains(stderr, path+":2: type is missing\n") {
				t.Errorf("import reports %d bad records; want %d:\n%s", n, min(bad, maxReported), stderr)
			}
			if more := strings.Contains(stderr, "... and 7 more like these\n"); more != (bad > maxReported) {
				t.Errorf("import reports that there are more: %t; want %t", more, bad > maxReported)
			}
		})
	}
	i := newImporting(t)
	path := i.file("bad", stories(1)+"{}\n"+stories(2))
	out, stderr, err := i.run("", "--format", "hackernews", "--strict", path)
	if err == nil || err.Error() != path+":2: id is missing" || !strings.Contains(out, " 1 topics") {
		t.Errorf("strict import = %v, prints %q, reports %q; want an error in line 2, 1 topic", err, out, stderr)
	}
}

// Output that is not a terminal gets complete lines without control sequences.
func TestImportCommandDrawsNoBarIntoAFile(t *testing.T) {
	i := newImporting(t)
	path := i.file("bad", strings.Repeat(stories(10)+"{}\n", 50))
	out, stderr, err := i.run(stories(9), "--format", "hackernews", path, "-")
	if err != nil {
		t.Fatalf("import = %v; want no error", err)
	}
	for name, text := range map[string]string{"standard output": out, "standard error": stderr} {
		if at := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' }); at >= 0 {
			t.Errorf("%s has %q", name, text[max(0, at-40):min(len(text), at+40)])
		}
	}
	if n := strings.Count(stderr, "\n"); n != 50 {
		t.Errorf("import reports %d lines; want one for each of 50 bad records:\n%.1000s", n, stderr)
	}
}

// The password of the Redis is never shown.
func TestImportCommandHidesThePassword(t *testing.T) {
	i := newImporting(t)
	for _, url := range []string{"redis://ann:secret@127.0.0.1:1",
		strings.Replace(i.env["REDIS_URL"], "://", "://ann:secret@", 1)} {
		i.env["REDIS_URL"] = url
		out, stderr, err := i.run("", "--format", "hackernews", i.file("good", stories(1)))
		if err == nil || strings.Contains(fmt.Sprint(out, stderr, err), "secret") {
			t.Errorf("import = %v, prints %q, reports %q; want an error without the password", err, out, stderr)
		}
	}
}
