package graph

import (
	"context"

	"agora/breadth"
	"agora/graph/generated"
	"agora/internal/forum"
	"agora/internal/loader"
)

// hydrators load the selected fields of objects that are known by id only.
var hydrators = generated.Hydrators{
	Topic:   hydration(topicFields, lateTopicFields, (*loader.Loaders).AskTopics, (*loader.Loaders).NeedTopics),
	Comment: hydration(commentFields, lateCommentFields, (*loader.Loaders).AskComments, (*loader.Loaders).NeedComments),
	User:    hydration(userFields, lateUserFields, (*loader.Loaders).AskUsers, (*loader.Loaders).NeedUsers),
	Category: hydration(nil, nil, (*loader.Loaders).AskCategories,
		func(l *loader.Loaders, ctx context.Context, cs []*forum.Category, _ forum.Fields) []error {
			return l.NeedCategories(ctx, cs)
		}),
	Tab: hydration(nil, nil, (*loader.Loaders).AskTabs,
		func(l *loader.Loaders, ctx context.Context, ts []*forum.Tab, _ forum.Fields) []error {
			return l.NeedTabs(ctx, ts)
		}),
	Tag: hydration(nil, nil, (*loader.Loaders).AskTags,
		func(l *loader.Loaders, ctx context.Context, ts []*forum.Tag, _ forum.Fields) []error {
			return l.NeedTags(ctx, ts)
		}),
	UserList: hydration(nil, nil, (*loader.Loaders).AskUserLists,
		func(l *loader.Loaders, ctx context.Context, ls []*forum.UserList, _ forum.Fields) []error {
			return l.NeedUserLists(ctx, ls)
		}),
}

func hydration[T any](plain, late map[string]forum.Fields, ask func(*loader.Loaders, []*T, forum.Fields) bool,
	need func(*loader.Loaders, context.Context, []*T, forum.Fields) []error) breadth.Hydration[T] {
	h := breadth.Hydration[T]{
		Ask: func(ctx context.Context, objs []*T, fields []string) bool {
			return ask(loader.From(ctx), objs, fieldsOf(plain, late, fields))
		},
		Load: func(ctx context.Context, objs []*T, fields []string) []error {
			return need(loader.From(ctx), ctx, objs, fieldsOf(plain, late, fields))
		},
		Late: map[string]bool{},
	}
	for name := range late {
		h.Late[name] = true
	}
	return h
}

// fieldsOf returns the stored fields that the selected fields need.
func fieldsOf(plain, late map[string]forum.Fields, selected []string) forum.Fields {
	var all forum.Fields
	for _, name := range selected {
		all |= plain[name] | late[name]
	}
	return all
}

// topicFields maps the plain fields of the schema's Topic to the stored fields they need; lateTopicFields does so for
// its fields with resolvers.
var (
	topicFields = map[string]forum.Fields{
		"id":            0,
		"number":        0,
		"kind":          forum.TopicFieldKind,
		"state":         forum.TopicFieldState,
		"title":         forum.TopicFieldTitle,
		"format":        forum.TopicFieldFormat,
		"link":          forum.TopicFieldLink,
		"createdAt":     forum.TopicFieldCreated,
		"editedAt":      forum.TopicFieldEdited,
		"revision":      forum.TopicFieldRevision,
		"deletedAt":     forum.TopicFieldDeletedAt,
		"hiddenAt":      forum.TopicFieldHiddenAt,
		"lastActiveAt":  forum.TopicFieldActive,
		"clickCount":    forum.TopicFieldClicks,
		"commentCount":  forum.TopicFieldComments,
		"isInteresting": forum.TopicFieldUp | forum.TopicFieldDown,
		"__typename":    0,
	}
	lateTopicFields = map[string]forum.Fields{
		"author":            forum.TopicFieldAuthor,
		"authorId":          forum.TopicFieldAuthor | forum.TopicFieldCategory,
		"category":          forum.TopicFieldCategory,
		"content":           forum.TopicFieldContent,
		"contentHtml":       forum.TopicText,
		"excerpt":           forum.TopicText,
		"votes":             forum.TopicVotes,
		"viewerCan":         forum.TopicVotes | forum.TopicFieldAuthor,
		"tags":              forum.TopicFieldTags,
		"mentions":          forum.TopicFieldMentions,
		"editor":            forum.TopicFieldEditor,
		"commentCountToday": forum.TopicDays,
	}
)

// commentFields and lateCommentFields are the same for Comment.
var (
	commentFields = map[string]forum.Fields{
		"id":         0,
		"number":     forum.CommentFieldNumber,
		"depth":      forum.CommentFieldDepth,
		"format":     forum.CommentFieldFormat,
		"createdAt":  forum.CommentFieldCreated,
		"editedAt":   forum.CommentFieldEdited,
		"revision":   forum.CommentFieldRevision,
		"deletedAt":  forum.CommentFieldDeletedAt,
		"state":      forum.CommentFieldState,
		"hiddenAt":   forum.CommentFieldHiddenAt,
		"replyCount": forum.CommentFieldReplies,
		"__typename": 0,
	}
	lateCommentFields = map[string]forum.Fields{
		"topic":       forum.CommentFieldTopic,
		"author":      forum.CommentFieldAuthor,
		"authorId":    forum.CommentFieldAuthor,
		"parent":      forum.CommentFieldParent,
		"content":     forum.CommentFieldContent,
		"contentHtml": forum.CommentText,
		"excerpt":     forum.CommentText,
		"mentions":    forum.CommentFieldMentions,
		"editor":      forum.CommentFieldEditor,
		"votes":       forum.CommentVotes,
		"viewerCan":   forum.CommentFieldAuthor,
	}
)

// userNew is what says whether a user is a new member.
const userNew = forum.UserFieldCreated | forum.UserFieldKarma | forum.UserFieldRole | forum.UserFieldModerates

// userFields and lateUserFields are the same for User.
var (
	userFields = map[string]forum.Fields{
		"id":             0,
		"login":          forum.UserFieldLogin,
		"name":           forum.UserFieldName,
		"role":           forum.UserFieldRole,
		"createdAt":      forum.UserFieldCreated,
		"topicCount":     forum.UserFieldTopics,
		"followerCount":  forum.UserFieldFollowers,
		"followingCount": forum.UserFieldFollowing,
		"bio":            forum.UserFieldBio,
		"avatarUrl":      forum.UserFieldAvatar,
		"karma":          forum.UserFieldKarma,
		"__typename":     0,
	}
	lateUserFields = map[string]forum.Fields{"comments": forum.UserBase, "profile": forum.UserBase,
		"followers": forum.UserBase, "following": forum.UserBase, "website": forum.UserFieldWebsite | userNew,
		"isBanned": forum.UserBan, "ban": forum.UserBan}
)
