//go:build linux

package floods

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

const (
	members      = 60
	days         = 45   // of the past, with topics on each
	topicsOfDay  = 24   // each with ten tags
	tags         = 48   // so each has hundreds of topics
	ranked       = 4000 // comments of one topic, with votes
	longTexts    = 100  // comments of the maximum length
	editedTexts  = 22   // comments with two revisions of many lines
	editions     = 50   // revisions of one comment, each of the maximum length and 256 KiB
	linesOfTexts = 5000
)

// furnished is what the data of a site have for a flood to ask for; ids are global.
type furnished struct {
	ids    map[string][]string // of objects, by type; the costliest ones first
	names  map[string][]string // of users, categories, tabs and tags, by type
	days   []string
	ranked string   // the topic with many comments
	votes  []string // comments of it
	long   []string // comments
	edited []string // comments: one with editions, then editedTexts
	tokens []string // of accounts
}

// furnisher writes the data.
type furnisher struct {
	t       *testing.T
	s       *store.Store
	to      site.Builder
	now     atomic.Int64 // the store's clock, in Unix milliseconds
	members []*forum.Viewer
	made    *furnished
}

// furnish writes a site with a history, and that many accounts that are signed in.
func furnish(t *testing.T, client redis.UniversalClient, accounts int) *furnished {
	t.Helper()
	f := &furnisher{t: t, made: &furnished{ids: map[string][]string{}, names: map[string][]string{}}}
	start := time.Now().AddDate(0, 0, -days)
	f.now.Store(start.UnixMilli())
	clock := func() time.Time { return time.UnixMilli(f.now.Load()) }
	f.s = must.Do(store.Open(t.Context(), store.Over(client), store.Layout{}, store.WithClock(clock)))(t)
	defer f.s.Close()
	f.to = site.On(t, f.s)
	f.members = make([]*forum.Viewer, members)
	f.each(members, func(i int) error {
		f.members[i] = f.to.User(fmt.Sprintf("member%d", i))
		return nil
	})
	for i, v := range f.members {
		f.note(globalid.User, int64(v.ID), fmt.Sprintf("member%d", i))
	}
	var categories []forum.CategoryID
	for _, name := range []string{"News", "Questions", "Show", "Meta"} {
		id := f.to.Category(name)
		categories = append(categories, id)
		f.note(globalid.Category, int64(id), name)
	}
	f.note(globalid.Tab, int64(f.to.Tab("Main", categories...)), "Main")
	for i := range tags {
		f.made.names[globalid.Tag] = append(f.made.names[globalid.Tag], fmt.Sprintf("tag-%d", i))
	}
	for day := range days {
		at := start.AddDate(0, 0, day)
		f.now.Store(at.UnixMilli())
		f.made.days = append(f.made.days, at.UTC().Format(time.DateOnly))
		f.topics(categories)
		if day == days-2 {
			f.texts(categories[0])
			f.rank(categories[1])
		}
	}
	f.now.Store(time.Now().Add(-time.Minute).UnixMilli())
	f.front(categories)
	f.accounts(accounts)
	return f.made
}

// each calls do for 0 to n-1, some at a time.
func (f *furnisher) each(n int, do func(i int) error) {
	f.t.Helper()
	var all errgroup.Group
	all.SetLimit(16)
	for i := range n {
		all.Go(func() error { return do(i) })
	}
	must.OK(f.t, all.Wait())
}

// note keeps the global id of an object, and its name unless that is "".
func (f *furnisher) note(typ string, id int64, name string) string {
	global := globalid.New(typ, strconv.FormatInt(id, 10))
	f.made.ids[typ] = append(f.made.ids[typ], global)
	if name != "" {
		f.made.names[typ] = append(f.made.names[typ], name)
	}
	return global
}

// topics posts the topics of a day, with tags and votes.
func (f *furnisher) topics(categories []forum.CategoryID) {
	ctx := f.t.Context()
	f.each(topicsOfDay, func(i int) error {
		by := f.members[rand.IntN(members)]
		var some []string
		for _, n := range rand.Perm(tags)[:10] {
			some = append(some, f.made.names[globalid.Tag][n])
		}
		in := site.Link(by, some...)
		in.Title, in.Category = sentence(8), categories[i%len(categories)]
		id, err := f.s.Posts.CreateTopic(ctx, in)
		if err != nil {
			return err
		}
		for range 3 {
			way := forum.VoteUp
			if rand.IntN(4) == 0 {
				way = forum.VoteDown
			}
			if _, err := f.s.Votes.VoteTopic(ctx, f.members[rand.IntN(members)], id, way); err != nil {
				return err
			}
		}
		return nil
	})
}

// texts posts a topic with the longest texts and revisions.
func (f *furnisher) texts(in forum.CategoryID) {
	ann, ben := f.members[0], f.members[1]
	topic := f.to.Post(edition(ann, in, 0))
	f.note(globalid.Topic, int64(topic), "")
	for i := range 5 {
		text := edition(ann, in, i+1).Content
		must.OK(f.t, f.s.Posts.UpdateTopic(f.t.Context(), ann, topic, posts.TopicChange{Content: &text}))
		f.turnVote(i, func(way forum.VoteDirection) error {
			_, err := f.s.Votes.VoteTopic(f.t.Context(), ben, topic, way)
			return err
		})
	}
	comment := func(text string) forum.CommentID { return f.to.Say(ann, topic, text) }
	edit := func(id forum.CommentID, i int, text string) {
		f.turnVote(i, func(way forum.VoteDirection) error {
			_, err := f.s.Votes.VoteComment(f.t.Context(), ben, id, way)
			return err
		})
		must.OK(f.t, f.s.Posts.UpdateComment(f.t.Context(), ann, id, posts.CommentChange{Content: text}))
	}
	emoji := func(i int) string { return fmt.Sprint(i) + strings.Repeat("😀", forum.MaxContent-10) }
	id := comment(emoji(0))
	for i := 1; i < editions; i++ {
		edit(id, i, emoji(i))
	}
	f.made.edited = append(f.made.edited, f.note(globalid.Comment, int64(id), ""))
	for range editedTexts {
		id := comment(lines())
		edit(id, 0, lines())
		f.made.edited = append(f.made.edited, f.note(globalid.Comment, int64(id), ""))
	}
	for i := range longTexts {
		text := emoji(i)
		if i%2 == 0 {
			text = strings.Repeat("[中](中", forum.MaxContent/5-5) + strconv.Itoa(i)
		}
		f.made.long = append(f.made.long, f.note(globalid.Comment, int64(comment(text)), ""))
	}
}

// turnVote casts a vote, or withdraws it: a revision that a vote followed is kept.
func (f *furnisher) turnVote(i int, vote func(forum.VoteDirection) error) {
	f.t.Helper()
	must.OK(f.t, vote([]forum.VoteDirection{forum.VoteUp, forum.VoteNone}[i%2]))
}

// edition is a topic with a text that differs by its number.
func edition(by *forum.Viewer, in forum.CategoryID, i int) posts.NewTopic {
	topic := site.Discussion(by, in)
	topic.Title, topic.Content = "Long texts", fmt.Sprint(i)+strings.Repeat("😀", forum.MaxContent-10)
	return topic
}

// rank posts a topic with many comments that have votes.
func (f *furnisher) rank(in forum.CategoryID) {
	ctx := f.t.Context()
	topic := f.to.Topic(f.members[0], in)
	f.made.ranked = f.note(globalid.Topic, int64(topic), "")
	made := make([]forum.CommentID, ranked)
	f.each(ranked, func(i int) (err error) {
		reply := site.Remark(topic, 0)
		reply.Content = sentence(20)
		if made[i], err = f.s.Posts.CreateComment(ctx, f.members[i%members], reply); err != nil {
			return err
		}
		_, err = f.s.Votes.VoteComment(ctx, f.members[rand.IntN(members)], made[i], forum.VoteUp)
		return err
	})
	for _, id := range made[:100] {
		f.made.votes = append(f.made.votes, f.note(globalid.Comment, int64(id), ""))
	}
}

// front posts the topics of the front page, with comments and votes, one after the other.
func (f *furnisher) front(categories []forum.CategoryID) {
	for i := range 30 {
		f.now.Add(1000)
		in := site.Link(f.members[i], f.made.names[globalid.Tag][i])
		in.Title, in.Category, in.Content = sentence(8), categories[i%len(categories)], sentence(100)
		id := f.to.Post(in)
		f.note(globalid.Topic, int64(id), "")
		for k := range 6 {
			f.to.Say(f.members[(i+k)%members], id, sentence(30))
			f.to.Cast(f.members[(i+k+1)%members], id, forum.VoteUp)
		}
	}
}

// accounts registers members who are signed in.
func (f *furnisher) accounts(n int) {
	f.now.Store(time.Now().UnixMilli())
	f.made.tokens = make([]string, n)
	f.each(n, func(i int) error {
		_, token := f.to.SignedIn(fmt.Sprintf("account%d", i))
		f.made.tokens[i] = token.String()
		return nil
	})
}

// sentence returns words.
func sentence(n int) string {
	const letters = "etaoinshrdlucmfw"
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		for range 2 + rand.IntN(8) {
			b.WriteByte(letters[rand.IntN(len(letters))])
		}
	}
	return b.String()
}

// lines returns a text of many lines, some of which other texts have, too.
func lines() string {
	var b strings.Builder
	for range linesOfTexts {
		fmt.Fprintf(&b, "line %d\n", rand.IntN(2*linesOfTexts))
	}
	return b.String()
}
