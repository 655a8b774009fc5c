//go:build linux

package floods

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// flood is what a flooder does, with as many connections as it is told, until its standard input ends. It ignores all
// refusals.
type flood struct {
	Name        string // drawn from the seed: a part of all fresh names
	Target      string // the server's address
	How         string // byPosts, bySockets, byPings or byBodies
	From        []string
	Connections int
	// Documents are sent one after the other. In each, FRESH is replaced by another name each time.
	Documents []string
	// Tokens are sent with one request each, in turn.
	Tokens []string
	Accept string
	// Visitors is how many addresses X-Forwarded-For names, in turn; 0 leaves it out.
	Visitors int
	// Nice is the niceness of the flooder's process.
	Nice int `json:"-"`
	// Silent is set if nothing is asked, so that there is nothing to answer.
	Silent bool `json:"-"`
}

const (
	byPosts   = "posts"
	bySockets = "sockets" // with operationsAtOnce on each
	byPings   = "pings"
	byBodies  = "bodies" // that arrive slowly
)

// fresh is replaced in documents.
const fresh = "FRESH"

// outcome is what a flooder was answered. Served are the answers that are no refusals.
type outcome struct {
	Served  int
	Refused map[string]int // by status and code
}

func (o outcome) total() (n int) {
	for _, of := range o.Refused {
		n += of
	}
	return n + o.Served
}

// start starts a flooder. end ends it, and returns what it was answered.
func (f flood) start(t *testing.T) (end func() outcome) {
	t.Helper()
	var before []string
	if f.Nice > 0 {
		before = []string{testlevel.Program(t, "nice"), "-n", fmt.Sprint(f.Nice)}
	}
	cmd := child(t, roleFlooder, before)
	var said, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &failed
	in := must.Do(cmd.StdinPipe())(t)
	must.OK(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	must.OK(t, json.NewEncoder(in).Encode(f))
	return func() (o outcome) {
		t.Helper()
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Fatalf("flooder: %v: %.2000s", err, failed.String())
		}
		must.OK(t, json.Unmarshal(said.Bytes(), &o))
		return o
	}
}

// flooder is a running flood.
type flooder struct {
	flood
	mu    sync.Mutex
	seen  outcome
	serve atomic.Int64
	asked atomic.Int64
}

// runFlooder runs the flood that in describes until in ends, and writes the outcome.
func runFlooder(in io.Reader, out io.Writer) error {
	f := &flooder{seen: outcome{Refused: map[string]int{}}}
	reader := bufio.NewReader(in)
	line, err := reader.ReadBytes('\n')
	if err != nil {
		return err
	}
	if err := json.Unmarshal(line, &f.flood); err != nil {
		return err
	}
	work, known := map[string]func(context.Context, int){byPosts: f.post, bySockets: f.socket, byPings: f.ping,
		byBodies: f.dribble}[f.How]
	if !known {
		return fmt.Errorf("no way to flood: %q", f.How)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for n := range f.Connections {
		go func() { // ends with the process
			for ctx.Err() == nil {
				work(ctx, n)
				wait.Pause(ctx, 20*time.Millisecond) // the connection has failed
			}
		}()
	}
	if _, err := io.Copy(io.Discard, reader); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen.Served = int(f.serve.Load())
	return json.NewEncoder(out).Encode(f.seen)
}

// answered counts an answer, which begins with head.
func (f *flooder) answered(status int, head []byte) {
	code := codeIn(head)
	refused := status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
	switch code {
	case "RATE_LIMITED", "UNAVAILABLE", "LIVE_LIMIT_EXCEEDED", "TOO_MANY_OPERATIONS":
		refused = true
	}
	if refused || status >= 500 {
		f.refuse(strings.TrimSpace(fmt.Sprintf("%d %s", status, code)))
		return
	}
	f.serve.Add(1)
}

func (f *flooder) refuse(why string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen.Refused[why]++
}

// next returns the next request: its document, and its number.
func (f *flooder) next() (document string, n int) {
	n = int(f.asked.Add(1))
	document = f.Documents[n%len(f.Documents)]
	return strings.ReplaceAll(document, fresh, fmt.Sprint(f.Name, n)), n
}

// dial opens a connection from the address of the flooder's n-th connection.
func (f *flooder) dial(ctx context.Context, n int) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(f.From[n%len(f.From)])}}
	return d.DialContext(ctx, "tcp", f.Target)
}

// post sends one request after the other on a connection.
func (f *flooder) post(ctx context.Context, n int) {
	conn, err := f.dial(ctx, n)
	if err != nil {
		f.refuse("no connection")
		return
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	for {
		if err := f.request(conn, answers); err != nil {
			if !errors.Is(err, errClosed) {
				f.refuse("disconnected")
			}
			return
		}
	}
}

// errClosed means that the server ends the connection with an answer.
var errClosed = errors.New("closed")

// request sends a request, and reads the answer.
func (f *flooder) request(conn net.Conn, answers *bufio.Reader) error {
	document, n := f.next()
	body, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST /graphql HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n",
		f.Target, len(body))
	if f.Accept != "" {
		fmt.Fprintf(&b, "Accept: %s\r\n", f.Accept)
	}
	if len(f.Tokens) > 0 {
		fmt.Fprintf(&b, "Authorization: Bearer %s\r\n", f.Tokens[n%len(f.Tokens)])
	}
	if f.Visitors > 0 {
		fmt.Fprintf(&b, "X-Forwarded-For: 198.51.%d.%d\r\n", 100+n%f.Visitors/250, 1+n%f.Visitors%250)
	}
	b.WriteString("\r\n")
	b.Write(body)
	if _, err := conn.Write(b.Bytes()); err != nil {
		return err
	}
	resp, err := http.ReadResponse(answers, nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		err = f.stream(resp)
	} else {
		head := make([]byte, 400)
		var got int
		if got, err = io.ReadFull(resp.Body, head); errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = nil
		}
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
		}
		if err == nil {
			f.answered(resp.StatusCode, head[:got])
		}
	}
	if err == nil && resp.Close {
		err = errClosed
	}
	return err
}

// stream reads a stream, and counts its events.
func (f *flooder) stream(resp *http.Response) error {
	lines := bufio.NewReader(resp.Body)
	for begins := true; ; {
		line, err := lines.ReadSlice('\n')
		if begins && bytes.HasPrefix(line, []byte("data: {")) {
			f.answered(resp.StatusCode, line)
		}
		switch begins = err == nil; {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// dribble sends a body slowly.
func (f *flooder) dribble(ctx context.Context, n int) {
	conn, err := f.dial(ctx, n)
	if err != nil {
		f.refuse("no connection")
		return
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: 1048576\r\n\r\n", f.Target)
	part := bytes.Repeat([]byte(" "), 8<<10)
	for ctx.Err() == nil && err == nil {
		_, err = conn.Write(part)
		wait.Pause(ctx, 50*time.Millisecond)
	}
	f.refuse("disconnected")
}
