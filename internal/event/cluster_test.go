package event

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/clustertest"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// feed is a topic with a writer and a subscriber.
type feed struct {
	author   *forum.Viewer
	topic    forum.TopicID
	sub      *Sub
	mu       sync.Mutex
	written  map[int64]bool // acknowledged
	received map[int64]int
}

// clusterSite is a hub on a real cluster with feeds in many partitions.
type clusterSite struct {
	*store.Store
	t       testing.TB
	cluster *clustertest.Cluster
	redis   *redis.ClusterClient
	feeds   []*feed
}

// newClusterSite starts a cluster and a hub. stop ends the hub and the store.
func newClusterSite(t testing.TB, feeds int) (s *clusterSite, stop func()) {
	t.Helper()
	c := clustertest.Start(t, testlevel.RealRedis(t), 3, 1)
	conn, err := store.Connect(t.Context(), c.URL(), store.ConnectOptions{Replicated: true})
	if err != nil {
		t.Fatal(err)
	}
	data := must.Do(store.Open(t.Context(), conn, store.Layout{}))(t)
	hub := New(data, slog.New(slog.DiscardHandler))
	ctx, end := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { hub.Run(ctx) })
	s = &clusterSite{Store: data, t: t, cluster: c, redis: c.Client(t)}
	to := built.On(t, data)
	for i := range feeds {
		r := &feed{author: to.User(fmt.Sprint("user", i)), written: map[int64]bool{}, received: map[int64]int{}}
		r.topic = to.Titled(r.author, 0, "hello")
		if r.sub, err = hub.Subscribe(ctx,
			Stream{Scope: "comments", Logs: []listing.Log{listing.CommentLog(r.topic)}}, nil); err != nil {
			t.Fatal(err)
		}
		s.feeds = append(s.feeds, r)
	}
	return s, func() {
		for _, r := range s.feeds {
			r.sub.Close()
		}
		end()
		running.Wait()
		data.Close()
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}

// close closes the test's own clients, and ends the cluster.
func (s *clusterSite) close() {
	s.redis.Close()
	for _, n := range s.cluster.Nodes {
		n.Redis.Close()
		n.Kill()
	}
}

// write writes comments to a feed until ctx is done.
func (s *clusterSite) write(ctx context.Context, r *feed) {
	for ctx.Err() == nil {
		id, err := s.Posts.CreateComment(context.Background(), r.author,
			posts.NewComment{Topic: r.topic, Content: "hi", Format: forum.Markdown})
		if err == nil {
			r.mu.Lock()
			r.written[int64(id)] = true
			r.mu.Unlock()
		}
	}
}

// receive notes the events of a feed until ctx is done.
func (r *feed) receive(ctx context.Context) {
	for {
		events, err := r.sub.Next(ctx)
		if err != nil {
			return
		}
		r.mu.Lock()
		for _, e := range events {
			r.received[int64(e.Entry.ID)]++
		}
		r.mu.Unlock()
	}
}

// missing returns how many acknowledged comments of a feed are not received yet, and how many were written.
func (r *feed) missing() (missing, written int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.written {
		if r.received[id] == 0 {
			missing++
		}
	}
	return missing, len(r.written)
}

// progress waits until every feed has received more comments.
func (s *clusterSite) progress(what string) {
	s.t.Helper()
	began, before := time.Now(), make([]int, len(s.feeds))
	for i, r := range s.feeds {
		before[i] = r.count()
	}
	for i, r := range s.feeds {
		for r.count() < before[i]+3 {
			if time.Since(began) > 15*time.Second {
				s.t.Fatalf("%s: feed %d receives nothing for 15 s", what, i)
			}
			<-time.After(time.Millisecond)
		}
	}
	s.t.Logf("%s: every feed receives comments after %v", what, time.Since(began).Round(time.Millisecond))
}

// count returns how many comments a feed has received.
func (r *feed) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.received)
}

// holder returns the master that has the slot of a feed's topic, and the slot.
func (s *clusterSite) holder(r *feed) (*clustertest.Node, int) {
	s.t.Helper()
	channel := listing.CommentLog(r.topic).Channel
	slot := int(s.redis.ClusterKeySlot(s.t.Context(), channel).Val())
	for _, n := range s.cluster.Masters() {
		if n.Redis.PubSubShardNumSub(s.t.Context(), channel).Val()[channel] > 0 {
			return n, slot
		}
	}
	s.t.Fatalf("no master has subscribers of %s", channel)
	return nil, 0
}

// No event is lost and none is doubled while connections break, slots move and masters are replaced, and what the
// listener opened is closed.
func TestEventsSurviveFaultsOfClusters(t *testing.T) {
	testlevel.Long(t)
	before := goleak.IgnoreCurrent()
	s, stop := newClusterSite(t, 16)
	ctx, end := context.WithCancel(context.Background())
	defer end()
	listening, quit := context.WithCancel(context.Background())
	defer quit()
	var writers, readers sync.WaitGroup
	for _, r := range s.feeds {
		writers.Go(func() { s.write(ctx, r) })
		readers.Go(func() { r.receive(listening) })
	}
	s.progress("at the start")
	for _, n := range s.cluster.Masters() {
		must.OK(t, n.Redis.ClientKillByFilter(ctx, "TYPE", "pubsub").Err())
	}
	s.progress("after the connections broke")
	killed, _ := s.holder(s.feeds[0])
	killed.Kill()
	s.progress("after a master was killed")
	s.cluster.Restart(killed)
	s.cluster.AwaitWhole()
	paused, _ := s.holder(s.feeds[1])
	paused.Pause()
	s.progress("after a master was paused")
	paused.Resume()
	s.cluster.AwaitWhole()
	added := s.cluster.AddMaster()
	for _, r := range s.feeds[:6] {
		if from, slot := s.holder(r); from != added {
			s.cluster.Move(slot, from, added)
		}
	}
	s.progress("after slots moved")
	end()
	writers.Wait()
	s.verify()
	quit()
	readers.Wait()
	stop()
	s.close()
	goleak.VerifyNone(t, before)
}

// verify fails unless every acknowledged comment was received once.
func (s *clusterSite) verify() {
	s.t.Helper()
	began, all := time.Now(), 0
	for i, r := range s.feeds {
		missing, written := r.missing()
		for missing > 0 && time.Since(began) < 10*time.Second {
			<-time.After(time.Millisecond)
			missing, written = r.missing()
		}
		all += written
		if missing > 0 {
			s.t.Errorf("feed %d: %d of %d comments were not received", i, missing, written)
		}
		for id, n := range r.received {
			if n > 1 && id != 0 {
				s.t.Errorf("feed %d: comment %d was received %d times", i, id, n)
			}
		}
	}
	s.t.Logf("%d comments were acknowledged", all)
}
