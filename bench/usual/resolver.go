package usual

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"

	"agora/bench/keys"
	"agora/bench/usual/generated"
	"agora/bench/usual/model"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/text"
)

// Resolver is the state shared by all resolvers.
type Resolver struct {
	rdb redis.UniversalClient
	// store writes, with the scripts that Agora uses.
	store *store.Store
}

type (
	query             struct{ *Resolver }
	mutation          struct{ *Resolver }
	timeline          struct{ *Resolver }
	topicConnection   struct{ *Resolver }
	topic             struct{ *Resolver }
	commentConnection struct{ *Resolver }
	comment           struct{ *Resolver }
	category          struct{ *Resolver }
)

// Query returns the resolvers of Query.
func (r *Resolver) Query() generated.QueryResolver { return query{r} }

// Mutation returns the resolvers of Mutation.
func (r *Resolver) Mutation() generated.MutationResolver { return mutation{r} }

// Timeline returns the resolvers of Timeline.
func (r *Resolver) Timeline() generated.TimelineResolver { return timeline{r} }

// TopicConnection returns the resolvers of TopicConnection.
func (r *Resolver) TopicConnection() generated.TopicConnectionResolver { return topicConnection{r} }

// Topic returns the resolvers of Topic.
func (r *Resolver) Topic() generated.TopicResolver { return topic{r} }

// CommentConnection returns the resolvers of CommentConnection.
func (r *Resolver) CommentConnection() generated.CommentConnectionResolver {
	return commentConnection{r}
}

// Comment returns the resolvers of Comment.
func (r *Resolver) Comment() generated.CommentResolver { return comment{r} }

// Category returns the resolvers of Category.
func (r *Resolver) Category() generated.CategoryResolver { return category{r} }

// Front resolves Query.front.
func (query) Front(context.Context) (*model.Timeline, error) { return &model.Timeline{}, nil }

// Topic resolves Query.topic.
func (query) Topic(ctx context.Context, by model.TopicRef) (*model.Topic, error) {
	return from(ctx).topics.Load(ctx, int64(by.Number))()
}

// Topics resolves Timeline.topics.
func (r timeline) Topics(ctx context.Context, _ *model.Timeline, first int) (*model.TopicConnection, error) {
	pipe := r.rdb.Pipeline()
	total := pipe.ZCard(ctx, keys.Front)
	members := pipe.ZRevRange(ctx, keys.Front, 0, int64(first-1))
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, err
	}
	c := &model.TopicConnection{TotalCount: int(total.Val())}
	for _, m := range members.Val() {
		id, err := keys.MemberID(m)
		if err != nil {
			return nil, err
		}
		c.IDs = append(c.IDs, id)
	}
	c.PageInfo = &model.PageInfo{HasNextPage: len(c.IDs) < c.TotalCount}
	return c, nil
}

// Nodes resolves TopicConnection.nodes.
func (topicConnection) Nodes(ctx context.Context, c *model.TopicConnection) ([]*model.Topic, error) {
	found, errs := from(ctx).topics.LoadMany(ctx, c.IDs)()
	return present(found), errors.Join(errs...)
}

// Nodes resolves CommentConnection.nodes.
func (commentConnection) Nodes(ctx context.Context, c *model.CommentConnection) ([]*model.Comment, error) {
	found, errs := from(ctx).comments.LoadMany(ctx, c.IDs)()
	return present(found), errors.Join(errs...)
}

// present drops the objects that do not exist.
func present[T any](found []*T) []*T {
	exist := make([]*T, 0, len(found))
	for _, v := range found {
		if v != nil {
			exist = append(exist, v)
		}
	}
	return exist
}

func author(ctx context.Context, id int64) (*model.User, error) {
	if id == 0 {
		return ghost(), nil
	}
	u, err := from(ctx).users.Load(ctx, id)()
	if u == nil && err == nil {
		u = ghost()
	}
	return u, err
}

// ContentHTML resolves Topic.contentHtml.
func (topic) ContentHTML(_ context.Context, t *model.Topic) (string, error) {
	return text.HTML(t.Content, forum.ContentFormat(t.Format), nil), nil
}

// Author resolves Topic.author.
func (topic) Author(ctx context.Context, t *model.Topic) (*model.User, error) {
	return author(ctx, t.AuthorID)
}

// Category resolves Topic.category.
func (topic) Category(ctx context.Context, t *model.Topic) (*model.Category, error) {
	if t.CategoryID == 0 {
		return nil, nil
	}
	return from(ctx).categories.Load(ctx, t.CategoryID)()
}

// Comments resolves Topic.comments.
func (topic) Comments(ctx context.Context, t *model.Topic, first int, after *string) (*model.CommentConnection, error) {
	p := page{topic: int64(t.Number), first: first}
	if after != nil {
		p.after = numberAfter(*after)
	}
	return from(ctx).pages.Load(ctx, p)()
}

// ContentHTML resolves Comment.contentHtml.
func (comment) ContentHTML(_ context.Context, c *model.Comment) (string, error) {
	return text.HTML(c.Content, forum.ContentFormat(c.Format), mentionsOf(c.Mentions)), nil
}

// Author resolves Comment.author.
func (comment) Author(ctx context.Context, c *model.Comment) (*model.User, error) {
	return author(ctx, c.AuthorID)
}

// Tabs resolves Category.tabs.
func (category) Tabs(ctx context.Context, c *model.Category) ([]*model.Tab, error) {
	return from(ctx).tabs.Load(ctx, c.ID)()
}
