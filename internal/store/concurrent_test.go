package store_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
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

// client is one of the concurrent writers, who act for the same few users.
type client struct {
	s          *store.Store
	x          *storetest.Site
	r          *rand.Rand
	users      []*forum.Viewer
	lists      []forum.ListID // each owned by the user with the same number
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
		in := site.Link(by, []string{"go", "redis"}[c.r.IntN(2)])
		in.Category = category
		id, err := c.s.Posts.CreateTopic(c.x.Ctx, in)
		if err == nil {
			c.done.addTopic(id)
		}
		return err
	case n < 40:
		in := site.Remark(topic, 0)
		if n < 18 {
			in.Parent = comment
		}
		id, err := c.s.Posts.CreateComment(c.x.Ctx, by, in)
		if err == nil {
			c.done.addComment(id)
		}
		return err
	case n < 46:
		return c.s.Posts.UpdateTopic(c.x.Ctx, by, topic, posts.TopicChange{Category: &category})
	case n < 49:
		return c.s.Posts.UpdateTopic(c.x.Ctx, by, topic, posts.TopicChange{Title: new("new")})
	case n < 53:
		return c.s.Posts.UpdateComment(c.x.Ctx, by, comment, posts.CommentChange{Content: "new"})
	case n < 58:
		return c.s.Posts.DeleteComment(c.x.Ctx, by, comment)
	case n < 60:
		return c.s.Posts.DeleteTopic(c.x.Ctx, by, topic)
	case n < 62:
		return c.s.Categories.DeleteCategory(c.x.Ctx, nil, category)
	case n < 65:
		return c.s.Posts.TagTopic(c.x.Ctx, by, topic, site.Tags("go"), site.Tags("redis"))
	case n < 98:
		return c.connect(n, category)
	default:
		c.x.Clock.Advance(500 * time.Millisecond)
		_, err := c.s.Engine.Sweep(c.x.Ctx)
		return errors.Join(err, func() error { _, err := c.s.Engine.RunDueTasks(c.x.Ctx); return err }())
	}
}

// connect follows, blocks, lists, or ends the last account.
func (c *client) connect(n int, category forum.CategoryID) (err error) {
	i, want := c.r.IntN(len(c.users)), c.r.IntN(2) == 0
	by, other, another := c.users[i].ID, c.users[c.r.IntN(len(c.users))].ID, c.users[c.r.IntN(len(c.users))].ID
	switch {
	case n < 81:
		_, err = c.s.Follows.Follow(c.x.Ctx, by, forum.Target{User: other}, want)
	case n < 85:
		_, err = c.s.Follows.Follow(c.x.Ctx, by, forum.Target{Category: category}, want)
	case n < 88:
		_, err = c.s.Follows.Follow(c.x.Ctx, by, storetest.ToTag("go"), want)
	case n < 92:
		_, err = c.s.Follows.Block(c.x.Ctx, by, other, c.r.IntN(3) == 0)
	case n < 97:
		err = c.s.Follows.UpdateListMembers(c.x.Ctx, by, c.lists[i], []forum.UserID{other}, []forum.UserID{another})
	default:
		err = c.s.Accounts.DeleteAccount(c.x.Ctx, c.users[len(c.users)-1].ID, "hash of last")
	}
	return err
}

// Behaviours C5, C6, X36: eight clients in two processes post, edit, move, tag, delete, follow, block and list at
// random, on few topics. Whatever the order, hashes, lists, counters, both sides of all edges, and homes agree
// afterwards, and everything that was acknowledged exists.
func TestConcurrentWritesLeaveDataSound(t *testing.T) {
	testlevel.Usual(t)
	x := storetest.New(t, store.WithLimits(storetest.SmallHomes(5, 4, 3)))
	seed := testseed.First()
	t.Logf("seed %d", seed)
	users := append(x.Voters("ann", "bob", "carl"), x.Moderator("mod"), x.User("last"))
	lists := make([]forum.ListID, len(users))
	for i, u := range users {
		lists[i] = must.Do(x.Follows.CreateList(x.Ctx, u.ID, "x", "x"))(t)
	}
	done := &acknowledged{}
	categories := x.SomeCategories(6)
	for _, c := range categories[:4] {
		done.addTopic(x.Topic(users[0], c))
	}
	processes := []*store.Store{x.Store, x.Process(store.WithLimits(x.Engine.Limits))}
	calls := 80
	if x.Server.Real() {
		calls = 250
	}
	var wg sync.WaitGroup
	for n := range 8 {
		c := client{s: processes[n%2], x: x, r: rand.New(rand.NewPCG(seed, uint64(n))), users: users,
			lists: lists, categories: categories, done: done}
		wg.Go(func() {
			for range calls {
				// Refusals are expected: only internal errors are wrong.
				if err := c.act(); err != nil && forum.CodeOf(err) == "" {
					t.Errorf("internal error: %v", err)
				}
			}
		})
	}
	wg.Wait()
	for _, s := range processes {
		storetest.WantOK(t, "Settle", s.Flush(t.Context()))
	}
	for range 3 { // failed tasks wait longer each time
		x.Clock.Advance(time.Minute)
		x.SettleHomes()
	}
	x.WantSoundAfter("after the race")
	for _, id := range done.topics {
		x.OneTopic(id)
	}
	acknowledged, found := map[string]bool{}, 0
	for _, id := range done.comments {
		acknowledged[key.Itoa(id)] = true
	}
	for _, id := range done.topics {
		deleted := x.Redis.HExists(x.Ctx, key.Topic(id), "deleted").Val()
		for _, comment := range x.Redis.ZRange(x.Ctx, key.TopicComments(id), 0, -1).Val() {
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
