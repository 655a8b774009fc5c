package listing_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// Whatever is registered, deleted, tagged and removed, in processes that die at any step, the lists have what exists
// once the sweeper has passed, and check finds nothing.
func TestNamesModel(t *testing.T) {
	testlevel.Sequential(t)
	x := storetest.New(t)
	seed := testseed.First()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	ann, category := x.User("ann"), x.Category("go")
	users := map[string]forum.UserID{"ann": ann.ID}
	topics := map[forum.TopicID]forum.TopicTags{}
	some := func() forum.TopicTags {
		all := site.Tags("Go", "Redis", "go lang", "Lua")
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all[:r.IntN(3)]
	}
	anyTopic := func() forum.TopicID { return slices.Sorted(maps.Keys(topics))[r.IntN(len(topics))] }
	for n := range 60 {
		x.Clock.Advance(1)
		step := 1 + r.IntN(8)
		switch k := r.IntN(6); {
		case k == 0:
			login := fmt.Sprintf("user%d", n)
			x.Dies(step, func(s *store.Store) { s.Accounts.Register(x.Ctx, site.Account(login)) })
			x.Clock.Advance(2 * forum.PendingLife)
		case k == 1 && len(users) > 1:
			for login, id := range users {
				if login != "ann" {
					x.Dies(step, func(s *store.Store) { s.Accounts.DeleteAccount(x.Ctx, id, "hash of "+login) })
					break
				}
			}
		case k == 2 && len(topics) > 0:
			id := anyTopic()
			x.Dies(step, func(s *store.Store) { s.Posts.DeleteTopic(x.Ctx, ann, id) })
		case k == 3 && len(topics) > 0:
			add, remove := some(), topics[anyTopic()]
			remove = slices.DeleteFunc(slices.Clone(remove),
				func(t forum.TopicTag) bool { return slices.Contains(add.IDs(), t.ID) })
			id := anyTopic()
			x.Dies(step, func(s *store.Store) { s.Posts.TagTopic(x.Ctx, ann, id, add, remove) })
		default:
			in := site.Discussion(ann, category)
			in.Tags = some()
			x.Dies(step, func(s *store.Store) { s.Posts.CreateTopic(x.Ctx, in) })
		}
		if r.IntN(3) == 0 {
			continue // several unfinished ones
		}
		x.Clock.Advance(3 * time.Second) // leases of tasks end
		x.WantClean()
		users, topics = everybody(x), tagsOf(x)
	}
	x.Clock.Advance(3 * time.Second)
	x.WantClean()
}

// everybody returns the active users by folded login, as their hashes say.
func everybody(x *storetest.Site) map[string]forum.UserID {
	users := map[string]forum.UserID{}
	for k := range x.Keys() {
		if h := strings.Split(k, ":"); len(h) == 3 && h[1] == "u" {
			if f := x.Hash(k); f["state"] == catalogue.UserActive {
				users[f["fold"]] = forum.UserID(record.Atoi(h[2]))
			}
		}
	}
	return users
}

// tagsOf returns the open topics with their tags.
func tagsOf(x *storetest.Site) map[forum.TopicID]forum.TopicTags {
	topics := map[forum.TopicID]forum.TopicTags{}
	for k := range x.Keys() {
		if h := strings.Split(k, ":"); len(h) == 3 && h[1] == "t" && strings.HasPrefix(k, "{p") {
			if f := x.Hash(k); listedTopic(f) {
				topics[forum.TopicID(record.Atoi(h[2]))] = catalogue.DecodeTags(f["tags"])
			}
		}
	}
	return topics
}

// A write of the list that comes late changes nothing.
func TestLateNames(t *testing.T) {
	x := storetest.New(t)
	wake := x.Asleep("claim_release", func(s *store.Store) {
		id := x.User("ann").ID
		s.Accounts.DeleteAccount(context.Background(), id, "hash of ann")
	})
	x.Settle()
	if got := x.Names(key.UserNames, key.OrderName); got != "" {
		t.Errorf("the list of users is %q after a deletion that sleeps; want nothing", got)
	}
	wake()
	x.WantClean()
}
