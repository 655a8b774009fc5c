package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v3"
)

// importOptions is what `import` reads.
type importOptions struct {
	// Format is the files' format, as the command line says it.
	Format string
	// Source tells sites of one format apart; "" is the format's name.
	Source string
	// Category takes topics that have none; "" is the source's name, of a Stack Exchange site.
	Category string
	// Strict stops at the first bad record.
	Strict bool
	// Files are paths; "-" is standard input.
	Files []string
}

// importFormats are the formats that can be imported.
var importFormats = []string{"v2ex", "discourse", "hackernews", "stackexchange", "snap"}

func importCommand(a actions, flags []cli.Flag) *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "import topics, comments, members and whom they follow", ArgsUsage: "FILE…|DIR",
		Description: "Files hold JSON, one object a line or one array, plain or gzip; - is standard input. Those of a " +
			"Stack Exchange site are XML, and a directory stands for them; those of SNAP are lines of two numbers, who " +
			"follows whom. What was imported before is left alone, so that a run may be repeated.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "format", Usage: strings.Join(importFormats, ", ")},
			&cli.StringFlag{
				Name: "source",
				Usage: "`NAME` that tells sites of one format apart; the format's if left out, and the directory's of a Stack " +
					"Exchange site",
			},
			&cli.StringFlag{
				Name:  "category",
				Usage: "category for topics that have none; of a Stack Exchange site the source if left out",
				Value: "Imported",
			},
			&cli.BoolFlag{Name: "strict", Usage: "stop at the first bad record"},
		}, flags...),
		Action: func(ctx context.Context, cmd *cli.Command) error {
			if cmd.NArg() == 0 {
				return errors.New("give the files to import, or - for standard input")
			}
			c, err := readStore(cmd, "import")
			if err != nil {
				return err
			}
			i := importOptions{Format: cmd.String("format"), Source: cmd.String("source"), Category: cmd.String("category"),
				Strict: cmd.Bool("strict"), Files: cmd.Args().Slice()}
			if i.Format == "stackexchange" && !cmd.IsSet("category") {
				i.Category = "" // named after the site
			}
			for _, f := range importFormats {
				if i.Format == f {
					return a.importFiles(ctx, c, i)
				}
			}
			return fmt.Errorf("--format must be one of %s", strings.Join(importFormats, ", "))
		},
	}
}
