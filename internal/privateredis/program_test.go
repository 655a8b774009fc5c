//go:build linux

package privateredis

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agora/internal/test/must"
)

func TestProgramIsFound(t *testing.T) {
	tests := []struct {
		name  string
		files []string // in PATH; each prints its version
		want  string
	}{
		{"redis", []string{"redis-server"}, "redis-server 7.2.4"},
		{"valkey", []string{"valkey-server"}, "valkey-server 8.1.3"},
		{"redis before valkey", []string{"valkey-server", "redis-server"}, "redis-server 7.2.4"},
	}
	t.Setenv("REDIS_SERVER", "")
	for _, tt := range tests {
		dir := t.TempDir()
		for _, name := range tt.files {
			line := map[string]string{"redis-server": "Redis server v=7.2.4", "valkey-server": "Valkey server v=8.1.3"}[name]
			must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+versionReply(line)), 0o700))
		}
		t.Setenv("PATH", dir)
		if p, err := findProgram(t.Context()); err != nil || p.String() != tt.want {
			t.Errorf("%s: findProgram() = %s, %v; want %s", tt.name, p, err, tt.want)
		}
	}
}

func TestUnsuitableProgramIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	tests := []struct {
		name  string
		lines []string
		want  []string
	}{
		{"too old", []string{versionReply("Redis server v=6.2.14")}, []string{"6.2.14", "7.0"}},
		{"another program", []string{"echo hello"}, []string{"--version", "hello"}},
		{
			"a program that fails",
			[]string{"echo no such library >&2", "exit 127"},
			[]string{"exit status 127", "no such library"},
		},
		{
			"dies without a word",
			[]string{versionReply("Redis server v=7.0.15"), "kill -9 $$"},
			[]string{"signal: killed", "its log is empty"},
		},
		{
			"prints the error last",
			[]string{versionReply("Redis server v=7.0.15"), "seq 1 100; echo the disk is full; exit 1"},
			[]string{"99\n100\nthe disk is full"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			script(t, tt.lines...)
			got := refused(t, dir)
			wantWords(t, got, tt.want...)
			if n := strings.Count(got, "\n"); n > 8 {
				t.Errorf("the error has %d lines; want only the last lines of the log", n)
			}
		})
	}
}

func TestMissingProgramIsReportedBeforeAnythingIsCreated(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	t.Setenv("PATH", t.TempDir())
	t.Setenv("REDIS_SERVER", "")
	wantWords(t, refused(t, dir), "neither redis-server nor valkey-server is in PATH", "REDIS_SERVER")
	t.Setenv("REDIS_SERVER", "no-such-server")
	wantWords(t, refused(t, dir), "REDIS_SERVER", "no-such-server")
	if _, err := os.Stat(dir); err == nil {
		t.Error("the directory was created")
	}
}

// A script that does not become the server could not be ended with it.
func TestWrapperScriptWithoutExecIsRefused(t *testing.T) {
	program, dir := needsServer(t), t.TempDir()
	script(t, `if [ "$1" = --version ]; then exec `+program+` --version; fi`, program+` "$@"`, "echo the end")
	wantWords(t, refused(t, dir), "must end in exec")
	script(t, `exec `+program+` "$@"`)
	started(t, dir) // nothing of the other remains
}
