package graph_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// keeping returns the site by a process that keeps objects in memory, with the same data; nil on a cluster, where none
// does.
func (s *site) keeping() *site {
	s.t.Helper()
	first, ok := s.redis.(*redis.Client)
	if !ok {
		return nil
	}
	client := redis.NewClient(first.Options())
	s.t.Cleanup(func() { client.Close() })
	other := *s
	other.store = must.Do(store.Open(context.Background(), store.Over(client), store.Layout{},
		store.WithClock(s.clock.Now), store.WithObjectCache(1<<20)))(s.t)
	s.t.Cleanup(other.store.Close)
	wait.Beside(s.t, other.store.KeepObjects)
	resolver := *s.options.Resolver
	resolver.Store = other.store
	other.options.Resolver = &resolver
	other.url = serve(s.t, other.options)
	return &other
}

// warm asks until everything that is kept comes from memory, and returns that answer.
func (s *site) warm(token, query string, variables map[string]any) answer {
	s.t.Helper()
	var a answer
	wait.Until(s.t, "everything comes from memory", func() bool {
		before, _ := s.store.Listing.ObjectStats()
		a = s.must(token, query, variables)
		after, _ := s.store.Listing.ObjectStats()
		return after.Misses == before.Misses && after.Hits > before.Hits
	})
	return a
}

// What is kept in memory saves its commands, and levels that read nothing else their round trip. The answers are the
// same. bench/results.md has these figures.
func TestCostsOfQueriesFromMemory(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	s.fill(large)
	kept := s.keeping()
	if kept == nil {
		return
	}
	tests := []struct {
		name                    string
		trips, commands         int // without
		keptTrips, keptCommands int
	}{
		{"front_page", 4, 190, 1, 3},
		{"topic_page", 3, 18, 1, 1},
		{"member", 6, 23, 2, 4},
		{"rooms", 4, 48, 3, 16},
	}
	for _, tt := range tests {
		for _, op := range operations(t) {
			if op.name != tt.name {
				continue
			}
			variables := s.variables(large)
			variables["topics"], variables["comments"] = 20, 5
			without := s.must(s.tokenOf(op.as), op.query, variables)
			with := kept.warm(s.tokenOf(op.as), op.query, variables)
			wantEqual(t, op.name, with.Data, without.Data)
			got := [4]int{without.Extensions.Redis.RoundTrips, without.Extensions.Redis.Commands,
				with.Extensions.Redis.RoundTrips, with.Extensions.Redis.Commands}
			if want := [4]int{tt.trips, tt.commands, tt.keptTrips, tt.keptCommands}; got != want {
				t.Errorf("%s: round trips and commands without and with memory: %v; want %v", op.name, got, want)
			}
		}
	}
}

// Memory serves queries, and nothing else; none that selects the id of an event.
func TestWhatReadsFromMemory(t *testing.T) {
	s := newSite(t)
	kept := s.keeping()
	if kept == nil {
		return
	}
	ann, bob, mia := s.user("ann"), s.user("bob"), s.moderator("mia")
	s.category(mia, "Tea")
	topic := s.topic(ann, "Tea", "A topic")
	query, id := `query ($id: ID!) { topic(by: {id: $id}) { author { name } category { name } } }`, input{"id": topic}
	kept.warm("", query, id)
	looks := func(token, document string, variables input) bool {
		before, _ := kept.store.Listing.ObjectStats()
		kept.must(token, document, variables)
		after, _ := kept.store.Listing.ObjectStats()
		return after.Hits+after.Misses > before.Hits+before.Misses
	}
	for _, tt := range []struct {
		name, token, document string
		variables             input
		want                  bool
	}{
		{"signed out", "", query, id, true},
		{"a member", bob, query, id, true},
		{"a moderator", mia, query, id, true},
		{"a mutation", ann, `mutation { updateProfile(input: {name: "Ann"}) { viewer { user { name } } } }`, nil, false},
		{"whoever has just made one", ann, query, id, true},
		{"an event id", "", `query ($id: ID!) { topic(by: {id: $id}) { author { name } ...f } }
			fragment f on Topic { commentsEventId }`, id, false},
		{"an event id with another name", "", `{ front { last: eventId topics(first: 1) { nodes { title author { name } } } } }`, nil, false},
	} {
		if got := looks(tt.token, tt.document, tt.variables); got != tt.want {
			t.Errorf("%s: looks into memory: %v; want %v", tt.name, got, tt.want)
		}
	}
}

// What the viewer may not see takes as many reads as what does not exist, whether or not memory has it, and whatever
// else the operation reads.
func TestReadsDoNotRevealWhatIsHidden(t *testing.T) {
	testlevel.Usual(t)
	b := newFullSite(t)
	kept := b.keeping()
	if kept == nil {
		return
	}
	eve := b.user("eve")
	before := b.site.topic(eve, "Tea", "A topic that a moderator hides")
	under := b.site.comment(b.ann, before, "", "A comment on it")
	read := `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Topic { title comments(first: 5) { nodes { number } } }
		... on Comment { content parent { number } topic { title } } } }`
	kept.warm("", read, input{"ids": []string{before, under, b.topic}}) // so that memory has them
	b.wantVerdict("hide",
		b.mutate(b.mod, "moderate", input{"subjectId": before, "action": "HIDE", "reason": "OTHER"}, ""), "")
	b.setRules(input{"newMemberSeconds": 86400, "heldPosts": 2})
	held := b.mutate(eve, "createTopic", input{"title": "Held", "content": "Text", "category": input{"name": "Tea"}},
		"topic { id }").text("createTopic", "topic", "id")
	heldComment := b.mutate(eve, "createComment", input{"topicId": b.topic, "content": "Held"},
		"comment { id }").text("createComment", "comment", "id")
	topics, comments := []string{b.deleted, before, held}, []string{b.lost, under, heldComment}
	for _, place := range []*site{b.site, kept} { // one reads all from Redis
		for _, beside := range [][]string{nil, {b.topic}, {b.topic, before}} {
			for none, hidden := range map[string][]string{gid("Topic", "9999999"): topics, gid("Comment", "9999999"): comments} {
				cost := func(id string) any {
					for _, who := range []string{b.mod, eve, b.ann} {
						place.must(who, read, input{"ids": append([]string{b.topic}, append(topics, comments...)...)})
					}
					a := place.must(b.bob, read, input{"ids": append([]string{id}, beside...)})
					wantEqual(t, "what bob sees", a.at("nodes", 0), nil)
					return a.Extensions.Redis
				}
				want := cost(none)
				for i, id := range hidden {
					if slices.Contains(beside, id) {
						continue // it is read once
					}
					wantEqual(t, fmt.Sprintf("reads of hidden object %d, as of %s, beside %d others, from memory: %v", i, none,
						len(beside), place == kept), cost(id), want)
				}
			}
		}
	}
}
