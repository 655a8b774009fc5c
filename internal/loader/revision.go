package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store"
)

// Revisions reads revisions of topics and comments that the viewer sees, each with the one before; nil for those that
// are no longer kept.
func (l *Loaders) Revisions(ctx context.Context, refs []store.RevisionRef) ([]*forum.Revision, []error) {
	if len(refs) == 0 {
		return nil, nil
	}
	var topics []*forum.Topic
	var comments []*forum.Comment
	for _, ref := range refs {
		if ref.Of.Topic != 0 {
			topics = append(topics, l.topicHandles.one(ref.Of.Topic))
		} else {
			comments = append(comments, l.commentHandles.one(ref.Of.Comment))
		}
	}
	l.topicHandles.ask(topics, forum.TopicPresent)
	l.commentHandles.ask(comments, forum.CommentPresent)
	found, errs := l.revisions.many(ctx, refs)
	revisions := make([]*forum.Revision, len(refs))
	for i, r := range found {
		if r == nil {
			continue
		}
		if r.Format != "" {
			revisions[i] = r
			continue
		}
		var p *forum.Revision // the list has no text of the present one
		var failure error
		if t, c := r.Subject.Topic, r.Subject.Comment; t != 0 {
			of := l.topicHandles.one(t)
			p, failure = of.Present(), of.Failure
		} else {
			of := l.commentHandles.one(c)
			p, failure = of.Present(), of.Failure
		}
		errs = addError(errs, len(refs), i, failure)
		if p.Number == r.Number && p.Format != "" {
			p.Previous = r.Previous
			revisions[i] = p
		}
	}
	return revisions, errs
}
