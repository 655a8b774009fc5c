package fsck

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// poll is a subject with votes.
type poll struct {
	key string // of the subject
	// article is the topic if its votes are recorded in the voters' logs, otherwise 0.
	article  forum.TopicID
	up, down int
}

// pollsOf returns those topics of a group and comments on them that have votes.
func pollsOf(topics []*topicView) []poll {
	var all []poll
	add := func(key string, article forum.TopicID, v *votesView) {
		if v.setUp+v.setDown > 0 {
			all = append(all, poll{key: key, article: article, up: v.setUp, down: v.setDown})
		}
	}
	for _, t := range topics {
		switch t.f["kind"] {
		case "":
			continue
		case string(forum.Article):
			add(t.key(), t.id, &t.votes)
		default:
			add(t.key(), 0, &t.votes)
		}
		for _, m := range t.comments {
			add(m.key(), 0, &m.votes)
		}
	}
	return all
}

// voter is an entry of one of the two sets of a poll.
type voter struct {
	of   *poll
	name string
	at   float64
}

func (v voter) on() target { return target{kind: onVoter, key: v.of.key, text: v.name} }

// inspectVoters checks voters one by one. Short sets of many subjects are read together.
func (c *checker) inspectVoters(ctx context.Context, polls []poll) error {
	return groups(polls, func(part []poll) error {
		r := c.read(ctx)
		short := make([][]*redis.ZSliceCmd, len(part))
		for i := range part {
			for _, key := range []string{key.Upvoters(part[i].key), key.Downvoters(part[i].key)} {
				if max(part[i].up, part[i].down) <= readSize {
					short[i] = append(short[i], r.next().ZRangeWithScores(ctx, key, 0, -1))
					continue
				}
				err := c.eachScored(ctx, key, func(zs []redis.Z) error { return c.siftVoters(ctx, part[i].voters(zs)) })
				if err != nil {
					return err
				}
			}
		}
		if err := r.done(); err != nil {
			return err
		}
		var voters []voter
		for i := range part {
			for _, cmd := range short[i] {
				voters = append(voters, part[i].voters(cmd.Val())...)
			}
		}
		return groups(voters, func(part []voter) error { return c.siftVoters(ctx, part) })
	})
}

func (b *poll) voters(zs []redis.Z) []voter {
	voters := make([]voter, len(zs))
	for i, z := range zs {
		voters[i] = voter{b, z.Member.(string), z.Score}
	}
	return voters
}

// siftVoters selects for closer inspection voters that are not users or have the wrong score, and
// votes on articles that are missing in the voters' logs.
func (c *checker) siftVoters(ctx context.Context, voters []voter) error {
	r := c.read(ctx)
	logs := make([]*redis.FloatCmd, len(voters))
	states := make([]*redis.StringCmd, len(voters))
	for i, v := range voters {
		id, _ := forum.ParseID[forum.UserID](v.name)
		if v.of.article != 0 {
			logs[i] = r.next().ZScore(ctx, key.VoteLog(id), key.Itoa(v.of.article))
		}
		states[i] = r.next().HGet(ctx, key.User(id), "state")
	}
	if err := r.done(); err != nil {
		return err
	}
	var odd, unlogged []target
	for i, v := range voters {
		id, _ := forum.ParseID[forum.UserID](v.name)
		switch {
		case !isAuthor(states[i].Val()) || v.at != float64(id):
			odd = append(odd, v.on())
		case logs[i] != nil && logs[i].Err() != nil && states[i].Val() == catalogue.UserActive:
			unlogged = append(unlogged, loggedSubject(id, key.Itoa(v.of.article)))
		}
	}
	if err := c.inspectVotes(ctx, odd); err != nil {
		return err
	}
	return c.inspectLogged(ctx, unlogged)
}

// inspectVotes checks single voters of single subjects.
func (c *checker) inspectVotes(ctx context.Context, on []target) error {
	r := c.read(ctx)
	scores := make([][2]*redis.FloatCmd, len(on))
	states := make([]*redis.StringCmd, len(on))
	for i, s := range on {
		id, _ := forum.ParseID[forum.UserID](s.text)
		scores[i] = [2]*redis.FloatCmd{r.next().ZScore(ctx, key.Upvoters(s.key), s.text),
			r.next().ZScore(ctx, key.Downvoters(s.key), s.text)}
		states[i] = r.next().HGet(ctx, key.User(id), "state")
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, s := range on {
		for n, key := range []string{key.Upvoters(s.key), key.Downvoters(s.key)} {
			if scores[i][n].Err() == nil {
				c.checkVoter(s, key, scores[i][n].Val(), isAuthor(states[i].Val()))
			}
		}
	}
	return nil
}

// checkVoter checks an entry of a set of voters.
func (c *checker) checkVoter(on target, key string, at float64, there bool) {
	id, err := forum.ParseID[forum.UserID](on.text)
	switch {
	case err != nil || !there:
		out := fix{watch: []string{key}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, key, on.text) }}
		c.add(on, RuleVotesEntry, key, out, "%q is not a user", on.text)
	case at != float64(id):
		move := fix{watch: []string{key}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZAddXX(ctx, key, redis.Z{Score: float64(id), Member: on.text})
		}}
		c.add(on, RuleVotesEntry, key, move, "user %s is at %s", on.text, record.FormatScore(at))
	}
}
