package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// importOptions are the options of `import`.
type importOptions struct {
	// Format is the format of the files, as named on the command line.
	Format string
	// Source distinguishes sites of one format; "" is the format's name.
	Source string
	// SourceURL is the address of the other site; "" if it follows from Source or Format.
	SourceURL string
	// Category is for topics without one; "" is the source's name for a Stack Exchange site.
	Category string
	// Strict stops at the first bad record, or if something is missing in the files.
	Strict bool
	// Files are paths; "-" is standard input.
	Files []string
}

// importFormats are the formats that can be imported.
var importFormats = []string{"v2ex", "discourse", "hackernews", "stackexchange", "snap", formatAgora}

func importCommand(a actions, getenv func(string) string) *cobra.Command {
	var o importOptions
	var data storeFlags
	cmd := &cobra.Command{
		Use:     "import [flags] FILE…|DIR",
		Short:   "import topics, comments, members and follows, or a whole site",
		GroupID: siteGroup,
		Long: "Files contain JSON, one object per line or one array, plain or gzip; - is standard input. Those of a " +
			"Stack Exchange site are XML, and can be passed as a directory; those of SNAP are lines of two numbers: who " +
			"follows whom. Imports can be repeated: what was imported before is not imported again. With --format agora the " +
			"only file is one that export has written, and the database must be empty; give the same file again to continue " +
			"an import that was interrupted.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("pass the files to import, or - for standard input")
			}
			c, err := data.readKept("import")
			if err != nil {
				return err
			}
			if !slices.Contains(importFormats, o.Format) {
				return fmt.Errorf("--format must be one of %s", strings.Join(importFormats, ", "))
			}
			if f := cmd.Flags(); o.Format == formatAgora && (f.Changed("source") || f.Changed("source-url") ||
				f.Changed("category") || o.Strict) {
				return errors.New("--source, --source-url, --category and --strict are for other formats: --format agora imports a site as it is")
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
		"`NAME` that distinguishes sites of one format; by default the format's, or the directory's for a Stack "+
			"Exchange site")
	f.StringVar(&o.SourceURL, "source-url", "",
		"`URL` of the other site, to which relative links in posts lead; by default that of a source like "+
			"forum.example.org, of V2EX or of Hacker News")
	f.StringVar(&o.Category, "category", "Imported",
		"category for topics without one; by default the source for a Stack Exchange site")
	f.BoolVar(&o.Strict, "strict", false, "stop at the first bad record, or if posts or users are not in the files")
	data.add(cmd, getenv)
	return cmd
}
