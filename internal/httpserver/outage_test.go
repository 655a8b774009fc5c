package httpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/httpserver/live"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// outage fails the reads of events, and every PING, while it is on.
type outage struct {
	on       atomic.Bool
	answers  bool         // PING works: only a part of Redis is away
	attempts atomic.Int64 // reads for an event
	pings    chan struct{}
}

var errOutage error = &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}

func (o *outage) meet(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	reads := true // those of events may be sent in a context of their own
	for _, cmd := range cmds {
		reads = reads && strings.HasPrefix(cmd.Name(), "h") && !strings.HasPrefix(cmd.Name(), "hset")
	}
	switch ping := cmds[0].Name() == "ping" && !o.answers; {
	case !o.on.Load(), !ping && !reads:
		return next(ctx, cmds)
	case ping:
		o.pings <- struct{}{}
	default:
		o.attempts.Add(1)
	}
	return redistest.Fail(cmds, errOutage)
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
	to := site.On(t, w.options.Resolver.Store)
	topic := to.Topic(ann, to.Category("Go"))
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
	w.redis.AddHook(redistest.Hook(o.meet))
	before := logged.n.Load()
	o.on.Store(true)
	to.Say(ann, topic, "Reply")
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

// An event that cannot be read, because a part of Redis is away, is held back, so that nobody resumes after it without
// having seen it. After a while a RESET with its position takes its place, and the next are not held back as long.
func TestEventsThatCannotBeReadAreHeld(t *testing.T) {
	w := newRealWire(t, func(_ *Options, l *live.Connections) { l.Times.Hold = time.Second })
	ann, _ := w.member("ann")
	to := site.On(t, w.options.Resolver.Store)
	topic := to.Topic(ann, to.Category("Go"))
	var found struct{ Topic struct{ ID string } }
	w.connect().run(fmt.Sprintf(`{ topic(by: {number: %d}) { id } }`, topic), &found)
	after := ""
	document := func() string {
		return fmt.Sprintf(`subscription { commentAdded(topic: {id: %q}%s) { kind eventId comment { content } } }`,
			found.Topic.ID, after)
	}
	c := w.connect()
	c.subscribe("1", document())
	c.wantQuiet()
	o := &outage{answers: true}
	w.redis.AddHook(redistest.Hook(o.meet))
	reply := func(content string) { to.Say(ann, topic, content) }
	next := func() (text, kind, id string) {
		t.Helper()
		text = c.read()
		m := regexp.MustCompile(`"kind":"([A-Z]+)","eventId":"([^"]+)"`).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("an event is %s", text)
		}
		return text, m[1], m[2]
	}

	o.on.Store(true)
	reply("first")
	for o.attempts.Load() < 6 { // more than a failure that may not go away gets
		<-time.After(time.Millisecond)
	}
	o.on.Store(false)
	if text, kind, _ := next(); kind != "ADDED" || !strings.Contains(text, `"first"`) || strings.Contains(text, "errors") {
		t.Errorf("after a short outage the event is %s; want the first reply", text)
	}

	o.on.Store(true)
	reply("second")
	text, kind, id := next()
	if kind != "RESET" || strings.Contains(text, "errors") {
		t.Errorf("in a long outage the event is %s; want a RESET", text)
	}
	began := time.Now()
	reply("third")
	if text, kind, _ := next(); kind != "RESET" || time.Since(began) > 800*time.Millisecond {
		t.Errorf("then the event is %s after %v; want a RESET soon", text, time.Since(began))
	}
	o.on.Store(false)
	after = fmt.Sprintf(`, after: %q`, id)
	c = w.connect()
	c.subscribe("1", document())
	if text, kind, _ := next(); kind != "ADDED" || !strings.Contains(text, `"third"`) {
		t.Errorf("who resumes after the first RESET gets %s; want the third reply", text)
	}
}
