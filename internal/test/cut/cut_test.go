package cut

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/httpserver/live"
	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/whole"
)

const (
	cutProcesses = 3
	cutTopics    = 4
)

// cutPlan is how much is posted in what time, and how often connections are cut.
type cutPlan struct {
	replies int
	life    time.Duration
	every   time.Duration
}

// planCuts returns the plan of a usual run, or, with LIVE_SECONDS, of the long one.
func planCuts(t *testing.T) cutPlan {
	text := os.Getenv("LIVE_SECONDS")
	if text == "" {
		return cutPlan{400, 2 * time.Second, 50 * time.Millisecond}
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("LIVE_SECONDS: %q is no number of seconds", text)
	}
	return cutPlan{2000, time.Duration(n) * time.Second, 200 * time.Millisecond}
}

// TestCuts posts replies through several processes while the connections of their clients, and those that deliver the
// processes' notifications, are cut repeatedly: a client that resumes sees each reply once, in order. LIVE_SECONDS is
// the time in which 2,000 replies are posted; 400 in 2 s if not set.
func TestCuts(t *testing.T) {
	testlevel.Usual(t)
	testlevel.RealRedis(t)
	plan := planCuts(t)
	server := redistest.Start(t)
	var wires [cutProcesses]redistest.Wire
	s := newCutSite(t, func(i int) redis.UniversalClient { return server.ClientOver(t, &wires[i]) })
	clients := s.subscribe()
	s.warmUp(clients)

	ctx, stop := context.WithCancel(t.Context())
	var cutting sync.WaitGroup
	var heard, lines int
	cutting.Go(func() { // ends when all is posted
		for tick := time.NewTicker(plan.every); ; {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			for i := range wires {
				heard += wires[i].CutListeners()
				lines += s.processes[i].front.cut()
			}
		}
	})
	began := time.Now()
	s.post(plan)
	stop()
	cutting.Wait()
	s.verify(clients)
	t.Logf("%d replies in %v by %d processes, all acknowledged; %d connections to Redis and %d of clients cut; %s",
		s.acknowledged.Load(), time.Since(began).Round(time.Millisecond), cutProcesses, heard, lines, cutReport(clients))
	if least := int(plan.life / plan.every); heard < least || lines < least {
		t.Errorf("%d and %d cuts; want at least %d of each", heard, lines, least)
	}
	if s.unknown.Load() > 0 {
		t.Errorf("%d replies were not acknowledged", s.unknown.Load())
	}
}

// cutSite is several processes on one Redis.
type cutSite struct {
	t         *testing.T
	processes [cutProcesses]cutProcess
	author    *forum.Viewer
	topics    [cutTopics]forum.TopicID
	// sent is how many replies were sent, acknowledged and unknown how many were acknowledged or not.
	sent, acknowledged, unknown atomic.Int64
	mu                          sync.Mutex
	sure                        map[string]bool // texts of acknowledged replies
}

// cutProcess is a server process, inside this one.
type cutProcess struct {
	store *store.Store
	front *cutListener
}

func newCutSite(t *testing.T, client func(i int) redis.UniversalClient) *cutSite {
	t.Helper()
	s := &cutSite{t: t, sure: map[string]bool{}}
	for i := range s.processes {
		s.processes[i] = startCutProcess(t, client(i))
	}
	to := site.On(t, s.processes[0].store)
	s.author = to.User("ann")
	for i := range s.topics {
		s.topics[i] = to.Titled(s.author, 0, "t")
	}
	return s
}

func startCutProcess(t *testing.T, rdb redis.UniversalClient, opts ...store.Option) cutProcess {
	t.Helper()
	quiet := slog.New(slog.DiscardHandler)
	data := must.Do(store.Open(t.Context(), store.Over(rdb), store.Layout{}, append(opts, store.WithLog(quiet))...))(t)
	hub, live := event.New(data, quiet), live.New()
	resolver := &graph.Resolver{
		Store:    data,
		Hasher:   auth.NewHasher(1, auth.Cheap()),
		Events:   hub,
		SiteName: "cut",
		Log:      quiet,
	}
	server := httpserver.Server(
		httpserver.New(httpserver.Options{Resolver: resolver, Live: live, Log: quiet, Quiet: true}),
	)
	server.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	l := must.Do(net.Listen("tcp", "127.0.0.1:0"))(t)
	front := &cutListener{Listener: l, open: map[net.Conn]struct{}{}}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { hub.Run(ctx) })
	all.Go(func() { data.KeepObjects(ctx) })
	all.Go(func() { server.Serve(front) })
	t.Cleanup(func() {
		front.cut()
		live.Shutdown(context.Background())
		server.Close()
		stop()
		all.Wait()
		data.Close()
	})
	return cutProcess{data, front}
}

// cutListener accepts connections that a test cuts.
type cutListener struct {
	net.Listener
	mu   sync.Mutex
	open map[net.Conn]struct{}
}

// Accept implements net.Listener.
func (l *cutListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[conn] = struct{}{}
	return cutConn{conn, l}, nil
}

// cut breaks all connections, with the data in flight, and returns their number.
func (l *cutListener) cut() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.open)
	for conn := range l.open {
		if tcp, ok := conn.(*net.TCPConn); ok {
			tcp.SetLinger(0)
		}
		conn.Close()
		delete(l.open, conn)
	}
	return n
}

type cutConn struct {
	net.Conn
	of *cutListener
}

// Close implements net.Conn.
func (c cutConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c.Conn)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// reply posts one reply through a process.
func (s *cutSite) reply(process, topic int) {
	text := fmt.Sprint(s.sent.Add(1))
	_, err := s.processes[process].store.Posts.CreateComment(s.t.Context(), s.author,
		posts.NewComment{Topic: s.topics[topic], Content: text, Format: forum.Markdown})
	if err != nil {
		s.unknown.Add(1)
		return
	}
	s.acknowledged.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sure[text] = true
}

// post posts the replies of a plan through all processes, spread over its time.
func (s *cutSite) post(plan cutPlan) {
	var all sync.WaitGroup
	for p := range cutProcesses {
		n := (plan.replies + p) / cutProcesses
		all.Go(func() {
			tick := time.NewTicker(plan.life / time.Duration(n))
			defer tick.Stop()
			for i := range n {
				s.reply(p, (i+p)%cutTopics)
				<-tick.C
			}
		})
	}
	all.Wait()
}

// subscribe starts clients of all topics: two over sockets for each over a stream.
func (s *cutSite) subscribe() []*cutClient {
	var clients []*cutClient
	ctx, stop := context.WithCancel(s.t.Context())
	var all sync.WaitGroup
	for topic := range cutTopics {
		for n := range cutProcesses {
			c := &cutClient{site: s, topic: topic, process: n, changed: make(chan struct{}, 1)}
			connect := c.socket
			if n == 0 {
				connect = c.stream
			}
			clients = append(clients, c)
			all.Go(func() { c.run(ctx, connect) }) // ends with the test
		}
	}
	s.t.Cleanup(func() { stop(); all.Wait() })
	return clients
}

// warmUp posts until all clients have seen something, so that they have a position to resume at.
func (s *cutSite) warmUp(clients []*cutClient) {
	for _, c := range clients {
		for c.last.Load() == 0 {
			s.reply(0, c.topic)
			select {
			case <-c.changed:
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
}

// verify waits until all clients have seen the replies of their topics, and compares.
func (s *cutSite) verify(clients []*cutClient) {
	t, late := s.t, time.After(30*time.Second)
	there := map[string]bool{}
	for i, topic := range s.topics {
		want := s.comments(topic)
		for _, text := range want {
			if there[text] {
				t.Errorf("reply %s exists twice", text)
			}
			there[text] = true
		}
		for n, c := range clients {
			if c.topic != i {
				continue
			}
			for waiting := true; waiting && int(c.last.Load()) < len(want); {
				select {
				case <-c.changed:
				case <-late:
					waiting = false
				}
			}
			c.compare(t, fmt.Sprintf("client %d of topic %d", n, i), want)
		}
	}
	for text := range s.sure {
		if !there[text] {
			t.Errorf("acknowledged reply %s is not there", text)
		}
	}
}

// comments are the texts of a topic's comments by number.
func (s *cutSite) comments(topic forum.TopicID) []string {
	s.t.Helper()
	data := s.processes[0].store
	r := data.Read(s.t.Context())
	part := site.Sent(s.t, r, r.Listing.Since(listing.CommentLog(topic), listing.LogPosition{}, 100_000))
	ids := make([]forum.CommentID, len(part.Entries))
	for i, e := range part.Entries {
		ids[i] = forum.CommentID(e.ID)
	}
	r = data.Read(s.t.Context())
	found := whole.Comments(r, ids)
	must.OK(s.t, r.Exec())
	comments := must.Do(found())(s.t)
	texts := make([]string, len(comments))
	for i, c := range comments {
		texts[i] = c.Content
	}
	return texts
}
