package store_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/engine"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/posts"
	"agora/internal/store/script"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	agoratext "agora/internal/text"
)

// BenchmarkScripts reports how long Redis executes the scripts of a reply, a vote, a bookmark, an edited profile and a
// topic, by its own statistics, in µs for each mutation. "cpu" is all of its CPU, with reading and writing its
// connections. The figures of each script are from another run in which each is sent alone, hence slower. With
// CONSUMER=1 somebody follows all kinds of objects. Run it on a real server:
//
//	TEST_REDIS_SERVER=redis-server go test -run - -bench Scripts -benchtime 2000x ./internal/store
func BenchmarkScripts(b *testing.B) {
	server := redistest.Start(b)
	rdb := server.ClientOver(b, &redistest.Wire{}) // which sends the scripts as they are
	var follow []store.Option
	if os.Getenv("CONSUMER") != "" {
		kinds := []engine.ChangeKind{engine.TopicChanges, engine.CommentChanges, engine.UserChanges}
		follow = append(follow, func(e *engine.Engine) {
			e.OnChange("bench", kinds, func(context.Context, []engine.Change) error { return nil })
		})
	}
	s := must.Do(store.Open(b.Context(), store.Over(rdb), store.Layout{}, follow...))(b)
	defer s.Close()
	must.OK(b, s.Engine.Consume(b.Context())) // notes who follows; nothing is handled later
	users, categories, topics := benchSite(b, s)
	stats := &scriptStats{rdb: server.Client(b), names: map[string]string{}}
	for _, sc := range script.All {
		stats.names[sc.SHA()] = sc.Name()
	}
	rdb.AddHook(redistest.Hook(stats.meet))
	for _, tt := range measured(s, users, categories, topics) {
		b.Run(tt.name, func(b *testing.B) {
			run := func(first int) {
				for i := range b.N {
					must.OK(b, tt.do(b.Context(), first+i))
				}
				s.Engine.Cleaner.Flush() // but consumers handle nothing
			}
			usec, cpu := stats.evalsha(b.Context()), stats.cpu(b.Context())
			run(0)
			b.ReportMetric((stats.evalsha(b.Context())-usec)/float64(b.N), "scripts")
			b.ReportMetric((stats.cpu(b.Context())-cpu)/float64(b.N), "cpu")
			stats.begin()
			run(b.N)
			for name, usec := range stats.end() {
				b.ReportMetric(usec/float64(b.N), name)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// measuredMutation is a kind of mutation, of which do makes one.
type measuredMutation struct {
	name string
	do   func(ctx context.Context, i int) error
}

// measured are the mutations that are measured.
func measured(s *store.Store, users []forum.UserID, categories []forum.CategoryID,
	topics []forum.TopicID) []measuredMutation {
	viewer := func(i int) *forum.Viewer { return &forum.Viewer{ID: users[i%len(users)], Role: forum.RoleUser} }
	return []measuredMutation{
		{"reply", func(ctx context.Context, i int) error {
			in := posts.NewComment{Topic: topics[i%len(topics)], Content: "a reply", Format: forum.Markdown}
			_, err := s.Posts.CreateComment(ctx, viewer(i+1), in)
			return err
		}},
		{"vote", func(ctx context.Context, i int) error {
			_, err := s.Votes.VoteTopic(ctx, viewer(i+1+i/len(topics)), topics[i%len(topics)], forum.VoteUp)
			return err
		}},
		{"bookmark", func(ctx context.Context, i int) error {
			_, err := s.Follows.Bookmark(ctx, viewer(i).ID, topics[(i+i/len(users))%len(topics)], true)
			return err
		}},
		{"profile", func(ctx context.Context, i int) error {
			bio := "about me, " + strconv.Itoa(i)
			return s.Accounts.UpdateProfile(ctx, viewer(i).ID, accounts.ProfileChange{
				Texts: []accounts.ProfileText{{Of: forum.PostedBio, Value: &bio}},
			})
		}},
		{"post", func(ctx context.Context, i int) error {
			in := posts.NewTopic{Author: viewer(i).ID, Kind: forum.Discussion, Title: "a title", Content: "a text",
				Format: forum.Markdown, Category: categories[i%len(categories)]}
			_, err := s.Posts.CreateTopic(ctx, in)
			return err
		}},
	}
}

// benchSite makes 500 users, 20 categories, and 2,000 topics with a tag each.
func benchSite(b *testing.B, s *store.Store) (users []forum.UserID, categories []forum.CategoryID,
	topics []forum.TopicID) {
	b.Helper()
	for i := range 500 {
		login := fmt.Sprintf("user%04d", i)
		id := must.Do(s.Accounts.Register(b.Context(), accounts.NewUser{Login: login, LoginFold: login,
			Name: login}))(b)
		users = append(users, id)
	}
	for i := range 20 {
		name := "category " + strconv.Itoa(i)
		id := must.Do(s.Categories.CreateCategory(b.Context(), name, name, ""))(b)
		categories = append(categories, id)
	}
	tag := must.Do(agoratext.Tag(nil, "tag"))(b)
	for i := range 2000 {
		in := posts.NewTopic{Author: users[i%len(users)], Kind: forum.Discussion, Title: "a title", Content: "a text",
			Format: forum.Markdown, Category: categories[i%len(categories)], Tags: forum.TopicTags{tag}}
		id := must.Do(s.Posts.CreateTopic(b.Context(), in))(b)
		topics = append(topics, id)
	}
	return users, categories, topics
}

// scriptStats sends each script alone and asks Redis how long it took.
type scriptStats struct {
	rdb   redis.UniversalClient
	names map[string]string // of scripts, by their hashes
	mu    sync.Mutex        // guards the following fields, and lets one pipeline be sent at a time
	usec  map[string]float64
}

func (s *scriptStats) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usec = map[string]float64{}
}

// end returns the µs of each script since begin.
func (s *scriptStats) end() map[string]float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	usec := s.usec
	s.usec = nil
	return usec
}

func (s *scriptStats) meet(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.usec == nil {
		return next(ctx, cmds)
	}
	for _, cmd := range cmds {
		before := s.evalsha(ctx)
		_ = next(ctx, []redis.Cmder{cmd}) // the command has its own error
		if strings.EqualFold(cmd.Name(), "evalsha") {
			s.usec[s.names[cmd.Args()[1].(string)]] += s.evalsha(ctx) - before
		}
	}
	return pipeline.FirstError(cmds)
}

// evalsha returns how many µs Redis has executed scripts.
func (s *scriptStats) evalsha(ctx context.Context) float64 {
	return s.sum(ctx, "commandstats", `cmdstat_evalsha:calls=\d+,usec=(\d+)`)
}

// cpu returns how many µs of CPU Redis has used.
func (s *scriptStats) cpu(ctx context.Context) float64 {
	return 1e6 * s.sum(ctx, "cpu", `used_cpu_(?:sys|user):([\d.]+)`)
}

// sum adds the numbers that a pattern finds in a section of INFO.
func (s *scriptStats) sum(ctx context.Context, section, pattern string) float64 {
	info, _ := s.rdb.Info(ctx, section).Result()
	sum := 0.0
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(info, -1) {
		n, _ := strconv.ParseFloat(m[1], 64)
		sum += n
	}
	return sum
}
