package graph_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/test/gqltext"
)

// A token reads nothing through the payload of a mutation that it could not read with a query, however it asks, and a
// refused mutation is not executed.
func TestPayloadsReadNothingWithoutRead(t *testing.T) {
	b := newFullSite(t)
	profile, post, vote := b.apiToken(b.ann, forum.ScopeProfile), b.apiToken(b.ann, forum.ScopePost),
		b.apiToken(b.ann, forum.ScopeVote)
	for _, token := range []string{profile, post, vote} { // which records its use
		b.must(token, "mutation { __typename }", nil)
	}
	b.settle()
	before := b.contents()
	change := func(selection string) string {
		return `mutation { updateProfile(input: {bio: "Hello"}) { ` + selection + ` } }`
	}
	say := func(selection string) string {
		return fmt.Sprintf(`mutation { createComment(input: {topicId: %q, content: "Hello"}) { %s } }`, b.topic, selection)
	}
	for name, tt := range map[string]struct{ token, query, field string }{
		"e-mail":      {profile, change("viewer { email sessions { id } }"), "Viewer.email"},
		"sessions":    {profile, change("viewer { id sessions { id } }"), "Viewer.sessions"},
		"the site":    {post, say("comment { id topic { category { name } } }"), "Comment.topic"},
		"an id":       {post, say("comment { author { id } }"), "Comment.author"},
		"an edge":     {post, say("commentEdge { node { id } }"), "CreateCommentPayload.commentEdge"},
		"an alias":    {post, say("id: comment { id: content }"), "Comment.content"},
		"a fragment":  {post, say("...p } } fragment p on CreateCommentPayload { ...q } fragment q on CreateCommentPayload { comment { content"), "Comment.content"},
		"two places":  {post, say("...p comment { id } } } fragment p on CreateCommentPayload { comment { ...c } } fragment c on Comment { id ...d } fragment d on Node { ... on Comment { content"), "Comment.content"},
		"deferred":    {post, say("comment { id ... @defer { content } }"), "Comment.content"},
		"left out":    {post, say("comment { id content @skip(if: true) }"), "Comment.content"},
		"interface":   {vote, fmt.Sprintf(`mutation { vote(input: {subjectId: %q, direction: UP}) { subject { votes { up } } } }`, b.topic), "Votable.votes"},
		"of one type": {vote, fmt.Sprintf(`mutation { vote(input: {subjectId: %q, direction: UP}) { subject { id ... on Topic { title } } } }`, b.topic), "Topic.title"},
		"the second":  {post, say("changed: errors { code } } second: createComment(input: {topicId: \"x\", content: \"x\"}) { comment { content }"), "Comment.content"},
	} {
		a := b.ask(tt.token, tt.query, nil)
		if want := fmt.Sprintf(`"field":%q`, tt.field); a.verdict() != "SCOPE_MISSING" || !strings.Contains(a.body, want) ||
			!strings.Contains(a.body, `"scope":"READ"`) || a.Data != nil {
			t.Errorf("%s: %s; want SCOPE_MISSING with READ and %s", name, a.body, want)
		}
		b.wantUntouched(name, before, a)
	}
	a := b.ask(post, say("comment { __typename id number } errors { __typename code message path }"), nil)
	if a.verdict() != "" || a.text("createComment", "comment", "id") == "" {
		t.Errorf("what is written may be named: %s", a.body)
	}
	both := b.apiToken(b.ann, forum.ScopeRead, forum.ScopeProfile)
	wantEqual(t, "with READ", b.must(both, change("viewer { email }"), nil).text("updateProfile", "viewer", "email"),
		"ann@example.com")
}

// scoped is a field as the rule of scopes sees it: with those it needs beside those above it.
type scoped struct {
	// in is the operation down to the field, with %s for the field and what is below it.
	in    string
	path  string
	of    *ast.Definition
	field *ast.FieldDefinition
	at    graph.Place
	needs []forum.Scope // of it and of those above it
}

// scopedFields calls do for each field of the schema, from the roots down to where the rule does not change any more.
func scopedFields(t *testing.T, schema *ast.Schema, do func(scoped)) {
	var walk func(s scoped)
	walk = func(s scoped) {
		for _, f := range s.of.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			s := s
			need, below := s.at.Field(f.Name)
			s.field, s.path = f, s.path+"."+f.Name
			s.needs = append(slices.Clone(s.needs), need)
			do(s)
			settled := below == s.at || s.at == graph.AtQuery
			if of := schema.Types[f.Type.Name()]; of.IsCompositeType() && !settled {
				in, path := s.in, s.path
				types := []*ast.Definition{of}
				if of.IsAbstractType() {
					types = append(types, schema.GetPossibleTypes(of)...)
				}
				for _, one := range types {
					s.in = fmt.Sprintf(in, f.Name+argumentsOf(t, schema, f)+" { ... on "+one.Name+" { %s } }")
					s.path, s.of, s.at = path+"("+one.Name+")", one, below
					walk(s)
				}
			}
		}
	}
	walk(scoped{in: "query { %s }", path: "query", of: schema.Query, at: graph.AtQuery})
	walk(scoped{in: "mutation { %s }", path: "mutation", of: schema.Mutation, at: graph.AtMutation})
	walk(scoped{in: "subscription { %s }", path: "subscription", of: schema.Subscription, at: graph.AtQuery})
}

// argumentsOf returns the arguments that a field must have.
func argumentsOf(t *testing.T, schema *ast.Schema, f *ast.FieldDefinition) string {
	var all []string
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			of := &ast.Definition{Fields: ast.FieldList{{Name: a.Name, Type: a.Type}}}
			said := literal(schema, of, leastInput(schema, of))
			all = append(all, said[1:len(said)-1])
		}
	}
	if all == nil {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

// literal writes an input in the language of documents.
func literal(schema *ast.Schema, of *ast.Definition, in input) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(in)) {
		typ := of.Fields.ForName(name).Type
		said := fmt.Sprintf("%#v", in[name])
		switch d := schema.Types[typ.Name()]; d.Kind {
		case ast.Enum:
			said = strings.Trim(said, `"`)
		case ast.InputObject:
			if sub, ok := in[name].(input); ok {
				said = literal(schema, d, sub)
			}
		}
		all = append(all, name+": "+said)
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// document returns an operation that selects the field, and of it what is free.
func (s scoped) document(t *testing.T, schema *ast.Schema) string {
	said := s.field.Name + argumentsOf(t, schema, s.field)
	if schema.Types[s.field.Type.Name()].IsCompositeType() {
		said += " { __typename }"
	}
	return fmt.Sprintf(s.in, said)
}

// tokensToTry are the scopes of the tokens of the table: none, each, and all.
func tokensToTry() [][]forum.Scope {
	all := [][]forum.Scope{{}, forum.Scopes}
	for _, s := range forum.Scopes {
		all = append(all, []forum.Scope{s}, []forum.Scope{s, forum.ScopeRead})
	}
	return all
}

// Every field of the schema is refused to a token that lacks a scope which the rule asks for it or above it, and to no
// other.
func TestEveryFieldNeedsItsScope(t *testing.T) {
	schema := gqltext.Schema(t)
	tried, refused := 0, 0
	scopedFields(t, schema, func(s scoped) {
		text := s.document(t, schema)
		doc, errs := gqlparser.LoadQueryWithRules(schema, text, nil)
		if errs != nil {
			t.Fatalf("%s is no document: %v", text, errs)
		}
		op := &graphql.OperationContext{Doc: doc, Operation: doc.Operations[0]}
		for _, scopes := range tokensToTry() {
			var want forum.Code
			for _, need := range s.needs {
				switch {
				case want != "" || need == "" || slices.Contains(scopes, need):
				case need == forum.SessionOnly:
					want = forum.CodeSessionRequired
				default:
					want = forum.CodeScopeMissing
				}
			}
			ctx := auth.WithCaller(t.Context(), auth.Caller{Viewer: &forum.Viewer{ID: 1, Scopes: scopes}})
			if got := forum.CodeOf(graph.CheckScopes(ctx, op)); got != want {
				t.Errorf("%s with %v: %q; want %q", s.path, scopes, got, want)
			}
			if tried++; want != "" {
				refused++
			}
		}
		if err := graph.CheckScopes(auth.WithCaller(t.Context(), auth.Caller{Viewer: &forum.Viewer{ID: 1}}), op); err != nil {
			t.Errorf("%s with a session: %v", s.path, err)
		}
	})
	if tried < 10_000 || refused == tried {
		t.Errorf("%d calls were tried, and %d of them are refused; want some of each", tried, refused)
	}
}

// Each field of a payload has a decision, and what needs no scope leads to nothing else.
func TestEveryFieldOfPayloadsHasADecision(t *testing.T) {
	schema, found := gqltext.Schema(t), map[string]bool{}
	scopedFields(t, schema, func(s scoped) {
		composite := schema.Types[s.field.Type.Name()].IsCompositeType()
		switch s.at {
		case graph.InPayload:
			decided, ok := graph.PayloadFields[s.field.Name]
			if found[s.field.Name] = true; !ok {
				t.Errorf("%s has no decision: add %s to PayloadFields in graph/scope.go, as InOutcome if it says only what the "+
					"call did, as InObject if it is what the call made or changed, else as InRead", s.path, s.field.Name)
			}
			plain := !composite
			if decided == graph.InObject && plain || decided == graph.InOutcome && !plain && s.field.Name != "errors" {
				t.Errorf("%s is decided as if it were %s an object", s.path, map[bool]string{true: "", false: "not"}[plain])
			}
		case graph.InOutcome, graph.InObject:
			if need, _ := s.at.Field(s.field.Name); need == "" && composite {
				t.Errorf("%s is read without READ, and leads to another object", s.path)
			}
		}
	})
	for name := range graph.PayloadFields {
		if !found[name] {
			t.Errorf("no payload has a field %s, but PayloadFields does", name)
		}
	}
}

// The description of each mutation ends with the scope that it needs.
func TestDescriptionsNameScopes(t *testing.T) {
	for name, rule := range ruledMutations(t) {
		want := "API tokens need " + string(rule.Scope) + "."
		if rule.Scope == forum.SessionOnly {
			want = "Not with API tokens."
		}
		if said := gqltext.Schema(t).Mutation.Fields.ForName(name).Description; !strings.HasSuffix(said, want) {
			t.Errorf("the description of %s ends with %q; want %q", name, said[max(0, len(said)-40):], want)
		}
	}
}

// Through the handler, a token with only the scope of a mutation is refused each field of its payload that needs READ,
// and nothing is executed.
func TestHandlerRefusesFieldsOfPayloads(t *testing.T) {
	b := newFullSite(t)
	root, schema := b.admin("ada"), gqltext.Schema(t)
	tokens := map[forum.Scope]string{}
	for _, s := range forum.Scopes {
		tokens[s] = b.apiToken(root, s)
		b.must(tokens[s], "mutation { __typename }", nil)
	}
	b.settle()
	before, tried := b.contents(), 0
	var last answer
	scopedFields(t, schema, func(s scoped) {
		need := s.needs[len(s.needs)-1]
		if s.at != graph.InPayload && s.at != graph.InObject || need == "" || s.needs[0] == forum.SessionOnly {
			return
		}
		last = b.ask(tokens[s.needs[0]], s.document(t, schema), nil)
		if tried++; last.verdict() != "SCOPE_MISSING" || !strings.Contains(last.body, fmt.Sprintf(`"scope":%q`, need)) {
			t.Errorf("%s with %s: %s; want SCOPE_MISSING with %s", s.path, s.needs[0], last.body, need)
		}
	})
	b.wantUntouched("refused mutations", before, last)
	if tried < 300 {
		t.Errorf("%d fields were tried; want those of all payloads", tried)
	}
}
