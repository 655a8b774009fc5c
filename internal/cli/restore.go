package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"agora/internal/backup"
	"agora/internal/store"
)

// restoreOptions are the options of `restore`.
type restoreOptions struct {
	// Dir is a backup, or has backups.
	Dir string
	// Verify restores nothing.
	Verify bool
}

func restoreCommand(a actions, getenv func(string) string) *cobra.Command {
	var o restoreOptions
	var data storeFlags
	cmd := &cobra.Command{
		Use:     "restore DIR",
		Short:   "put a backup into a new --data directory or an empty Redis, or only --verify it, and check it",
		GroupID: siteGroup,
		Long: "DIR is a backup, or a directory of backups, of which the newest is taken. All data are checked, as by check; " +
			"exit code 1 if an invariant is broken. Into a Redis they are exported and imported, so members must sign in again. " +
			"Verification, and a Redis, need space for two copies where temporary files are (env TMPDIR).",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if o.Dir, err = oneDirectory("restore", args); err != nil {
				return err
			}
			if o.Verify {
				if cmd.Flags().Changed("data") || cmd.Flags().Changed("redis-url") {
					return errors.New("--verify restores nothing; leave out --data and --redis-url")
				}
				data.DataDir, data.RedisURL, data.Durability, data.ReadFrom = "", "", durabilityLocal, readFromMaster
			}
			c, err := data.read()
			if err == nil && !o.Verify && !c.kept() {
				err = errors.New("restore needs --verify, --data with a new directory, or --redis-url with an empty database")
			}
			if err != nil {
				return err
			}
			return a.restore(cmd.Context(), c, o)
		},
	}
	cmd.Flags().BoolVar(&o.Verify, "verify", false, "check a temporary copy, and restore nothing")
	data.add(cmd, getenv)
	return cmd
}

// restore puts a backup where the configuration says, and checks it.
func (p program) restore(ctx context.Context, c config, o restoreOptions) error {
	b, err := backup.Find(o.Dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%s: %s, layout %d, about %d keys, of %s\n", b.Path, b.Time.UTC().Format(time.DateTime),
		b.Layout, b.Keys, b.Redis)
	if !o.Verify && c.DataDir != "" {
		if err := b.Restore(c.DataDir); err != nil {
			return err
		}
		return p.checkRestored(ctx, c)
	}
	temp, err := os.MkdirTemp("", "agora-restore-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	loaded := c
	loaded.RedisURL, loaded.DataDir = "", filepath.Join(temp, "data")
	if err := b.Restore(loaded.DataDir); err != nil {
		return err
	}
	if err := p.checkRestored(ctx, loaded); err != nil || o.Verify {
		return err
	}
	file := filepath.Join(temp, "site.jsonl")
	if err := p.export(ctx, loaded, file); err != nil {
		return err
	}
	c.RedisTimeout = cmp.Or(c.RedisTimeout, commandTimeout)
	return p.importSite(ctx, c, []string{file})
}

// checkRestored verifies the invariants of restored data, once it has finished the mutations that were in progress in
// them, as a server does.
func (p program) checkRestored(ctx context.Context, c config) error {
	c.RedisTimeout = cmp.Or(c.RedisTimeout, commandTimeout)
	return p.withStore(ctx, c, func(s *store.Store) error {
		unswept, err := s.FlushDespite(ctx)
		if err := errors.Join(unswept, err); err != nil {
			return fmt.Errorf("finish what was in progress: %w", err)
		}
		return p.checkStore(ctx, s, c, checkOptions{})
	})
}
