package graph

import (
	"context"
	"strconv"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
)

// Subject resolves ModerationAct.subject.
func (moderationAct) Subject(ctx context.Context, as []*forum.Act) ([]model.ActSubject, error) {
	l, of := loader.From(ctx), mapSlice(as, func(a *forum.Act) forum.Subject { return a.Subject })
	posts := moderationSubjects(ctx, of)
	categories := ofSubjects(of, func(s forum.Subject) forum.CategoryID { return s.Category }, l.Categories)
	tabs := ofSubjects(of, func(s forum.Subject) forum.TabID { return s.Tab }, l.Tabs)
	subjects := make([]model.ActSubject, len(of))
	for i := range of {
		switch {
		case categories[i] != nil:
			subjects[i] = categories[i]
		case tabs[i] != nil:
			subjects[i] = tabs[i]
		case posts[i] != nil:
			subjects[i] = posts[i].(model.ActSubject)
		}
	}
	return subjects, nil
}

// Before resolves ModerationAct.before.
func (moderationAct) Before(ctx context.Context, as []*forum.Act) ([]*forum.ActState, error) {
	return statesOf(ctx, as, (*forum.Act).Before), nil
}

// After resolves ModerationAct.after.
func (moderationAct) After(ctx context.Context, as []*forum.Act) ([]*forum.ActState, error) {
	return statesOf(ctx, as, (*forum.Act).After), nil
}

// statesOf returns what acts have changed; nil for those of which the viewer may not know that.
func statesOf(ctx context.Context, as []*forum.Act, state func(*forum.Act) *forum.ActState) []*forum.ActState {
	viewer := auth.ViewerFrom(ctx)
	return mapSlice(as, func(a *forum.Act) *forum.ActState {
		if !a.ShowsChange(viewer) {
			return nil
		}
		return state(a)
	})
}

// GroupIds resolves ActState.groupIds.
func (actState) GroupIds(_ context.Context, of []*forum.ActState) ([][]string, error) {
	return mapSlice(of, func(s *forum.ActState) []string { return globalIDs(globalid.Group, s.Groups()) }), nil
}

// CategoryIds resolves ActState.categoryIds.
func (actState) CategoryIds(_ context.Context, of []*forum.ActState) ([][]string, error) {
	return mapSlice(of, func(s *forum.ActState) []string { return globalIDs(globalid.Category, s.Categories()) }), nil
}

// TabIds resolves ActState.tabIds.
func (actState) TabIds(_ context.Context, of []*forum.ActState) ([][]string, error) {
	return mapSlice(of, func(s *forum.ActState) []string { return globalIDs(globalid.Tab, s.Tabs()) }), nil
}

// globalIDs returns the global ids of objects of a type; nil for nil.
func globalIDs[ID ~int64](typ string, ids []ID) []string {
	if ids == nil {
		return nil
	}
	return mapSlice(ids, func(id ID) string { return globalid.New(typ, strconv.FormatInt(int64(id), 10)) })
}

// moderationSubjects returns handles of topics, comments and users; nil for none.
func moderationSubjects(ctx context.Context, of []forum.Subject) []model.ModerationSubject {
	l := loader.From(ctx)
	comments := ofSubjects(of, func(s forum.Subject) forum.CommentID { return s.Comment }, l.Comments)
	topics := ofSubjects(of, func(s forum.Subject) forum.TopicID { return s.Topic }, l.Topics)
	users := ofSubjects(of, func(s forum.Subject) forum.UserID { return s.User }, l.PresentUsers)
	subjects := make([]model.ModerationSubject, len(of))
	for i := range of {
		switch {
		case comments[i] != nil:
			subjects[i] = comments[i]
		case topics[i] != nil:
			subjects[i] = topics[i]
		case users[i] != nil:
			subjects[i] = users[i]
		}
	}
	return subjects
}

// ofActs returns handles of what acts name; nil for those that name none.
func ofActs[ID ~int64, T any](as []*forum.Act, id func(*forum.Act) ID, name func([]ID) []*T) []*T {
	return ofSubjects(as, id, name)
}

// ofSubjects returns handles of what rows name; nil for those that name none.
func ofSubjects[R any, ID ~int64, T any](rows []R, id func(R) ID, name func([]ID) []*T) []*T {
	found, _ := scatter(rows, func(r R) (ID, bool, error) {
		return id(r), id(r) != 0, nil
	}, func(ids []ID) ([]*T, []error) { return name(ids), nil })
	return found
}

// SubjectID resolves ModerationAct.subjectId.
func (moderationAct) SubjectID(_ context.Context, as []*forum.Act) ([]*string, error) {
	return mapSlice(as, func(a *forum.Act) *string {
		if a.Subject.Site {
			return nil
		}
		id := model.SubjectID(a.Subject)
		return &id
	}), nil
}

// Member resolves ModerationAct.member.
func (moderationAct) Member(ctx context.Context, as []*forum.Act) ([]*loader.User, error) {
	return ofActs(as, func(a *forum.Act) forum.UserID { return a.Member }, loader.From(ctx).Authors), nil
}

// Moderator resolves ModerationAct.moderator.
func (moderationAct) Moderator(ctx context.Context, as []*forum.Act) ([]*loader.User, error) {
	l := loader.From(ctx)
	return ofActs(as, func(a *forum.Act) forum.UserID {
		if !l.ShowsModerator(a.By) {
			return 0
		}
		return a.By
	}, l.Authors), nil
}

// Note resolves ModerationAct.note.
func (moderationAct) Note(ctx context.Context, as []*forum.Act) ([]*string, error) {
	notes, errs := loader.From(ctx).ActNotes(ctx, as)
	return batchResult(mapSlice(notes, func(note string) *string {
		if note == "" {
			return nil
		}
		return &note
	}), errs)
}

// Reverses resolves ModerationAct.reverses.
func (moderationAct) Reverses(ctx context.Context, as []*forum.Act) ([]*forum.Act, error) {
	return actsOf(ctx, as, func(a *forum.Act) forum.ActID { return a.Reverses })
}

// ReversedBy resolves ModerationAct.reversedBy.
func (moderationAct) ReversedBy(ctx context.Context, as []*forum.Act) ([]*forum.Act, error) {
	return actsOf(ctx, as, func(a *forum.Act) forum.ActID { return a.ReversedBy })
}

// actsOf returns the acts that rows name by id; nil for rows that name none.
func actsOf[R any](ctx context.Context, rows []R, id func(R) forum.ActID) ([]*forum.Act, error) {
	return scatter(rows, func(r R) (forum.ActID, bool, error) {
		return id(r), id(r) != 0, nil
	}, func(ids []forum.ActID) ([]*forum.Act, []error) { return loader.From(ctx).Acts(ctx, ids) })
}

// FromCategory resolves ModerationAct.fromCategory.
func (moderationAct) FromCategory(ctx context.Context, as []*forum.Act) ([]*loader.Category, error) {
	return ofActs(as, (*forum.Act).From, loader.From(ctx).Categories), nil
}

// ToCategory resolves ModerationAct.toCategory.
func (moderationAct) ToCategory(ctx context.Context, as []*forum.Act) ([]*loader.Category, error) {
	return ofActs(as, (*forum.Act).To, loader.From(ctx).Categories), nil
}

// Category resolves ModerationAct.category.
func (moderationAct) Category(ctx context.Context, as []*forum.Act) ([]*loader.Category, error) {
	return ofActs(as, (*forum.Act).Category, loader.From(ctx).Categories), nil
}
