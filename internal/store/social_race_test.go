package store

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"agora/internal/store/engine"
	"agora/internal/store/posts"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"

	"agora/internal/forum"
)

// socialClient is one of several concurrent clients that act for the same few users.
type socialClient struct {
	*site
	s      *Store
	rng    *rand.Rand
	users  []*forum.Viewer
	rooms  []forum.CategoryID
	lists  []forum.ListID // each owned by the user with the same number
	posted []forum.TopicID
}

// act performs a random mutation and returns its error.
func (m *socialClient) act() error {
	n, other := m.rng.IntN(len(m.users)), m.users[m.rng.IntN(len(m.users))].ID
	by, want, room := m.users[n], m.rng.IntN(2) == 0, m.rooms[m.rng.IntN(len(m.rooms))]
	var topic forum.TopicID
	if len(m.posted) > 0 {
		topic = m.posted[m.rng.IntN(len(m.posted))]
	}
	var err error
	switch k := m.rng.IntN(100); {
	case k < 35:
		_, err = m.s.Follow(m.ctx, by.ID, forum.Target{User: other}, want)
	case k < 45:
		_, err = m.s.Follow(m.ctx, by.ID, forum.Target{Category: room}, want)
	case k < 50:
		_, err = m.s.Follow(m.ctx, by.ID, toTag("go"), want)
	case k < 58:
		_, err = m.s.Block(m.ctx, by.ID, other, m.rng.IntN(3) == 0)
	case k < 66:
		err = m.s.UpdateListMembers(m.ctx, by.ID, m.lists[n], []forum.UserID{other},
			[]forum.UserID{m.users[m.rng.IntN(len(m.users))].ID})
	case k < 82:
		in := link(by, []string{"go", "redis"}[m.rng.IntN(2)])
		in.Category = room
		var id forum.TopicID
		if id, err = m.s.CreateTopic(m.ctx, in); err == nil {
			m.posted = append(m.posted, id)
		}
	case topic == 0:
	case k < 87:
		err = m.s.DeleteTopic(m.ctx, m.users[0], topic)
	case k < 91:
		err = m.s.UpdateTopic(m.ctx, m.users[0], topic, posts.TopicChange{Category: &room})
	case k < 95:
		err = m.s.TagTopic(m.ctx, m.users[0], topic, labels("go"), labels("redis"))
	case k < 96:
		err = m.s.DeleteAccount(m.ctx, m.users[len(m.users)-1].ID, "hash of last")
	default:
		m.clock.Advance(500 * time.Millisecond)
		if _, err = m.s.Sweep(m.ctx); err == nil {
			_, err = m.s.RunDueTasks(m.ctx)
		}
	}
	return err
}

// Behaviours C5, C6, X36: many clients follow, block, list, post, delete, move and tag at random in two
// processes. Whatever the order, both sides of all edges, counts, lists and homes agree afterwards.
func TestRacingFollowers(t *testing.T) {
	testlevel.Long(t)
	x := newSiteOf(t, engine.Sizes{Home: 5, Low: 4, Pass: 3})
	seed := testseed.First()
	t.Logf("seed %d", seed)
	users := append([]*forum.Viewer{x.moderator("mod")}, x.voters("u1", "u2", "u3", "u4", "last")...)
	sections := x.categories(2)
	lists := make([]forum.ListID, len(users))
	for i, u := range users {
		var err error
		lists[i], err = x.CreateList(t.Context(), u.ID, "x", "x")
		wantOK(t, "CreateList", err)
	}
	processes := []*Store{x.Store, x.process(withSizes(x.engine.Sizes))}
	calls := 40
	if x.server.Real() {
		calls = 250
	}
	var wg sync.WaitGroup
	for n := range 6 {
		m := socialClient{site: x, s: processes[n%2], rng: rand.New(rand.NewPCG(seed, uint64(n))),
			users: users, rooms: sections,
			lists: lists}
		wg.Go(func() {
			for range calls {
				// Refusals are expected: only internal errors are wrong.
				if err := m.act(); err != nil && forum.CodeOf(err) == "" {
					t.Errorf("internal error: %v", err)
				}
			}
		})
	}
	wg.Wait()
	for _, s := range processes {
		wantOK(t, "Settle", s.Flush(t.Context()))
	}
	for range 3 { // failed tasks wait longer each time
		x.clock.Advance(time.Minute)
		x.settleHomes()
	}
	x.wantSoundAfter("after the race")
}
