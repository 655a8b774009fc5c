package graph

import (
	"context"

	"agora/breadth"
	"agora/graph/generated"
	"agora/internal/loader"
)

// loads read objects of which a response has the ids.
var loads = generated.Loaders{
	Topic:    load((*loader.Loaders).NeedTopics),
	Comment:  load((*loader.Loaders).NeedComments),
	User:     load((*loader.Loaders).NeedUsers),
	Category: load((*loader.Loaders).NeedCategories),
	Tab:      load((*loader.Loaders).NeedTabs),
	Tag:      load((*loader.Loaders).NeedTags),
	UserList: load((*loader.Loaders).NeedUserLists),
}

func load[T any](need func(*loader.Loaders, context.Context, []*T) []error) breadth.Load[T] {
	return func(ctx context.Context, objs []*T) []error { return need(loader.From(ctx), ctx, objs) }
}
