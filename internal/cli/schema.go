package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/schemadiff"
	"agora/internal/schemalint"
)

func schemaCommand(a actions) *cobra.Command {
	return holds(
		&cobra.Command{Use: "schema COMMAND", Short: "the GraphQL schema", GroupID: otherGroup},
		&cobra.Command{
			Use: "print", Short: "print the schema in SDL",
			RunE: func(cmd *cobra.Command, _ []string) error { return a.printSchema(cmd.OutOrStdout()) },
		},
		&cobra.Command{
			Use:   "lint [flags] [FILE]",
			Short: "check the descriptions and names in the schema; exit code 1 if there are problems",
			RunE: func(cmd *cobra.Command, args []string) error {
				file := ""
				if len(args) > 0 {
					file = args[0]
				}
				return a.lintSchema(cmd.OutOrStdout(), file)
			},
		},
		&cobra.Command{
			Use:   "diff OLD [NEW]",
			Short: "say what a change of the schema does to its clients; exit code 1 if it breaks them",
			Long: "OLD and NEW are files; without NEW, OLD is compared with the schema of this program. A change is " +
				"breaking if it makes operations or their answers invalid, dangerous if clients may meet what they do not " +
				"expect, such as a new value of an enum, and otherwise safe.",
			RunE: func(cmd *cobra.Command, args []string) error {
				if len(args) < 1 || len(args) > 2 {
					return errors.New("want one file or two: the old schema, and the new one")
				}
				return a.diffSchemas(cmd.OutOrStdout(), args[0], strings.Join(args[1:], ""))
			},
		},
	)
}

func (p program) printSchema(w io.Writer) error {
	_, err := io.WriteString(w, p.schema)
	return err
}

// lintSchema checks the descriptions and names of a schema: the one in a file, or our own.
func (p program) lintSchema(w io.Writer, file string) error {
	sdl, err := p.schemaIn(file)
	if err != nil {
		return err
	}
	report, err := schemalint.Lint(sdl.Input)
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		fmt.Fprintln(w, f)
	}
	if len(report.Findings) > 0 {
		return errors.New("the schema has problems")
	}
	fmt.Fprintf(w, "%d descriptions are present and say more than the names\n", report.Checked)
	return nil
}

// schemaIn returns the schema in a file, or our own.
func (p program) schemaIn(file string) (*ast.Source, error) {
	if file == "" {
		return &ast.Source{Name: "schema.graphqls", Input: p.schema}, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return &ast.Source{Name: file, Input: string(text)}, nil
}

// diffSchemas prints the changes from one schema to another, the worst first.
func (p program) diffSchemas(w io.Writer, before, after string) error {
	was, err := p.schemaIn(before)
	if err != nil {
		return err
	}
	is, err := p.schemaIn(after)
	if err != nil {
		return err
	}
	changes, err := schemadiff.Diff(was, is)
	if err != nil {
		return err
	}
	breaking := 0
	for _, c := range changes {
		fmt.Fprintln(w, c)
		if c.Severity == schemadiff.Breaking {
			breaking++
		}
	}
	if len(changes) == 0 {
		fmt.Fprintln(w, "the schemas are the same to clients")
	}
	if breaking > 0 {
		return fmt.Errorf("changes that break clients: %d", breaking)
	}
	return nil
}
