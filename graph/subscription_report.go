package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/acts"
)

// ReportAdded resolves Subscription.reportAdded.
func (r subscription) ReportAdded(ctx context.Context, category *app.CategoryRef,
	after *string) (<-chan *model.ReportAddedEvent, error) {
	of, err := queueFor(loader.Alone(ctx, r.Store, auth.ViewerFrom(ctx)), category)
	if err != nil {
		return nil, err
	}
	sub, err := r.Events.Subscribe(ctx, event.Cases(of), after)
	if err != nil {
		return nil, err
	}
	next := func(ctx context.Context) ([]event.Event, error) {
		for {
			events, err := sub.Next(ctx)
			if err != nil {
				return nil, err
			}
			if err := r.stillModerates(ctx, of); err != nil {
				return nil, err
			}
			if events = r.casesIn(ctx, events, of); len(events) > 0 {
				return events, nil
			}
		}
	}
	return stream(ctx, next, sub.Close, func(e event.Event) *model.ReportAddedEvent {
		made := &model.ReportAddedEvent{EventID: e.ID, Kind: e.Kind}
		if e.Kind != forum.EventReset {
			made.Subject, made.Topic = acts.ParseCaseRow(e.Entry.ID)
		}
		if made.Kind == forum.EventMoved {
			made.Kind = forum.EventChanged
		}
		return made
	}), nil
}

// casesIn returns the events about cases of a category, or for 0 of all that the viewer sees.
func (r subscription) casesIn(ctx context.Context, events []event.Event, of forum.CategoryID) []event.Event {
	rules, viewer := r.Store.Rules.Current(ctx), auth.ViewerFrom(ctx)
	var found []event.Event
	for _, e := range events {
		in := e.Entry.In()
		if e.Kind == forum.EventReset || in == of || of == 0 && rules.In(in).SeenBy(viewer) {
			found = append(found, e)
		}
	}
	return found
}

// stillModerates returns an error if the viewer of a subscription no longer moderates a category, or, for 0, the site.
// Sessions of a user share a subscription, so it does not ask for the session that began it: each connection ends with
// its own. Events are consumed when they are read, so it tries until Redis answers or ctx is done.
func (r subscription) stillModerates(ctx context.Context, of forum.CategoryID) error {
	id := auth.ViewerFrom(ctx).ID
	for {
		read := r.Store.Read(ctx)
		viewer := read.Sessions.Viewer(id)
		err := read.Exec()
		if err == nil {
			var now *forum.Viewer
			if now, err = viewer(); err == nil {
				if r.Store.Rules.Current(ctx).Moderates(now, of) {
					return nil
				}
				return &forum.Error{Code: forum.CodeRoleTooLow, Message: "Only for moderators."}
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Log.WarnContext(ctx, "events of the queue are delayed", "error", err)
		wait(ctx, retryAfter)
	}
}

// Case resolves ReportAddedEvent.case.
func (reportAddedEvent) Case(ctx context.Context, es []*model.ReportAddedEvent) ([]*model.ReportCase, error) {
	return scatter(es, func(e *model.ReportAddedEvent) (forum.Subject, bool, error) {
		return e.Subject, e.Kind != forum.EventReset, nil
	}, func(on []forum.Subject) ([]*model.ReportCase, []error) {
		return modelCases(loader.From(ctx).Cases(ctx, on))
	})
}
