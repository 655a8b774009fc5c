package graph_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/store/sessions"
	"agora/internal/test/must"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/text"
)

const second = 1_000_000_000

var update = flag.Bool("update", false, "write the answers of testdata again")

// scale is how many rows a test site has.
type scale struct{ users, topics, comments, sessions int }

var (
	small = scale{users: 6, topics: 10, comments: 5, sessions: 2}
	large = scale{users: 60, topics: 100, comments: 50, sessions: 20} // ten times the rows at every level
)

// fill writes a site of the given scale: three categories in two tabs, discussions and articles with tags, nested
// comments, and votes on all of them. Topics and comments have different authors, so that no author of a comment is
// known before the comment is read.
func (s *site) fill(n scale) {
	s.t.Helper()
	ctx := context.Background()
	categories := s.rooms()
	users := make([]forum.UserID, n.users)
	for i := range users {
		login := fmt.Sprintf("user%02d", i)
		in := built.Account(login)
		in.Name, in.Email, in.EmailFold = "User "+login, login+"@example.com", login+"@example.com"
		users[i] = must.Do(s.store.Accounts.Register(ctx, in))(s.t)
	}
	s.see(users[0])
	bulk := built.On(s.t, s.store.Bulk())
	var first []forum.CommentID // comments on the first topic
	for i := range n.topics {
		s.clock.Advance(second)
		topic := bulk.Post(topicOf(i, users[i%(n.users/2)], categories[i%3]))
		s.keep(users[0], topic, i)
		for v := range i % 4 {
			bulk.Cast(&forum.Viewer{ID: users[(i+v)%n.users]}, topic,
				[]forum.VoteDirection{forum.VoteUp, forum.VoteDown}[v%2])
		}
		var parents []forum.CommentID
		for c := range n.comments {
			s.clock.Advance(second)
			in := posts.NewComment{Topic: topic, Content: fmt.Sprintf("Comment %d", c), Format: forum.Markdown,
				Upvotes: 7 * c % 5, Downvotes: 3 * c % 4}
			if c%3 != 0 {
				in.Parent = parents[c-1]
			}
			by := &forum.Viewer{ID: users[n.users/2+(i+c)%(n.users/2)], Role: forum.RoleUser}
			parents = append(parents, bulk.Reply(by, in))
		}
		first = append(first, parents[:min(len(parents), n.comments-len(first))]...)
		bulk.CastOn(&forum.Viewer{ID: users[0]}, parents[i%n.comments], forum.VoteUp)
	}
	for i := range n.sessions {
		s.clock.Advance(second)
		ends := s.store.Engine.Now() + forum.Time(forum.SessionLife.Milliseconds())
		must.OK(s.t, s.store.Sessions.StartSession(ctx, sessions.NewSession{User: users[0],
			Digest: sessionOf(users[0], i).Digest(),
			Ends:   ends, UserAgent: fmt.Sprintf("Browser/%d.0", i)}))
	}
	s.settle()
	s.mention(users, first)
	s.mingle(users, categories)
}

// rooms creates three categories and two tabs.
func (s *site) rooms() []forum.CategoryID {
	to := built.On(s.t, s.store)
	categories := []forum.CategoryID{to.Category("Go"), to.Category("Redis"), to.Category("茶")}
	to.Tab("Tech", categories[:2]...)
	to.Tab("All", categories...)
	return categories
}

// see marks timelines as read for a user.
func (s *site) see(user forum.UserID) {
	s.t.Helper()
	for _, t := range []forum.Timeline{
		{Kind: forum.FrontTimeline, Order: forum.ByActive, Direction: forum.Descending},
		{Kind: forum.TabTimeline, Owner: 2, Order: forum.ByActive, Direction: forum.Descending},
		{Kind: forum.HomeTimeline, Owner: int64(user), Order: forum.ByCreated, Direction: forum.Descending},
		{Kind: forum.BookmarksTimeline, Owner: int64(user), Direction: forum.Descending},
	} {
		must.OK(s.t, s.store.Posts.MarkTimelineRead(context.Background(), user, t))
	}
}

// mention lets the authors of comments on the first topic, which was filled in bulk without notifications, mention
// the first user by an edit.
func (s *site) mention(users []forum.UserID, comments []forum.CommentID) {
	s.t.Helper()
	for c, id := range comments {
		by := &forum.Viewer{ID: users[len(users)/2+c%(len(users)/2)]}
		change := posts.CommentChange{Content: fmt.Sprintf("Comment %d", c),
			Mentions: forum.Mentions{{Fold: "user00", User: users[0]}}}
		must.OK(s.t, s.store.Posts.UpdateComment(context.Background(), by, id, change))
	}
}

// keep bookmarks the i-th topic for a user and marks it as read, except every fifth.
func (s *site) keep(user forum.UserID, topic forum.TopicID, i int) {
	s.t.Helper()
	if i%5 == 4 {
		return
	}
	_, err := s.store.Follows.Bookmark(context.Background(), user, topic, true)
	must.OK(s.t, errors.Join(err, s.store.Posts.MarkTopicRead(context.Background(), &forum.Viewer{ID: user}, topic)))
}

// mingle lets the first user follow all others, a category and a tag, and have lists of users.
func (s *site) mingle(users []forum.UserID, categories []forum.CategoryID) {
	s.t.Helper()
	ctx := context.Background()
	targets := []forum.Target{{Category: categories[0]}, {Tag: built.Tags("green tea")[0].ID}}
	for _, id := range users[1:] {
		targets = append(targets, forum.Target{User: id})
	}
	for _, target := range targets {
		s.clock.Advance(second)
		must.Do(s.store.Follows.Follow(ctx, users[0], target, true))(s.t)
	}
	must.Do(s.store.Follows.Follow(ctx, users[1], forum.Target{User: users[0]}, true))(s.t)
	for n, name := range []string{"Friends", "Everybody"} {
		list := must.Do(s.store.Follows.CreateList(ctx, users[0], name, strings.ToLower(name)))(s.t)
		for i, id := range users[:len(users)/(2-n)] {
			s.clock.Advance(second)
			if i > 0 {
				must.OK(s.t, s.store.Follows.UpdateListMembers(ctx, users[0], list, []forum.UserID{id}, nil))
			}
		}
	}
	s.settle()
}

// topicOf returns the i-th topic of a site: every fourth is an article, and all have tags.
func topicOf(i int, author forum.UserID, category forum.CategoryID) posts.NewTopic {
	in := posts.NewTopic{Author: author, Kind: forum.Discussion, Title: fmt.Sprintf("Topic %d 🍵", i),
		Content: "Some *text*.", Format: forum.Markdown,
		Category: category, Upvotes: i, Downvotes: i / 2}
	if i%4 == 3 {
		in.Kind, in.Link = forum.Article, fmt.Sprintf("https://example.net/%d", i)
	}
	in.Tags, _ = text.Tags(nil, []string{[]string{"Red tea", "green tea"}[i%2], fmt.Sprint("Year ", i%5)})
	return in
}

// sessionOf returns the token of one of a user's sessions on a test site.
func sessionOf(user forum.UserID, n int) auth.Token {
	t := auth.Token{User: user}
	t.Secret[0] = byte(n)
	return t
}

// operation is one file of testdata.
type operation struct {
	name, query string
	trips       int
	cold        int    // round trips of the first reader in a minute, who takes the snapshots
	as          string // login of the viewer; "" is signed out
}

var (
	stated = regexp.MustCompile(`(?m)^# roundTrips = (\d+)$`)
	taken  = regexp.MustCompile(`(?m)^# cold = (\d+)$`)
	asked  = regexp.MustCompile(`(?m)^# as (\w+)$`)
)

func operations(t *testing.T) []operation {
	files, err := filepath.Glob("testdata/*.graphql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no operations in testdata: %v", err)
	}
	var ops []operation
	for _, f := range files {
		document := must.Do(os.ReadFile(f))(t)
		m := stated.FindSubmatch(document)
		if m == nil {
			t.Fatalf("%s does not state its round trips", f)
		}
		trips, _ := strconv.Atoi(string(m[1]))
		cold := trips
		if m := taken.FindSubmatch(document); m != nil {
			cold, _ = strconv.Atoi(string(m[1]))
		}
		as := ""
		if m := asked.FindSubmatch(document); m != nil {
			as = string(m[1])
		}
		ops = append(ops, operation{strings.TrimSuffix(filepath.Base(f), ".graphql"), string(document), trips, cold,
			as})
	}
	return ops
}

// tokenOf returns the token of the first session of a user of a test site.
func (s *site) tokenOf(login string) string {
	s.t.Helper()
	if login == "" {
		return ""
	}
	found, err := s.store.Sessions.Credentials(context.Background(), login, false)
	if err != nil || found.User == 0 {
		s.t.Fatalf("no user %q: %v", login, err)
	}
	return sessionOf(found.User, 0).String()
}

// lastTopic returns the number of the last topic.
func (s *site) lastTopic() int {
	return s.must("", `{ front(orderBy: {field: CREATED}) { topics(first: 1) { nodes { number } } } }`, nil).number("front", "topics", "nodes", 0, "number")
}

func (s *site) variables(n scale) map[string]any {
	return map[string]any{"topics": n.topics, "comments": n.comments, "number": s.lastTopic(),
		"login": fmt.Sprintf("user%02d", n.users/2)}
}

// Each operation returns the stated answer in the stated number of round trips.
func TestOperations(t *testing.T) {
	s := newSite(t)
	s.fill(small)
	for _, op := range operations(t) {
		t.Run(op.name, func(t *testing.T) {
			compareAnswer(t, op.name, s.wantTrips(t, op, small))
		})
	}
}

// With ten times the rows at every level, operations take as many round trips.
func TestOperationsOnMoreRows(t *testing.T) {
	testlevel.Usual(t)
	few, many := newSite(t), newSite(t)
	few.fill(small)
	many.fill(large)
	for _, op := range operations(t) {
		t.Run(op.name, func(t *testing.T) {
			a, b := few.wantTrips(t, op, small), many.wantTrips(t, op, large)
			if len(b.body) < 5*len(a.body) {
				t.Errorf("%s answered %d bytes on the large site, %d on the small one: the rows are not ten times as many",
					op.name, len(b.body), len(a.body))
			}
			t.Logf("%s: %d round trips and %d commands; with ten times the rows %d and %d", op.name,
				a.Extensions.Redis.RoundTrips, a.Extensions.Redis.Commands, b.Extensions.Redis.RoundTrips,
				b.Extensions.Redis.Commands)
		})
	}
}

// wantTrips runs an operation twice, compares the round trips and the answers, and returns the second one: the first
// time there are no snapshots yet, and the reader takes them; later readers of the same minute find them.
func (s *site) wantTrips(t *testing.T, op operation, n scale) answer {
	t.Helper()
	cold := s.must(s.tokenOf(op.as), op.query, s.variables(n))
	if got := cold.Extensions.Redis.RoundTrips; got != op.cold {
		t.Errorf("%s with %+v took %d round trips at first; testdata/%s.graphql states %d", op.name, n, got, op.name, op.cold)
	}
	warm := s.must(s.tokenOf(op.as), op.query, s.variables(n))
	if got := warm.Extensions.Redis.RoundTrips; got != op.trips {
		t.Errorf("%s with %+v took %d round trips; testdata/%s.graphql states %d", op.name, n, got, op.name, op.trips)
	}
	wantEqual(t, op.name+", the first time", cold.Data, warm.Data)
	return warm
}

// compareAnswer compares the data with testdata/NAME.json.
func compareAnswer(t *testing.T, name string, a answer) {
	t.Helper()
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	must.OK(t, enc.Encode(a.Data))
	file := filepath.Join("testdata", name+".json")
	if *update {
		must.OK(t, os.WriteFile(file, got.Bytes(), 0o644))
	}
	want := must.Do(os.ReadFile(file))(t)
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s does not answer %s (-want +got):\n%s\nIf that is meant, write it again: "+
			"go test ./graph -run 'TestOperations$' -update", name, file, diff)
	}
}
