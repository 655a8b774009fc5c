// Package schemalint checks the style of a GraphQL schema: everything has a description that does
// not just repeat names; names follow the conventions; deprecated elements name a replacement.
package schemalint

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// Finding is a problem in a schema.
type Finding struct {
	// Line is its line, from 1.
	Line int
	// Coordinate is the schema coordinate of the element, such as Topic.comments(first:).
	Coordinate string
	// Problem describes what is wrong.
	Problem string
}

// String formats the finding on one line.
func (f Finding) String() string { return fmt.Sprintf("%d: %s %s", f.Line, f.Coordinate, f.Problem) }

// Report is the result of Lint.
type Report struct {
	// Findings are in order of lines.
	Findings []Finding
	// Checked is the number of elements that need a description.
	Checked int
}

// Lint checks a schema in SDL. It returns an error if the schema is invalid.
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

// descriptions checks that every element has a description that says more than its name.
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
