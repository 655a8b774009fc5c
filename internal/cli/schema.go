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
			Short: "check the descriptions and names in the schema; exit code 1 if there are problems",
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

// lintSchema checks the descriptions and names of a schema: the one in a file, or our own.
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
		return errors.New("the schema has problems")
	}
	fmt.Fprintf(w, "%d descriptions are present and say more than the names\n", report.Checked)
	return nil
}
