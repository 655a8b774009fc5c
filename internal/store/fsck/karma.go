package fsck

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// inspectKarma checks the karma of all users, and what it counts of comments.
func (c *checker) inspectKarma(ctx context.Context) error {
	for p := range c.keys.comments {
		comments := toIDs[forum.CommentID](c.keys.comments[p])
		if err := groups(comments, func(ids []forum.CommentID) error { return c.inspectCounted(ctx, ids) }); err != nil {
			return err
		}
		var posted []forum.UserID
		if err := groups(toIDs[forum.UserID](c.keys.users[p]), func(ids []forum.UserID) error {
			some, err := c.withKarma(ctx, ids)
			posted = append(posted, some...)
			return err
		}); err != nil {
			return err
		}
		for _, id := range posted {
			if err := c.eachField(ctx, key.Karma(id), func(names []string) error {
				return c.inspectCountedFields(ctx, key.Karma(id), names)
			}); err != nil {
				return err
			}
			if err := c.inspectKarmaOf(ctx, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// withKarma returns the users who can have karma, or have some.
func (c *checker) withKarma(ctx context.Context, ids []forum.UserID) (some []forum.UserID, err error) {
	r := c.read(ctx)
	karma, counts := make([]*redis.StringCmd, len(ids)), make([][2]*redis.IntCmd, len(ids))
	for i, id := range ids {
		karma[i] = r.next().HGet(ctx, key.Internal(key.User(id)), "karma")
		counts[i] = [2]*redis.IntCmd{r.next().HLen(ctx, key.Karma(id)), r.next().ZCard(ctx, key.Profile(id))}
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	for i, id := range ids {
		if karma[i].Err() == nil || counts[i][0].Val()+counts[i][1].Val() > 0 {
			some = append(some, id)
		}
	}
	return some, nil
}

// countedView is a comment and what its author's karma counts of it.
type countedView struct {
	id      forum.CommentID
	f       record.Fields
	author  forum.UserID
	of      record.TopicState
	excused bool // it may be outdated
	active  bool // its author
	have    string
}

var countedFields = append([]string{"topic"}, script.CommentStateFields...)

func (c *checker) readCounted(ctx context.Context, ids []forum.CommentID) ([]*countedView, error) {
	r := c.read(ctx)
	views, hashes := make([]*countedView, len(ids)), make([]func() record.Fields, len(ids))
	marks := make([]*redis.FloatCmd, len(ids))
	for i, id := range ids {
		views[i], hashes[i] = &countedView{id: id}, r.hmget(key.Comment(id), countedFields)
		marks[i] = r.next().ZScore(ctx, key.Dirty(id.Partition()), "c:"+key.Itoa(id))
	}
	if err := r.done(); err != nil {
		return nil, err
	}
	after := make([]func(), len(ids))
	for i, v := range views {
		v.f = hashes[i]()
		v.author = forum.UserID(v.f.Int("author"))
		topic := forum.TopicID(v.f.Int("topic"))
		state := r.next().HGet(ctx, key.Topic(topic), "state")
		mark := r.next().ZScore(ctx, key.Dirty(v.id.Partition()), "t:"+key.Itoa(topic))
		task := r.next().Exists(ctx, key.Task(v.id.Partition(), record.RetractTask(topic)))
		active := r.next().HGet(ctx, key.User(v.author), "state")
		have := r.next().HGet(ctx, key.Karma(v.author), key.Itoa(v.id))
		after[i] = func() {
			v.of = stateOf(state.Val())
			v.excused = c.young(marks[i]) || task.Val() > 0 || !v.of.Listed && c.young(mark)
			v.active, v.have = active.Val() == catalogue.UserActive, have.Val()
		}
	}
	err := r.done()
	for _, f := range after {
		f()
	}
	return views, err
}

// inspectCounted compares comments with what is counted of them.
func (c *checker) inspectCounted(ctx context.Context, ids []forum.CommentID) error {
	views, err := c.readCounted(ctx, ids)
	if err != nil {
		return err
	}
	for _, v := range views {
		s := record.ParseCommentState(v.id, v.f, v.of)
		want := ""
		if s.Votes != nil && v.active && v.author != 0 {
			want = fmt.Sprintf("%d %d", s.Karma().Rev, s.Karma().Net)
		}
		if v.have == want || v.excused || !s.Live && v.nothing(s) || v.f["topic"] == "" || !v.active {
			continue
		}
		k := key.Karma(v.author)
		set := fix{watch: []string{k}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			if want == "" {
				pipe.HDel(ctx, k, key.Itoa(v.id))
			} else {
				pipe.HSet(ctx, k, key.Itoa(v.id), want)
			}
		}}
		c.add(target{kind: onCounted, id: int64(v.id)}, RuleKarma, k, set, "has %q of comment %d; want %q", v.have, v.id,
			want)
	}
	return c.inspectOwnVotes(ctx, views)
}

// nothing reports whether nothing is counted of a comment, as of its present votes or for good.
func (v *countedView) nothing(s record.CommentState) bool {
	rev, net, _ := strings.Cut(v.have, " ")
	return v.have == "" || s.Votes != nil && net == "0" && record.Atoi(rev) >= s.Votes.Rev
}

// inspectOwnVotes compares what comments record of their authors' own votes with the votes.
func (c *checker) inspectOwnVotes(ctx context.Context, views []*countedView) error {
	r := c.read(ctx)
	own := make([]func() string, len(views))
	for i, v := range views {
		own[i] = r.ownVote(key.Comment(v.id), v.author)
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, v := range views {
		k := key.Comment(v.id)
		if want := own[i](); v.f["topic"] != "" && v.author != 0 && v.f["own"] != want {
			set := fix{watch: []string{k, key.Upvoters(k), key.Downvoters(k)},
				do: func(ctx context.Context, pipe redis.Pipeliner) {
					setOwn(ctx, pipe, k, want)
					pipe.HIncrBy(ctx, key.Internal(k), "votes", 1)
					pipe.ZAddNX(ctx, key.Dirty(v.id.Partition()),
						redis.Z{Score: float64(c.s.Now()), Member: "c:" + key.Itoa(v.id)})
				}}
			c.add(target{kind: onCounted, id: int64(v.id)}, RuleOwnVote, k, set, "own is %q; want %q", v.f["own"], want)
		}
	}
	return nil
}

// ownVote reads how a user votes on a subject, as the field own records it.
func (r *reading) ownVote(subject string, user forum.UserID) func() string {
	up := r.next().ZScore(r.ctx, key.Upvoters(subject), key.Itoa(user))
	down := r.next().ZScore(r.ctx, key.Downvoters(subject), key.Itoa(user))
	return func() string {
		switch {
		case up.Err() == nil:
			return "1"
		case down.Err() == nil:
			return "-1"
		}
		return ""
	}
}

func setOwn(ctx context.Context, pipe redis.Pipeliner, k, own string) {
	if own == "" {
		pipe.HDel(ctx, key.Internal(k), "own")
	} else {
		pipe.HSet(ctx, key.Internal(k), "own", own)
	}
}

// inspectCountedFields checks the fields of what is counted of a user's comments: each is a comment of the user.
func (c *checker) inspectCountedFields(ctx context.Context, k string, names []string) error {
	r := c.read(ctx)
	authors := make([]*redis.StringCmd, len(names))
	for i, name := range names {
		id, _ := forum.ParseID[forum.CommentID](name)
		authors[i] = r.next().HGet(ctx, key.Comment(id), "author")
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, name := range names {
		if author := forum.UserID(record.Atoi(authors[i].Val())); author == 0 || key.Karma(author) != k {
			out := fix{watch: []string{k}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, k, name) }}
			c.add(target{kind: onCounted, key: k, text: name}, RuleKarma, k, out, "%q is not a comment of the user", name)
		}
	}
	return nil
}

// inspectKarmaOf compares the karma of a user with the votes on the topics of the profile and on comments.
func (c *checker) inspectKarmaOf(ctx context.Context, id forum.UserID) error {
	r := c.readAtOnce(ctx)
	hash := r.hmget(key.User(id), []string{"state", "karma"})
	counted := r.next().HGetAll(ctx, key.Karma(id))
	profile := r.next().ZRange(ctx, key.Profile(id), 0, -1)
	if err := r.done(); err != nil {
		return err
	}
	f, on := hash(), target{kind: onKarma, id: int64(id)}
	if f["state"] != catalogue.UserActive {
		if len(counted.Val()) > 0 {
			c.add(on, RuleOrphanKey, key.Karma(id), remove(key.Karma(id)), "%d entries, but user %d is %q",
				len(counted.Val()), id, f["state"])
		}
		return nil
	}
	sum := 0
	for _, value := range counted.Val() {
		_, net := splitName(value)
		n, _ := strconv.Atoi(net)
		sum += n
	}
	watch := []string{key.User(id), key.Karma(id), key.Profile(id)}
	if err := groups(profile.Val(), func(members []string) error {
		r := c.read(ctx)
		topics, own := make([]func() record.Fields, len(members)), make([]func() string, len(members))
		ids := make([]forum.TopicID, len(members))
		for i, m := range members {
			n, _, _ := record.ParseMember(m)
			ids[i] = forum.TopicID(n)
			topics[i] = r.hmget(key.Topic(ids[i]), []string{"state", "author", "kind", "created", "up", "down", "own"})
			own[i] = r.ownVote(key.Topic(ids[i]), id)
		}
		if err := r.done(); err != nil {
			return err
		}
		for i := range members {
			t := topics[i]()
			if !listed(t["state"]) || t["author"] != key.Itoa(id) {
				continue // a finding of the profile
			}
			sum += t.Int("up") - t.Int("down") - t.Int("own")
			c.checkOwn(on, ids[i], t, own[i]())
		}
		return nil
	}); err != nil {
		return err
	}
	if f.Int("karma") != sum {
		set := fix{watch: watch, do: func(ctx context.Context, pipe redis.Pipeliner) {
			record.Set(ctx, pipe, key.User(id), "karma", sum)
		}}
		c.add(on, RuleKarma, key.User(id), set, "karma is %q; want %d", f["karma"], sum)
	}
	return nil
}

// checkOwn compares what a topic records of its author's own vote with the vote. Once voting on an article is over,
// the votes may be missing.
func (c *checker) checkOwn(on target, id forum.TopicID, t record.Fields, want string) {
	closed := t["kind"] == string(forum.Article) && c.s.Now() >= t.Time("created")+forum.VotingWindow
	if t["own"] == want || closed && want == "" {
		return
	}
	k := key.Topic(id)
	set := fix{watch: []string{k, key.Upvoters(k), key.Downvoters(k)},
		do: func(ctx context.Context, pipe redis.Pipeliner) { setOwn(ctx, pipe, k, want) }}
	c.add(on, RuleOwnVote, k, set, "own is %q; want %q", t["own"], want)
}

// inspectKarmaAgain checks users and comments again.
func (c *checker) inspectKarmaAgain(ctx context.Context, on []target) error {
	for _, t := range on {
		var err error
		switch {
		case t.kind == onKarma:
			err = c.inspectKarmaOf(ctx, forum.UserID(t.id))
		case t.text == "":
			err = c.inspectCounted(ctx, []forum.CommentID{forum.CommentID(t.id)})
		case c.rdb.Redis.HExists(ctx, t.key, t.text).Val():
			err = c.inspectCountedFields(ctx, t.key, []string{t.text})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
