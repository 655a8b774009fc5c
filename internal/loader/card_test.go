package loader

import (
	"context"
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
)

// Topics, users, comments, categories and tabs are what dataloaders keyed by their ids return; an object is read by one
// HGETALL in the pipeline of its level.
func TestObjectsComeThroughDataloaders(t *testing.T) {
	x := newSite(t)
	ctx, l, _ := x.response(x.ann)
	inResponse(t, ctx, l, func(ctx context.Context) {
		l.NeedTopics(ctx, l.Topics([]forum.TopicID{x.topic}))
	}, func(ctx context.Context) {
		l.NeedUsers(ctx, l.Authors([]forum.UserID{x.bob.ID}))
	}, func(ctx context.Context) {
		l.NeedComments(ctx, l.Comments([]forum.CommentID{x.comment}))
	}, func(ctx context.Context) {
		l.NeedCategories(ctx, l.Categories([]forum.CategoryID{x.category}))
	}, func(ctx context.Context) {
		l.NeedTabs(ctx, l.Tabs([]forum.TabID{x.tab}))
	})
	sent := x.sent.take(0)
	if len(sent) != 1 || slices.ContainsFunc(sent[0], func(c string) bool { return !strings.HasPrefix(c, "hgetall ") }) {
		t.Errorf("sent %q; want one pipeline of HGETALL", sent)
	}
	inResponse(t, ctx, l, func(context.Context) {
		topic := l.topicHandles.loader.Load(l.ctx, x.topic)
		user := l.userHandles.loader.Load(l.ctx, x.bob.ID)
		comment := l.commentHandles.loader.Load(l.ctx, x.comment)
		category := l.categoryHandles.loader.Load(l.ctx, x.category)
		tab := l.tabHandles.loader.Load(l.ctx, x.tab)
		l.objects = append(l.objects, &l.topicHandles, &l.userHandles, &l.commentHandles, &l.categoryHandles,
			&l.tabHandles)
		l.Dispatch()
		if o, err := topic(); err != nil || o.Title != l.Topics([]forum.TopicID{x.topic})[0].Title {
			t.Errorf("the dataloader of topics: %+v, %v", o, err)
		}
		if o, err := user(); err != nil || o.Login != "bob" {
			t.Errorf("the dataloader of users: %+v, %v", o, err)
		}
		if o, err := comment(); err != nil || o.Content != "c" {
			t.Errorf("the dataloader of comments: %+v, %v", o, err)
		}
		if o, err := category(); err != nil || o.Name != "Go" {
			t.Errorf("the dataloader of categories: %+v, %v", o, err)
		}
		if o, err := tab(); err != nil || o.Name != "Tab" {
			t.Errorf("the dataloader of tabs: %+v, %v", o, err)
		}
	})
}
