package embedded

import (
	"bufio"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

func start(t *testing.T) *Server {
	t.Helper()
	s, err := Start("secret")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// Each reply arrives, whether commands are sent one by one, together, or in pieces, and whatever
// other clients publish concurrently.
func TestReplies(t *testing.T) {
	s := start(t)
	rdb := redis.NewClient(&redis.Options{Addr: s.Addr(), Password: "secret"})
	defer rdb.Close()
	ctx := t.Context()
	sub := rdb.Subscribe(ctx, "news")
	defer sub.Close()
	if _, err := sub.Receive(ctx); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 3*maxBuffered)
	pipe := rdb.Pipeline()
	pipe.Set(ctx, "a", long, 0)
	for range 100 {
		pipe.Get(ctx, "a")
	}
	pipe.Publish(ctx, "news", "hello")
	cmds, err := pipe.Exec(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range cmds[1:101] {
		if got := cmd.(*redis.StringCmd).Val(); got != long {
			t.Fatalf("got %d bytes; want %d", len(got), len(long))
		}
	}
	if m, err := sub.ReceiveTimeout(ctx, 10*time.Second); err != nil || m.(*redis.Message).Payload != "hello" {
		t.Errorf("received %v, %v; want hello", m, err)
	}
}

func TestCommandsInPieces(t *testing.T) {
	s := start(t)
	c, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second))
	r := bufio.NewReader(c)
	for _, tt := range []struct{ send, want string }{
		{"*1\r\n$4\r\nPING\r\n", "-NOAUTH Authentication required.\r\n"},
		{"*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n*1\r\n$4\r\nPI", "+OK\r\n"},
		{"NG\r\n", "+PONG\r\n"},
		{"*1\r\n$4\r\nQUIT\r\n", "+OK\r\n"},
	} {
		if _, err := c.Write([]byte(tt.send)); err != nil {
			t.Fatal(err)
		}
		if got, err := r.ReadString('\n'); got != tt.want {
			t.Errorf("%q: reply %q, %v; want %q", tt.send, got, err, tt.want)
		}
	}
}
