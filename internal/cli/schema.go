package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

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
			Short: "check that everything in the schema is described, and named by the conventions; exit code 1 when not",
			RunE: func(cmd *cobra.Command, args []string) error {
				file := ""
				if len(args) > 0 {
					file = args[0]
				}
				return a.lintSchema(cmd.OutOrStdout(), file)
			},
		},
	)
}

func (p program) printSchema(w io.Writer) error {
	_, err := io.WriteString(w, p.schema)
	return err
}

// lintSchema checks how a schema reads: the one in a file, or our own.
func (p program) lintSchema(w io.Writer, file string) error {
	sdl := p.schema
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		sdl = string(text)
	}
	report, err := schemalint.Lint(sdl)
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		fmt.Fprintln(w, f)
	}
	if len(report.Findings) > 0 {
		return errors.New("the schema has faults")
	}
	fmt.Fprintf(w, "%d descriptions are there and say more than the names do\n", report.Checked)
	return nil
}
