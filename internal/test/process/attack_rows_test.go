//go:build linux

package process

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/wait"
)

// attackRows are the attacks of TestAttackOnProcess. Each returns its findings.
var attackRows = []struct {
	name string
	run  func(*attack) string
}{
	{"one text 2,000 times, 16 at once", func(a *attack) string {
		return a.flood(16, time.Minute, nodesOf(slices.Repeat([]string{a.emoji}, 20), aliases(100, "content")))
	}},
	{"100 texts, 16 at once", func(a *attack) string { return a.flood(16, time.Minute, nodesOf(a.ids[:100], "content")) }},
	{
		"100 texts, 200 at once from 50 addresses",
		func(a *attack) string { return a.flood(200, time.Minute, nodesOf(a.ids[:100], "content")) },
	},
	{"100 texts as HTML, 19 times, 16 at once", func(a *attack) string {
		return a.flood(16, time.Minute, nodesOf(a.ids[:100], aliases(19, "contentHtml")))
	}},
	{"400 texts, 16 at once", func(a *attack) string { return a.flood(16, time.Minute, pagesOf(a.ids)) }},
	{"400 texts deferred, 16 at once", func(a *attack) string {
		return a.flood(16, time.Minute, "{ __typename ... @defer "+pagesOf(a.ids)+" }")
	}},
	{"100 texts as HTML, by clients that hang up", (*attack).hangUp},
	{"64 clients that do not read", (*attack).doNotRead},
	{
		"200 subscriptions on one socket",
		func(a *attack) string { return a.subscribeOften("id number author { login }", 100, 20) },
	},
	{"200 subscriptions to long texts", func(a *attack) string { return a.subscribeOften("content", 20, 2) }},
	{"400 unfinished messages of sockets", (*attack).halfMessages},
	{"400 unfinished bodies", (*attack).halfBodies},
	{"wrong passwords from 60 addresses", (*attack).guess},
	{"2,000 calls of /readyz", (*attack).probe},
	{"2,000 queries at once on one socket", (*attack).queryOften},
}

// nodesOf is a document for the comments with some ids.
func nodesOf(ids []string, fields string) string {
	return `{ nodes(ids: ["` + strings.Join(ids, `","`) + `"]) { ... on Comment { ` + fields + ` } } }`
}

// pagesOf is a document for the texts of many comments, a hundred per field.
func pagesOf(ids []string) string {
	var b strings.Builder
	for some := range slices.Chunk(ids, 100) {
		fmt.Fprintf(&b, `p%d: nodes(ids: ["%s"]) { ... on Comment { content } } `, b.Len(), strings.Join(some, `","`))
	}
	return "{ " + b.String() + "}"
}

func aliases(n int, field string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: %s ", i, field)
	}
	return b.String()
}

// from returns the attacker's address for the n-th call: one for four calls.
func from(n int) string { return fmt.Sprintf("192.0.2.%d", 1+n/4) }

// flood sends a document from many concurrent clients, which disconnect after a while, and counts the codes of the
// answers.
func (a *attack) flood(clients int, patience time.Duration, document string) string {
	ctx, cancel := context.WithTimeout(a.t.Context(), patience)
	defer cancel()
	var mu sync.Mutex
	codes := map[string]int{}
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			_, code := a.ask(ctx, from(n), document)
			mu.Lock()
			defer mu.Unlock()
			codes[code]++
		})
	}
	all.Wait()
	for code := range codes {
		if !slices.Contains(
			[]string{"", "ANSWER_TOO_LARGE", "COST_LIMIT_EXCEEDED", "UNAVAILABLE", "no answer", "cut off"},
			code,
		) {
			a.t.Errorf("code %s; want an answer or a limit", code)
		}
	}
	return counts(codes)
}

func counts(of map[string]int) string {
	var parts []string
	for _, code := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%d %q", of[code], code))
	}
	return strings.Join(parts, ", ")
}

// hangUp floods with clients that disconnect immediately: the work for them ends with them.
func (a *attack) hangUp() string {
	const clients = 64
	document := nodesOf(a.ids[:100], aliases(19, "contentHtml"))
	before := a.cpu()
	a.ask(a.t.Context(), "192.0.2.200", document)
	whole := clients * (a.cpu() - before)
	a.flood(clients, 300*time.Millisecond, document)
	left := a.cpu()
	idle := func() bool {
		before := a.cpu()
		<-time.After(200 * time.Millisecond)
		return a.cpu()-before < 50*time.Millisecond
	}
	if !wait.For(time.Minute, idle) {
		a.t.Error("the server is busy a minute after the clients left")
	}
	after := a.cpu() - left
	if after > whole/8 {
		a.t.Errorf("the server used %v of CPU time after the clients left; want at most an eighth of the %v that their "+
			"answers take", after, whole)
	}
	return fmt.Sprintf("CPU after they left: %v of %v", after, whole)
}

// doNotRead asks for large answers on connections that are not read.
func (a *attack) doNotRead() string {
	body := must.Do(json.Marshal(map[string]string{"query": nodesOf(a.ids[:40], "content")}))(a.t)
	var open []net.Conn
	for n := range 64 {
		c := a.dial()
		must.OK(a.t, c.(*net.TCPConn).SetReadBuffer(4096))
		fmt.Fprintf(
			c,
			"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Forwarded-For: "+
				"%s\r\nContent-Length: %d\r\n\r\n%s",
			from(n),
			len(body),
			body,
		)
		a.sent.Add(int64(len(body)))
		open = append(open, c)
	}
	<-time.After(4 * time.Second) // the attack is that nothing happens
	return fmt.Sprintf("%d connections", len(open))
}

// socket opens a socket from an address.
func (a *attack) socket(address string) *websocket.Conn {
	a.t.Helper()
	header := http.Header{"X-Forwarded-For": {address}}
	c, _, err := websocket.Dial(a.t.Context(), strings.Replace(a.url, "http", "ws", 1),
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}, HTTPHeader: header})
	if err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(func() { c.CloseNow() })
	c.SetReadLimit(-1)
	a.write(c, `{"type":"connection_init"}`)
	if _, _, err := c.Read(a.t.Context()); err != nil {
		a.t.Fatal(err)
	}
	return c
}

func (a *attack) write(c *websocket.Conn, text string) {
	a.t.Helper()
	a.sent.Add(int64(len(text)))
	must.OK(a.t, c.Write(a.t.Context(), websocket.MessageText, []byte(text)))
}

func operation(id int, document string) string {
	text, err := json.Marshal(
		map[string]any{"id": fmt.Sprint(id), "type": "subscribe", "payload": map[string]string{"query": document}},
	)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// subscribeOften follows one topic 200 times under other names; then there are replies.
func (a *attack) subscribeOften(fields string, first, replies int) string {
	topic := globalid.New(globalid.Topic, fmt.Sprint(a.topic))
	c := a.socket("192.0.2.1")
	for n := range 200 {
		document := `subscription { a%d: commentAdded(topic: {id: %q}) { comment { topic { comments(first: %d) { nodes { %s } } } } } }`
		a.write(c, operation(n, fmt.Sprintf(document, n, topic, first, fields)))
	}
	refused, text := 0, ""
	for {
		a.write(c, `{"type":"ping"}`)
		for text = a.read(c); strings.Contains(text, "LIVE_LIMIT_EXCEEDED"); text = a.read(c) {
			refused++
		}
		if text == `{"type":"pong"}` {
			break
		}
	}
	cpu := a.cpu()
	for n := range replies {
		in := posts.NewComment{Topic: a.topic, Content: fmt.Sprint("reply ", n), Format: forum.Markdown}
		must.Do(a.store.Posts.CreateComment(a.t.Context(), &forum.Viewer{ID: 1}, in))(a.t)
		for range 200 - refused {
			if _, err := a.next(c); err == nil {
				continue
			} else if websocket.CloseStatus(err) != websocket.StatusTryAgainLater {
				a.t.Fatal(err)
			}
			return fmt.Sprintf("%d refused, closed as too slow to read", refused)
		}
	}
	return fmt.Sprintf("%d refused, CPU of an event %v", refused, (a.cpu()-cpu)/time.Duration(replies))
}

// next waits for a message, and answers pings, as clients do.
func (a *attack) next(c *websocket.Conn) (string, error) {
	ctx, cancel := context.WithTimeout(a.t.Context(), 30*time.Second)
	defer cancel()
	for {
		_, text, err := c.Read(ctx)
		a.got.Add(int64(len(text)))
		if err != nil || string(text) != `{"type":"ping"}` {
			return string(text), err
		}
		a.write(c, `{"type":"pong"}`)
	}
}

// read waits for a message on a socket that should stay open.
func (a *attack) read(c *websocket.Conn) string {
	a.t.Helper()
	return must.Do(a.next(c))(a.t)
}

// halfMessages begins messages of 1 MB on sockets, of several addresses, and completes none.
func (a *attack) halfMessages() string {
	part := bytes.Repeat([]byte("x"), 1_000_000)
	for n := range 400 {
		c := a.dial()
		fmt.Fprintf(
			c,
			"GET /graphql HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
				"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: "+
				"graphql-transport-ws\r\n\r\n",
			from(n),
		)
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode != http.StatusSwitchingProtocols {
			a.t.Fatal(err, r)
		}
		head := append([]byte{0x81, 0xff}, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0) // a masked text of 1 MiB
		a.send(c, append(head, part...))
	}
	<-time.After(time.Second) // until the server has received it
	return ""
}

// send writes as much as the server accepts without waiting.
func (a *attack) send(c net.Conn, text []byte) {
	c.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	n, _ := c.Write(text) // it may be refused
	a.sent.Add(int64(n))
}

// halfBodies begins bodies of 1 MB, of several addresses, and completes none.
func (a *attack) halfBodies() string {
	part := bytes.Repeat([]byte("x"), 1_000_000)
	for n := range 400 {
		c := a.dial()
		fmt.Fprintf(
			c,
			"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Forwarded-For: "+
				"%s\r\nContent-Length: 1048576\r\n\r\n",
			from(n),
		)
		a.send(c, part)
	}
	<-time.After(time.Second)
	return ""
}

const signIn = `mutation { login(input: {identifier: "ann", password: %q}) { token errors { code } } }`

// guess signs in as ann with wrong passwords from many addresses, while she signs in from her usual one.
func (a *attack) guess() string {
	var mu sync.Mutex
	codes := map[string]int{}
	right := func() {
		if _, code := a.ask(a.t.Context(), "203.0.113.5", fmt.Sprintf(signIn, "correct horse")); code != "" {
			a.t.Errorf("ann's own sign-in: %s", code)
		}
	}
	right()
	var all sync.WaitGroup
	for n := range 60 {
		all.Go(func() {
			for try := range 2 {
				_, code := a.ask(a.t.Context(), fmt.Sprintf("192.%d.2.1", n), fmt.Sprintf(signIn, fmt.Sprint("wrong", try)))
				mu.Lock()
				codes[code]++
				mu.Unlock()
			}
		})
	}
	all.Go(right)
	all.Wait()
	right()
	return counts(codes)
}

// probe requests /readyz, and counts the commands of Redis.
func (a *attack) probe() string {
	commands := func() (n int64) {
		text, err := a.redis.Info(a.t.Context(), "stats").Result()
		if err != nil {
			return 0 // the embedded store does not count
		}
		_, rest, _ := strings.Cut(text, "total_commands_processed:")
		fmt.Sscan(rest, &n)
		return n
	}
	before := commands()
	for range 2000 {
		resp := must.Do(http.Get("http://" + a.server.addr + "/readyz"))(a.t)
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			a.t.Fatalf("/readyz: status %d", resp.StatusCode)
		}
	}
	return fmt.Sprintf("%d commands of Redis, the bystander's among them", commands()-before)
}

// queryOften sends queries on one socket as fast as it can, and reads all answers.
func (a *attack) queryOften() string {
	c := a.socket("192.0.2.2") // nobody there has caused events
	var all sync.WaitGroup
	all.Go(func() {
		for n := range 2000 {
			a.write(c, operation(n, "{ front { topics(first: 10) { nodes { title } } } }"))
		}
	})
	done := 0
	for done < 2000 {
		if strings.Contains(a.read(c), `"complete"`) {
			done++
		}
	}
	all.Wait()
	return fmt.Sprintf("%d answered", done)
}
