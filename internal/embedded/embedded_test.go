package embedded

import (
	"bufio"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
)

func start(t *testing.T) *Server {
	t.Helper()
	s := must.Do(Start("secret"))(t)
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
	must.Do(sub.Receive(ctx))(t)
	long := strings.Repeat("x", 3*maxBuffered)
	pipe := rdb.Pipeline()
	pipe.Set(ctx, "a", long, 0)
	for range 100 {
		pipe.Get(ctx, "a")
	}
	pipe.Publish(ctx, "news", "hello")
	cmds := must.Do(pipe.Exec(ctx))(t)
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
	c := must.Do(net.Dial("tcp", s.Addr()))(t)
	defer c.Close()
	c.SetDeadline(time.Now().Add(10 * time.Second))
	r := bufio.NewReader(c)
	for _, tt := range []struct{ send, want string }{
		{"*1\r\n$4\r\nPING\r\n", "-NOAUTH Authentication required.\r\n"},
		{"*2\r\n$4\r\nAUTH\r\n$6\r\nsecret\r\n*1\r\n$4\r\nPI", "+OK\r\n"},
		{"NG\r\n", "+PONG\r\n"},
		{"*1\r\n$4\r\nQUIT\r\n", "+OK\r\n"},
	} {
		must.Do(c.Write([]byte(tt.send)))(t)
		if got, err := r.ReadString('\n'); got != tt.want {
			t.Errorf("%q: reply %q, %v; want %q", tt.send, got, err, tt.want)
		}
	}
}
