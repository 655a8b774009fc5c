package loader

import (
	"context"
	"slices"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/store/posts"
)

// initMarks prepares the tables of the viewer's bookmarks and read marks.
func (l *Loaders) initMarks(d *dispatcher, viewer forum.UserID) {
	l.bookmarked.init(d, func(r *store.Read, ids []forum.TopicID) func() ([]bool, error) {
		return r.Follows.Bookmarked(viewer, ids)
	})
	l.watched.init(d, func(r *store.Read, ids []forum.TopicID) func() ([]bool, error) {
		return r.Follows.Watched(viewer, ids)
	})
	l.marks.init(d, func(r *store.Read, marks []listing.ReadMark) func() ([]*int64, error) {
		return r.Posts.ReadMarks(viewer, marks)
	})
	l.unreadComments.init(d,
		func(r *store.Read, of []listing.MarkedTopic) func() ([]int, error) {
			return r.Posts.UnreadComments(viewer, of)
		})
	l.firstUnread.init(d,
		func(r *store.Read, of []listing.MarkedTopic) func() ([]forum.CommentID, error) {
			return r.Listing.FirstUnread(viewer, of)
		})
	l.unreadTopics.init(d, store.From(posts.On, posts.Read.UnreadTopics))
	l.homeWatermarks.init(d, store.From(posts.On, posts.Read.HomeWatermarks))
}

// Bookmarked reports which topics the viewer has bookmarked; none, without a read, if signed out.
func (l *Loaders) Bookmarked(ctx context.Context, ts []*Topic) ([]bool, []error) {
	return l.viewers(ctx, &l.bookmarked, ts)
}

// Watched is Bookmarked for the topics that the viewer watches.
func (l *Loaders) Watched(ctx context.Context, ts []*Topic) ([]bool, []error) {
	return l.viewers(ctx, &l.watched, ts)
}

func (l *Loaders) viewers(ctx context.Context, of *table[forum.TopicID, bool], ts []*Topic) ([]bool, []error) {
	if l.viewer == nil {
		return make([]bool, len(ts)), nil
	}
	ids := make([]forum.TopicID, len(ts))
	for i, t := range ts {
		ids[i] = t.ID
	}
	return of.many(ctx, ids)
}

// marked returns the read marks that exist, with their indexes in marks.
func (l *Loaders) marked(ctx context.Context, marks []listing.ReadMark) (upTo []*int64, which []int, errs []error) {
	upTo, errs = l.marks.many(ctx, marks)
	for i, position := range upTo {
		if position != nil {
			which = append(which, i)
		}
	}
	return upTo, which, errs
}

// UnreadComments counts the comments of topics by others since the viewer marked the topics as read; nil if never
// marked and, without a read, if signed out. The marks are read first, then the counts.
func (l *Loaders) UnreadComments(ctx context.Context, ts []*Topic) ([]*int, []error) {
	unread := make([]*int, len(ts))
	asked, which, errs := l.markedTopics(ctx, ts)
	counts, failed := l.unreadComments.many(ctx, asked)
	for n, i := range which {
		unread[i] = &counts[n]
		errs = addError(errs, len(ts), i, at(failed, n))
	}
	return unread, errs
}

// FirstUnread returns the first comment of each topic that UnreadComments counts; nil if there is none, and in the same
// cases.
func (l *Loaders) FirstUnread(ctx context.Context, ts []*Topic) ([]*Comment, []error) {
	asked, which, errs := l.markedTopics(ctx, ts)
	found, failed := l.firstUnread.many(ctx, asked)
	ids := make([]forum.CommentID, len(ts))
	for n, i := range which {
		ids[i] = found[n]
		errs = addError(errs, len(ts), i, at(failed, n))
	}
	return pointed(&l.commentHandles, ids, func(id forum.CommentID) forum.CommentID { return id }), errs
}

// LastComments returns the newest live comment of each topic; nil for none.
func (l *Loaders) LastComments(ctx context.Context, ts []*Topic) ([]*Comment, []error) {
	topics := make([]forum.TopicID, len(ts))
	for i, t := range ts {
		topics[i] = t.ID
	}
	ids, errs := l.lastComments.many(ctx, topics)
	return pointed(&l.commentHandles, ids, func(id forum.CommentID) forum.CommentID { return id }), errs
}

// markedTopics returns those topics that the viewer has marked as read, with their indexes in ts; none, without a read,
// if signed out.
func (l *Loaders) markedTopics(ctx context.Context, ts []*Topic) ([]listing.MarkedTopic, []int, []error) {
	if l.viewer == nil {
		return nil, nil, nil
	}
	marks := make([]listing.ReadMark, len(ts))
	for i, t := range ts {
		marks[i] = listing.TopicMark(t.ID)
	}
	watermarks, which, errs := l.marked(ctx, marks)
	topics := make([]listing.MarkedTopic, len(which))
	for n, i := range which {
		topics[n] = listing.MarkedTopic{ID: ts[i].ID, Number: *watermarks[i]}
	}
	return topics, which, errs
}

// UnreadTopics counts the topics of timelines that were added since the viewer marked the timelines as read, up to
// MaxUnread; nil in the same cases as UnreadComments, and of some kinds. The marks are read first, then the sources of
// merged timelines, then the counts.
func (l *Loaders) UnreadTopics(ctx context.Context, timelines []forum.Timeline) ([]*int, []error) {
	unread := make([]*int, len(timelines))
	if l.viewer == nil {
		return unread, nil
	}
	marks := make([]listing.ReadMark, len(timelines))
	for i, t := range timelines {
		marks[i] = posts.TimelineMark(t)
	}
	times, which, errs := l.marked(ctx, marks)
	asked, since := make([]forum.Timeline, len(which)), make([]forum.Time, len(which))
	for n, i := range which {
		asked[n], since[n] = timelines[i].AllKinds(), forum.Time(*times[i])
	}
	counts, failed := l.countUnread(ctx, asked, since)
	for n, i := range which {
		if timelines[i].Kinds == 0 {
			unread[i] = &counts[n]
		}
		errs = addError(errs, len(timelines), i, at(failed, n))
	}
	return unread, errs
}

// countUnread counts the topics of each timeline that were added after a time.
func (l *Loaders) countUnread(ctx context.Context, timelines []forum.Timeline, since []forum.Time) ([]int, []error) {
	lists, errs := l.timelineLists(ctx, timelines, posts.UnreadLists)
	var homes []forum.UserID
	var keys []posts.Unread
	for i, t := range timelines {
		if t.Kind == forum.HomeTimeline {
			homes = append(homes, forum.UserID(t.Owner))
		}
		for _, list := range lists[i] {
			keys = append(keys, posts.Unread{List: list, Kind: t.Kind, Since: since[i]})
		}
	}
	l.homeWatermarks.ask(homes)
	found, failed := l.unreadTopics.many(ctx, keys)
	counts := make([]int, len(timelines))
	for i, t := range timelines {
		for range lists[i] {
			counts[i] += found[0]
			errs = addError(errs, len(timelines), i, at(failed, 0))
			found, failed = found[1:], failed[min(1, len(failed)):]
		}
		if t.Kind == forum.HomeTimeline && counts[i] < forum.MaxUnread {
			var err error
			counts[i], err = l.unreadAtHome(ctx, forum.UserID(t.Owner), since[i], counts[i])
			errs = addError(errs, len(timelines), i, err)
		}
		counts[i] = min(counts[i], forum.MaxUnread)
	}
	return counts, errs
}

// unreadAtHome returns how many topics were added to a home after a time, if the stored home has stand of them.
// Topics below its watermark are counted in its sources.
func (l *Loaders) unreadAtHome(ctx context.Context, owner forum.UserID, since forum.Time, stand int) (int, error) {
	watermark, err := l.homeWatermarks.one(ctx, owner)
	if err != nil || watermark == nil || *watermark <= since {
		return stand, err
	}
	return l.store.Posts.UnreadBelow(ctx, owner, since)
}

// mine reports whether a timeline that only its owner may read belongs to a reader of the response.
func (l *Loaders) mine(t forum.Timeline) bool {
	return slices.Contains(l.readers(), forum.UserID(t.Owner))
}
