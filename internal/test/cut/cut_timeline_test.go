package cut

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
	"agora/internal/worker"
)

// TestCutTimelines changes topics in all ways through several processes while clients maintain lists by the events of
// timelines, over connections that are cut: at rest each list equals the result of a query. LIVE_SECONDS makes it
// longer.
func TestCutTimelines(t *testing.T) {
	testlevel.Usual(t)
	testlevel.RealRedis(t)
	plan := planCuts(t)
	server := redistest.Start(t)
	var wires [cutProcesses]redistest.Wire
	s := newCutSite(t, func(i int) redis.UniversalClient { return server.ClientOver(t, &wires[i]) })
	w := newCutWriter(s)
	var clients []*cutReader
	ctx, stop := context.WithCancel(t.Context())
	var following, all sync.WaitGroup
	defer following.Wait()
	defer stop()
	for i, of := range w.timelines() {
		c := &cutReader{
			site:    s,
			token:   w.token,
			of:      of,
			process: i,
			shown:   map[string]cutRow{},
			changed: make(chan struct{}, 1),
		}
		clients = append(clients, c)
		following.Go(func() { c.run(ctx) })
	}
	following.Go(func() { worker.Run(ctx, s.processes[0].store, quietLog) })
	for _, c := range clients {
		<-c.changed // it has read its list
	}
	writing, rest := context.WithTimeout(ctx, plan.life)
	defer rest()
	for p := range cutProcesses {
		all.Go(func() { w.work(writing, p) })
	}
	cuts := 0
	all.Go(func() {
		for tick := time.NewTicker(2 * plan.every); ; {
			select {
			case <-writing.Done():
				return
			case <-tick.C:
			}
			for i := range wires {
				cuts += wires[i].CutListeners() + s.processes[i].front.cut()
			}
		}
	})
	all.Wait()
	var events, resets int
	for _, c := range clients {
		c.compare(t)
		c.mu.Lock()
		events += c.events
		resets += c.resets
		c.mu.Unlock()
	}
	t.Logf("%d changes, %d cuts; %d events, %d RESETs of %d timelines", w.n.Load(), cuts, events, resets, len(clients))
}

// cutReader maintains a list by the events of its timeline.
type cutReader struct {
	site    *cutSite
	token   string
	of      forum.Timeline
	process int
	changed chan struct{}
	events  int
	resets  int

	mu     sync.Mutex
	after  *string
	shown  map[string]cutRow
	faults []string
}

// cutRow is a topic with the values that determine its position.
type cutRow struct {
	ID                      string
	CreatedAt, LastActiveAt time.Time
}

const (
	cutRows     = `{ node { id createdAt lastActiveAt } }`
	cutWatch    = `subscription($id: ID!, $after: String) { timelineUpdated(timelineId: $id, after: $after) { eventId kind topicId edge ` + cutRows + ` } }`
	cutTimeline = `query($id: ID!) { node(id: $id) { ... on Timeline { topics(first: 100) { edges ` + cutRows + ` } } } }`
)

type cutEdge struct{ Node cutRow }

func (c *cutReader) id() string { return globalid.New(globalid.Timeline, c.of.Name()) }

func (c *cutReader) run(ctx context.Context) {
	for n := c.process; ctx.Err() == nil; n++ {
		c.follow(ctx, c.site.processes[n%cutProcesses].front.Addr().String())
		wait.Pause(ctx, 5*time.Millisecond)
	}
}

// follow subscribes, reads the list if it is not known, and applies events until the connection ends.
func (c *cutReader) follow(ctx context.Context, address string) {
	conn, _, err := websocket.Dial(
		ctx,
		"ws://"+address+"/graphql",
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}},
	)
	if err != nil {
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(-1)
	send := func(text string) { conn.Write(ctx, websocket.MessageText, []byte(text)) }
	send(fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":%q}}`, "Bearer "+c.token))
	fresh := c.after == nil // nothing reports what was missed
	for {
		_, text, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var m struct {
			Type    string
			Payload json.RawMessage
		}
		if err := json.Unmarshal(text, &m); err != nil {
			c.fault("no message: %s", text)
			return
		}
		switch m.Type {
		case "connection_ack":
			body, _ := json.Marshal(
				map[string]any{"query": cutWatch, "variables": map[string]any{"id": c.id(), "after": c.after}},
			)
			send(fmt.Sprintf(`{"id":"1","type":"subscribe","payload":%s}`, body))
			send(`{"type":"ping"}`) // answered when the source is open
		case "pong":
			if fresh { // even if an event came first
				go c.begin(ctx)
			}
		case "ping":
			send(`{"type":"pong"}`)
		case "next":
			c.take(ctx, m.Payload)
		default:
			if !bytes.Contains(text, []byte("UNAVAILABLE")) {
				c.fault("%s: %s", m.Type, text)
			}
			return
		}
	}
}

// begin reads the list when the subscription is open.
func (c *cutReader) begin(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.query(ctx)
}

// query reads the list again. The caller holds mu.
func (c *cutReader) query(ctx context.Context) {
	for ctx.Err() == nil {
		rows, err := c.page(ctx)
		if err != nil {
			continue
		}
		clear(c.shown)
		for _, r := range rows {
			c.shown[r.ID] = r
		}
		break
	}
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// page reads the list, over a connection that is not cut.
func (c *cutReader) page(ctx context.Context) ([]cutRow, error) {
	body, err := json.Marshal(map[string]any{"query": cutTimeline, "variables": map[string]any{"id": c.id()}})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(
		ctx,
		"POST",
		"http://"+c.site.processes[c.process%cutProcesses].front.Addr().String()+"/graphql",
		bytes.NewReader(body),
	)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+c.token)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var a struct {
		Data struct {
			Node struct{ Topics struct{ Edges []cutEdge } }
		}
	}
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		return nil, err
	}
	rows := make([]cutRow, len(a.Data.Node.Topics.Edges))
	for i, e := range a.Data.Node.Topics.Edges {
		rows[i] = e.Node
	}
	return rows, nil
}

func (c *cutReader) take(ctx context.Context, payload []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var a struct {
		Data *struct {
			TimelineUpdated *struct {
				EventID, Kind string
				TopicID       *string
				Edge          *cutEdge
			}
		}
	}
	if err := json.Unmarshal(payload, &a); err != nil || a.Data == nil || a.Data.TimelineUpdated == nil {
		c.faults = append(c.faults, fmt.Sprintf("no event: %s", payload))
		return
	}
	e := a.Data.TimelineUpdated
	c.after = &e.EventID
	c.events++
	switch {
	case e.Kind == "RESET":
		c.resets++
		c.query(ctx)
	case e.Edge != nil:
		c.shown[*e.TopicID] = e.Edge.Node
	case e.Kind == "REMOVED":
		delete(c.shown, *e.TopicID)
	}
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

func (c *cutReader) fault(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// list returns the displayed rows, in order.
func (c *cutReader) list() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	rows := make([]cutRow, 0, len(c.shown))
	for _, r := range c.shown {
		rows = append(rows, r)
	}
	return c.lines(rows)
}

// lines returns rows as text, in the timeline's order; those of the same instant by id.
func (c *cutReader) lines(rows []cutRow) []string {
	key := func(r cutRow) string {
		at := r.CreatedAt
		if c.of.Order == forum.ByActive {
			at = r.LastActiveAt
		}
		return fmt.Sprintf("%d %s", at.UnixMilli(), r.ID)
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = key(r)
	}
	slices.Sort(lines)
	return lines
}

// compare waits until the displayed rows equal the result of a query: longer than the pauses, 1, 2, 4, 8 and 16 s,
// after which a task that cuts interrupted is tried again.
func (c *cutReader) compare(t *testing.T) {
	t.Helper()
	var got, want []string
	for late := time.After(45 * time.Second); ; {
		rows := must.Do(c.page(t.Context()))(t)
		if got, want = c.list(), c.lines(rows); slices.Equal(got, want) {
			break
		}
		select {
		case <-c.changed:
			continue
		case <-time.After(50 * time.Millisecond):
			continue
		case <-late:
		}
		for _, l := range got {
			if !slices.Contains(want, l) {
				t.Errorf("%s shows %s, which is not there", c.of.Name(), l)
			}
		}
		for _, l := range want {
			if !slices.Contains(got, l) {
				t.Errorf("%s does not show %s", c.of.Name(), l)
			}
		}
		break
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, f := range c.faults {
		if i < 3 {
			t.Errorf("%s: %s", c.of.Name(), f)
		}
	}
}
