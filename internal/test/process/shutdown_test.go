package process

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

const (
	// exitWithin is how long a server may take to exit when asked to stop.
	exitWithin = 10 * time.Second
	// warmUp is how many answers each client has before the server is asked to stop.
	warmUp = 20
)

// TestShutdown stops a server under load. Every request on an accepted connection must be answered completely; only
// new connections are refused.
func TestShutdown(t *testing.T) {
	testlevel.WithoutRace(t)
	s := startKillSite(t, asUsual)
	s.addrs[1] = s.addrs[0]
	server := s.start(s.addrs[0])
	s.await(server)
	w := newKillRun(s)
	w.furnish()
	p, f, code := w.mutate(patient, w.clients[0].token, opCreateTopic, map[string]any{
		"kind": "DISCUSSION", "title": "Shutdown", "content": "…", "category": map[string]any{"id": w.categories[0]},
	})
	if f != acknowledged {
		t.Fatalf("createTopic: %s", code)
	}

	var clients, warm sync.WaitGroup
	loads := make([]*load, killClients)
	for n := range loads {
		l := &load{t: t, url: "http://" + server.addr, token: w.clients[n].token, topic: p.Topic.ID,
			warm: sync.OnceFunc(warm.Done)}
		switch n % 4 {
		case 0:
			l.rest = 100 * time.Millisecond // its connection is idle most of the time
		case 1:
			l.balancer = true
		}
		loads[n] = l
		warm.Add(1)
		clients.Go(l.work) // ends when the server refuses a connection
	}
	warm.Wait()
	stopped := time.Now()
	must.OK(t, server.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-server.exited:
	case <-time.After(exitWithin):
		t.Errorf("the server has not ended after %v; its log: %s", exitWithin, s.logged(""))
		server.kill()
	}
	took := time.Since(stopped)
	if code := server.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d; want 0; its log: %s", code, s.logged(""))
	}
	clients.Wait()
	var answered int64
	for _, l := range loads {
		answered += l.answered
		if l.balancer && l.draining != 1 {
			t.Errorf("/readyz said %d times on one connection that the server is draining; want once", l.draining)
		}
	}
	t.Logf("%d requests answered; ended %v after SIGTERM", answered, took.Round(time.Millisecond))
}

// load is one client that keeps its own connection open.
type load struct {
	t                 *testing.T
	url, token, topic string
	rest              time.Duration // between two requests
	balancer          bool          // reads only /readyz
	warm              func()        // is called after warmUp answers
	answered          int64
	draining          int // answers of /readyz that said so
}

// work sends requests until the server accepts no more connections.
func (l *load) work() {
	defer l.warm()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: exitWithin}
	for n := 0; ; n++ {
		connected, err := l.call(client, n)
		switch {
		case err == nil:
			if l.answered++; l.answered == warmUp {
				l.warm()
			}
		case connected:
			l.t.Errorf("request %d of a client that rests %v failed: %v", n, l.rest, err)
			return
		default:
			return // refused
		}
		if l.rest > 0 {
			<-time.After(l.rest)
		}
	}
}

// call sends one request and checks the answer. It reports whether there was a connection.
func (l *load) call(client *http.Client, n int) (connected bool, err error) {
	trace := &httptrace.ClientTrace{
		GetConn: func(string) { connected = false }, // again, if the connection was closed before the request was sent
		GotConn: func(httptrace.GotConnInfo) { connected = true },
	}
	req, err := l.request(httptrace.WithClientTrace(context.Background(), trace), n)
	if err != nil {
		return true, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return connected, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return true, fmt.Errorf("half an answer, %q: %w", body, err)
	}
	text := string(body)
	switch {
	case req.Method == "GET" && resp.StatusCode == http.StatusServiceUnavailable &&
		strings.Contains(text, `"draining":true`):
		l.draining++
		return true, nil
	case resp.StatusCode == http.StatusOK &&
		(req.Method == "GET" || strings.Contains(text, `"r":`) && !strings.Contains(text, `"code"`)):
		return true, nil
	}
	return true, fmt.Errorf("%s %s: status %d: %s", req.Method, req.URL, resp.StatusCode, text)
}

// request returns a request for /readyz, or alternately a reply and a query.
func (l *load) request(ctx context.Context, n int) (*http.Request, error) {
	if l.balancer {
		return http.NewRequestWithContext(ctx, "GET", l.url+"/readyz", nil)
	}
	query, variables := `query($id: ID!) { r: node(id: $id) { ... on Topic { comments(first: 10) { nodes { content author { login } } } } } }`, map[string]any{"id": l.topic}
	if n%2 == 0 {
		query, variables = opCreateComment, map[string]any{"i": map[string]any{"topicId": l.topic,
			"content": fmt.Sprint("Reply ", n)}}
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", l.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+l.token)
	return req, nil
}
