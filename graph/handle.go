package graph

import (
	"context"

	"agora/graph/generated"
	"agora/internal/forum"
	"agora/internal/loader"
)

// hydrators load what an operation selects of objects that are known by id only.
var hydrators = generated.Hydrators{
	Topic: func(ctx context.Context, ts []*forum.Topic, fields []string) []error {
		return loader.From(ctx).NeedTopics(ctx, ts, fieldsOf(topicFields, fields))
	},
	Comment: func(ctx context.Context, cs []*forum.Comment, fields []string) []error {
		return loader.From(ctx).NeedComments(ctx, cs, fieldsOf(commentFields, fields))
	},
	User: func(ctx context.Context, us []*forum.User, fields []string) []error {
		return loader.From(ctx).NeedUsers(ctx, us, fieldsOf(userFields, fields))
	},
	Category: func(ctx context.Context, cs []*forum.Category, _ []string) []error {
		return loader.From(ctx).NeedCategories(ctx, cs)
	},
	Tab: func(ctx context.Context, ts []*forum.Tab, _ []string) []error {
		return loader.From(ctx).NeedTabs(ctx, ts)
	},
}

// topicFields are what the plain fields of the schema's Topic are made from; its
// other fields have resolvers, which say themselves what they need.
var topicFields = map[string]forum.Fields{
	"id":           0,
	"number":       0,
	"kind":         forum.TopicFieldKind,
	"state":        forum.TopicFieldState,
	"title":        forum.TopicFieldTitle,
	"content":      forum.TopicFieldContent,
	"format":       forum.TopicFieldFormat,
	"link":         forum.TopicFieldLink,
	"createdAt":    forum.TopicFieldCreated,
	"editedAt":     forum.TopicFieldEdited,
	"deletedAt":    forum.TopicFieldDeletedAt,
	"lastActiveAt": forum.TopicFieldActive,
	"clickCount":   forum.TopicFieldClicks,
	"commentCount": forum.TopicFieldComments,
	"__typename":   0,
}

// commentFields are topicFields for Comment.
var commentFields = map[string]forum.Fields{
	"id":         0,
	"number":     forum.CommentFieldNumber,
	"depth":      forum.CommentFieldDepth,
	"content":    forum.CommentFieldContent,
	"format":     forum.CommentFieldFormat,
	"createdAt":  forum.CommentFieldCreated,
	"editedAt":   forum.CommentFieldEdited,
	"deletedAt":  forum.CommentFieldDeletedAt,
	"replyCount": forum.CommentFieldReplies,
	"__typename": 0,
}

// userFields are topicFields for User.
var userFields = map[string]forum.Fields{
	"id":         0,
	"login":      forum.UserFieldLogin,
	"name":       forum.UserFieldName,
	"role":       forum.UserFieldRole,
	"createdAt":  forum.UserFieldCreated,
	"topicCount": forum.UserFieldTopics,
	"__typename": 0,
}

// fieldsOf is what the selected fields are made from.
func fieldsOf(known map[string]forum.Fields, selected []string) forum.Fields {
	var all forum.Fields
	for _, name := range selected {
		all |= known[name]
	}
	return all
}
