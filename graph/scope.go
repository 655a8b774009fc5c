package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/auth"
	"agora/internal/forum"
)

// Place is where a field stands in an operation, as far as the scope that an API token needs for it depends on that.
type Place int

// The places.
const (
	// InRead is below a field that needed READ: nothing more is needed. It is the place of a payload's field without a
	// decision.
	InRead Place = iota
	// AtQuery is the root of queries and subscriptions.
	AtQuery
	// AtMutation is the root of mutations.
	AtMutation
	// InPayload is in the payload of a mutation.
	InPayload
	// InObject is in an object that a payload has: it may be named, but reading it needs READ.
	InObject
	// InOutcome is below what says only what the call did: nothing is needed.
	InOutcome
)

// PayloadFields has what the fields of payloads need, by name: InOutcome is nothing, InObject is nothing for what names
// the object and READ for the rest of it, InRead is READ.
var PayloadFields = map[string]Place{
	// What the call did.
	"errors": InOutcome, "changed": InOutcome, "created": InOutcome, "postCount": InOutcome,
	"retriedCount": InOutcome, "hasMore": InOutcome,
	"token": InOutcome, "expiresAt": InOutcome, "url": InOutcome,
	"deletedCategoryId": InOutcome, "deletedCommentId": InOutcome, "deletedGroupId": InOutcome,
	"deletedListId": InOutcome, "deletedTabId": InOutcome,
	"deletedTopicId": InOutcome, "deletedUserId": InOutcome, "endedSessionId": InOutcome, "revokedTokenId": InOutcome,
	// What it made or changed.
	"access": InObject, "act": InObject, "acts": InObject, "apiToken": InObject, "case": InObject, "category": InObject,
	"comment": InObject, "group": InObject, "invitation": InObject, "list": InObject, "revision": InObject, "subject": InObject, "tab": InObject,
	"target": InObject,
	"topic":  InObject, "topics": InObject, "user": InObject, "viewer": InObject,
	// What there is beside that.
	"commentEdge": InRead, "entries": InRead, "query": InRead, "site": InRead, "topicEdge": InRead,
}

// names are the fields that name an object in a payload.
var names = map[string]bool{"id": true, "number": true}

// Field returns the scope that a field needs at the place, "" for none, and the place of the fields below it. It is the
// rule that checks, documentation and tests follow.
func (p Place) Field(name string) (needs forum.Scope, below Place) {
	if name == "__typename" && p != AtQuery {
		return "", InOutcome
	}
	switch p {
	case AtQuery:
		return forum.ScopeRead, InRead
	case AtMutation:
		if rule, ok := MutationRules[name]; ok {
			return rule.Scope, InPayload
		}
		return forum.SessionOnly, InPayload
	case InPayload:
		if below = PayloadFields[name]; below == InRead {
			return forum.ScopeRead, InRead
		}
		return "", below
	case InObject:
		if names[name] {
			return "", InOutcome
		}
		return forum.ScopeRead, InRead
	}
	return "", p
}

// CheckScopes returns an error if the operation was sent with an API token that may not execute it: SCOPE_MISSING, or
// SESSION_REQUIRED for a mutation on the account. Nothing of it may be executed then. It looks at all fields, whatever
// @skip, @include and @defer say.
func CheckScopes(ctx context.Context, op *graphql.OperationContext) error {
	viewer := auth.ViewerFrom(ctx)
	if viewer == nil || viewer.Scopes == nil {
		return nil
	}
	at := AtQuery
	if op.Operation.Operation == ast.Mutation {
		at = AtMutation
	}
	c := scopeCheck{viewer: viewer, fragments: op.Doc.Fragments, seen: map[fragmentAt]bool{}}
	return c.check(op.Operation.SelectionSet, at)
}

// scopeCheck looks for a field whose scope the viewer's API token lacks.
type scopeCheck struct {
	viewer    *forum.Viewer
	fragments ast.FragmentDefinitionList
	seen      map[fragmentAt]bool
}

// fragmentAt is a fragment at a place; its type does not matter.
type fragmentAt struct {
	name string
	at   Place
}

func (c *scopeCheck) check(set ast.SelectionSet, at Place) error {
	if at == InRead || at == InOutcome {
		return nil
	}
	for _, s := range set {
		var err error
		switch s := s.(type) {
		case *ast.Field:
			needs, below := at.Field(s.Name)
			if err = c.lacks(s, needs); err == nil {
				err = c.check(s.SelectionSet, below)
			}
		case *ast.InlineFragment:
			err = c.check(s.SelectionSet, at)
		case *ast.FragmentSpread:
			if key := (fragmentAt{s.Name, at}); !c.seen[key] {
				c.seen[key] = true
				err = c.check(c.fragments.ForName(s.Name).SelectionSet, at)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lacks returns an error if the viewer's API token lacks the scope that a field needs, "" for none.
func (c *scopeCheck) lacks(f *ast.Field, needs forum.Scope) error {
	if needs == "" || needs != forum.SessionOnly && c.viewer.May(needs) {
		return nil
	}
	name := f.ObjectDefinition.Name + "." + f.Name
	err := forum.ScopeMissing(needs, name)
	if needs == forum.SessionOnly {
		err = &forum.Error{Code: forum.CodeSessionRequired, Field: name,
			Message: "API tokens cannot do this. Sign in with the password, and use the session."}
	}
	return &gqlerror.Error{Err: err, Message: err.Message,
		Locations: []gqlerror.Location{{Line: f.Position.Line, Column: f.Position.Column}}}
}
