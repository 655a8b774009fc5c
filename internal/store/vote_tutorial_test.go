package store

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// The tutorials' defects (behaviours.md, section 4), each with their way and ours side by side under one
// assertion. X30, keys that the tutorial's own test leaves behind, is not here, because each test has a
// Redis of its own.

// contrast runs the tutorials' way, which must show as many faults as the row describes, and ours, which
// must show none. Both return the faults.
func contrast(t *testing.T, faults int, tutorials, ours func(x *site) error) {
	t.Helper()
	t.Run("tutorials", func(t *testing.T) {
		err := tutorials(newSite(t))
		if got := len(parts(err)); got != faults {
			t.Errorf("the tutorials' way shows %d faults, %v; want the %d of the row", got, err, faults)
		}
		t.Logf("the fault: %v", err)
	})
	t.Run("ours", func(t *testing.T) {
		x := newSite(t)
		if err := ours(x); err != nil {
			t.Error(err)
		}
		x.wantTrue()
	})
}

// parts returns the errors that were joined to one.
func parts(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err != nil {
		return []error{err}
	}
	return nil
}

// both reports a user who is on both sides.
func both(x *site, up, down, user string, has func(key, user string) bool) error {
	if has(up, user) && has(down, user) {
		return fmt.Errorf("user %s is among the voters for and against", user)
	}
	return nil
}

func TestOneUserOnBothSides(t *testing.T) {
	contrast(t, 1, func(x *site) error {
		has := func(key, user string) bool { return x.rdb.SIsMember(x.ctx, key, user).Val() }
		isVoted := func() bool { return has("topic:1:up", "7") || has("topic:1:down", "7") }
		first, second := isVoted(), isVoted() // two clients check
		if !first {
			x.rdb.SAdd(x.ctx, "topic:1:up", "7")
		}
		if !second {
			x.rdb.SAdd(x.ctx, "topic:1:down", "7")
		}
		return both(x, "topic:1:up", "topic:1:down", "7", has)
	}, func(x *site) error {
		ann := x.user("ann")
		topic := x.topic(ann, x.category("go"))
		wake := x.asleep("topic_vote", func(s *Store) { s.VoteTopic(x.ctx, ann, topic, forum.VoteUp) })
		x.cast(ann, topic, forum.VoteDown)
		wake()
		has := func(key, user string) bool { return x.rdb.ZScore(x.ctx, key, user).Err() == nil }
		return both(x, key.Upvoters(key.Topic(topic)), key.Downvoters(key.Topic(topic)), key.Itoa(ann.ID), has)
	})
}

// changedMind checks what a voter should find after voting against, then in favour.
func changedMind(informed, inFavour bool, life time.Duration, before, after float64) error {
	var wrong []error
	if !informed {
		wrong = append(wrong, errors.New("the voter does not learn whether the vote was accepted"))
	}
	if !inFavour {
		wrong = append(wrong, errors.New("the vote is still against"))
	}
	if life <= 0 {
		wrong = append(wrong, errors.New("the voters of an article are kept forever"))
	}
	if after <= before {
		wrong = append(wrong, fmt.Errorf("the hot score is %v after the vote, %v before", after, before))
	}
	return errors.Join(wrong...)
}

func TestVoteInFavourAfterOneAgainst(t *testing.T) {
	contrast(t, 4, func(x *site) error {
		vote := func(side string) { // returns nothing
			if x.rdb.SIsMember(x.ctx, "topic:1:up", "7").Val() || x.rdb.SIsMember(x.ctx, "topic:1:down", "7").Val() {
				return
			}
			x.rdb.SAdd(x.ctx, "topic:1:"+side, "7")
		}
		x.rdb.ZAdd(x.ctx, "hot", redis.Z{Score: 5, Member: "1"})
		vote("down")
		vote("up")
		in, life := x.rdb.SIsMember(x.ctx, "topic:1:up", "7").Val(), x.rdb.TTL(x.ctx, "topic:1:down").Val()
		return changedMind(false, in, life, 5, x.rdb.ZScore(x.ctx, "hot", "1").Val())
	}, func(x *site) error {
		ann, bob := x.user("ann"), x.user("bob")
		article := x.post(link(ann))
		x.cast(bob, article, forum.VoteDown)
		x.cast(bob, article, forum.VoteNone)
		x.cast(bob, article, forum.VoteDown)
		before := x.order(key.FrontContainer, key.OrderHot)[article]
		voted := x.cast(bob, article, forum.VoteUp)
		in, life := x.voteOf(bob, article) == forum.VoteUp, x.rdb.TTL(x.ctx, key.Upvoters(key.Topic(article))).Val()
		return changedMind(voted.Changed, in, life, before, x.order(key.FrontContainer, key.OrderHot)[article])
	})
}

// countedOnce checks an article after a client repeated a vote whose first call was interrupted.
func countedOnce(voters, shown int64, moved float64) error {
	if voters != shown || moved != float64(432_000*(shown-1)) {
		return fmt.Errorf("%d voters, %d votes shown, the score moved by %v", voters, shown, moved)
	}
	return nil
}

func TestCrashBetweenTheCommandsOfAVote(t *testing.T) {
	for step := 1; step <= 3; step++ {
		t.Run(fmt.Sprint("killed before step ", step), func(t *testing.T) {
			contrast(t, 1, func(x *site) error {
				x.rdb.SAdd(x.ctx, "voted:1", "7")
				x.rdb.HSet(x.ctx, "article:1", "votes", 1)
				vote := func(killed bool) {
					if x.rdb.SAdd(x.ctx, "voted:1", "8").Val() == 1 && !killed {
						x.rdb.ZIncrBy(x.ctx, "score:", 432_000, "article:1")
						x.rdb.HIncrBy(x.ctx, "article:1", "votes", 1)
					}
				}
				vote(true)
				vote(false) // the client retries
				shown, _ := x.rdb.HGet(x.ctx, "article:1", "votes").Int64()
				return countedOnce(x.rdb.SCard(x.ctx, "voted:1").Val(), shown, x.rdb.ZScore(x.ctx, "score:", "article:1").Val())
			}, func(x *site) error {
				ann, bob := x.user("ann"), x.user("bob")
				article := x.post(link(ann))
				before := x.order(key.FrontContainer, key.OrderScore)[article]
				x.dies(step, func(s *Store) { s.VoteTopic(x.ctx, bob, article, forum.VoteUp) })
				x.cast(bob, article, forum.VoteUp)
				x.clock.Advance(time.Minute)
				x.settle()
				voters := x.rdb.ZCard(x.ctx, key.Upvoters(key.Topic(article))).Val()
				return countedOnce(voters, int64(x.oneTopic(article).Upvotes),
					x.order(key.FrontContainer, key.OrderScore)[article]-before)
			})
		})
	}
}

// afterTheBoundary checks what should hold after a vote at the end of the week.
func afterTheBoundary(life time.Duration, secondCounted bool) error {
	var wrong []error
	if life < 0 {
		wrong = append(wrong, errors.New("the voters are kept forever"))
	}
	if secondCounted {
		wrong = append(wrong, errors.New("a user's second vote counted"))
	}
	return errors.Join(wrong...)
}

func TestVoteAtTheEndOfTheWeek(t *testing.T) {
	contrast(t, 2, func(x *site) error {
		x.rdb.SAdd(x.ctx, "voted:1", "ann")
		x.rdb.ExpireAt(x.ctx, "voted:1", x.clock.Now().Add(604_800*time.Second))
		open := true                                            // the age check passes …
		x.rdb.PExpireAt(x.ctx, "voted:1", time.UnixMilli(1000)) // … the set expires …
		if open {
			x.rdb.SAdd(x.ctx, "voted:1", "bob") // … and is created again
		}
		again := x.rdb.SAdd(x.ctx, "voted:1", "ann").Val() == 1
		return afterTheBoundary(x.rdb.TTL(x.ctx, "voted:1").Val(), again)
	}, func(x *site) error {
		ann, bob := x.user("ann"), x.user("bob")
		article := x.post(link(ann))
		x.clock.Advance(604_800*time.Second - time.Millisecond)
		x.cast(bob, article, forum.VoteUp)
		again := x.cast(ann, article, forum.VoteUp).Changed
		life := x.rdb.TTL(x.ctx, key.Upvoters(key.Topic(article))).Val()
		x.clock.Advance(time.Millisecond)
		_, err := x.VoteTopic(x.ctx, bob, article, forum.VoteNone)
		wantCode(x.t, "VoteTopic a week after posting", err, forum.CodeVotingClosed)
		return afterTheBoundary(life, again)
	})
}

func TestVotesAreCounted(t *testing.T) {
	counted := func(votes int, err error) error {
		if votes != 2 {
			return fmt.Errorf("%d votes, %v; want the author's and another", votes, err)
		}
		return nil
	}
	contrast(t, 1, func(x *site) error {
		x.rdb.HSet(x.ctx, "article:1", "votes", 1)
		err := x.rdb.Do(x.ctx, "HINCRBY", "article:1", 1).Err() // no field
		votes, _ := x.rdb.HGet(x.ctx, "article:1", "votes").Int()
		return counted(votes, err)
	}, func(x *site) error {
		ann, bob := x.user("ann"), x.user("bob")
		article := x.post(link(ann))
		x.cast(bob, article, forum.VoteUp)
		return counted(x.oneTopic(article).Upvotes, nil)
	})
}

func TestVoteOnAMissingArticle(t *testing.T) {
	refused := func(err error) error {
		if forum.CodeOf(err) != forum.CodeNotFound {
			return fmt.Errorf("a vote on a missing article = %v; want NOT_FOUND", err)
		}
		return nil
	}
	contrast(t, 1, func(x *site) error {
		vote := func() error {
			posted := x.rdb.ZScore(x.ctx, "time:", "article:9").Val() // missing, and less than any number
			if posted < float64(x.clock.Now().Unix()-604_800) {
				return nil
			}
			return x.rdb.SAdd(x.ctx, "voted:9", "7").Err()
		}
		return refused(vote())
	}, func(x *site) error {
		ann := x.user("ann")
		_, onTopic := x.VoteTopic(x.ctx, ann, 512, forum.VoteUp)
		_, onComment := x.VoteComment(x.ctx, ann, 512, forum.VoteUp)
		if keys := x.keysLike(":512"); len(keys) > 0 {
			return fmt.Errorf("votes on missing articles created %v", keys)
		}
		return errors.Join(refused(onTopic), refused(onComment))
	})
}

func TestVotesAreKnownAfterTheWeek(t *testing.T) {
	known := func(v forum.VoteDirection) error {
		if v != forum.VoteUp {
			return fmt.Errorf("the voter sees %s", v)
		}
		return nil
	}
	contrast(t, 1, func(x *site) error {
		x.rdb.SAdd(x.ctx, "voted:1", "7")
		x.rdb.PExpireAt(x.ctx, "voted:1", time.UnixMilli(1000)) // the week is over
		if x.rdb.SIsMember(x.ctx, "voted:1", "7").Val() {
			return nil
		}
		return known(forum.VoteNone)
	}, func(x *site) error {
		ann, bob := x.user("ann"), x.user("bob")
		article := x.post(link(ann))
		x.cast(bob, article, forum.VoteUp)
		x.clock.Advance(605_000*time.Second + forum.ExpiryGrace)
		wantOK(x.t, "DEL", x.rdb.Del(x.ctx, key.Upvoters(key.Topic(article))).Err())
		err := errors.Join(known(x.voteOf(bob, article)), known(x.voteOf(ann, article)))
		x.rdb.HSet(x.ctx, key.Internal(key.Topic(article)), "upBase",
			2) // the voters have expired: for wantTrue the counts are now a base
		return err
	})
}
