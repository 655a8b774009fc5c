// Package graph resolves the schema: one file per type with its queries, fields and mutations. A resolver parses,
// asks the loaders or the store, and returns; rules are in internal/forum and in the store's scripts.
package graph

import (
	"context"
	"log/slog"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/breadth"
	"agora/graph/generated"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/ratelimit"
	"agora/internal/signin"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/text"
	"agora/internal/turns"
)

//go:generate sh -c "cd .. && go run agora/breadth/generate -gates auth -fake internal/test/oracle/resolvers.generated.go -fake-package oracle -split internal/test/oracle/gqlgen.generated.go -tag oracle"

// Resolver is the state shared by all resolvers.
type Resolver struct {
	// Store holds the data.
	Store *store.Store
	// Hasher hashes and verifies passwords.
	Hasher *auth.Hasher
	// SignIn signs in with tokens of other issuers; nil accepts none.
	SignIn *signin.Service
	// NoPasswords turns off registering, signing in and changing what belongs to a password.
	NoPasswords bool
	// SignInPage is SignIn.page; "" is none.
	SignInPage string
	// SignInLimit is how many calls that take a password are allowed from one address in forum.SignInWindow, and how
	// many sign-ins with one name from one address may fail in forum.FailureWindow; 0 is no limit.
	SignInLimit int
	// Rates limits how often callers may post, edit and click; nil is no limit.
	Rates *ratelimit.Limiter
	// Events delivers events to subscriptions.
	Events *event.Hub
	// SiteName is Site.name.
	SiteName string
	// Texts renders texts; nil shows all images.
	Texts *text.Renderer
	// Log receives internal errors.
	Log *slog.Logger
}

// app returns what use cases work with.
func (r *Resolver) app() app.App { return app.App{Store: r.Store, Rates: r.Rates, Log: r.Log} }

// Schema returns the schema with its resolvers, executed level by level. gate, which may be nil, is called before
// events are executed.
func (r *Resolver) Schema(gate func(context.Context) (_ context.Context, release func())) graphql.ExecutableSchema {
	return generated.NewBreadthSchemaWith(r.Config(), loads, breadth.Options{
		Loads: func(ctx context.Context) breadth.Loads { return loader.From(ctx) },
		Omit:  r.unreadable,
		Gate:  gate,
		Yield: func(ctx context.Context) func() {
			turn := turns.From(ctx)
			if turn == nil {
				return nil
			}
			return func() { turn.Offer(ctx) }
		},
	})
}

// Config returns the configuration of the generated code.
func (r *Resolver) Config() generated.Config {
	return generated.Config{Resolvers: r, Directives: generated.DirectiveRoot{Auth: requireRole}}
}

// WithLoaders gives each response its own loaders. Replicas may serve queries of those who are signed out: all others
// see their own writes.
func (r *Resolver) WithLoaders(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	viewer := auth.ViewerFrom(ctx)
	if viewer == nil && graphql.GetOperationContext(ctx).Operation.Operation == ast.Query {
		ctx = engine.FromReplicas(ctx)
	}
	ctx = loader.With(withReport(ctx), r.Store, viewer)
	defer loader.Close(ctx)
	return next(ctx)
}

// requireRole implements the directive @auth.
func requireRole(ctx context.Context, _ any, next graphql.Resolver, requires forum.Role) (any, error) {
	if err := checkRole(ctx, requires); err != nil {
		return nil, err
	}
	return next(ctx)
}

// checkRole returns UNAUTHENTICATED if the request is signed out, or why its account may not be used, FORBIDDEN if the
// viewer's role is lower than the required one, BANNED if a ban has suspended it.
func checkRole(ctx context.Context, requires forum.Role) error {
	caller := auth.CallerFrom(ctx)
	viewer := caller.Viewer
	if viewer == nil {
		if caller.Barred != nil {
			return caller.Barred
		}
		return &forum.Error{Code: forum.CodeUnauthenticated, Message: "Sign in first."}
	}
	if !viewer.Has(requires) {
		if viewer.Suspended {
			return forum.Banned(nil, *viewer.Ban)
		}
		return &forum.Error{Code: forum.CodeRoleTooLow, Message: "Only for the role " + string(requires) + " and above."}
	}
	return nil
}

// The resolvers of the types, found by gqlgen.
type (
	query                   struct{ *Resolver }
	mutation                struct{ *Resolver }
	user                    struct{ *Resolver }
	viewer                  struct{ *Resolver }
	invitation              struct{ *Resolver }
	application             struct{ *Resolver }
	applicationConnection   struct{ *Resolver }
	memberReport            struct{ *Resolver }
	reportCase              struct{ *Resolver }
	evidence                struct{ *Resolver }
	reportConnection        struct{ *Resolver }
	reportCaseConnection    struct{ *Resolver }
	reportAddedEvent        struct{ *Resolver }
	site                    struct{ *Resolver }
	tasks                   struct{ *Resolver }
	deadTask                struct{ *Resolver }
	topic                   struct{ *Resolver }
	topicConnection         struct{ *Resolver }
	comment                 struct{ *Resolver }
	commentConnection       struct{ *Resolver }
	category                struct{ *Resolver }
	categoryConnection      struct{ *Resolver }
	tagConnection           struct{ *Resolver }
	tab                     struct{ *Resolver }
	tabConnection           struct{ *Resolver }
	timeline                struct{ *Resolver }
	tag                     struct{ *Resolver }
	userConnection          struct{ *Resolver }
	userList                struct{ *Resolver }
	userListConnection      struct{ *Resolver }
	rankExplanation         struct{ *Resolver }
	voteSummary             struct{ *Resolver }
	notification            struct{ *Resolver }
	notificationConnection  struct{ *Resolver }
	actState                struct{ *Resolver }
	moderationAct           struct{ *Resolver }
	moderationActConnection struct{ *Resolver }
	revision                struct{ *Resolver }
	revisionConnection      struct{ *Resolver }
	preview                 struct{ *Resolver }
	createTopicPayload      struct{ *Resolver }
	createCommentPayload    struct{ *Resolver }
	subscription            struct{ *Resolver }
	commentAddedEvent       struct{ *Resolver }
	commentsUpdatedEvent    struct{ *Resolver }
	topicUpdatedEvent       struct{ *Resolver }
	timelineUpdatedEvent    struct{ *Resolver }
	notificationAddedEvent  struct{ *Resolver }
)

// Query returns the resolvers of Query.
func (r *Resolver) Query() generated.QueryResolver { return query{r} }

// Mutation returns the resolvers of Mutation.
func (r *Resolver) Mutation() generated.MutationResolver { return mutation{r} }

// User returns the resolvers of User.
func (r *Resolver) User() generated.UserResolver { return user{r} }

// Viewer returns the resolvers of Viewer.
func (r *Resolver) Viewer() generated.ViewerResolver { return viewer{r} }

// Invitation returns the resolvers of Invitation.
func (r *Resolver) Invitation() generated.InvitationResolver { return invitation{r} }

// Application returns the resolvers of Application.
func (r *Resolver) Application() generated.ApplicationResolver { return application{r} }

// ApplicationConnection returns the resolvers of ApplicationConnection.
func (r *Resolver) ApplicationConnection() generated.ApplicationConnectionResolver {
	return applicationConnection{r}
}

// Report returns the resolvers of Report.
func (r *Resolver) Report() generated.ReportResolver { return memberReport{r} }

// ReportCase returns the resolvers of ReportCase.
func (r *Resolver) ReportCase() generated.ReportCaseResolver { return reportCase{r} }

// Evidence returns the resolvers of Evidence.
func (r *Resolver) Evidence() generated.EvidenceResolver { return evidence{r} }

// ReportConnection returns the resolvers of ReportConnection.
func (r *Resolver) ReportConnection() generated.ReportConnectionResolver {
	return reportConnection{r}
}

// ReportCaseConnection returns the resolvers of ReportCaseConnection.
func (r *Resolver) ReportCaseConnection() generated.ReportCaseConnectionResolver {
	return reportCaseConnection{r}
}

// ReportAddedEvent returns the resolvers of ReportAddedEvent.
func (r *Resolver) ReportAddedEvent() generated.ReportAddedEventResolver {
	return reportAddedEvent{r}
}

// Site returns the resolvers of Site.
func (r *Resolver) Site() generated.SiteResolver { return site{r} }

// Tasks returns the resolvers of Tasks.
func (r *Resolver) Tasks() generated.TasksResolver { return tasks{r} }

// DeadTask returns the resolvers of DeadTask.
func (r *Resolver) DeadTask() generated.DeadTaskResolver { return deadTask{r} }

// Topic returns the resolvers of Topic.
func (r *Resolver) Topic() generated.TopicResolver { return topic{r} }

// TopicConnection returns the resolvers of TopicConnection.
func (r *Resolver) TopicConnection() generated.TopicConnectionResolver { return topicConnection{r} }

// Comment returns the resolvers of Comment.
func (r *Resolver) Comment() generated.CommentResolver { return comment{r} }

// CommentConnection returns the resolvers of CommentConnection.
func (r *Resolver) CommentConnection() generated.CommentConnectionResolver {
	return commentConnection{r}
}

// Category returns the resolvers of Category.
func (r *Resolver) Category() generated.CategoryResolver { return category{r} }

// CategoryConnection returns the resolvers of CategoryConnection.
func (r *Resolver) CategoryConnection() generated.CategoryConnectionResolver {
	return categoryConnection{r}
}

// Tab returns the resolvers of Tab.
func (r *Resolver) Tab() generated.TabResolver { return tab{r} }

// TabConnection returns the resolvers of TabConnection.
func (r *Resolver) TabConnection() generated.TabConnectionResolver { return tabConnection{r} }

// Timeline returns the resolvers of Timeline.
func (r *Resolver) Timeline() generated.TimelineResolver { return timeline{r} }

// VoteSummary returns the resolvers of VoteSummary.
func (r *Resolver) VoteSummary() generated.VoteSummaryResolver { return voteSummary{r} }

// Tag returns the resolvers of Tag.
func (r *Resolver) Tag() generated.TagResolver { return tag{r} }

// TagConnection returns the resolvers of TagConnection.
func (r *Resolver) TagConnection() generated.TagConnectionResolver { return tagConnection{r} }

// UserConnection returns the resolvers of UserConnection.
func (r *Resolver) UserConnection() generated.UserConnectionResolver { return userConnection{r} }

// UserList returns the resolvers of UserList.
func (r *Resolver) UserList() generated.UserListResolver { return userList{r} }

// UserListConnection returns the resolvers of UserListConnection.
func (r *Resolver) UserListConnection() generated.UserListConnectionResolver {
	return userListConnection{r}
}

// RankExplanation returns the resolvers of RankExplanation.
func (r *Resolver) RankExplanation() generated.RankExplanationResolver { return rankExplanation{r} }

// Notification returns the resolvers of Notification.
func (r *Resolver) Notification() generated.NotificationResolver { return notification{r} }

// ActState returns the resolvers of ActState.
func (r *Resolver) ActState() generated.ActStateResolver { return actState{r} }

// ModerationAct returns the resolvers of ModerationAct.
func (r *Resolver) ModerationAct() generated.ModerationActResolver { return moderationAct{r} }

// ModerationActConnection returns the resolvers of ModerationActConnection.
func (r *Resolver) ModerationActConnection() generated.ModerationActConnectionResolver {
	return moderationActConnection{r}
}

// NotificationConnection returns the resolvers of NotificationConnection.
func (r *Resolver) NotificationConnection() generated.NotificationConnectionResolver {
	return notificationConnection{r}
}

// Revision returns the resolvers of Revision.
func (r *Resolver) Revision() generated.RevisionResolver { return revision{r} }

// RevisionConnection returns the resolvers of RevisionConnection.
func (r *Resolver) RevisionConnection() generated.RevisionConnectionResolver {
	return revisionConnection{r}
}

// Preview returns the resolvers of Preview.
func (r *Resolver) Preview() generated.PreviewResolver { return preview{r} }

// CreateTopicPayload returns the resolvers of CreateTopicPayload.
func (r *Resolver) CreateTopicPayload() generated.CreateTopicPayloadResolver {
	return createTopicPayload{r}
}

// CreateCommentPayload returns the resolvers of CreateCommentPayload.
func (r *Resolver) CreateCommentPayload() generated.CreateCommentPayloadResolver {
	return createCommentPayload{r}
}

// Subscription returns the resolvers of Subscription.
func (r *Resolver) Subscription() generated.SubscriptionResolver { return subscription{r} }

// CommentAddedEvent returns the resolvers of CommentAddedEvent.
func (r *Resolver) CommentAddedEvent() generated.CommentAddedEventResolver {
	return commentAddedEvent{r}
}

// CommentsUpdatedEvent returns the resolvers of CommentsUpdatedEvent.
func (r *Resolver) CommentsUpdatedEvent() generated.CommentsUpdatedEventResolver {
	return commentsUpdatedEvent{r}
}

// TopicUpdatedEvent returns the resolvers of TopicUpdatedEvent.
func (r *Resolver) TopicUpdatedEvent() generated.TopicUpdatedEventResolver {
	return topicUpdatedEvent{r}
}

// TimelineUpdatedEvent returns the resolvers of TimelineUpdatedEvent.
func (r *Resolver) TimelineUpdatedEvent() generated.TimelineUpdatedEventResolver {
	return timelineUpdatedEvent{r}
}

// NotificationAddedEvent returns the resolvers of NotificationAddedEvent.
func (r *Resolver) NotificationAddedEvent() generated.NotificationAddedEventResolver {
	return notificationAddedEvent{r}
}
