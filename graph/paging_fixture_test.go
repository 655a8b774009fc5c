package graph_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	built "agora/internal/test/site"
)

// pagingFixture is a generated site for orders by votes: discussions and articles in the categories Go and Redis,
// which the tab All shows, with the tag tea. Some of them were posted at the same time or have the same votes.
type pagingFixture struct {
	*site
	voters []*forum.Viewer
}

func newPagingFixture(t testing.TB, seed uint64, topics, voters int) *pagingFixture {
	t.Helper()
	l := &pagingFixture{site: newSite(t)}
	to, bulk := built.On(t, l.store), built.On(t, l.store.Bulk())
	for i := range voters {
		l.voters = append(l.voters, to.User(fmt.Sprintf("voter%02d", i)))
	}
	author := l.voters[0]
	l.voters = l.voters[1:]
	categories := []forum.CategoryID{to.Category("Go"), to.Category("Redis")}
	to.Tab("All", categories...)
	r := rand.New(rand.NewPCG(seed, 2))
	now := l.store.Engine.Now()
	for i := range topics {
		in := posts.NewTopic{Author: author.ID, Kind: forum.Discussion, Title: fmt.Sprintf("Topic %d", i),
			Format: forum.Markdown, Category: categories[r.IntN(2)],
			Upvotes: r.IntN(6), Downvotes: r.IntN(5), CreatedAt: now - forum.Time(r.IntN(20))*300_000 - forum.Time(r.IntN(2)*7),
			Tags: built.Tags("tea")}
		if i%3 == 2 {
			in.Kind, in.Link = forum.Article, "https://example.net/"
		}
		id := bulk.Post(in)
		for range r.IntN(4) {
			l.clock.Advance(second)
			bulk.Say(author, id, "Some words")
		}
	}
	l.settle()
	return l
}

// place is an edge of a timeline.
type place struct {
	Rank        int
	Score       float64
	Explanation struct {
		Formula string
		Terms   []struct {
			Name  string
			Value float64
		}
		VotesToPass *int
	}
	Node struct {
		ID                      string
		Number                  forum.TopicID
		CreatedAt, LastActiveAt time.Time
		CommentCountToday       int
		Votes                   struct {
			Up, Down, Net int
			IsOpen        bool
		}
	}
}

// page is a page of a timeline.
type page struct {
	TotalCount int
	PageInfo   struct {
		StartCursor, EndCursor       string
		HasNextPage, HasPreviousPage bool
	}
	Edges []place
}

// page reads a page of a timeline, such as `category(by: {name: "Go"}) { timeline(orderBy: …)`.
func (s *site) page(timeline, args string) page {
	s.t.Helper()
	return s.pages(timeline, `topics(`+args+`) { totalCount pageInfo { startCursor endCursor hasNextPage hasPreviousPage } edges { rank score
		explanation { formula terms { name value } votesToPass } node { id number createdAt lastActiveAt commentCountToday votes { up down net isOpen } } } }`)["topics"]
}

// pages reads pages of a timeline, by the names of the selected fields.
func (s *site) pages(timeline, selected string) map[string]page {
	s.t.Helper()
	owner, field, found := strings.Cut(timeline, " { ")
	query := "{ x: " + timeline
	if found {
		query = "{ " + owner + " { x: " + field
	}
	a := s.must("", query+" { "+selected+" }"+strings.Repeat(" }", strings.Count(query, "{")-strings.Count(query, "}")),
		nil)
	shown := must.Do(json.Marshal(firstX(a.Data)))(s.t)
	var x map[string]page
	if err := json.Unmarshal(shown, &x); err != nil {
		s.t.Fatalf("%s: %v: %s", timeline, err, a.body)
	}
	return x
}

// owners are the owners of the fixture's timelines, by the text before the arguments.
var owners = []string{"front", `category(by: {name: "Go"}) { timeline`, `tab(by: {name: "All"}) { timeline`, `tag(name: "TEA") { timeline`}

// ordered is a timeline of an owner in an order.
func ordered(owner, order, direction, period string) string {
	args := "orderBy: {field: " + order + ", direction: " + direction + "}"
	if period != "" {
		args += ", period: " + period
	}
	return owner + "(" + args + ")"
}
