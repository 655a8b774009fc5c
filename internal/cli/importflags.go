package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
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

func importCommand(a actions, getenv func(string) string) *cobra.Command {
	var o importOptions
	var data storeFlags
	cmd := &cobra.Command{
		Use:     "import [flags] FILE…|DIR",
		Short:   "import topics, comments, members and whom they follow",
		GroupID: siteGroup,
		Long: "Files hold JSON, one object a line or one array, plain or gzip; - is standard input. Those of a " +
			"Stack Exchange site are XML, and a directory stands for them; those of SNAP are lines of two numbers, who " +
			"follows whom. What was imported before is left alone, so that a run may be repeated.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("give the files to import, or - for standard input")
			}
			c, err := data.readKept("import")
			if err != nil {
				return err
			}
			if !slices.Contains(importFormats, o.Format) {
				return fmt.Errorf("--format must be one of %s", strings.Join(importFormats, ", "))
			}
			if o.Format == "stackexchange" && !cmd.Flags().Changed("category") {
				o.Category = "" // named after the site
			}
			o.Files = args
			return a.importFiles(cmd.Context(), c, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Format, "format", "", strings.Join(importFormats, ", "))
	f.StringVar(&o.Source, "source", "",
		"`NAME` that tells sites of one format apart; the format's if left out, and the directory's of a Stack "+
			"Exchange site")
	f.StringVar(&o.Category, "category", "Imported",
		"category for topics that have none; of a Stack Exchange site the source if left out")
	f.BoolVar(&o.Strict, "strict", false, "stop at the first bad record")
	data.add(cmd, getenv)
	return cmd
}
