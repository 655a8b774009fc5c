package graph

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/engine"
)

// A payload has the object that it promises, or an error that says why not. So a mutation waits for its object:
// another user may delete it between the write and this read, and a repeated call may come after the object was
// deleted.

// written returns the object that a mutation has written, or the mutation's own error err. It reads the object after
// the write, and returns missing if the viewer can no longer see it.
func written[ID, T any](
	ctx context.Context, err error, load func(context.Context, []ID) ([]*T, []error), id ID, missing *forum.Error,
) (*T, error) {
	if err != nil {
		return nil, err
	}
	loader.From(ctx).Forget()
	found, err := single(load(ctx, []ID{id}))
	if err == nil && found == nil {
		return nil, missing
	}
	return found, err
}

// seen returns missing if the viewer does not see an object that a mutation is about to write, because of its category;
// whether it exists is left to the mutation. It reads nothing unless there are categories that the viewer does not see.
func seen[ID, T any](ctx context.Context, load func(context.Context, []ID) ([]*T, []error), id ID,
	missing error) error {
	if !loader.From(ctx).HidesCategories() {
		return nil
	}
	found, err := single(load(ctx, []ID{id}))
	if err == nil && found == nil {
		err = missing
	}
	return err
}

// writtenTopic is written for the topic that the input names as topicId.
func writtenTopic(ctx context.Context, err error, id forum.TopicID) (*loader.Topic, error) {
	return written(ctx, err, loader.From(ctx).TopicsNow, id, forum.NotFound(forum.Path("topicId"), "topic"))
}

// writtenUser is written for the user that the input names as userId.
func writtenUser(ctx context.Context, err error, id forum.UserID) (*loader.User, error) {
	return written(ctx, err, loader.From(ctx).Users, id, forum.NotFound(forum.Path("userId"), "user"))
}

// writtenComment is written for a comment. topic is its topic, 0 if that is not known.
func writtenComment(
	ctx context.Context, err error, topic forum.TopicID, id forum.CommentID, missing *forum.Error,
) (*loader.Comment, error) {
	load := func(ctx context.Context, ids []forum.CommentID) ([]*loader.Comment, []error) {
		return loader.From(ctx).CommentsOn(ctx, topic, ids)
	}
	return written(ctx, err, load, id, missing)
}

// selectedOf returns the names of the fields that the operation may select of one field of the object that the field
// of ctx returns.
func selectedOf(ctx context.Context, field string) []string {
	at := graphql.GetFieldContext(ctx)
	if at == nil {
		return nil
	}
	fragments := graphql.GetOperationContext(ctx).Doc.Fragments
	var names []string
	each(at.Field.Selections, fragments, func(f *ast.Field) {
		if f.Name == field {
			each(f.SelectionSet, fragments, func(f *ast.Field) { names = append(names, f.Name) })
		}
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// each calls do for each field of a selection, including those of its fragments.
func each(set ast.SelectionSet, fragments ast.FragmentDefinitionList, do func(*ast.Field)) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			do(s)
		case *ast.InlineFragment:
			each(s.SelectionSet, fragments, do)
		case *ast.FragmentSpread:
			if f := fragments.ForName(s.Name); f != nil {
				each(f.SelectionSet, fragments, do)
			}
		}
	}
}

// readBack reads what a mutation has written in its last round trip, with the fields that the operation selects of one
// field of the payload: a topic or comment, its author and its category. A comment is read with its topic.
func readBack(ctx context.Context, field string) engine.ReadBack {
	return func(r *engine.Read, of engine.Written) func(bool) {
		return loader.From(ctx).ReadBack(r, func() { askWritten(ctx, field, of) })
	}
}

// askWritten queues what readBack reads.
func askWritten(ctx context.Context, field string, of engine.Written) {
	l, selected := loader.From(ctx), selectedOf(ctx, field)
	ask := loader.Objects{}
	if slices.Contains(selected, "author") && of.Author != 0 {
		ask.Users = []forum.UserID{of.Author}
	}
	if slices.Contains(selected, "category") && of.Category != 0 {
		ask.Categories = []forum.CategoryID{of.Category}
	}
	l.Ask(ask)
	l.AskTopics(l.Topics([]forum.TopicID{of.Topic}))
	if of.Comment != 0 {
		l.AskComments(l.Comments([]forum.CommentID{of.Comment}))
	}
}
