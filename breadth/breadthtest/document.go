package breadthtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Generator generates random documents for a schema.
type Generator struct {
	// Depth is the maximum nesting of selections.
	Depth int
	// Fields is the approximate number of fields of a document.
	Fields int
	// Scalars returns values of custom scalars, as JSON; by default they are strings.
	Scalars map[string]func(r *rand.Rand) string
	// Parts adds @defer and @stream to documents; all are then queries.
	Parts bool

	skip     []string
	schema   *ast.Schema
	overlaps map[string][]*ast.Definition
}

// NewGenerator returns a generator for a schema, without some types.
func NewGenerator(schema *ast.Schema, depth, fields int, without ...string) *Generator {
	g := &Generator{Depth: depth, Fields: fields, skip: without, schema: schema, overlaps: map[string][]*ast.Definition{}}
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range schema.Types {
			if !yield(name) {
				return
			}
		}
	})
	for _, a := range names {
		for _, b := range names {
			if g.overlap(schema.Types[a], schema.Types[b]) {
				g.overlaps[a] = append(g.overlaps[a], schema.Types[b])
			}
		}
	}
	return g
}

// overlap reports whether an object can be of both types.
func (g *Generator) overlap(a, b *ast.Definition) bool {
	if !a.IsCompositeType() || !b.IsCompositeType() || strings.HasPrefix(a.Name, "__") ||
		slices.Contains(g.skip, a.Name) || slices.Contains(g.skip, b.Name) {
		return false
	}
	for _, t := range g.schema.GetPossibleTypes(a) {
		if slices.Contains(g.schema.GetPossibleTypes(b), t) {
			return true
		}
	}
	return false
}

// draft is a document under construction.
type draft struct {
	*Generator
	r         *rand.Rand
	left      int // fields
	declared  []string
	variables []string          // members of a JSON object
	arguments map[string]string // of fields without an alias
	aliases   map[string]string // field and arguments of each alias
	fragments []fragment
}

type fragment struct {
	name, text string
	on         *ast.Definition
	weight     int
}

// Document returns a document and the JSON of its variables. It is valid most of the time.
func (g *Generator) Document(r *rand.Rand) (text, variables string) {
	d := &draft{Generator: g, r: r, left: 1 + r.IntN(g.Fields), arguments: map[string]string{},
		aliases: map[string]string{}}
	root, kind := g.schema.Query, "query"
	switch n := r.IntN(12); {
	case g.Parts:
	case n == 0 && g.schema.Mutation != nil:
		root, kind = g.schema.Mutation, "mutation"
	case n == 1 && g.schema.Subscription != nil:
		root, kind = g.schema.Subscription, "subscription"
	}
	var body string
	if kind == "subscription" {
		body = "{ " + d.field(root, g.Depth) + " }"
	} else {
		body = d.selections(root, g.Depth)
	}
	var b strings.Builder
	b.WriteString(kind + " Q")
	if len(d.declared) > 0 {
		b.WriteString("(" + strings.Join(d.declared, ", ") + ")")
	}
	b.WriteString(" " + body)
	for _, f := range d.fragments {
		fmt.Fprintf(&b, "\nfragment %s on %s %s", f.name, f.on.Name, f.text)
	}
	return b.String(), "{" + strings.Join(d.variables, ",") + "}"
}

// chance returns true once in n times.
func (d *draft) chance(n int) bool { return d.r.IntN(n) == 0 }

// selections returns a selection set on a type.
func (d *draft) selections(on *ast.Definition, depth int) string {
	var parts []string
	for n := 1 + d.r.IntN(4); n > 0; n-- {
		switch k := d.r.IntN(20); {
		case k == 0:
			parts = append(parts, d.pick("", "t: ", "n: ")+"__typename"+d.condition())
		case k <= 3 && depth > 0:
			parts = append(parts, d.inline(on, depth))
		case k <= 5 && depth > 0:
			parts = append(parts, d.spread(on, depth))
		case on.Kind == ast.Union:
			parts = append(parts, d.inline(on, depth))
		default:
			parts = append(parts, d.field(on, depth))
		}
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

func (d *draft) inline(on *ast.Definition, depth int) string {
	if depth == 0 {
		return "__typename"
	}
	if d.chance(6) {
		return "..." + d.condition() + d.deferred() + " " + d.selections(on, depth-1)
	}
	t := d.overlaps[on.Name][d.r.IntN(len(d.overlaps[on.Name]))]
	return "... on " + t.Name + d.condition() + d.deferred() + " " + d.selections(t, depth-1)
}

// spread uses a named fragment, an existing or a new one.
func (d *draft) spread(on *ast.Definition, depth int) string {
	if len(d.fragments) > 0 && d.chance(2) {
		f := d.fragments[d.r.IntN(len(d.fragments))]
		if slices.Contains(d.overlaps[on.Name], f.on) && f.weight <= d.left {
			d.left -= f.weight
			return "..." + f.name + d.condition() + d.deferred()
		}
	}
	t := d.overlaps[on.Name][d.r.IntN(len(d.overlaps[on.Name]))]
	before := d.left
	text := d.selections(t, depth-1)
	f := fragment{fmt.Sprintf("F%d", len(d.fragments)), text, t, before - d.left}
	d.fragments = append(d.fragments, f)
	return "..." + f.name + d.condition() + d.deferred()
}

// deferred returns @defer, or nothing.
func (d *draft) deferred() string {
	if !d.Parts || d.chance(2) {
		return ""
	}
	if d.chance(4) {
		return " @defer(if: " + d.boolean() + ")"
	}
	return d.pick(" @defer", ` @defer(label: "l")`)
}

// streamed returns @stream for a list, or nothing.
func (d *draft) streamed(t *ast.Type) string {
	if !d.Parts || t.Elem == nil || d.chance(2) {
		return ""
	}
	return d.pick(" @stream", " @stream(initialCount: 1)", ` @stream(initialCount: 2, label: "s")`)
}

// field returns one field of a type.
func (d *draft) field(on *ast.Definition, depth int) string {
	d.left--
	var fit []*ast.FieldDefinition
	for _, f := range on.Fields {
		leaf := d.schema.Types[f.Type.Name()].IsLeafType()
		if !strings.HasPrefix(f.Name, "__") && !slices.Contains(d.skip, f.Type.Name()) && (leaf || depth > 0 && d.left > 0) {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return "__typename"
	}
	f := fit[d.r.IntN(len(fit))]
	text := d.name(f) + d.condition() + d.streamed(f.Type)
	if t := d.schema.Types[f.Type.Name()]; t.IsCompositeType() {
		text += " " + d.selections(t, depth-1)
	}
	return text
}

// name returns a field with its alias and arguments. Fields with the same response name have the same arguments
// everywhere, so that they can be merged.
func (d *draft) name(f *ast.FieldDefinition) string {
	signature := f.Name
	for _, a := range f.Arguments {
		signature += " " + a.Name + a.Type.String()
	}
	if !d.chance(3) {
		args, known := d.arguments[signature]
		if !known {
			args = d.args(f)
			d.arguments[signature] = args
		}
		return f.Name + args
	}
	alias := fmt.Sprintf("a%d", d.r.IntN(2+len(d.aliases)))
	if old, taken := d.aliases[alias]; taken {
		if name, _, _ := strings.Cut(old, "("); name == f.Name {
			return alias + ": " + old
		}
		alias = fmt.Sprintf("a%d", 100+len(d.aliases))
	}
	d.aliases[alias] = f.Name + d.args(f)
	return alias + ": " + d.aliases[alias]
}

// condition returns @skip or @include, or both, or nothing.
func (d *draft) condition() string {
	if !d.chance(10) {
		return ""
	}
	text := ""
	if d.chance(2) {
		text += " @skip(if: " + d.boolean() + ")"
	}
	if text == "" || d.chance(3) {
		text += " @include(if: " + d.boolean() + ")"
	}
	return text
}

func (d *draft) boolean() string {
	value := d.pick("true", "false")
	if d.chance(2) {
		return value
	}
	return d.variable("Boolean!", value)
}

func (d *draft) pick(of ...string) string { return of[d.r.IntN(len(of))] }
