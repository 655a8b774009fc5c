package limit

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"pgregory.net/rapid"

	"agora/internal/test/gqltext"
	_ "agora/internal/test/testseed"
)

// drawn writes a random valid document over a schema: pages of all sizes, as literals and as variables, aliases,
// fragments in fragments, directives.
type drawn struct {
	t         *rapid.T
	schema    *ast.Schema
	fragments []string
	aliases   int
}

var (
	drawnSizes = []string{
		"",
		"null",
		"$small",
		"$none",
		"$huge",
		"0",
		"-1",
		"1",
		"3",
		"30",
		"100",
		"1000000",
		"2147483647",
	}
	drawnVariables = map[string]any{"small": int64(2), "none": nil, "huge": int64(math.MaxInt32), "yes": true, "no": false}
)

func (d *drawn) selection(typ *ast.Definition, depth int) string {
	var b strings.Builder
	b.WriteString("{__typename")
	for range rapid.IntRange(1, 3).Draw(d.t, "selections") {
		switch kind := rapid.IntRange(0, 9).Draw(d.t, "kind"); {
		case kind == 0 && depth > 0:
			fmt.Fprintf(&b, " ...%s%s", d.directive(), d.selection(typ, depth-1))
		case kind == 1 && depth > 0:
			name := fmt.Sprintf("f%d", len(d.fragments))
			d.fragments = append(d.fragments, "")
			d.fragments[len(d.fragments)-1] = fmt.Sprintf("fragment %s on %s %s", name, typ.Name, d.selection(typ, depth-1))
			for range rapid.IntRange(1, 3).Draw(d.t, "spreads") {
				fmt.Fprintf(&b, " ...%s%s", name, d.directive())
			}
		default:
			b.WriteString(d.field(typ, depth))
		}
	}
	return b.String() + "}"
}

func (d *drawn) field(typ *ast.Definition, depth int) string {
	if len(typ.Fields) == 0 { // a union
		return ""
	}
	f := rapid.SampledFrom(typ.Fields).Draw(d.t, "field")
	of := d.schema.Types[f.Type.Name()]
	if strings.HasPrefix(f.Name, "__") || depth <= 0 && !of.IsLeafType() {
		return ""
	}
	d.aliases++
	text := fmt.Sprintf(" a%d: %s", d.aliases, f.Name)
	var args []string
	for _, name := range []string{"first", "last"} {
		if f.Arguments.ForName(name) == nil {
			continue
		}
		if size := rapid.SampledFrom(drawnSizes).Draw(d.t, name); size != "" {
			args = append(args, name+":"+size)
		}
	}
	switch {
	case f.Arguments.ForName("ids") != nil:
		args = append(args, "ids:["+gqltext.Each(rapid.IntRange(0, 120).Draw(d.t, "ids"), `"x%d"`)+"]")
	case f.Arguments.ForName("id") != nil:
		args = append(args, `id:"x"`)
	case f.Arguments.ForName("by") != nil:
		args = append(args, `by:{id:"x"}`)
	case f.Arguments.ForName("name") != nil:
		args = append(args, `name:"x"`)
	case f.Arguments.ForName("content") != nil:
		args = append(args, `content:"x"`)
	case f.Arguments.ForName("category") != nil:
		args = append(args, `category:{name:"x"}`)
	case f.Name == "blocklist":
		args = append(args, "kind:WORD")
	}
	if len(args) > 0 {
		text += "(" + strings.Join(args, ",") + ")"
	}
	text += d.directive()
	if of.IsLeafType() {
		return text
	}
	return text + d.selection(of, depth-1)
}

func (d *drawn) directive() string {
	return rapid.SampledFrom([]string{"", "", "", "", " @skip(if:true)", " @skip(if:$no)", " @include(if:$yes)",
		" @include(if:$no)"}).
		Draw(d.t, "directive")
}

// naive counts rows and values from the top down, each fragment wherever it is spread.
type naive struct {
	rows, values float64
	variables    map[string]any
}

func (n *naive) count(set ast.SelectionSet, parents, page float64) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.InlineFragment:
			if !n.isSkipped(sel.Directives) {
				n.count(sel.SelectionSet, parents, page)
			}
		case *ast.FragmentSpread:
			if !n.isSkipped(sel.Directives) {
				n.count(sel.Definition.SelectionSet, parents, page)
			}
		case *ast.Field:
			if n.isSkipped(sel.Directives) {
				continue
			}
			n.values += parents
			below := parents
			listSize := sel.Definition.Directives.ForName("listSize")
			size := 0.0
			if listSize != nil {
				size = n.size(sel, listSize)
			}
			switch connection := strings.HasSuffix(sel.Definition.Type.Name(), "Connection"); {
			case sel.ObjectDefinition.Name != "" && strings.HasSuffix(sel.ObjectDefinition.Name, "Connection") &&
				(sel.Name == "nodes" || sel.Name == "edges"):
				below = parents * page
				n.rows += below
			case connection && n.readsNoRows(sel.SelectionSet):
				n.rows += parents * size
			case listSize != nil && !connection:
				below = parents * size
				n.rows += below
			}
			n.count(sel.SelectionSet, below, size)
		}
	}
}

func (n *naive) readsNoRows(set ast.SelectionSet) bool {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.InlineFragment:
			if !n.isSkipped(sel.Directives) && !n.readsNoRows(sel.SelectionSet) {
				return false
			}
		case *ast.FragmentSpread:
			if !n.isSkipped(sel.Directives) && !n.readsNoRows(sel.Definition.SelectionSet) {
				return false
			}
		case *ast.Field:
			if !n.isSkipped(sel.Directives) && (sel.Name == "nodes" || sel.Name == "edges") {
				return false
			}
		}
	}
	return true
}

func (n *naive) size(f *ast.Field, listSize *ast.Directive) float64 {
	args, found := f.ArgumentMap(n.variables), -1.0
	for _, name := range []string{"first", "last"} {
		if v, ok := args[name].(int64); ok {
			found = max(found, max(float64(v), 0))
		}
	}
	if ids, ok := args["ids"].([]any); ok || f.Arguments.ForName("ids") != nil {
		found = float64(len(ids))
	}
	if found < 0 {
		found = float64(listSize.ArgumentMap(nil)["assumedSize"].(int64))
	}
	return found
}

func (n *naive) isSkipped(list ast.DirectiveList) bool {
	for _, d := range list {
		if d.ArgumentMap(n.variables)["if"].(bool) == (d.Name == "skip") {
			return true
		}
	}
	return false
}

// The cost of a random document equals a count of everything, up to the ceiling.
func TestCostOfRandomDocuments(t *testing.T) {
	schema := gqltext.Schema(t)
	rapid.Check(t, func(t *rapid.T) {
		d := &drawn{t: t, schema: schema}
		query := "query($small:Int,$none:Int,$huge:Int,$yes:Boolean!,$no:Boolean!)" + d.selection(schema.Query, 8) +
			" fragment use on Query{a:tabs(first:$small,last:$none){totalCount} b:tabs(first:$huge) @skip(if:$yes) " +
			"@include(if:$no){totalCount}} " +
			strings.Join(d.fragments, " ")
		query = strings.Replace(query, "{__typename", "{...use __typename", 1)
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		if errs := Validate(schema, doc); errs != nil {
			t.Fatalf("%s: %v", query, errs)
		}
		n := naive{variables: drawnVariables}
		n.count(doc.Operations[0].SelectionSet, 1, 0)
		rows, values := costOf(schema, doc.Operations[0], doc.Fragments, drawnVariables, false)
		if float64(rows) != min(n.rows, ceiling) || float64(values) != min(n.values, ceiling) {
			t.Fatalf("%s: %d rows, %d values; a naive count finds %v and %v", query, rows, values, n.rows, n.values)
		}
	})
}
