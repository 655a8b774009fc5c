package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/text"
)

// postMany posts n topics of one user in the category Go with the tag tea, each with one net vote more than the one
// before.
func (s *site) postMany(n int) {
	s.t.Helper()
	ctx := context.Background()
	author := userOf(s.user("ann"))
	category := must.Do(s.store.Categories.CreateCategory(ctx, "Go", "go", ""))(s.t)
	tags, _ := text.Tags(nil, []string{"tea"})
	bulk := s.store.Bulk()
	for i := range n {
		s.clock.Advance(second)
		in := posts.NewTopic{Author: author, Kind: forum.Discussion, Title: fmt.Sprintf("Topic %d", i),
			Format: forum.Markdown, Category: category, Tags: tags, Upvotes: i, Downvotes: 1}
		must.Do(bulk.Posts.CreateTopic(ctx, in))(s.t)
	}
	s.settle()
}

// A page of a stored order costs the same commands, whatever the number of topics in it, and wherever the page is.
func TestPagesCostTheSameInLongLists(t *testing.T) {
	testlevel.Usual(t)
	few, many := newSite(t), newSite(t)
	few.postMany(20)
	many.postMany(2000)
	for _, owner := range []string{"front", `category(by: {name: "Go"}) { timeline`, `tag(name: "tea") { timeline`} {
		for _, order := range []string{"CREATED", "ACTIVE", "SCORE", "HOT"} {
			for _, direction := range []string{"DESC", "ASC"} {
				ask := func(s *site, args string) answer {
					s.t.Helper()
					return s.must("", fmt.Sprintf(`{ x: %s(orderBy: {field: %s, direction: %s}) { topics(%s) { totalCount pageInfo { hasNextPage endCursor }
						edges { cursor rank score explanation { terms { value } votesToPass } node { title tags { name } votes { net } author { login } } } } } }`,
						owner, order, direction, args)+strings.Repeat(" }", strings.Count(owner, " { ")), nil)
				}
				middle := func(s *site) string {
					_, rest, _ := strings.Cut(ask(s, "first: 5, skip: 5").body, `"endCursor":"`)
					cursor, _, _ := strings.Cut(rest, `"`)
					return cursor
				}
				a, b := middle(few), middle(many)
				for _, args := range []string{"first: 5", "last: 5", "first: 5, skip: 5", "first: 5, after: %q",
					"last: 5, before: %q"} {
					if !strings.Contains(args, "%q") {
						args += "%.0s"
					}
					x, y := ask(few, fmt.Sprintf(args, a)), ask(many, fmt.Sprintf(args, b))
					if got, want := y.Extensions.Redis, x.Extensions.Redis; got != want || want.RoundTrips < 3 || strings.Count(y.body, `"rank":`) != 5 {
						t.Errorf("%s by %s %s (%s): %+v of 2,000 topics; want as for 20, %+v: %s", owner, order, direction, args, got,
							want, y.body)
					}
				}
			}
		}
	}
}
