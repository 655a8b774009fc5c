package graph

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/store"
)

// payloadCodes are the codes reported in a mutation's payload; all others are top-level errors.
var payloadCodes = map[forum.Code]bool{
	forum.CodeInvalid: true, forum.CodeTooShort: true, forum.CodeTooLong: true, forum.CodeNotEmpty: true,
	forum.CodeWrongCredentials: true, forum.CodeIdempotencyConflict: true, forum.CodeTaken: true,
	forum.CodeNotFound: true, forum.CodeForbidden: true, forum.CodeLocked: true,
	forum.CodeSelf: true, forum.CodeBlocked: true, forum.CodeRateLimited: true, forum.CodeVotingClosed: true,
	forum.CodeBanned: true, forum.CodeNewMember: true, forum.CodeBlockedText: true,
	forum.CodeStale: true, forum.CodeDeactivated: true, forum.CodeRegistrationClosed: true,
	forum.CodeAwaitingApproval: true, forum.CodeRejected: true, forum.CodeSignInAgain: true,
}

// topLevel maps codes that have another name in `extensions.code`.
var topLevel = map[forum.Code]string{forum.CodeRoleTooLow: "FORBIDDEN"}

// payload splits the errors of a mutation: expected ones are returned for the payload, the rest as the error that
// becomes a top-level one. Their paths begin at the fields of the input.
func payload(ctx context.Context, err error) ([]model.UserError, error) {
	found := []model.UserError{}
	notes, noted := ctx.Value(notesKey{}).(Notes)
	for _, e := range flatten(err) {
		var f *forum.Error
		if !errors.As(e, &f) {
			return nil, e
		}
		if f.Path != nil {
			f = f.At(append([]string{"input"}, f.Path...)...)
		}
		if !payloadCodes[f.Code] {
			return nil, f
		}
		found = append(found, userError(ctx, f))
		if noted {
			notes.Code(string(f.Code))
		}
	}
	return found, nil
}

// given returns the global id that a mutation was given at the path, or in the field "id" there; "" for none.
func given(ctx context.Context, path []string) string {
	var value any = graphql.GetFieldContext(ctx).Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	for _, name := range path {
		switch of := value.(type) {
		case map[string]any:
			value = of[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(of) {
				return ""
			}
			value = of[i]
		}
	}
	if object, ok := value.(map[string]any); ok {
		value = object["id"]
	}
	id, _ := value.(string)
	if _, _, ok := globalid.Split(id); !ok {
		return ""
	}
	return id
}

// flatten splits joined errors, also wrapped ones.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, flatten(e)...)
		}
		return all
	}
	if all := flatten(errors.Unwrap(err)); len(all) > 1 {
		return all
	}
	return []error{err}
}

func userError(ctx context.Context, e *forum.Error) model.UserError {
	path := e.Path
	if path == nil {
		path = []string{}
	}
	code := model.ErrorCode(e.Code)
	switch e.Code {
	case forum.CodeTaken:
		return model.TakenError{Message: e.Message, Code: code, Path: path, Value: e.Value}
	case forum.CodeNotFound:
		n := model.NotFoundError{Message: e.Message, Code: code, Path: path}
		if id := given(ctx, e.Path); id != "" {
			n.MissingID = &id
		}
		return n
	case forum.CodeForbidden, forum.CodeLocked, forum.CodeBlocked, forum.CodeDeactivated,
		forum.CodeRegistrationClosed, forum.CodeAwaitingApproval, forum.CodeSignInAgain:
		f := model.ForbiddenError{Message: e.Message, Code: code, Path: path}
		if e.Requires != "" {
			f.Requires = &e.Requires
		}
		return f
	case forum.CodeVotingClosed:
		return model.VotingClosedError{Message: e.Message, Code: code, Path: path, ClosedAt: e.ClosedAt}
	case forum.CodeBanned:
		b := model.BannedError{Message: e.Message, Code: code, Path: path, Scope: e.Ban.Scope, Reason: e.Ban.Reason}
		if e.Ban.Until != 0 {
			b.Until = &e.Ban.Until
		}
		return b
	case forum.CodeRejected:
		r := model.RejectedError{Message: e.Message, Code: code, Path: path, Reason: e.Grounds.Reason}
		if e.Grounds.Note != "" {
			r.Note = &e.Grounds.Note
		}
		return r
	case forum.CodeNewMember:
		return newMemberError(e, path)
	case forum.CodeBlockedText:
		return model.BlockedTextError{Message: e.Message, Code: code, Path: path, Kind: e.BlockKind, Value: e.Value}
	case forum.CodeStale:
		c := model.ConflictError{Message: e.Message, Code: model.ErrorCodeConflict, Path: path}
		if e.Present != 0 {
			c.PresentRevision = &e.Present
		}
		return c
	case forum.CodeRateLimited:
		wait := int(math.Ceil(e.RetryAfter.Seconds()))
		return model.RateLimitedError{Message: e.Message, Code: code, Path: path, RetryAfterSeconds: max(wait, 1)}
	default:
		i := model.InvalidInputError{Message: e.Message, Code: code, Path: path}
		if e.Code == forum.CodeTooShort || e.Code == forum.CodeTooLong {
			i.Limit = &e.Limit
		}
		return i
	}
}

// newMemberError says what a new member lacks.
func newMemberError(e *forum.Error, path []string) model.NewMemberError {
	some := func(n int) *int {
		if n == 0 {
			return nil
		}
		return &n
	}
	is := e.NewMember
	return model.NewMemberError{Message: e.Message, Code: model.ErrorCodeNewMember, Path: path, Rule: is.Rule,
		Limit: is.Limit, RetryAfterSeconds: some(int(math.Ceil(e.RetryAfter.Seconds()))),
		MissingSeconds: some(is.MissingSeconds), MissingKarma: some(is.MissingKarma)}
}

// PresentError is the only place that turns an error into a GraphQL error. Details that clients must not see are
// logged and shown as "internal error".
func (r *Resolver) PresentError(ctx context.Context, err error) *gqlerror.Error {
	var known *gqlerror.Error
	if errors.As(err, &known) && known.Extensions["code"] != nil {
		return known
	}
	shown := &gqlerror.Error{Path: graphql.GetPath(ctx)}
	if known != nil {
		shown.Locations = known.Locations
		if known.Path != nil {
			shown.Path = known.Path
		}
	}
	var e *forum.Error
	switch {
	case known != nil && !graphql.HasOperationContext(ctx):
		// The transport could not read the request; its message would repeat the whole body.
		shown.Message, shown.Extensions = "The body is not a GraphQL request in JSON.",
			map[string]any{"code": string(forum.CodeBadUserInput)}
	case errors.As(err, &e):
		code := string(e.Code)
		if name, ok := topLevel[e.Code]; ok {
			code = name
		}
		shown.Message, shown.Extensions = e.Message, map[string]any{"code": code}
		if len(e.Path) > 0 {
			shown.Extensions["argument"] = strings.Join(e.Path, ".")
		}
		if e.Scope != "" {
			shown.Extensions["scope"] = e.Scope
		}
		if e.Ban != nil {
			shown.Extensions["scope"], shown.Extensions["reason"] = e.Ban.Scope, e.Ban.Reason
			shown.Extensions["until"] = untilOf(*e.Ban)
		}
		if e.Field != "" {
			shown.Extensions["field"] = e.Field
		}
		if e.Code == forum.CodeUnavailable {
			shown.Extensions["retryAfterSeconds"] = store.RetryAfter
		}
	case ctx.Err() != nil:
		shown.Message, shown.Extensions = "The request was cancelled or took too long.", map[string]any{"code": "TIMEOUT"}
	case store.Unavailable(err):
		if loggedFrom(ctx).first(err) {
			r.Store.Engine.LogFailure(ctx, r.Log, "Redis failed", "path", shown.Path.String(), "error", err)
		}
		shown.Message = unavailableMessage(ctx, shown.Path)
		shown.Extensions = map[string]any{"code": string(forum.CodeUnavailable), "retryAfterSeconds": store.RetryAfter}
	default:
		if loggedFrom(ctx).first(err) {
			r.Log.ErrorContext(ctx, "resolver failed", "path", shown.Path.String(), "error", err)
		}
		shown.Message, shown.Extensions = "internal error", map[string]any{"code": "INTERNAL_SERVER_ERROR"}
	}
	return shown
}

// untilOf returns when a ban ends as it is shown; nil for never.
func untilOf(b forum.Ban) any {
	if b.Until == 0 {
		return nil
	}
	return time.UnixMilli(int64(b.Until)).UTC().Format(model.DateTimeLayout)
}

// unreadable returns an error as it is shown if it says that something cannot be read at the moment, otherwise nil.
// Lists leave that out: see breadth.Missing.
func (r *Resolver) unreadable(ctx context.Context, err error) *gqlerror.Error {
	if ctx.Err() != nil || forum.CodeOf(err) != forum.CodeUnavailable && !store.Unavailable(err) {
		return nil
	}
	return r.PresentError(ctx, err)
}

// unavailableMessage describes a failure of Redis for the field at path. For a mutation it says whether the change
// may have been applied.
func unavailableMessage(ctx context.Context, path ast.Path) string {
	const unread = "The data cannot be read just now. Try again."
	if !graphql.HasOperationContext(ctx) || len(path) > 1 {
		return unread
	}
	op := graphql.GetOperationContext(ctx).Operation
	if op == nil || op.Operation != ast.Mutation {
		return unread
	}
	if t := store.UsageFrom(ctx); t != nil && !t.Changed.Load() {
		return "The data cannot be changed just now. Nothing was changed; try again."
	}
	return "The change may or may not have been applied. Repeat it, with the same idempotencyKey where there is one."
}

// logged remembers the last error logged for a response, because one failure of Redis fails every row of a page.
type logged struct {
	mu   sync.Mutex
	last string
}

type loggedKey struct{}

func withLogged(ctx context.Context) context.Context {
	return context.WithValue(ctx, loggedKey{}, &logged{})
}

func loggedFrom(ctx context.Context) *logged {
	l, _ := ctx.Value(loggedKey{}).(*logged)
	return l
}

// first reports whether the cause of an error differs from that of the last one.
func (l *logged) first(err error) bool {
	if l == nil {
		return true
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	again := l.last == err.Error()
	l.last = err.Error()
	return !again
}
