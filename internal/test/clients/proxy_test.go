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
	down   bool   // refuses all connections
	links  map[*link]struct{}
}

// link is one connection from a client to the server.
type link struct {
	client, server net.Conn
	frozen         bool // frozen: nothing arrives any more, silently; the proxy's mu guards it
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

// join connects a connection to the server; its goroutines end with it.
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

// reset closes a connection as if nothing listened.
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

// cut closes all connections, at the client's end with a reset or cleanly.
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

// freeze stops the data on all open connections.
func (p *proxy) freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		l.frozen = true
	}
}

// lead changes the target of new connections; "" is none.
func (p *proxy) lead(target string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down = target == ""; !p.down {
		p.target = target
	}
}
