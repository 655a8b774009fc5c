package privateredis

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// version is a server's version: major, minor, patch.
type version [3]int

// oldest is the first version with all required settings and commands.
var oldest = version{7, 0, 0}

// parseVersion parses "7.0.15".
func parseVersion(s string) (version, error) {
	var v version
	parts := strings.Split(s, ".")
	if len(parts) != len(v) {
		return v, fmt.Errorf("%q is not a version", s)
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return v, fmt.Errorf("%q is not a version", s)
		}
		v[i] = n
	}
	return v, nil
}

// String formats the version as "7.0.15".
func (v version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

func (v version) before(w version) bool { return slices.Compare(v[:], w[:]) < 0 }

// program is a server that can be started.
type program struct {
	path    string
	kind    string // redis or valkey
	version version
}

// String names the program and its version, such as "redis-server 7.0.15".
func (p program) String() string { return p.kind + "-server " + p.version.String() }

// findProgram finds the server to run and determines its version.
func findProgram(ctx context.Context) (program, error) {
	path, err := programPath(os.Getenv("REDIS_SERVER"))
	if err != nil {
		return program{}, err
	}
	p, err := identify(ctx, path)
	if err != nil {
		return program{}, err
	}
	if p.version.before(oldest) {
		return program{}, fmt.Errorf(
			"%s is version %s, but %d.%d or later is required; install a newer one, or name it in REDIS_SERVER",
			path,
			p.version,
			oldest[0],
			oldest[1],
		)
	}
	return p, nil
}

func programPath(named string) (string, error) {
	if named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("REDIS_SERVER does not name an executable program: %w", err)
		}
		return filepath.Abs(path) // the child has a different working directory
	}
	for _, name := range []string{"redis-server", "valkey-server"} {
		path, err := exec.LookPath(name)
		if err == nil {
			return filepath.Abs(path)
		}
		if !errors.Is(err, exec.ErrNotFound) {
			return "", fmt.Errorf("look for %s in PATH: %w", name, err)
		}
	}
	return "", errors.New(
		"neither redis-server nor valkey-server is in PATH; install one (Debian: apt-get install redis-server), or " +
			"name it in REDIS_SERVER",
	)
}

// versionLine matches a server's output for --version, such as "Redis server v=7.0.15
// sha=00000000:0 malloc=jemalloc-5.3.0 …".
var versionLine = regexp.MustCompile(`(?im)^(redis|valkey) server v=(\d+\.\d+\.\d+)`)

// identify determines a program's kind and version.
func identify(ctx context.Context, path string) (program, error) {
	const patience = 10 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return program{}, fmt.Errorf("%s --version: %w\n%s", path, err, strings.TrimSpace(string(out)))
	}
	found := versionLine.FindStringSubmatch(string(out))
	if found == nil {
		return program{}, fmt.Errorf("%s --version does not print what redis-server or valkey-server do: %q", path, out)
	}
	v, err := parseVersion(found[2])
	if err != nil {
		return program{}, fmt.Errorf("%s --version: %w", path, err)
	}
	return program{path: path, kind: strings.ToLower(found[1]), version: v}, nil
}
