package process

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// What the site shows at the end.
type (
	seenID   struct{ ID string }
	seenUser struct{ Login string }
	seenPage struct {
		HasNextPage bool
		EndCursor   *string
	}
	seenComment struct {
		ID, Content string
		DeletedAt   *string
		Parent      *seenID
		Author      seenUser
	}
	seenComments struct {
		Nodes      []seenComment
		PageInfo   seenPage
		TotalCount int
	}
	seenTopic struct {
		ID, Title, Content string
		CommentCount       int
		Category           seenID
		Author             seenUser
		Tags               []struct{ Name string }
		Comments           seenComments
	}
)

const (
	// seenFields are those of a page of comments.
	seenFields = `{ totalCount pageInfo { hasNextPage endCursor } nodes { id content deletedAt parent { id } author { login } } }`
	opTopics   = `query($id: ID!, $after: String) { r: node(id: $id) { ... on Timeline { topics(first: 100, after: $after) {
		totalCount pageInfo { hasNextPage endCursor }
		nodes { id title content commentCount category { id } author { login } tags { name } comments(first: 100) ` + seenFields + ` } } } } }`
	opTopicIDs = `query($id: ID!, $after: String) { r: node(id: $id) { ... on Timeline { topics(first: 100, after: $after) {
		totalCount pageInfo { hasNextPage endCursor } nodes { id } } } } }`
	opComments   = `query($id: ID!, $after: String) { r: topic(by: {id: $id}) { comments(first: 100, after: $after) ` + seenFields + ` } }`
	opOfUser     = `query($id: String!, $after: String) { r: user(by: {login: $id}) { topicCount comments(first: 100, after: $after) ` + seenFields + ` } }`
	opCategory   = `query($id: ID!) { r: category(by: {id: $id}) { topicCount timeline(orderBy: {field: CREATED}) { id } } }`
	opTab        = `query($id: ID!) { r: tab(by: {id: $id}) { topicCount timeline(orderBy: {field: CREATED}) { id } } }`
	opFront      = `{ r: front(orderBy: {field: CREATED}) { id } }`
	opSite       = `{ r: site { topicCount commentCount userCount } }`
	opNodes      = `query($ids: [ID!]!) { r: nodes(ids: $ids) { id } }`
	readPatience = 20 * time.Second
)

// read queries the site signed out.
func read[T any](w *killRun, query string, variables map[string]any) (v T) {
	w.site.t.Helper()
	return readAs[T](w, "", query, variables)
}

// readAs queries the site as the owner of a token.
func readAs[T any](w *killRun, token, query string, variables map[string]any) (v T) {
	t := w.site.t
	t.Helper()
	a, err := w.ask(readPatience, token, query, variables)
	if err != nil || len(a.Errors) > 0 {
		t.Fatalf("%s: %v %v", query, err, a.Errors)
	}
	if err := json.Unmarshal(a.Data.R, &v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

// walk reads all pages of a timeline. A topic that occurs twice is an error.
func (w *killRun) walk(name, query, timeline string) []seenTopic {
	var all []seenTopic
	met := map[string]bool{}
	for after := (*string)(nil); ; {
		page := read[struct {
			Topics struct {
				Nodes      []seenTopic
				PageInfo   seenPage
				TotalCount int
			}
		}](w, query, map[string]any{"id": timeline, "after": after}).Topics
		for _, topic := range page.Nodes {
			if met[topic.ID] {
				w.site.t.Errorf("%s holds topic %q twice", name, topic.ID)
			}
			met[topic.ID] = true
		}
		all = append(all, page.Nodes...)
		if after = page.PageInfo.EndCursor; !page.PageInfo.HasNextPage {
			if len(all) != page.TotalCount {
				w.site.t.Errorf("%s has %d topics; its totalCount is %d", name, len(all), page.TotalCount)
			}
			return all
		}
	}
}

// commentPages reads the pages after the first.
func (w *killRun) commentPages(query, id string, first seenComments) []seenComment {
	all := first.Nodes
	for page := first; page.PageInfo.HasNextPage; {
		page = read[struct{ Comments seenComments }](
			w,
			query,
			map[string]any{"id": id, "after": page.PageInfo.EndCursor},
		).Comments
		all = append(all, page.Nodes...)
	}
	if len(all) != first.TotalCount {
		w.site.t.Errorf("%s has %d comments; its totalCount is %d", id, len(all), first.TotalCount)
	}
	return all
}

// killSight is what was read, by marker.
type killSight struct {
	*killRun
	topics   map[string]seenTopic // by marker
	comments map[string]seenComment
	ids      map[string]bool // of everything shown
	live     int             // comments that are not tombstones
	of       map[string]map[string]bool
	by       map[string]int
}

// verify compares what the site shows with what the clients know.
func (w *killRun) verify() {
	w.site.addrs[1] = w.site.addrs[0] // the only running process
	s := &killSight{
		killRun:  w,
		topics:   map[string]seenTopic{},
		comments: map[string]seenComment{},
		ids:      map[string]bool{},
		of:       map[string]map[string]bool{},
		by:       map[string]int{},
	}
	for _, topic := range w.walk("the front", opTopics, read[seenID](w, opFront, nil).ID) {
		s.see(topic)
	}
	for marker, p := range w.posts {
		if p.topic == nil {
			s.verifyTopic(p)
		} else if _, shown := s.topics[p.topic.marker]; shown {
			s.verifyComment(p)
		} else if _, there := s.comments[marker]; there {
			w.site.t.Errorf("%s is shown without its topic", marker)
		} else if p.id != "" && !p.mayBeDeleted() {
			w.gone("%s is not shown, nor is its topic; it was acknowledged", marker)
		}
	}
	s.verifyLists()
	s.verifyUsers()
	s.verifyHidden()
	s.verifyVotes()
	s.verifyOrders()
	s.verifyReports()
	s.verifySanctions()
}

// see records a topic that is shown, with its comments.
func (s *killSight) see(topic seenTopic) {
	t := s.site.t
	marker, _, _ := strings.Cut(topic.Title, " ")
	p := s.posts[marker]
	if p == nil {
		t.Errorf("topic %q is shown, but was never sent", topic.Title)
		return
	}
	if before, twice := s.topics[marker]; twice {
		s.twice("%s was posted twice: %s and %s", marker, before.ID, topic.ID)
	}
	s.topics[marker], s.ids[topic.ID] = topic, true
	s.by[topic.Author.Login]++
	known := map[string]*killPost{}
	for _, c := range p.comments {
		known[c.id] = c
	}
	live := 0
	for _, c := range s.commentPages(opComments, topic.ID, topic.Comments) {
		if s.ids[c.ID] {
			t.Errorf("%s holds comment %s twice", marker, c.ID)
		}
		s.ids[c.ID] = true
		sent := known[c.ID]
		if c.DeletedAt == nil {
			text, _, _ := strings.Cut(c.Content, " ")
			sent = s.posts[text]
			live++
			if s.of[c.Author.Login] == nil {
				s.of[c.Author.Login] = map[string]bool{}
			}
			s.of[c.Author.Login][c.ID] = true
		}
		switch {
		case sent == nil && c.DeletedAt != nil && s.lossy: // of one of the following
		case sent == nil:
			t.Errorf("%s has a comment that was never sent: %+v", marker, c)
		case sent.topic != p: // two masters have assigned the same id
			s.gone("%s has a comment that was sent to another topic: %+v", marker, c)
			sent = nil
		}
		if sent == nil {
			continue
		}
		if before, twice := s.comments[sent.marker]; twice {
			s.twice("%s was posted twice: %s and %s", sent.marker, before.ID, c.ID)
		}
		s.comments[sent.marker] = c
	}
	if topic.CommentCount != live {
		t.Errorf("%s: commentCount = %d; it has %d", marker, topic.CommentCount, live)
	}
	s.live += live
}

func (s *killSight) verifyTopic(p *killPost) {
	topic, there := s.topics[p.marker]
	switch {
	case there && p.deleted.sure != "":
		s.gone("%s is shown; its deletion was acknowledged", p.marker)
	case !there && p.id != "" && !p.mayBeDeleted():
		s.gone("%s is not shown; it was acknowledged", p.marker)
	case !there:
	case p.id != "" && topic.ID != p.id:
		s.twice("%s is shown as %s; it was acknowledged as %s", p.marker, topic.ID, p.id)
	case topic.Content != "About "+topic.Title || !p.text.allows(topic.Title):
		s.gone("%s: %q, %q; want %+v", p.marker, topic.Title, topic.Content, p.text)
	case !p.place.allows(topic.Category.ID):
		s.gone("%s: category = %s; want %+v", p.marker, topic.Category.ID, p.place)
	case topic.Author.Login != p.owner:
		s.gone("%s: author = %s; want %s", p.marker, topic.Author.Login, p.owner)
	}
	if there {
		s.verifyTags(p, topic.Tags)
	}
}

func (s *killSight) verifyComment(p *killPost) {
	c, there := s.comments[p.marker]
	switch {
	case !there && p.id != "":
		s.gone("%s is not shown in %s; it was acknowledged", p.marker, p.topic.marker)
	case !there:
	case p.id != "" && c.ID != p.id:
		s.twice("%s is shown as %s; it was acknowledged as %s", p.marker, c.ID, p.id)
	case (p.parent != "") != (c.Parent != nil) || c.Parent != nil && c.Parent.ID != p.parent:
		s.gone("%s: parent = %v; want %q", p.marker, c.Parent, p.parent)
	case c.DeletedAt == nil && p.deleted.sure != "":
		s.gone("%s is shown; its deletion was acknowledged", p.marker)
	case c.DeletedAt == nil && (!p.text.allows(c.Content) || c.Author.Login != p.owner):
		s.gone("%s: %q by %s; want %+v by %s", p.marker, c.Content, c.Author.Login, p.text, p.owner)
	case c.DeletedAt != nil && (!p.mayBeDeleted() || c.Content != "" || c.Author.Login == p.owner):
		s.gone("%s: tombstone %+v; want %+v", p.marker, c, p.text)
	}
}

// verifyLists compares the lists of categories and the tab, and the site's counts, with the front.
func (s *killSight) verifyLists() {
	t := s.site.t
	type list struct {
		TopicCount int
		Timeline   seenID
	}
	compare := func(name string, l list, categories ...string) {
		want := map[string]bool{}
		for _, topic := range s.topics {
			if slices.Contains(categories, topic.Category.ID) {
				want[topic.ID] = true
			}
		}
		got := map[string]bool{}
		for _, topic := range s.walk(name, opTopicIDs, l.Timeline.ID) {
			got[topic.ID] = true
		}
		if !maps.Equal(got, want) || l.TopicCount != len(want) {
			t.Errorf("%s lists %d topics and counts %d; the front shows %d of it", name, len(got), l.TopicCount, len(want))
		}
	}
	for n, id := range s.categories {
		compare(fmt.Sprintf("category %d", n), read[list](s.killRun, opCategory, map[string]any{"id": id}), id)
	}
	compare("the tab", read[list](s.killRun, opTab, map[string]any{"id": s.tab}), s.categories[:3]...)
	type counts struct{ TopicCount, CommentCount, UserCount int }
	want := counts{len(s.topics), s.live, len(s.clients) + len(s.logins) + 2} // the moderator and the banned one
	if got := read[counts](s.killRun, opSite, nil); got != want {
		t.Errorf("the site counts %+v; want %+v", got, want)
	}
}

// verifyUsers compares the users' own lists with the topics, and checks that the newcomers exist.
func (s *killSight) verifyUsers() {
	type user struct {
		TopicCount int
		Comments   seenComments
	}
	for _, c := range s.clients {
		u := read[user](s.killRun, opOfUser, map[string]any{"id": c.login})
		got := map[string]bool{}
		all := u.Comments.Nodes
		for page := u.Comments; page.PageInfo.HasNextPage; all = append(all, page.Nodes...) {
			page = read[user](s.killRun, opOfUser, map[string]any{"id": c.login, "after": page.PageInfo.EndCursor}).Comments
		}
		for _, comment := range all {
			if got[comment.ID] {
				s.site.t.Errorf("%s lists comment %s twice", c.login, comment.ID)
			}
			got[comment.ID] = true
		}
		if !maps.Equal(got, s.of[c.login]) || u.TopicCount != s.by[c.login] {
			s.site.t.Errorf("%s lists %d comments and counts %d topics; the topics show %d and %d",
				c.login, len(got), u.TopicCount, len(s.of[c.login]), s.by[c.login])
		}
	}
	for _, login := range s.logins {
		if read[*user](s.killRun, opOfUser, map[string]any{"id": login}) == nil {
			s.gone("%s is not there; the registration was acknowledged", login)
		}
	}
}

// verifyHidden reads everything that is not shown by its id.
func (s *killSight) verifyHidden() {
	var hidden []string
	for _, p := range s.posts {
		if p.id != "" && !s.ids[p.id] {
			hidden = append(hidden, p.id)
		}
	}
	for ids := range slices.Chunk(hidden, 100) {
		for i, node := range read[[]*seenID](s.killRun, opNodes, map[string]any{"ids": ids}) {
			if node != nil {
				s.site.t.Errorf("node %s exists; lists do not show it", ids[i])
			}
		}
	}
	s.site.note("shown: %d topics, %d comments and %d tombstones; hidden with deleted topics: %d posts",
		len(s.topics), s.live, len(s.ids)-len(s.topics)-s.live, len(hidden))
}

// report logs what was done.
func (w *killRun) report(took time.Duration) {
	var sum [3]int
	for _, kind := range slices.Sorted(maps.Keys(w.counts)) {
		n := w.counts[kind]
		w.site.note("%-24s acknowledged %6d, refused %5d, unknown %5d", kind, n[acknowledged], n[refused], n[unknown])
		for f := range sum {
			sum[f] += n[f]
		}
	}
	w.site.note(
		"%d kills in %v; %d writes acknowledged (%.0f/s), %d refused, %d unknown",
		w.site.kills.Load(),
		took.Round(time.Millisecond),
		sum[acknowledged],
		float64(sum[acknowledged])/took.Seconds(),
		sum[refused],
		sum[unknown],
	)
	if errors := w.site.logged("level=ERROR"); errors != "" {
		w.site.note("the last errors in the server's log:\n%s", errors)
	}
}
