package loader

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"agora/internal/forum"
	"agora/internal/store"
)

// Reads of all kinds that the resolvers of a level ask for are one round trip,
// however late some of them begin.
func TestOneLevelIsOnePipeline(t *testing.T) {
	x := newSite(t)
	ctx, l, tally := x.response(x.ann)
	loads := []func(context.Context){
		func(ctx context.Context) { l.Topics(ctx, []forum.TopicID{x.topic, x.deleted}) },
		func(ctx context.Context) { l.Users(ctx, []forum.UserID{x.ann.ID, x.bob.ID}) },
		func(ctx context.Context) { l.Categories(ctx, []forum.CategoryID{x.category}) },
		func(ctx context.Context) { l.Tabs(ctx, []forum.TabID{x.tab}) },
		func(ctx context.Context) { l.Lengths(ctx, []store.List{store.AllTabs()}) },
	}
	gate := l.Gate()
	gate.Expect(len(loads))
	var wg sync.WaitGroup
	for i, load := range loads {
		awaitBlocked(gate, i) // the ones before wait for data already
		wg.Go(func() {
			ctx, done := gate.Begin(ctx, i)
			defer done(0)
			load(ctx)
		})
	}
	wg.Wait()
	wantTally(t, "one level", tally, 1, 7)
}

// awaitBlocked returns when n resolvers wait for data.
func awaitBlocked(g *Gate, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.blocked < n {
		g.change.Wait()
	}
}

// What is asked for in advance comes with the first load.
func TestAskedInAdvanceIsOnePipeline(t *testing.T) {
	x := newSite(t)
	ctx, l, tally := x.response(x.ann)
	l.Gate().Expect(1)
	ctx, done := l.Gate().Begin(ctx, "a resolver")
	defer done(0)
	l.Ask(ctx, Objects{
		Users: []forum.UserID{x.ann.ID}, Topics: []forum.TopicID{x.topic}, Comments: []forum.CommentID{x.comment},
		Categories: []forum.CategoryID{x.category}, Tabs: []forum.TabID{x.tab},
	})
	l.Users(ctx, []forum.UserID{x.ann.ID})
	l.Tabs(ctx, []forum.TabID{x.tab})
	l.Comments(ctx, []forum.CommentID{x.comment})
	wantTally(t, "what was asked in advance", tally, 1, 5)
}

// Objects that depend on each other are a level each: comments, then their topics.
func TestEachLevelIsOneMore(t *testing.T) {
	x := newSite(t)
	ctx, l, tally := x.response(nil)
	comments, errs := l.Comments(ctx, []forum.CommentID{x.comment, x.answer})
	if errs != nil || comments[0] == nil || comments[1] == nil {
		t.Fatalf("Comments = %v, %v; want both", comments, errs)
	}
	wantTally(t, "comments", tally, 2, 3)
	if _, errs := l.Comments(ctx, []forum.CommentID{x.answer}); errs != nil {
		t.Fatalf("Comments again: %v", errs)
	}
	wantTally(t, "comments again", tally, 2, 3)
}

func TestKeyAskedByManyIsReadOnce(t *testing.T) {
	x := newSite(t)
	ctx, l, tally := x.response(nil)
	var wg sync.WaitGroup
	found := make([]*forum.Topic, 100)
	for i := range found {
		wg.Go(func() {
			topics, _ := l.Topics(ctx, []forum.TopicID{x.topic})
			found[i] = topics[0]
		})
	}
	wg.Wait()
	for i, topic := range found {
		if topic == nil || topic.ID != x.topic {
			t.Errorf("goroutine %d got %v; want topic %d", i, topic, x.topic)
		}
	}
	wantTally(t, "a hundred goroutines", tally, 1, 1)
}

// What a mutation has written is read anew after Forget, and by the next response.
func TestFreshAfterForget(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	title := func(l *Loaders) string {
		topics, errs := l.Topics(ctx, []forum.TopicID{x.topic})
		if errs != nil {
			t.Fatalf("Topics: %v", errs)
		}
		return topics[0].Title
	}
	if got := title(l); got != "t" {
		t.Fatalf("Title = %q; want t", got)
	}
	want := "new"
	if err := x.UpdateTopic(t.Context(), x.ann, x.topic, store.TopicChange{Title: &want}); err != nil {
		t.Fatalf("UpdateTopic: %v", err)
	}
	if got := title(l); got != "t" {
		t.Errorf("Title within one response = %q; want the same as before", got)
	}
	l.Forget()
	if got := title(l); got != want {
		t.Errorf("Title after Forget = %q; want %q", got, want)
	}
	if _, next, _ := x.response(nil); title(next) != want {
		t.Errorf("Title in the next response is old; want %q", want)
	}
}

// A response that failed leaves the next one untouched.
func TestErrorsAreNotShared(t *testing.T) {
	x := newSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	broken := New(ctx, x.Store, nil)
	topics, errs := broken.Topics(t.Context(), []forum.TopicID{x.topic, x.deleted})
	if len(errs) != 2 || !errors.Is(errs[0], context.Canceled) || !errors.Is(errs[1], context.Canceled) || topics[0] != nil {
		t.Errorf("Topics of a response that was called off = %v, %v; want its error for each", topics, errs)
	}
	nextCtx, next, _ := x.response(nil)
	if topics, errs := next.Topics(nextCtx, []forum.TopicID{x.topic}); errs != nil || topics[0] == nil {
		t.Errorf("Topics of the next response = %v, %v; want the topic", topics, errs)
	}
}

// The goroutines of a response end with it: after a success, a failure, and
// when nobody waits for what was asked.
func TestNoGoroutineIsLeft(t *testing.T) {
	x := newSite(t)
	warm, l, _ := x.response(nil)
	l.Topics(warm, []forum.TopicID{x.topic})
	before := goleak.IgnoreCurrent()
	for range 10 {
		ctx, l, _ := x.response(x.ann)
		l.Comments(ctx, []forum.CommentID{x.comment})
		l.Forget()
		l.Comments(ctx, []forum.CommentID{x.comment})
		called, cancel := context.WithCancel(ctx)
		cancel()
		New(called, x.Store, nil).Users(called, []forum.UserID{x.ann.ID})
		_, unused, _ := x.response(nil)
		unused.topics.Load(ctx, x.topic)
	}
	const peer = "github.com/alicebob/miniredis/v2/server.(*Server).servePeer" // one more connection is no leak
	goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction(peer), goleak.IgnoreAnyFunction(peer+".func2"))
}

func TestVisibility(t *testing.T) {
	x := newSite(t)
	tests := []struct {
		name   string
		viewer *forum.Viewer
		sees   bool
	}{
		{"signed out", nil, false},
		{"stranger who commented", x.bob, false},
		{"author", x.ann, true},
		{"moderator", x.mod, true},
	}
	for _, tt := range tests {
		ctx, l, _ := x.response(tt.viewer)
		topics, errs := l.Topics(ctx, []forum.TopicID{x.deleted, x.topic, 512})
		if errs != nil || (topics[0] != nil) != tt.sees || topics[1] == nil || topics[2] != nil {
			t.Errorf("%s: Topics = %v, %v; want the deleted one %t, the open one, none", tt.name, topics, errs, tt.sees)
		}
		comments, errs := l.Comments(ctx, []forum.CommentID{512, x.buried, x.comment})
		if errs != nil || comments[0] != nil || (comments[1] != nil) != tt.sees || comments[2] == nil {
			t.Errorf("%s: Comments = %v, %v; want none, that of the deleted topic %t, the open one", tt.name, comments, errs, tt.sees)
		}
	}
}

// A tombstone keeps its place; its author is the ghost.
func TestTombstonesAreTheGhosts(t *testing.T) {
	x := newSite(t)
	if err := x.DeleteComment(t.Context(), x.bob, x.comment); err != nil {
		t.Fatalf("DeleteComment: %v", err)
	}
	ctx, l, _ := x.response(nil)
	comments, errs := l.Comments(ctx, []forum.CommentID{x.comment, x.answer})
	if errs != nil || comments[0] == nil || comments[0].Content != "" || comments[0].Number != 1 {
		t.Fatalf("Comments = %v, %v; want the tombstone on floor 1", comments, errs)
	}
	authors, errs := l.Authors(ctx, []forum.UserID{comments[0].AuthorID, comments[1].AuthorID})
	if errs != nil || authors[0].Login != forum.GhostLogin || authors[1].ID != x.ann.ID {
		t.Errorf("Authors = %v, %v; want the ghost and ann", authors, errs)
	}
	parents, errs := l.Parents(ctx, comments)
	if errs != nil || parents[0] != nil || parents[1] == nil || parents[1].ID != x.comment {
		t.Errorf("Parents = %v, %v; want none, and the tombstone", parents, errs)
	}
}

func TestNames(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	users, errs := l.UsersByLogin(ctx, []string{"nobody", "bob", "Bob"})
	if errs != nil || users[0] != nil || users[1] == nil || users[1].ID != x.bob.ID || users[2] != nil {
		t.Errorf("UsersByLogin = %v, %v; want none, bob, none", users, errs)
	}
	if ghost, err := l.UserByLogin(ctx, forum.GhostLogin); err != nil || ghost.ID != 0 || ghost.CreatedAt != x.Created() {
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
}

func TestVotesOfSignedOutNeedNoRead(t *testing.T) {
	x := newSite(t)
	ctx, l, tally := x.response(nil)
	subjects := []store.Subject{store.TopicSubject(x.topic), store.CommentSubject(x.comment)}
	votes, errs := l.Votes(ctx, subjects)
	if errs != nil || !slices.Equal(votes, []forum.VoteDirection{forum.VoteNone, forum.VoteNone}) {
		t.Errorf("Votes = %v, %v; want NONE for each", votes, errs)
	}
	wantTally(t, "signed out", tally, 0, 0)
	ctx, l, tally = x.response(x.ann)
	if votes, errs := l.Votes(ctx, subjects); errs != nil || len(votes) != 2 {
		t.Errorf("Votes of ann = %v, %v; want two", votes, errs)
	}
	// One round trip, but on a loaded machine: here no operation tells what is to come.
	if n := tally.Commands.Load(); n != 4 {
		t.Errorf("signed in: %d commands; want 4, two for each subject", n)
	}
}
