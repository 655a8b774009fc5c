package connection

import (
	"bytes"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/pipeline"
	"agora/internal/test/logbook"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

func TestGuardRefusesUnsuitableServers(t *testing.T) {
	info := func(lines ...string) facts {
		return facts{info: parseInfo("# Server\r\n" + strings.Join(lines, "\r\n"))}
	}
	late := func(d time.Duration) facts { return facts{offset: d} }
	tests := []struct {
		name string
		f    facts
		want string // in the refusal; "" for none
	}{
		{"nothing reported", facts{}, ""},
		{"a master", info("role:master", "cluster_enabled:0", "maxmemory_policy:noeviction"), ""},
		{"a node of a cluster", info("cluster_enabled:1"), "redis+cluster://"},
		{"a replica", info("role:slave", "master_host:db1", "master_port:6380"), "db1:6380"},
		{"a clock 59 s ahead", late(59 * time.Second), ""},
		{"a clock 61 s ahead", late(61 * time.Second), "1m1s ahead"},
		{"a clock 26 h behind", late(-26 * time.Hour), "26h0m0s behind"},
	}
	for _, tt := range tests {
		if got := tt.f.unusable() + tt.f.clocks(); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: refusal %q; want %q", tt.name, got, tt.want)
		}
	}
}

func TestGuardAdvises(t *testing.T) {
	good := map[string]string{"save": "3600 1", "zset-max-listpack-entries": "1024", "hash-max-listpack-value": "1024"}
	with := func(name, value string) map[string]string {
		m := map[string]string{"save": "3600 1", "zset-max-listpack-entries": "1024", "hash-max-listpack-value": "1024"}
		m[name] = value
		return m
	}
	reported := map[string]string{"role": "master", "cluster_enabled": "0", "maxmemory_policy": "noeviction",
		"aof_enabled": "0"}
	tests := []struct {
		name string
		f    facts
		want string // in the log; "" for no lines
	}{
		{"all good", facts{info: reported, conf: good}, ""},
		{"small listpacks", facts{info: reported, conf: with("zset-max-listpack-entries", "128")},
			"CONFIG SET zset-max-listpack-entries 1024"},
		{"small listpacks of hashes", facts{info: reported, conf: with("hash-max-listpack-value", "64")},
			"CONFIG SET hash-max-listpack-value 1024"},
		{"no persistence", facts{info: reported, conf: with("save", "")}, "stores nothing on disk"},
		{"a clock 3 s ahead", facts{info: reported, conf: good, offset: 3 * time.Second}, "3s ahead"},
		{"a clock 1 s ahead", facts{info: reported, conf: good, offset: time.Second}, ""},
		{"CONFIG forbidden", facts{info: reported}, "CONFIG GET"},
		{"INFO forbidden", facts{conf: good}, "maxmemory_policy"},
	}
	for _, tt := range tests {
		l := &logbook.Log{}
		tt.f.advise(l.Logger())
		if tt.want == "" && l.Count("msg=") != 0 || l.Count(tt.want) == 0 && tt.want != "" {
			t.Errorf("%s: the log says %s; want %q", tt.name, l, tt.want)
		}
	}
}

// Parameters of the URL take precedence over the option, and the option over the default.
func TestTimeoutsOfRedis(t *testing.T) {
	tests := []struct {
		url         string
		option      time.Duration
		read, write time.Duration
		dial        time.Duration
	}{
		{"redis://x", 0, DefaultTimeout, DefaultTimeout, 300 * time.Millisecond},
		{"redis://x", 4 * time.Second, 4 * time.Second, 4 * time.Second, 1500 * time.Millisecond},
		{"redis://x?read_timeout=2s", 0, 2 * time.Second, DefaultTimeout, 300 * time.Millisecond},
		{"redis://x?read_timeout=2s&write_timeout=3s&dial_timeout=1s", 4 * time.Second, 2 * time.Second, 3 * time.Second,
			time.Second},
	}
	for _, tt := range tests {
		o := must.Do(redis.ParseURL(tt.url))(t)
		setTimeouts(o, tt.option)
		if o.ReadTimeout != tt.read || o.WriteTimeout != tt.write || o.DialTimeout != tt.dial || o.MaxRetries != -1 {
			t.Errorf("timeouts of %s with %v = %v, %v, %v, %d retries; want %v, %v, %v, -1", tt.url, tt.option, o.ReadTimeout,
				o.WriteTimeout, o.DialTimeout, o.MaxRetries, tt.read, tt.write, tt.dial)
		}
	}
}

func TestLongPipelinesGetMoreTime(t *testing.T) {
	for n, want := range map[int]time.Duration{1: 1, 249: 1, 250: 2, 3000: 13, 1_000_000: 20} {
		if got := pipelineTimeout(time.Second, n); got != want*time.Second {
			t.Errorf("pipelineTimeout(1s, %d) = %v; want %v", n, got, want*time.Second)
		}
	}
}

// A server that takes longer than the timeout fails a short pipeline, but not a long one.
func TestLongPipelinesSurviveASlowRedis(t *testing.T) {
	const timeout = 100 * time.Millisecond
	client := redis.NewClient(slowOptions(t, 3*timeout, timeout))
	defer client.Close()
	conn := &Connection{Redis: client, stop: func() {}, last: newBulkHook(client)}
	usage := &pipeline.Usage{}
	ctx := pipeline.WithUsage(t.Context(), usage)
	pipeline.NewClient(conn.Redis, pipeline.Options{}) // adds the counting hook
	pipeline.Universal(conn.Redis).AddHook(conn.last)
	exec := func(n int) error {
		pipe := conn.Redis.Pipeline()
		for range n {
			pipe.Get(ctx, "k")
		}
		_, err := pipe.Exec(ctx)
		return err
	}
	if err := exec(10); err == nil {
		t.Error("a pipeline of 10 commands that took three timeouts: no error; want one")
	}
	if err := exec(2500); err != nil {
		t.Errorf("a pipeline of 2,500 commands that took three timeouts: %v; want no error", err)
	}
	if usage.RoundTrips.Load() != 2 || usage.Commands.Load() != 2510 {
		t.Errorf("counted %d round trips and %d commands; want 2 and 2510", usage.RoundTrips.Load(),
			usage.Commands.Load())
	}
}

// slowOptions returns the options for a server that answers each pipeline of GETs after a pause.
func slowOptions(t *testing.T, pause, timeout time.Duration) *redis.Options {
	t.Helper()
	listener := must.Do(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { listener.Close() })
	go func() { // ends with the listener
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answerSlowly(conn, pause) // ends with the connection
		}
	}()
	o := &redis.Options{Addr: listener.Addr().String(), Protocol: 2, DisableIdentity: true}
	setTimeouts(o, timeout)
	return o
}

func answerSlowly(conn net.Conn, pause time.Duration) {
	defer conn.Close()
	buffer := make([]byte, 1<<20)
	var pending strings.Builder
	for {
		n, err := conn.Read(buffer)
		if err != nil {
			return
		}
		pending.Write(buffer[:n])
		commands := strings.Count(pending.String(), "get\r\n")
		if !strings.HasSuffix(pending.String(), "k\r\n") || commands == 0 {
			if commands == 0 && strings.HasSuffix(pending.String(), "\r\n") { // such as HELLO
				conn.Write([]byte("-ERR unknown command\r\n"))
				pending.Reset()
			}
			continue
		}
		<-time.After(pause)
		conn.Write([]byte(strings.Repeat("$1\r\nv\r\n", commands)))
		pending.Reset()
	}
}

func TestMessagesOfTheRedisClient(t *testing.T) {
	var out bytes.Buffer
	l := &clientLog{log: slog.New(slog.NewTextHandler(&out, nil)), now: redistest.NewClock().Now}
	for range 100 {
		l.Printf(t.Context(), "discarding bad PubSub connection: %v\n", "EOF")
	}
	if n := strings.Count(out.String(), `msg="Redis client" message="discarding bad PubSub connection: EOF"`); n != LinesPerSecond || n != strings.Count(out.String(), "\n") {
		t.Errorf("100 messages logged\n%s\nwant %d lines", out.String(), LinesPerSecond)
	}
}

// A restart of Redis is logged, with what to do.
func TestRestartOfRedisIsLogged(t *testing.T) {
	l := &logbook.Log{}
	m := &Monitor{Connection: &Connection{}, Log: l.Logger()}
	m.noteRestarts([]facts{{info: map[string]string{"run_id": "a", "aof_enabled": "1"}}})
	m.noteRestarts([]facts{{info: map[string]string{"run_id": "a", "aof_enabled": "1"}}})
	if n := l.Count("was restarted"); n != 0 {
		t.Errorf("the log has %d restarts; want none", n)
	}
	m.noteRestarts([]facts{{info: map[string]string{"run_id": "b", "aof_enabled": "1"}}})
	if n := l.Count("BGREWRITEAOF"); n != 1 {
		t.Errorf("the log says %d times what to do after a restart; want 1", n)
	}
	m.noteRestarts([]facts{{info: map[string]string{"run_id": "c", "aof_enabled": "0"}}})
	if n := l.Count("unsaved writes are lost"); n != 1 {
		t.Errorf("the log says %d times that writes are lost; want 1", n)
	}
}

func wantOK(t testing.TB, call string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
}
