package store

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// acknowledged are the objects whose creation was acknowledged to clients.
type acknowledged struct {
	mu       sync.Mutex
	topics   []forum.TopicID
	comments []forum.CommentID
}

func (a *acknowledged) addTopic(id forum.TopicID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.topics = append(a.topics, id)
}

func (a *acknowledged) addComment(id forum.CommentID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.comments = append(a.comments, id)
}

// pick returns one of the topics, and a comment on any topic, or 0.
func (a *acknowledged) pick(r *rand.Rand) (topic forum.TopicID, comment forum.CommentID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.comments) > 0 {
		comment = a.comments[r.IntN(len(a.comments))]
	}
	return a.topics[r.IntN(len(a.topics))], comment
}

// client is one of the concurrent writers.
type client struct {
	s          *Store
	x          *site
	r          *rand.Rand
	users      []*forum.Viewer
	categories []forum.CategoryID
	done       *acknowledged
}

// act performs a random mutation and returns its error.
func (c *client) act() error {
	by := c.users[c.r.IntN(len(c.users))]
	category := c.categories[c.r.IntN(len(c.categories))]
	topic, comment := c.done.pick(c.r)
	switch n := c.r.IntN(100); {
	case n < 10:
		id, err := c.s.CreateTopic(c.x.ctx, discussion(by, category))
		if err == nil {
			c.done.addTopic(id)
		}
		return err
	case n < 60:
		in := remark(topic, 0)
		if n < 20 {
			in.Parent = comment
		}
		id, err := c.s.CreateComment(c.x.ctx, by, in)
		if err == nil {
			c.done.addComment(id)
		}
		return err
	case n < 70:
		return c.s.UpdateTopic(c.x.ctx, by, topic, posts.TopicChange{Category: &category})
	case n < 75:
		return c.s.UpdateTopic(c.x.ctx, by, topic, posts.TopicChange{Title: text("new")})
	case n < 82:
		return c.s.UpdateComment(c.x.ctx, by, comment, posts.CommentChange{Content: "new"})
	case n < 92:
		return c.s.DeleteComment(c.x.ctx, by, comment)
	case n < 95:
		return c.s.DeleteTopic(c.x.ctx, by, topic)
	case n < 98:
		return c.s.DeleteCategory(c.x.ctx, nil, category)
	default:
		c.x.clock.Advance(500 * time.Millisecond)
		_, err := c.s.Sweep(c.x.ctx)
		return errors.Join(err, func() error { _, err := c.s.RunDueTasks(c.x.ctx); return err }())
	}
}

// Eight clients in two processes write at random on few topics. Whatever the order, hashes, lists and
// counters agree afterwards, and everything that was acknowledged exists.
func TestConcurrentWritesLeaveDataSound(t *testing.T) {
	testlevel.Usual(t)
	x := newSite(t)
	seed := testseed.First()
	t.Logf("seed %d", seed)
	users := []*forum.Viewer{x.user("ann"), x.user("bob"), x.moderator("mod")}
	done := &acknowledged{}
	categories := x.categories(6)
	for _, c := range categories[:4] {
		done.addTopic(x.topic(users[0], c))
	}
	processes := []*Store{x.Store, x.process()}
	var wg sync.WaitGroup
	for n := range 8 {
		c := client{s: processes[n%2], x: x, r: rand.New(rand.NewPCG(seed, uint64(n))), users: users,
			categories: categories, done: done}
		wg.Go(func() {
			for range 80 {
				// Refusals are expected: only internal errors are wrong.
				if err := c.act(); err != nil && forum.CodeOf(err) == "" {
					t.Errorf("internal error: %v", err)
				}
			}
		})
	}
	wg.Wait()
	x.clock.Advance(time.Hour)
	for _, s := range processes {
		wantOK(t, "Settle", s.Flush(t.Context()))
	}
	x.settle()
	x.settle() // run the remaining tasks
	x.wantSound()
	for _, id := range done.topics {
		x.oneTopic(id)
	}
	acknowledged, found := map[string]bool{}, 0
	for _, id := range done.comments {
		acknowledged[key.Itoa(id)] = true
	}
	for _, id := range done.topics {
		deleted := x.rdb.HExists(x.ctx, key.Topic(id), "deleted").Val()
		for _, comment := range x.rdb.ZRange(x.ctx, key.TopicComments(id), 0, -1).Val() {
			switch {
			case acknowledged[comment]:
				found++
			case !deleted: // a topic that was deleted while it was commented on
				t.Errorf("comment %s on topic %d was not acknowledged", comment, id)
			}
		}
	}
	if found != len(done.comments) {
		t.Errorf("%d comments in topics; want the %d acknowledged", found, len(done.comments))
	}
}
