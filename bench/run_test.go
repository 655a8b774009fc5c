package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// The whole command on a small forum and for a short time, without the slowest subjects and document. It needs a
// redis-server.
func TestRun(t *testing.T) {
	testlevel.Usual(t)
	t.Setenv("REDIS_SERVER", testlevel.RealRedis(t))
	self := must.Do(os.Executable())(t)
	var out strings.Builder
	file := filepath.Join(t.TempDir(), "figures.json")
	o := options{
		Rounds: 1, Duration: 10 * time.Millisecond, Clients: []int{1, 16}, Scale: 0.001, Growth: true, Check: true,
		JSON: file,
		Only: []string{
			"front",
			"front-own",
			"front-voted",
			"topic",
			"topics",
			"typename",
			"reply",
			"post",
		}, Subjects: []string{"limit", "tuned", "kept", "bare", "go-redis", "before", "agora", "cached"},
		Before: self, Command: []string{self, "serve"}, Out: &out,
	}
	must.OK(t, run(t.Context(), o))
	b := must.Do(os.ReadFile(file))(t)
	var r Report
	must.OK(t, json.Unmarshal(b, &r))
	if r.Compared < 20 || len(r.Goals) != 17 || len(r.Growth) != 2 {
		t.Errorf("%d answers compared, %d goals, %d forums; want 20, 17 and 2", r.Compared, len(r.Goals), len(r.Growth))
	}
	for _, d := range (&o).documents() {
		if !strings.Contains(out.String(), "\n## "+d.Title) {
			t.Errorf("no table of %s in\n%s", d.Name, out.String())
		}
	}
	for _, x := range r.Results {
		if m := x.Median; m.Requests < 1 || m.P50 <= 0 || m.P99 < m.P50 || m.Throughput <= 0 || m.CPU <= 0 || m.Mallocs <= 0 {
			t.Errorf("%s, %s, %d clients: %+v; want figures", x.Document, x.Subject, x.Clients, m)
		}
	}
	if m := find(r.Results, "front", "before", 1); m == nil || m.RoundTrips != 4 {
		t.Errorf("front by before: %+v; want 4 round trips", m)
	}
	for name, want := range map[string]float64{"front": 4, "topic": 3} {
		for _, by := range []string{"limit", "tuned"} {
			if m := find(r.Results, name, by, 1); m == nil || m.RoundTrips != want {
				t.Errorf("%s by %s: %+v; want %v round trips", name, by, m, want)
			}
		}
	}
}

// Profiles of the server are written where they are wanted.
func TestProfiles(t *testing.T) {
	testlevel.Usual(t)
	t.Setenv("REDIS_SERVER", testlevel.RealRedis(t))
	self := must.Do(os.Executable())(t)
	o := options{
		Rounds: 1, Duration: 10 * time.Millisecond, Clients: []int{2}, Scale: 0.001, Only: []string{"typename"},
		Subjects: []string{"agora"}, Profile: filepath.Join(t.TempDir(), "profiles"), Command: []string{self, "serve"},
		Out: io.Discard,
	}
	must.OK(t, run(t.Context(), o))
	for _, name := range []string{"typename.agora.cpu", "typename.agora.allocs"} {
		if info, err := os.Stat(filepath.Join(o.Profile, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v, %v; want a profile", name, info, err)
		}
	}
}
