package graph_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/test/testlevel"
)

// follow sets whether the owner of token follows a target.
func (s *site) follow(token, target string, following bool) answer {
	s.t.Helper()
	return s.mutate(token, "follow", input{"targetId": target, "following": following},
		"changed target { __typename id followerCount viewerIsFollowing } viewer { user { followingCount } }")
}

// block sets whether the owner of token blocks a user.
func (s *site) block(token, user string, blocked bool) answer {
	s.t.Helper()
	return s.mutate(token, "block", input{"userId": user, "blocked": blocked},
		"changed user { id viewerIsBlocking viewerIsFollowing followsViewer }")
}

// status posts a STATUS a second after the last post and returns its id.
func (s *site) status(token, content string, tags ...string) string {
	s.t.Helper()
	s.clock.Advance(second)
	a := s.mutate(token, "createTopic", input{"kind": "STATUS", "content": content, "tags": append([]string{}, tags...)},
		"topic { id }")
	s.wantVerdict("createTopic "+content, a, "")
	return a.text("createTopic", "topic", "id")
}

// home returns the titles in the home of the owner of token, newest first.
func (s *site) home(token string) string {
	s.t.Helper()
	return strings.Join(s.listedFor(token, "viewer { home", "title"), ", ")
}

func (s *site) wantHome(name, token, want string) {
	s.t.Helper()
	if got := s.home(token); got != want {
		s.t.Errorf("%s: the home holds %q; want %q", name, got, want)
	}
}

// tied returns the relation of a user to the viewer, and the user's numbers of followers and followed users.
func (s *site) tied(token, login string) string {
	s.t.Helper()
	a := s.must(token, `query($l: String!) { user(by: {login: $l}) { followerCount followingCount viewerIsFollowing followsViewer viewerIsBlocking
		followers { totalCount nodes { login } } following { totalCount nodes { login } } } }`, input{"l": login})
	is := ""
	for _, field := range []string{"viewerIsFollowing", "followsViewer", "viewerIsBlocking"} {
		if a.at("user", field) == true {
			is += " " + field
		}
	}
	for count, list := range map[string]string{"followerCount": "followers", "followingCount": "following"} {
		wantEqual(s.t, login+"."+list+".totalCount", a.number("user", list, "totalCount"), a.number("user", count))
	}
	return strings.Join(a.texts("login", "user", "followers", "nodes"), " ") + " > " + login + " > " +
		strings.Join(a.texts("login", "user", "following", "nodes"), " ") + is
}

func TestFollowAndUnfollow(t *testing.T) {
	p := newVoteSite(t)
	steps := []struct {
		name, token, target string
		following           bool
		changed             bool
		want                string // bob's relation to ann
	}{
		{"nobody follows", p.ann, userID(p.bob), false, false, " > bob > "},
		{"C8: ann follows bob", p.ann, userID(p.bob), true, true, "ann > bob >  viewerIsFollowing"},
		{"C8: once more", p.ann, userID(p.bob), true, false, "ann > bob >  viewerIsFollowing"},
		{"C7: the latest follower comes first", p.cid, userID(p.bob), true, true, "cid ann > bob >  viewerIsFollowing"},
		{"bob follows ann", p.bob, userID(p.ann), true, true, "cid ann > bob > ann viewerIsFollowing followsViewer"},
		{"bob follows cid too", p.bob, userID(p.cid), true, true, "cid ann > bob > cid ann viewerIsFollowing followsViewer"},
		{"C9: ann follows no longer", p.ann, userID(p.bob), false, true, "cid > bob > cid ann followsViewer"},
		{"C9: once more", p.ann, userID(p.bob), false, false, "cid > bob > cid ann followsViewer"},
		{"and again", p.ann, userID(p.bob), true, true, "ann cid > bob > cid ann viewerIsFollowing followsViewer"},
	}
	for _, tt := range steps {
		p.clock.Advance(second)
		a := p.follow(tt.token, tt.target, tt.following)
		p.wantVerdict(tt.name, a, "")
		wantEqual(t, tt.name+": changed", a.at("follow", "changed"), any(tt.changed))
		wantEqual(t, tt.name+": viewerIsFollowing of the target", a.at("follow", "target", "viewerIsFollowing"),
			any(tt.following))
		wantEqual(t, tt.name, p.tied(p.ann, "bob"), tt.want)
	}
	wantEqual(t, "signed out", p.tied("", "bob"), "ann cid > bob > cid ann")
	wantEqual(t, "oneself", p.tied(p.bob, "bob"), "ann cid > bob > cid ann")
	wantEqual(t, "the ghost", p.tied(p.bob, "ghost"), " > ghost > ")
}

// C7: the score is the time of following.
func TestFollowersSinceWhen(t *testing.T) {
	p := newVoteSite(t)
	p.follow(p.ann, userID(p.bob), true)
	p.clock.Advance(90 * time.Second)
	p.follow(p.cid, userID(p.bob), true)
	p.block(p.bob, userID(p.mod), true)
	topic := p.post(p.ann, "A topic", nil)
	p.vote(p.ann, topic, "UP")
	a := p.must(p.bob, `query($id: ID!) { viewer { blocked { edges { since node { login } } } user { followers { edges { since } nodes { login } } } }
		ann: user(by: {login: "ann"}) { following { edges { since } } } topic(by: {id: $id}) { voters { edges { since } } } }`, input{"id": topic})
	first := a.at("ann", "following", "edges", 0, "since")
	since := a.texts("since", "viewer", "user", "followers", "edges")
	from, _ := time.Parse(time.RFC3339, fmt.Sprint(first))
	to, _ := time.Parse(time.RFC3339, since[0])
	wantEqual(t, "both sides have the same time", any(since[1]), first)
	wantEqual(t, "between two follows", to.Sub(from), 90*time.Second)
	wantEqual(t, "blocked since", a.text("viewer", "blocked", "edges", 0, "since"), since[0])
	wantEqual(t, "voted since", a.at("topic", "voters", "edges", 0, "since"), nil)
}

// The home contains the posts of followed users as soon as the follow is answered, and no longer those of unfollowed
// ones.
func TestHomeFillsAndEmpties(t *testing.T) {
	p := newVoteSite(t)
	p.status(p.bob, "Old words")
	p.status(p.ann, "Own words")
	p.wantHome("before", p.ann, "Own words")
	p.follow(p.ann, userID(p.bob), true)
	p.wantHome("C8: after following", p.ann, "Own words, Old words")
	p.post(p.bob, "A discussion", nil)
	p.link(p.bob, "An article")
	p.status(p.cid, "Strange words")
	p.wantHome("C11: all kinds of posts", p.ann, "An article, A discussion, Own words, Old words")
	p.follow(p.ann, userID(p.bob), false)
	p.wantHome("C9: after unfollowing", p.ann, "Own words")
	p.settle()
	p.wantHome("C9: and later", p.ann, "Own words")
}

func TestHomeHoldsCategoriesAndTags(t *testing.T) {
	p := newVoteSite(t)
	p.post(p.bob, "In Go", nil)
	p.status(p.cid, "Tea time", "Tea")
	category, tag := p.must("", `{ category(by: {name: "Go"}) { id } }`, nil).text("category", "id"), p.must("", `{ tag(name: "tea") { id } }`, nil).text("tag", "id")
	for _, target := range []string{category, tag} {
		a := p.follow(p.ann, target, true)
		p.wantVerdict("follow", a, "")
		wantEqual(t, "target", a.at("follow", "target", "id"), any(target))
		wantEqual(t, "followerCount", a.number("follow", "target", "followerCount"), 1)
		wantEqual(t, "followingCount is of users only", a.number("follow", "viewer", "user", "followingCount"), 0)
	}
	p.post(p.bob, "Later in Go", nil)
	p.status(p.cid, "More tea", "tea")
	p.wantHome("both", p.ann, "More tea, Later in Go, Tea time, In Go")
	p.follow(p.ann, category, false)
	p.wantHome("without the category", p.ann, "More tea, Tea time")
	a := p.must(p.ann, `{ category(by: {name: "go"}) { followerCount viewerIsFollowing } tag(name: "TEA") { followerCount viewerIsFollowing } }`, nil)
	wantEqual(t, "both", a.Data,
		map[string]any{"category": map[string]any{"followerCount": 0.0, "viewerIsFollowing": false},
			"tag": map[string]any{"followerCount": 1.0, "viewerIsFollowing": true}})
}

// A blocked user can neither comment nor vote on the blocker's topics: the script refuses it, at no extra cost.
func TestBlockedUsersAct(t *testing.T) {
	b := newFullSite(t)
	comment := func(token, topic, parent string) answer {
		in := input{"topicId": topic, "content": "Words"}
		if parent != "" {
			in["parentId"] = parent
		}
		b.clock.Advance(second)
		return b.mutate(token, "createComment", in, "comment { id }")
	}
	free := comment(b.bob, b.topic, b.comment)
	b.wantVerdict("a comment before", free, "")
	own := free.text("createComment", "comment", "id")
	b.wantVerdict("a vote before", b.vote(b.bob, b.topic, "UP"), "")
	bobs := b.site.topic(b.bob, "Tea", "Of bob")
	b.wantVerdict("block", b.mutate(b.ann, "block", input{"userId": b.id("bob")}, ""), "")
	b.wantVerdict("block a moderator", b.mutate(b.ann, "block", input{"userId": b.id("mia")}, ""), "")
	b.settle()
	before := b.contents()
	refused := map[string]answer{
		"BLOCKED input.topicId": comment(b.bob, b.topic, ""), "BLOCKED input.topicId ": comment(b.bob, b.topic, b.comment),
		"BLOCKED input.subjectId": b.vote(b.bob, b.other, "DOWN"), "BLOCKED input.subjectId ": b.vote(b.bob, b.foreign, "UP"),
	}
	for want, a := range refused {
		b.wantVerdict("while blocked", a, strings.TrimSpace(want))
		b.wantUntouched("while blocked", before, answer{})
	}
	trips := func(a answer) int { return a.Extensions.Redis.RoundTrips }
	if got := trips(refused["BLOCKED input.topicId"]); got > trips(free) {
		t.Errorf("a refused comment takes %d round trips, an accepted one %d", got, trips(free))
	}
	b.wantVerdict("a vote is taken back", b.vote(b.bob, b.topic, "NONE"), "")
	b.wantVerdict("an edit", b.mutate(b.bob, "updateComment", input{"commentId": own, "content": "Others"}, ""), "")
	b.wantVerdict("the blocker comments", comment(b.ann, bobs, ""), "")
	b.wantVerdict("on a topic of another user", comment(b.bob, b.site.topic(b.mod, "Tea", "Of mia"), ""), "")
	b.wantVerdict("a moderator comments", comment(b.mod, b.topic, ""), "")
	b.wantVerdict("unblock", b.mutate(b.ann, "block", input{"userId": b.id("bob"), "blocked": false}, ""), "")
	b.wantVerdict("a comment after", comment(b.bob, b.topic, ""), "")
	b.wantVerdict("a vote after", b.vote(b.bob, b.other, "DOWN"), "")
}

// A block ends following both ways and hides each from the other.
func TestBlock(t *testing.T) {
	p := newVoteSite(t)
	p.status(p.ann, "Of ann")
	p.status(p.bob, "Of bob")
	p.follow(p.ann, userID(p.bob), true)
	p.follow(p.bob, userID(p.ann), true)
	steps := []struct {
		name     string
		blocked  bool
		changed  bool
		want     string // bob's relation to ann
		reversed string // and ann to bob
		follow   string // why neither may follow the other
	}{
		{"blocked", true, true, " > bob >  viewerIsBlocking", " > ann > ", "BLOCKED input.targetId"},
		{"once more", true, false, " > bob >  viewerIsBlocking", " > ann > ", "BLOCKED input.targetId"},
		{"let go", false, true, " > bob > ", " > ann > ", ""},
		{"once more", false, false, " > bob > ", " > ann > ", ""},
	}
	for _, tt := range steps {
		a := p.block(p.ann, userID(p.bob), tt.blocked)
		p.wantVerdict(tt.name, a, "")
		wantEqual(t, tt.name+": changed", a.at("block", "changed"), any(tt.changed))
		wantEqual(t, tt.name+": viewerIsBlocking", a.at("block", "user", "viewerIsBlocking"), any(tt.blocked))
		wantEqual(t, tt.name, p.tied(p.ann, "bob"), tt.want)
		wantEqual(t, tt.name, p.tied(p.bob, "ann"), tt.reversed)
		p.wantHome(tt.name, p.ann, "Of ann")
		p.wantHome(tt.name, p.bob, "Of bob")
		for token, target := range map[string]string{p.ann: userID(p.bob), p.bob: userID(p.ann)} {
			if tt.follow != "" {
				p.wantVerdict(tt.name+": follow", p.follow(token, target, true), tt.follow)
			}
		}
	}
	p.wantVerdict("after the block", p.follow(p.ann, userID(p.bob), true), "")
	p.wantHome("after the block", p.ann, "Of bob, Of ann")
}

// Following oneself and missing targets, blocks in either direction.
func TestInvalidFollowTargets(t *testing.T) {
	b := newFullSite(t)
	b.wantVerdict("block", b.block(b.bob, userID(b.ann), true), "")
	b.settle()
	b.wantRefused([]refusal{
		{"oneself", b.ann, "follow", input{"targetId": userID(b.ann)}, "SELF input.targetId"},
		{"oneself no longer", b.ann, "follow", input{"targetId": userID(b.ann), "following": false}, "SELF input.targetId"},
		{"oneself", b.ann, "block", input{"userId": userID(b.ann)}, "SELF input.userId"},
		{"the ghost", b.ann, "follow", input{"targetId": gid("User", "0")}, "NOT_FOUND input.targetId"},
		{"the ghost", b.ann, "block", input{"userId": gid("User", "0")}, "NOT_FOUND input.userId"},
		{"nobody", b.ann, "follow", input{"targetId": gid("User", "77777")}, "NOT_FOUND input.targetId"},
		{"nobody", b.ann, "block", input{"userId": gid("User", "77777")}, "NOT_FOUND input.userId"},
		{"no category", b.ann, "follow", input{"targetId": gid("Category", "99")}, "NOT_FOUND input.targetId"},
		{"no tag", b.ann, "follow", input{"targetId": gid("Tag", "5")}, "NOT_FOUND input.targetId"},
		{"a topic", b.ann, "follow", input{"targetId": b.topic}, "NOT_FOUND input.targetId"},
		{"a tab", b.ann, "follow", input{"targetId": b.tab}, "NOT_FOUND input.targetId"},
		{"who has blocked one", b.ann, "follow", input{"targetId": userID(b.bob)}, "BLOCKED input.targetId"},
		{"a blocked user", b.bob, "follow", input{"targetId": userID(b.ann)}, "BLOCKED input.targetId"},
		{"signed out", "", "follow", input{"targetId": b.tea}, "UNAUTHENTICATED"},
		{"signed out", "", "block", input{"userId": userID(b.ann)}, "UNAUTHENTICATED"},
	})
}

// After concurrent follows and unfollows, the counters equal the sets' sizes.
func TestCountersAreTheSets(t *testing.T) {
	testlevel.Usual(t)
	p := newVoteSite(t)
	var wg sync.WaitGroup
	for i, token := range []string{p.ann, p.bob, p.cid, p.mod, p.ann, p.bob} {
		wg.Go(func() {
			for n := range 8 {
				for _, target := range []string{p.ann, p.bob, p.cid} {
					if target != token {
						p.follow(token, userID(target), (i+n)%3 != 0)
					}
				}
			}
		})
	}
	wg.Wait()
	p.settle()
	for _, login := range []string{"ann", "bob", "cid", "mia"} {
		p.tied(p.ann, login)
	}
}

// A home is visible only to its owner: for everyone else, including moderators, it does not exist.
func TestVisibilityOfHomes(t *testing.T) {
	b := newFullSite(t)
	home := gid("Timeline", fmt.Sprintf("home:%d:created:desc", userOf(b.ann)))
	wantEqual(t, "ann's home", b.must(b.ann, `{ viewer { home { id } } }`, nil).text("viewer", "home", "id"), home)
	for who, token := range b.viewers() {
		b.same("home, "+who, token, home, fmt.Sprintf(`{ x: node(id: %q) %s }`, home, xFields), who == "owner")
	}
	a := b.must(b.ann, `{ viewer { home { kind order direction capacity topics(first: 1) { totalCount edges { rank score explanation { formula } node { title } } } } } }`, nil)
	wantEqual(t, "kind", a.at("viewer", "home", "kind"), "HOME")
	wantEqual(t, "order", a.at("viewer", "home", "order"), "CREATED")
	wantEqual(t, "capacity", a.number("viewer", "home", "capacity"), forum.HomeSize)
	wantEqual(t, "totalCount", a.at("viewer", "home", "topics", "totalCount"), nil)
	wantEqual(t, "rank", a.at("viewer", "home", "topics", "edges", 0, "rank"), nil)
	wantEqual(t, "formula", a.text("viewer", "home", "topics", "edges", 0, "explanation", "formula"), "createdAt")
}
