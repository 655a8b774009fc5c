package cut

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// readers is how many read the comments of a topic and subscribe after that.
const readers = 8

// follower is somebody who has read comments with the id of an event, and applies what came after it.
type follower struct {
	process int
	mu      sync.Mutex
	after   string
	shown   map[string]string // what is shown of each comment
}

// readComments is the query of a follower, followComments its subscription.
const (
	readComments   = `{ %s { commentsEventId comments(first: 100) { nodes { id content state votes { up } } } } }`
	followComments = `subscription { commentsUpdated(topic: %s, after: %q) { kind commentId comment { id content state ` +
		`votes { up } } } }`
)

// TestReadersMissNothing has readers read the comments of a topic while these change, through processes that hear late
// of changes of what they keep in memory, and subscribe after the id of an event that they have read. In the end each
// of them shows what is stored.
func TestReadersMissNothing(t *testing.T) {
	testlevel.Usual(t)
	testlevel.RealRedis(t)
	server := redistest.Start(t)
	var wires [2]redistest.Wire
	s := newCacheSite(t, func(i int) redis.UniversalClient { return server.ClientOver(t, &wires[i]) })
	_, topic, _ := strings.Cut(s.query, "topic(")
	topic, _, _ = strings.Cut(topic, ")")
	number := strings.TrimPrefix(topic, "by: ")
	read := fmt.Sprintf(readComments, "topic("+topic+")")
	for range 10 {
		s.look(0, "") // so that memory has what is going to change
		s.look(1, "")
		following, end := context.WithCancel(t.Context())
		var changes, reads, follows sync.WaitGroup
		var release [len(wires)]func()
		for i := range wires {
			_, release[i] = wires[i].HoldListeners()
		}
		for _, c := range s.changing[:len(s.changing)/2] { // of the first topic
			changes.Go(func() { s.change(t.Context(), c) })
		}
		all := make([]*follower, readers)
		for i := range all {
			reads.Go(func() {
				wait.Pause(t.Context(), time.Duration(rand.IntN(300))*time.Millisecond)
				all[i] = &follower{process: i % 2}
				all[i].read(s, read)
				follows.Go(func() { all[i].follow(following, s, number) }) // ends with following
			})
		}
		changes.Wait()
		reads.Wait()
		for i := range release {
			release[i]()
		}
		stored := &follower{}
		stored.read(s, read)
		wantShown(t, all, stored.shown)
		end()
		follows.Wait()
	}
}

// wantShown waits until all show what is stored.
func wantShown(t *testing.T, all []*follower, stored map[string]string) {
	t.Helper()
	late := time.After(20 * time.Second)
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		behind := 0
		for _, f := range all {
			if !f.shows(stored) {
				behind++
			}
		}
		if behind == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%d of %d readers do not show what is stored", behind, len(all))
		}
	}
}

func (f *follower) shows(shown map[string]string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Equal(f.shown, shown)
}

// read reads the comments, and the id of the last event.
func (f *follower) read(s *cacheSite, query string) {
	got, err := s.ask(f.process, "", query)
	if err != nil {
		s.t.Error(err)
		return
	}
	topic := got["topic"].(map[string]any)
	f.after, f.shown = fmt.Sprint(topic["commentsEventId"]), map[string]string{}
	for _, c := range topic["comments"].(map[string]any)["nodes"].([]any) {
		f.show(c.(map[string]any))
	}
}

func (f *follower) show(comment map[string]any) {
	f.shown[fmt.Sprint(comment["id"])] = fmt.Sprint(comment)
}

// follow applies the events after what was read.
func (f *follower) follow(ctx context.Context, s *cacheSite, number string) {
	body, _ := json.Marshal(map[string]string{"query": fmt.Sprintf(followComments, number, f.after)})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost,
		"http://"+s.processes[f.process].front.Addr().String()+"/graphql", bytes.NewReader(body))
	if err != nil {
		s.t.Error(err)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		if ctx.Err() == nil { // else it had read what is stored, and the test did not wait for its subscription
			s.t.Error(err)
		}
		return
	}
	defer resp.Body.Close()
	for lines := bufio.NewReader(resp.Body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data:")
		if !ok || strings.TrimSpace(data) == "" {
			continue
		}
		var answer struct {
			Data struct {
				CommentsUpdated *struct {
					Kind    string
					Comment map[string]any
				}
			}
		}
		if err := json.Unmarshal([]byte(data), &answer); err != nil || answer.Data.CommentsUpdated == nil ||
			answer.Data.CommentsUpdated.Comment == nil {
			s.t.Errorf("an event without a comment: %s", data)
			return
		}
		f.mu.Lock()
		f.show(answer.Data.CommentsUpdated.Comment)
		f.mu.Unlock()
	}
}
