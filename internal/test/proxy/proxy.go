// Package proxy is a TCP proxy for tests, which breaks the connections that it forwards: it cuts them, cleanly, with a
// reset or in the middle of an answer, keeps them open and silent, delays what they carry, and refuses new ones.
package proxy

import (
	"net"
	"sync"
	"testing"
	"time"

	"agora/internal/test/must"
)

// Proxy forwards connections to a server. It is safe for concurrent use.
type Proxy struct {
	listener net.Listener
	all      sync.WaitGroup

	mu     sync.Mutex
	target string // where connections lead
	down   bool   // refuses all connections
	delay  time.Duration
	links  map[*link]struct{}
}

// link is one connection from a client to the server. The proxy's mu guards its fields.
type link struct {
	client, server net.Conn
	frozen         bool // nothing arrives any more, silently
	cutting        bool // ends in the middle of the next answer
	ended          chan struct{}
	ending         sync.Once // closes ended
}

// New starts a proxy on a free port of this machine. It ends with the test. target is the address of the server.
func New(t testing.TB, target string) *Proxy {
	t.Helper()
	return At(t, "127.0.0.1:0", target)
}

// At is New for a proxy at an address.
func At(t testing.TB, address, target string) *Proxy {
	t.Helper()
	l := must.Do(net.Listen("tcp", address))(t)
	p := &Proxy{listener: l, target: target, links: map[*link]struct{}{}}
	p.all.Go(p.accept) // ends with the listener
	t.Cleanup(func() {
		l.Close()
		p.Cut(false)
		p.all.Wait()
	})
	return p
}

// Addr returns the proxy's address, host:port.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.join(client)
	}
}

// join connects a connection to the server; its goroutines end with it.
func (p *Proxy) join(client net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		reset(client)
		return
	}
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		reset(client)
		return
	}
	l := &link{client: client, server: server, ended: make(chan struct{})}
	p.links[l] = struct{}{}
	p.all.Go(func() { p.forward(l, server, client) })
	p.all.Go(func() { p.forward(l, client, server) })
}

// reset closes a connection as if nothing listened.
func reset(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// chunk is what arrived at one time.
type chunk struct {
	data []byte
	due  time.Time
}

// queued is how many chunks of one direction may be on their way.
const queued = 1024

// forward copies what arrives until the connection ends. Answers are delayed.
func (p *Proxy) forward(l *link, to, from net.Conn) {
	answers := from == l.server
	way := make(chan chunk, queued)
	var sending sync.WaitGroup
	sending.Go(func() { // ends when way is closed
		for c := range way {
			select {
			case <-time.After(time.Until(c.due)):
			case <-l.ended:
			}
			if p.send(l, to, c.data, answers) != nil {
				p.end(l)
			}
		}
	})
	for {
		buf := make([]byte, 32<<10)
		n, err := from.Read(buf)
		if err != nil {
			break
		}
		c := chunk{data: buf[:n]}
		if answers {
			p.mu.Lock()
			c.due = time.Now().Add(p.delay)
			p.mu.Unlock()
		}
		way <- c
	}
	close(way)
	sending.Wait()
	p.end(l)
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.links, l)
}

// send passes data on, unless the connection is frozen. If it is to be cut in the middle of an answer, it passes on
// half of one.
func (p *Proxy) send(l *link, to net.Conn, data []byte, answer bool) error {
	p.mu.Lock()
	frozen, cutting := l.frozen, l.cutting && answer && len(data) > 1
	p.mu.Unlock()
	switch {
	case frozen:
		return nil
	case cutting:
		to.Write(data[:len(data)/2])
		return net.ErrClosed
	}
	_, err := to.Write(data)
	return err
}

// end closes both connections of a link.
func (p *Proxy) end(l *link) {
	l.ending.Do(func() { close(l.ended) })
	l.client.Close()
	l.server.Close()
}

// Cut closes all connections, at the client's end with a reset if hard is set, or cleanly. It returns their number.
func (p *Proxy) Cut(hard bool) int {
	return p.each(func(l *link) {
		if hard {
			reset(l.client)
		}
		p.end(l)
	})
}

// CutInAnswer makes each open connection end in the middle of the next answer. It returns their number.
func (p *Proxy) CutInAnswer() int { return p.each(func(l *link) { l.cutting = true }) }

// Freeze stops the data on all open connections, which stay open. It returns their number.
func (p *Proxy) Freeze() int { return p.each(func(l *link) { l.frozen = true }) }

func (p *Proxy) each(do func(*link)) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		do(l)
	}
	return len(p.links)
}

// Delay delays all answers from now on.
func (p *Proxy) Delay(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delay = d
}

// Lead changes the target of new connections; "" is none.
func (p *Proxy) Lead(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down = target == ""; !p.down {
		p.target = target
	}
}
