package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"agora/internal/backup"
	"agora/internal/store"
)

// backupOptions are the options of `backup`.
type backupOptions struct {
	// Dir is where the backups are.
	Dir string
	// Keep is how many are kept; 0 keeps all.
	Keep int
}

func backupCommand(a actions, getenv func(string) string) *cobra.Command {
	var o backupOptions
	var data storeFlags
	cmd := &cobra.Command{
		Use:     "backup DIR",
		Short:   "copy the data into DIR as they are at one moment, while the site runs",
		GroupID: siteGroup,
		Long: "Each backup is a directory in DIR with a snapshot of Redis, which gets its name when it is complete. It has " +
			"everything, such as hashes of passwords and sessions: keep it secret, and on another machine. A cluster cannot be " +
			"copied at one moment: stop the servers, and use export.",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.Dir, err = oneDirectory("backup", args); err != nil {
				return err
			}
			if o.Keep < 0 {
				return errors.New("--keep must be at least 1, or 0 for all")
			}
			c, err := data.readKept("backup")
			if err != nil {
				return err
			}
			return a.backup(cmd.Context(), c, o)
		},
	}
	cmd.Flags().IntVar(&o.Keep, "keep", 0, "delete all backups in DIR but the newest `N`; 0 keeps all")
	data.add(cmd, getenv)
	return cmd
}

// oneDirectory returns the argument of a command.
func oneDirectory(command string, args []string) (string, error) {
	if len(args) != 1 || args[0] == "" {
		return "", fmt.Errorf("%s takes one directory, that of the backups", command)
	}
	return args[0], nil
}

// backup writes a backup, and deletes old ones.
func (p program) backup(ctx context.Context, c config, o backupOptions) error {
	c.RedisTimeout = cmp.Or(c.RedisTimeout, commandTimeout)
	conn, err := p.reach(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	s, err := store.OpenReadOnly(ctx, conn, store.Layout{TimeZone: c.TimeZone}, store.WithLog(p.log))
	if err != nil {
		return err
	}
	defer s.Close()
	m := backup.Manifest{Time: time.Now(), Layout: s.Layout().Version}
	if m.Program, err = p.version(); err != nil {
		return err
	}
	if m.Redis, m.Keys, err = conn.Size(ctx); err != nil {
		return err
	}
	b, err := backup.Write(o.Dir, m, func(w io.Writer) error { return conn.Snapshot(ctx, w) })
	if err != nil {
		return fmt.Errorf("no backup was made: %w", err)
	}
	fmt.Fprintf(p.stdout, "%s: %d bytes, about %d keys, in %.1f s\n", b.Path, b.Bytes, b.Keys, time.Since(b.Time).Seconds())
	if o.Keep == 0 {
		return nil
	}
	deleted, err := backup.Keep(o.Dir, o.Keep)
	for _, path := range deleted {
		fmt.Fprintf(p.stdout, "deleted %s\n", path)
	}
	if err != nil {
		return fmt.Errorf("the backup is complete, but old ones were not deleted: %w", err)
	}
	return nil
}
