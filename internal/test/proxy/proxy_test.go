package proxy

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"agora/internal/test/must"
)

// serveLines starts a server that answers each line with itself, and returns its address.
func serveLines(t *testing.T) string {
	t.Helper()
	l := must.Do(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	go func() { // ends with the listener
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go io.Copy(conn, conn) // ends with the connection
		}
	}()
	return l.Addr().String()
}

// A proxy passes lines on until it breaks the connection, each time in its own way.
func TestProxyBreaksConnections(t *testing.T) {
	tests := []struct {
		name  string
		fault func(*Proxy)
		want  string // of the answer "hello\n"
		open  bool   // the connection stays open
	}{
		{"nothing", func(*Proxy) {}, "hello\n", true},
		{"cut", func(p *Proxy) { p.Cut(false) }, "", false},
		{"cut in an answer", func(p *Proxy) { p.CutInAnswer() }, "hel", false},
		{"frozen", func(p *Proxy) { p.Freeze() }, "", true},
		{"delayed", func(p *Proxy) { p.Delay(time.Minute) }, "", true},
		{"delayed a little", func(p *Proxy) { p.Delay(time.Millisecond) }, "hello\n", true},
	}
	for _, tt := range tests {
		p := New(t, serveLines(t))
		conn := must.Do(net.Dial("tcp", p.Addr()))(t)
		defer conn.Close()
		lines := bufio.NewReader(conn)
		io.WriteString(conn, "first\n")
		if got, err := lines.ReadString('\n'); got != "first\n" || err != nil {
			t.Fatalf("%s: before the fault: %q, %v", tt.name, got, err)
		}
		tt.fault(p)
		conn.SetReadDeadline(time.Now().Add(200 * time.Millisecond))
		io.WriteString(conn, "hello\n")
		got, err := lines.ReadString('\n')
		if open := err == nil || errors.Is(err, os.ErrDeadlineExceeded); got != tt.want || open != tt.open {
			t.Errorf("%s: %q, %v; want %q, open: %v", tt.name, got, err, tt.want, tt.open)
		}
	}
}

// A proxy without a target refuses connections, and takes them again when it has one.
func TestProxyRefusesConnections(t *testing.T) {
	target := serveLines(t)
	p := New(t, target)
	answer := func() string {
		conn, err := net.Dial("tcp", p.Addr())
		if err != nil {
			return ""
		}
		defer conn.Close()
		io.WriteString(conn, "x\n")
		line, _ := bufio.NewReader(conn).ReadString('\n')
		return line
	}
	p.Lead("")
	if got := answer(); got != "" {
		t.Errorf("without a target: %q; want nothing", got)
	}
	p.Lead(target)
	if got := answer(); got != "x\n" {
		t.Errorf("with a target: %q; want the line", got)
	}
}
