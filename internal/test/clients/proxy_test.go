package clients

import (
	"net"
	"sync"
	"testing"
)

// proxy is the network between clients and a server: connections through it can be cut.
type proxy struct {
	listener net.Listener
	all      sync.WaitGroup

	mu     sync.Mutex
	target string // where connections lead
	down   bool   // nobody is let through
	links  map[*link]struct{}
}

// link is one connection from a client to the server.
type link struct {
	client, server net.Conn
	frozen         bool // nothing arrives any more, and nobody is told; the proxy's mu guards it
}

func newProxy(t *testing.T, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, target: target, links: map[*link]struct{}{}}
	p.all.Go(p.accept) // ends with the listener
	t.Cleanup(func() {
		l.Close()
		p.cut(false)
		p.all.Wait()
	})
	return p
}

func (p *proxy) url() string { return "http://" + p.listener.Addr().String() }

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.join(client)
	}
}

// join leads a connection to the server; its goroutines end with it.
func (p *proxy) join(client net.Conn) {
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
	l := &link{client: client, server: server}
	p.links[l] = struct{}{}
	p.all.Go(func() { p.copy(l, server, client) })
	p.all.Go(func() { p.copy(l, client, server) })
}

// reset closes a connection as if there were nobody.
func reset(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

func (p *proxy) copy(l *link, to, from net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err != nil {
			break
		}
		p.mu.Lock()
		frozen := l.frozen
		p.mu.Unlock()
		if frozen {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			break
		}
	}
	l.client.Close()
	l.server.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.links, l)
}

// cut ends all connections, at the client's end with a reset or in good order.
func (p *proxy) cut(hard bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		if hard {
			reset(l.client)
		}
		l.client.Close()
		l.server.Close()
	}
}

// freeze has nothing more arrive on the connections that are open.
func (p *proxy) freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.frozen = true
	}
}

// lead changes where new connections lead; "" is nowhere.
func (p *proxy) lead(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down = target == ""; !p.down {
		p.target = target
	}
}
