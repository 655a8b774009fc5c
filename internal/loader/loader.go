// Package loader turns ids into objects for one response. Each object is read at most once, and objects requested
// together are read together. The package decides what the viewer may see, so that every path to an object obeys the
// same rules.
package loader

import (
	"context"

	"agora/breadth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/groups"
	"agora/internal/store/homes"
	"agora/internal/store/listing"
	"agora/internal/store/notify"
	"agora/internal/store/posts"
	"agora/internal/store/sessions"
	"agora/internal/store/votes"
	"agora/internal/text"
)

// Loaders reads for one response. Create new ones for each response; never share them. The executor runs one resolver
// of a response at a time, and Dispatch when none can continue.
//
// Topics, comments, users, categories, tabs, tags and lists are handles: objects that know only their ids until they
// are needed by a resolver, or by the executor for what it writes. They come through dataloaders, everything else
// through tables. All share one pipeline.
type Loaders struct {
	*dispatcher
	viewer    *forum.Viewer
	fresh     bool         // what is known was read after the write of this mutation
	siteRules *forum.Rules // the rules of the site, once they were needed
	hides     bool         // by them there are categories that the viewer does not see

	userHandles     handles[forum.UserID, forum.User, User]
	presentHandles  handles[forum.UserID, forum.User, User] // absent if deleted
	topicHandles    handles[forum.TopicID, forum.Topic, Topic]
	listedHandles   handles[forum.TopicID, forum.Topic, Topic] // for topics in lists
	commentHandles  handles[forum.CommentID, forum.Comment, Comment]
	categoryHandles handles[forum.CategoryID, forum.Category, Category]
	tabHandles      handles[forum.TabID, forum.Tab, Tab]
	tagHandles      handles[forum.TagID, forum.Tag, Tag]
	listHandles     handles[forum.ListID, forum.UserList, UserList]

	windows  []*forum.Window // of the requested pages
	signedIn []forum.UserID  // in this response

	logins       table[string, forum.UserID]
	categoryBy   table[string, forum.CategoryID]
	tabBy        table[string, forum.TabID]
	pages        table[pageKey, readPage]
	rankings     table[forum.Ranking, struct{}]
	ranked       int // lists by votes that were read
	listed       table[listedKey, []forum.UserID]
	lengths      table[listing.List, int]
	positions    table[placeKey, *forum.Position]
	ahead        table[homes.Ahead, int]
	lastComments table[forum.TopicID, forum.CommentID]
	logEnds      table[listing.Log, listing.End]
	votes        table[votes.Subject, forum.VoteDirection]
	clicked      map[forum.TopicID]int // the counts of clicks that recordClicks has returned
	voted        forum.VoteSummary     // the counts that vote has returned
	userCounts   table[forum.UserID, forum.UserCounts]
	emails       table[forum.UserID, string]
	externals    table[forum.UserID, []forum.External]
	externalBy   table[forum.External, forum.UserID]
	sessions     table[forum.UserID, []*forum.Session]
	tokens       table[forum.UserID, []*forum.APIToken]
	invitations  table[forum.UserID, []*forum.Invitation]
	inviters     table[forum.UserID, forum.UserID]
	groups       table[forum.GroupID, *forum.Group]
	groupBy      table[string, forum.GroupID]
	managers     table[forum.GroupID, []forum.UserID]
	managed      table[forum.UserID, []forum.GroupID]
	memberships  table[forum.UserID, []forum.Membership]
	applications table[forum.UserID, *forum.Application]

	followed      table[forum.Target, bool] // by the viewer
	followers     table[forum.UserID, bool] // of the viewer
	blocked       table[forum.UserID, bool] // by the viewer
	blocking      table[forum.UserID, bool] // who have blocked the viewer
	eitherBlocked table[forum.UserID, bool] // blocking the viewer or blocked by the viewer

	bookmarked     table[forum.TopicID, bool]      // by the viewer
	watched        table[forum.TopicID, bool]      // by the viewer
	kindsBudget    int                             // how many topics may still be examined for their kinds
	marks          table[listing.ReadMark, *int64] // of the viewer
	unreadComments table[listing.MarkedTopic, int] // by others than the viewer
	firstUnread    table[listing.MarkedTopic, forum.CommentID]
	unreadTopics   table[posts.Unread, int]
	homeWatermarks table[forum.UserID, *forum.Time]
	notes          table[notify.NoteRef, *forum.Notification]
	acts           table[forum.ActID, *forum.Act]
	revisions      table[posts.RevisionRef, *forum.Revision]
	longs          table[forum.Subject, listing.LongText]
	packedTexts    table[posts.RevisionRef, posts.PackedText]
	revisionTexts  map[posts.RevisionRef]unpacked
	changes        map[*forum.Revision]*text.Changes
	cases          table[forum.Subject, *forum.ReportCase]
	reports        table[acts.ReportRef, *forum.Report]
	evidence       table[forum.Subject, []*forum.Evidence]
	moderators     table[forum.CategoryID, []forum.UserID]
	notified       table[forum.ActID, bool] // the viewer, of acts
	pins           table[pinKey, []forum.Row]
}

type contextKey struct{}

// New returns the loaders of one response for viewer, who is nil if signed out. ctx bounds all their reads.
func New(ctx context.Context, s *store.Store, viewer *forum.Viewer) *Loaders {
	d := &dispatcher{ctx: ctx, store: s, memory: listing.MemoryFrom(ctx)}
	l := &Loaders{dispatcher: d, viewer: viewer, kindsBudget: forum.KindsPerResponse}
	l.makeHandles(d)
	l.logins.init(d, store.From(accounts.On, accounts.Read.UsersWithLogins))
	l.categoryBy.init(d, store.From(categories.On, categories.Read.CategoriesNamed))
	l.tabBy.init(d, store.From(categories.On, categories.Read.TabsNamed))
	l.lengths.init(d, store.From(listing.On, listing.Read.Lengths))
	l.positions.init(d, readPositions)
	l.ahead.init(d, store.From(homes.On, homes.Read.CountAhead))
	l.lastComments.init(d, store.From(listing.On, listing.Read.LastComments))
	l.logEnds.init(d, store.From(listing.On, listing.Read.Ends))
	l.logEnds.first = true
	l.pages.init(d, queuePages)
	l.rankings.init(d, store.From(listing.On, listing.Read.Keep))
	l.listed.init(d, readListed)
	l.userCounts.init(d, store.From(accounts.On, accounts.Read.UserCounts))
	l.emails.init(d, store.From(accounts.On, accounts.Read.Emails))
	l.externals.init(d, store.From(accounts.On, accounts.Read.Externals))
	l.externalBy.init(d, store.From(accounts.On, accounts.Read.UsersWithExternals))
	l.sessions.init(d, store.From(sessions.On, sessions.Read.Sessions))
	l.tokens.init(d, store.From(sessions.On, sessions.Read.Tokens))
	l.invitations.init(d, store.From(accounts.On, accounts.Read.Invitations))
	l.inviters.init(d, store.From(accounts.On, accounts.Read.Inviters))
	l.groups.init(d, store.From(groups.On, groups.Read.Groups))
	l.groupBy.init(d, store.From(groups.On, groups.Read.GroupsNamed))
	l.managers.init(d, store.From(groups.On, groups.Read.Managers))
	l.managed.init(d, store.From(groups.On, groups.Read.Managed))
	l.memberships.init(d, store.From(groups.On, groups.Read.Memberships))
	l.applications.init(d, store.From(accounts.On, accounts.Read.Applications))
	l.notes.init(d, store.From(notify.On, notify.Read.Notifications))
	l.moderators.init(d, store.From(acts.On, acts.Read.CategoryModerators))
	l.acts.init(d, store.From(acts.On, acts.Read.Acts))
	l.revisions.init(d, store.From(posts.On, posts.Read.Revisions))
	l.longs.init(d, store.From(listing.On, listing.Read.LongTexts))
	l.packedTexts.init(d, store.From(posts.On, posts.Read.PackedTexts))
	l.cases.init(d, store.From(acts.On, acts.Read.Cases))
	l.reports.init(d, store.From(acts.On, acts.Read.Reports))
	l.evidence.init(d, store.From(acts.On, acts.Read.Evidence))
	l.pins.init(d, readPins)
	if viewer != nil {
		l.votes.init(d, func(r *store.Read, subjects []votes.Subject) func() ([]forum.VoteDirection, error) {
			return r.Votes.VotesBy(viewer.ID, subjects)
		})
		l.initFollow(d, viewer.ID)
		l.initMarks(d, viewer.ID)
		l.notified.init(d, func(r *store.Read, ids []forum.ActID) func() ([]bool, error) {
			return r.Acts.Told(viewer.ID,
				ids)
		})
	}
	return l
}

// With gives a response its own loaders, which are created as by New at the first use.
func With(ctx context.Context, s *store.Store, viewer *forum.Viewer) context.Context {
	m := &lazy{store: s, viewer: viewer}
	m.ctx = context.WithValue(ctx, contextKey{}, m)
	return m.ctx
}

// Alone is With for a resolver that runs outside of a response, such as that of a subscription. Its reads are sent
// immediately.
func Alone(ctx context.Context, s *store.Store, viewer *forum.Viewer) context.Context {
	ctx = With(ctx, s, viewer)
	return breadth.Outside(ctx, From(ctx))
}

// lazy creates the loaders of a response when they are first needed.
type lazy struct {
	ctx     context.Context
	store   *store.Store
	viewer  *forum.Viewer
	loaders *Loaders
}

// From returns the loaders of the response.
func From(ctx context.Context) *Loaders {
	m := ctx.Value(contextKey{}).(*lazy)
	if m.loaders == nil {
		m.loaders = New(m.ctx, m.store, m.viewer)
	}
	return m.loaders
}

// Close ends the loads of the response that were queued but not sent.
func Close(ctx context.Context) {
	if m := ctx.Value(contextKey{}).(*lazy); m.loaders != nil {
		m.loaders.Close()
	}
}

// Ask queues objects of several types without waiting, so that they are read together even if they are loaded one
// type after the other.
func (l *Loaders) Ask(o Objects) {
	l.sessions.ask(o.Sessions)
	l.tokens.ask(o.Tokens)
	l.askNotifications(o.Notes)
	l.acts.ask(o.Acts)
	l.askWithCounts(o.Users)
	l.topicHandles.ask(l.topicHandles.named(o.Topics))
	l.commentHandles.ask(l.commentHandles.named(o.Comments))
	l.categoryHandles.ask(l.categoryHandles.named(o.Categories))
	l.tabHandles.ask(l.tabHandles.named(o.Tabs))
	l.tagHandles.ask(l.tagHandles.named(o.Tags))
	l.listHandles.ask(l.listHandles.named(o.Lists))
}

// Objects names objects of several types.
type Objects struct {
	Users      []forum.UserID
	Sessions   []forum.UserID // sessions of these users
	Tokens     []forum.UserID // their API tokens
	Topics     []forum.TopicID
	Comments   []forum.CommentID
	Categories []forum.CategoryID
	Tabs       []forum.TabID
	Tags       []forum.TagID
	Lists      []forum.ListID
	Notes      []notify.NoteRef // only those of the readers are read
	Acts       []forum.ActID
}

// forget drops everything that was read.
func (l *Loaders) forget() {
	for _, k := range l.known {
		k.forget()
	}
	l.known = nil
	l.revisionTexts, l.changes = nil, nil
	l.voted, l.clicked = forum.VoteSummary{}, nil
	l.siteRules = nil
}

// Topics returns handles of topics.
func (l *Loaders) Topics(ids []forum.TopicID) []*Topic { return l.topicHandles.named(ids) }

// TopicsNow reads topics; nil for one that does not exist or is hidden from the viewer.
func (l *Loaders) TopicsNow(
	ctx context.Context, ids []forum.TopicID,
) ([]*Topic, []error) {
	found := l.Topics(ids)
	errs := l.NeedTopics(ctx, found)
	return present(found), errs
}

// ListedTopics returns handles of the topics of a timeline. A topic deleted since the page was read is left out, even
// for its author.
func (l *Loaders) ListedTopics(ids []forum.TopicID) []*Topic {
	l.topicHandles.named(ids) // one allocation for the topics that these stand for
	return l.listedHandles.named(ids)
}

// Comments returns handles of comments. A comment is visible to everyone who can see its topic.
func (l *Loaders) Comments(ids []forum.CommentID) []*Comment {
	return l.commentHandles.named(ids)
}

// CommentsNow is TopicsNow for comments.
func (l *Loaders) CommentsNow(
	ctx context.Context, ids []forum.CommentID,
) ([]*Comment, []error) {
	found := l.Comments(ids)
	errs := l.NeedComments(ctx, found)
	return present(found), errs
}

// Parents returns the parents of comments; nil for replies to the topic.
func (l *Loaders) Parents(ctx context.Context, cs []*Comment) []*Comment {
	l.NeedComments(ctx, cs)
	return pointed(&l.commentHandles, cs, func(c *Comment) forum.CommentID { return c.ParentID })
}

// TopicsOf returns the topics of comments; nil for those that do not exist.
func (l *Loaders) TopicsOf(ctx context.Context, cs []*Comment) []*Topic {
	l.NeedComments(ctx, cs)
	return pointed(&l.topicHandles, cs, func(c *Comment) forum.TopicID { return c.TopicID })
}

// CategoriesOf returns the categories of topics; nil for topics without one.
func (l *Loaders) CategoriesOf(ctx context.Context, ts []*Topic) []*Category {
	l.NeedTopics(ctx, ts)
	return pointed(&l.categoryHandles, ts, func(t *Topic) forum.CategoryID { return t.CategoryID })
}

// pointed returns handles of the objects that rows refer to by id; nil for rows without a reference.
func pointed[R any, ID ~int64, O, T any](h *handles[ID, O, T], rows []R, id func(R) ID) []*T {
	ids := make([]ID, 0, len(rows))
	for _, r := range rows {
		if n := id(r); n != 0 {
			ids = append(ids, n)
		}
	}
	found := h.named(ids)
	values := make([]*T, len(rows))
	for i, r := range rows {
		if id(r) != 0 {
			values[i], found = found[0], found[1:]
		}
	}
	return values
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
