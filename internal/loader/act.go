package loader

import (
	"context"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/listing"
)

// Acts reads entries of the moderation log; nil for those that do not exist or that the viewer may not see.
func (l *Loaders) Acts(ctx context.Context, ids []forum.ActID) ([]*forum.Act, []error) {
	all := l.SeesLog()
	notified := make([]bool, len(ids))
	if l.acts.ask(ids); l.viewer != nil && !all {
		var failed []error
		if notified, failed = l.notified.many(ctx, ids); failed != nil {
			return make([]*forum.Act, len(ids)), failed
		}
	}
	acts, errs := l.acts.many(ctx, ids)
	for i, a := range acts {
		// Moderators see all, members those that concern them or that they were notified of, others only a public log.
		if a != nil && !all && !notified[i] && !l.viewer.Is(a.Member) && !l.viewer.Is(a.By) {
			acts[i] = nil
		}
	}
	acts, failed := l.seenActs(ctx, acts)
	if failed != nil {
		errs = failed
	}
	return acts, errs
}

// seenActs returns nil in place of acts on categories that the viewer does not see, and on what is in them or was moved
// from or to them.
func (l *Loaders) seenActs(ctx context.Context, acts []*forum.Act) ([]*forum.Act, []error) {
	if !l.HidesCategories() {
		return acts, nil
	}
	present := slices.DeleteFunc(slices.Clone(acts), func(a *forum.Act) bool { return a == nil })
	categories, errs := l.categoriesOfActs(ctx, present)
	if errs != nil {
		return make([]*forum.Act, len(acts)), slices.Repeat([]error{first(errs)}, len(acts))
	}
	seen := make([]*forum.Act, len(acts))
	for i, a := range acts {
		if a == nil {
			continue
		}
		concerns := []forum.CategoryID{a.Subject.Category, categories[0], a.From(), a.To(), a.Category()}
		categories = categories[1:]
		if !slices.ContainsFunc(concerns, func(c forum.CategoryID) bool { return !l.SeesCategory(c) }) {
			seen[i] = a
		}
	}
	return seen, nil
}

// Recorded returns an act that the viewer has just done; it is not read again.
func (l *Loaders) Recorded(a *forum.Act) *forum.Act {
	l.acts.put(a.ID, a)
	return a
}

// SeesLog reports whether the viewer may read the whole moderation log.
func (l *Loaders) SeesLog() bool { return l.viewer.Moderator() || l.rules().PublicLog }

// SeesMembers reports whether the viewer may list the members.
func (l *Loaders) SeesMembers() bool { return l.rules().MemberList.ShownTo(l.viewer) }

// ShowsModerator reports whether the viewer may know that a moderator acted, by whom the act is.
func (l *Loaders) ShowsModerator(by forum.UserID) bool {
	return by != 0 && (l.viewer.Moderator() || l.viewer.Is(by) || l.rules().ShowModerators)
}

// ActNotes returns the notes of acts, "" for none. Only the members whom acts concern see them, moderators of the site,
// those who acted, and moderators of the subject's category.
func (l *Loaders) ActNotes(ctx context.Context, acts []*forum.Act) ([]string, []error) {
	notes := make([]string, len(acts))
	var errs []error
	var categories []forum.CategoryID
	if l.viewer != nil && len(l.viewer.Moderates) > 0 && !l.viewer.Has(forum.RoleModerator) {
		categories, errs = l.categoriesOfActs(ctx, acts)
	}
	for i, a := range acts {
		if l.viewer.Has(forum.RoleModerator) || l.viewer.Is(a.Member) || l.viewer.Is(a.By) ||
			categories != nil && l.moderates(categories[i]) {
			notes[i] = a.Note
		}
	}
	return notes, errs
}

// categoriesOfActs returns the present categories of the topics and comments that acts are about; 0 for others.
func (l *Loaders) categoriesOfActs(ctx context.Context, acts []*forum.Act) ([]forum.CategoryID, []error) {
	comments := make([]*Comment, len(acts))
	topics := make([]*Topic, len(acts))
	for i, a := range acts {
		if a.Subject.Comment != 0 {
			comments[i] = l.commentHandles.one(a.Subject.Comment)
		}
	}
	named := func(c *Comment) bool { return c == nil }
	errs := l.NeedComments(ctx, slices.DeleteFunc(slices.Clone(comments), named))
	for i, a := range acts {
		switch {
		case a.Subject.Topic != 0:
			topics[i] = l.topicHandles.one(a.Subject.Topic)
		case comments[i] != nil && comments[i].TopicID != 0:
			topics[i] = l.topicHandles.one(comments[i].TopicID)
		}
	}
	none := func(t *Topic) bool { return t == nil }
	failed := l.NeedTopics(ctx, slices.DeleteFunc(slices.Clone(topics), none))
	found := make([]forum.CategoryID, len(acts))
	for i, t := range topics {
		if t != nil {
			found[i] = t.CategoryID
		}
	}
	for _, err := range slices.Concat(errs, failed) {
		if err != nil {
			return found, slices.Repeat([]error{err}, len(acts))
		}
	}
	return found, nil
}

// SiftActs reads a page of those acts of a list that are asked for and that the viewer sees. It examines at most
// forum.KindsExamined.
func (l *Loaders) SiftActs(ctx context.Context, list listing.List, w forum.Window,
	of acts.ActFilter) (*forum.Page, error) {
	return l.sift(ctx, list, w, func(p *forum.Page) ([]bool, error) {
		acts, errs := l.acts.many(ctx, IDs[forum.ActID](p))
		if errs == nil {
			acts, errs = l.seenActs(ctx, acts)
		}
		keep := make([]bool, len(acts))
		for i, a := range acts {
			keep[i] = a != nil && of.Has(a)
		}
		return keep, first(errs)
	})
}

// sift reads a page of those rows of a list that are to be kept.
func (l *Loaders) sift(ctx context.Context, list listing.List, w forum.Window,
	kept func(*forum.Page) ([]bool, error)) (*forum.Page, error) {
	s := sifting{w: w, need: w.Count}
	budget := forum.KindsExamined
	for {
		next, ok := s.window(&budget)
		if !ok {
			p := s.page()
			return &p, nil
		}
		found, errs := l.Pages(ctx, []*listing.List{&list}, next)
		if err := first(errs); err != nil {
			return nil, err
		}
		keep, err := kept(found[0])
		if err != nil {
			return nil, err
		}
		s.add(*found[0], keep)
	}
}

// rules returns the rules of the site: the same for a whole response, but for what precedes its mutation.
func (l *Loaders) rules() *forum.Rules {
	if l.siteRules == nil {
		rules := l.store.Rules.Current(l.ctx)
		l.siteRules, l.hides = &rules, rules.Hidden(l.viewer) != nil
	}
	return l.siteRules
}

// Moderators reads who moderates categories, beside the moderators of the site; some may be deleted.
func (l *Loaders) Moderators(ctx context.Context, ids []forum.CategoryID) ([][]forum.UserID, []error) {
	return l.moderators.many(ctx, ids)
}
