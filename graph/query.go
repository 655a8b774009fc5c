package graph

import (
	"context"
	"slices"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/listing"
	"agora/internal/store/notify"
	"agora/internal/text"
)

// Node resolves Query.node.
func (r query) Node(ctx context.Context, id string) (model.Node, error) {
	o, err := globalid.Parse([]string{"id"}, id)
	if err != nil {
		return nil, err
	}
	found, errs := r.nodes(ctx, []globalid.Object{o})
	return found[0], errs[0]
}

// Nodes resolves Query.nodes.
func (r query) Nodes(ctx context.Context, ids []string) ([]model.Node, error) {
	if len(ids) < 1 || len(ids) > forum.MaxNodes {
		return nil, forum.BadInput([]string{"ids"}, "Pass 1 to %d ids.", forum.MaxNodes)
	}
	distinct := make([]globalid.Object, 0, len(ids))
	positions := make([]int, len(ids)) // in distinct
	known := make(map[string]int, len(ids))
	for i, id := range ids {
		at, ok := known[id]
		if !ok {
			o, err := globalid.Parse([]string{"ids"}, id)
			if err != nil {
				return nil, err
			}
			at = len(distinct)
			distinct = append(distinct, o)
			known[id] = at
		}
		positions[i] = at
	}
	found, errs := r.nodes(ctx, distinct)
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return mapSlice(positions, func(at int) model.Node { return found[at] }), nil
}

// nodes loads objects of any types. It asks for all before it waits for the first, so that all types share a round
// trip.
func (r *Resolver) nodes(ctx context.Context, objects []globalid.Object) ([]model.Node, []error) {
	found := make([]model.Node, len(objects))
	errs := make([]error, len(objects))
	byType := map[string][]int{}
	for i, o := range objects {
		byType[o.Type] = append(byType[o.Type], i)
	}
	if ask, waits := askFor(ctx, objects); waits {
		loader.From(ctx).Ask(ask)
	}
	for typ, rows := range byType {
		values, failed := r.nodesOfType(ctx, typ, mapSlice(rows, func(i int) globalid.Object { return objects[i] }))
		for n, i := range rows {
			found[i] = values[n]
			if failed != nil {
				errs[i] = failed[n]
			}
		}
	}
	return found, errs
}

// askFor returns what to load for objects. waits reports whether some must be loaded before they are returned; the
// executor loads the others.
func askFor(ctx context.Context, objects []globalid.Object) (ask loader.Objects, waits bool) {
	for _, o := range objects {
		switch o.Type {
		case globalid.Session:
			if waits = true; auth.ViewerFrom(ctx).Is(forum.UserID(o.Number)) {
				ask.Sessions = append(ask.Sessions, forum.UserID(o.Number))
			}
		case globalid.Token:
			if waits = true; auth.ViewerFrom(ctx).Is(forum.UserID(o.Number)) {
				ask.Tokens = append(ask.Tokens, forum.UserID(o.Number))
			}
		case globalid.Invitation:
			waits = true
		case globalid.Notification:
			waits = true
			ask.Notes = append(ask.Notes, notify.NoteRef{Owner: forum.UserID(o.Number), Seq: o.Seq})
		case globalid.Act:
			waits = true
			ask.Acts = append(ask.Acts, forum.ActID(o.Number))
		case globalid.User:
			waits = true
			ask.Users = append(ask.Users, forum.UserID(o.Number))
		case globalid.Topic:
			ask.Topics = append(ask.Topics, forum.TopicID(o.Number))
		case globalid.Comment:
			ask.Comments = append(ask.Comments, forum.CommentID(o.Number))
		case globalid.Category:
			ask.Categories = append(ask.Categories, forum.CategoryID(o.Number))
		case globalid.Tab:
			ask.Tabs = append(ask.Tabs, forum.TabID(o.Number))
		case globalid.Group:
			waits = true
		case globalid.Tag:
			ask.Tags = append(ask.Tags, forum.TagID(o.Number))
		case globalid.UserList:
			ask.Lists = append(ask.Lists, forum.ListID(o.Number))
		case globalid.Timeline:
			waits = true
			switch o.Timeline.Kind {
			case forum.ProfileTimeline:
				ask.Users = append(ask.Users, forum.UserID(o.Timeline.Owner))
			case forum.TagTimeline:
				ask.Tags = append(ask.Tags, forum.TagID(o.Timeline.Owner))
			case forum.CategoryTimeline:
				ask.Categories = append(ask.Categories, forum.CategoryID(o.Timeline.Owner))
			case forum.TabTimeline:
				ask.Tabs = append(ask.Tabs, forum.TabID(o.Timeline.Owner))
			case forum.ListTimeline:
				ask.Lists = append(ask.Lists, forum.ListID(o.Timeline.Owner))
			}
		}
	}
	return ask, waits
}

func (r *Resolver) nodesOfType(ctx context.Context, typ string, of []globalid.Object) ([]model.Node, []error) {
	l := loader.From(ctx)
	switch typ {
	case globalid.User:
		return asNodes(l.Users(ctx, numbers[forum.UserID](of)))
	case globalid.Topic:
		return asNodes(l.Topics(numbers[forum.TopicID](of)), nil)
	case globalid.Comment:
		return asNodes(l.Comments(numbers[forum.CommentID](of)), nil)
	case globalid.Category:
		return asNodes(l.Categories(numbers[forum.CategoryID](of)), nil)
	case globalid.Tab:
		return asNodes(l.Tabs(numbers[forum.TabID](of)), nil)
	case globalid.Group:
		return asNodes(l.Groups(ctx, numbers[forum.GroupID](of)))
	case globalid.Tag:
		return asNodes(l.Tags(numbers[forum.TagID](of)), nil)
	case globalid.UserList:
		return asNodes(l.UserLists(numbers[forum.ListID](of)), nil)
	case globalid.Timeline:
		return r.timelineNodes(ctx, of)
	case globalid.Session:
		return sessionNodes(ctx, of)
	case globalid.Token:
		return tokenNodes(ctx, of)
	case globalid.Invitation:
		return r.invitationNodes(ctx, of)
	case globalid.Notification:
		return notificationNodes(ctx, of)
	case globalid.Act:
		return asNodes(l.Acts(ctx, numbers[forum.ActID](of)))
	}
	values := make([]model.Node, len(of))
	for i, o := range of {
		if typ == globalid.Viewer && auth.ViewerFrom(ctx).Is(forum.UserID(o.Number)) {
			values[i] = &model.Viewer{UserID: forum.UserID(o.Number)}
		}
	}
	return values, nil
}

func numbers[T ~int64](of []globalid.Object) []T {
	return mapSlice(of, func(o globalid.Object) T { return T(o.Number) })
}

func asNodes[T any, P interface {
	*T
	model.Node
}](found []P, errs []error) ([]model.Node, []error) {
	values := make([]model.Node, len(found))
	for i, v := range found {
		if v != nil {
			values[i] = v
		}
	}
	return values, errs
}

// sessionNodes returns the viewer's own sessions.
func sessionNodes(ctx context.Context, of []globalid.Object) ([]model.Node, []error) {
	values := make([]model.Node, len(of))
	viewer := auth.ViewerFrom(ctx)
	if viewer == nil {
		return values, nil
	}
	found, errs := loader.From(ctx).Sessions(ctx, []forum.UserID{viewer.ID})
	for i, o := range of {
		for _, s := range found[0] {
			if viewer.Is(forum.UserID(o.Number)) && o.Session == auth.SessionName(s.Digest) {
				values[i] = &model.Session{Session: *s, IsCurrent: s.Digest == viewer.Session}
			}
		}
	}
	if errs == nil {
		return values, nil
	}
	return values, slices.Repeat(errs, len(of))
}

// timelineNodes returns the timelines whose owners exist, and of homes, lists and bookmarks those of the viewer.
func (r *Resolver) timelineNodes(ctx context.Context, of []globalid.Object) ([]model.Node, []error) {
	values := make([]model.Node, len(of))
	errs := make([]error, len(of))
	for i, o := range of {
		t, exists := o.Timeline, true
		switch t.Kind {
		case forum.CategoryTimeline:
			found, failed := loader.From(ctx).CategoriesNow(ctx, []forum.CategoryID{forum.CategoryID(t.Owner)})
			exists, errs[i] = found[0] != nil, firstError(failed)
		case forum.TabTimeline:
			found, failed := loader.From(ctx).TabsNow(ctx, []forum.TabID{forum.TabID(t.Owner)})
			exists, errs[i] = found[0] != nil, firstError(failed)
		case forum.TagTimeline:
			found, failed := loader.From(ctx).TagsNow(ctx, []forum.TagID{forum.TagID(t.Owner)})
			exists, errs[i] = found[0] != nil, firstError(failed)
		case forum.ProfileTimeline:
			found, failed := loader.From(ctx).Users(ctx, []forum.UserID{forum.UserID(t.Owner)})
			exists, errs[i] = found[0] != nil, firstError(failed)
		case forum.HomeTimeline, forum.BookmarksTimeline:
			exists = auth.ViewerFrom(ctx).Is(forum.UserID(t.Owner))
		case forum.ListTimeline:
			found, failed := loader.From(ctx).UserListsNow(ctx, []forum.ListID{forum.ListID(t.Owner)})
			exists, errs[i] = found[0] != nil, firstError(failed)
		case forum.DayRankTimeline:
			exists = r.readable(forum.Day(t.Owner))
		}
		if exists && errs[i] == nil {
			values[i] = &t
		}
	}
	return values, errs
}

func firstError(errs []error) error {
	if errs == nil {
		return nil
	}
	return errs[0]
}

// Viewer resolves Query.viewer.
func (query) Viewer(ctx context.Context) (*model.Viewer, error) {
	caller := auth.CallerFrom(ctx)
	switch {
	case caller.Viewer != nil:
		return &model.Viewer{UserID: caller.Viewer.ID}, nil
	case caller.Barred != nil:
		return nil, caller.Barred
	}
	return nil, nil
}

// Site resolves Query.site.
func (r query) Site(ctx context.Context) (*model.Site, error) { return r.site(ctx), nil }

func (r *Resolver) site(ctx context.Context) *model.Site {
	rules := r.Store.Rules.Current(ctx)
	signIn := &model.SignIn{Local: !r.NoPasswords, Issuers: append([]string{}, r.SignIn.Issuers()...)}
	if r.SignInPage != "" {
		signIn.Page = &r.SignInPage
	}
	return &model.Site{Name: r.SiteName, TimeZone: r.Store.Layout().TimeZone, Rules: &rules, SignIn: signIn}
}

// User resolves Query.user.
func (query) User(ctx context.Context, by model.UserRef) (*loader.User, error) {
	if err := app.OneOf([]string{"by"}, by.ID != nil, by.Login != nil, by.External != nil); err != nil {
		return nil, err
	}
	switch {
	case by.Login != nil:
		fold, ok := text.FoldLogin(*by.Login)
		if !ok {
			return nil, nil
		}
		return loader.From(ctx).UserByLogin(ctx, fold)
	case by.External != nil:
		return userWithExternal(ctx, *by.External)
	}
	o, err := globalid.Parse([]string{"by", "id"}, *by.ID)
	if err != nil || o.Type != globalid.User {
		return nil, err
	}
	return single(loader.From(ctx).Users(ctx, []forum.UserID{forum.UserID(o.Number)}))
}

// Topic resolves Query.topic.
func (query) Topic(ctx context.Context, by model.TopicRef) (*loader.Topic, error) {
	id, err := topicNamed("by", by)
	if err != nil || id == 0 {
		return nil, err
	}
	return loader.From(ctx).Topics([]forum.TopicID{id})[0], nil
}

// topicNamed returns the id that an argument names a topic by; 0 if no topic can have it.
func topicNamed(argument string, by model.TopicRef) (forum.TopicID, error) {
	if err := app.OneOf([]string{argument}, by.ID != nil, by.Number != nil); err != nil {
		return 0, err
	}
	if by.Number != nil {
		return forum.TopicID(max(0, *by.Number)), nil
	}
	o, err := globalid.Parse([]string{argument, "id"}, *by.ID)
	if err != nil || o.Type != globalid.Topic {
		return 0, err
	}
	return forum.TopicID(o.Number), nil
}

// Category resolves Query.category.
func (query) Category(ctx context.Context, by app.CategoryRef) (*loader.Category, error) {
	return categoryNamed(ctx, []string{"by"}, by)
}

// categoryNamed returns the category that an argument names, or nil if no category can have the name or id.
func categoryNamed(ctx context.Context, path []string, by app.CategoryRef) (*loader.Category, error) {
	if err := app.OneOf(path, by.ID != nil, by.Name != nil); err != nil {
		return nil, err
	}
	if by.Name != nil {
		return loader.From(ctx).CategoryNamed(ctx, text.Fold(*by.Name))
	}
	o, err := globalid.Parse(append(path, "id"), *by.ID)
	if err != nil || o.Type != globalid.Category {
		return nil, err
	}
	return loader.From(ctx).Categories([]forum.CategoryID{forum.CategoryID(o.Number)})[0], nil
}

// Categories resolves Query.categories.
func (query) Categories(ctx context.Context, first *int, after *string, last *int,
	before *string) (*model.CategoryConnection, error) {
	return onlyResult(pages(ctx, []listing.List{listing.AllCategories()}, pageArgs(ctx, first, after, last, before),
		model.NewCategoryConnection))
}

// Tab resolves Query.tab.
func (query) Tab(ctx context.Context, by model.TabRef) (*loader.Tab, error) {
	if err := app.OneOf([]string{"by"}, by.ID != nil, by.Name != nil); err != nil {
		return nil, err
	}
	if by.Name != nil {
		return loader.From(ctx).TabNamed(ctx, text.Fold(*by.Name))
	}
	o, err := globalid.Parse([]string{"by", "id"}, *by.ID)
	if err != nil || o.Type != globalid.Tab {
		return nil, err
	}
	return loader.From(ctx).Tabs([]forum.TabID{forum.TabID(o.Number)})[0], nil
}

// Tabs resolves Query.tabs.
func (query) Tabs(ctx context.Context, first *int, after *string, last *int,
	before *string) (*model.TabConnection, error) {
	return onlyResult(pages(ctx, []listing.List{listing.AllTabs()}, pageArgs(ctx, first, after, last, before),
		model.NewTabConnection))
}

// Front resolves Query.front.
func (query) Front(_ context.Context, orderBy *model.TopicOrder, period *forum.Period,
	kinds []forum.TopicKind) (*forum.Timeline, error) {
	return newTimeline(forum.FrontTimeline, 0, orderBy, period, kinds)
}

// single returns the only value of a load of one id.
func single[T any](values []*T, errs []error) (*T, error) { return values[0], firstError(errs) }

// onlyResult returns the only value of a batch of one parent.
func onlyResult[T any](values []T, err error) (T, error) {
	if all, ok := err.(interface{ Errors() []error }); ok {
		err = all.Errors()[0]
	}
	return values[0], err
}
