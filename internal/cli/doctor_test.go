package cli

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agora/internal/httpserver"
	"agora/internal/store"
	"agora/internal/test/clustertest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// doctor runs the command, and returns what it prints, with single spaces, and its error.
func doctor(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), append([]string{"agora", "doctor"}, args...), environment(nil), strings.NewReader(""), &out,
		io.Discard)
	var lines []string
	for line := range strings.Lines(out.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(lines, "\n"), err
}

// wantLines reports which beginnings of lines are missing.
func wantLines(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains("\n"+got, "\n"+w) {
			t.Errorf("doctor prints no line %q:\n%s", w, got)
		}
	}
}

// wantLatency checks that the latency is measured; how long it is depends on the machine.
func wantLatency(t *testing.T, got string) {
	t.Helper()
	if !strings.Contains(got, " latency ") || !strings.Contains(got, "median ") {
		t.Errorf("doctor measures no latency:\n%s", got)
	}
}

// Nothing is wrong with a private Redis, while no server runs on it and while one does. The data do not change.
func TestDoctorOfTheDataDirectory(t *testing.T) {
	testlevel.WithoutRace(t)
	t.Parallel()
	dir := closed(t)
	flags := []string{"--data", dir, "--ops-addr", "127.0.0.1:0", "--trusted-proxies", "127.0.0.1"}
	got, err := doctor(t, flags...)
	if err != nil {
		t.Errorf("doctor of an empty directory = %v; want a warning only", err)
	}
	wantLines(t, got, "warning layout there is no site yet")
	s := start(t, ownServer(t), "--addr", "127.0.0.1:0", "--data", dir)
	data := redisAt(t, "unix", filepath.Join(dir, "redis.sock"))
	begun := wait.For(10*time.Second, func() bool { return data.Exists(t.Context(), "{pff}:consumers").Val() == 1 })
	if !begun {
		t.Error("no consumer follows the last partition, which is written last")
	}
	before := data.DBSize(t.Context()).Val()
	got, err = doctor(t, flags...)
	wantLines(t, got, "OK data", "OK version", "OK memory", "OK persistence the append-only file is written, appendfsync always",
		"OK maxmemory-policy noeviction", "OK clock", "OK layout version", "OK tasks", "OK trusted-proxies",
		"OK allowed-origins", "OK ops-addr")
	wantLatency(t, got)
	if after := data.DBSize(t.Context()).Val(); err != nil || after != before {
		t.Errorf("doctor = %v, and leaves %d keys of %d", err, after, before)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if _, err = doctor(t, "--data", filepath.Join(dir, "none")); err == nil || exists(filepath.Join(dir, "none")) {
		t.Errorf("doctor of a directory that does not exist = %v; want an error, and no directory", err)
	}
}

// The masters of a cluster are examined, each by its name, and backup refuses them.
func TestDoctorOfACluster(t *testing.T) {
	testlevel.LongWithoutRace(t)
	c := clustertest.Borrow(t, testlevel.RealRedis(t))
	address := []string{"--redis-url", c.URL()}
	commandReading(t, "", nil, append([]string{"init"}, address...)...)
	got, err := doctor(t, address...)
	if n := strings.Count(got, "OK version node "); n != 3 || err == nil {
		t.Errorf("doctor of a cluster without files = %v, and names %d masters; want an error, and 3:\n%s", err, n, got)
	}
	wantLines(t, got, "OK layout", "problem persistence node ", "warning replicas node ")
	wantLatency(t, got)
	wantRefusal(t, "agora export", append([]string{"backup", t.TempDir()}, address...)...)
	one := strings.Split(strings.TrimPrefix(c.URL(), "redis+cluster://"), ",")[0]
	got, err = doctor(t, "--redis-url", "redis://"+one)
	wantLines(t, got, "problem cluster it is a node of a cluster; use REDIS_URL=redis+cluster://")
	if err == nil {
		t.Error("doctor of one node of a cluster does not fail")
	}
}

// Each setting that is not as docs/operating.md wants it has its line.
func TestDoctorOfSettings(t *testing.T) {
	testlevel.RedisProgram(t)
	t.Parallel()
	server := ownRedis(t, t.TempDir())
	c, address := redisAt(t, "tcp", server), "redis://"+server
	commandReading(t, "", map[string]string{"REDIS_URL": address}, "init")
	for name, want := range map[string]struct{ value, line string }{
		"appendonly":                {"no", "problem persistence Redis stores nothing"},
		"appendfsync":               {"no", "warning persistence appendfsync is no"},
		"save":                      {"60 1", "warning save"},
		"maxmemory-policy":          {"allkeys-lru", "problem maxmemory-policy"},
		"maxmemory":                 {"1", "problem memory"},
		"zset-max-listpack-entries": {"128", "warning zset-max-listpack-entries"},
	} {
		was := c.ConfigGet(t.Context(), name).Val()[name]
		must.OK(t, c.ConfigSet(t.Context(), name, want.value).Err())
		got, err := doctor(t, "--redis-url", address)
		wantLines(t, got, want.line)
		if bad := strings.HasPrefix(want.line, "problem"); (err != nil) != bad {
			t.Errorf("with %s %s: %v", name, want.value, err)
		}
		must.OK(t, c.ConfigSet(t.Context(), name, was).Err())
	}
	if got, err := doctor(t, "--redis-url", address, "--durability", "replicated"); err == nil {
		t.Errorf("without a replica, writes are not acknowledged; doctor prints:\n%s", got)
	}
	if got, err := doctor(t, "--redis-url", address, "--strict", "--allowed-origins", "*"); err == nil {
		t.Errorf("--strict does not fail because of warnings:\n%s", got)
	}
	must.OK(t, c.HSet(t.Context(), "meta:layout", "version", 2).Err())
	got, _ := doctor(t, "--redis-url", address)
	wantLines(t, got, "problem layout the data have layout version 2")
	if got, err := doctor(t, "--redis-url", "redis://127.0.0.1:1"); err == nil || !strings.Contains(got, "problem data") {
		t.Errorf("doctor of no Redis = %v:\n%s", err, got)
	}
}

func TestDoctorOfFlags(t *testing.T) {
	for args, want := range map[string]string{
		"":                                     "problem data they are kept in the memory",
		"--trusted-proxies 0.0.0.0/0":          "problem trusted-proxies",
		"--trusted-proxies 10.0.0.1":           "OK trusted-proxies",
		"--addr :8080 --demo":                  "warning trusted-proxies none, and the server listens on :8080",
		"--allowed-origins http://a.example":   "warning allowed-origins http://a.example:",
		"--allowed-origins http://localhost:*": "OK allowed-origins",
		"--allowed-origins *":                  "warning allowed-origins every site",
		"--ops-addr :9090":                     "warning ops-addr",
		"--limit connections=1":                "OK open files",
		"--limit connections=99000000":         "warning open files",
	} {
		got, err := doctor(t, strings.Fields(args)...)
		if err == nil || err.Error() == "" {
			t.Errorf("doctor %s = %v; want that the data are lost", args, err)
		}
		wantLines(t, got, want)
	}
	file := filepath.Join(t.TempDir(), "overcommit")
	for text, want := range map[string]store.Grade{"1\n": store.Good, "0\n": store.Warning} {
		must.OK(t, os.WriteFile(file, []byte(text), 0o600))
		if got := examineOvercommit(file); len(got) != 1 || got[0].Grade != want {
			t.Errorf("with overcommit_memory %s: %v; want grade %d", text, got, want)
		}
	}
}

// What a proxy does wrong has its line.
func TestDoctorOfASite(t *testing.T) {
	testlevel.Usual(t)
	t.Parallel()
	s := start(t, map[string]string{"REDIS_URL": redistest.Start(t).URL()}, "--addr", "127.0.0.1:0", "--trusted-proxies",
		"127.0.0.2", "--rate", "requests=40") // few come back while a slow machine asks
	t.Cleanup(func() { s.stop() })
	target := must.Do(url.Parse(s.url))(t)
	from := &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}).DialContext}
	t.Cleanup(from.CloseIdleConnections)
	straight := httputil.NewSingleHostReverseProxy(target)
	straight.FlushInterval, straight.Transport = -1, from
	claims := &httputil.ReverseProxy{Transport: from, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
	}}
	for _, tt := range []struct {
		name  string
		proxy http.Handler
		want  []string
	}{
		{"good", straight, []string{"OK site", "OK forwarded address a visitor cannot", "OK websocket", "OK stream it arrives", "OK hosts",
			"warning tls"}},
		{"passing claims on", claims, []string{"problem forwarded address"}},
		{"without upgrades", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Header.Del("Upgrade")
			straight.ServeHTTP(w, r)
		}), []string{"problem websocket"}},
		{"buffering", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept") == "text/event-stream" {
				io.Copy(io.Discard, r.Body) // until then the client's end is not noticed
				<-r.Context().Done()
				return
			}
			straight.ServeHTTP(w, r)
		}), []string{"problem stream"}},
		{"of another site", http.NotFoundHandler(), []string{"problem site a query is answered with status 404"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			proxy := httptest.NewServer(tt.proxy)
			defer proxy.Close()
			c := must.Do(served(nil, "--trusted-proxies 127.0.0.2"))(t)
			found, err := examineSite(t.Context(), c, proxy.URL)
			var lines strings.Builder
			for _, f := range found {
				fmt.Fprintf(&lines, "%s %s %s\n", gradeNames[f.Grade], f.Item, f.Text)
			}
			if err != nil {
				t.Error(err)
			}
			wantLines(t, lines.String(), tt.want...)
		})
	}
}

// A visitor's address is judged only where requests are seen to count.
func TestDoctorDoesNotGuessAddresses(t *testing.T) {
	unlimited := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{}`) }))
	defer unlimited.Close()
	u := must.Do(url.Parse(unlimited.URL))(t)
	for proxies, want := range map[string]string{"": "unknown: requests", "127.0.0.1": "unknown: this machine"} {
		trusted := must.Do(httpserver.ParseProxies(proxies))(t)
		d := &siteDoctor{url: u, proxies: trusted, client: &http.Client{Timeout: time.Minute}}
		d.address(t.Context())
		if len(d.found) != 1 || !strings.HasPrefix(d.found[0].Text, want) {
			t.Errorf("with the proxies %q an address without RateLimit is %v; want %s", proxies, d.found, want)
		}
	}
}
