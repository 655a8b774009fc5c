package store_test

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
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// names returns the members of an order of a list of names, without ids, with their scores.
func (x *site) names(list key.Names, order string) string {
	x.t.Helper()
	all := must.Do(x.rdb.ZRangeWithScores(x.ctx, list.Order(order), 0, -1).Result())(x.t)
	var shown []string
	for _, z := range all {
		fold, _, err := record.ParseNameMember(z.Member.(string))
		wantOK(x.t, "ParseNameMember", err)
		shown = append(shown, fmt.Sprintf("%s %.0f", fold, z.Score))
	}
	return strings.Join(shown, ", ")
}

// Whatever is registered, deleted, tagged and removed, in processes that die at any step, the lists have what exists
// once the sweeper has passed, and check finds nothing.
func TestNamesModel(t *testing.T) {
	testlevel.Sequential(t)
	x := newSite(t)
	seed := testseed.First()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	ann, category := x.User("ann"), x.Category("go")
	users := map[string]forum.UserID{"ann": ann.ID}
	topics := map[forum.TopicID]forum.TopicTags{}
	some := func() forum.TopicTags {
		all := labels("Go", "Redis", "go lang", "Lua")
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		return all[:r.IntN(3)]
	}
	anyTopic := func() forum.TopicID { return slices.Sorted(maps.Keys(topics))[r.IntN(len(topics))] }
	for n := range 60 {
		x.clock.Advance(1)
		step := 1 + r.IntN(8)
		switch k := r.IntN(6); {
		case k == 0:
			login := fmt.Sprintf("user%d", n)
			x.dies(step, func(s *store.Store) { s.Accounts.Register(x.ctx, account(login)) })
			x.clock.Advance(2 * forum.PendingLife)
		case k == 1 && len(users) > 1:
			for login, id := range users {
				if login != "ann" {
					x.dies(step, func(s *store.Store) { s.Accounts.DeleteAccount(x.ctx, id, "hash of "+login) })
					break
				}
			}
		case k == 2 && len(topics) > 0:
			id := anyTopic()
			x.dies(step, func(s *store.Store) { s.Posts.DeleteTopic(x.ctx, ann, id) })
		case k == 3 && len(topics) > 0:
			add, remove := some(), topics[anyTopic()]
			remove = slices.DeleteFunc(slices.Clone(remove),
				func(t forum.TopicTag) bool { return slices.Contains(add.IDs(), t.ID) })
			id := anyTopic()
			x.dies(step, func(s *store.Store) { s.Posts.TagTopic(x.ctx, ann, id, add, remove) })
		default:
			in := discussion(ann, category)
			in.Tags = some()
			x.dies(step, func(s *store.Store) { s.Posts.CreateTopic(x.ctx, in) })
		}
		if r.IntN(3) == 0 {
			continue // several unfinished ones
		}
		x.clock.Advance(3 * time.Second) // leases of tasks end
		x.wantClean()
		users, topics = x.everybody(), x.tagsOf()
	}
	x.clock.Advance(3 * time.Second)
	x.wantClean()
}

// everybody returns the active users by folded login, as their hashes say.
func (x *site) everybody() map[string]forum.UserID {
	users := map[string]forum.UserID{}
	for k := range x.keys() {
		if h := strings.Split(k, ":"); len(h) == 3 && h[1] == "u" {
			if f := x.hash(k); f["state"] == catalogue.UserActive {
				users[f["fold"]] = forum.UserID(record.Atoi(h[2]))
			}
		}
	}
	return users
}

// tagsOf returns the open topics with their tags.
func (x *site) tagsOf() map[forum.TopicID]forum.TopicTags {
	topics := map[forum.TopicID]forum.TopicTags{}
	for k := range x.keys() {
		if h := strings.Split(k, ":"); len(h) == 3 && h[1] == "t" && strings.HasPrefix(k, "{p") {
			if f := x.hash(k); listedTopic(f) {
				topics[forum.TopicID(record.Atoi(h[2]))] = catalogue.DecodeTags(f["tags"])
			}
		}
	}
	return topics
}

// A write of the list that comes late changes nothing.
func TestLateNames(t *testing.T) {
	x := newSite(t)
	wake := x.asleep("claim_release", func(s *store.Store) {
		id := x.User("ann").ID
		s.Accounts.DeleteAccount(context.Background(), id, "hash of ann")
	})
	x.settle()
	if got := x.names(key.UserNames, key.OrderName); got != "" {
		t.Errorf("the list of users is %q after a deletion that sleeps; want nothing", got)
	}
	wake()
	x.wantClean()
}
