package loader

import (
	"context"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/listing"
)

// Cases reads the reports on subjects; nil for those without any, and for all viewers but moderators.
func (l *Loaders) Cases(ctx context.Context, subjects []forum.Subject) ([]*forum.ReportCase, []error) {
	if !l.viewer.Moderator() {
		return make([]*forum.ReportCase, len(subjects)), nil
	}
	found, errs := l.cases.many(ctx, subjects)
	for i, c := range found {
		if c != nil && !l.moderates(c.Category) {
			found[i] = nil
		}
	}
	return found, errs
}

// SiftCases reads a page of those cases of the queue that the viewer moderates. It examines at most
// forum.KindsExamined.
func (l *Loaders) SiftCases(ctx context.Context, list listing.List, w forum.Window) (*forum.Page, error) {
	return l.sift(ctx, list, w, func(p *forum.Page) ([]bool, error) {
		subjects := make([]forum.Subject, len(p.Rows))
		for i, row := range p.Rows {
			subjects[i], _ = acts.ParseCaseRow(row.ID)
		}
		cases, errs := l.Cases(ctx, subjects)
		keep := make([]bool, len(cases))
		for i, c := range cases {
			keep[i] = c != nil
		}
		return keep, first(errs)
	})
}

// Reports reads reports; nil for those that do not exist. The caller has checked that the viewer may see them.
func (l *Loaders) Reports(ctx context.Context, refs []acts.ReportRef) ([]*forum.Report, []error) {
	return l.reports.many(ctx, refs)
}

// Evidence reads the copies that are kept of subjects, latest first. The caller has checked that the viewer may see
// them.
func (l *Loaders) Evidence(ctx context.Context, of []forum.Subject) ([][]*forum.Evidence, []error) {
	found, errs := l.evidence.many(ctx, of)
	meter := breadth.MeterFrom(ctx)
	for i, copies := range found {
		cost, bytes := 0, 0
		for _, e := range copies {
			cost, bytes = cost+len(e.Content)+breadth.StringSize(e.Content), bytes+len(e.Content)
		}
		if err := meter.Charge(cost, bytes); err != nil {
			found[i], errs = nil, addError(errs, len(of), i, err)
		}
	}
	return found, errs
}

// EvidenceOfActs reads the copies that are kept of what acts are about; nil for what the viewer does not moderate.
func (l *Loaders) EvidenceOfActs(ctx context.Context, acts []*forum.Act) ([][]*forum.Evidence, []error) {
	found := make([][]*forum.Evidence, len(acts))
	categories := make([]forum.CategoryID, len(acts))
	var errs []error
	if !l.viewer.Moderator() {
		return found, nil
	}
	if !l.viewer.Has(forum.RoleModerator) {
		categories, errs = l.categoriesOfActs(ctx, acts)
	}
	return l.evidenceIn(ctx, errs, categories, func(i int) forum.Subject { return acts[i].Subject })
}

// evidenceIn reads the copies that are kept of subjects in categories; nil for what the viewer does not moderate.
func (l *Loaders) evidenceIn(ctx context.Context, errs []error, categories []forum.CategoryID,
	subject func(i int) forum.Subject) ([][]*forum.Evidence, []error) {
	found := make([][]*forum.Evidence, len(categories))
	var subjects []forum.Subject
	var which []int
	for i, category := range categories {
		if at(errs, i) == nil && l.moderates(category) {
			subjects, which = append(subjects, subject(i)), append(which, i)
		}
	}
	copies, failed := l.Evidence(ctx, subjects)
	for n, i := range which {
		found[i] = copies[n]
		errs = addError(errs, len(categories), i, at(failed, n))
	}
	return found, errs
}

// TopicEvidence reads the copies that are kept of topics; nil for what the viewer does not moderate.
func (l *Loaders) TopicEvidence(ctx context.Context, ts []*Topic) ([][]*forum.Evidence, []error) {
	if !l.viewer.Moderator() {
		return make([][]*forum.Evidence, len(ts)), nil
	}
	errs := l.NeedTopics(ctx, ts)
	categories := make([]forum.CategoryID, len(ts))
	for i, t := range ts {
		categories[i] = t.CategoryID
	}
	return l.evidenceIn(ctx, errs, categories, func(i int) forum.Subject { return forum.Subject{Topic: ts[i].ID} })
}

// CommentEvidence is TopicEvidence for comments, also for those that were deleted.
func (l *Loaders) CommentEvidence(ctx context.Context, cs []*Comment) ([][]*forum.Evidence, []error) {
	if !l.viewer.Moderator() {
		return make([][]*forum.Evidence, len(cs)), nil
	}
	topics, errs := l.topicsOf(ctx, cs)
	categories := make([]forum.CategoryID, len(cs))
	for i, t := range topics {
		categories[i] = t.CategoryID
	}
	return l.evidenceIn(ctx, errs, categories, func(i int) forum.Subject { return forum.Subject{Comment: cs[i].ID} })
}

// topicsOf loads comments and their topics.
func (l *Loaders) topicsOf(ctx context.Context, cs []*Comment) ([]*Topic, []error) {
	errs := l.NeedComments(ctx, cs)
	topics := make([]*Topic, len(cs))
	for i, c := range cs {
		topics[i] = l.topicHandles.one(c.TopicID)
	}
	failed := l.NeedTopics(ctx, topics)
	for i := range cs {
		errs = addError(errs, len(cs), i, at(failed, i))
	}
	return topics, errs
}

// moderates reports whether the viewer moderates a category.
func (l *Loaders) moderates(c forum.CategoryID) bool { return l.rules().Moderates(l.viewer, c) }

// ModeratesIn is moderates for resolvers.
func (l *Loaders) ModeratesIn(c forum.CategoryID) bool { return l.moderates(c) }

// Moderates reports whether the viewer moderates anything.
func (l *Loaders) Moderates() bool { return l.viewer.Moderator() }

// TopicAccounts returns the accounts of the authors of topics, also deleted ones; 0 for what the viewer does not
// moderate.
func (l *Loaders) TopicAccounts(ctx context.Context, ts []*Topic) ([]forum.UserID, []error) {
	found := make([]forum.UserID, len(ts))
	if !l.viewer.Moderator() {
		return found, nil
	}
	errs := l.NeedTopics(ctx, ts)
	for i, t := range ts {
		if l.moderates(t.CategoryID) {
			found[i] = t.AuthorID
		}
	}
	return found, errs
}

// CommentAccounts is TopicAccounts for comments.
func (l *Loaders) CommentAccounts(ctx context.Context, cs []*Comment) ([]forum.UserID, []error) {
	found := make([]forum.UserID, len(cs))
	if !l.viewer.Moderator() {
		return found, nil
	}
	topics, errs := l.topicsOf(ctx, cs)
	for i, c := range cs {
		if l.moderates(topics[i].CategoryID) {
			found[i] = c.WriterID
		}
	}
	return found, errs
}
