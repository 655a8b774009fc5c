package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"agora/internal/store"
	"agora/internal/worker"
)

// defaultDivideAbove is the default of --divide-above on a cluster. With 541 bytes of the index for each topic
// (docs/scaling.md), an index has half a gigabyte in its slot then.
const defaultDivideAbove = 1_000_000

// divideFlag is --divide-above.
type divideFlag struct{ text string }

func (d *divideFlag) add(cmd *cobra.Command, getenv func(string) string) {
	cmd.Flags().StringVar(&d.text, "divide-above", getenv("DIVIDE_ABOVE"),
		"number of topics above which the index of the front or a category is divided into 16 parts, which a cluster can "+
			"spread over its masters; 0 is never (env DIVIDE_ABOVE, default 1000000 on a cluster, otherwise 0)")
}

// read returns config.DivideAbove.
func (d *divideFlag) read() (int, error) {
	if d.text == "" {
		return -1, nil
	}
	n, err := strconv.Atoi(d.text)
	if err != nil || n < 0 {
		return 0, errors.New("--divide-above must be a whole number, 0 or more")
	}
	return n, nil
}

// divideAbove returns the number of topics above which an index is divided; 0 is never.
func (c config) divideAbove(conn *store.Connection) int {
	switch {
	case c.DivideAbove >= 0:
		return c.DivideAbove
	case conn.Cluster():
		return defaultDivideAbove
	}
	return 0
}

func migrateCommand(a actions, getenv func(string) string) *cobra.Command {
	var dryRun bool
	var data storeFlags
	var divide divideFlag
	cmd := &cobra.Command{
		Use:     "migrate",
		Short:   "bring existing data to the layout of this program, and divide large indexes",
		GroupID: siteGroup,
		Long: "Servers of this program may run meanwhile, and share the work; those of an older program must not, and " +
			"can no longer open the data afterwards. If it is interrupted, servers finish it, or the same command does.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return errors.New("migrate takes no arguments")
			}
			c, err := data.readKept("migrate")
			if err != nil {
				return err
			}
			if c.DivideAbove, err = divide.read(); err != nil {
				return err
			}
			return a.migrate(cmd.Context(), c, dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what is to be done, and change nothing")
	data.add(cmd, getenv)
	divide.add(cmd, getenv)
	return cmd
}

// migrate upgrades the layout and divides large indexes.
func (p program) migrate(ctx context.Context, c config, dryRun bool) error {
	if c.RedisTimeout == 0 {
		c.RedisTimeout = commandTimeout
	}
	open := p.open
	if dryRun {
		open = p.openReadOnly
	}
	conn, s, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer s.Close()
	above := c.divideAbove(conn)
	indexes, err := s.Indexes(ctx, above)
	if err != nil {
		return err
	}
	todo := p.printMigration(s, indexes, above)
	switch {
	case dryRun:
		fmt.Fprintln(p.stdout, "Nothing was changed.")
		return nil
	case s.Layout().Version < store.LayoutVersion:
		if err := s.Upgrade(ctx); err != nil {
			return err
		}
	}
	if err := p.divideAll(ctx, s, todo); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "The data have layout version %d.\n", s.Layout().Version)
	return nil
}

// printMigration says what is to be done, and returns the names of the indexes to divide.
func (p program) printMigration(s *store.Store, indexes []store.Index, above int) (todo []string) {
	if v := s.Layout().Version; v < store.LayoutVersion {
		fmt.Fprintf(p.stdout, "The layout goes from version %d to %d; older programs can no longer open the data.\n", v,
			store.LayoutVersion)
	}
	for _, x := range indexes {
		switch {
		case x.Divided():
			fmt.Fprintf(p.stdout, "The index %s, with %d topics, is divided.\n", x.Name, x.Topics)
		case x.Phase != "" || above > 0:
			todo = append(todo, x.Name)
			fmt.Fprintf(p.stdout, "The index %s is to be divided: %d of %d topics are in its parts.\n", x.Name, x.Copied,
				x.Topics)
		}
	}
	return todo
}

// pollEvery is how often the progress of divisions is read.
const pollEvery = time.Second / 2

// divideAll divides indexes, and returns when all are divided.
func (p program) divideAll(ctx context.Context, s *store.Store, names []string) error {
	if len(names) == 0 {
		return nil
	}
	for _, name := range names {
		if err := s.Divide(ctx, name); err != nil {
			return err
		}
	}
	working, rest := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() { // ends with working, before divideAll does
		defer close(ended)
		worker.Run(working, s, p.log)
	}()
	defer func() { <-ended }()
	defer rest()
	shown := p.newProgress()
	defer shown.clear()
	for {
		indexes, err := s.Indexes(ctx, 0)
		if err != nil {
			return err
		}
		left, topics, copied := 0, 0, 0
		for _, x := range indexes {
			if x.Divided() || !slices.Contains(names, x.Name) {
				continue
			}
			if x.GivenUp {
				return fmt.Errorf("dividing the index %s failed many times: see the log, then run agora check --repair", x.Name)
			}
			left, topics, copied = left+1, topics+x.Topics, copied+x.Copied
		}
		if left == 0 {
			return nil
		}
		shown.show(func() string { return fmt.Sprintf("migrate: %d of %d topics", copied, topics) })
		select {
		case <-time.After(pollEvery):
		case <-ctx.Done():
			return fmt.Errorf("interrupted; servers go on with it, or the same command: %w", ctx.Err())
		}
	}
}
