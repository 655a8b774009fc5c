// Package schemalint checks how a GraphQL schema reads: that everything is
// described, and not by its name once more; that names follow the conventions;
// and that what is deprecated names what to use instead.
package schemalint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// Finding is something in a schema that ought to be otherwise.
type Finding struct {
	// Line is where it stands, from 1.
	Line int
	// Coordinate says what it is about, such as Topic.comments(first:).
	Coordinate string
	// Problem says what is wrong.
	Problem string
}

// String is the finding in one line.
func (f Finding) String() string { return fmt.Sprintf("%d: %s %s", f.Line, f.Coordinate, f.Problem) }

// Report is what Lint has to say about a schema.
type Report struct {
	// Findings are in the order of lines; none when all is well.
	Findings []Finding
	// Checked is how many things want a description.
	Checked int
}

// Lint checks a schema in SDL. The error tells that it is no valid schema.
func Lint(sdl string) (Report, error) {
	source := &ast.Source{Name: "schema", Input: sdl}
	if _, err := gqlparser.LoadSchema(source); err != nil {
		return Report{}, err
	}
	document, err := parser.ParseSchema(source)
	if err != nil {
		return Report{}, err
	}
	l := linter{document: document, elements: elements(document)}
	l.descriptions()
	l.names()
	l.mutations()
	l.deprecations()
	slices.SortStableFunc(l.findings, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	return Report{Findings: l.findings, Checked: len(l.elements)}, nil
}

type linter struct {
	document *ast.SchemaDocument
	elements []element
	findings []Finding
}

func (l *linter) report(position *ast.Position, coordinate, problem string, args ...any) {
	l.findings = append(
		l.findings,
		Finding{Line: position.Line, Coordinate: coordinate, Problem: fmt.Sprintf(problem, args...)},
	)
}

// descriptions checks that everything has a description that says more than its name.
func (l *linter) descriptions() {
	for _, e := range l.elements {
		switch {
		case len(words(e.description)) == 0:
			l.report(e.position, e.coordinate, "has no description")
		case repeats(e.description, e.known):
			l.report(e.position, e.coordinate, "has a description that only repeats names: %q", e.description)
		}
	}
}
