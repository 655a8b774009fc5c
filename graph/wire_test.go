package graph_test

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// wire records what a site sends to Redis.
type wire struct {
	redistest.Wire
	mu        sync.Mutex
	pipelines [][][]string // commands with their arguments
	broken    error
}

// take returns what was sent since the last call.
func (w *wire) take(t *testing.T) [][][]string {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken != nil {
		t.Fatalf("what was sent is no pipeline: %v", w.broken)
	}
	sent := w.pipelines
	w.pipelines = nil
	return sent
}

// record parses a write. The pipelines of small sites are a write each.
func (w *wire) record(p []byte) (refuse bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := bufio.NewReader(bytes.NewReader(p))
	var commands [][]string
	for {
		if _, err := r.Peek(1); err == io.EOF {
			break
		}
		command, err := readCommand(r)
		if err != nil {
			w.broken = err
			return false
		}
		commands = append(commands, command)
	}
	w.pipelines = append(w.pipelines, commands)
	return false
}

// readCommand reads a command as clients send it, an array of strings.
func readCommand(r *bufio.Reader) ([]string, error) {
	n, err := readSize(r, '*')
	command := make([]string, n)
	for i := range command {
		size, failed := readSize(r, '$')
		if err != nil || failed != nil {
			return nil, failed
		}
		value := make([]byte, size+len("\r\n"))
		if _, err := io.ReadFull(r, value); err != nil {
			return nil, err
		}
		command[i] = string(value[:size])
	}
	return command, err
}

func readSize(r *bufio.Reader, kind byte) (int, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(line, string(kind)), "\r\n"))
}

// The bytes that go to Redis for the documented operations are one pipeline a round trip. Objects are read by HGETALL,
// and none twice.
func TestOperationsOnTheWire(t *testing.T) {
	testlevel.Usual(t)
	w := &wire{}
	s := newSiteOn(t, redistest.Start(t).ClientOver(t, &w.Wire), store.Layout{})
	s.fill(small)
	w.Refuse(w.record)
	objects := 0
	for _, op := range operations(t) {
		token, variables := s.tokenOf(op.as), s.variables(small)
		w.take(t)
		a := s.must(token, op.query, variables)
		sent := w.take(t)
		if len(sent) != a.Extensions.Redis.RoundTrips {
			t.Errorf("%s: %d pipelines were sent; want %d: %q", op.name, len(sent), a.Extensions.Redis.RoundTrips, sent)
		}
		read, account := map[string]bool{}, ""
		for _, commands := range sent {
			for _, c := range commands {
				name := strings.ToLower(c[0])
				if len(c) < 2 || !catalogue.HasInternal(c[1]) || !strings.HasPrefix(name, "h") {
					continue
				}
				if name == "hmget" && token != "" && (account == "" || account == c[1]) {
					account = c[1] // of the viewer, whose session and rights are no object of the answer
					continue
				}
				if name != "hgetall" || read[c[1]] {
					t.Errorf("%s: %q was sent; want objects read by one HGETALL", op.name, c)
				}
				read[c[1]] = true
			}
		}
		objects += len(read)
	}
	if objects < 100 {
		t.Errorf("%d objects were read; want those of the operations", objects)
	}
}
