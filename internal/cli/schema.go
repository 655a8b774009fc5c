package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v3"

	"agora/internal/schemalint"
)

func schemaCommand(a actions, stdout io.Writer) *cli.Command {
	return &cli.Command{Name: "schema", Usage: "the GraphQL schema", Commands: []*cli.Command{
		{
			Name: "print", Usage: "print the schema in SDL",
			Action: func(context.Context, *cli.Command) error { return a.printSchema(stdout) },
		},
		{
			Name: "lint", ArgsUsage: "[FILE]",
			Usage: "check that everything in the schema is described, and named by the conventions; exit code 1 when not",
			Action: func(_ context.Context, cmd *cli.Command) error {
				return a.lintSchema(stdout, cmd.Args().First())
			},
		},
	}}
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
