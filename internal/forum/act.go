package forum

import "context"

// The kinds of acts.
const (
	ActTopicEdited    = "topic-edited"
	ActTopicTagged    = "topic-tagged"
	ActTopicDeleted   = "topic-deleted"
	ActCommentEdited  = "comment-edited"
	ActCommentDeleted = "comment-deleted"
)

// Act is a moderator's action on another user's content.
type Act struct {
	Kind string
	// Author is the author of the content; 0 for an imported topic without a user.
	Author UserID
	// Topic or Comment is the content; the other is 0.
	Topic   TopicID
	Comment CommentID
}

type actsKey struct{}

// WithActs returns a context in which note is called with each act.
func WithActs(ctx context.Context, note func(Act)) context.Context {
	return context.WithValue(ctx, actsKey{}, note)
}

// Acted passes the act of by to the context's note function, unless by is the author.
func Acted(ctx context.Context, by *Viewer, a Act) {
	if note, ok := ctx.Value(actsKey{}).(func(Act)); ok && by.ID != a.Author {
		note(a)
	}
}
