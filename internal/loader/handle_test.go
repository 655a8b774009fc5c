package loader

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store"
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

// All fields of a topic that the resolvers of a level need, by its id and through lists, are one HMGET, with the
// base.
func TestFieldsOfALevelAreReadTogether(t *testing.T) {
	x := newSite(t)
	ctx, l, usage := x.response(nil)
	byID, listed := make([]*forum.Topic, 2), make([]*forum.Topic, 2)
	need := func(
		name func([]forum.TopicID) []*forum.Topic, into *[]*forum.Topic, want forum.Fields,
	) func(context.Context) {
		return func(ctx context.Context) {
			*into = name([]forum.TopicID{x.topic, x.topic})
			if errs := l.NeedTopics(ctx, *into, want); errs != nil {
				t.Errorf("NeedTopics: %v", errs)
			}
		}
	}
	inResponse(t, ctx, l,
		need(l.Topics, &byID, forum.TopicFieldTitle),
		need(l.ListedTopics, &listed, forum.TopicFieldLink),
		need(l.Topics, &byID, forum.TopicText|forum.TopicFieldTitle),
		need(l.ListedTopics, &listed, 0),
		need(l.Topics, &byID, forum.TopicVotes),
	)
	x.want("a level", "hmget %T state author kind title content format link created up down mentions")
	wantUsage(t, "a level", usage, 1, 1)
	for name, ts := range map[string][]*forum.Topic{"by id": byID, "listed": listed} {
		if ts[0] != ts[1] || ts[0].Title != "t" || ts[0].State != forum.TopicOpen || ts[0].AuthorID != x.ann.ID ||
			ts[0].Missing() || ts[0].Alias != (name == "listed") {
			t.Errorf("%s: %+v and %+v; want one topic, with its title", name, ts[0], ts[1])
		}
	}
}

// A field that turns out to be missing later is read by one more HMGET, of that field only. Known fields are never
// read again.
func TestMissingFieldsAreReadLater(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	one := []forum.TopicID{x.topic}
	inResponse(t, ctx, l, func(ctx context.Context) {
		byID := l.Topics(one)
		listed := l.ListedTopics(one)
		x.want("naming topics")
		l.NeedTopics(ctx, byID, 0)
		x.want("nothing but the base", "hmget %T state author")
		l.NeedTopics(ctx, byID, forum.TopicFieldTitle|forum.TopicBase)
		x.want("the title", "hmget %T title")
		l.NeedTopics(ctx, listed, forum.TopicFieldTitle)
		x.want("the title, of the listed one")
		l.NeedTopics(ctx, listed, forum.TopicFieldTitle|forum.TopicFieldLink)
		x.want("one more, of the listed one", "hmget %T link")
		l.NeedTopics(ctx, byID, forum.TopicFieldLink)
		x.want("what the listed one knows")
		l.NeedTopics(ctx, byID, forum.TopicAll)
		x.want("the rest", "hmget %T kind content format category created edited deleted active clicks comments up down "+
			"tags day dayComments dayBefore mentions revision editor revised hidden")
		l.NeedTopics(ctx, listed, forum.TopicAll)
		again := l.Topics(one)
		l.NeedTopics(ctx, again, forum.TopicAll)
		x.want("all, once more")
		if again[0] != byID[0] {
			t.Error("one id has two topics")
		}
		got := *listed[0]
		got.Alias = false
		if diff := cmp.Diff(*byID[0], got); diff != "" {
			t.Errorf("the listed topic differs (-by id +listed):\n%s", diff)
		}
	})
}

// A comment is read with its topic's base; nothing is read twice.
func TestCommentsAreReadWithTheirTopics(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	var cs []*forum.Comment
	inResponse(t, ctx, l, func(ctx context.Context) {
		cs = l.Comments([]forum.CommentID{x.comment})
		x.want("naming a comment")
		l.NeedComments(ctx, cs, 0)
		x.want("the base", "hmget %C topic deleted author state", "hmget %T state author")
		l.NeedComments(ctx, cs, forum.CommentFieldAuthor|forum.CommentFieldContent)
		x.want("more of it", "hmget %C content")
		ts := l.Topics([]forum.TopicID{cs[0].TopicID})
		l.NeedTopics(ctx, ts, 0)
		x.want("the base of its topic")
	}, func(ctx context.Context) {})
	if c := cs[0]; c.Missing() || c.Content != "c" || c.AuthorID != x.bob.ID || c.TopicID != x.topic {
		t.Errorf("comment = %+v; want bob's", c)
	}
	ctx, l, _ = x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) {
		cs := l.Comments([]forum.CommentID{x.comment})
		l.NeedComments(ctx, cs, forum.CommentFieldNumber)
	}, func(ctx context.Context) {
		cs := l.Comments([]forum.CommentID{x.comment})
		l.Parents(ctx, cs)
	}, func(ctx context.Context) {
		ts := l.Topics([]forum.TopicID{x.topic})
		l.NeedTopics(ctx, ts, forum.TopicFieldTitle)
	})
	x.want("a level that reads the topic, too",
		"hmget %T state author title; hmget %C topic deleted author parent floor state")
}

// Users are read whole by id, and only as far as needed as authors, once in all. A deleted author is the ghost, who
// is never read; by id a deleted user does not exist.
func TestAuthorsAreReadAsUsers(t *testing.T) {
	x := newSite(t)
	ann, ghost := x.ann.ID, forum.Ghost(x.Layout().Created)
	authors := func(ctx context.Context, l *Loaders, want forum.Fields) {
		us := l.Authors([]forum.UserID{ann, x.left, 0, ann})
		if errs := l.NeedUsers(ctx, us, want); errs != nil {
			t.Errorf("Authors: %v", errs)
		}
		if us[0].Name != "ann" || us[0].ID != ann || us[0].Missing() || us[0] != us[3] {
			t.Errorf("Authors = %+v; want ann", us[0])
		}
		for _, u := range us[1:3] {
			if u.Missing() || u.ID != 0 || u.Login != ghost.Login || u.Name != ghost.Name || u.Role != ghost.Role ||
				u.CreatedAt != ghost.CreatedAt || u.TopicCount != 0 {
				t.Errorf("Authors: %+v; want the ghost", u)
			}
		}
	}
	users := func(ctx context.Context, l *Loaders) {
		us, errs := l.Users(ctx, []forum.UserID{ann, x.left, 0, nobody})
		if errs != nil || us[0] == nil || us[0].LoginFold != "ann" || us[0].TopicCount != 1 || us[1] != nil ||
			us[2] == nil || us[2].Login != ghost.Login || us[3] != nil {
			t.Errorf("Users = %v, %v; want ann, none, the ghost, none", us, errs)
		}
	}
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		mode.run(t, ctx, l, func(ctx context.Context) { authors(ctx, l, forum.UserFieldName) }, func(ctx context.Context) {
			users(ctx, l)
			authors(ctx, l, forum.UserAll)
			users(ctx, l)
		})
	}
	ctx, l, usage := x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) { authors(ctx, l, forum.UserFieldName) })
	wantUsage(t, "authors", usage, 1, 2)
	if got, want := x.sent.take(0)[0], fmt.Sprintf("hmget u:%d state name", ann); !slices.Contains(got, want) {
		t.Errorf("authors were read by %q; want %q among it", got, want)
	}
	ctx, l, usage = x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) { authors(ctx, l, forum.UserFieldName) },
		func(ctx context.Context) { users(ctx, l) })
	wantUsage(t, "authors and users", usage, 1, 3)
}

// Fields queued without waiting are read with the next pipeline, however the object was named, and only those that
// are not known.
func TestAskingReadsOnlyWhatIsMissing(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(nil)
	one := []forum.TopicID{x.topic}
	inResponse(t, ctx, l, func(ctx context.Context) {
		byID := l.Topics(one)
		listed := l.ListedTopics(one)
		if !l.AskTopics(listed, forum.TopicFieldTitle) || !l.AskTopics(byID, forum.TopicFieldLink) {
			t.Error("nothing to wait for before anything was read")
		}
		x.want("asking")
		l.NeedTopics(ctx, byID, 0)
		x.want("what was asked for", "hmget %T state author title link")
		if l.AskTopics(byID, forum.TopicFieldTitle) || l.AskTopics(listed, forum.TopicFieldTitle|forum.TopicFieldLink) {
			t.Error("to wait for what is known already")
		}
		l.NeedTopics(ctx, listed, forum.TopicFieldTitle)
		x.want("what is known")
		again := l.ListedTopics(one)
		if !l.AskTopics(again, forum.TopicFieldTitle|forum.TopicFieldKind) {
			t.Error("nothing to wait for, though the kind is not known")
		}
		l.NeedTopics(ctx, again, forum.TopicFieldKind)
		x.want("one field more of a listed topic", "hmget %T kind")
	})
	ctx, l, _ = x.response(nil)
	inResponse(t, ctx, l, func(ctx context.Context) {
		byID := l.Topics(one)
		l.NeedTopics(ctx, byID, forum.TopicFieldTitle)
		x.want("a topic by id", "hmget %T state author title")
		listed := l.ListedTopics(one)
		if !l.AskTopics(listed, forum.TopicFieldTitle|forum.TopicFieldLink) {
			t.Error("nothing to wait for, though the link is not known")
		}
		l.NeedTopics(ctx, listed, forum.TopicFieldTitle|forum.TopicFieldLink)
		x.want("the same in a list", "hmget %T link")
	})
}

// Categories and tabs are small: they are always read whole.
func TestCategoriesAndTabsAreReadWhole(t *testing.T) {
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
		if err := x.UpdateTopic(t.Context(), x.ann, x.topic, store.TopicChange{Title: &title}); err != nil {
			t.Errorf("UpdateTopic: %v", err)
		}
	}
	for _, mode := range modes {
		ctx, l, _ := x.response(nil)
		titles := func(ctx context.Context, l *Loaders) string {
			byID := l.Topics([]forum.TopicID{x.topic})
			l.NeedTopics(ctx, byID, forum.TopicFieldTitle)
			listed := l.ListedTopics([]forum.TopicID{x.topic})
			l.NeedTopics(ctx, listed, forum.TopicFieldTitle)
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
