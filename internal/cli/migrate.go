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
		Long: "Stop all servers first if the data have an older layout; programs of older versions can no longer open them " +
			"afterwards. If it is interrupted, the same command goes on. Dividing indexes needs no stop: servers share the " +
			"work, and finish it.",
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
	if done, err := p.migrateLayout(ctx, c, dryRun); err != nil || !done {
		return err
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
	todo := p.printMigration(indexes, above)
	if dryRun {
		fmt.Fprintln(p.stdout, "Nothing was changed.")
		return nil
	}
	if err := p.divideAll(ctx, s, todo); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "The data have layout version %d.\n", s.Layout().Version)
	return nil
}

// migrateLayout brings the data to the layout of this program. With dryRun it only says what is to be done; done then
// reports that nothing is.
func (p program) migrateLayout(ctx context.Context, c config, dryRun bool) (done bool, err error) {
	conn, err := p.connect(ctx, c, dryRun)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	m, err := store.FindMigration(ctx, conn)
	if err != nil || !m.Needed() {
		return err == nil, err
	}
	total, err := m.Objects(ctx)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(p.stdout,
		"The layout goes from version %d to %d, with %d objects; older programs can no longer open the data.\n",
		m.From, store.LayoutVersion, total)
	if dryRun {
		fmt.Fprintln(p.stdout, "Nothing was changed. Then large indexes may be divided.")
		return false, nil
	}
	shown := p.newProgress()
	defer shown.clear()
	err = m.Run(ctx, func(n int64) {
		shown.show(func() string { return fmt.Sprintf("migrate: %d of %d objects", n, total) })
	})
	if ctx.Err() != nil {
		return false, fmt.Errorf("interrupted; the same command begins again, and until then nothing opens the data: %w",
			ctx.Err())
	}
	return err == nil, err
}

// printMigration says what is to be done, and returns the names of the indexes to divide.
func (p program) printMigration(indexes []store.Index, above int) (todo []string) {
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
