package httpserver

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/httpserver/live"
)

const (
	// usualAge is how long shared caches may reuse an answer, in seconds, unless maxAges says otherwise.
	usualAge = 5
	// slowAge is that of what moderators and administrators change.
	slowAge = 60
	// schemaAge is that of introspection.
	schemaAge = 300
)

// maxAges are the types of objects that may be reused for longer than usualAge, in seconds. That of a PageInfo is
// bounded by its connection.
var maxAges = map[string]int{
	"Site": slowAge, "PageInfo": slowAge,
	"Category": slowAge, "CategoryConnection": slowAge, "CategoryEdge": slowAge,
	"Tab": slowAge, "TabConnection": slowAge, "TabEdge": slowAge,
	"Tag": slowAge, "TagConnection": slowAge, "TagEdge": slowAge,
}

// maxAge returns for how many seconds shared caches may reuse the answer to a request, or 0. Only answers that are the
// same for everybody may be: to GETs without token and cookie, for no field that is about the viewer.
func (t *endpoint) maxAge(r *http.Request, op live.Operation) int {
	if !t.site.Cache || op.Kind != ast.Query || !cacheable(r) || r.Header.Get("Cookie") != "" ||
		r.Header.Get(TraceHeader) != "" {
		return 0
	}
	a := aging{fragments: op.Context.Doc.Fragments, age: schemaAge}
	a.look(op.Context.Operation.SelectionSet)
	return a.age
}

// aging finds the lowest age of what an operation selects, whatever @skip and @include say.
type aging struct {
	fragments ast.FragmentDefinitionList
	seen      []string // fragments
	age       int
}

func (a *aging) look(set ast.SelectionSet) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			a.age = min(a.age, ageOf(sel))
			a.look(sel.SelectionSet)
		case *ast.InlineFragment:
			a.look(sel.SelectionSet)
		case *ast.FragmentSpread:
			if f := a.fragments.ForName(sel.Name); f != nil && !slices.Contains(a.seen, sel.Name) {
				a.seen = append(a.seen, sel.Name)
				a.look(f.SelectionSet)
			}
		}
	}
}

// ageOf returns the age of a field's object, without its fields.
func ageOf(f *ast.Field) int {
	name := f.Definition.Type.Name()
	switch {
	case strings.HasPrefix(f.Name, "viewer") || strings.HasSuffix(f.Name, "Viewer") || name == "Viewer",
		f.Definition.Directives.ForName("auth") != nil:
		return 0
	case strings.HasPrefix(f.Name, "__") || strings.HasPrefix(name, "__") || len(f.SelectionSet) == 0:
		return schemaAge
	case maxAges[name] > 0:
		return maxAges[name]
	}
	return usualAge
}

// cacheControl returns the Cache-Control of an answer that has an ETag.
func cacheControl(maxAge int) string {
	if maxAge == 0 {
		return "no-cache" // always revalidated
	}
	return fmt.Sprintf("public, max-age=%d", maxAge)
}
