package store

import (
	"fmt"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Rows X11, X12 and X21 to X25 of docs/behaviours.md: faults of votes that Agora does not have.

func TestOneUserOnBothSides(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	topic := x.topic(ann, x.category("go"))
	wake := x.asleep("topic_vote", func(s *Store) { s.VoteTopic(x.ctx, ann, topic, forum.VoteUp) })
	x.cast(ann, topic, forum.VoteDown)
	wake()
	has := func(key string) bool { return x.rdb.ZScore(x.ctx, key, fmt.Sprint(ann.ID)).Err() == nil }
	if has(key.Upvoters(key.Topic(topic))) && has(key.Downvoters(key.Topic(topic))) {
		t.Errorf("user %d is among the voters for and against", ann.ID)
	}
	x.wantClean()
}

func TestVoteInFavourAfterOneAgainst(t *testing.T) {
	x := newSite(t)
	ann, bob := x.user("ann"), x.user("bob")
	article := x.post(link(ann))
	x.cast(bob, article, forum.VoteDown)
	x.cast(bob, article, forum.VoteNone)
	x.cast(bob, article, forum.VoteDown)
	before := x.order(key.FrontContainer, key.OrderHot)[article]
	if voted := x.cast(bob, article, forum.VoteUp); !voted.Changed {
		t.Error("the voter does not learn that the vote was accepted")
	}
	if got := x.voteOf(bob, article); got != forum.VoteUp {
		t.Errorf("the vote is %s; want it in favour", got)
	}
	closed := time.UnixMilli(int64(x.oneTopic(article).CreatedAt + forum.VotingWindow)).Add(forum.ExpiryGrace + time.Second - 1)
	end, err := x.rdb.Do(x.ctx, "EXPIRETIME", key.Upvoters(key.Topic(article))).Int64()
	if err != nil || !x.endsAt(end, closed.Unix()) {
		t.Errorf("the voters of an article expire at %d, %v; want %d", end, err, closed.Unix())
	}
	if after := x.order(key.FrontContainer, key.OrderHot)[article]; after <= before {
		t.Errorf("the hot score is %v after the vote, %v before", after, before)
	}
	x.wantClean()
}

func TestCrashBetweenTheCommandsOfAVote(t *testing.T) {
	for step := 1; step <= 3; step++ {
		t.Run(fmt.Sprint("killed before step ", step), func(t *testing.T) {
			x := newSite(t)
			ann, bob := x.user("ann"), x.user("bob")
			article := x.post(link(ann))
			before := x.order(key.FrontContainer, key.OrderScore)[article]
			x.dies(step, func(s *Store) { s.VoteTopic(x.ctx, bob, article, forum.VoteUp) })
			x.cast(bob, article, forum.VoteUp) // the client repeats it
			x.clock.Advance(time.Minute)
			x.settle()
			voters, shown := x.rdb.ZCard(x.ctx, key.Upvoters(key.Topic(article))).Val(), x.oneTopic(article).Upvotes
			moved := x.order(key.FrontContainer, key.OrderScore)[article] - before
			if voters != int64(shown) || moved != float64(432_000*(shown-1)) {
				t.Errorf("%d voters, %d votes shown, the score moved by %v; want them to agree", voters, shown, moved)
			}
			x.wantClean()
		})
	}
}

func TestVoteAtTheEndOfTheWeek(t *testing.T) {
	x := newSite(t)
	ann, bob := x.user("ann"), x.user("bob")
	article := x.post(link(ann))
	x.clock.Advance(604_800*time.Second - time.Millisecond)
	x.cast(bob, article, forum.VoteUp)
	if x.cast(ann, article, forum.VoteUp).Changed {
		t.Error("a user's second vote counted")
	}
	if life := x.rdb.TTL(x.ctx, key.Upvoters(key.Topic(article))).Val(); life < 0 {
		t.Errorf("the voters have a TTL of %d; want them to expire", life)
	}
	x.clock.Advance(time.Millisecond)
	_, err := x.VoteTopic(x.ctx, bob, article, forum.VoteNone)
	wantCode(t, "VoteTopic a week after posting", err, forum.CodeVotingClosed)
	x.wantClean()
}

func TestVotesAreCounted(t *testing.T) {
	x := newSite(t)
	ann, bob := x.user("ann"), x.user("bob")
	article := x.post(link(ann))
	x.cast(bob, article, forum.VoteUp)
	if got := x.oneTopic(article).Upvotes; got != 2 {
		t.Errorf("%d votes; want the author's and another", got)
	}
	x.wantClean()
}

func TestVoteOnAMissingArticle(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	_, err := x.VoteTopic(x.ctx, ann, 512, forum.VoteUp)
	wantCode(t, "VoteTopic on a missing topic", err, forum.CodeNotFound)
	_, err = x.VoteComment(x.ctx, ann, 512, forum.VoteUp)
	wantCode(t, "VoteComment on a missing comment", err, forum.CodeNotFound)
	if keys := x.keysLike(":512"); len(keys) > 0 {
		t.Errorf("votes on missing articles created %v", keys)
	}
	x.wantClean()
}

func TestVotesAreKnownAfterTheWeek(t *testing.T) {
	x := newSite(t)
	ann, bob := x.user("ann"), x.user("bob")
	article := x.post(link(ann))
	x.cast(bob, article, forum.VoteUp)
	x.clock.Advance(605_000*time.Second + forum.ExpiryGrace)
	wantOK(t, "DEL", x.rdb.Del(x.ctx, key.Upvoters(key.Topic(article))).Err())
	for _, voter := range []*forum.Viewer{bob, ann} {
		if got := x.voteOf(voter, article); got != forum.VoteUp {
			t.Errorf("user %d sees %s as the own vote; want UP", voter.ID, got)
		}
	}
	// The voters have expired: for Check the counts are now a base.
	x.rdb.HSet(x.ctx, key.Internal(key.Topic(article)), "upBase", 2)
	x.wantClean()
}
