package cli

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agora/internal/httpserver"
	"agora/internal/test/must"
	"agora/internal/text"
)

// served parses a command line that serves.
func served(env map[string]string, args string) (c config, err error) {
	serve := func(_ context.Context, got config) error {
		c = got
		return nil
	}
	err = execute(context.Background(), append([]string{"agora"}, strings.Fields(args)...), actions{serve: serve},
		environment(env), io.Discard, io.Discard)
	return c, err
}

// answers reports whether a request under a name is answered.
func answers(h httpserver.Hosts, host string) bool {
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Host = host
	return h.Has(r)
}

func TestHostsFollowTheAddress(t *testing.T) {
	for _, tt := range []struct {
		env, args       string
		listed, foreign bool // served under forum.example.org, and under another name
		opsForeign      bool
	}{
		{"", "", false, false, true},
		{"", "--addr localhost:0 --hosts forum.example.org", true, false, true},
		{"forum.example.org", "--addr [::1]:0 --ops-addr 127.0.0.1:0", true, false, false},
		{"", "--hosts *", true, true, true},
		{"", "--demo --addr :0", true, true, true},
		{"", "--demo --addr :0 --ops-addr :0 --hosts forum.example.org", true, false, true},
		{"", "--demo --addr :0 --ops-addr localhost:0", true, true, false},
	} {
		c := must.Do(served(map[string]string{"HOSTS": tt.env}, tt.args))(t)
		listed, foreign, ops := answers(
			c.Hosts,
			"forum.example.org",
		), answers(
			c.Hosts,
			"evil.example",
		), answers(
			c.OpsHosts,
			"evil.example",
		)
		if !answers(c.Hosts, "localhost:1") || !answers(c.OpsHosts, "127.0.0.1") || listed != tt.listed ||
			foreign != tt.foreign ||
			ops != tt.opsForeign {
			t.Errorf(
				"agora %s, HOSTS=%s: a listed name is served: %v, a foreign one: %v, by operations: %v; want %v, %v, %v",
				tt.args,
				tt.env,
				listed,
				foreign,
				ops,
				tt.listed,
				tt.foreign,
				tt.opsForeign,
			)
		}
	}
	if _, err := served(nil, "--hosts https://x"); err == nil || !strings.Contains(err.Error(), "--hosts") {
		t.Errorf("a URL: %v; want an error that names the flag", err)
	}
}

func TestWaitFlag(t *testing.T) {
	for env, want := range map[string]time.Duration{"": 0, "30s": 30 * time.Second, "61m": -1, "-1s": -1, "5": -1} {
		c, err := served(map[string]string{"WAIT": env}, "")
		if want < 0 && (err == nil || !strings.Contains(err.Error(), "--wait")) {
			t.Errorf("WAIT=%s: %v; want an error that names the flag", env, err)
		}
		if want >= 0 && (err != nil || c.Wait != want) {
			t.Errorf("WAIT=%s: %v, %v; want %v", env, c.Wait, err, want)
		}
	}
}

func TestDrainDelayFlag(t *testing.T) {
	for _, tt := range []struct {
		env, args string
		want      time.Duration // -1 is refused
	}{
		{"", "", 0},
		{"5s", "", 5 * time.Second},
		{"5s", "--drain-delay 1m", time.Minute},
		{"", "--drain-delay 61s", -1},
		{"", "--drain-delay=-1s", -1},
		{"", "--drain-delay 5", -1},
	} {
		c, err := served(map[string]string{"DRAIN_DELAY": tt.env}, tt.args)
		if tt.want < 0 && (err == nil || !strings.Contains(err.Error(), "--drain-delay")) {
			t.Errorf("agora %s: %v; want an error that names the flag", tt.args, err)
		}
		if tt.want >= 0 && (err != nil || c.DrainDelay != tt.want) {
			t.Errorf("agora %s, DRAIN_DELAY=%s: %v, %v; want %v", tt.args, tt.env, c.DrainDelay, err, tt.want)
		}
	}
}

func TestImagesFlag(t *testing.T) {
	for _, tt := range []struct{ env, args, want string }{
		{"", "", "all"}, {"", "--images none", "none"}, {"none", "", "none"}, {"none", "--images all", "all"},
		{"", "--images /proxy?url=", "/proxy?url="},
	} {
		want := must.Do(text.ParseImages(tt.want))(t)
		if c, err := served(map[string]string{"IMAGES": tt.env}, tt.args); err != nil || c.Images != want {
			t.Errorf("agora %s, IMAGES=%s: %v, %+v; want %s", tt.args, tt.env, err, c.Images, tt.want)
		}
	}
	if _, err := served(nil, "--images some"); err == nil || !strings.Contains(err.Error(), "--images") {
		t.Errorf("some: %v; want an error that names the flag", err)
	}
}

func TestUIFlag(t *testing.T) {
	dir := t.TempDir()
	must.OK(t, os.WriteFile(filepath.Join(dir, "a.graphql"), []byte("{site{name}}"), 0o600))
	only := " --documents-only --documents " + dir
	for _, tt := range []struct {
		env, args string
		want      bool
	}{
		{"", "", true},
		{"", "--ui off", false},
		{"off", "", false},
		{"off", "--ui on", true},
		{"", "--data site", false},
		{"on", "--data site", true},
		{"", only, false},
		{"", "--ui=on" + only, true},
	} {
		if c, err := served(map[string]string{"UI": tt.env}, tt.args); err != nil || c.UI != tt.want {
			t.Errorf("agora %s, UI=%s: %v, the application is served: %v; want %v", tt.args, tt.env, err, c.UI, tt.want)
		}
	}
	if _, err := served(nil, "--ui maybe"); err == nil || !strings.Contains(err.Error(), "--ui") {
		t.Errorf("maybe: %v; want an error that names the flag", err)
	}
}

func TestPlaygroundFlag(t *testing.T) {
	dir := t.TempDir()
	must.OK(t, os.WriteFile(filepath.Join(dir, "a.graphql"), []byte("{site{name}}"), 0o600))
	only := " --documents-only --documents " + dir
	for _, tt := range []struct {
		env, args          string
		playground, schema bool // hidden
	}{
		{"", "", false, false},
		{"", "--playground on", false, false},
		{"", "--playground off", true, false},
		{"off", "", true, false},
		{"", only, true, true},
		{"", "--playground=on" + only, false, false},
		{"", "--playground=off" + only, true, true},
	} {
		c, err := served(map[string]string{"PLAYGROUND": tt.env}, tt.args)
		if err != nil || c.HidePlayground != tt.playground || c.HideSchema != tt.schema {
			t.Errorf(
				"agora %s, PLAYGROUND=%s: %v, playground hidden: %v, schema hidden: %v; want %v, %v",
				tt.args,
				tt.env,
				err,
				c.HidePlayground,
				c.HideSchema,
				tt.playground,
				tt.schema,
			)
		}
	}
	if _, err := served(nil, "--playground maybe"); err == nil || !strings.Contains(err.Error(), "--playground") {
		t.Errorf("maybe: %v; want an error that names the flag", err)
	}
}

func TestCacheIsOffUnlessAskedFor(t *testing.T) {
	for _, tt := range []struct {
		env, args string
		want      bool
	}{{"", "", false}, {"0", "", false}, {"1", "", true}, {"", "--cache", true}, {"1", "--cache=false", false}} {
		c, err := served(map[string]string{"CACHE": tt.env}, tt.args)
		if err != nil || c.Cache != tt.want {
			t.Errorf("CACHE=%s agora %s: Cache %v, %v; want %v", tt.env, tt.args, c.Cache, err, tt.want)
		}
	}
}

func TestObjectCacheFlag(t *testing.T) {
	for _, tt := range []struct {
		env, args string
		want      int
	}{{"", "", 64 << 20}, {"", "--object-cache 0", 0}, {"4096", "", 4096}, {"4096", "--object-cache 8192", 8192}} {
		c, err := served(map[string]string{"OBJECT_CACHE": tt.env}, tt.args)
		if err != nil || c.ObjectCache != tt.want {
			t.Errorf("agora %s, OBJECT_CACHE=%s: %d bytes, %v; want %d", tt.args, tt.env, c.ObjectCache, err, tt.want)
		}
	}
	for _, bad := range []string{"-1", "x", "1MiB"} {
		if _, err := served(nil, "--object-cache "+bad); err == nil || !strings.Contains(err.Error(), "--object-cache") {
			t.Errorf("--object-cache %s: %v; want an error that names it", bad, err)
		}
	}
}

func TestTracesFlags(t *testing.T) {
	env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318", "OTEL_TRACES_SAMPLER_ARG": "0.5"}
	for _, tt := range []struct {
		env    map[string]string
		args   string
		url    string
		sample float64
	}{{nil, "", "", 1}, {env, "", "http://c:4318", 0.5}, {env, "--traces https://d/x --traces-sample 0", "https://d/x", 0}} {
		c, err := served(tt.env, tt.args)
		if err != nil || c.Traces != tt.url || c.TracesSample != tt.sample {
			t.Errorf("agora %s: %q, %v, %v; want %q, %v", tt.args, c.Traces, c.TracesSample, err, tt.url, tt.sample)
		}
	}
	for _, bad := range []string{"--traces localhost:4318", "--traces-sample 2", "--traces-sample NaN", "--traces-sample x"} {
		if _, err := served(nil, bad); err == nil || !strings.Contains(err.Error(), strings.Fields(bad)[0]+" ") &&
			!strings.Contains(err.Error(), strings.Fields(bad)[0]+":") {
			t.Errorf("%s: %v; want an error that names it", bad, err)
		}
	}
}

func TestQuietFlag(t *testing.T) {
	for args, want := range map[string]bool{"": false, "--quiet": true, "serve --quiet": true} {
		if c, err := served(nil, args); err != nil || c.Quiet != want || !c.Demo {
			t.Errorf("agora %s: %v, quiet: %v, demo data: %v; want quiet: %v, with demo data", args, err, c.Quiet, c.Demo, want)
		}
	}
}
