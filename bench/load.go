package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

// call makes the call number n of a client, and returns when it is answered.
type call func(client, n int) error

// latencies are the latencies of each client; they are reused.
type latencies [][]time.Duration

// run lets clients call, each one call after the other, for a while, and returns how long each call took, sorted, and
// how long all took together.
func (l *latencies) run(
	ctx context.Context,
	do call,
	clients int,
	life time.Duration,
) ([]time.Duration, time.Duration, error) {
	for len(*l) < clients {
		*l = append(*l, make([]time.Duration, 0, 4096))
	}
	errs := make([]error, clients)
	began := time.Now()
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() { // ends after life, with ctx, and with the first error
			took := (*l)[c][:0]
			for n, now := 0, time.Now(); now.Sub(began) < life && ctx.Err() == nil; n++ {
				if errs[c] = do(c, n); errs[c] != nil {
					return
				}
				then := time.Now()
				took, now = append(took, then.Sub(now)), then
			}
			(*l)[c] = took
		})
	}
	wg.Wait()
	elapsed := time.Since(began)
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, 0, err
	}
	all := slices.Concat((*l)[:clients]...)
	slices.Sort(all)
	return all, elapsed, nil
}

// caller sends requests over open connections, one for each client. Requests are prepared beforehand, and answers
// checked only as far as needed, so that the server is measured and not the client.
type caller struct {
	addr     string
	requests func(client, n int) []byte
	conns    []*connection
}

func newCaller(addr string, clients int, requests func(client, n int) []byte) *caller {
	return &caller{addr: addr, requests: requests, conns: make([]*connection, clients)}
}

// call implements call.
func (c *caller) call(client, n int) error {
	if c.conns[client] == nil {
		conn, err := dial(c.addr)
		if err != nil {
			return err
		}
		c.conns[client] = conn
	}
	body, err := c.conns[client].ask(c.requests(client, n))
	if err != nil {
		return err
	}
	return check(body)
}

func (c *caller) close() {
	for _, conn := range c.conns {
		if conn != nil {
			conn.Close()
		}
	}
}

var (
	dataBegins = []byte(`{"data":{`)
	hasErrors  = []byte(`"errors":[{`)
)

// check fails for an answer without data, or with errors.
func check(body []byte) error {
	if !bytes.HasPrefix(body, dataBegins) || bytes.Contains(body, hasErrors) {
		return fmt.Errorf("answer: %.500s", body)
	}
	return nil
}

// connection is one connection to a server.
type connection struct {
	net.Conn
	r    *bufio.Reader
	body []byte
}

func dial(addr string) (*connection, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: conn, r: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// answerTime is how long an answer may take.
const answerTime = 30 * time.Second

// ask sends a request and reads the answer, which is valid until the next one.
func (c *connection) ask(request []byte) ([]byte, error) {
	if _, err := c.Write(request); err != nil {
		return nil, err
	}
	line, err := c.r.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	ok := bytes.HasPrefix(line, []byte("HTTP/1.1 200"))
	length, err := c.length()
	if err != nil {
		return nil, err
	}
	c.body = c.body[:0]
	if length >= 0 {
		err = c.read(length)
	} else {
		err = c.chunks()
	}
	if err == nil && !ok {
		err = fmt.Errorf("status is not 200: %.500s", c.body)
	}
	return c.body, err
}

// length reads the header and returns the Content-Length, or -1 for a chunked answer.
func (c *connection) length() (int, error) {
	length := 0
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) <= 2 {
			return length, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			length = -1
		}
	}
}

// read appends the next n bytes to the body.
func (c *connection) read(n int) error {
	c.body = slices.Grow(c.body, n)
	from := len(c.body)
	c.body = c.body[:from+n]
	_, err := io.ReadFull(c.r, c.body[from:])
	return err
}

func (c *connection) chunks() error {
	for {
		line, err := c.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return err
		}
		if n > 0 {
			if err := c.read(int(n)); err != nil {
				return err
			}
		}
		if _, err := c.r.Discard(len("\r\n")); err != nil || n == 0 {
			return err
		}
	}
}

// post returns an HTTP request; token is "" if signed out.
func post(body []byte, token string) []byte {
	authorization := ""
	if token != "" {
		authorization = "Authorization: Bearer " + token + "\r\n"
	}
	return fmt.Appendf(
		nil,
		"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s",
		authorization,
		len(body),
		body,
	)
}
