package process

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// killVote is a client's vote on a post: UP, DOWN or NONE.
type killVote struct {
	killValue
	rest time.Time // no other vote before: one without an answer may still be in progress
}

// killTags are the tags that clients add to their topics and remove from them.
var killTags = []string{"go", "Redis", "茶", "graphql", "Lua scripts"}

const (
	opVote     = `mutation($i: VoteInput!) { r: vote(input: $i) { subject { votes { up down } } changed errors { code } } }`
	opTagTopic = `mutation($i: TagTopicInput!) { r: tagTopic(input: $i) { topic { id } errors { code } } }`
	opVotes    = `query($ids: [ID!]!) { r: nodes(ids: $ids) { id ... on Votable { votes { up down viewerVote } } } }`
	opTag      = `query($id: String!) { r: tag(name: $id) { topicCount timeline { id } } }`
	opOrder    = `query($field: TopicOrderField!) { r: front(orderBy: {field: $field}) { id } }`
	opRanked   = `query($id: ID!, $after: String) { r: node(id: $id) { ... on Timeline { topics(first: 100, after: $after) {
		totalCount pageInfo { hasNextPage endCursor }
		edges { rank score node { id createdAt votes { net } tags { name } } } } } } }`
)

// vote sets the client's vote on some recent post.
func (c *killClient) vote() {
	w := c.run
	w.mu.Lock()
	p := w.votable()
	if p == nil {
		w.mu.Unlock()
		return
	}
	v := c.votes[p]
	if v == nil {
		v = &killVote{killValue: killValue{sure: p.voteOfOwner(c.login)}}
		c.votes[p] = v
	}
	if time.Now().Before(v.rest) {
		w.mu.Unlock()
		return
	}
	want := []string{"UP", "DOWN", "NONE"}[rand.IntN(3)]
	v.sent(want)
	w.voted[p] = true
	id := p.id
	w.mu.Unlock()
	_, f, code := w.mutate(c.patience(), c.token, opVote, map[string]any{"subjectId": id, "direction": want})
	w.count("vote", f)
	w.mu.Lock()
	defer w.mu.Unlock()
	if f == refused && !p.mayBeDeleted() {
		w.wrong("vote %s on %s: refused: %s", want, p.marker, code)
	}
	if f == unknown {
		v.rest = time.Now().Add(w.late)
	}
	v.answered(want, f)
}

// voteOfOwner is a user's vote before any call: an article's author votes for it.
func (p *killPost) voteOfOwner(login string) string {
	if p.article && p.owner == login {
		return "UP"
	}
	return "NONE"
}

// votable returns a recent topic, or one of its comments. The caller holds the lock.
func (w *killRun) votable() *killPost {
	if len(w.topics) == 0 {
		return nil
	}
	p := w.topics[len(w.topics)-1-rand.IntN(min(recent/5, len(w.topics)))]
	if n := len(p.comments); n > 0 && rand.IntN(2) == 0 {
		return p.comments[n-1-rand.IntN(min(5, n))]
	}
	return p
}

// tagTopic adds a tag to one of the client's topics, or removes it.
func (c *killClient) tagTopic() {
	p := c.own(c.topics)
	if p == nil {
		return
	}
	tag, list, want := killTags[rand.IntN(len(killTags))], "add", "yes"
	if rand.IntN(2) == 0 {
		list, want = "remove", ""
	}
	c.change(
		"tagTopic",
		p,
		opTagTopic,
		map[string]any{"topicId": p.id, list: []string{tag}},
		map[*killValue]string{p.tags[tag]: want},
	)
}

// seenVotes are the votes on a post as one user sees them.
type seenVotes struct {
	ID    string
	Votes struct {
		Up, Down   int
		ViewerVote string
	}
}

// verifyVotes compares each client's own votes, and their sums, with what was acknowledged.
func (s *killSight) verifyVotes() {
	byID := map[string]*killPost{}
	for p := range s.voted {
		if s.ids[p.id] {
			byID[p.id] = p
		}
	}
	up, down, sums := map[string]int{}, map[string]int{}, map[string]seenVotes{}
	for _, c := range s.clients {
		for ids := range slices.Chunk(slices.Collect(maps.Keys(byID)), 100) {
			for _, seen := range readAs[[]*seenVotes](s.killRun, c.token, opVotes, map[string]any{"ids": ids}) {
				if seen == nil {
					continue
				}
				switch seen.Votes.ViewerVote {
				case "UP":
					up[seen.ID]++
				case "DOWN":
					down[seen.ID]++
				}
				sums[seen.ID] = *seen
				allowed := killValue{sure: byID[seen.ID].voteOfOwner(c.login)}
				if v := c.votes[byID[seen.ID]]; v != nil {
					allowed = v.killValue
				}
				if !allowed.allows(seen.Votes.ViewerVote) {
					s.gone(
						"%s on %s: viewerVote = %s; want %+v",
						c.login,
						byID[seen.ID].marker,
						seen.Votes.ViewerVote,
						allowed,
					)
				}
			}
		}
	}
	for id, seen := range sums {
		if seen.Votes.Up != up[id] || seen.Votes.Down != down[id] {
			s.site.t.Errorf(
				"%s: %d up, %d down; the users voted %d and %d",
				byID[id].marker,
				seen.Votes.Up,
				seen.Votes.Down,
				up[id],
				down[id],
			)
		}
	}
	s.site.note("votes looked at: on %d posts by %d users", len(sums), len(s.clients))
}

// seenPlace is a topic's position in an order.
type seenPlace struct {
	Rank  int
	Score float64
	Node  struct {
		ID        string
		CreatedAt time.Time
		Votes     struct{ Net int }
		Tags      []struct{ Name string }
	}
}

// verifyOrders walks the orders by votes: each has every topic once, at the position of its votes, and each tag lists
// the topics that have it.
func (s *killSight) verifyOrders() {
	t := s.site.t
	tagged := map[string]int{}
	for field, score := range map[string]func(created float64, net int) float64{
		"SCORE": func(created float64, net int) float64 { return created + 432*float64(net) },
		"HOT": func(created float64, net int) float64 {
			sign := 1.0
			if net < 0 {
				sign = -1
			}
			return sign*math.Log10(max(math.Abs(float64(net)), 1)) + (created-1134028003)/45000
		},
	} {
		met := map[string]bool{}
		last := math.Inf(1)
		for _, at := range s.places(field, read[seenID](s.killRun, opOrder, map[string]any{"field": field}).ID) {
			want := score(float64(at.Node.CreatedAt.UnixMilli())/1000, at.Node.Votes.Net)
			if math.Abs(at.Score-want) > 1e-6 || at.Score > last || at.Rank != len(met)+1 || met[at.Node.ID] {
				t.Errorf(
					"%s: %s stands at rank %d by %f; want %f, at rank %d, below %f",
					field,
					at.Node.ID,
					at.Rank,
					at.Score,
					want,
					len(met)+1,
					last,
				)
			}
			last, met[at.Node.ID] = at.Score, true
			for _, tag := range at.Node.Tags {
				tagged[field+tag.Name]++
			}
		}
		if len(met) != len(s.topics) {
			t.Errorf("%s holds %d topics; the front %d", field, len(met), len(s.topics))
		}
	}
	for _, tag := range killTags {
		type list struct {
			TopicCount int
			Timeline   seenID
		}
		l := read[*list](s.killRun, opTag, map[string]any{"id": tag})
		if want := tagged["HOT"+tag]; l == nil && want > 0 ||
			l != nil && (l.TopicCount != want || len(s.places(tag, l.Timeline.ID)) != want) {
			t.Errorf("tag %s lists %+v; %d topics have it", tag, l, want)
		}
	}
}

// places reads all pages of an order.
func (s *killSight) places(name, timeline string) []seenPlace {
	var all []seenPlace
	for after := (*string)(nil); ; {
		page := read[struct {
			Topics struct {
				Edges      []seenPlace
				PageInfo   seenPage
				TotalCount int
			}
		}](s.killRun, opRanked, map[string]any{"id": timeline, "after": after}).Topics
		all = append(all, page.Edges...)
		if after = page.PageInfo.EndCursor; !page.PageInfo.HasNextPage {
			if len(all) != page.TotalCount {
				s.site.t.Errorf("%s has %d topics; its totalCount is %d", name, len(all), page.TotalCount)
			}
			return all
		}
	}
}

// verifyTags compares a topic's tags with those that were acknowledged.
func (s *killSight) verifyTags(p *killPost, shown []struct{ Name string }) {
	for tag, v := range p.tags {
		has := ""
		if slices.ContainsFunc(shown, func(x struct{ Name string }) bool { return x.Name == tag }) {
			has = "yes"
		}
		if !v.allows(has) {
			s.gone("%s: tag %s = %q; want %+v", p.marker, tag, has, *v)
		}
	}
}

// furnishTags adds some tags to a new topic, and records them.
func (p *killPost) furnishTags() []string {
	given := []string{}
	p.tags = map[string]*killValue{}
	for _, tag := range killTags {
		p.tags[tag] = &killValue{}
		if rand.IntN(3) == 0 {
			given = append(given, tag)
			p.tags[tag].sent("yes")
		}
	}
	return given
}

// link is the link of an article.
func (p *killPost) link() string { return fmt.Sprintf("https://example.org/%s", p.marker) }
