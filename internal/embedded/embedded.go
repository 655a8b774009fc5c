// Package embedded runs a Redis inside this process: miniredis, on a loopback address.
package embedded

import (
	"fmt"
	"net"
	"sync"

	"github.com/alicebob/miniredis/v2"
)

// Server is an embedded Redis. Its keys do not expire by themselves: FastForward advances its
// clock.
type Server struct {
	*miniredis.Miniredis
	listener net.Listener
}

// Start starts an empty server. Clients need the password, unless it is empty. The caller must call
// Close.
func Start(password string) (*Server, error) {
	s := &Server{Miniredis: miniredis.NewMiniRedis()}
	if password != "" {
		s.RequireAuth(password)
	}
	if err := s.Miniredis.Start(); err != nil {
		return nil, fmt.Errorf("start the embedded store: %w", err)
	}
	var err error
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		s.Miniredis.Close()
		return nil, fmt.Errorf("start the embedded store: %w", err)
	}
	go s.accept() // ends with the listener
	return s, nil
}

// Addr returns the address of the server.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close ends the server and its connections.
func (s *Server) Close() {
	s.listener.Close()
	s.Miniredis.Close()
}

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.Server().ServeConn(&conn{Conn: c})
	}
}

// conn buffers replies while a pipeline has further commands: miniredis writes each reply
// separately, and reads only after processing all commands received.
type conn struct {
	net.Conn

	mu      sync.Mutex
	out     []byte
	waiting bool // for commands: a write now is not a reply in a pipeline
}

// maxBuffered is how many bytes of replies are buffered.
const maxBuffered = 64 << 10

// Read implements net.Conn.
func (c *conn) Read(p []byte) (int, error) {
	if err := c.wait(); err != nil {
		return 0, err
	}
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	c.waiting = false
	c.mu.Unlock()
	return n, err
}

func (c *conn) wait() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = true
	return c.flush()
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = append(c.out, p...)
	if c.waiting || len(c.out) >= maxBuffered {
		if err := c.flush(); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// flush sends the buffered replies. It requires c.mu.
func (c *conn) flush() error {
	if len(c.out) == 0 {
		return nil
	}
	_, err := c.Conn.Write(c.out)
	if c.out = c.out[:0]; cap(c.out) > maxBuffered {
		c.out = nil
	}
	return err
}

// Close implements net.Conn. It sends buffered replies, unless the client is too slow.
func (c *conn) Close() error {
	if c.mu.TryLock() {
		_ = c.flush() // the connection ends either way
		c.mu.Unlock()
	}
	return c.Conn.Close()
}
