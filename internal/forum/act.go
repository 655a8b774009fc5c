package forum

import "context"

// Kinds of acts.
const (
	ActTopicEdited    = "topic-edited"
	ActTopicTagged    = "topic-tagged"
	ActTopicDeleted   = "topic-deleted"
	ActCommentEdited  = "comment-edited"
	ActCommentDeleted = "comment-deleted"
)

// Act is what a moderator did to something that somebody else wrote.
type Act struct {
	Kind string
	// Author wrote it; 0 is nobody, of an imported topic.
	Author UserID
	// Topic or Comment is what it is.
	Topic   TopicID
	Comment CommentID
}

type actsKey struct{}

// WithActs returns a context in which note is called with each act that is done.
func WithActs(ctx context.Context, note func(Act)) context.Context {
	return context.WithValue(ctx, actsKey{}, note)
}

// Acted notes what by did, unless by is the author.
func Acted(ctx context.Context, by *Viewer, a Act) {
	if note, ok := ctx.Value(actsKey{}).(func(Act)); ok && by.ID != a.Author {
		note(a)
	}
}
