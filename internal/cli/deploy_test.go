package cli

import (
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"agora/internal/test/must"
)

// deployed reads a file of the folder deploy.
func deployed(t *testing.T, name string) string {
	t.Helper()
	text := must.Do(os.ReadFile(filepath.Join("../../deploy", name)))(t)
	return string(text)
}

// composed is a compose file, and service one of its services, with all the keys that ours have.
type composed struct {
	Name     string
	Conf     string  `yaml:"x-conf"`
	Start    string  `yaml:"x-start"`
	Redis    service `yaml:"x-redis"`
	Services map[string]service
	Networks map[string]any
	Volumes  map[string]any
}

type service struct {
	Image       string
	Build       struct{ Context, Dockerfile string }
	Restart     string
	User        string
	Command     []string
	Environment map[string]string
	Ports       []string
	Volumes     []string
	Networks    any
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Healthcheck struct {
		Test              []string
		Interval, Timeout string
		StartPeriod       string `yaml:"start_period"`
	}
	StopGracePeriod string   `yaml:"stop_grace_period"`
	MemLimit        string   `yaml:"mem_limit"`
	ReadOnly        bool     `yaml:"read_only"`
	CapDrop         []string `yaml:"cap_drop"`
	SecurityOpt     []string `yaml:"security_opt"`
}

// composeFiles are the compose files, with the number of Redis servers in them.
var composeFiles = map[string]int{"compose.yaml": 1, "compose.cluster.yaml": 6}

// variable is a variable of a compose file with a default.
var variable = regexp.MustCompile(`\$\{\w+:-([^}]*)\}`)

// compose reads a compose file whose variables are not set.
func compose(t *testing.T, name string) composed {
	t.Helper()
	var c composed
	text := variable.ReplaceAllString(deployed(t, name), "$1")
	if err := yaml.UnmarshalWithOptions([]byte(text), &c, yaml.Strict()); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

// readConfig returns the configuration with which the server runs in an environment, and fails the test if the program
// does not know a variable of it.
func readConfig(t *testing.T, where string, env map[string]string, args ...string) config {
	t.Helper()
	// Read by Go, by --data and by health.
	known := map[string]bool{"GOMEMLIMIT": true, "REDIS_SERVER": true, "AGORA_URL": true}
	getenv := func(name string) string {
		known[name] = true
		return env[name]
	}
	var c config
	a := actions{serve: func(_ context.Context, read config) error {
		c = read
		return nil
	}}
	if err := execute(t.Context(), append([]string{"agora"}, args...), a, getenv, io.Discard, io.Discard); err != nil {
		t.Errorf("%s: agora %s with %v: %v", where, args, env, err)
	}
	for name := range env {
		if !known[name] {
			t.Errorf("%s sets %s, which the program does not read", where, name)
		}
	}
	return c
}

// The server in a compose file understands its settings, keeps /metrics off the published port, is asked for its
// health where it serves it, and starts once its Redis can be used.
func TestComposedServer(t *testing.T) {
	env := imageEnvironment(t)
	for name, redises := range composeFiles {
		c := compose(t, name)
		s := c.Services["agora"]
		set := maps.Clone(env)
		maps.Copy(set, s.Environment)
		read := readConfig(t, name, set, s.Command...)
		if read.Addr != ":8080" || read.OpsAddr != ":9090" || !slices.Equal(s.Ports, []string{"127.0.0.1:8080:8080"}) {
			t.Errorf("%s: the server listens at %s and %s, published are %v", name, read.Addr, read.OpsAddr, s.Ports)
		}
		_, hosts, _ := strings.Cut(read.RedisURL, "://")
		for host := range strings.SplitSeq(hosts, ",") {
			host, port, _ := strings.Cut(host, ":")
			if r, exists := c.Services[host]; !exists || !strings.HasPrefix(r.Image, "redis:7.2") || port != "6379" {
				t.Errorf("%s: REDIS_URL names %s:%s; want a Redis of the file", name, host, port)
			}
		}
		if n := strings.Count(hosts, ":"); n != redises {
			t.Errorf("%s: REDIS_URL names %d servers; want %d", name, n, redises)
		}
		asked := ""
		a := actions{health: func(_ context.Context, server string) error {
			asked = server
			return nil
		}}
		command := append([]string{"agora"}, s.Healthcheck.Test[2:]...)
		err := execute(t.Context(), command, a, environment(set), io.Discard, io.Discard)
		if err != nil || asked != "http://localhost"+read.OpsAddr || s.Healthcheck.Test[1] != "/agora" {
			t.Errorf("%s: the health check %v asks %q, %v", name, s.Healthcheck.Test, asked, err)
		}
		if grace, err := time.ParseDuration(s.StopGracePeriod); err != nil || grace <= read.DrainDelay+shutdownGrace+tracesGrace {
			t.Errorf("%s: the server has %s to stop; want more than it takes", name, s.StopGracePeriod)
		}
		for on, of := range s.DependsOn {
			if _, exists := c.Services[on]; !exists || of.Condition == "service_started" {
				t.Errorf("%s: the server depends on %s being %s", name, on, of.Condition)
			}
		}
		if _, err := os.Stat(filepath.Join("../../deploy", s.Build.Context, s.Build.Dockerfile)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// settings are the settings of a Redis, by name.
type settings map[string]string

// confSettings reads settings in the form of redis.conf.
func confSettings(text string) settings {
	set := settings{}
	for line := range strings.Lines(text) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), " "); found && name != "#" {
			set[name] = strings.Trim(value, `"`)
		}
	}
	return set
}

// option is a setting of Redis on a command line.
var option = regexp.MustCompile(`--([a-z-]+) (\S+)`)

// optionSettings reads the settings of a command line whose names have a prefix.
func optionSettings(text, prefix string) settings {
	set := settings{}
	for _, m := range option.FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(m[1], prefix) {
			set[m[1]] = m[2]
		}
	}
	return set
}

// documentedSettings returns the settings that docs/operating.md demands of every Redis, and of the nodes of a cluster.
func documentedSettings(t *testing.T) (every, node settings) {
	t.Helper()
	var found []settings
	for _, b := range docBlocks(t) {
		if b.file == "docs/operating.md" && b.language == "conf" {
			found = append(found, confSettings(b.text))
		}
	}
	if len(found) != 2 {
		t.Fatalf("docs/operating.md has %d blocks of settings; want 2", len(found))
	}
	return found[0], found[1]
}

// Each Redis of a compose file has the documented settings, a volume of its own and a health check.
func TestComposedRedis(t *testing.T) {
	every, node := documentedSettings(t)
	if got := confSettings(deployed(t, "redis.conf")); !maps.Equal(got, every) {
		t.Errorf("redis.conf has %v; docs/operating.md wants %v", got, every)
	}
	for name, redises := range composeFiles {
		c, found := compose(t, name), 0
		for called, s := range c.Services {
			if !strings.HasPrefix(called, "redis") {
				continue
			}
			found++
			want := settings{}
			if redises > 1 {
				want = node
			}
			if got := optionSettings(strings.Join(s.Command, " "), "cluster-"); !maps.Equal(got, want) {
				t.Errorf("%s: %s has %v; docs/operating.md wants %v", name, called, got, want)
			}
			_, kept := c.Volumes[called]
			if !kept || !slices.Equal(s.Volumes, []string{called + ":/data", "./redis.conf:/etc/agora/redis.conf:ro",
				"./redis-start.sh:/etc/agora/redis-start.sh:ro"}) || s.Command[1] != "/etc/agora/redis-start.sh" {
				t.Errorf("%s: %s runs %v with %v", name, called, s.Command, s.Volumes)
			}
			if len(s.Healthcheck.Test) == 0 || s.User == "" || s.User == "root" {
				t.Errorf("%s: %s has the health check %v and user %q", name, called, s.Healthcheck.Test, s.User)
			}
		}
		if found != redises {
			t.Errorf("%s has %d Redis servers; want %d", name, found, redises)
		}
	}
	script := strings.ReplaceAll(deployed(t, "cluster.sh"), "\\\n", "")
	if got := optionSettings(script, "cluster-"); !maps.Equal(got, node) {
		t.Errorf("cluster.sh gives its nodes %v; docs/operating.md wants %v", got, node)
	}
}

// unit returns the values of a systemd unit, by name.
func unit(text string) map[string][]string {
	values := map[string][]string{}
	for line := range strings.Lines(text) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), "="); found && !strings.HasPrefix(line, "#") {
			values[name] = append(values[name], value)
		}
	}
	return values
}

// The unit's command and variables exist, and systemd leaves the server the time to stop, and its Redis alone.
func TestUnit(t *testing.T) {
	u := unit(deployed(t, "agora.service"))
	env := map[string]string{}
	for _, set := range u["Environment"] {
		name, value, _ := strings.Cut(set, "=")
		env[name] = value
	}
	c := readConfig(t, "agora.service", env, strings.Fields(u["ExecStart"][0])[1:]...)
	if state := "/var/lib/" + u["StateDirectory"][0]; c.DataDir != state || c.OpsAddr == "" {
		t.Errorf("the unit keeps data in %s and serves operators at %q; want %s, and an address", c.DataDir, c.OpsAddr, state)
	}
	const redisGrace = 5 * time.Second // privateredis.stopGrace
	limit, err := time.ParseDuration(u["TimeoutStopSec"][0] + "s")
	if err != nil || limit <= maxDrainDelay+shutdownGrace+tracesGrace+redisGrace || u["KillMode"][0] != "mixed" {
		t.Errorf("the unit stops the server after %s, KillMode %s", u["TimeoutStopSec"], u["KillMode"])
	}
}

// The unit of the backup has the data, the settings and the sandbox of the server's, and its commands exist. The timer
// runs it each day.
func TestBackupUnit(t *testing.T) {
	server, u := unit(deployed(t, "agora.service")), unit(deployed(t, "agora-backup.service"))
	for name, values := range server {
		sandbox := regexp.MustCompile("^(Capab|Lock|Memory|NoNew|P|R.+(IPC|strict.+)$|SystemCall|User|Group|UMask|EnvironmentFile)")
		if sandbox.MatchString(name) && !slices.Equal(u[name], values) {
			t.Errorf("agora-backup.service has %s %v; want %v", name, u[name], values)
		}
	}
	data := strings.TrimPrefix(server["Environment"][0], "DATA_DIR=")
	const backups = "/var/lib/agora-backup"
	if !slices.Equal(u["Environment"], []string{"DATA_DIR=" + data}) ||
		!slices.Equal(u["StateDirectory"], []string{"agora agora-backup"}) {
		t.Errorf("the unit copies %v, and may write %v", u["Environment"], u["StateDirectory"])
	}
	var kept, verified string
	a := actions{
		backup: func(_ context.Context, c config, o backupOptions) error {
			kept = c.DataDir
			if o.Dir != backups || o.Keep < 7 {
				t.Errorf("the unit keeps %d backups in %s", o.Keep, o.Dir)
			}
			return nil
		},
		restore: func(_ context.Context, c config, o restoreOptions) error {
			verified = o.Dir
			if !o.Verify || c.DataDir != "" {
				t.Errorf("the unit restores to %s", c.DataDir)
			}
			return nil
		},
	}
	for _, command := range u["ExecStart"] {
		args := strings.Fields(command)
		if err := execute(t.Context(), args, a, environment(map[string]string{"DATA_DIR": data}), io.Discard,
			io.Discard); err != nil || args[0] != strings.Fields(server["ExecStart"][0])[0] {
			t.Errorf("%s: %v", command, err)
		}
	}
	if kept != data || verified != backups {
		t.Errorf("the unit copies %s, and verifies %s", kept, verified)
	}
	timer := unit(deployed(t, "agora-backup.timer"))
	if timer["OnCalendar"][0] != "daily" || timer["Persistent"][0] != "true" || timer["WantedBy"][0] != "timers.target" {
		t.Errorf("the timer is %v", timer)
	}
}
