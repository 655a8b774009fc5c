package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"agora/internal/importer"
	"agora/internal/store/archive"
)

// formatAgora is the format of `export`.
const formatAgora = "agora"

// importSite imports an export into an empty database.
func (p program) importSite(ctx context.Context, c config, files []string) (err error) {
	if len(files) != 1 {
		return errors.New("an export is one file; pass only that")
	}
	name := files[0]
	if name == "-" {
		if name, err = p.spool(ctx); err != nil {
			return err
		}
		defer os.Remove(name)
	}
	var read, total atomic.Int64 // bytes
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return fmt.Errorf("%s is a directory; pass a file", name)
	}
	total.Store(2 * info.Size()) // it is verified, then read again
	conn, err := p.connect(ctx, c, false)
	if err != nil {
		return err
	}
	defer conn.Close()
	began, shown := time.Now(), p.newImportProgress(&read, &total)
	sum, err := archive.Import(ctx, conn, func() (io.ReadCloser, error) { return openCounted(name, &read) },
		archive.ImportOptions{
			TimeZone:  c.TimeZone,
			OtherKeys: c.AllowOtherKeys,
			Progress:  func(rows int64) { shown.show(importer.Summary{Records: int(rows)}) },
		})
	shown.clear()
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "%d rows in %.1f s\n", sum.Rows, time.Since(began).Seconds())
	if sum.Earlier > 0 {
		fmt.Fprintf(p.stdout, "imported before: %d rows\n", sum.Earlier)
	}
	return nil
}

// spool copies standard input into a temporary file, which the caller removes.
func (p program) spool(ctx context.Context) (name string, err error) {
	file, err := os.CreateTemp("", "agora-import-*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(file, interruptible(ctx, p.stdin))
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(file.Name())
		return "", fmt.Errorf("copy standard input to a file: %w", err)
	}
	return file.Name(), nil
}

// openCounted opens a file, and adds the bytes that are read to n.
func openCounted(name string, n *atomic.Int64) (io.ReadCloser, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{&counting{file, n}, file}, nil
}
