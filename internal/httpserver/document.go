package httpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"agora/breadth"
	"agora/internal/httpserver/limit"
)

// document is a document that passed all checks: within the limits, parsed, valid. It is shared and never changed.
type document struct {
	text string
	hash string // SHA-256 in hexadecimal digits
	doc  *ast.QueryDocument
	// parts reports whether it uses @defer or @stream.
	parts bool
	// eventIDs reports whether it selects a field with the id of an event.
	eventIDs bool
}

// documents finds documents by text or hash, and caches the valid ones.
type documents struct {
	schema  *ast.Schema
	limits  limit.Limits
	trusted trusted
	// fixed are the trusted ones by hash: they are never dropped.
	fixed map[string]*document
	// charge charges what it costs to parse and validate a document, or refuses that; nil if nobody does.
	charge func(context.Context, int) *refusal

	mu    sync.Mutex
	kept  *simplelru.LRU[string, *document] // by hash
	bytes int                               // total size
}

const (
	// maxDocument is the longest text that is cached, in bytes.
	maxDocument = 32 << 10
	// maxDocuments is the total size of the cached documents, in bytes.
	maxDocuments = 32 << 20
	// treeFactor is the approximate number of bytes that a parsed and validated document takes per byte of its text.
	// Measured with the documents of graph/testdata.
	treeFactor = 40
)

func newDocuments(schema *ast.Schema, limits limit.Limits, t trusted) *documents {
	d := &documents{schema: schema, limits: limits, trusted: t, fixed: map[string]*document{}}
	for _, text := range t.texts {
		hash := hashOf(text)
		if found, why := d.check(text, hash, true); why == nil { // LoadDocuments refuses a bad one
			d.fixed[hash] = found
		}
	}
	// The number of entries never decides: the shortest document has 3 bytes of text.
	kept, err := simplelru.NewLRU(maxDocuments/treeFactor, func(_ string, old *document) { d.bytes -= old.size() })
	if err != nil {
		panic(err) // only for a size below 1
	}
	d.kept = kept
	return d
}

func (d *document) size() int { return treeFactor*len(d.text) + 1024 }

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	var digits [2 * sha256.Size]byte
	hex.Encode(digits[:], sum[:])
	return string(digits[:])
}

// find returns the document that a request names or contains.
func (d *documents) find(ctx context.Context, p params) (*document, *refusal) {
	text, known, why := d.textOf(p)
	if why != nil {
		return nil, why
	}
	if known != nil {
		return known, nil
	}
	hash := hashOf(text)
	CallFrom(ctx).Operation("", "", hash)
	if p.persisted != "" && p.persisted != hash {
		return nil, badRequest("extensions.persistedQuery.sha256Hash is not the SHA-256 of the query.")
	}
	if found := d.get(hash); found != nil {
		return found, nil
	}
	if d.charge != nil {
		if why := d.charge(ctx, limit.DocumentCost(text)); why != nil {
			return nil, why
		}
	}
	found, why := d.check(text, hash, d.trusted.has(hash))
	if why == nil {
		d.add(found)
	}
	return found, why
}

// textOf returns the text of the document, or the document itself.
func (d *documents) textOf(p params) (text string, known *document, why *refusal) {
	unknown := func(code, message string) *refusal { return refused(0, code, "%s", message) }
	switch {
	case p.documentID != "" && p.query != "":
		return "", nil, badRequest("Send either query or documentId.")
	case p.documentID != "":
		if text, ok := d.trusted.text(p.documentID); ok {
			return text, nil, nil
		}
		return "", nil, unknown("PERSISTED_QUERY_NOT_FOUND", "There is no document with this id.")
	case p.query == "" && p.persisted != "":
		if text, ok := d.trusted.text("sha256:" + p.persisted); ok {
			return text, nil, nil
		}
		if known = d.get(p.persisted); known != nil && d.trusted.allows(known.hash) {
			return "", known, nil
		}
		return "", nil, unknown("PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound")
	case p.query == "":
		return "", nil, badRequest("The request has no query.")
	case hasLoneSurrogate(p.query):
		return "", nil, badRequest("The query contains half of a surrogate pair, which is not a character.")
	case d.trusted.only && !d.trusted.has(hashOf(p.query)):
		return "", nil, unknown("PERSISTED_QUERY_REQUIRED", "This server runs only known documents: send documentId.")
	}
	return p.query, nil, nil
}

// check parses and validates a document. Limits apply before each step, because one small document can take minutes
// of work; trusted documents have none.
func (d *documents) check(text, hash string, trusted bool) (*document, *refusal) {
	if !trusted {
		if err := d.limits.CheckText(text); err != nil {
			return nil, &refusal{errors: gqlerror.List{err}}
		}
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		return nil, &refusal{errors: coded(gqlerror.List{gqlerror.WrapIfUnwrapped(err)}, "GRAPHQL_PARSE_FAILED")}
	}
	if len(doc.Operations) == 0 {
		return nil, refused(0, "GRAPHQL_VALIDATION_FAILED", "The document has no operation.")
	}
	if !trusted {
		if err := d.limits.CheckDocument(doc); err != nil {
			return nil, &refusal{errors: gqlerror.List{err}}
		}
	}
	if list := limit.Validate(d.schema, doc); len(list) > 0 {
		return nil, &refusal{errors: limit.CapErrors(coded(list, "GRAPHQL_VALIDATION_FAILED"), d.limits.Errors)}
	}
	parts := strings.Contains(text, "@") && (strings.Contains(text, "defer") || strings.Contains(text, "stream"))
	return &document{text: text, hash: hash, doc: doc, parts: parts, eventIDs: selectsEventID(doc)}, nil
}

// selectsEventID reports whether a document selects a field with the id of an event. These are called eventId, or
// something that ends with EventId.
func selectsEventID(doc *ast.QueryDocument) bool {
	var in func(ast.SelectionSet) bool
	in = func(set ast.SelectionSet) bool {
		return slices.ContainsFunc(set, func(sel ast.Selection) bool {
			switch sel := sel.(type) {
			case *ast.InlineFragment:
				return in(sel.SelectionSet)
			case *ast.Field:
				return sel.Name == "eventId" || strings.HasSuffix(sel.Name, "EventId") || in(sel.SelectionSet)
			}
			return false // a fragment, which is looked at below
		})
	}
	return slices.ContainsFunc(doc.Operations, func(op *ast.OperationDefinition) bool { return in(op.SelectionSet) }) ||
		slices.ContainsFunc(doc.Fragments, func(f *ast.FragmentDefinition) bool { return in(f.SelectionSet) })
}

// coded adds a code to errors.
func coded(list gqlerror.List, code string) gqlerror.List {
	for _, err := range list {
		if err.Extensions == nil {
			err.Extensions = map[string]any{}
		}
		err.Extensions["code"] = code
	}
	return list
}

// checkStreams returns an error if a document has @stream on a field that is not a list, or with a negative
// initialCount.
func checkStreams(d *document, variables map[string]any) (found *gqlerror.Error) {
	if !d.parts {
		return nil
	}
	var look func(ast.SelectionSet)
	look = func(set ast.SelectionSet) {
		for _, sel := range set {
			switch sel := sel.(type) {
			case *ast.InlineFragment:
				look(sel.SelectionSet)
			case *ast.Field:
				look(sel.SelectionSet)
				s := sel.Directives.ForName("stream")
				if s == nil {
					continue
				}
				at := gqlerror.ErrorPosf(s.Position, "Only lists can have @stream; %s is not a list.", sel.Name)
				if sel.Definition != nil && sel.Definition.Type.Elem != nil {
					at = gqlerror.ErrorPosf(s.Position, "initialCount must not be negative.")
					if breadth.InitialCount(s, variables) >= 0 {
						continue
					}
				}
				at.Extensions = map[string]any{"code": "BAD_USER_INPUT", "argument": "initialCount"}
				found = at
			}
		}
	}
	for _, op := range d.doc.Operations {
		look(op.SelectionSet)
	}
	for _, f := range d.doc.Fragments {
		look(f.SelectionSet)
	}
	return found
}

func (d *documents) get(hash string) *document {
	if found := d.fixed[hash]; found != nil {
		return found
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	found, _ := d.kept.Get(hash)
	return found
}

func (d *documents) add(doc *document) {
	if len(doc.text) > maxDocument {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.kept.Contains(doc.hash) {
		return
	}
	d.kept.Add(doc.hash, doc)
	d.bytes += doc.size()
	for d.bytes > maxDocuments {
		d.kept.RemoveOldest()
	}
}
