package process

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"agora/internal/test/wait"
)

// follower follows the replies to a topic live. When its connection ends, it resumes at the other server.
type follower struct {
	bench   *bench
	addrs   []string // of servers, in the order in which they are tried
	running sync.WaitGroup

	mu     sync.Mutex
	after  *string         // the event after which to resume
	last   int64           // the number of the last reply
	seen   map[string]int  // how often each reply was received, by marker
	read   map[string]bool // those that were read after a RESET
	events int
	resets int
}

func newFollower(b *bench, addrs ...string) *follower {
	return &follower{bench: b, addrs: addrs, seen: map[string]int{}, read: map[string]bool{}}
}

const opWatch = `subscription($topic: ID!, $after: String) { r: commentAdded(topic: {id: $topic}, after: $after) { eventId kind comment { number content } } }`

// seenEvent is an event of opWatch.
type seenEvent struct {
	EventID, Kind string
	Comment       *struct {
		Number  int64
		Content string
	}
}

// run follows until ctx ends.
func (f *follower) run(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		f.follow(ctx, f.addrs[n%len(f.addrs)])
		wait.Pause(ctx, 20*time.Millisecond)
	}
}

// request is the subscription that resumes.
func (f *follower) request() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	text, err := json.Marshal(map[string]any{"id": "1", "type": "subscribe", "payload": map[string]any{
		"query": opWatch, "variables": map[string]any{"topic": f.bench.live.id, "after": f.after},
	}})
	if err != nil {
		f.bench.t.Error(err)
	}
	return text
}

// follow follows over one connection until it ends.
func (f *follower) follow(ctx context.Context, addr string) {
	dialing, cancel := context.WithTimeout(ctx, patient)
	defer cancel()
	conn, _, err := websocket.Dial(dialing, "ws://"+addr+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return
	}
	defer conn.CloseNow()
	send := func(text []byte) error { return conn.Write(ctx, websocket.MessageText, text) }
	err = send([]byte(`{"type":"connection_init"}`))
	for err == nil {
		var text []byte
		if _, text, err = conn.Read(ctx); err != nil {
			return
		}
		var m struct {
			Type    string
			Payload struct {
				Data   struct{ R *seenEvent }
				Errors []struct{ Extensions struct{ Code string } }
			}
		}
		switch json.Unmarshal(text, &m); {
		case m.Type == "connection_ack":
			err = send(f.request())
		case m.Type == "ping":
			err = send([]byte(`{"type":"pong"}`))
		case m.Type == "next" && m.Payload.Data.R != nil:
			f.take(*m.Payload.Data.R)
		case strings.Contains(string(text), "UNAVAILABLE"), strings.Contains(string(text), "INTERNAL_SERVER_ERROR"):
			return
		case m.Type == "pong":
		default:
			f.bench.t.Errorf("a follower was told: %s", text)
			return
		}
	}
}

// take notes an event.
func (f *follower) take(e seenEvent) {
	f.mu.Lock()
	if e.Kind != "RESET" && e.Comment == nil {
		f.last = 0 // the reply may be lost, and its number given to another
		f.mu.Unlock()
		f.bench.run.wrong("the event %s has no reply", e.EventID)
		return
	}
	f.after = &e.EventID
	f.events++
	if e.Kind == "RESET" {
		f.resets++
		f.last = 0
		clear(f.seen) // what was lost may be posted again
		f.mu.Unlock()
		f.readAll()
		return
	}
	defer f.mu.Unlock()
	if f.last != 0 && e.Comment.Number != f.last+1 {
		f.bench.t.Errorf("live reply number %d after %d", e.Comment.Number, f.last)
	}
	f.last = e.Comment.Number
	marker, _, _ := strings.Cut(e.Comment.Content, " ")
	f.seen[marker]++
}

// readAll reads the latest replies, which may have been missed before a RESET.
func (f *follower) readAll() {
	w := f.bench.run
	wait.For(time.Minute, func() bool {
		a, err := w.ask(readPatience, "", opReplies, map[string]any{"id": f.bench.live.id})
		if err != nil || len(a.Errors) > 0 || a.missing() > 0 {
			return false
		}
		var topic struct{ Comments seenComments }
		if err := json.Unmarshal(a.Data.R, &topic); err != nil {
			f.bench.t.Error(err)
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		for _, c := range topic.Comments.Nodes {
			marker, _, _ := strings.Cut(c.Content, " ")
			f.read[marker] = true
		}
		return true
	})
}

// opReplies reads the latest replies to a topic: more than are written during a fault.
const opReplies = `query($id: ID!) { r: topic(by: {id: $id}) { comments(last: 100) ` + seenFields + ` } }`

// unseen returns how many acknowledged replies of the talker were not received, and the marker of one. Those of others
// may be deleted before they are.
func (f *follower) unseen() (n int, example string) {
	w := f.bench.run
	w.mu.Lock()
	defer w.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.bench.live.comments {
		if c.owner == w.clients[talker].login && f.seen[c.marker] == 0 && !f.read[c.marker] {
			n, example = n+1, c.marker
		}
	}
	return n, example
}

// isOpen reports whether an event was received.
func (f *follower) isOpen() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.events > 0
}

// awaitAll returns when all acknowledged replies were received, or after a while.
func (f *follower) awaitAll() {
	wait.For(15*time.Second, func() bool { n, _ := f.unseen(); return n == 0 || f.bench.run.lossy })
}

// verify fails unless each acknowledged reply was received, and none twice. What is lost may not have been sent.
func (f *follower) verify() {
	if n, example := f.unseen(); n > 0 && !f.bench.run.lossy {
		f.bench.t.Errorf("%d acknowledged replies were not received live, such as %s", n, example)
	}
	for marker, n := range f.seen {
		if n > 1 && marker != "" {
			f.bench.t.Errorf("%s was received %d times live", marker, n)
		}
	}
}
