package graph_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/graph"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/posts"
	"agora/internal/test/redistest"
)

// voteSite is a site with the category Go and users who vote.
type voteSite struct {
	*site
	ann, bob, cid, mod string            // tokens; mod is a moderator
	ids                map[string]string // of topics by title
}

func newVoteSite(t testing.TB, options ...func(*graph.Resolver)) *voteSite {
	t.Helper()
	return voteSiteOn(newSite(t, options...))
}

// newVoteSiteIn is a voteSite whose days begin in a zone.
func newVoteSiteIn(t testing.TB, zone string) *voteSite {
	t.Helper()
	return voteSiteOn(newSiteOn(t, redistest.New(t), store.Layout{TimeZone: zone}))
}

func voteSiteOn(s *site) *voteSite {
	s.t.Helper()
	p := &voteSite{site: s, ids: map[string]string{}}
	p.ann, p.bob, p.cid, p.mod = p.user("ann"), p.user("bob"), p.user("cid"), p.moderator("mia")
	p.category(p.mod, "Go")
	return p
}

// post posts a topic a second after the last one; in has the differences from a discussion in Go.
func (p *voteSite) post(token, title string, in input) string {
	p.t.Helper()
	p.clock.Advance(second)
	topic := input{"title": title, "category": input{"name": "Go"}}
	for field, value := range in {
		topic[field] = value
	}
	a := p.mutate(token, "createTopic", topic, "topic { id }")
	p.wantVerdict("createTopic "+title, a, "")
	p.ids[title] = a.text("createTopic", "topic", "id")
	return p.ids[title]
}

// link posts an article.
func (p *voteSite) link(token, title string, tags ...string) string {
	p.t.Helper()
	return p.post(token, title,
		input{"kind": "ARTICLE", "link": "https://example.net/", "tags": append([]string{}, tags...)})
}

// tallied are topics of which only votes and times matter.
type tallied struct {
	title    string
	created  time.Time
	up, down int
	kind     forum.TopicKind // "" is a discussion
	tags     forum.TopicTags
}

// imported writes topics with the votes that they had elsewhere.
func (p *voteSite) imported(topics ...tallied) {
	p.t.Helper()
	ctx := context.Background()
	im := p.store.Import()
	rows := make([]posts.NewTopic, len(topics))
	for i, t := range topics {
		rows[i] = posts.NewTopic{Author: userOf(p.ann), Kind: forum.Discussion, Title: t.title, Category: 1,
			Format: forum.Markdown, Tags: t.tags,
			CreatedAt: forum.Time(t.created.UnixMilli()), Upvotes: t.up, Downvotes: t.down, Source: "elsewhere:" + t.title}
		if t.kind != "" {
			rows[i].Kind, rows[i].Link = t.kind, "https://example.net/"
		}
	}
	made, err := im.Topics(ctx, rows)
	if err == nil {
		err = im.Publish(ctx, made, nil, nil)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	for i, t := range topics {
		p.ids[t.title] = gid("Topic", strconv.FormatInt(int64(made[i].ID), 10))
	}
}

// at advances the clock to an instant.
func (p *voteSite) at(t time.Time) { p.clock.Advance(t.Sub(p.clock.Now())) }

// expire deletes what Redis would have expired by now: its clock is not the site's.
func (p *voteSite) expire() {
	p.t.Helper()
	ctx := context.Background()
	keys, err := redistest.Keys(ctx, p.redis, "*")
	ends := make([]*redis.DurationCmd, len(keys))
	if err == nil {
		_, err = p.redis.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for i, key := range keys {
				ends[i] = pipe.ExpireTime(ctx, key)
			}
			return nil
		})
	}
	if err != nil {
		p.t.Fatal(err)
	}
	for i, key := range keys {
		// Keys that expire after a duration, and not at an instant, use the clock of Redis.
		if at := time.Unix(0, int64(ends[i].Val())); at.After(redistest.NewClock().Now()) && !at.After(p.clock.Now()) {
			p.redis.Del(ctx, key)
		}
	}
}

const countFields = "votes { up down net viewerVote }"

// votesOf returns a VoteSummary as "up-down vote of the viewer".
func votesOf(votes any) string {
	v, _ := votes.(map[string]any)
	return fmt.Sprintf("%v-%v %v", v["up"], v["down"], v["viewerVote"])
}

// cast votes, and returns the answer as "changed up-down vote of the viewer", or why it was refused.
func (p *voteSite) cast(token, subject, direction string) string {
	p.t.Helper()
	a := p.mutate(token, "vote", input{"subjectId": subject, "direction": direction},
		"changed subject { "+countFields+" }")
	if v := a.verdict(); v != "" {
		return v
	}
	return fmt.Sprint(a.at("vote", "changed"), " ", votesOf(a.at("vote", "subject", "votes")))
}

// stands returns the votes on a subject as votesOf does, for a viewer.
func (p *voteSite) stands(token, subject string) string {
	p.t.Helper()
	return votesOf(p.must(token, `query($id: ID!) { node(id: $id) { ... on Votable { `+countFields+` } } }`, input{"id": subject}).at("node", "votes"))
}

// voters are the logins of those who voted one way.
func (p *voteSite) voters(topic, direction string) string {
	p.t.Helper()
	a := p.must(p.mod, `query($id: ID!, $d: VoteDirection!) { topic(by: {id: $id}) { voters(direction: $d) { totalCount nodes { login } } } }`, input{"id": topic, "d": direction})
	logins := a.texts("login", "topic", "voters", "nodes")
	wantEqual(p.t, "totalCount of voters", a.number("topic", "voters", "totalCount"), len(logins))
	slices.Sort(logins) // they are sorted by id
	return strings.Join(logins, " ")
}

func (p *voteSite) wantListed(timeline, want string) {
	p.t.Helper()
	if got := strings.Join(p.listed(timeline, "title"), ", "); got != want {
		p.t.Errorf("%s lists %q; want %q", timeline, got, want)
	}
}

// The votes of a forum. A43: score is up minus down. X12: in the documents an up-vote after a down-vote does nothing,
// and the list of recommendations is not updated.
func TestVotesOnATopic(t *testing.T) {
	p := newVoteSite(t)
	topic := p.post(p.ann, "A topic", nil)
	steps := []struct {
		name, token, direction, want string
		up, down                     string // voters
	}{
		{"A32: no votes yet", p.bob, "NONE", "false 0-0 NONE", "", ""},
		{"A33: a vote for it", p.bob, "UP", "true 1-0 UP", "bob", ""},
		{"A33: the same once more", p.bob, "UP", "false 1-0 UP", "bob", ""},
		{"A34: another's vote against it", p.cid, "DOWN", "true 1-1 DOWN", "bob", "cid"},
		{"A34: the same once more", p.cid, "DOWN", "false 1-1 DOWN", "bob", "cid"},
		{"A36: the author may vote too", p.ann, "UP", "true 2-1 UP", "ann bob", "cid"},
		{"A35: a vote for it is taken back", p.bob, "NONE", "true 1-1 NONE", "ann", "cid"},
		{"A35: a vote against it is taken back", p.cid, "NONE", "true 1-0 NONE", "ann", ""},
		{"A35: nothing is there to take back", p.cid, "NONE", "false 1-0 NONE", "ann", ""},
		{"A43: more against it than for it", p.bob, "DOWN", "true 1-1 DOWN", "ann", "bob"},
		{"A43: more against it than for it", p.cid, "DOWN", "true 1-2 DOWN", "ann", "bob cid"},
		{"X12: for it, after against it", p.cid, "UP", "true 2-1 UP", "ann cid", "bob"},
		{"X12: against it, after for it", p.cid, "DOWN", "true 1-2 DOWN", "ann", "bob cid"},
	}
	for _, s := range steps {
		wantEqual(t, s.name, p.cast(s.token, topic, s.direction), s.want)
		wantEqual(t, s.name+": voters up", p.voters(topic, "UP"), s.up)
		wantEqual(t, s.name+": voters down", p.voters(topic, "DOWN"), s.down)
	}
	for token, vote := range map[string]string{"": "NONE", p.ann: "UP", p.bob: "DOWN", p.mod: "NONE"} {
		wantEqual(t, "A32: the viewer's own vote", p.stands(token, topic), "1-2 "+vote)
	}
	net := p.must("", `query($id: ID!) { topic(by: {id: $id}) { votes { net subjectId closesAt isOpen } } }`, input{"id": topic})
	wantEqual(t, "A43: net", net.at("topic", "votes"),
		any(map[string]any{"net": -1.0, "subjectId": topic, "closesAt": nil, "isOpen": true}))
}

// Deleted accounts are counted, but not listed.
func TestDeletedVoters(t *testing.T) {
	p := newVoteSite(t)
	topic := p.post(p.ann, "A topic", nil)
	p.cast(p.bob, topic, "UP")
	p.cast(p.cid, topic, "UP")
	p.wantVerdict("deleteAccount", p.mutate(p.bob, "deleteAccount", input{"password": "a good password"}, ""), "")
	p.settle()
	wantEqual(t, "counts", p.stands(p.cid, topic), "2-0 UP")
	a := p.must("", `query($id: ID!) { topic(by: {id: $id}) { voters { totalCount nodes { login } edges { node { login } } } } }`, input{"id": topic})
	cid := map[string]any{"login": "cid"}
	wantEqual(t, "voters", a.at("topic", "voters"),
		any(map[string]any{"totalCount": 2.0, "nodes": []any{cid}, "edges": []any{map[string]any{"node": cid}}}))
	wantEqual(t, "a vote after that", p.cast(p.ann, topic, "DOWN"), "true 2-1 DOWN")
}

const (
	byHot     = "front(orderBy: {field: HOT})"
	byScore   = "front(orderBy: {field: SCORE})"
	byCreated = "front(orderBy: {field: CREATED})"
	byTop     = "front(orderBy: {field: TOP})"
)

// edge is a topic's position in a list.
type edge struct {
	title       string
	rank        int
	score       float64
	formula     string
	terms       float64 // their sum
	votesToPass any
}

// edges are the positions of a list.
func (p *voteSite) edges(timeline string) []edge {
	p.t.Helper()
	a := p.must("", "{ x: "+timeline+
		" { topics(first: 100) { edges { rank score node { title } explanation { formula terms { name value } votesToPass } } } } "+
		strings.Repeat("} ", 1+strings.Count(timeline, "{")-strings.Count(timeline, "}")), nil)
	topics, ok := a.at("x", "topics").(map[string]any)
	if !ok {
		topics, _ = a.at("x", "timeline", "topics").(map[string]any)
	}
	list, _ := topics["edges"].([]any)
	found := make([]edge, len(list))
	for i, e := range list {
		of := answer{Data: e.(map[string]any)}
		found[i] = edge{title: of.text("node", "title"), rank: of.number("rank"), score: of.at("score").(float64),
			formula: of.text("explanation", "formula"), votesToPass: of.at("explanation", "votesToPass")}
		terms, _ := of.at("explanation", "terms").([]any)
		for _, term := range terms {
			found[i].terms += term.(map[string]any)["value"].(float64)
		}
		if found[i].rank != i+1 || math.Abs(found[i].terms-found[i].score) > 1e-6 {
			p.t.Errorf("%s: edge %d = %+v; want rank %d, and terms that add up to the score", timeline, i, found[i], i+1)
		}
	}
	return found
}

// scores are the scores of a list by title.
func (p *voteSite) scores(timeline string) map[string]float64 {
	p.t.Helper()
	found := map[string]float64{}
	for _, e := range p.edges(timeline) {
		found[e.title] = e.score
	}
	return found
}
