package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store"
)

// Cases reads the reports on subjects; nil for those without any, and for all viewers but moderators.
func (l *Loaders) Cases(ctx context.Context, subjects []forum.Subject) ([]*forum.ReportCase, []error) {
	if !l.viewer.Moderator() {
		return make([]*forum.ReportCase, len(subjects)), nil
	}
	found, errs := l.cases.many(ctx, subjects)
	for i, c := range found {
		if c != nil && !l.viewer.ModeratorOf(c.Category) {
			found[i] = nil
		}
	}
	return found, errs
}

// Reports reads reports; nil for those that do not exist. The caller has checked that the viewer may see them.
func (l *Loaders) Reports(ctx context.Context, refs []store.ReportRef) ([]*forum.Report, []error) {
	return l.reports.many(ctx, refs)
}
