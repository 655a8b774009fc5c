package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"agora/internal/store"
)

func migrateCommand(a actions, getenv func(string) string) *cobra.Command {
	var dryRun bool
	var data storeFlags
	cmd := &cobra.Command{
		Use:     "migrate",
		Short:   "bring existing data to the layout of this program",
		GroupID: siteGroup,
		Long: "Stop all servers first if the data have an older layout; programs of older versions can no longer open them " +
			"afterwards. If it is interrupted, the same command goes on.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return errors.New("migrate takes no arguments")
			}
			c, err := data.readKept("migrate")
			if err != nil {
				return err
			}
			return a.migrate(cmd.Context(), c, dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what is to be done, and change nothing")
	data.add(cmd, getenv)
	return cmd
}

// migrate upgrades the layout.
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
	if dryRun {
		fmt.Fprintln(p.stdout, "Nothing was changed.")
		return nil
	}
	shown := p.newProgress()
	defer shown.clear()
	err = s.Upgrade(ctx, func(n int64) { shown.show(func() string { return fmt.Sprintf("migrate: %d users", n) }) })
	if err != nil {
		return err
	}
	shown.clear()
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
	total, err := conn.Redis.DBSize(ctx).Result()
	if err != nil {
		return false, err
	}
	fmt.Fprintf(p.stdout,
		"The layout goes from version %d to %d, with %d keys; older programs can no longer open the data.\n",
		m.From, store.LayoutVersion, total)
	if dryRun {
		fmt.Fprintln(p.stdout, "Nothing was changed.")
		return false, nil
	}
	shown := p.newProgress()
	defer shown.clear()
	err = m.Run(ctx, func(n int64) {
		shown.show(func() string { return fmt.Sprintf("migrate: %d of %d keys", n, total) })
	})
	if ctx.Err() != nil {
		return false, fmt.Errorf("interrupted; the same command begins again, and until then nothing opens the data: %w",
			ctx.Err())
	}
	return err == nil, err
}
