package loader

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/store/moderation"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	built "agora/internal/test/site"
)

// site is a store with a topic of ann's, bob's comment on it and her answer; a deleted topic of hers with a comment
// of bob's; and two imported topics without an author, one of which was deleted at its source.
type site struct {
	built.Builder
	t                       testing.TB
	redis                   redis.UniversalClient
	clock                   *redistest.Clock
	sent                    *recorder // the commands of responses
	ann, bob, mod           *forum.Viewer
	left                    forum.UserID // whose account was deleted
	category                forum.CategoryID
	tab                     forum.TabID
	topic, deleted          forum.TopicID
	imported, dropped       forum.TopicID
	comment, answer, buried forum.CommentID
	tag                     forum.TagID // tag of topic
}

// best is a timeline that is read from a snapshot.
func best(kind forum.TimelineKind, owner int64) forum.Timeline {
	return forum.Timeline{Kind: kind, Owner: owner, Order: forum.ByTop, Direction: forum.Descending,
		Period: forum.PeriodAll}
}

// nothing is the id of no topic and no comment, nobody the id of no user.
const nothing, nobody = 512, 512

func newSite(t testing.TB) *site {
	t.Helper()
	clock := redistest.NewClock()
	x := &site{t: t, clock: clock, redis: redistest.New(t), sent: &recorder{}}
	x.redis.AddHook(redistest.Hook(x.sent.meet))
	s := must.Do(store.Open(t.Context(), store.Over(x.redis), store.Layout{}, store.WithClock(clock.Now)))(t)
	t.Cleanup(s.Close)
	x.Builder = built.On(t, s)
	x.ann, x.bob, x.mod = x.User("ann"), x.User("bob"), x.User("mod")
	x.mod.Role = forum.RoleModerator
	x.category = x.Category("Go")
	x.tab = x.Tab("Tab", x.category)
	x.topic, x.deleted = x.post(), x.post()
	x.comment = x.reply(x.bob, x.topic, 0)
	x.answer = x.reply(x.ann, x.topic, x.comment)
	x.buried = x.reply(x.bob, x.deleted, 0)
	must.OK(t, s.Posts.DeleteTopic(t.Context(), x.ann, x.deleted))
	x.tag = 5
	must.OK(t, s.Posts.TagTopic(t.Context(), x.ann, x.topic, forum.TopicTags{{ID: x.tag, Name: "Tea"}}, nil))
	x.CastOn(x.ann, x.comment, forum.VoteUp)
	x.left = x.User("left").ID
	must.OK(t, s.Accounts.DeleteAccount(t.Context(), x.left, "hash of left"))
	x.imported, x.dropped = x.bring("1"), x.bring("2")
	must.Do(s.Moderation.Moderate(t.Context(), &forum.Viewer{ID: x.bob.ID, Role: forum.RoleAdmin},
		forum.Subject{Topic: x.dropped},
		moderation.Moderation{Action: forum.ActHide, Grounds: forum.Grounds{Reason: forum.ReasonOther}}))(t)
	must.OK(t, s.Listing.TakeSnapshot(t.Context(), best(forum.FrontTimeline, 0), s.Listing.SnapshotNow(), nil))
	return x
}

func (x *site) post() forum.TopicID { return x.Titled(x.ann, x.category, "t") }

// bring imports a topic without an author.
func (x *site) bring(source string) forum.TopicID {
	x.t.Helper()
	im := x.Import()
	in := posts.NewTopic{Kind: forum.Article, Title: "t", CreatedAt: x.Engine.Now(),
		Source: "elsewhere:" + source}
	made := must.Do(im.Topics(x.t.Context(), []posts.NewTopic{in}))(x.t)
	must.OK(x.t, im.Publish(x.t.Context(), made, nil, nil))
	return made[0].ID
}

func (x *site) reply(by *forum.Viewer, on forum.TopicID, parent forum.CommentID) forum.CommentID {
	x.t.Helper()
	return must.Do(x.Posts.CreateComment(x.t.Context(), by, posts.NewComment{Topic: on, Parent: parent,
		Content: "c"}))(x.t)
}

// response creates the loaders of one response, which may change nothing that others use, and returns its Redis usage,
// too. x.sent records its commands.
func (x *site) response(viewer *forum.Viewer) (context.Context, *Loaders, *store.Usage) {
	x.sent.take(0)
	usage := &store.Usage{}
	ctx := store.WithUsage(x.t.Context(), usage)
	l := New(ctx, x.Store, viewer)
	keepShared(x.t, l)
	return ctx, l, usage
}

func pointers(lists ...listing.List) []*listing.List {
	all := make([]*listing.List, len(lists))
	for i := range lists {
		all[i] = &lists[i]
	}
	return all
}

// wantUsage compares the Redis usage so far.
func wantUsage(t testing.TB, when string, usage *store.Usage, roundTrips, commands int64) {
	t.Helper()
	if r, c := usage.RoundTrips.Load(), usage.Commands.Load(); r != roundTrips || c != commands {
		t.Errorf("%s: %d round trips, %d commands; want %d and %d", when, r, c, roundTrips, commands)
	}
}
