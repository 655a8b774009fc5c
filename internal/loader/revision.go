package loader

import (
	"cmp"
	"context"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// Revisions reads revisions of topics and comments that the viewer sees, without their texts, each with the one
// before; nil for those that are no longer kept.
func (l *Loaders) Revisions(ctx context.Context, refs []posts.RevisionRef) ([]*forum.Revision, []error) {
	if len(refs) == 0 {
		return nil, nil
	}
	of := make([]forum.Subject, len(refs))
	for i, ref := range refs {
		of[i] = ref.Of
	}
	topics, comments := l.subjects(of)
	l.topicHandles.ask(topics)
	l.commentHandles.ask(comments)
	found, errs := l.revisions.many(ctx, refs)
	revisions := make([]*forum.Revision, len(refs))
	for i, r := range found {
		if r == nil {
			continue
		}
		if r.Stored != 0 {
			revisions[i] = r
			continue
		}
		p, failure := l.present(r.Subject, "") // the list has nothing else of the present one
		errs = addError(errs, len(refs), i, failure)
		if p != nil && p.Number == r.Number && p.Format != "" {
			p.Previous = r.Previous
			revisions[i] = p
		}
	}
	return revisions, errs
}

// subjects returns handles of topics and comments.
func (l *Loaders) subjects(of []forum.Subject) (topics []*Topic, comments []*Comment) {
	for _, s := range of {
		if s.Topic != 0 {
			topics = append(topics, l.topicHandles.one(s.Topic))
		} else {
			comments = append(comments, l.commentHandles.one(s.Comment))
		}
	}
	return topics, comments
}

// present returns the present revision of a topic or comment that was read, with its text, or why it could not be read.
func (l *Loaders) present(of forum.Subject, content string) (*forum.Revision, error) {
	if of.Topic != 0 {
		t := l.topicHandles.one(of.Topic)
		return t.Present(content), t.failure()
	}
	c := l.commentHandles.one(of.Comment)
	return c.Present(content), c.failure()
}

// PresentTexts returns the texts of topics and comments, whether or not the viewer may see them.
func (l *Loaders) PresentTexts(ctx context.Context, of []forum.Subject) ([]*forum.Text, []error) {
	l.needSubjects(ctx, of)
	contents, errs := l.texts(ctx, len(of), func(i int) post {
		if of[i].Topic != 0 {
			return postOfTopic(l.topicHandles.one(of[i].Topic))
		}
		return postOfComment(l.commentHandles.one(of[i].Comment))
	}, func(again []int) {
		some := make([]forum.Subject, len(again))
		for n, i := range again {
			if some[n] = of[i]; of[i].Topic != 0 {
				l.topicHandles.again(l.topicHandles.one(of[i].Topic))
			} else {
				l.commentHandles.again(l.commentHandles.one(of[i].Comment))
			}
		}
		l.needSubjects(ctx, some)
	})
	texts := make([]*forum.Text, len(of))
	for i, s := range of {
		p, err := l.present(s, contents[i])
		if errs = addError(errs, len(of), i, err); at(errs, i) == nil {
			texts[i] = &p.Text
		}
	}
	return texts, errs
}

// needSubjects returns when the topics and comments were read.
func (l *Loaders) needSubjects(ctx context.Context, of []forum.Subject) {
	topics, comments := l.subjects(of)
	l.topicHandles.ask(topics)
	l.commentHandles.need(ctx, comments)
	l.topicHandles.need(ctx, topics)
}

// unpacked is the text of an earlier revision, or why the response has no room for it; neither while it is read.
type unpacked struct {
	text *forum.Text
	err  error
}

func (u unpacked) isDue() bool { return u.text == nil && u.err == nil }

// RevisionTexts returns the texts of revisions, with an error for those that the response has no room for.
func (l *Loaders) RevisionTexts(ctx context.Context, rs []*forum.Revision) ([]*forum.Text, []error) {
	if l.revisionTexts == nil {
		l.revisionTexts = map[posts.RevisionRef]unpacked{}
	}
	meter := breadth.MeterFrom(ctx)
	var due []posts.RevisionRef
	var present []forum.Subject
	for _, r := range rs {
		ref := posts.RevisionRef{Of: r.Subject, Number: r.Number}
		u, known := l.revisionTexts[ref]
		switch {
		case r.Stored == 0:
			present = append(present, r.Subject)
			continue
		case !known:
			u.err = meter.Charge(r.Stored, r.Stored)
			l.revisionTexts[ref] = u
		}
		if u.isDue() {
			due = append(due, ref)
		}
	}
	l.packedTexts.ask(due)
	now, failures := l.PresentTexts(ctx, present)
	packed, failed := l.packedTexts.many(ctx, due)
	for i, ref := range due {
		if l.revisionTexts[ref].isDue() { // another resolver may have waited, too
			text, err := packed[i].Unpack(ref.Of, func(bytes int) error { return meter.Charge(bytes, bytes) })
			l.revisionTexts[ref] = unpacked{text, cmp.Or(at(failed, i), err)}
		}
	}
	texts := make([]*forum.Text, len(rs))
	var errs []error
	for i, r := range rs {
		u := l.revisionTexts[posts.RevisionRef{Of: r.Subject, Number: r.Number}]
		if r.Stored == 0 {
			u.text, u.err = now[0], at(failures, 0)
			now, failures = now[1:], failures[min(1, len(failures)):]
		}
		texts[i] = u.text
		errs = addError(errs, len(rs), i, u.err)
	}
	return texts, errs
}

// Changes compares revisions with those before, which they must have, with an error for those that the response has no
// room for. Each is compared once in a response.
func (l *Loaders) Changes(ctx context.Context, rs []*forum.Revision) ([]*text.Changes, []error) {
	if l.changes == nil {
		l.changes = map[*forum.Revision]*text.Changes{}
	}
	both := make([]*forum.Revision, 0, 2*len(rs))
	for _, r := range rs {
		both = append(both, r.Previous, r)
	}
	texts, failed := l.RevisionTexts(ctx, both)
	meter := breadth.MeterFrom(ctx)
	changes := make([]*text.Changes, len(rs))
	var errs []error
	for i, r := range rs {
		before, after := texts[2*i], texts[2*i+1]
		err := cmp.Or(at(failed, 2*i), at(failed, 2*i+1))
		if c := l.changes[r]; c != nil {
			changes[i] = c
		} else if err == nil && before != nil && after != nil {
			cost := text.CompareCost(before.Content, after.Content)
			if err = meter.Charge(cost, cost); err == nil {
				changes[i] = text.Compare(before.Content, after.Content)
				l.changes[r] = changes[i]
			}
		}
		errs = addError(errs, len(rs), i, err)
	}
	return changes, errs
}
