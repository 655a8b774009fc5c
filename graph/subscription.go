package graph

import (
	"context"
	"time"

	"agora/breadth"
	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/listing"
	"agora/internal/store/notify"
)

// stream converts the events that next waits for to those of a subscription field, until there is nothing left to
// watch. end is called when ctx, that of the operation, is done.
func stream[E any](ctx context.Context, next func(context.Context) ([]event.Event, error), end func(),
	make func(event.Event) E) <-chan E {
	context.AfterFunc(ctx, end)
	pull := func() []E {
		found, err := next(ctx)
		if err != nil {
			return nil
		}
		var events []E
		for _, e := range found {
			events = append(events, make(e))
		}
		return events
	}
	if breadth.Pull(ctx, pull) {
		return newChannel[E]()
	}
	return send(ctx, pull)
}

// send sends events as they come. Its goroutine ends with ctx.
func send[E any](ctx context.Context, next func() []E) <-chan E {
	events := newChannel[E]()
	go func() {
		defer close(events)
		for found := next(); len(found) > 0; found = next() {
			for _, e := range found {
				select {
				case events <- e:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return events
}

func newChannel[E any]() chan E { return make(chan E) }

// wait waits for d, or until ctx is done.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// topicToWatch returns the topic that the argument names, if the viewer may see it.
func (r *Resolver) topicToWatch(ctx context.Context, by model.TopicRef) (forum.TopicID, error) {
	id, err := topicNamed("topic", by)
	if err != nil {
		return 0, err
	}
	var found *loader.Topic
	if id != 0 {
		ctx = loader.Alone(ctx, r.Store, auth.ViewerFrom(ctx))
		if found, err = single(loader.From(ctx).TopicsNow(ctx, []forum.TopicID{id})); err != nil {
			return 0, err
		}
	}
	if found == nil && by.Number != nil {
		return 0, forum.NotFound([]string{"topic", "number"}, "topic")
	}
	if found == nil {
		return 0, forum.NotFound([]string{"topic", "id"}, "topic")
	}
	return id, nil
}

// CommentAdded resolves Subscription.commentAdded.
func (r subscription) CommentAdded(ctx context.Context, topic model.TopicRef,
	after *string) (<-chan *model.CommentAddedEvent, error) {
	id, err := r.topicToWatch(ctx, topic)
	if err != nil {
		return nil, err
	}
	sub, err := r.Events.Subscribe(ctx, event.Comments(id), after)
	if err != nil {
		return nil, err
	}
	next := r.whileSeen(sub.Next, r.topicSeen(id))
	return stream(ctx, next, sub.Close, func(e event.Event) *model.CommentAddedEvent {
		return &model.CommentAddedEvent{EventID: e.ID, Kind: e.Kind, CommentID: forum.CommentID(e.Entry.ID),
			TopicID: id}
	}), nil
}

// Comment resolves CommentAddedEvent.comment.
func (commentAddedEvent) Comment(ctx context.Context, es []*model.CommentAddedEvent) ([]*loader.Comment, error) {
	return commentsOfEvents(ctx, es, func(e *model.CommentAddedEvent) (forum.CommentID, forum.TopicID) {
		return e.CommentID, e.TopicID
	})
}

// commentsOfEvents returns the comments that events are about; of gives that of an event, 0 for none, and its topic.
func commentsOfEvents[E any](ctx context.Context, es []E,
	of func(E) (forum.CommentID, forum.TopicID)) ([]*loader.Comment, error) {
	l := loader.From(ctx) // the topics come with the comments; whoever sees these sees their topics
	l.AskTopics(l.Topics(mapSlice(es, func(e E) forum.TopicID { _, topic := of(e); return topic })))
	return scatter(es, func(e E) (forum.CommentID, bool, error) {
		id, _ := of(e)
		return id, id != 0, nil // a RESET has no comment
	}, func(ids []forum.CommentID) ([]*loader.Comment, []error) { return l.Comments(ids), nil })
}

// CommentsUpdated resolves Subscription.commentsUpdated.
func (r subscription) CommentsUpdated(ctx context.Context, topic model.TopicRef,
	after *string) (<-chan *model.CommentsUpdatedEvent, error) {
	id, err := r.topicToWatch(ctx, topic)
	if err != nil {
		return nil, err
	}
	sub, err := r.Events.Subscribe(ctx, event.CommentChanges(id), after)
	if err != nil {
		return nil, err
	}
	next := r.whileSeen(sub.NextOfComments, r.topicSeen(id))
	return stream(ctx, next, sub.Close, func(e event.Event) *model.CommentsUpdatedEvent {
		made := &model.CommentsUpdatedEvent{EventID: e.ID, Kind: e.Kind, TopicID: id}
		if comment := forum.CommentID(e.Entry.ID); comment != 0 {
			made.CommentID = &comment
		}
		return made
	}), nil
}

// Comment resolves CommentsUpdatedEvent.comment.
func (commentsUpdatedEvent) Comment(ctx context.Context,
	es []*model.CommentsUpdatedEvent) ([]*loader.Comment, error) {
	return commentsOfEvents(ctx, es, func(e *model.CommentsUpdatedEvent) (forum.CommentID, forum.TopicID) {
		if e.CommentID == nil {
			return 0, 0
		}
		return *e.CommentID, e.TopicID
	})
}

// topicEvery is the shortest time between two events of topicUpdated. Quicker changes are merged.
const topicEvery = 100 * time.Millisecond

// TopicUpdated resolves Subscription.topicUpdated.
func (r subscription) TopicUpdated(ctx context.Context, topic model.TopicRef) (<-chan *model.TopicUpdatedEvent, error) {
	id, err := r.topicToWatch(ctx, topic)
	if err != nil {
		return nil, err
	}
	sub, err := r.Events.Subscribe(ctx, event.Stream{Scope: "topic", Logs: []listing.Log{listing.TopicSignal(id)}}, nil)
	if err != nil {
		return nil, err
	}
	var last time.Time
	next := func(ctx context.Context) ([]event.Event, error) {
		events, err := sub.Next(ctx)
		if rest := topicEvery - time.Since(last); err == nil && rest > 0 {
			if wait(ctx, rest); ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		last = time.Now()
		return events, err
	}
	return stream(ctx, r.whileSeen(next, r.topicSeen(id)), sub.Close,
		func(event.Event) *model.TopicUpdatedEvent { return &model.TopicUpdatedEvent{TopicID: id} }), nil
}

// Topic resolves TopicUpdatedEvent.topic.
func (topicUpdatedEvent) Topic(ctx context.Context, es []*model.TopicUpdatedEvent) ([]*loader.Topic, error) {
	return loader.From(ctx).Topics(mapSlice(es,
		func(e *model.TopicUpdatedEvent) forum.TopicID { return e.TopicID })), nil
}

// NotificationAdded resolves Subscription.notificationAdded.
func (r subscription) NotificationAdded(ctx context.Context,
	after *string) (<-chan *model.NotificationAddedEvent, error) {
	owner := auth.ViewerFrom(ctx).ID
	sub, err := r.Events.Subscribe(ctx, event.Notifications(owner), after)
	if err != nil {
		return nil, err
	}
	return stream(ctx, r.onlySeen(sub.Next, owner), sub.Close, func(e event.Event) *model.NotificationAddedEvent {
		return &model.NotificationAddedEvent{EventID: e.ID, Kind: e.Kind, OwnerID: owner, Seq: e.Entry.ID,
			Viewer: &model.Viewer{UserID: owner}}
	}), nil
}

// Notification resolves NotificationAddedEvent.notification.
func (notificationAddedEvent) Notification(ctx context.Context,
	es []*model.NotificationAddedEvent) ([]*forum.Notification, error) {
	return scatter(es, func(e *model.NotificationAddedEvent) (notify.NoteRef, bool, error) {
		return notify.NoteRef{Owner: e.OwnerID, Seq: e.Seq}, e.Seq != 0, nil
	}, func(refs []notify.NoteRef) ([]*forum.Notification, []error) {
		return loader.From(ctx).NotificationsAt(ctx, refs)
	})
}
