package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// week is how long an article accepts votes. Source: B9.
const week = 604_800 * time.Second

func TestPostingAnArticle(t *testing.T) {
	p := newVoteSite(t)
	link := "https://example.net/2014/09/redis"
	a := p.mutate(p.ann, "createTopic", input{"kind": "ARTICLE", "title": "Redis", "link": link},
		"topic { id number kind title link author { login } category { name } createdAt votes { up down net viewerVote closesAt isOpen } voters { nodes { login } } isInteresting }")
	p.wantVerdict("createTopic", a, "")
	id, number := a.text("createTopic", "topic", "id"), a.number("createTopic", "topic", "number")
	wantEqual(t, "B1: title, link, poster, time, votes; B7: the author's own vote; B8: a life of a week",
		a.at("createTopic", "topic"), any(map[string]any{
			"id": id, "number": float64(number), "kind": "ARTICLE", "title": "Redis", "link": link, "author": map[string]any{"login": "ann"}, "category": nil,
			"createdAt": "2096-01-02T03:04:05.000Z", "voters": map[string]any{"nodes": []any{map[string]any{"login": "ann"}}}, "isInteresting": false,
			"votes": map[string]any{"up": 1.0, "down": 0.0, "net": 1.0, "viewerVote": "UP", "closesAt": "2096-01-09T03:04:05.000Z", "isOpen": true},
		}))
	wantEqual(t, "B7: score is now + 432", p.scores(byScore)["Redis"], float64(p.clock.Now().Unix()+432))
	p.wantVerdict("B2: no link", p.mutate(p.ann, "createTopic", input{"kind": "ARTICLE", "title": "x"}, ""),
		"INVALID input.link")
	p.wantVerdict("B2: no link", p.mutate(p.ann, "createTopic",
		input{"kind": "ARTICLE", "title": "x", "link": nil, "category": input{"name": "Go"}}, ""), "INVALID input.link")
	numbers := []int{number}
	for range 5 {
		more := p.mutate(p.ann, "createTopic", input{"kind": "ARTICLE", "title": "x", "link": link}, "topic { number }")
		numbers = append(numbers, more.number("createTopic", "topic", "number"))
	}
	slices.Sort(numbers)
	wantEqual(t, "B6: different numbers", len(slices.Compact(numbers)), 6)
	plain := p.post(p.ann, "A discussion", nil)
	wantEqual(t, "B7: posting a discussion is no vote for it", p.stands(p.ann, plain), "0-0 NONE")
}

// The author's vote counts once, however often the call is repeated.
func TestRepeatedPostingCountsTheAuthorOnce(t *testing.T) {
	p := newVoteSite(t)
	in := input{"kind": "ARTICLE", "title": "Redis", "link": "https://example.net/", "tags": []string{"db"},
		"idempotencyKey": "k"}
	for n := range 3 {
		a := p.mutate(p.ann, "createTopic", in, "topic { id "+countFields+" }")
		p.wantVerdict("createTopic", a, "")
		wantEqual(t, fmt.Sprint("votes after call ", n+1), votesOf(a.at("createTopic", "topic", "votes")), "1-0 UP")
		p.ids["Redis"] = a.text("createTopic", "topic", "id")
	}
	wantEqual(t, "taken back", p.cast(p.ann, p.ids["Redis"], "NONE"), "true 0-0 NONE")
	again := p.mutate(p.ann, "createTopic", in, "topic { id "+countFields+" }")
	wantEqual(t, "a repetition does not bring it back", votesOf(again.at("createTopic", "topic", "votes")), "0-0 NONE")
	wantEqual(t, "voted again", p.cast(p.ann, p.ids["Redis"], "UP"), "true 1-0 UP")
	p.wantVerdict("other input", p.mutate(p.ann, "createTopic", with(in, "title", "Other"), ""),
		"IDEMPOTENCY_CONFLICT input.idempotencyKey")
	p.wantListed(byScore, "Redis")
	wantEqual(t, "score", p.scores(`tag(name: "DB") { timeline`)["Redis"], float64(p.clock.Now().Unix()+432))
}

// X23: voting for an article in the third of the documents always fails.
func TestVotingForAnArticle(t *testing.T) {
	p := newVoteSite(t)
	article := p.link(p.ann, "Redis")
	posted := float64(p.clock.Now().Unix())
	p.clock.Advance(time.Hour)
	steps := []struct {
		name, token, direction, want, voters string
		net                                  float64
	}{
		{"B9: a vote adds 432", p.bob, "UP", "true 2-0 UP", "ann bob", 2},
		{"B9: a second one does nothing", p.bob, "UP", "false 2-0 UP", "ann bob", 2},
		{"B7: nor does one more of the author", p.ann, "UP", "false 2-0 UP", "ann bob", 2},
		{"B9: another's", p.cid, "UP", "true 3-0 UP", "ann bob cid", 3},
		{"one against takes 432", p.mod, "DOWN", "true 3-1 DOWN", "ann bob cid", 2},
		{"one that is moved takes twice as much", p.cid, "DOWN", "true 2-2 DOWN", "ann bob", 0},
		{"the author takes the own one back", p.ann, "NONE", "true 1-2 NONE", "bob", -1},
	}
	for _, s := range steps {
		wantEqual(t, s.name, p.cast(s.token, article, s.direction), s.want)
		wantEqual(t, s.name+": B5, B20: voters", p.voters(article, "UP"), s.voters)
		for _, list := range []string{byScore, inGo + "(orderBy: {field: SCORE})"} {
			wantEqual(t, s.name+": score in "+list, p.scores(list)["Redis"], posted+432*s.net)
		}
	}
}

// closing returns an article's fields about the end of its votes.
func (p *voteSite) closing(token, article string) string {
	p.t.Helper()
	a := p.must(token, `query($id: ID!) { topic(by: {id: $id}) { votes { up down net viewerVote closesAt isOpen } } }`, input{"id": article})
	return fmt.Sprint(votesOf(a.at("topic", "votes")), " ", a.at("topic", "votes", "isOpen"), " ",
		a.at("topic", "votes", "closesAt"))
}

// X22: in the documents the set of voters may expire between the check and the write; it is then recreated without
// expiry, and everyone may vote again.
func TestVotingEndsAfterAWeek(t *testing.T) {
	p := newVoteSite(t)
	article, newer := p.link(p.ann, "Redis"), p.link(p.bob, "Valkey")
	comment := p.comment(p.bob, article, "", "Well")
	const ends = "2096-01-09T03:04:06.000Z"
	closed := p.clock.Now().Add(week - time.Second)
	p.cast(p.bob, article, "UP")
	p.at(closed.Add(-time.Millisecond))
	wantEqual(t, "a moment before: open", p.closing(p.ann, article), "2-0 UP true "+ends)
	wantEqual(t, "a moment before: a vote", p.cast(p.cid, article, "DOWN"), "true 2-1 DOWN")
	wantEqual(t, "a moment before: the author once more", p.cast(p.ann, article, "UP"), "false 2-1 UP")
	wantEqual(t, "a moment before: moved", p.cast(p.bob, article, "DOWN"), "true 1-2 DOWN")
	p.wantVotersExpire(article, closed.Add(time.Hour))
	score, hot := p.scores(byScore)["Redis"], p.scores(byHot)["Redis"]
	for _, late := range []time.Duration{0, time.Millisecond, time.Hour, 50 * week} {
		p.at(closed.Add(late))
		p.expire()
		p.renew()
		name := fmt.Sprint(late, " after the end")
		for token, vote := range map[string]string{p.ann: "UP", p.bob: "DOWN", p.cid: "DOWN", p.mod: "NONE", "": "NONE"} {
			wantEqual(t, name+": closed, counts stay", p.closing(token, article), "1-2 "+vote+" false "+ends)
			if token == "" {
				continue
			}
			for _, direction := range []string{"UP", "DOWN", "NONE"} {
				p.wantClosed(name, token, article, direction, ends)
			}
		}
		p.wantListed(byScore, "Valkey, Redis")
		wantEqual(t, name+": places stay", [2]float64{p.scores(byScore)["Redis"], p.scores(byHot)["Redis"]},
			[2]float64{score, hot})
	}
	wantEqual(t, "no votes can lift it", p.edges(byScore)[1].votesToPass, nil)
	wantEqual(t, "voters of the newer one", p.voters(newer, "UP"), "")
	wantEqual(t, "a comment on it never closes", p.cast(p.cid, comment, "UP"), "true 1-0 UP")
	p.wantVerdict("nor does commenting",
		p.mutate(p.cid, "createComment", input{"topicId": article, "content": "Late"}, ""), "")
}

// renew signs all in again: their sessions may have ended.
func (p *voteSite) renew() {
	p.t.Helper()
	p.ann, p.bob, p.cid, p.mod = p.signIn("ann"), p.signIn("bob"), p.signIn("cid"), p.signIn("mia")
}

// wantClosed checks that a vote is refused because it is too late, and changes nothing.
func (p *voteSite) wantClosed(name, token, article, direction, ends string) {
	p.t.Helper()
	a := p.mutate(token, "vote", input{"subjectId": article, "direction": direction},
		"changed subject { id } errors { __typename ... on VotingClosedError { closedAt } }")
	refused, _ := a.at("vote", "errors", 0).(map[string]any)
	if message, _ := refused["message"].(string); !strings.HasSuffix(message, ".") || len(message) < 10 {
		p.t.Errorf("%s: message %q; want a sentence", name, message)
	}
	delete(refused, "message")
	wantEqual(p.t, name+": refused", a.Data["vote"],
		any(map[string]any{"changed": false, "subject": nil, "errors": []any{map[string]any{
			"__typename": "VotingClosedError", "code": "VOTING_CLOSED", "path": []any{"input", "subjectId"}, "closedAt": ends}}}))
}

// wantVotersExpire checks that no set of voters of an article is kept forever.
func (p *voteSite) wantVotersExpire(article string, at time.Time) {
	p.t.Helper()
	for _, side := range []string{":up", ":down"} {
		ends := must.Do(p.redis.ExpireTime(context.Background(), row(p.t, article)+side).Result())(p.t)
		wantEqual(p.t, "when voters"+side+" expire", time.Unix(0, int64(ends)).UTC(), at.UTC())
	}
}

// X25: in the documents it is unknown after the week who voted.
func TestVotersExpireAndTheViewersOwnVoteStays(t *testing.T) {
	p := newVoteSite(t)
	article := p.link(p.ann, "Redis")
	posted := p.clock.Now()
	p.cast(p.bob, article, "DOWN")
	p.cast(p.cid, article, "UP")
	p.cast(p.cid, article, "NONE")
	p.cast(p.mod, article, "DOWN")
	p.cast(p.mod, article, "UP")
	for _, late := range []time.Duration{-time.Millisecond, 0, time.Hour - time.Millisecond, time.Hour, 3 * time.Hour,
		20 * 24 * time.Hour} {
		p.at(posted.Add(week + late))
		p.expire()
		name := fmt.Sprint(late, " after the end: ")
		for token, want := range map[string]string{p.ann: "2-1 UP", p.bob: "2-1 DOWN", p.cid: "2-1 NONE", p.mod: "2-1 UP",
			"": "2-1 NONE"} {
			wantEqual(t, name+"votes", p.stands(token, article), want)
		}
		there := late < time.Hour
		wantEqual(t, name+"voters up", p.voters(article, "UP"), map[bool]string{true: "ann mia"}[there])
		wantEqual(t, name+"voters down", p.voters(article, "DOWN"), map[bool]string{true: "bob"}[there])
	}
}

// The log of a user's votes holds the latest 1000.
func TestTheViewersVoteIsKnownForTheLatest1000(t *testing.T) {
	testlevel.Usual(t)
	p := newVoteSite(t)
	oldest, next := p.link(p.ann, "oldest"), p.link(p.ann, "second oldest")
	posted := p.clock.Now()
	wantEqual(t, "vote 1", p.cast(p.bob, oldest, "UP"), "true 2-0 UP")
	p.clock.Advance(time.Millisecond)
	wantEqual(t, "vote 2", p.cast(p.bob, next, "DOWN"), "true 1-1 DOWN")
	p.clock.Advance(time.Millisecond)
	own := make([]posts.NewTopic, 999) // bob's own, each with his vote
	for i := range own {
		own[i] = posts.NewTopic{Author: userOf(p.bob), Kind: forum.Article, Title: "x", Link: "https://example.net/",
			Format: forum.Markdown, CreatedAt: p.store.Engine.Now()}
	}
	made, err := p.store.Import().Topics(context.Background(), own)
	must.OK(t, err)
	must.OK(t, made[998].Err)
	last := gid("Topic", fmt.Sprint(int64(made[998].ID)))
	for _, tt := range []struct {
		late  time.Duration
		first string
	}{{-2 * time.Second, "UP"}, {2 * time.Hour, "NONE"}} {
		p.at(posted.Add(week + tt.late))
		p.expire()
		wantEqual(t, fmt.Sprint(tt.late, " after the end: vote 1 of 1001"), p.stands(p.bob, oldest), "2-0 "+tt.first)
		wantEqual(t, fmt.Sprint(tt.late, " after the end: vote 2 of 1001"), p.stands(p.bob, next), "1-1 DOWN")
		wantEqual(t, fmt.Sprint(tt.late, " after the end: vote 1001"), p.stands(p.bob, last), "1-0 UP")
	}
}
