package loader

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store/posts"
)

// want compares the pipelines sent since its last call. %T and %C stand for the site's topic and its first comment.
func (x *site) want(name string, pipelines ...string) {
	x.t.Helper()
	got := x.sent.take(0)
	want := make([][]string, len(pipelines))
	for i, p := range pipelines {
		p = strings.ReplaceAll(p, "%T", fmt.Sprintf("t:%d", x.topic))
		want[i] = strings.Split(strings.ReplaceAll(p, "%C", fmt.Sprintf("c:%d", x.comment)), "; ")
	}
	if diff := cmp.Diff(want, got,
		cmp.Transformer("empty",
			func(p [][]string) [][]string { return append([][]string{}, p...) })); len(got)+len(want) > 0 && diff != "" {
		x.t.Errorf("%s sent (-want +got):\n%s", name, diff)
	}
}

// A topic that the resolvers of a level need, by its id and through lists, is read by one HGETALL.
func TestObjectsOfALevelAreReadTogether(t *testing.T) {
	x := newSite(t)
	ctx, l, usage := x.response(nil)
	byID, listed := make([]*Topic, 2), make([]*Topic, 2)
	need := func(
		name func([]forum.TopicID) []*Topic, into *[]*Topic,
	) func(context.Context) {
		return func(ctx context.Context) {
			*into = name([]forum.TopicID{x.topic, x.topic})
			if errs := l.NeedTopics(ctx, *into); errs != nil {
				t.Errorf("NeedTopics: %v", errs)
			}
		}
	}
	inResponse(t, ctx, l,
		need(l.Topics, &byID),
		need(l.ListedTopics, &listed),
		need(l.Topics, &byID),
	)
	x.want("a level", "hgetall %T")
	wantUsage(t, "a level", usage, 1, 1)
	for name, ts := range map[string][]*Topic{"by id": byID, "listed": listed} {
		if ts[0] != ts[1] || ts[0].Title != "t" || ts[0].State != forum.TopicOpen || ts[0].AuthorID != x.ann.ID ||
			ts[0].Missing() || ts[0].alias != (name == "listed") {
			t.Errorf("%s: %+v and %+v; want one topic, with its title", name, ts[0], ts[1])
		}
	}
}

// What is known is never read again.
func TestObjectsAreReadOnce(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	one := []forum.TopicID{x.topic}
	inResponse(t, ctx, l, func(ctx context.Context) {
		byID := l.Topics(one)
		listed := l.ListedTopics(one)
		x.want("naming topics")
		l.NeedTopics(ctx, byID)
		x.want("the topic", "hgetall %T")
		l.NeedTopics(ctx, byID)
		l.NeedTopics(ctx, listed)
		again := l.Topics(one)
		l.NeedTopics(ctx, again)
		l.Texts(ctx, again)
		x.want("the topic, once more")
		if again[0] != byID[0] {
			t.Error("one id has two topics")
		}
		if listed[0].Topic != byID[0].Topic {
			t.Error("the listed topic is another one")
		}
	})
}

// A comment is read with its topic; nothing is read twice.
func TestCommentsAreReadWithTheirTopics(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	var cs []*Comment
	inResponse(t, ctx, l, func(ctx context.Context) {
		cs = l.Comments([]forum.CommentID{x.comment})
		x.want("naming a comment")
		l.NeedComments(ctx, cs)
		x.want("the comment, and its topic", "hgetall %C", "hgetall %T")
		l.NeedComments(ctx, cs)
		l.CommentTexts(ctx, cs)
		x.want("once more")
		ts := l.Topics([]forum.TopicID{cs[0].TopicID})
		l.NeedTopics(ctx, ts)
		x.want("its topic")
	}, func(ctx context.Context) {})
	if c := cs[0]; c.Missing() || c.Content != "c" || c.AuthorID != x.bob.ID || c.TopicID != x.topic {
		t.Errorf("comment = %+v; want bob's", c)
	}
	ctx, l, _ = x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) {
		cs := l.Comments([]forum.CommentID{x.comment})
		l.NeedComments(ctx, cs)
	}, func(ctx context.Context) {
		cs := l.Comments([]forum.CommentID{x.comment})
		l.Parents(ctx, cs)
	}, func(ctx context.Context) {
		ts := l.Topics([]forum.TopicID{x.topic})
		l.NeedTopics(ctx, ts)
	})
	x.want("a level that reads the topic, too",
		"hgetall %C; hgetall %T")
}

// Users are read whole by id, and only as far as needed as authors, once in all. A deleted author is the ghost, who
// is never read; by id a deleted user does not exist.
func TestAuthorsAreReadAsUsers(t *testing.T) {
	x := newSite(t)
	ann, ghost := x.ann.ID, forum.Ghost(x.Layout().Created)
	authors := func(ctx context.Context, l *Loaders) {
		us := l.Authors([]forum.UserID{ann, x.left, 0, ann})
		if errs := l.NeedUsers(ctx, us); errs != nil {
			t.Errorf("Authors: %v", errs)
		}
		if us[0].Name != "ann" || us[0].ID != ann || us[0].Missing() || us[0] != us[3] {
			t.Errorf("Authors = %+v; want ann", us[0])
		}
		for _, u := range us[1:3] {
			if u.Missing() || u.ID != 0 || u.Login != ghost.Login || u.Name != ghost.Name || u.Role != ghost.Role ||
				u.CreatedAt != ghost.CreatedAt {
				t.Errorf("Authors: %+v; want the ghost", u)
			}
		}
	}
	users := func(ctx context.Context, l *Loaders) {
		us, errs := l.Users(ctx, []forum.UserID{ann, x.left, 0, nobody})
		if errs != nil || us[0] == nil || us[0].LoginFold != "ann" || us[1] != nil || us[2] == nil ||
			us[2].Login != ghost.Login || us[3] != nil {
			t.Errorf("Users = %v, %v; want ann, none, the ghost, none", us, errs)
		}
	}
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) { authors(ctx, l) }, func(ctx context.Context) {
			users(ctx, l)
			authors(ctx, l)
			users(ctx, l)
		})
	}
	ctx, l, usage := x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) { authors(ctx, l) })
	wantUsage(t, "authors", usage, 1, 2)
	if got, want := x.sent.take(0)[0], fmt.Sprintf("hgetall u:%d", ann); !slices.Contains(got, want) {
		t.Errorf("authors were read by %q; want %q among it", got, want)
	}
	ctx, l, usage = x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) { authors(ctx, l) },
		func(ctx context.Context) { users(ctx, l) })
	wantUsage(t, "authors and users", usage, 1, 6)
}

// The counts of users are read together with them, those of the ghost never. Whoever looks up a user has them at once.
func TestCountsAreReadWithUsers(t *testing.T) {
	x := newSite(t)
	counts := func(ctx context.Context, l *Loaders) {
		us := l.Authors([]forum.UserID{x.ann.ID, x.left, 0})
		got, errs := l.UserCounts(ctx, us)
		if want := []forum.UserCounts{{Topics: 1}, {}, {}}; errs != nil || !slices.Equal(got, want) || us[0].Login != "ann" {
			t.Errorf("UserCounts of %+v = %+v, %v; want %+v", us[0], got, errs, want)
		}
	}
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) { counts(ctx, l) })
	}
	ctx, l, usage := x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) { counts(ctx, l) })
	wantUsage(t, "counts", usage, 1, 4)
	ctx, l, usage = x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) {
		if us, errs := l.Users(ctx, []forum.UserID{x.ann.ID, x.left}); errs != nil || us[0] == nil || us[1] != nil {
			t.Errorf("Users = %v, %v; want ann alone", us, errs)
		}
		counts(ctx, l)
	})
	wantUsage(t, "users and their counts", usage, 1, 4)
}

// What is queued without waiting is read with the next pipeline, however the object was named, and only what is not
// known.
func TestAskingReadsOnlyWhatIsMissing(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	one := []forum.TopicID{x.topic}
	inResponse(t, ctx, l, func(ctx context.Context) {
		byID := l.Topics(one)
		listed := l.ListedTopics(one)
		if !l.AskTopics(listed) || !l.AskTopics(byID) {
			t.Error("nothing to wait for before anything was read")
		}
		x.want("asking")
		l.NeedTopics(ctx, byID)
		x.want("what was asked for", "hgetall %T")
		if l.AskTopics(byID) || l.AskTopics(listed) {
			t.Error("to wait for what is known already")
		}
		l.NeedTopics(ctx, listed)
		x.want("what is known")
	})
}

func TestCategoriesAndTabsAreRead(t *testing.T) {
	x := newSite(t)
	ctx, l, usage := x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) {
		cs := l.Categories([]forum.CategoryID{x.category, 99})
		ts := l.Tabs([]forum.TabID{x.tab, 99})
		l.NeedCategories(ctx, cs)
		l.NeedTabs(ctx, ts)
		if cs[0].Name != "Go" || cs[0].Missing() || !cs[1].Missing() || ts[0].Name != "Tab" || ts[0].CategoryCount != 1 ||
			ts[0].Missing() || !ts[1].Missing() {
			t.Errorf("categories %+v, %+v, tabs %+v, %+v; want one of each, and one missing", cs[0], cs[1], ts[0], ts[1])
		}
		again, _ := l.CategoriesNow(ctx, []forum.CategoryID{99, x.category})
		if again[0] != nil || again[1] != cs[0] {
			t.Errorf("CategoriesNow = %v; want none and the same", again)
		}
		tabs, _ := l.TabsNow(ctx, []forum.TabID{99, x.tab})
		if tabs[0] != nil || tabs[1] != ts[0] {
			t.Errorf("TabsNow = %v; want none and the same", tabs)
		}
	}, func(ctx context.Context) {
		ts := l.Topics([]forum.TopicID{x.topic, x.imported})
		if cs := l.CategoriesOf(ctx, ts); cs[0] == nil || cs[0].ID != x.category || cs[1] != nil {
			t.Errorf("CategoriesOf = %v; want that of the discussion only", cs)
		}
	})
	wantUsage(t, "categories and tabs", usage, 2, 6) // the reads of earlier resolvers come first
}

// An object changed by a mutation is read again after Forget, and in the next response: nothing is kept between
// responses.
func TestFreshAfterForget(t *testing.T) {
	x := newSite(t)
	want := "t"
	rename := func(title string) {
		if err := x.Posts.UpdateTopic(t.Context(), x.ann, x.topic, posts.TopicChange{Title: &title}); err != nil {
			t.Errorf("UpdateTopic: %v", err)
		}
	}
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		titles := func(ctx context.Context, l *Loaders) string {
			byID := l.Topics([]forum.TopicID{x.topic})
			l.NeedTopics(ctx, byID)
			listed := l.ListedTopics([]forum.TopicID{x.topic})
			l.NeedTopics(ctx, listed)
			return byID[0].Title + " " + listed[0].Title
		}
		mode.run(t, ctx, l, func(ctx context.Context) {
			steps := []struct {
				name string
				do   func()
				want string
			}{
				{"at first", func() {}, want + " " + want},
				{"within one response", func() { rename(mode.name) }, want + " " + want},
				{"after Forget", l.Forget, mode.name + " " + mode.name},
			}
			for _, s := range steps {
				if s.do(); titles(ctx, l) != s.want {
					t.Errorf("%s: titles %s = %q; want %q", mode.name, s.name, titles(ctx, l), s.want)
				}
			}
		})
		rename("next")
		want = "next"
		ctx, l, usage := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) {
			if got := titles(ctx, l); got != "next next" {
				t.Errorf("%s: titles in the next response = %q; want next next", mode.name, got)
			}
		})
		wantUsage(t, mode.name+": the next response", usage, 1, 1)
	}
}

// Forget drops the values of all kinds.
func TestForgetDropsAllKinds(t *testing.T) {
	x := newSite(t)
	for _, k := range x.loads() {
		for _, mode := range modes {
			ctx, l, _ := x.response(x.ann)
			var first, again, forgotten [][]string
			mode.run(t, ctx, l, func(ctx context.Context) {
				k.run(ctx, l)
				first = x.sent.take(0)
				k.run(ctx, l)
				again = x.sent.take(0)
				l.Forget()
				k.run(ctx, l)
				forgotten = x.sent.take(0)
			})
			if len(again) != 0 {
				t.Errorf("%s, %s: sent once more: %q; want nothing", k.name, mode.name, again)
			}
			if !slices.Equal(slices.Concat(first...), slices.Concat(forgotten...)) {
				t.Errorf("%s, %s: sent %q; want after Forget all again: %q", k.name, mode.name, forgotten, first)
			}
		}
	}
}
