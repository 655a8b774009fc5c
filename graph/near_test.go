package graph_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/test/testlevel"
)

// near returns the site by a process that keeps users, categories and tabs in memory, with the same data; nil on a
// cluster, where none does.
func (s *site) near() *site {
	s.t.Helper()
	first, ok := s.redis.(*redis.Client)
	if !ok {
		return nil
	}
	client := redis.NewClient(first.Options())
	s.t.Cleanup(func() { client.Close() })
	other := *s
	var err error
	if other.store, err = store.Open(context.Background(), store.Over(client), store.Layout{},
		store.WithClock(s.clock.Now), store.WithNearCache(1<<20)); err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		other.store.KeepNear(ctx)
	}()
	s.t.Cleanup(func() {
		stop()
		<-ended
		other.store.Close()
	})
	resolver := *s.options.Resolver
	resolver.Store = other.store
	other.options.Resolver = &resolver
	other.url = serve(s.t, other.options)
	return &other
}

// warm asks until everything that is kept comes from memory, and returns that answer.
func (s *site) warm(token, query string, variables map[string]any) answer {
	s.t.Helper()
	late := time.After(time.Minute)
	for tick := time.NewTicker(time.Millisecond); ; {
		before, _ := s.store.NearStats()
		a := s.must(token, query, variables)
		if after, _ := s.store.NearStats(); after.Misses == before.Misses && after.Hits > before.Hits {
			return a
		}
		select {
		case <-tick.C:
		case <-late:
			s.t.Fatalf("after a minute not everything comes from memory: %+v", before)
		}
	}
}

// What is kept in memory saves its commands, and levels that read nothing else their round trip. The answers are the
// same. docs/performance.md has these figures.
func TestCostsOfQueriesFromMemory(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	s.fill(large)
	near := s.near()
	if near == nil {
		return
	}
	tests := []struct {
		name                    string
		trips, commands         int // without
		nearTrips, nearCommands int
	}{
		{"front_page", 4, 190, 3, 143},
		{"topic_page", 3, 18, 2, 9},
		{"member", 6, 23, 6, 17},
		{"rooms", 4, 48, 4, 43},
	}
	for _, tt := range tests {
		for _, op := range operations(t) {
			if op.name != tt.name {
				continue
			}
			variables := s.variables(large)
			variables["topics"], variables["comments"] = 20, 5
			without := s.must(s.tokenOf(op.as), op.query, variables)
			with := near.warm(s.tokenOf(op.as), op.query, variables)
			wantEqual(t, op.name, with.Data, without.Data)
			got := [4]int{without.Extensions.Redis.RoundTrips, without.Extensions.Redis.Commands,
				with.Extensions.Redis.RoundTrips, with.Extensions.Redis.Commands}
			if want := [4]int{tt.trips, tt.commands, tt.nearTrips, tt.nearCommands}; got != want {
				t.Errorf("%s: round trips and commands without and with memory: %v; want %v", op.name, got, want)
			}
		}
	}
}

// Memory serves queries of those who cannot have changed anything lately, and nothing else.
func TestWhoReadsFromMemory(t *testing.T) {
	s := newSite(t)
	near := s.near()
	if near == nil {
		return
	}
	ann, bob, mia := s.user("ann"), s.user("bob"), s.moderator("mia")
	s.category(mia, "Tea")
	topic := s.topic(ann, "Tea", "A topic")
	s.clock.Advance(4 * second) // since mia became a moderator
	query, id := `query ($id: ID!) { topic(by: {id: $id}) { author { name } category { name } } }`, input{"id": topic}
	rename := `mutation { updateProfile(input: {name: "Ann"}) { viewer { user { name } } } }`
	near.warm("", query, id)
	looks := func(token, document string, variables input) bool {
		before, _ := near.store.NearStats()
		near.must(token, document, variables)
		after, _ := near.store.NearStats()
		return after.Hits+after.Misses > before.Hits+before.Misses
	}
	tests := []struct {
		name, token, document string
		variables             input
		want                  bool
	}{
		{"signed out", "", query, id, true},
		{"a member", bob, query, id, true},
		{"a moderator", mia, query, id, false},
		{"a mutation", ann, rename, nil, false},
		{"whoever has just made one", ann, query, id, false},
		{"another member", bob, query, id, true},
	}
	for _, tt := range tests {
		if got := looks(tt.token, tt.document, tt.variables); got != tt.want {
			t.Errorf("%s: looks into memory: %v; want %v", tt.name, got, tt.want)
		}
	}
	if s.clock.Advance(3 * second); !looks(ann, query, id) {
		t.Error("3 s after a mutation, its author does not look into memory")
	}
}
