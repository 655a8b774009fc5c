package loader

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/redistest"
)

// site is a store with a topic of ann's, bob's comment on it and her answer; a deleted topic of hers with a comment
// of bob's; and two imported topics without an author, one of which was deleted at its source.
type site struct {
	*store.Store
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
	x.redis.AddHook(x.sent)
	s, err := store.Open(t.Context(), store.Over(x.redis), store.Layout{}, store.WithClock(clock.Now))
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(s.Close)
	x.Store = s
	x.ann, x.bob, x.mod = x.user("ann"), x.user("bob"), x.user("mod")
	x.mod.Role = forum.RoleModerator
	x.category = must(s.CreateCategory(t.Context(), "Go", "go", ""))(t)
	x.tab = must(s.CreateTab(t.Context(), "Tab", "tab", []forum.CategoryID{x.category}))(t)
	x.topic, x.deleted = x.post(), x.post()
	x.comment = x.reply(x.bob, x.topic, 0)
	x.answer = x.reply(x.ann, x.topic, x.comment)
	x.buried = x.reply(x.bob, x.deleted, 0)
	if err := s.DeleteTopic(t.Context(), x.ann, x.deleted); err != nil {
		t.Fatalf("DeleteTopic: %v", err)
	}
	x.tag = 5
	if err := s.TagTopic(t.Context(), x.ann, x.topic, forum.TopicTags{{ID: x.tag, Name: "Tea"}}, nil); err != nil {
		t.Fatalf("TagTopic: %v", err)
	}
	if _, err := s.VoteComment(t.Context(), x.ann, x.comment, forum.VoteUp); err != nil {
		t.Fatalf("VoteComment: %v", err)
	}
	x.left = x.user("left").ID
	if err := s.DeleteAccount(t.Context(), x.left, ""); err != nil {
		t.Fatalf("DeleteAccount: %v", err)
	}
	x.imported, x.dropped = x.bring("1", 0), x.bring("2", x.Now())
	if err := s.TakeSnapshot(t.Context(), best(forum.FrontTimeline, 0), s.SnapshotNow(), nil); err != nil {
		t.Fatalf("TakeSnapshot: %v", err)
	}
	return x
}

// must ends the test if creating a fixture failed.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatalf("fixture: %v", err)
		}
		return v
	}
}

func (x *site) user(login string) *forum.Viewer {
	x.t.Helper()
	in := accounts.NewUser{Login: login, LoginFold: login, Name: login, Email: login + "@example.org",
		EmailFold: login + "@example.org"}
	return &forum.Viewer{ID: must(x.Register(x.t.Context(), in))(x.t), Role: forum.RoleUser}
}

func (x *site) post() forum.TopicID {
	x.t.Helper()
	in := posts.NewTopic{Author: x.ann.ID, Kind: forum.Discussion, Title: "t", Category: x.category}
	return must(x.CreateTopic(x.t.Context(), in))(x.t)
}

// bring imports a topic without an author.
func (x *site) bring(source string, deleted forum.Time) forum.TopicID {
	x.t.Helper()
	im := x.Import()
	in := posts.NewTopic{Kind: forum.Article, Title: "t", CreatedAt: x.Now(), DeletedAt: deleted,
		Source: "elsewhere:" + source}
	made := must(im.Topics(x.t.Context(), []posts.NewTopic{in}))(x.t)
	if err := im.Publish(x.t.Context(), made, nil, nil); err != nil {
		x.t.Fatalf("Publish: %v", err)
	}
	return made[0].ID
}

func (x *site) reply(by *forum.Viewer, on forum.TopicID, parent forum.CommentID) forum.CommentID {
	x.t.Helper()
	return must(x.CreateComment(x.t.Context(), by, posts.NewComment{Topic: on, Parent: parent, Content: "c"}))(x.t)
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
