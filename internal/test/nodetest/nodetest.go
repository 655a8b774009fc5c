// Package nodetest runs programs of Node.js in tests, with the npm packages in the package-lock.json next to them.
package nodetest

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// patience is how long npm and a program may take on a busy machine.
const patience = 4 * time.Minute

// Install installs the packages that programs of the test's directory need.
func Install(t *testing.T) {
	t.Helper()
	InstallIn(t, ".")
}

// InstallIn installs the packages that programs of a directory need.
func InstallIn(t *testing.T, dir string) {
	t.Helper()
	testlevel.Usual(t)
	testlevel.Program(t, "node")
	testlevel.Program(t, "npm")
	install(t, dir)
}

// installing is held by the test that installs packages, which others may be waiting for.
var installing sync.Mutex

// install installs the packages of package-lock.json into node_modules, unless they are there.
func install(t *testing.T, dir string) {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	listed := must.Do(os.Stat(filepath.Join(dir, "package-lock.json")))(t)
	// npm writes its own list when it is done.
	installed, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json"))
	if err == nil && installed.ModTime().After(listed.ModTime()) {
		return
	}
	if out, err := command(t, dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
		"--no-update-notifier").CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v: %s", err, out)
	}
}

// Command returns the command of a program in the test's directory, with its arguments.
func Command(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	return CommandIn(t, ".", program, args...)
}

// CommandIn returns the command of a program in a directory, in which it runs, with its arguments.
func CommandIn(t *testing.T, dir, program string, args ...string) *exec.Cmd {
	t.Helper()
	// go test reuses its cached result unless a file that the test itself touches has changed.
	must.Do(os.Stat(filepath.Join(dir, program)))(t)
	return command(t, dir, "node", append([]string{program}, args...)...)
}

func command(t *testing.T, dir, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	t.Cleanup(stop)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	return cmd
}

// Folders of the repository, from that of a test's package.
const (
	// client has the source of the npm package for front ends.
	client = "../../../clients/typescript"
	// web has the compiler that makes it.
	web = "../../../examples/web"
)

// Client makes the npm package for front ends, and returns its file.
func Client(t *testing.T) string {
	t.Helper()
	InstallIn(t, web)
	must.OK(t, filepath.WalkDir(client, func(path string, _ fs.DirEntry, err error) error {
		must.Do(os.Stat(path))(t) // so that a change invalidates the cached result
		return err
	}))
	dir := t.TempDir()
	name, err := CommandIn(t, client, "pack.mjs", dir).Output()
	if err != nil {
		t.Fatalf("node pack.mjs: %v", err)
	}
	return filepath.Join(dir, strings.TrimSpace(string(name)))
}

// InstallClient installs the packages that programs of the test's directory need, and the one for front ends.
func InstallClient(t *testing.T) {
	t.Helper()
	Install(t)
	file := Client(t)
	dir := must.Do(filepath.Abs("node_modules/agora-client"))(t)
	must.OK(t, os.RemoveAll(dir))
	must.OK(t, os.Mkdir(dir, 0o755))
	if out, err := command(t, dir, "tar", "-xzf", file, "--strip-components=1").CombinedOutput(); err != nil {
		t.Fatalf("tar: %v: %s", err, out)
	}
}
