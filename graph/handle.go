package graph

import (
	"context"

	"agora/breadth"
	"agora/graph/generated"
	"agora/internal/loader"
)

// hydrators load objects that are known by id only.
var hydrators = generated.Hydrators{
	Topic: hydration((*loader.Loaders).AskTopics, (*loader.Loaders).NeedTopics, "author", "authorId", "category",
		"content",
		"contentHtml", "excerpt", "votes", "viewerCan", "tags", "mentions", "editor", "commentCountToday"),
	Comment: hydration((*loader.Loaders).AskComments, (*loader.Loaders).NeedComments, "topic", "author", "authorId",
		"parent",
		"content", "contentHtml", "excerpt", "mentions", "editor", "votes", "viewerCan"),
	User: hydration((*loader.Loaders).AskUsers, (*loader.Loaders).NeedUsers, "comments", "profile", "followers",
		"following",
		"isBanned", "ban"),
	Category: hydration((*loader.Loaders).AskCategories, (*loader.Loaders).NeedCategories),
	Tab:      hydration((*loader.Loaders).AskTabs, (*loader.Loaders).NeedTabs),
	Tag:      hydration((*loader.Loaders).AskTags, (*loader.Loaders).NeedTags),
	UserList: hydration((*loader.Loaders).AskUserLists, (*loader.Loaders).NeedUserLists),
}

// hydration loads objects. late are the fields whose resolvers need more than ids.
func hydration[T any](ask func(*loader.Loaders, []*T) bool,
	need func(*loader.Loaders, context.Context, []*T) []error, late ...string) breadth.Hydration[T] {
	h := breadth.Hydration[T]{
		Ask:  func(ctx context.Context, objs []*T, _ []string) bool { return ask(loader.From(ctx), objs) },
		Load: func(ctx context.Context, objs []*T, _ []string) []error { return need(loader.From(ctx), ctx, objs) },
		Late: map[string]bool{},
	}
	for _, name := range late {
		h.Late[name] = true
	}
	return h
}
