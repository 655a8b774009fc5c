//go:build linux

package privateredis

import (
	"os"
	"path/filepath"
	"testing"
)

// A directory that is not for this program is refused and left unchanged.
func TestRefusedDirectoryIsUnchanged(t *testing.T) {
	tests := []struct {
		name, file, text string
		want             string // in the error
	}{
		{"another program's", "thesis.txt", "x", "not empty (thesis.txt)"},
		{"with a lock of another program", "lock", "host:17", "not empty (lock)"},
		{"of another format", "agora.json", `{"format":2,"version":2}`, "format 2"},
		{"with a mark that is no JSON", "agora.json", `{"format":1`, "cannot be read"},
		{"with a mark of wrong types", "agora.json", `{"format":1,"version":2}`, "cannot be read"},
		{"with a mark without a version", "agora.json", `{"format":1,"server":"redis"}`, "not a version"},
		{
			"written by a later patch",
			"agora.json",
			`{"format":1,"server":"redis","version":"7.0.16"}`,
			"written by redis-server 7.0.16",
		},
		{
			"written by a later redis",
			"agora.json",
			`{"format":1,"server":"redis","version":"8.0.0"}`,
			"install 8.0.0 or later",
		},
		{
			"written by valkey",
			"agora.json",
			`{"format":1,"server":"valkey","version":"8.0.1"}`,
			"written by valkey-server 8.0.1",
		},
	}
	script(t, versionReply("Redis server v=7.0.15"), "exit 1")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, tt.file, tt.text)
			wantWords(t, refused(t, dir), dir, tt.want)
			if got := names(t, dir); got != tt.file {
				t.Errorf("the directory has %s; want only %s", got, tt.file)
			}
			if got, err := os.ReadFile(filepath.Join(dir, tt.file)); string(got) != tt.text {
				t.Errorf("%s = %q, %v; want %q", tt.file, got, err, tt.text)
			}
		})
	}
}

func TestServerReadsDataOfEarlierVersions(t *testing.T) {
	tests := []struct {
		writer, version string
		kind            string
		server          version
		want            bool
	}{
		{"redis", "7.0.15", "redis", version{7, 0, 15}, true},
		{"redis", "7.0.15", "redis", version{8, 2, 0}, true},
		{"redis", "7.2.0", "redis", version{7, 0, 15}, false},
		{"redis", "10.0.0", "redis", version{9, 0, 0}, false},
		{"redis", "7.2.11", "valkey", version{8, 0, 0}, true},
		{"redis", "7.4.0", "valkey", version{8, 0, 0}, false},
		{"valkey", "7.2.5", "redis", version{7, 2, 5}, true},
		{"valkey", "8.0.0", "redis", version{8, 0, 0}, false},
		{"valkey", "8.0.0", "valkey", version{9, 0, 0}, true},
		{"", "", "redis", version{7, 0, 0}, true},
	}
	for _, tt := range tests {
		m := mark{Format: format, Server: tt.writer, Version: tt.version}
		if err := m.readableBy(program{kind: tt.kind, version: tt.server}); (err == nil) != tt.want {
			t.Errorf(
				"readableBy(%s %v) of data by %s %s = %v; want it readable: %t",
				tt.kind,
				tt.server,
				tt.writer,
				tt.version,
				err,
				tt.want,
			)
		}
	}
}

// Permission bits do not stop root, so these cases do not depend on them.
func TestUnusableDirectoryIsRefused(t *testing.T) {
	script(t, versionReply("Redis server v=7.0.15"), "exit 1")
	base := t.TempDir()
	write(t, base, "file", "x")
	tests := []struct{ name, dir, want string }{
		{"a file", filepath.Join(base, "file"), "not a directory"},
		{"below a file", filepath.Join(base, "file", "data"), "not a directory"},
		{"where nothing can be created", "/proc/agora", "/proc/agora"},
		{"the kernel's", "/proc", "not Agora's"},
	}
	for _, tt := range tests {
		wantWords(t, refused(t, tt.dir), "data directory "+tt.dir, tt.want)
	}
}

// A first start that was killed early can be repeated.
func TestStartAfterAnInterruptedFirstStart(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := t.TempDir()
	write(t, dir, "lock", "")
	write(t, dir, "agora.json.new", `{"for`)
	s, _ := started(t, dir)
	m, err := readMark(dir)
	if err != nil || m.Format != format || m.Server != s.program.kind || m.Version != s.program.version.String() {
		t.Errorf("agora.json = %+v, %v; want format %d and %s", m, err, format, s.program)
	}
}

// The mark keeps the version that wrote the data until another has loaded them.
func TestFailedStartIsNotRecordedInTheMark(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "agora.json", `{"format":1,"server":"redis","version":"7.0.15"}`)
	script(t, versionReply("Redis server v=7.2.0"), "echo no, not these data >&2; exit 1")
	wantWords(
		t,
		refused(t, dir),
		"redis-server 7.2.0 in "+dir,
		"exit status 1",
		"no, not these data",
		filepath.Join(dir, "redis.log"),
	)
	if m, err := readMark(dir); err != nil || m.Version != "7.0.15" {
		t.Errorf("agora.json = %+v, %v; want version 7.0.15", m, err)
	}
}

// A concurrent first start makes a directory appear empty or marked, never foreign.
func TestInspectionDuringAFirstStart(t *testing.T) {
	for range 100 {
		dir, claimed := t.TempDir(), make(chan error)
		go func() { claimed <- mark{Format: format}.write(dir) }()
		for done := false; !done; {
			if _, err := inspect(dir, program{}); err != nil {
				t.Error(err)
			}
			select {
			case err := <-claimed:
				if done = true; err != nil {
					t.Fatal(err)
				}
			default:
			}
		}
		if t.Failed() {
			return
		}
	}
}
