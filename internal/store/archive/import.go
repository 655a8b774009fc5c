package archive

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"agora/internal/store"
	"agora/internal/store/catalogue"
)

// ImportOptions configure Import.
type ImportOptions struct {
	// TimeZone, if not "", must be that of the site.
	TimeZone string
	// OtherKeys accepts a database that holds keys that do not look like a store's.
	OtherKeys bool
	// Progress, if not nil, is called from time to time with the number of rows that are written.
	Progress func(rows int64)
}

// Summary is the result of an import.
type Summary struct {
	// Rows is the number of rows of the export. Earlier of them were written by interrupted imports.
	Rows, Earlier int64
}

const (
	// batchRows and batchBytes bound one pipeline; a row takes one or two commands.
	batchRows  = 500
	batchBytes = 1 << 20
	// batches is how many pipelines are sent between two records of the progress, sendersAtOnce how many at
	// the same time.
	batches       = 8
	sendersAtOnce = 2
)

// Import writes an exported site into an empty database. open opens the file; it is read twice: before
// anything is written, all of it is verified. An import that was interrupted is continued if the same file
// is given again; until then no store opens the data. It returns a *DamagedError or *VersionError for a file
// that cannot be imported, and a *TargetError for a database that is not empty.
func Import(
	ctx context.Context, conn *store.Connection, open func() (io.ReadCloser, error), o ImportOptions,
) (Summary, error) {
	conn.AddLastHook()
	sum, err := runImport(ctx, conn, open, o)
	if err != nil {
		return sum, fmt.Errorf("import: %w", err)
	}
	return sum, nil
}

func runImport(
	ctx context.Context, conn *store.Connection, open func() (io.ReadCloser, error), o ImportOptions,
) (Summary, error) {
	if o.Progress == nil {
		o.Progress = func(int64) {}
	}
	first, last, err := verify(ctx, open, o)
	if err != nil {
		return Summary{}, err
	}
	if zone := first.Layout["timeZone"]; o.TimeZone != "" && o.TimeZone != zone {
		return Summary{}, &TargetError{fmt.Sprintf("the time zone of the site is %s and cannot be changed to %s", zone,
			o.TimeZone)}
	}
	t := &target{conn: conn, sum: last.sum, run: newRun()}
	earlier, err := t.begin(ctx, o.OtherKeys)
	if err != nil {
		return Summary{}, err
	}
	sum := Summary{Rows: last.rows, Earlier: earlier}
	if err := t.copyRows(ctx, open, sum, o); err != nil {
		return sum, err
	}
	return sum, t.finish(ctx, first.Layout)
}

// verify reads a file to its end, and returns its first and last line.
func verify(
	ctx context.Context, open func() (io.ReadCloser, error), o ImportOptions,
) (header, footer, error) {
	file, err := open()
	if err != nil {
		return header{}, footer{}, err
	}
	defer file.Close()
	r, err := newReader(file)
	if err != nil {
		return header{}, footer{}, err
	}
	for ctx.Err() == nil {
		line, err := r.nextRow()
		if err == io.EOF {
			return r.first, *r.last, nil
		}
		if err != nil {
			return header{}, footer{}, err
		}
		if err := verifyRow(string(line)); err != nil {
			return header{}, footer{}, &DamagedError{r.line, err.Error()}
		}
		if r.line%batchRows == 0 {
			o.Progress(0)
		}
	}
	return header{}, footer{}, ctx.Err()
}

// batch is a list of rows that are sent in one pipeline.
type batch []row

// copyRows writes the rows that are not yet written.
func (t *target) copyRows(ctx context.Context, open func() (io.ReadCloser, error), sum Summary, o ImportOptions) error {
	file, err := open()
	if err != nil {
		return err
	}
	defer file.Close()
	all, ctx := errgroup.WithContext(ctx) // ends before copyRows does
	queue := make(chan batch, batches)
	all.Go(func() error {
		defer close(queue)
		return readBatches(ctx, file, t.sum, sum.Earlier, queue)
	})
	all.Go(func() error {
		for written := sum.Earlier; ; {
			n, err := t.sendSome(ctx, queue)
			if err != nil || n == 0 {
				return err
			}
			written += n
			if err := t.note(ctx, written); err != nil {
				return err
			}
			o.Progress(written)
		}
	})
	return all.Wait()
}

// readBatches passes all rows but the first skip ones to queue. It fails if the file is not the one with
// that sum.
func readBatches(ctx context.Context, file io.Reader, sum string, skip int64, queue chan<- batch) error {
	r, err := newReader(file)
	if err != nil {
		return err
	}
	var next batch
	size := 0
	pass := func() error {
		select {
		case queue <- next:
			next, size = nil, 0
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for {
		line, err := r.nextRow()
		if err == io.EOF && r.last.sum == sum {
			return pass()
		}
		if err == io.EOF {
			return errors.New("the file was changed while it was read")
		}
		if err != nil {
			return err
		}
		if r.line-1 <= skip {
			continue
		}
		w, err := parseRow(string(line))
		if err != nil {
			return err
		}
		next = append(next, w)
		if size += len(line); len(next) >= batchRows || size >= batchBytes {
			if err := pass(); err != nil {
				return err
			}
		}
	}
}

// sendSome writes a few batches, and returns how many rows that were; 0 at the end.
func (t *target) sendSome(ctx context.Context, queue <-chan batch) (rows int64, err error) {
	all, ctx := errgroup.WithContext(ctx) // ends before sendSome does
	all.SetLimit(sendersAtOnce)
	for range batches {
		next, ok := <-queue
		if !ok {
			break
		}
		rows += int64(len(next))
		all.Go(func() error { return t.send(ctx, next) })
	}
	return rows, all.Wait()
}

// send writes rows in one pipeline. Each can be written again.
func (t *target) send(ctx context.Context, rows batch) error {
	if len(rows) == 0 {
		return nil
	}
	pipe := t.conn.Redis.Pipeline()
	for _, w := range rows {
		w.queue(ctx, pipe)
	}
	_, err := pipe.Exec(ctx)
	return err
}

// commands are the commands that write keys.
var commands = map[catalogue.Type]string{catalogue.Hash: "hset", catalogue.ZSet: "zadd", catalogue.Set: "sadd", catalogue.String: "set"}

// queue queues the commands that write a row.
func (w row) queue(ctx context.Context, pipe redis.Pipeliner) {
	args := make([]any, 0, 2+len(w.content))
	pipe.Do(ctx, append(append(args, commands[w.kind.Type], w.key), w.content...)...)
	if w.expires > 0 {
		pipe.Do(ctx, "pexpireat", w.key, w.expires)
	}
}
