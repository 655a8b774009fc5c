package connection

import (
	"context"
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/wait"
	"agora/internal/turns"
)

// pausing returns a client that pauses turns, alone or with long pipelines, as stores use it.
func pausing(t *testing.T, forks bool) *redis.Client {
	o := redistest.Start(t).Options
	setTimeouts(&o, time.Minute)
	client := redis.NewClient(&o)
	t.Cleanup(func() { client.Close() })
	last := newBulkHook(client)
	pauseTurns(client, forks)
	client.AddHook(last)
	return client
}

// A caller that waits for Redis has no processor meanwhile, and has one when the replies are parsed.
func TestWhoWaitsForRedisHasNoTurn(t *testing.T) {
	client := pausing(t, false)
	all := turns.New(turns.Options{Processors: 1, Patience: time.Minute})
	turn := must.Do(all.Begin(t.Context(), turns.Payer{User: "ann"}))(t)
	ctx := turns.With(t.Context(), turn)
	for name, block := range map[string]func(){
		"a command":       func() { client.BLPop(ctx, 0, "list") },
		"a pipeline":      func() { pipelineOf(t, ctx, client, 1) },
		"a long pipeline": func() { pipelineOf(t, ctx, client, bulkStep) },
	} {
		done := make(chan struct{})
		go func() { // ends with the reply
			defer close(done)
			block()
		}()
		wait.Until(t, name+" waits without a turn", func() bool {
			running, waiting := all.Count()
			return running == 0 && waiting == 0
		})
		overran := all.Overran()
		other := must.Do(all.Begin(t.Context(), turns.Payer{User: "ben"}))(t)
		client.LPush(t.Context(), "list", "a")
		wait.Until(t, name+" waits for its turn", func() bool {
			_, waiting := all.Count()
			return waiting == 1 || all.Overran() > overran // on a busy machine it has waited already
		})
		other.End()
		<-done
		if running, waiting := all.Count(); running != 1 || waiting != 0 {
			t.Errorf("after %s: %d turns run, %d wait; want the caller's", name, running, waiting)
		}
	}
	turn.End()
}

// What outlives its turn, as the source of a subscription does, goes on without one.
func TestEndedTurnsDoNotMatter(t *testing.T) {
	all := turns.New(turns.Options{Processors: 1, Patience: time.Minute})
	for _, forks := range []bool{false, true} {
		client := pausing(t, forks)
		turn := must.Do(all.Begin(t.Context(), turns.Payer{User: "ann"}))(t)
		turn.End()
		ctx := turns.With(t.Context(), turn)
		client.LPush(ctx, "list", "a", "b")
		pipelineOf(t, ctx, client, 1)
		pipelineOf(t, ctx, client, bulkStep)
		if running, waiting := all.Count(); running != 0 || waiting != 0 {
			t.Errorf("forks %v: %d turns run, %d wait; want none", forks, running, waiting)
		}
	}
}

// pipelineOf sends a pipeline that waits for an entry of the list, after n other commands.
func pipelineOf(t *testing.T, ctx context.Context, client *redis.Client, n int) {
	pipe := client.Pipeline()
	for range n {
		pipe.Get(ctx, "no")
	}
	pop := pipe.BLPop(ctx, 0, "list")
	if _, err := pipe.Exec(ctx); !errors.Is(err, redis.Nil) || pop.Err() != nil {
		t.Errorf("the pipeline failed: %v, %v", err, pop.Err())
	}
}

// What has arrived is read even if the process was so busy that it comes to it after the deadline.
func TestWhatHasArrivedIsReadAfterTheDeadline(t *testing.T) {
	listener := must.Do(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	client := must.Do(net.Dial("tcp", listener.Addr().String()))(t)
	defer client.Close()
	server := must.Do(listener.Accept())(t)
	defer server.Close()
	c := &conn{Conn: client, calls: &calls{by: map[int64]*call{}}}
	for name, reader := range map[string]net.Conn{"plain": &plainConn{c, client.(syscall.Conn)}, "as with TLS": c} {
		p := make([]byte, 10)
		must.OK(t, reader.SetReadDeadline(time.Unix(1, 0)))
		if n, err := reader.Read(p); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: Read = %d, %v while nothing has arrived; want the deadline's error", name, n, err)
		}
		if n, err := reader.Read(p); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) { // as a client that expects RESP3
			t.Errorf("%s: the next Read = %d, %v; want the deadline's error, too", name, n, err)
		}
		must.Do(server.Write([]byte("+OK\r\n")))(t)
		must.OK(t, reader.SetReadDeadline(time.Unix(1, 0)))
		if n, err := reader.Read(p); string(p[:n]) != "+OK\r\n" || err != nil {
			t.Errorf("%s: Read = %q, %v; want what has arrived", name, p[:n], err)
		}
	}
}
