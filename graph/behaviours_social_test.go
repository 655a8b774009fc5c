package graph_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"agora/internal/store/bulk"
	"agora/internal/store/posts"
	"agora/internal/test/testlevel"

	"agora/internal/forum"
	"agora/internal/test/must"
)

// statuses posts many statuses of the owner of token, without the site's rates, and returns their ids, newest first.
func (s *site) statuses(token string, n int) []string {
	s.t.Helper()
	bulk := s.store.Bulk()
	var ids []string
	for i := range n {
		s.clock.Advance(time.Millisecond)
		id := must.Do(bulk.Posts.CreateTopic(context.Background(), posts.NewTopic{Author: userOf(token),
			Kind:  forum.Status,
			Title: fmt.Sprint("Status ", i), Content: "words", Format: forum.Markdown}))(s.t)
		ids = append(ids, gid("Topic", fmt.Sprint(id)))
	}
	s.settle()
	slices.Reverse(ids)
	return ids
}

// work runs the due tasks until none is due.
func (s *site) work() {
	s.t.Helper()
	for {
		n := must.Do(s.store.Engine.RunDueTasks(context.Background()))(s.t)
		if n == 0 {
			return
		}
	}
}

// walkHome reads a whole home by cursors.
func (s *site) walkHome(token string) []string {
	s.t.Helper()
	var ids []string
	after := any(nil)
	for {
		page := s.must(token, `query($after: String) { viewer { home { topics(first: 100, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } } }`, input{"after": after})
		got := page.texts("id", "viewer", "home", "topics", "nodes")
		ids = append(ids, got...)
		if page.at("viewer", "home", "topics", "pageInfo", "hasNextPage") != true {
			return ids
		}
		if len(got) == 0 || len(ids) > 10_000 {
			s.t.Fatalf("a page of %d topics after %d says that there are more", len(got), len(ids))
		}
		after = page.text("viewer", "home", "topics", "pageInfo", "endCursor")
	}
}

// homeSize returns how many topics a home stores.
func (s *site) homeSize(token string) int {
	s.t.Helper()
	id := userOf(token)
	n, err := s.redis.ZCard(context.Background(), fmt.Sprintf("{p%02x}:u:%d:home", byte(id.Partition()), id)).Result()
	if err != nil {
		s.t.Fatal(err)
	}
	return int(n)
}

// C8, C10, X37: a home stores 1,000 topics and can be paged past them; if unfollowing leaves fewer than 750 of them,
// it is refilled.
func TestHomeIsCappedContinuedAndRefilled(t *testing.T) {
	testlevel.Usual(t)
	p := newVoteSite(t)
	old := p.statuses(p.ann, 1100)
	fresh := p.statuses(p.cid, 400)
	p.follow(p.bob, userID(p.ann), true)
	p.follow(p.bob, userID(p.cid), true)
	if n := p.homeSize(p.bob); n != forum.HomeSize {
		t.Errorf("the home keeps %d topics; want %d", n, forum.HomeSize)
	}
	wantEqual(t, "the whole home", p.walkHome(p.bob), append(slices.Clone(fresh), old...))
	p.follow(p.bob, userID(p.cid), false)
	wantEqual(t, "without cid, before it is filled up", p.walkHome(p.bob), old)
	if n := p.homeSize(p.bob); n != forum.HomeSize-len(fresh) {
		t.Errorf("the home keeps %d topics after unfollowing; want %d", n, forum.HomeSize-len(fresh))
	}
	p.work()
	if n := p.homeSize(p.bob); n != forum.HomeSize {
		t.Errorf("the home keeps %d topics after it was filled up; want %d", n, forum.HomeSize)
	}
	wantEqual(t, "without cid", p.walkHome(p.bob), old)
	deep := p.must(p.bob, `{ viewer { home { topics(first: 2, skip: 1050) { nodes { id } } } } }`, nil)
	wantEqual(t, "a numbered page past the cap", deep.texts("id", "viewer", "home", "topics", "nodes"), old[1050:1052])
	end := p.must(p.bob, `{ viewer { home { topics(last: 2) { nodes { id } pageInfo { hasPreviousPage hasNextPage } } } } }`, nil)
	wantEqual(t, "the end", end.texts("id", "viewer", "home", "topics", "nodes"), old[1098:])
}

// followersOf creates users who follow the owner of token, in order.
func (s *site) followersOf(token string, n int) []forum.UserID {
	s.t.Helper()
	ctx, im := context.Background(), s.store.Import()
	members := make([]bulk.ImportUser, n)
	for i := range members {
		login := fmt.Sprintf("follower%04d", i)
		members[i] = bulk.ImportUser{Source: "test:" + login, Name: login, CreatedAt: s.store.Engine.Now(),
			Logins: iter.Seq[string](func(yield func(string) bool) { yield(login) })}
	}
	ids, _, err := im.Users(ctx, members, func(login string) string { return login })
	if err != nil {
		s.t.Fatal(err)
	}
	edges := make([]bulk.NewFollow, n)
	for i, id := range ids {
		edges[i] = bulk.NewFollow{From: id, To: userOf(token)}
	}
	must.Do(im.Follows(ctx, edges))(s.t)
	s.settle()
	return ids
}

// with returns how many of the users have a topic in their homes.
func (s *site) with(users []forum.UserID) (n int) {
	s.t.Helper()
	for _, id := range users {
		size, err := s.redis.ZCard(context.Background(), fmt.Sprintf("{p%02x}:u:%d:home", byte(id.Partition()), id)).Result()
		if err != nil {
			s.t.Fatal(err)
		}
		n += int(size)
	}
	return n
}

// C12, C13, C15, C17, X33, X34: posting and deleting answer after 1,000 followers; a task does the others. No page
// shows a deleted topic, even before that.
func TestFanOutInBatchesOfAThousand(t *testing.T) {
	testlevel.Usual(t)
	p := newVoteSite(t)
	followers := p.followersOf(p.ann, 1007)
	p.clock.Advance(second)
	p.follow(p.bob, userID(p.ann), true) // the last follower
	id := p.status(p.ann, "News")
	if n := p.with(followers); n != forum.FanOutPass {
		t.Errorf("%d followers have it when posting answers; want %d", n, forum.FanOutPass)
	}
	p.wantHome("the last follower's before the task", p.bob, "")
	p.work()
	if n := p.with(followers); n != len(followers) {
		t.Errorf("%d followers have it after the task; want all %d", n, len(followers))
	}
	p.wantHome("the last follower's", p.bob, "News")
	p.wantVerdict("deleteTopic", p.mutate(p.ann, "deleteTopic", input{"topicId": id}, ""), "")
	if n := p.with(followers); n != len(followers)-forum.FanOutPass {
		t.Errorf("%d homes hold it when deleting answers; want %d", n, len(followers)-forum.FanOutPass)
	}
	wantEqual(t, "stored for the last follower", p.homeSize(p.bob), 1)
	p.wantHome("C18: the last follower's before the task", p.bob, "")
	p.work()
	if n := p.with(followers) + p.homeSize(p.bob); n != 0 {
		t.Errorf("%d homes hold it after the task; want none", n)
	}

	// X34: deleted while the task of posting is waiting.
	id = p.status(p.ann, "More news")
	p.wantVerdict("deleteTopic", p.mutate(p.ann, "deleteTopic", input{"topicId": id}, ""), "")
	p.work()
	if n := p.with(followers) + p.homeSize(p.bob); n != 0 {
		t.Errorf("%d homes hold what was deleted before all had it; want none", n)
	}
}

// X38: a user who was away for 30 days has no home, but on return finds everything.
func TestAwayAndBack(t *testing.T) {
	p := newVoteSite(t)
	p.follow(p.bob, userID(p.ann), true)
	first := p.statuses(p.ann, 3)
	p.clock.Advance(forum.InactiveAfter + time.Hour)
	p.ann = p.signIn("ann")
	missed := p.statuses(p.ann, 40)
	if n := p.homeSize(p.bob); n != 0 {
		t.Errorf("the home of an inactive user has %d topics; want none", n)
	}
	p.bob = p.signIn("bob")
	want := append(slices.Clone(missed), first...)
	wantEqual(t, "on coming back", p.walkHome(p.bob), want)
	p.work()
	wantEqual(t, "behind it", p.homeSize(p.bob), len(want))
	fresh := p.statuses(p.ann, 1)
	wantEqual(t, "from then on", p.walkHome(p.bob), append(fresh, want...))
}

// X40: an edited author is the same author: homes refer to topics, topics to their author.
func TestHomesHoldNoCopies(t *testing.T) {
	p := newVoteSite(t)
	p.follow(p.bob, userID(p.ann), true)
	id := p.status(p.ann, "Before")
	p.wantVerdict("updateTopic", p.mutate(p.ann, "updateTopic", input{"topicId": id, "content": "After"}, ""), "")
	p.wantHome("a follower's", p.bob, "After")
}

// Signing in shows the home of the new user.
func TestHomeAfterSignIn(t *testing.T) {
	p := newVoteSite(t)
	p.status(p.ann, "Mine")
	a := p.must("", `mutation { login(input: {identifier: "ann", password: "a good password"}) { viewer { home { topics { nodes { title } } } lists { totalCount } } errors { code } } }`, nil)
	wantEqual(t, "the home", a.texts("title", "login", "viewer", "home", "topics", "nodes"), []string{"Mine"})
}
