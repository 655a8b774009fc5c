package store_test

import (
	"context"
	"fmt"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
)

// openExample opens a store inside the process, with a category and a member. It panics on errors.
func openExample(ctx context.Context) (s *store.Store, end func(), category forum.CategoryID, by *forum.Viewer) {
	conn, err := store.Connect(ctx, "", store.ConnectOptions{})
	check(err)
	noon := time.Date(2096, 1, 2, 12, 0, 0, 0, time.UTC) // not past, or what expires is gone at once
	s, err = store.Open(ctx, conn, store.Layout{}, store.WithClock(func() time.Time { return noon }))
	check(err)
	category, err = s.Categories.CreateCategory(ctx, "Games", "games", "")
	check(err)
	ann, err := s.Accounts.Register(ctx, accounts.NewUser{Login: "ann", LoginFold: "ann"})
	check(err)
	return s, func() { s.Close(); conn.Close() }, category, &forum.Viewer{ID: ann, Role: forum.RoleUser}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A mutation is one call. What users can cause is a *forum.Error with a code and a field.
func ExampleStore_createTopic() {
	ctx := context.Background()
	s, end, games, ann := openExample(ctx)
	defer end()
	topic := posts.NewTopic{Author: ann.ID, Kind: forum.Discussion, Title: "Chess", Category: games, Key: "draft-1"}
	first, err := s.Posts.CreateTopic(ctx, topic)
	check(err)
	again, err := s.Posts.CreateTopic(ctx, topic)
	check(err)
	fmt.Println("the same key gives the same topic:", first == again)
	topic.Title = "Go"
	_, err = s.Posts.CreateTopic(ctx, topic)
	fmt.Println(forum.CodeOf(err))
	// Output:
	// the same key gives the same topic: true
	// IDEMPOTENCY_CONFLICT
}

// Reads queue what they ask for; Exec sends all of it in one round trip. Then each function that
// a read returned has its result.
func ExampleStore_Read() {
	ctx := context.Background()
	s, end, games, ann := openExample(ctx)
	defer end()
	for _, title := range []string{"Chess", "Go"} {
		topic := posts.NewTopic{Author: ann.ID, Kind: forum.Discussion, Title: title, Category: games}
		_, err := s.Posts.CreateTopic(ctx, topic)
		check(err)
	}
	usage := &store.Usage{}
	r := s.Read(store.WithUsage(ctx, usage))
	list := r.Listing.Page(listing.CategoryTopics(games), forum.Window{Count: 10})
	categories := r.Listing.Categories([]forum.CategoryID{games})
	check(r.Exec())
	page, err := list()
	check(err)
	found, _ := categories()
	fmt.Printf("%s has %d topics\n", found[0].Name, len(page.Rows))
	fmt.Println("round trips:", usage.RoundTrips.Load())
	// Output:
	// Games has 2 topics
	// round trips: 1
}

// A home is written when somebody posts, not when it is read.
func ExampleStore_follow() {
	ctx := context.Background()
	s, end, games, ann := openExample(ctx)
	defer end()
	bob, err := s.Accounts.Register(ctx, accounts.NewUser{Login: "bob", LoginFold: "bob"})
	check(err)
	changed, err := s.Follows.Follow(ctx, bob, forum.Target{User: ann.ID}, true)
	check(err)
	_, err = s.Posts.CreateTopic(ctx, posts.NewTopic{Author: ann.ID, Kind: forum.Discussion, Title: "Chess",
		Category: games})
	check(err)
	r := s.Read(ctx)
	part := r.Homes.HomePart(bob, forum.Window{Count: 10}, 0)
	check(r.Exec())
	home, err := part()
	check(err)
	fmt.Println("changed:", changed)
	fmt.Println("topics at home:", len(home.Page().Rows))
	// Output:
	// changed: true
	// topics at home: 1
}
