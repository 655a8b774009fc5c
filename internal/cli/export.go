package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"agora/internal/store/archive"
)

func exportCommand(a actions, getenv func(string) string) *cobra.Command {
	var out string
	var data storeFlags
	cmd := &cobra.Command{
		Use:     "export",
		Short:   "write the whole site as JSON lines, for import --format agora",
		GroupID: siteGroup,
		Long: "The export holds everything but sessions, API tokens, limits on calls and other passing data, and so the " +
			"members' e-mails and hashes of passwords: keep it secret. Stop the server before, or export a copy: a site that is " +
			"changed meanwhile is not exported.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return errors.New("export takes no arguments; name the file with --out")
			}
			c, err := data.readKept("export")
			if err != nil {
				return err
			}
			return a.export(cmd.Context(), c, out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to `FILE` once it is complete; by default standard output")
	data.add(cmd, getenv)
	return cmd
}

// export writes the site to a file, or to standard output if its name is "".
func (p program) export(ctx context.Context, c config, file string) error {
	if c.RedisTimeout == 0 {
		c.RedisTimeout = commandTimeout
	}
	conn, s, err := p.openReadOnly(ctx, c)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer s.Close()
	began, shown := time.Now(), p.newProgress()
	var rows int64
	write := func(w io.Writer) (err error) {
		rows, err = archive.Export(ctx, s, w, archive.ExportOptions{
			OtherKeys: c.AllowOtherKeys,
			Progress: func(done, total int64) {
				shown.show(func() string { return fmt.Sprintf("export: %d of %d keys", done, total) })
			},
		})
		return err
	}
	if file == "" {
		err = write(p.stdout)
	} else {
		err = replaceFile(file, write)
	}
	shown.clear()
	if err == nil {
		fmt.Fprintf(p.stderr, "exported %d rows in %.1f s\n", rows, time.Since(began).Seconds())
	}
	return err
}

// replaceFile writes a file that only its owner may read. It replaces an earlier one when it is complete.
func replaceFile(name string, write func(io.Writer) error) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			temp.Close()
			os.Remove(temp.Name())
		}
	}()
	if err := write(temp); err != nil {
		return err
	}
	if err := temp.Sync(); err != nil {
		return err
	}
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}
