// Package loader turns ids into objects for one response: each object is read at
// most once, and what is asked for together is read together. It decides what
// the viewer may see, so that every path to an object obeys the same rules.
package loader

import (
	"context"
	"sync"

	"agora/internal/breadth"
	"agora/internal/forum"
	"agora/internal/store"
)

// Loaders reads for one response. Make it anew for each; never share it. It is
// safe for the concurrent resolvers of that response.
//
// In our own executor topics, comments, authors, categories, tabs, tags and lists are handles:
// objects that know only their ids until they are needed, or until the executor has
// what was selected of them read. Elsewhere they are read whole at once, and nil
// where there is none.
type Loaders struct {
	*dispatcher
	viewer *forum.Viewer
	store  *store.Store

	userHandles    handles[forum.UserID, forum.User]
	presentHandles handles[forum.UserID, forum.User] // that are absent when they are gone
	windowsMu      sync.Mutex
	windows        []*forum.Window // of the pages that were asked for

	topicHandles    handles[forum.TopicID, forum.Topic]
	listedHandles   handles[forum.TopicID, forum.Topic] // that stand for topics in lists
	commentHandles  handles[forum.CommentID, forum.Comment]
	categoryHandles handles[forum.CategoryID, forum.Category]
	tabHandles      handles[forum.TabID, forum.Tab]
	tagHandles      handles[forum.TagID, forum.Tag]
	listHandles     handles[forum.ListID, forum.UserList]

	signedInMu sync.Mutex
	signedIn   []forum.UserID // in this response

	users      table[forum.UserID, *forum.User]
	topics     table[forum.TopicID, *forum.Topic]
	comments   table[forum.CommentID, *forum.Comment]
	categories table[forum.CategoryID, *forum.Category]
	tabs       table[forum.TabID, *forum.Tab]
	tags       table[forum.TagID, *forum.Tag]
	lists      table[forum.ListID, *forum.UserList]
	logins     table[string, forum.UserID]
	categoryBy table[string, forum.CategoryID]
	tabBy      table[string, forum.TabID]
	pages      table[pageKey, readPage]
	rankings   table[forum.Ranking, struct{}]
	snapshots  table[snapshotKey, *forum.Page]
	homes      table[homeKey, *store.HomePart]
	listed     table[listedKey, []forum.UserID]
	lengths    table[store.List, int]
	places     table[placeKey, *forum.Position]
	votes      table[store.Subject, forum.VoteDirection]
	emails     table[forum.UserID, string]
	sessions   table[forum.UserID, []*forum.Session]

	followed  table[forum.Target, bool] // by the viewer
	followers table[forum.UserID, bool] // of the viewer
	blocked   table[forum.UserID, bool] // by the viewer
	apart     table[forum.UserID, bool] // in a block with the viewer

	bookmarked     table[forum.TopicID, bool]    // by the viewer
	marks          table[store.ReadMark, *int64] // of the viewer
	unreadComments table[store.MarkedTopic, int] // by others than the viewer
	unreadTopics   table[store.Unread, int]
	homeFloors     table[forum.UserID, *forum.Time]
	notes          table[store.NoteRef, *forum.Notification]
}

type contextKey struct{}

// New makes the loaders of one response on behalf of viewer, who is nil when
// signed out. ctx bounds all their reads.
func New(ctx context.Context, s *store.Store, viewer *forum.Viewer) *Loaders {
	d := newDispatcher(ctx, s)
	l := &Loaders{dispatcher: d, viewer: viewer, store: s}
	l.makeListHandles()
	l.makeHandles(d)
	l.users.init(d, (*store.Read).Users)
	l.topics.init(d, (*store.Read).Topics)
	l.topics.long = func(t *texts, ids []forum.TopicID) { t.topics = append(t.topics, ids...) }
	l.comments.init(d, (*store.Read).Comments)
	l.comments.long = func(t *texts, ids []forum.CommentID) { t.comments = append(t.comments, ids...) }
	l.categories.init(d, (*store.Read).Categories)
	l.tabs.init(d, (*store.Read).Tabs)
	l.tags.init(d, (*store.Read).Tags)
	l.lists.init(d, (*store.Read).Lists)
	l.logins.init(d, (*store.Read).UsersWithLogins)
	l.categoryBy.init(d, (*store.Read).CategoriesNamed)
	l.tabBy.init(d, (*store.Read).TabsNamed)
	l.lengths.init(d, (*store.Read).Lengths)
	l.places.init(d, readPlaces)
	l.pages.init(d, readPages)
	l.rankings.init(d, (*store.Read).Keep)
	l.snapshots.init(d, readSnapshots)
	l.homes.init(d, readHomes)
	l.listed.init(d, readListed)
	l.emails.init(d, (*store.Read).Emails)
	l.sessions.init(d, (*store.Read).Sessions)
	l.notes.init(d, (*store.Read).Notifications)
	if viewer != nil {
		l.votes.init(d, func(r *store.Read, subjects []store.Subject) func() ([]forum.VoteDirection, error) {
			return r.VotesBy(viewer.ID, subjects)
		})
		l.initFollow(d, viewer.ID)
		l.initMarks(d, viewer.ID)
	}
	return l
}

// With gives a response loaders of its own, which are made as New does when they
// are first asked for something.
func With(ctx context.Context, s *store.Store, viewer *forum.Viewer) context.Context {
	m := &maker{store: s, viewer: viewer}
	m.ctx = context.WithValue(ctx, contextKey{}, m)
	return m.ctx
}

// maker makes the loaders of a response.
type maker struct {
	ctx    context.Context
	store  *store.Store
	viewer *forum.Viewer
	once   sync.Once
	made   *Loaders
}

// From returns the loaders of the response.
func From(ctx context.Context) *Loaders {
	m := ctx.Value(contextKey{}).(*maker)
	m.once.Do(func() { m.made = New(m.ctx, m.store, m.viewer) })
	return m.made
}

// Ask asks for objects of several types without waiting, so that they come
// together when they are loaded one type after the other.
func (l *Loaders) Ask(ctx context.Context, o Objects) {
	l.sessions.ask(ctx, o.Sessions)
	l.askNotifications(ctx, o.Notes)
	if breadth.Running(ctx) {
		l.userHandles.ask(l.userHandles.named(o.Users), forum.UserAll)
		l.topicHandles.ask(l.topicHandles.named(o.Topics), forum.TopicAll)
		l.commentHandles.ask(l.commentHandles.named(o.Comments), forum.CommentAll)
		l.categoryHandles.ask(l.categoryHandles.named(o.Categories), 0)
		l.tabHandles.ask(l.tabHandles.named(o.Tabs), 0)
		l.tagHandles.ask(l.tagHandles.named(o.Tags), 0)
		l.listHandles.ask(l.listHandles.named(o.Lists), 0)
		return
	}
	l.users.ask(ctx, o.Users)
	l.topics.ask(ctx, o.Topics)
	l.comments.ask(ctx, o.Comments)
	l.categories.ask(ctx, o.Categories)
	l.tabs.ask(ctx, o.Tabs)
	l.tags.ask(ctx, o.Tags)
	l.lists.ask(ctx, o.Lists)
}

// Objects names objects of several types.
type Objects struct {
	Users      []forum.UserID
	Sessions   []forum.UserID // of these users
	Topics     []forum.TopicID
	Comments   []forum.CommentID
	Categories []forum.CategoryID
	Tabs       []forum.TabID
	Tags       []forum.TagID
	Lists      []forum.ListID
	Notes      []store.NoteRef // of them, those of whom the response is for
}

// Forget drops everything that was read, so that what a mutation has written is
// read anew.
func (l *Loaders) Forget() {
	l.userHandles.all, l.presentHandles.all, l.listedHandles.all = nil, nil, nil
	l.topicHandles.all, l.commentHandles.all, l.categoryHandles.all = nil, nil, nil
	l.tabHandles.all, l.tagHandles.all, l.listHandles.all = nil, nil, nil
	l.users.forget()
	l.topics.forget()
	l.comments.forget()
	l.categories.forget()
	l.tabs.forget()
	l.tags.forget()
	l.lists.forget()
	l.logins.forget()
	l.categoryBy.forget()
	l.tabBy.forget()
	l.pages.forget()
	l.snapshots.forget()
	l.homes.forget()
	l.listed.forget()
	l.lengths.forget()
	l.places.forget()
	l.votes.forget()
	l.emails.forget()
	l.sessions.forget()
	l.followed.forget()
	l.followers.forget()
	l.blocked.forget()
	l.apart.forget()
	l.forgetMarks()
	l.notes.forget()
}

// Topics gives topics by id; nil where there is none, or none for the viewer.
func (l *Loaders) Topics(ctx context.Context, ids []forum.TopicID) ([]*forum.Topic, []error) {
	if breadth.Running(ctx) {
		return l.topicHandles.named(ids), nil
	}
	topics, errs := l.topics.many(ctx, ids)
	for i, t := range topics {
		if t != nil && !t.VisibleTo(l.viewer) {
			topics[i] = nil
		}
	}
	return topics, errs
}

// TopicsNow reads topics with the fields that are wanted; nil where there is none, or none
// for the viewer.
func (l *Loaders) TopicsNow(ctx context.Context, ids []forum.TopicID, want forum.Fields) ([]*forum.Topic, []error) {
	found, errs := l.Topics(ctx, ids)
	if !breadth.Running(ctx) {
		return found, errs
	}
	errs = l.NeedTopics(ctx, found, want)
	return present(found), errs
}

// CommentsNow is TopicsNow for comments.
func (l *Loaders) CommentsNow(ctx context.Context, ids []forum.CommentID, want forum.Fields) ([]*forum.Comment, []error) {
	found, errs := l.Comments(ctx, ids)
	if !breadth.Running(ctx) {
		return found, errs
	}
	errs = l.NeedComments(ctx, found, want)
	return present(found), errs
}

// ListedTopics gives the topics of a timeline. One that was deleted since the page
// was read stands in none, not even for its author.
func (l *Loaders) ListedTopics(ctx context.Context, ids []forum.TopicID) ([]*forum.Topic, []error) {
	if breadth.Running(ctx) {
		l.topicHandles.named(ids) // all at once: those that the listed ones stand for
		return l.listedHandles.named(ids), nil
	}
	topics, errs := l.Topics(ctx, ids)
	for i, t := range topics {
		if t != nil && t.State == forum.TopicDeleted {
			topics[i] = nil
		}
	}
	return topics, errs
}

// Comments gives comments by id; nil where there is none, or none for the
// viewer: a comment is seen by whoever sees its topic.
func (l *Loaders) Comments(ctx context.Context, ids []forum.CommentID) ([]*forum.Comment, []error) {
	if breadth.Running(ctx) {
		return l.commentHandles.named(ids), nil
	}
	comments, errs := l.comments.many(ctx, ids)
	topicIDs := make([]forum.TopicID, 0, len(ids))
	for _, c := range comments {
		if c != nil {
			topicIDs = append(topicIDs, c.TopicID)
		}
	}
	topics, failed := l.Topics(ctx, topicIDs)
	n := 0
	for i, c := range comments {
		if c == nil {
			continue
		}
		errs = addError(errs, len(ids), i, at(failed, n))
		if topics[n] == nil {
			comments[i] = nil
		}
		n++
	}
	return comments, errs
}

// Parents gives the comments that comments reply to; nil for replies to the topic.
func (l *Loaders) Parents(ctx context.Context, cs []*forum.Comment) ([]*forum.Comment, []error) {
	l.NeedComments(ctx, cs, forum.CommentFieldParent)
	return optional(cs, func(c *forum.Comment) forum.CommentID { return c.ParentID }, func(ids []forum.CommentID) ([]*forum.Comment, []error) {
		return l.Comments(ctx, ids)
	})
}

// TopicsOf gives the topics of comments; nil for those that are gone.
func (l *Loaders) TopicsOf(ctx context.Context, cs []*forum.Comment) ([]*forum.Topic, []error) {
	l.NeedComments(ctx, cs, forum.CommentFieldTopic)
	return optional(cs, func(c *forum.Comment) forum.TopicID { return c.TopicID }, func(ids []forum.TopicID) ([]*forum.Topic, []error) {
		return l.Topics(ctx, ids)
	})
}

// CategoriesOf gives the categories of topics; nil for topics without one.
func (l *Loaders) CategoriesOf(ctx context.Context, ts []*forum.Topic) ([]*forum.Category, []error) {
	l.NeedTopics(ctx, ts, forum.TopicFieldCategory)
	return optional(ts, func(t *forum.Topic) forum.CategoryID { return t.CategoryID }, func(ids []forum.CategoryID) ([]*forum.Category, []error) {
		return l.Categories(ctx, ids)
	})
}

// optional loads what rows point to; where a row points nowhere, nothing is read.
func optional[R any, ID ~int64, T any](rows []R, id func(R) ID, load func([]ID) ([]*T, []error)) ([]*T, []error) {
	ids := make([]ID, 0, len(rows))
	for _, r := range rows {
		if n := id(r); n != 0 {
			ids = append(ids, n)
		}
	}
	found, missed := load(ids)
	values := make([]*T, len(rows))
	var errs []error
	n := 0
	for i, r := range rows {
		if id(r) != 0 {
			values[i] = found[n]
			errs = addError(errs, len(rows), i, at(missed, n))
			n++
		}
	}
	return values, errs
}

func at(errs []error, i int) error {
	if errs == nil {
		return nil
	}
	return errs[i]
}

func addError(errs []error, n, i int, err error) []error {
	if err == nil {
		return errs
	}
	if errs == nil {
		errs = make([]error, n)
	}
	errs[i] = err
	return errs
}
