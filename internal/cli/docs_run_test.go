package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// page runs the command lines of a page of the documentation, one after the other.
type page struct {
	*importing
	// kept stands for a directory of data, other for the Redis of an address.
	kept, other string
	ran         int
}

// newPage returns a page with the files that documented imports read.
func newPage(t *testing.T) *page {
	p := &page{importing: newImporting(t), other: redistest.Start(t).URL()}
	p.kept = p.env["REDIS_URL"]
	v2ex := `{"id":1,"title":"T","created":1454123584,"node":{"id":1},"member":{}}`
	p.file("topics-2024.jsonl.gz", packed(t, v2ex))
	p.file("topics-2025.jsonl.gz", packed(t, strings.Replace(v2ex, "1", "2", 1)))
	p.file("topics.jsonl", `{"id":5,"title":"T","created_at":"2020-01-01T00:00:00Z","post_stream":{"posts":[]}}`)
	p.file("items.jsonl.gz", packed(t, stories(2)))
	p.file("soc-Epinions1.txt.gz", packed(t, "0\t1\n"))
	p.dump("ai.stackexchange.com", "Posts.xml", "Users.xml")
	return p
}

// run runs a command line on its stand-ins. What a page pipes into another program is dropped.
func (p *page) run(line string) {
	p.t.Helper()
	line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
	line, _, _ = strings.Cut(line, " | ")
	line, file, _ := strings.Cut(line, " < ")
	args := strings.Fields(line)
	for i, arg := range args {
		switch path := filepath.Join(p.dir, arg); {
		case arg == "--data":
			args[i] = "--redis-url"
		case i > 0 && arg == "site":
			args[i] = p.kept
		case strings.HasPrefix(arg, "redis://"), strings.HasPrefix(arg, "redis+cluster://"):
			args[i] = p.other
		case strings.HasPrefix(arg, "unix://"):
			args[i] = p.kept
		case i > 0 && args[i-1] == "--out", exists(path):
			args[i] = path
		}
	}
	stdin := "correct horse battery\n"
	if file != "" {
		text := must.Do(os.ReadFile(filepath.Join(p.dir, file)))(p.t)
		stdin = string(text)
	}
	commandReading(p.t, stdin, map[string]string{"REDIS_URL": p.other}, args[1:]...)
	p.ran++
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// The commands in the blocks of a page work in their order on data of their own, except those that serve.
func TestDocumentedCommandsRun(t *testing.T) {
	testlevel.Usual(t)
	for name, before := range map[string][]string{
		"docs/quickstart.md": nil,
		"docs/import.md":     {"agora init --data site"},
		"docs/export.md":     {"agora init --data site"},
		"docs/operating.md":  {"agora init --data site"},
	} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			p := newPage(t)
			for _, line := range before {
				p.run(line)
			}
			for _, b := range docBlocks(t) {
				if b.file != name || b.language != "sh" {
					continue
				}
				for line := range strings.Lines(b.text) {
					words := strings.Fields(line)
					if len(words) < 2 || words[0] != "agora" || strings.HasPrefix(words[1], "-") {
						continue
					}
					if words[1] == "user" && words[2] == "set-role" {
						p.run("agora user create " + words[3] + " --data site")
					}
					p.run(line)
				}
			}
			if want := len(before) + 2; p.ran <= want {
				t.Errorf("ran %d commands; want those of %s", p.ran, name)
			}
		})
	}
}
