package graph

import (
	"context"
	"slices"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/listing"
	"agora/internal/store/notify"
)

// Notifications resolves Viewer.notifications.
func (viewer) Notifications(ctx context.Context, vs []*model.Viewer, unreadOnly *bool, first *int, after *string,
	last *int, before *string) ([]*model.NotificationConnection, error) {
	loader.From(ctx).SignedIn(mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID }))
	lists := mapSlice(vs, func(v *model.Viewer) listing.List {
		return notify.NotificationList(v.UserID,
			opt.Value(unreadOnly))
	})
	found, err := pages(ctx, lists, pageArgs(ctx, first, after, last, before),
		func(list string, p *forum.Page) *model.NotificationConnection {
			return model.NewNotificationConnection(list, 0, p)
		})
	for i, c := range found {
		if c != nil {
			c.Owner = vs[i].UserID
		}
	}
	return found, err
}

// UnreadNotificationCount resolves Viewer.unreadNotificationCount.
func (viewer) UnreadNotificationCount(ctx context.Context, vs []*model.Viewer) ([]int, error) {
	lists := mapSlice(vs, func(v *model.Viewer) listing.List { return notify.NotificationList(v.UserID, true) })
	return batchResult(loader.From(ctx).Lengths(ctx, lists))
}

// Edges resolves NotificationConnection.edges.
func (notificationConnection) Edges(ctx context.Context,
	cs []*model.NotificationConnection) ([][]*model.NotificationEdge, error) {
	rows, errs := notificationRows(ctx, cs)
	edges := make([][]*model.NotificationEdge, len(cs))
	for i, c := range cs {
		edges[i] = make([]*model.NotificationEdge, 0, len(rows[i]))
		for n, node := range rows[i] {
			if node != nil {
				edges[i] = append(edges[i], c.Edge(n, node))
			}
		}
	}
	return batchResult(edges, errs)
}

// Nodes resolves NotificationConnection.nodes.
func (notificationConnection) Nodes(ctx context.Context,
	cs []*model.NotificationConnection) ([][]*forum.Notification, error) {
	rows, errs := notificationRows(ctx, cs)
	for i := range rows {
		rows[i] = compact(rows[i])
	}
	return batchResult(rows, errs)
}

// notificationRows loads the notifications on the pages, nil for one deleted in the meantime. The pages of a response
// may belong to several users, if one has just signed in.
func notificationRows(ctx context.Context, cs []*model.NotificationConnection) ([][]*forum.Notification, []error) {
	var owners []forum.UserID // of the rows of all pages
	all := make([]*forum.Page, len(cs))
	for i, c := range cs {
		all[i] = c.Rows()
		owners = append(owners, slices.Repeat([]forum.UserID{c.Owner}, len(all[i].Rows))...)
	}
	return rowsOf(ctx, all, func(ctx context.Context, seqs []int64) ([]*forum.Notification, []error) {
		refs := make([]notify.NoteRef, len(seqs))
		for i, seq := range seqs {
			refs[i] = notify.NoteRef{Owner: owners[i], Seq: seq}
		}
		return loader.From(ctx).NotificationsAt(ctx, refs)
	})
}

// Actor resolves Notification.actor.
func (notification) Actor(ctx context.Context, ns []*forum.Notification) ([]*loader.User, error) {
	l := loader.From(ctx)
	return l.Authors(mapSlice(ns, func(n *forum.Notification) forum.UserID {
		if n.Subject.Act != 0 && !l.ShowsModerator(n.ActorID) {
			return 0
		}
		return n.ActorID
	})), nil
}

// Subject resolves Notification.subject.
func (notification) Subject(ctx context.Context, ns []*forum.Notification) ([]model.NotificationSubject, error) {
	l := loader.From(ctx)
	about, err := actsOf(ctx, ns, func(n *forum.Notification) forum.ActID { return n.Subject.Act })
	if err != nil {
		return make([]model.NotificationSubject, len(ns)), err
	}
	of := mapSlice(ns, func(n *forum.Notification) forum.Subject { return n.Subject })
	for i, a := range about {
		if a != nil {
			of[i] = a.Subject
		}
	}
	comments := subjectsOf(of, func(s forum.Subject) forum.CommentID { return s.Comment }, l.Comments)
	topics := subjectsOf(of, func(s forum.Subject) forum.TopicID { return s.Topic }, l.Topics)
	users := subjectsOf(of, func(s forum.Subject) forum.UserID { return s.User }, l.PresentUsers)
	subjects := make([]model.NotificationSubject, len(ns))
	for i := range ns {
		switch {
		case comments[i] != nil:
			subjects[i] = comments[i]
		case topics[i] != nil:
			subjects[i] = topics[i]
		case users[i] != nil:
			subjects[i] = users[i]
		}
	}
	return subjects, nil
}

// Act resolves Notification.act.
func (notification) Act(ctx context.Context, ns []*forum.Notification) ([]*forum.Act, error) {
	return actsOf(ctx, ns, func(n *forum.Notification) forum.ActID { return n.Subject.Act })
}

// subjectsOf returns the subjects of one type, nil where the subject is of another.
func subjectsOf[ID ~int64, T any](
	of []forum.Subject, id func(forum.Subject) ID, name func([]ID) []*T,
) []*T {
	found, _ := scatter(of, func(s forum.Subject) (ID, bool, error) {
		return id(s), id(s) != 0, nil
	}, func(ids []ID) ([]*T, []error) { return name(ids), nil })
	return found
}

// notificationNodes returns notifications for their owners; others get nil.
func notificationNodes(ctx context.Context, of []globalid.Object) ([]model.Node, []error) {
	refs := mapSlice(of, func(o globalid.Object) notify.NoteRef {
		return notify.NoteRef{Owner: forum.UserID(o.Number), Seq: o.Seq}
	})
	return asNodes(loader.From(ctx).NotificationsAt(ctx, refs))
}

// markNotification marks one of the viewer's notifications as read.
func (r mutation) markNotification(ctx context.Context, id string) (model.Node, error) {
	path := forum.Path("notificationId")
	o, err := globalid.Parse(path, id)
	if err != nil {
		return nil, err
	}
	viewer, missing := auth.ViewerFrom(ctx), forum.NotFound(path, "notification")
	if o.Type != globalid.Notification || !viewer.Is(forum.UserID(o.Number)) {
		return nil, missing
	}
	load := func(ctx context.Context, seqs []int64) ([]*forum.Notification, []error) {
		return loader.From(ctx).Notifications(ctx, viewer.ID, seqs)
	}
	return written(ctx, r.Store.Notify.MarkNotification(ctx, viewer.ID, o.Seq), load, o.Seq, missing)
}
