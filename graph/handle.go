package graph

import (
	"context"
	"slices"

	"agora/breadth"
	"agora/graph/generated"
	"agora/internal/forum"
	"agora/internal/loader"
)

// hydrators load objects that are known by id only.
var hydrators = generated.Hydrators{
	Topic: hydration(topicPart, []string{"author", "authorId", "category", "content", "contentHtml", "excerpt", "votes",
		"viewerCan", "tags", "mentions", "editor", "commentCountToday"},
		(*loader.Loaders).AskTopics, (*loader.Loaders).NeedTopics),
	Comment: hydration(commentPart, []string{"topic", "author", "authorId", "parent", "content", "contentHtml", "excerpt",
		"mentions", "editor", "votes", "viewerCan"},
		(*loader.Loaders).AskComments, (*loader.Loaders).NeedComments),
	User: whole((*loader.Loaders).AskUsers, (*loader.Loaders).NeedUsers,
		"comments", "profile", "followers", "following", "isBanned", "ban"),
	Category: whole((*loader.Loaders).AskCategories, (*loader.Loaders).NeedCategories),
	Tab:      whole((*loader.Loaders).AskTabs, (*loader.Loaders).NeedTabs),
	Tag:      whole((*loader.Loaders).AskTags, (*loader.Loaders).NeedTags),
	UserList: whole((*loader.Loaders).AskUserLists, (*loader.Loaders).NeedUserLists),
}

// whole is hydration for objects that are always read whole. late are the fields whose resolvers need more than ids.
func whole[T any](ask func(*loader.Loaders, []*T) bool, need func(*loader.Loaders, context.Context, []*T) []error,
	late ...string) breadth.Hydration[T] {
	return hydration(func([]string) forum.Part { return forum.Basics }, late,
		func(l *loader.Loaders, objs []*T, _ forum.Part) bool { return ask(l, objs) },
		func(l *loader.Loaders, ctx context.Context, objs []*T, _ forum.Part) []error { return need(l, ctx, objs) })
}

// hydration loads the part of objects that fields need. late are the fields whose resolvers need more than ids.
func hydration[T any](part func(fields []string) forum.Part, late []string,
	ask func(*loader.Loaders, []*T, forum.Part) bool,
	need func(*loader.Loaders, context.Context, []*T, forum.Part) []error) breadth.Hydration[T] {
	h := breadth.Hydration[T]{
		Ask: func(ctx context.Context, objs []*T, fields []string) bool {
			return ask(loader.From(ctx), objs, part(fields))
		},
		Load: func(ctx context.Context, objs []*T, fields []string) []error {
			return need(loader.From(ctx), ctx, objs, part(fields))
		},
		Late: map[string]bool{},
	}
	for _, name := range late {
		h.Late[name] = true
	}
	return h
}

// These return the part of an object that fields of the schema need: everything, if any of them is made from the text
// of a post.
var (
	topicPart   = partWith("content", "contentHtml", "excerpt")
	commentPart = partWith("content", "contentHtml", "excerpt")
)

func partWith(names ...string) func(fields []string) forum.Part {
	return func(fields []string) forum.Part {
		for _, name := range fields {
			if slices.Contains(names, name) {
				return forum.Everything
			}
		}
		return forum.Basics
	}
}
