package main

import (
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// followers are the numbers of followers of the two authors: the first has as many as the most followed user of a
// real graph (soc-Epinions1 of the SNAP collection).
var followers = []int{3035, 900}

// crowd creates the two authors and their followers.
func crowd(b *testing.B, s *store.Store) []forum.UserID {
	im := s.Import()
	members := make([]bulk.ImportUser, len(followers)+followers[0])
	for i := range members {
		login := fmt.Sprint("member", i)
		members[i] = bulk.ImportUser{
			Source:    "crowd:" + login,
			Name:      login,
			CreatedAt: s.Engine.Now(),
			Logins:    iter.Seq[string](func(yield func(string) bool) { yield(login) }),
		}
	}
	ids, _, err := im.Users(background, members, func(login string) string { return login })
	if err != nil {
		b.Fatal(err)
	}
	var edges []bulk.NewFollow
	for author, n := range followers {
		for _, follower := range ids[len(followers):][:n] {
			edges = append(edges, bulk.NewFollow{From: follower, To: ids[author]})
		}
	}
	must.Do(im.Follows(background, edges))(b)
	must.OK(b, s.Flush(background))
	return ids[:len(followers)]
}

// say posts a status.
func say(b *testing.B, s *store.Store, author forum.UserID) {
	must.Do(s.Posts.CreateTopic(
		background,
		posts.NewTopic{Author: author, Kind: forum.Status, Title: "news", Content: "news", Format: forum.Markdown},
	))(b)
}

// finish runs the due tasks.
func finish(b *testing.B, s *store.Store) {
	must.Do(s.Engine.RunDueTasks(background))(b)
}

// BenchmarkFanOut measures homes written per second, alternately: agora posts for 3,035 followers, the first batch in
// the call and the others as tasks; bare sends the same pipelines, recorded before, through go-redis.
func BenchmarkFanOut(b *testing.B) {
	requireServer(b)
	const posts = 20
	server := redistest.Start(b)
	once := func(b *testing.B, c *redis.Client, noting *pipelines) {
		s := empty(b, c)
		author := crowd(b, s)[0]
		if noting != nil {
			c.AddHook(redistest.Hook(noting.note))
		}
		b.StartTimer()
		for range posts {
			say(b, s, author)
			finish(b, s)
		}
		s.Close()
		b.StopTimer()
	}
	noting := &pipelines{}
	once(b, client(b, server), noting)
	rates := map[string][]float64{}
	for round := range rounds {
		for _, side := range []string{"agora", "bare"} {
			b.Run(fmt.Sprintf("%s/%d", side, round+1), func(b *testing.B) {
				c := client(b, server)
				b.StopTimer()
				b.ResetTimer()
				for range b.N {
					if side == "agora" {
						once(b, c, nil)
						continue
					}
					s := empty(b, c)
					crowd(b, s)
					s.Close()
					send(b, c, noting)
				}
				rate := float64(posts*followers[0]*b.N) / b.Elapsed().Seconds()
				b.ReportMetric(rate, "homes/s")
				rates[side] = append(rates[side], rate)
			})
		}
	}
	if len(rates) < 2 {
		return // -bench selected one of the sides
	}
	b.Run("ratio", func(b *testing.B) {
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(median(rates["agora"])/median(rates["bare"]), "ratio")
	})
}

// BenchmarkPostToFollowers measures, alternately, how long posting takes an author with 3,035 followers and one with
// 900, all of whom are reached before the answer.
func BenchmarkPostToFollowers(b *testing.B) {
	requireServer(b)
	s := empty(b, client(b, redistest.Start(b)))
	defer s.Close()
	authors := crowd(b, s)
	times := make([][]float64, len(authors))
	b.ResetTimer()
	for n := 0; n < b.N || n < 50; n++ {
		for i, author := range authors {
			began := time.Now()
			say(b, s, author)
			times[i] = append(times[i], time.Since(began).Seconds())
			finish(b, s)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(times[0])*1e3, "ms-3035")
	b.ReportMetric(median(times[1])*1e3, "ms-900")
	b.ReportMetric(median(times[0])/median(times[1]), "ratio")
}
