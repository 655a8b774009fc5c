package cli

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// proxy passes connections on to a server until they are cut.
type proxy struct {
	net.Listener
	to string

	mu    sync.Mutex
	conns []net.Conn
	all   sync.WaitGroup
}

func newProxy(t *testing.T, to string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{Listener: l, to: strings.TrimPrefix(to, "http://")}
	p.all.Go(p.accept) // ends with the listener
	t.Cleanup(func() {
		l.Close()
		p.cut()
		p.all.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		client, err := p.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", p.to)
		if err != nil {
			client.Close()
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, client, server)
		p.mu.Unlock()
		p.all.Go(func() { pass(client, server) }) // these end with a connection
		p.all.Go(func() { pass(server, client) })
	}
}

func pass(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	io.Copy(to, from)
}

// cut breaks all connections.
func (p *proxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
	p.conns = nil
}

// watching is a running watcher.
type watching struct {
	t     *testing.T
	shown <-chan string // lines on standard output
	notes <-chan string // and on standard error
	// cut gets the pause that follows a cut; the watcher waits for a word on again.
	cut   chan time.Duration
	again chan struct{}
	stop  func() error
}

// startWatch watches a server through the command's own watcher, except for the pauses.
func startWatch(t *testing.T, url, topic string, prepare ...func(*watcher)) *watching {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	shown, out := lineChannel()
	noteLines, notes := lineChannel()
	address, err := socketAddress(url)
	if err != nil {
		t.Fatal(err)
	}
	w := &watching{t: t, shown: shown, notes: noteLines, cut: make(chan time.Duration, 1), again: make(chan struct{})}
	pause := func(ctx context.Context, d time.Duration) error {
		w.cut <- d
		select {
		case <-w.again:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	ended := make(chan error, 1)
	watcher := &watcher{
		server:  url,
		address: address,
		topic:   topic,
		out:     out,
		notes:   notes,
		width:   func() int { return 0 },
		pause:   pause,
	}
	for _, f := range prepare {
		f(watcher)
	}
	go func() { // ends with ctx
		ended <- watcher.run(ctx)
		out.Close()
		notes.Close()
	}()
	w.stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() {
		if err := w.stop(); err != nil {
			t.Errorf("watch ended with %v", err)
		}
	})
	return w
}

// wants reads as many output lines as there are texts; each must contain its text.
func (w *watching) wants(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		w.next(w.shown, text)
	}
}

// reports reads a line of standard error.
func (w *watching) reports(text string) {
	w.t.Helper()
	w.next(w.notes, text)
}

func (w *watching) next(lines <-chan string, text string) {
	w.t.Helper()
	if line := <-lines; !strings.Contains(line, text) {
		w.t.Fatalf("watch shows %q; want %q", line, text)
	}
}

// lineChannel returns what is written as lines. Its capacity exceeds what a test writes, so that nothing blocks.
func lineChannel() (<-chan string, io.WriteCloser) {
	lines := make(chan string, 100)
	out, in := io.Pipe()
	go func() { // ends when the writer is closed
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines, in
}

// A watcher shows replies, resumes after a cut with those that it missed, each once and in
// order, also when the cut came before the first event, and ends on request.
