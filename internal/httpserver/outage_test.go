package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/httpserver/live"
	"agora/internal/store"
	"agora/internal/test/testlevel"
)

// outage fails the reads of events, and every PING, while it is on.
type outage struct {
	on       atomic.Bool
	attempts atomic.Int64 // reads for an event
	pings    chan struct{}
}

var errOutage error = &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}

func (*outage) DialHook(next redis.DialHook) redis.DialHook { return next }

func (o *outage) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() == "ping" && o.on.Load() {
			o.pings <- struct{}{}
			cmd.SetErr(errOutage)
			return errOutage
		}
		return next(ctx, cmd)
	}
}

func (o *outage) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		reads := true // those of events may be sent in a context of their own
		for _, cmd := range cmds {
			reads = reads && strings.HasPrefix(cmd.Name(), "h") && !strings.HasPrefix(cmd.Name(), "hset")
		}
		if !o.on.Load() || !reads {
			return next(ctx, cmds)
		}
		o.attempts.Add(1)
		for _, cmd := range cmds {
			cmd.SetErr(errOutage)
		}
		return errOutage
	}
}

// lines counts lines of a log.
type lines struct{ n atomic.Int64 }

func (l *lines) Write(b []byte) (int, error) {
	l.n.Add(1)
	return len(b), nil
}

// While Redis is down, all feeds wait together: they do not retry individually, and do not fill the log. Their
// members lose nothing.
func TestAnOutageHasOneRetryForAllFeeds(t *testing.T) {
	testlevel.Usual(t)
	logged := &lines{}
	w := newRealWire(t, func(o *Options, _ *live.Connections) {
		o.Log, o.Quiet = slog.New(slog.NewTextHandler(logged, nil)), true
		o.Resolver.Log = o.Log
	})
	ann, _ := w.member("ann")
	data := w.options.Resolver.Store
	category, err := data.CreateCategory(t.Context(), "Go", "go", "")
	if err != nil {
		t.Fatal(err)
	}
	topic, err := data.CreateTopic(t.Context(), store.NewTopic{Author: ann.ID, Title: "Hello", Category: category})
	if err != nil {
		t.Fatal(err)
	}
	var found struct{ Topic struct{ ID string } }
	w.connect().run(fmt.Sprintf(`{ topic(by: {number: %d}) { id } }`, topic), &found)
	document := fmt.Sprintf(`subscription { commentAdded(topic: {id: %q}) { comment { content author { login } } } }`,
		found.Topic.ID)
	const sockets, each = 30, 5
	var clients []*socketClient
	for n := range sockets {
		c := w.connect()
		for i := range each { // different documents are different feeds
			c.subscribe(fmt.Sprint(i), document+strings.Repeat(" ", each*n+i))
		}
		c.wantQuiet()
		clients = append(clients, c)
	}
	o := &outage{pings: make(chan struct{}, 1000)}
	w.redis.AddHook(o)
	before := logged.n.Load()
	o.on.Store(true)
	if _, err := data.CreateComment(t.Context(), ann,
		store.NewComment{Topic: topic, Content: "Reply", Format: forum.Markdown}); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for range 4 {
		<-o.pings
	}
	if took := time.Since(began); took < 500*time.Millisecond {
		t.Errorf("%d feeds sent 4 PINGs in %v; want one shared retry, less and less often", sockets*each, took)
	}
	if n := o.attempts.Load(); n == 0 || n > 2*sockets*each {
		t.Errorf("%d feeds tried %d times while Redis was down; want about once each", sockets*each, n)
	}
	if n := logged.n.Load() - before; n == 0 || n > 30 {
		t.Errorf("%d lines were logged in about two seconds; want a few", n)
	}
	o.on.Store(false)
	for _, c := range clients {
		for range each {
			if text := c.read(); !strings.Contains(text, `"content":"Reply"`) {
				t.Fatalf("a member reads %s; want the reply", text)
			}
		}
	}
}
