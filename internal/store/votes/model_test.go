package votes_test

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// ballot is the expected content of a site, in plain maps.
type ballot struct {
	*storetest.Site
	users      []*forum.Viewer
	categories []forum.CategoryID
	tab        forum.TabID
	topics     map[forum.TopicID]*ballotTopic
	comments   map[forum.CommentID]*ballotComment
	logs       map[forum.UserID]map[forum.TopicID]int64
	steps      int
}

type ballotTopic struct {
	id               forum.TopicID
	kind             forum.TopicKind
	author           forum.UserID
	category         forum.CategoryID
	created, active  forum.Time
	deleted, expired bool // expired: the sets of voters have expired
	baseUp, baseDown int
	votes            map[forum.UserID]forum.VoteDirection
	voted            forum.Time // the latest vote of any user, as in logs
	tags             []forum.TagID
}

type ballotComment struct {
	id, parent forum.CommentID
	topic      forum.TopicID
	author     forum.UserID
	created    forum.Time
	deleted    bool
	votes      map[forum.UserID]forum.VoteDirection
}

// sides counts votes.
func sides(votes map[forum.UserID]forum.VoteDirection) (up, down int) {
	for _, v := range votes {
		switch v {
		case forum.VoteUp:
			up++
		case forum.VoteDown:
			down++
		}
	}
	return up, down
}

func (t *ballotTopic) counts() (up, down int) {
	up, down = sides(t.votes)
	return t.baseUp + up, t.baseDown + down
}

func (t *ballotTopic) closes() forum.Time { return t.created + 604_800_000 }

// ballotTags are the tags of the model.
var ballotTags = site.Tags("go", "Redis", "graphql")

// reset empties the site, except its users and categories.
func (b *ballot) reset() {
	b.Clear()
	b.At(forum.Time(time.Date(2096, 1, 2, 3, 4, 5, 0, time.UTC).UnixMilli()))
	b.topics, b.comments = map[forum.TopicID]*ballotTopic{}, map[forum.CommentID]*ballotComment{}
	b.users, b.logs = nil, map[forum.UserID]map[forum.TopicID]int64{}
	for _, login := range []string{"ann", "bob", "cyd"} {
		b.users = append(b.users, b.User(login))
	}
	b.users = append(b.users, b.Moderator("mod"))
	for _, u := range b.users {
		b.logs[u.ID] = map[forum.TopicID]int64{}
	}
	b.categories = []forum.CategoryID{b.Category("a"), b.Category("b"), b.Category("c")}
	b.tab = b.Tab("tab", b.categories[:2]...)
}

// Behaviours A32-A43, B1-B21: whatever users do, all orders of all lists, counts, logs and results agree
// with plain maps.
func TestVotesAgreeWithModel(t *testing.T) {
	testlevel.LongSequential(t)
	b := &ballot{Site: storetest.NewIn(t, store.Layout{TimeZone: "Asia/Shanghai"})}
	storetest.Share(t, "rapid.checks", 3, 5) // a run takes longer than those of other tests
	storetest.Share(t, "rapid.steps", 6, 5)
	rapid.Check(t, func(rt *rapid.T) {
		b.reset()
		b.post(rt)
		b.post(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"":                  b.compare,
			"post":              b.post,
			"vote":              b.vote,
			"vote again":        b.vote,
			"vote on a comment": b.voteOnComment,
			"vote to the end":   b.voteToTheEnd,
			"comment":           b.reply,
			"comment again":     b.reply,
			"delete a comment":  b.deleteComment,
			"delete a topic":    b.deleteTopic,
			"move":              b.move,
			"tag":               b.tag,
			"wait":              b.wait,
		})
	})
	t.Logf("%d steps", b.steps)
}

// open draws a topic that is not deleted, nil if none was drawn.
func (b *ballot) open(rt *rapid.T) *ballotTopic {
	if t := storetest.Pick(rt, b.topics, "topic"); t != nil && !t.deleted {
		return t
	}
	return nil
}

func (b *ballot) someone(rt *rapid.T) *forum.Viewer {
	return rapid.SampledFrom(b.users).Draw(rt, "user")
}

func (b *ballot) post(rt *rapid.T) {
	by := b.someone(rt)
	in := site.Link(by)
	in.Category = rapid.SampledFrom(append([]forum.CategoryID{0}, b.categories...)).Draw(rt, "category")
	if rapid.Bool().Draw(rt, "discussion") {
		in.Kind, in.Category = forum.Discussion, max(in.Category, b.categories[0])
	}
	if rapid.Bool().Draw(rt, "imported") {
		in.Upvotes, in.Downvotes = rapid.IntRange(0, 5).Draw(rt, "up"), rapid.IntRange(0, 5).Draw(rt, "down")
	}
	in.Tags = rapid.SliceOfDistinct(rapid.SampledFrom(ballotTags),
		func(t forum.TopicTag) forum.TagID { return t.ID }).Draw(rt, "tags")
	now := b.Engine.Now()
	id := b.Post(in)
	t := &ballotTopic{id: id, kind: in.Kind, author: by.ID, category: in.Category, created: now, active: now,
		tags:   in.Tags.IDs(),
		baseUp: in.Upvotes, baseDown: in.Downvotes, votes: map[forum.UserID]forum.VoteDirection{}}
	if in.Kind == forum.Article { // behaviour B7
		t.votes[by.ID], t.voted = forum.VoteUp, now
		b.logs[by.ID][id] = 4*int64(now) + 1
	}
	b.topics[id] = t
}

var voteDirections = []forum.VoteDirection{forum.VoteUp, forum.VoteDown, forum.VoteNone}

func (b *ballot) vote(rt *rapid.T) {
	if t := storetest.Pick(rt, b.topics, "topic"); t != nil {
		b.voteOn(rt, t, b.someone(rt), rapid.SampledFrom(voteDirections).Draw(rt, "vote"))
	}
}

// voteOn votes on a topic and checks the result.
func (b *ballot) voteOn(rt *rapid.T, t *ballotTopic, by *forum.Viewer, v forum.VoteDirection) {
	got, err := b.Votes.VoteTopic(b.Ctx, by, t.id, v)
	want := forum.Code("")
	switch sees := by.ID == t.author || by.Has(forum.RoleModerator); {
	case t.deleted && sees:
		want = forum.CodeLocked
	case t.deleted:
		want = forum.CodeNotFound
	case t.kind == forum.Article && b.Engine.Now() >= t.closes():
		want = forum.CodeVotingClosed
	}
	if code := forum.CodeOf(err); code != want || (err != nil) != (want != "") {
		rt.Fatalf("VoteTopic(%s) = %v; want code %q", v, err, want)
	}
	var known *forum.Error
	if errors.As(err, &known) && want == forum.CodeVotingClosed && known.ClosedAt != t.closes() {
		rt.Fatalf("VoteTopic: voting closed at %d; want %d", known.ClosedAt, t.closes())
	}
	if err != nil {
		return
	}
	before := cmp.Or(t.votes[by.ID], forum.VoteNone)
	if changed := before != v; changed {
		t.votes[by.ID] = v
		if t.kind == forum.Article {
			t.voted = max(b.Engine.Now(), t.voted+1)
			b.logs[by.ID][t.id] = record.PackVote(t.voted, v)
		}
	}
	up, down := t.counts()
	votes := forum.VoteSummary{Topic: t.id, Up: up, Down: down, Open: true}
	if t.kind == forum.Article {
		votes.ClosesAt = t.closes()
	}
	if got.Changed != (before != v) || got.Votes != votes {
		rt.Fatalf("VoteTopic(%s) = %+v; want changed %t, %+v", v, got, before != v, votes)
	}
}

// voteToTheEnd votes in the last millisecond in which an article accepts votes, and in the next. Behaviours
// B9, B13.
func (b *ballot) voteToTheEnd(rt *rapid.T) {
	t := storetest.Pick(rt, b.topics, "topic")
	if t == nil || t.kind != forum.Article || t.closes()-1 < b.Engine.Now() {
		return
	}
	b.At(t.closes() - 1)
	by := b.someone(rt)
	b.voteOn(rt, t, by, forum.VoteUp)
	b.voteOn(rt, t, by, forum.VoteDown)
	b.At(t.closes())
	b.voteOn(rt, t, by, forum.VoteUp)
	b.expire()
}

// expire deletes the sets of voters that Redis would have deleted by now.
func (b *ballot) expire() {
	for _, t := range b.topics {
		if t.kind != forum.Article || t.expired || b.Engine.Now() < t.closes()+3_600_000 {
			continue
		}
		t.expired = true
		t.baseUp, t.baseDown = t.counts()
		t.votes = nil
		b.Redis.Del(b.Ctx, key.Upvoters(key.Topic(t.id)), key.Downvoters(key.Topic(t.id)))
	}
}

func (b *ballot) reply(rt *rapid.T) {
	t, by := b.open(rt), b.someone(rt)
	if t == nil {
		return
	}
	c := &ballotComment{topic: t.id, author: by.ID, created: b.Engine.Now(),
		votes: map[forum.UserID]forum.VoteDirection{}}
	if rapid.Bool().Draw(rt, "nested") && len(b.comments) > 0 {
		if parent := storetest.Pick(rt, b.comments, "parent"); parent.topic == t.id && !parent.deleted {
			c.parent = parent.id
		}
	}
	c.id = b.Comment(by, t.id, c.parent)
	b.comments[c.id] = c
	t.active = b.Engine.Now()
}

func (b *ballot) voteOnComment(rt *rapid.T) {
	c, by, v := storetest.Pick(rt, b.comments, "comment"), b.someone(rt), rapid.SampledFrom(voteDirections).Draw(rt,
		"vote")
	if c == nil {
		return
	}
	got, err := b.Votes.VoteComment(b.Ctx, by, c.id, v)
	t, want := b.topics[c.topic], forum.Code("")
	switch sees := by.ID == t.author || by.Has(forum.RoleModerator); {
	case t.deleted && !sees:
		want = forum.CodeNotFound
	case t.deleted || c.deleted:
		want = forum.CodeLocked
	}
	if code := forum.CodeOf(err); code != want || (err != nil) != (want != "") {
		rt.Fatalf("VoteComment(%s) = %v; want code %q", v, err, want)
	}
	if err != nil {
		return
	}
	before := cmp.Or(c.votes[by.ID], forum.VoteNone)
	c.votes[by.ID] = v
	up, down := sides(c.votes)
	votes := forum.VoteSummary{Comment: c.id, Up: up, Down: down, Open: true}
	if got.Changed != (before != v) || got.Votes != votes {
		rt.Fatalf("VoteComment(%s) = %+v; want changed %t, %+v", v, got, before != v, votes)
	}
}

func (b *ballot) deleteComment(rt *rapid.T) {
	c := storetest.Pick(rt, b.comments, "comment")
	if c != nil && b.OneTopic(c.topic).State.Listed() { // those of deleted topics can no longer be deleted
		storetest.WantOK(b.T, "DeleteComment", b.Posts.DeleteComment(b.Ctx, &forum.Viewer{ID: c.author}, c.id))
		c.deleted = true
	}
}

func (b *ballot) deleteTopic(rt *rapid.T) {
	t := storetest.Pick(rt, b.topics, "topic")
	if t == nil || rapid.IntRange(0, 3).Draw(rt, "really") > 0 {
		return // keep most topics
	}
	storetest.WantOK(b.T, "DeleteTopic", b.Posts.DeleteTopic(b.Ctx, b.Writer(t.id), t.id))
	t.deleted = true
}

func (b *ballot) move(rt *rapid.T) {
	t, to := b.open(rt), rapid.SampledFrom(b.categories).Draw(rt, "to")
	if t == nil {
		return
	}
	storetest.WantOK(b.T, "UpdateTopic", b.Posts.UpdateTopic(b.Ctx, b.Writer(t.id), t.id,
		posts.TopicChange{Category: &to}))
	t.category = to
}

func (b *ballot) tag(rt *rapid.T) {
	t, which := b.open(rt), rapid.SampledFrom(ballotTags).Draw(rt, "tag")
	if t == nil {
		return
	}
	tags := forum.TopicTags{which}
	if rapid.Bool().Draw(rt, "take") {
		b.Give(b.Writer(t.id), t.id, nil, tags)
		t.tags = slices.DeleteFunc(t.tags, func(id forum.TagID) bool { return id == which.ID })
		return
	}
	b.Give(b.Writer(t.id), t.id, tags, nil)
	if !slices.Contains(t.tags, which.ID) {
		t.tags = append(t.tags, which.ID)
	}
}

// wait moves the clock: a little, to either side of midnight, or a long way.
func (b *ballot) wait(rt *rapid.T) {
	midnight := (b.Engine.Today() + 1).Begins(b.Engine.Location)
	to := map[string]forum.Time{
		"1 ms": b.Engine.Now() + 1, "1 s": b.Engine.Now() + 1000, "1 h": b.Engine.Now() +
			3_600_000, "before midnight": midnight - 1,
		"midnight": midnight, "1 d": b.Engine.Now() + 86_400_000, "1 week": b.Engine.Now() + 604_800_000 + 3_600_000,
	}
	b.At(to[rapid.SampledFrom(slices.Sorted(maps.Keys(to))).Draw(rt, "time")])
	b.expire()
}
