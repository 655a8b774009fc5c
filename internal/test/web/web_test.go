// Package web tests the web application of examples/web: in a browser, and that the server has it as it is built from
// its sources.
package web

import (
	"bufio"
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"agora/internal/test/nodetest"
	"agora/internal/test/testlevel"
)

const (
	// source is the directory of the application, built that of its files in the server.
	source = "../../../examples/web"
	built  = "../../httpserver/ui/dist"
	// maxLines is the maximum number of lines of TypeScript, which are written by hand; staffLines is that of the pages
	// for moderators, which come on top.
	maxLines, staffLines = 2310, 1450
)

// building is held by the test that builds in source.
var building sync.Mutex

// besideBrowsers lets a test that builds in source run while TestApplicationInBrowsers waits for its pages.
func besideBrowsers(t *testing.T) {
	t.Helper()
	t.Parallel()
	nodetest.InstallIn(t, source)
	building.Lock()
	t.Cleanup(building.Unlock)
}

// Programs print "ok" or "failed" with the name of each test, and the failure.
func TestApplicationInBrowsers(t *testing.T) {
	t.Parallel()
	nodetest.InstallIn(t, source)
	chromium := testlevel.Chromium(t)
	touch(t, source+"/test")
	s := newSite(t, nil)
	var out, complaints bytes.Buffer
	cmd := nodetest.CommandIn(t, source, "test/browser.mjs", s.origin, s.direct, s.control, chromium, password)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 {
		t.Errorf("node test/browser.mjs: %v: %s", err, complaints.String())
	}
	passed := 0
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "ok ") {
			passed++
			t.Log(lines.Text())
		} else {
			t.Error(lines.Text())
		}
	}
	const want = 28
	if passed != want {
		t.Errorf("%d tests passed; want %d", passed, want)
	}
}

// The committed build is what the sources, the schema and the locked packages give, and a wrong field fails it.
func TestServerHasTheApplicationAsBuilt(t *testing.T) {
	besideBrowsers(t)
	for _, dir := range []string{source + "/src", "../../../clients/typescript", built} {
		touch(t, dir)
	}
	to := t.TempDir()
	if out, err := nodetest.CommandIn(t, source, "build.mjs", to).CombinedOutput(); err != nil {
		t.Fatalf("node build.mjs: %v\n%s", err, out)
	}
	want, got := files(t, to), files(t, built)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("internal/httpserver/ui/dist/%s is not up to date: run npm ci and npm run build in examples/web", name)
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("internal/httpserver/ui/dist/%s is left over from an earlier build", name)
		for other := range want { // of which the hash differs
			if path.Ext(other) == path.Ext(name) {
				at := differ(got[name], want[other])
				t.Logf("from byte %d on it is %.80q; want %.80q", at, got[name][at:], want[other][at:])
			}
		}
	}
	t.Run("wrong fields", func(t *testing.T) {
		out, err := nodetest.CommandIn(t, source, "test/types.mjs").CombinedOutput()
		if err != nil || strings.Count(string(out), "ok ") != 3 {
			t.Errorf("node test/types.mjs: %v\n%s", err, out)
		}
	})
}

// differ returns the place of the first byte in which two texts differ.
func differ(a, b string) (at int) {
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return at
}

// The application stays small enough to be read.
func TestApplicationIsShort(t *testing.T) {
	lines := map[string]int{} // by extension, without empty ones and comments
	comment := regexp.MustCompile(`^\s*(//|/\*|\* |\*/|#|$)`)
	for name, text := range files(t, source) {
		if strings.HasPrefix(name, "src/gql/") || !strings.HasPrefix(name, "src/") && !strings.HasPrefix(name, "test/") {
			continue
		}
		for n, line := range strings.Split(text, "\n") {
			if width := len([]rune(line)); width > 120 && path.Ext(name) != ".svg" {
				t.Errorf("examples/web/%s:%d has %d columns; want at most 120", name, n+1, width)
			}
			if comment.MatchString(line) {
				continue
			}
			if strings.HasPrefix(name, "src/staff/") {
				lines["staff"+path.Ext(name)]++
			} else {
				lines[path.Ext(name)]++
			}
		}
	}
	t.Logf("the application has %v lines", lines)
	if n := lines[".ts"] + lines[".tsx"]; n > maxLines {
		t.Errorf("the application has %d lines of TypeScript; want at most %d", n, maxLines)
	}
	if n := lines["staff.ts"] + lines["staff.tsx"]; n > staffLines {
		t.Errorf("the pages for moderators have %d lines of TypeScript; want at most %d", n, staffLines)
	}
}

// files returns the contents of all files below a directory, without those of packages.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// touch opens all files below a directory, so that a change of one invalidates the cached result.
func touch(t *testing.T, dir string) {
	t.Helper()
	if len(files(t, dir)) == 0 {
		t.Fatalf("%s is empty", dir)
	}
}
