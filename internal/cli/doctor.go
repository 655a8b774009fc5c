package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"agora/internal/store"
)

// doctorOptions are the options of `doctor`.
type doctorOptions struct {
	// Site is the URL at which visitors reach the running site; "" if it is not to be asked.
	Site string
	// Strict fails because of warnings, too.
	Strict bool
}

func doctorCommand(a actions, getenv func(string) string) *cobra.Command {
	var o doctorOptions
	var flags serveFlags
	cmd := &cobra.Command{
		Use:     "doctor",
		Short:   "examine the set-up: Redis, this machine, the flags and the proxy; exit code 1 if there is a problem",
		GroupID: siteGroup,
		Long: "Run it where the server runs, with the flags and the environment of serve: it starts no server, and changes " +
			"nothing. Each item has a line: OK, or warning or problem with what to do.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return errors.New("doctor takes no arguments; name the running site with --site")
			}
			c, err := flags.configured(cmd, getenv)
			if err != nil {
				return err
			}
			return a.doctor(cmd.Context(), c, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Site, "site", "",
		"ask the running site at `URL`, through its proxy, such as https://forum.example.org; takes up to 20 s")
	f.BoolVar(&o.Strict, "strict", false, "exit with code 1 because of warnings, too")
	flags.add(cmd, getenv)
	return cmd
}

// doctor examines the set-up of a site, and fails if there are problems.
func (p program) doctor(ctx context.Context, c config, o doctorOptions) error {
	found := p.examineData(ctx, c)
	found = append(found, examineFlags(c)...)
	found = append(found, examineMachine(c)...)
	if o.Site != "" {
		asked, err := examineSite(ctx, c, o.Site)
		if err != nil {
			return err
		}
		found = append(found, asked...)
	}
	var count [store.Bad + 1]int
	for _, f := range found {
		count[f.Grade]++
		fmt.Fprintf(p.stdout, "%-8s %-28s %s\n", gradeNames[f.Grade], f.Item, oneLine(f.Text))
	}
	if count[store.Bad] > 0 || o.Strict && count[store.Warning] > 0 {
		return fmt.Errorf("problems: %d, warnings: %d", count[store.Bad], count[store.Warning])
	}
	return nil
}

// gradeNames are the names of grades in the output.
var gradeNames = [...]string{store.Good: "OK", store.Warning: "warning", store.Bad: "problem"}

// examineData examines Redis and the data.
func (p program) examineData(ctx context.Context, c config) []store.Finding {
	if !c.kept() {
		return []store.Finding{{Grade: store.Bad, Item: "data", Text: "they are kept in the memory of the server, and are lost " +
			"when it stops; use --data DIR, or --redis-url"}}
	}
	conn, err := p.reach(ctx, c)
	if err != nil {
		return []store.Finding{{Grade: store.Bad, Item: "data", Text: err.Error()}}
	}
	defer conn.Close()
	found, err := store.Examine(ctx, conn, store.Layout{TimeZone: c.TimeZone}, p.connectOptions(c, true))
	if err != nil {
		found = append(found, store.Finding{Grade: store.Bad, Item: "data", Text: err.Error()})
	}
	return append([]store.Finding{{Item: "data", Text: conn.Where}}, found...)
}

// reach connects to the data named in the configuration, which a server may be using.
func (p program) reach(ctx context.Context, c config) (*store.Connection, error) {
	if c.DataDir != "" {
		return store.ReachData(ctx, c.DataDir, p.connectOptions(c, true))
	}
	return store.Reach(ctx, c.RedisURL, p.connectOptions(c, true))
}
