package httpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
	"github.com/vektah/gqlparser/v2/parser"
)

// Limits that stand before parsing and validation, because either can be made to
// work for minutes, or to overflow the stack, by one small request.
const (
	// MaxBody is the largest request body, in bytes.
	MaxBody = 1 << 20
	// MaxTokens is the most lexical tokens of a document.
	MaxTokens = 2000
	// MaxNameLength is the longest name in a document: validation compares unknown
	// names with all known ones, letter by letter, to suggest what was meant.
	MaxNameLength = 128
	// MaxDepth is how deep selections may be nested, fragments included. The
	// introspection that tools send needs all of it.
	MaxDepth = 15
	// MaxFields is the most fields of a document, those of a fragment counted
	// at each place that spreads it.
	MaxFields = 1000
)

// limitBody reads the whole body, and refuses one that is too large or no UTF-8.
func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
		var large *http.MaxBytesError
		switch {
		case errors.As(err, &large):
			refuse(w, http.StatusRequestEntityTooLarge, "REQUEST_TOO_LARGE", fmt.Sprintf("The body must have at most %d bytes.", MaxBody))
			return
		case err != nil:
			refuse(w, http.StatusBadRequest, "BAD_USER_INPUT", "The body cannot be read.")
			return
		case !utf8.Valid(body):
			// The JSON decoder would put U+FFFD in the place of each bad byte, so
			// that texts, and idempotency keys, that differ there become the same.
			refuse(w, http.StatusBadRequest, "BAD_USER_INPUT", "The body is not well-formed UTF-8.")
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// limits is a gqlgen extension that refuses documents over the limits. It
// remembers those that were within them.
type limits struct {
	within graphql.Cache[bool]
}

func newLimits() *limits { return &limits{within: newDocuments[bool]()} }

// ExtensionName implements graphql.HandlerExtension.
func (*limits) ExtensionName() string { return "Limits" }

// Validate implements graphql.HandlerExtension.
func (*limits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters implements graphql.OperationParameterMutator.
func (l *limits) MutateOperationParameters(ctx context.Context, p *graphql.RawParams) *gqlerror.Error {
	if ok, _ := l.within.Get(ctx, p.Query); ok {
		return nil
	}
	if err := checkDocument(p.Query); err != nil {
		return err
	}
	l.within.Add(ctx, p.Query, true)
	return nil
}

func overLimit(code, what string, limit, value int) *gqlerror.Error {
	return &gqlerror.Error{
		Message:    fmt.Sprintf("The document has too many %s: at most %d are allowed.", what, limit),
		Extensions: map[string]any{"code": code, "limit": limit, "value": value},
	}
}

// checkDocument refuses a document over the limits. One that does not parse is
// left to the parser's own error.
func checkDocument(query string) *gqlerror.Error {
	src := &ast.Source{Input: query}
	lex := lexer.New(src)
	for n := 0; ; n++ {
		token, err := lex.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			break
		}
		if token.Kind == lexer.Name && len(token.Value) > MaxNameLength {
			return &gqlerror.Error{
				Message:    fmt.Sprintf("The document has a name longer than %d characters.", MaxNameLength),
				Extensions: map[string]any{"code": "NAME_TOO_LONG", "limit": MaxNameLength, "value": len(token.Value)},
			}
		}
		if n == MaxTokens {
			return overLimit("TOO_MANY_TOKENS", "tokens", MaxTokens, n+1)
		}
	}
	doc, err := parser.ParseQuery(src)
	if err != nil {
		return nil
	}
	m := measure{doc: doc, fragments: map[string]size{}}
	for _, op := range doc.Operations {
		s := m.of(op.SelectionSet)
		if s.depth > MaxDepth {
			return overLimit("TOO_DEEP", "nested selections", MaxDepth, s.depth)
		}
		if s.fields > MaxFields {
			return overLimit("TOO_MANY_FIELDS", "fields", MaxFields, s.fields)
		}
	}
	return nil
}

// size is how much a selection comes to when its fragments are written out.
type size struct{ depth, fields int }

// measure sizes selections. Each fragment is sized once, however often it is
// spread; one that spreads itself counts nothing there, validation refuses it.
type measure struct {
	doc       *ast.QueryDocument
	fragments map[string]size
}

// ceiling keeps sums of doubling fragments from overflowing.
const ceiling = 1 << 30

func (m measure) of(set ast.SelectionSet) size {
	if len(set) == 0 {
		return size{}
	}
	total := size{depth: 1}
	for _, sel := range set {
		var s size
		switch sel := sel.(type) {
		case *ast.Field:
			s = m.of(sel.SelectionSet)
			s.depth++
			s.fields++
		case *ast.InlineFragment:
			s = m.of(sel.SelectionSet)
		case *ast.FragmentSpread:
			s = m.fragment(sel.Name)
		}
		total.depth = max(total.depth, s.depth)
		total.fields = min(total.fields+s.fields, ceiling)
	}
	return total
}

func (m measure) fragment(name string) size {
	if s, ok := m.fragments[name]; ok {
		return s
	}
	m.fragments[name] = size{}
	f := m.doc.Fragments.ForName(name)
	if f == nil {
		return size{}
	}
	s := m.of(f.SelectionSet)
	m.fragments[name] = s
	return s
}
