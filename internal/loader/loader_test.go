package loader

import (
	"context"
	"slices"
	"sync"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/store/votes"
	"agora/internal/test/must"
)

// Each load alone takes its own number of round trips, and none fails.
func TestLoadsAlone(t *testing.T) {
	x := newSite(t)
	for _, k := range x.loads() {
		ctx, l, usage := x.response(x.ann)
		inResponse(t, ctx, l, func(ctx context.Context) {
			if errs := k.run(ctx, l); errs != nil {
				t.Errorf("%s: %v", k.name, errs)
			}
		})
		sent := x.sent.take(0)
		if len(sent) != k.trips || len(sent[0]) != k.commands {
			t.Errorf("%s: %d round trips: %q; want %d trips, the first of %d commands", k.name, len(sent), sent, k.trips,
				k.commands)
		}
		if n := usage.RoundTrips.Load(); n != int64(k.trips) {
			t.Errorf("%s: usage = %d round trips; want %d", k.name, n, k.trips)
		}
	}
}

// Reads of all kinds by the resolvers of a level are one round trip.
func TestOneLevelIsOnePipeline(t *testing.T) {
	x := newSite(t)
	ctx, l, usage := x.response(x.ann)
	var resolvers []func(context.Context)
	for _, k := range x.loads() {
		resolvers = append(resolvers, func(ctx context.Context) {
			if errs := k.run(ctx, l); errs != nil {
				t.Errorf("%s: %v", k.name, errs)
			}
		})
	}
	inResponse(t, ctx, l, resolvers...)
	sent := x.sent.take(0)
	// A key requested twice is read once: the topics of both loads, ann of the users and the authors, the tab's
	// categories. These are 3 topics, 2 comments, 2 tags, 2 categories, 2 tabs, 2 names of them; 3 users, the counts of 2,
	// 2 emails from two hashes each, 2 sessions, 2 of tokens, 2 logins; 3 pages of 2, one of a snapshot, pins of two orders, a tab's
	// categories, 2 lengths, 2 votes of 2.
	if want := 2 + 3 + 2 + 2 + 2 + 2 + 2 + 3 + 2 + 4 + 2 + 2 + 6 + 3 + 2 + 1 + 2 + 4; len(sent[0]) != want {
		t.Errorf("the first round trip has %d commands: %q; want %d", len(sent[0]), sent[0], want)
	}
	// All topics are known by then. The remaining reads are the pages of the front and of the tab's only category,
	// and the rest of mod, who was found by login.
	wantUsage(t, "a level of all kinds", usage, 2, int64(len(sent[0])+5))
}

// Consecutive loads of several resolvers take as many round trips as the longest chain has steps: the steps are
// combined.
func TestChainsAreAsLongAsTheLongest(t *testing.T) {
	x := newSite(t)
	topics := []forum.TopicID{x.topic, x.deleted, x.imported, nothing, nothing + 256}
	for longest := 1; longest <= len(topics); longest++ {
		ctx, l, usage := x.response(nil)
		var resolvers []func(context.Context)
		for steps := 1; steps <= longest; steps++ {
			resolvers = append(resolvers, func(ctx context.Context) {
				for _, id := range topics[:steps] {
					l.NeedTopics(ctx, l.Topics([]forum.TopicID{id}))
				}
			}, func(ctx context.Context) {
				for n := range steps {
					l.Lengths(ctx, []listing.List{listing.CategoryTopics(forum.CategoryID(100*steps + n))})
				}
			})
		}
		inResponse(t, ctx, l, resolvers...)
		wantUsage(t, "chains", usage, int64(longest), int64(longest+longest*(longest+1)/2))
	}
}

// Loads of several kinds that depend on each other: a login, its user, their comments, the topics of these, their
// authors.
func TestChainOfAllKinds(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) {
		bob := must.Do(l.UserByLogin(ctx, "bob"))(t)
		pages, _ := l.Pages(ctx, pointers(listing.UserComments(bob.ID)), forum.Window{Count: 9})
		cs := l.Comments(IDs[forum.CommentID](pages[0]))
		l.NeedComments(ctx, cs)
		ts := l.Topics([]forum.TopicID{cs[0].TopicID})
		l.NeedTopics(ctx, ts)
		us := l.Authors([]forum.UserID{ts[0].AuthorID})
		l.NeedUsers(ctx, us)
	})
	var counts []int
	for _, pipeline := range x.sent.take(0) {
		counts = append(counts, len(pipeline))
	}
	if want := []int{1, 2, 2, 1, 1, 1}; !slices.Equal(counts, want) {
		t.Errorf("commands of the round trips = %v; want %v", counts, want)
	}
}

// Objects requested in advance come with the first load.
func TestAskedInAdvanceIsOnePipeline(t *testing.T) {
	x := newSite(t)
	ctx, l, usage := x.response(x.ann)
	inResponse(t, ctx, l, func(ctx context.Context) {
		l.Ask(Objects{
			Users: []forum.UserID{x.ann.ID}, Sessions: []forum.UserID{x.ann.ID}, Tokens: []forum.UserID{x.ann.ID}, Topics: []forum.TopicID{x.topic},
			Comments: []forum.CommentID{x.comment}, Categories: []forum.CategoryID{x.category}, Tabs: []forum.TabID{x.tab},
			Tags: []forum.TagID{x.tag},
		})
		us, _ := l.Users(ctx, []forum.UserID{x.ann.ID})
		l.NeedUsers(ctx, us)
		wantUsage(t, "the first load", usage, 1, 9)
		l.Sessions(ctx, []forum.UserID{x.ann.ID})
		l.Tokens(ctx, []forum.UserID{x.ann.ID})
		l.TabsNow(ctx, []forum.TabID{x.tab})
		l.CategoriesNow(ctx, []forum.CategoryID{x.category})
		l.TagsNow(ctx, []forum.TagID{x.tag})
		cs := l.Comments([]forum.CommentID{x.comment})
		l.NeedComments(ctx, cs)
		ts := l.Topics([]forum.TopicID{x.topic})
		l.NeedTopics(ctx, ts)
	})
	wantUsage(t, "what was asked in advance", usage, 1, 9)
}

func TestKeyAskedByManyIsReadOnce(t *testing.T) {
	x := newSite(t)
	for _, mode := range modes {
		ctx, l, usage := x.response(nil)
		var mu sync.Mutex
		found := map[string]int{}
		resolvers := slices.Repeat([]func(context.Context){func(ctx context.Context) {
			topics := l.Topics([]forum.TopicID{x.topic})
			l.NeedTopics(ctx, topics)
			mu.Lock()
			defer mu.Unlock()
			found[topics[0].Title]++
		}}, 100)
		mode.run(t, ctx, l, resolvers...)
		if len(found) != 1 || found["t"] != 100 {
			t.Errorf("%s: titles = %v; want a hundred times t", mode.name, found)
		}
		wantUsage(t, mode.name, usage, 1, 1)
	}
}

func TestNames(t *testing.T) {
	x := newSite(t)
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) {
			users, errs := l.UsersByLogin(ctx, []string{"nobody", "bob", "Bob", "left"})
			if errs != nil || users[0] != nil || users[1] == nil || users[1].ID != x.bob.ID || users[2] != nil ||
				users[3] != nil {
				t.Errorf("UsersByLogin = %v, %v; want none, bob, none, none", users, errs)
			}
			if ghost, err := l.UserByLogin(ctx, forum.GhostLogin); err != nil || ghost.ID != 0 ||
				ghost.CreatedAt != x.Layout().Created {
				t.Errorf("UserByLogin(ghost) = %v, %v; want the ghost, as old as the data", ghost, err)
			}
			if c, err := l.CategoryNamed(ctx, "go"); err != nil || c == nil || c.ID != x.category {
				t.Errorf("CategoryNamed = %v, %v; want category %d", c, err, x.category)
			}
			if c, err := l.CategoryNamed(ctx, "none"); err != nil || c != nil {
				t.Errorf("CategoryNamed(none) = %v, %v; want none", c, err)
			}
			if tab, err := l.TabNamed(ctx, "tab"); err != nil || tab == nil || tab.ID != x.tab {
				t.Errorf("TabNamed = %v, %v; want tab %d", tab, err, x.tab)
			}
			if tab, err := l.TabNamed(ctx, "none"); err != nil || tab != nil {
				t.Errorf("TabNamed(none) = %v, %v; want none", tab, err)
			}
		})
	}
}

func TestVotesOfSignedOutNeedNoRead(t *testing.T) {
	x := newSite(t)
	subjects := []votes.Subject{votes.SubjectOf(forum.VoteSummary{Topic: x.topic}, 0),
		votes.SubjectOf(forum.VoteSummary{Comment: x.comment}, 0)}
	for _, mode := range modes {
		ctx, l, usage := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) {
			votes, errs := l.Votes(ctx, subjects)
			if errs != nil || !slices.Equal(votes, []forum.VoteDirection{forum.VoteNone, forum.VoteNone}) {
				t.Errorf("Votes = %v, %v; want NONE for each", votes, errs)
			}
		})
		wantUsage(t, "signed out", usage, 0, 0)
	}
}

// After a mutation nothing is known that was read before it.
func TestForgetDropsWhatWasRead(t *testing.T) {
	l := New(t.Context(), newSite(t).Store, nil)
	l.logins.put("ann", 1)
	l.lengths.ask([]listing.List{listing.AllTabs()})
	handles := [...]any{l.Topics([]forum.TopicID{1})[0], l.ListedTopics([]forum.TopicID{1})[0],
		l.Comments([]forum.CommentID{1})[0]}
	l.forget()
	if l.logins.cells != nil || l.lengths.cells != nil {
		t.Error("a table keeps values")
	}
	for i, again := range [...]any{l.Topics([]forum.TopicID{1})[0], l.ListedTopics([]forum.TopicID{1})[0],
		l.Comments([]forum.CommentID{1})[0]} {
		if again == handles[i] {
			t.Errorf("%T %d outlives forget", again, i)
		}
	}
	if len(l.known) != 3 {
		t.Errorf("%d of the tables and handles have something to forget; want 3", len(l.known))
	}
}
