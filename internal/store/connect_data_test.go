package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/connection"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// A private redis-server is killed again and again while clients write. All acknowledged writes exist in
// the end, even after a restart, and no invariant is broken. It needs a real redis-server.
func TestPrivateServerLosesNothingWhenItIsKilled(t *testing.T) {
	testlevel.LongWithoutRace(t)
	os.Setenv("REDIS_SERVER", testlevel.RedisProgram(t))
	t.Parallel() // it waits more than it works
	dir := filepath.Join(t.TempDir(), "data")
	w := openPrivate(t, dir)
	w.furnish()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() { w.write(ctx) }) // ends with ctx
	}
	const kills = 12 // the pause before a restart grows with the first seven
	for range kills {
		enough := w.count() + 20 + rand.IntN(60)
		wait.Until(w.t, "writes go on", func() bool { return w.count() >= enough })
		w.kill()
	}
	enough := w.count() + 20
	wait.Until(w.t, "writes go on after the last kill", func() bool { return w.count() >= enough })
	cancel()
	clients.Wait()
	storetest.WantOK(t, "Settle", w.s.Flush(t.Context()))
	w.verify()
	w.close()

	w.s = openPrivate(t, dir).s
	w.verify()
	if found, err := storetest.Check(t.Context(), w.s); err != nil || len(found) > 0 {
		t.Errorf("Check found %v, %v; want nothing", found, err)
	}
	t.Logf("%d topics and %d comments were acknowledged over %d kills; %d calls failed", len(w.topics), len(w.comments),
		kills, w.failed)
}

// privateSite is a store on a private server, with the acknowledged writes of clients.
type privateSite struct {
	t        *testing.T
	conn     *connection.Connection
	s        *store.Store
	close    func()
	author   *forum.Viewer
	category forum.CategoryID

	mu       sync.Mutex
	topics   []forum.TopicID
	comments []forum.CommentID
	failed   int
}

// openPrivate opens a store on the data in dir; it is closed by close or at the end of the test.
func openPrivate(t *testing.T, dir string) *privateSite {
	t.Helper()
	conn := must.Do(connection.OpenPrivate(t.Context(), dir, connection.Options{}))(t)
	if !conn.Durable || !strings.Contains(conn.Where, dir) {
		t.Errorf("the connection is %q, durable: %t; want it durable and in %s", conn.Where, conn.Durable, dir)
	}
	s, err := store.Open(t.Context(), conn, store.Layout{})
	if err != nil {
		conn.Close()
		t.Fatalf("Open: %v", err)
	}
	w := &privateSite{t: t, conn: conn, s: s}
	w.close = sync.OnceFunc(func() {
		s.Close()
		if err := conn.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		select {
		case err := <-conn.Failed():
			t.Errorf("Failed() = %v; want nothing", err)
		default:
		}
	})
	t.Cleanup(w.close)
	return w
}

// furnish creates the objects that the clients need.
func (w *privateSite) furnish() {
	w.t.Helper()
	id, err := w.s.Accounts.Register(w.t.Context(), site.Account("ann"))
	if err != nil {
		w.t.Fatalf("Register: %v", err)
	}
	w.author = &forum.Viewer{ID: id, Role: forum.RoleUser}
	if w.category, err = w.s.Categories.CreateCategory(w.t.Context(), "Talk", "talk", ""); err != nil {
		w.t.Fatalf("CreateCategory: %v", err)
	}
	topic := must.Do(w.s.Posts.CreateTopic(w.t.Context(), site.Discussion(w.author, w.category)))(w.t)
	w.topics = append(w.topics, topic)
}

// write posts topics and comments until ctx ends. It retries failed calls, as patient clients do.
func (w *privateSite) write(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		if n%4 == 0 {
			id, err := w.s.Posts.CreateTopic(ctx, site.Discussion(w.author, w.category))
			w.note(err, func() { w.topics = append(w.topics, id) })
			continue
		}
		w.mu.Lock()
		topic := w.topics[rand.IntN(len(w.topics))]
		w.mu.Unlock()
		id, err := w.s.Posts.CreateComment(ctx, w.author, site.Remark(topic, 0))
		w.note(err, func() { w.comments = append(w.comments, id) })
	}
}

func (w *privateSite) note(err error, acknowledged func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.failed++
		return
	}
	acknowledged()
}

// count returns the number of acknowledged objects.
func (w *privateSite) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.topics) + len(w.comments)
}

// kill kills the redis-server.
func (w *privateSite) kill() {
	w.t.Helper()
	info := ""
	wait.Until(w.t, "the server answers", func() (ok bool) {
		var err error
		info, err = w.conn.Redis.Info(w.t.Context(), "server").Result()
		return err == nil
	})
	_, rest, _ := strings.Cut(info, "process_id:")
	line, _, _ := strings.Cut(rest, "\r\n")
	pid, err := strconv.Atoi(line)
	if err != nil || pid < 2 {
		w.t.Fatalf("INFO server says process_id:%q", line)
	}
	server := must.Do(os.FindProcess(pid))(w.t)
	must.OK(w.t, server.Kill())
}

// verify reads everything that was acknowledged.
func (w *privateSite) verify() {
	w.t.Helper()
	r := w.s.Read(w.t.Context())
	topics := r.Listing.Topics(w.topics)
	comments := r.Listing.Comments(w.comments)
	must.OK(w.t, r.Exec())
	lost := []string{}
	found, errs := topics()
	storetest.WantOK(w.t, "Topics", errors.Join(errs...))
	for i, topic := range found {
		if topic == nil {
			lost = append(lost, fmt.Sprint("topic ", w.topics[i]))
		}
	}
	replies, errs := comments()
	storetest.WantOK(w.t, "Comments", errors.Join(errs...))
	for i, comment := range replies {
		if comment == nil {
			lost = append(lost, fmt.Sprint("comment ", w.comments[i]))
		}
	}
	if len(lost) != 0 || len(found)+len(replies) != w.count() {
		w.t.Errorf("of %d acknowledged topics and comments, lost: %s", w.count(), lost)
	}
}
