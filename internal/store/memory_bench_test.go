package store_test

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	agoratext "agora/internal/text"
)

// BenchmarkMemory reports how many bytes a topic takes in Redis, in addition to its title and text, with
// all orders and two tags. Run it on a real server:
//
//	TEST_REDIS_SERVER=redis-server go test -run - -bench Memory -benchtime 1x ./internal/store
func BenchmarkMemory(b *testing.B) {
	const topics, writers = 200_000, 8
	rdb := redistest.New(b)
	s, err := store.Open(b.Context(), store.Over(rdb), store.Layout{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	authors := make([]forum.UserID, 1000)
	for i := range authors {
		login := fmt.Sprintf("user%04d", i)
		if authors[i], err = s.Accounts.Register(b.Context(), accounts.NewUser{Login: login, LoginFold: login,
			Name: login}); err != nil {
			b.Fatal(err)
		}
	}
	categories := make([]forum.CategoryID, 20)
	for i := range categories {
		name := "category " + strconv.Itoa(i)
		if categories[i], err = s.Categories.CreateCategory(b.Context(), name, name, ""); err != nil {
			b.Fatal(err)
		}
	}
	tags := make([]forum.TopicTag, 500)
	for i := range tags {
		if tags[i], err = agoratext.Tag(nil, "tag "+strconv.Itoa(i)); err != nil {
			b.Fatal(err)
		}
	}
	must.OK(b, s.Flush(b.Context()))
	before := usedMemory(b, s)
	title, content := strings.Repeat("t", 50), strings.Repeat("c", 300)
	bulk := s.Bulk()
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := w; i < topics; i += writers {
				_, err := bulk.Posts.CreateTopic(b.Context(),
					posts.NewTopic{Author: authors[i%len(authors)], Kind: forum.Discussion, Title: title, Content: content,
						Format: forum.Markdown, Category: categories[i%len(categories)],
						Tags: forum.TopicTags{tags[i%500], tags[(i+250)%500]}, Upvotes: i % 50})
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	must.OK(b, s.Flush(b.Context()))
	used := usedMemory(b, s) - before
	b.ReportMetric(float64(used)/topics-float64(len(title)+len(content)), "B/topic")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkMemoryOfRows reports how many bytes an account, a comment with 200 characters, a vote on a topic and
// an edge between users take in Redis. Run it on a real server:
//
//	TEST_REDIS_SERVER=redis-server go test -run - -bench MemoryOfRows -benchtime 1x ./internal/store
func BenchmarkMemoryOfRows(b *testing.B) {
	const users, topics, writers = 5_000, 200, 8
	rdb := redistest.New(b)
	s, err := store.Open(b.Context(), store.Over(rdb), store.Layout{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	ids, posted := make([]forum.UserID, users), make([]forum.TopicID, topics)
	measure := func(name string, rows int, write func(i int) error) {
		b.Helper()
		before := usedMemory(b, s)
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				for i := w; i < rows; i += writers {
					if err := write(i); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		must.OK(b, s.Flush(b.Context()))
		b.ReportMetric(float64(usedMemory(b, s)-before)/float64(rows), "B/"+name)
	}
	ctx, content := b.Context(), strings.Repeat("c", 200)
	measure("user", users, func(i int) (err error) {
		login := fmt.Sprintf("user%07d", i)
		mail := login + "@example.org"
		ids[i], err = s.Accounts.Register(ctx, accounts.NewUser{Login: login, LoginFold: login, Name: login,
			Email: mail, EmailFold: mail,
			PasswordHash: strings.Repeat("h", 97)})
		return err
	})
	for i := range posted {
		in := posts.NewTopic{Author: ids[i], Kind: forum.Discussion, Title: "t", Content: "t", Format: forum.Markdown}
		if posted[i], err = s.Posts.CreateTopic(ctx, in); err != nil {
			b.Fatal(err)
		}
	}
	viewer := func(i int) *forum.Viewer { return &forum.Viewer{ID: ids[i%users], Role: forum.RoleUser} }
	measure("comment", 4*users, func(i int) error {
		in := posts.NewComment{Topic: posted[i%topics], Content: content, Format: forum.Markdown}
		_, err := s.Posts.CreateComment(ctx, viewer(i), in)
		return err
	})
	measure("vote", 10*users, func(i int) error {
		_, err := s.Votes.VoteTopic(ctx, viewer(i), posted[i/users*7%topics], forum.VoteUp)
		return err
	})
	measure("edge", 10*users, func(i int) error {
		_, err := s.Follows.Follow(ctx, ids[i%users], forum.Target{User: ids[(i+1+i/users*13)%users]}, true)
		return err
	})
	b.ReportMetric(0, "ns/op")
}

func usedMemory(b *testing.B, s *store.Store) int64 {
	info := must.Do(s.Engine.Client.Redis.Info(b.Context(), "memory").Result())(b)
	for line := range strings.SplitSeq(info, "\r\n") {
		if n, ok := strings.CutPrefix(line, "used_memory:"); ok {
			used, _ := strconv.ParseInt(n, 10, 64)
			return used
		}
	}
	b.Fatal("INFO has no used_memory: run this on a real server")
	return 0
}
