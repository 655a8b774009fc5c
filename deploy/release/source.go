package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"agora/internal/version"
)

// source is a clone of the repository.
type source struct {
	root    string
	version string
	commit  string
	time    time.Time // of the commit; what is made has no other time
}

// readSource looks at a clone. The changelog says which version it is; a tag must say the same.
func readSource(ctx context.Context, root string) (*source, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return nil, err
	}
	s := &source{root: root, version: version.Read(string(changelog)).Current()}
	head, err := s.output(ctx, ".", nil, "git", "log", "-1", "--format=%H %ct")
	if err != nil {
		return nil, err
	}
	commit, at, _ := strings.Cut(head, " ")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("git log: %w", err)
	}
	s.commit, s.time = commit, time.Unix(seconds, 0).UTC()
	tags, err := s.output(ctx, ".", nil, "git", "tag", "--points-at", "HEAD", "--list", "v[0-9]*")
	if err != nil {
		return nil, err
	}
	for tag := range strings.FieldsSeq(tags) {
		if tag != "v"+s.version {
			return nil, fmt.Errorf("the tag of the commit is %s, but the changelog describes %s", tag, s.version)
		}
	}
	changed, err := s.output(ctx, ".", nil, "git", "status", "--porcelain")
	if changed != "" {
		say("warning: the source has changes that are not committed")
	}
	return s, err
}

// output runs a program in a folder of the source and returns what it prints, trimmed.
func (s *source) output(ctx context.Context, dir string, env []string, name string, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = filepath.Join(s.root, dir), append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s%s", cmd, err, complaints.Bytes(), out.Bytes())
	}
	return strings.TrimSpace(out.String()), nil
}

// build builds the program for each platform, and returns the binaries.
func (s *source) build(ctx context.Context, made []platform) (map[platform][]byte, error) {
	if _, err := s.output(ctx, ".", nil, "internal/httpserver/playground/fetch.sh"); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "agora-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binaries := map[platform][]byte{}
	for _, p := range made {
		say("building for %s", p)
		file := filepath.Join(dir, p.os+p.arch)
		env := []string{"GOOS=" + p.os, "GOARCH=" + p.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOGC=400", "GOAMD64=v1",
			"GOARM64=v8.0", "GOEXPERIMENT=", "GODEBUG="}
		if _, err := s.output(ctx, ".", env, "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w",
			"-o", file, "."); err != nil {
			return nil, err
		}
		if binaries[p], err = os.ReadFile(file); err != nil {
			return nil, err
		}
	}
	return binaries, nil
}
