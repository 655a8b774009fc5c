package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"agora/internal/config"
	"agora/internal/importer"
	"agora/internal/store"
)

// importFiles imports files of another site.
func (p program) importFiles(ctx context.Context, c config.Config, i config.Import) error {
	format := importer.Format(i.Format)
	var at atomic.Int64 // bytes read of all files
	inputs, total, err := p.inputs(ctx, i.Files, &at)
	if err != nil {
		return err
	}
	return p.withStore(ctx, c, func(s *store.Store) error {
		began := time.Now()
		bar := progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.stderr), progressbar.OptionSetDescription("import"),
			progressbar.OptionSetVisibility(isTerminal(p.stderr)),
			progressbar.OptionShowBytes(true), progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(barEvery),
			progressbar.OptionSetElapsedTime(true), progressbar.OptionClearOnFinish())
		told := 0
		sum, err := importer.Run(ctx, s, importer.Options{
			Format: format, Source: i.Source, Category: i.Category, Strict: i.Strict,
			Bad: func(err error) {
				if told++; told <= maxTold {
					bar.Clear()
					fmt.Fprintln(p.stderr, err)
				}
			},
			Progress: func(sum importer.Summary) {
				bar.Describe(fmt.Sprintf("import: %d records, %.0f/s", sum.Records, float64(sum.Records)/time.Since(began).Seconds()))
				bar.Set64(min(at.Load(), max(total, 0)))
			},
		}, inputs)
		bar.Clear()
		if told > maxTold {
			fmt.Fprintf(p.stderr, "... and %d more like these\n", told-maxTold)
		}
		if sum.Records > 0 {
			p.printImport(sum, time.Since(began))
		}
		if err == nil && sum.Files > 0 {
			err = errors.New("not all files could be read to their end")
		}
		return plain(err)
	})
}

// isTerminal tells whether somebody looks at what is written.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// maxTold is how many bad records are told one by one.
const maxTold = 50

// inputs looks whether all files are there, and adds up their sizes; -1 if that
// of one is not known. Bytes that are read are counted in at.
func (p program) inputs(ctx context.Context, files []string, at *atomic.Int64) (inputs []importer.Input, total int64, err error) {
	for _, name := range files {
		if name == "-" {
			total = -1
			inputs = append(inputs, importer.Input{Name: "standard input", Open: func() (io.ReadCloser, error) {
				return interruptible(ctx, &counting{p.stdin, at}), nil
			}})
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, 0, err
		}
		if info.IsDir() {
			return nil, 0, fmt.Errorf("%s is a directory; give its files", name)
		}
		if total >= 0 {
			total += info.Size()
		}
		inputs = append(inputs, importer.Input{Name: name, Open: func() (io.ReadCloser, error) {
			file, err := os.Open(name)
			if err != nil {
				return nil, err
			}
			return struct {
				io.Reader
				io.Closer
			}{&counting{file, at}, file}, nil
		}})
	}
	return inputs, total, nil
}

// interruptible reads from r until ctx ends, also while r gives nothing.
func interruptible(ctx context.Context, r io.Reader) io.ReadCloser {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { in.CloseWithError(ctx.Err()) })
	go func() { // ends with r, or with the next bytes after out is closed
		_, err := io.Copy(in, r)
		in.CloseWithError(err)
	}()
	return out
}

// counting counts the bytes that are read.
type counting struct {
	r io.Reader
	n *atomic.Int64
}

// Read implements io.Reader.
func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n.Add(int64(n))
	return n, err
}

func (p program) printImport(s importer.Summary, took time.Duration) {
	fmt.Fprintf(p.stdout, "%d records in %.1f s: %d topics (%d of them deleted), %d comments, %d users, %d categories, %d tabs\n",
		s.Records, took.Seconds(), s.Topics, s.DeletedTopics, s.Comments, s.Users, s.Categories, s.Tabs)
	if s.Known > 0 {
		fmt.Fprintf(p.stdout, "imported before: %d topics and comments\n", s.Known)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		fmt.Fprintf(p.stdout, "left out: %d, %s\n", s.Skipped[reason], reason)
	}
	for _, c := range []struct {
		n    int
		what string
	}{
		{s.Changes.ControlCharacters, "control characters taken out of texts"},
		{s.Changes.Overrides, "direction overrides and line separators taken out of titles and names"},
		{s.Changes.Links, "links left out that are no http or https URL"},
		{s.Changes.DeletedPosts, "posts left out that are deleted there"},
		{s.Bad, "bad records skipped"},
	} {
		if c.n > 0 {
			fmt.Fprintf(p.stdout, "%d %s\n", c.n, c.what)
		}
	}
}
