package cut

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"agora/internal/globalid"
	"agora/internal/test/wait"
)

// cutClient follows the replies of one topic, and resumes when its connection ends.
type cutClient struct {
	site           *cutSite
	topic, process int
	changed        chan struct{}
	last           atomic.Int64 // number of the last reply

	mu          sync.Mutex
	after       *string
	first       int64
	texts       []string // of the replies from first on
	faults      []string
	connections int
	refusals    int // subscriptions that were temporarily refused
}

// cutEvent is a commentAdded event.
type cutEvent struct {
	EventID string
	Kind    string
	Comment *struct {
		Number  int64
		Content string
	}
}

// cutAnswer is the payload of an event or of a refusal.
type cutAnswer struct {
	Data   *struct{ CommentAdded *cutEvent }
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

const cutDocument = `subscription($topic: ID!, $after: String) { commentAdded(topic: {id: $topic}, after: $after) { eventId kind comment { number content } } }`

// request is the operation that resumes.
func (c *cutClient) request() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := json.Marshal(map[string]any{"query": cutDocument, "variables": map[string]any{
		"topic": globalid.New(globalid.Topic, strconv.FormatInt(int64(c.site.topics[c.topic]), 10)), "after": c.after,
	}})
	if err != nil {
		c.faults = append(c.faults, err.Error())
	}
	return body
}

// run connects to one process after the other until ctx is done.
func (c *cutClient) run(ctx context.Context, connect func(ctx context.Context, address string) error) {
	for n := c.process; ctx.Err() == nil; n++ {
		c.count(&c.connections)
		if err := connect(ctx, c.site.processes[n%cutProcesses].front.Addr().String()); errors.Is(err, errCutRefused) {
			c.count(&c.refusals)
		}
		wait.Pause(ctx, 5*time.Millisecond)
	}
}

func (c *cutClient) count(counter *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*counter++
}

// errCutRefused reports that a subscription was temporarily refused.
var errCutRefused = errors.New("refused")

// socket follows over graphql-transport-ws until the connection ends.
func (c *cutClient) socket(ctx context.Context, address string) error {
	conn, _, err := websocket.Dial(
		ctx,
		"ws://"+address+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}},
	)
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	if err := conn.Write(ctx, websocket.MessageText, []byte(`{"type":"connection_init"}`)); err != nil {
		return err
	}
	for {
		_, text, err := conn.Read(ctx)
		if err != nil {
			return err
		}
		var m struct {
			Type    string
			Payload json.RawMessage
		}
		if err := json.Unmarshal(text, &m); err != nil {
			return err
		}
		switch m.Type {
		case "connection_ack":
			err = conn.Write(
				ctx,
				websocket.MessageText,
				fmt.Appendf(nil, `{"id":"1","type":"subscribe","payload":%s}`, c.request()),
			)
		case "ping":
			err = conn.Write(ctx, websocket.MessageText, []byte(`{"type":"pong"}`))
		case "next":
			err = c.take(m.Payload)
		case "error":
			err = c.take(fmt.Appendf(nil, `{"errors":%s}`, m.Payload))
		case "complete":
			c.fault("the subscription was completed")
			err = errCutRefused
		}
		if err != nil {
			return err
		}
	}
}

// stream follows over server-sent events until the connection ends.
func (c *cutClient) stream(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, "POST", "http://"+address+"/graphql", bytes.NewReader(c.request()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadString('\n')
		if err != nil { // a partial line is dropped
			return err
		}
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:")
		if !ok || strings.TrimSpace(data) == "" {
			continue
		}
		if err := c.take([]byte(data)); err != nil {
			return err
		}
	}
}

// take records an event.
func (c *cutClient) take(payload []byte) error {
	var a cutAnswer
	if err := json.Unmarshal(payload, &a); err != nil {
		c.fault(fmt.Sprintf("no answer: %v: %s", err, payload))
		return err
	}
	switch {
	case a.Data == nil && len(a.Errors) > 0:
		if code := a.Errors[0].Extensions.Code; code != "UNAVAILABLE" && code != "INTERNAL_SERVER_ERROR" {
			c.fault(fmt.Sprintf("refused: %s", payload))
		}
		return errCutRefused
	case len(a.Errors) > 0 || a.Data == nil || a.Data.CommentAdded == nil || a.Data.CommentAdded.Comment == nil:
		c.fault(fmt.Sprintf("an event without its reply: %s", payload))
		return nil
	}
	c.note(a.Data.CommentAdded)
	return nil
}

func (c *cutClient) note(e *cutEvent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := c.last.Load()
	switch number := e.Comment.Number; {
	case e.Kind != "ADDED":
		c.faults = append(c.faults, fmt.Sprintf("%s after number %d", e.Kind, last))
	case last == 0:
		c.first = number
	case number != last+1:
		c.faults = append(c.faults, fmt.Sprintf("number %d after %d", number, last))
	}
	c.after = &e.EventID
	c.texts = append(c.texts, e.Comment.Content)
	c.last.Store(e.Comment.Number)
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

func (c *cutClient) fault(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults = append(c.faults, text)
}

// compare compares what was seen with the texts of all replies by number.
func (c *cutClient) compare(t *testing.T, name string, want []string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, f := range c.faults {
		if i == 5 {
			t.Errorf("%s: and %d more", name, len(c.faults)-i)
			break
		}
		t.Errorf("%s: %s", name, f)
	}
	if c.first == 0 || int(c.first)-1+len(c.texts) != len(want) {
		t.Errorf("%s saw %d replies from number %d on; there are %d", name, len(c.texts), c.first, len(want))
		return
	}
	for i, text := range c.texts {
		if text != want[int(c.first)-1+i] {
			t.Errorf("%s saw %q at number %d; want %q", name, text, int(c.first)+i, want[int(c.first)-1+i])
			return
		}
	}
}

// cutReport summarizes what clients saw.
func cutReport(clients []*cutClient) string {
	var events, connections, refusals int
	for _, c := range clients {
		c.mu.Lock()
		events += len(c.texts)
		connections += c.connections
		refusals += c.refusals
		c.mu.Unlock()
	}
	return fmt.Sprintf(
		"%d events to %d clients over %d connections, %d subscriptions refused for a time, 0 RESETs",
		events,
		len(clients),
		connections,
		refusals,
	)
}
