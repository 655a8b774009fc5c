package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"agora/internal/forum"
	"agora/internal/importer"
	"agora/internal/store"
)

// importFiles imports files of another site, or an export.
func (p program) importFiles(ctx context.Context, c config, i importOptions) error {
	if c.RedisTimeout == 0 {
		c.RedisTimeout = commandTimeout
	}
	if i.Format == formatAgora {
		return p.importSite(ctx, c, i.Files)
	}
	format := importer.Format(i.Format)
	if format == importer.StackExchange {
		if err := findDump(&i); err != nil {
			return err
		}
	}
	var at, total atomic.Int64 // bytes read, and the size, of all files
	inputs, sizes, err := p.inputs(ctx, i.Files, &at)
	if err != nil {
		return err
	}
	for _, size := range sizes {
		total.Add(size)
	}
	if slices.Contains(i.Files, "-") {
		total.Store(-1)
	}
	return p.withStore(ctx, c, func(s *store.Store) error {
		began := time.Now()
		shown := p.newImportProgress(&at, &total)
		reported := 0
		sum, err := importer.Run(ctx, s, importer.Options{
			Format: format, Source: i.Source, Category: i.Category, SourceURL: i.SourceURL, Strict: i.Strict,
			Bad: func(err error) {
				if reported++; reported <= maxReported {
					shown.clear()
					fmt.Fprintln(p.stderr, err)
				}
			},
			Progress: shown.show,
			Again:    func(input string, times int) { total.Add(int64(times) * sizes[input]) },
		}, inputs)
		shown.clear()
		if reported > maxReported {
			fmt.Fprintf(p.stderr, "... and %d more like these\n", reported-maxReported)
		}
		if sum.Records > 0 {
			p.printImport(format, sum, time.Since(began))
		}
		if err == nil && sum.Files > 0 {
			err = errors.New("not all files could be read completely")
		}
		return plain(err)
	})
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// maxReported is how many bad records are reported individually.
const maxReported = 50

// findDump replaces a directory by the files of a Stack Exchange site in it, and names the source after the
// directory.
func findDump(i *importOptions) error {
	var files []string
	dirs := map[string]bool{}
	for _, name := range i.Files {
		if name == "-" {
			return errors.New("a Stack Exchange site cannot come from standard input, since its files are read more than once")
		}
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		found, dir := []string{name}, filepath.Dir(name)
		if info.IsDir() {
			entries, err := os.ReadDir(name)
			if err != nil {
				return err
			}
			found, dir = nil, name
			for _, e := range entries {
				found = append(found, filepath.Join(name, e.Name()))
			}
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return err
		}
		dirs[dir] = true
		for _, file := range found {
			if t := importer.TableOf(file); t.Imported() || t == "" && !info.IsDir() { // Run reports what is wrong with it
				files = append(files, file)
			}
		}
	}
	i.Files = files
	if len(dirs) > 1 && i.Source == "" {
		return errors.New("the files are in several directories; set the site's name with --source")
	}
	for dir := range dirs {
		i.Source = cmp.Or(i.Source, filepath.Base(dir))
	}
	return nil
}

// inputs checks that all files exist, and returns them with their total size. Bytes that are read are added to at.
func (p program) inputs(
	ctx context.Context,
	files []string,
	at *atomic.Int64,
) (inputs []importer.Input, sizes map[string]int64, err error) {
	sizes = map[string]int64{}
	for _, name := range files {
		if name == "-" {
			inputs = append(inputs, importer.Input{Name: "standard input", Open: func() (io.ReadCloser, error) {
				return interruptible(ctx, &counting{p.stdin, at}), nil
			}})
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, nil, err
		}
		if info.IsDir() {
			return nil, nil, fmt.Errorf("%s is a directory; pass its files", name)
		}
		sizes[name] += info.Size()
		inputs = append(inputs, importer.Input{Name: name, Open: func() (io.ReadCloser, error) {
			return openCounted(name, at)
		}})
	}
	return inputs, sizes, nil
}

// interruptible reads from r until ctx ends, also while r blocks.
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

func (p program) printImport(f importer.Format, s importer.Summary, took time.Duration) {
	fmt.Fprintf(p.stdout, "%d records in %.1f s: ", s.Records, took.Seconds())
	if f == importer.Snap {
		fmt.Fprintf(p.stdout, "%d users, %d follows\n", s.Users, s.Follows)
	} else {
		fmt.Fprintf(p.stdout, "%d topics, %d comments, %d users, %d categories, %d tabs\n",
			s.Topics, s.Comments, s.Users, s.Categories, s.Tabs)
	}
	if s.Members > 0 {
		fmt.Fprintf(p.stdout, "read: %d records of users\n", s.Members)
	}
	if s.Votes > 0 {
		fmt.Fprintf(p.stdout, "read: %d votes, which the counts of posts contain\n", s.Votes)
	}
	if s.Known > 0 {
		fmt.Fprintf(p.stdout, "imported before: %d topics and comments\n", s.Known)
	}
	if s.KnownFollows > 0 {
		fmt.Fprintf(p.stdout, "imported before: %d follows\n", s.KnownFollows)
	}
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		fmt.Fprintf(p.stdout, "left out: %d, %s\n", s.Skipped[reason], reason)
	}
	for _, what := range slices.Sorted(maps.Keys(s.Missing)) {
		fmt.Fprintf(p.stdout, "not in the files: %d %s\n", s.Missing[what], what)
	}
	for _, c := range []struct {
		n    int
		what string
	}{
		{s.Changes.ControlCharacters, "control characters removed from texts"},
		{s.Changes.Overrides, "direction overrides and line separators removed from titles and names"},
		{s.Changes.Links, "links left out that are not http or https URLs"},
		{s.Changes.Relative, "relative addresses left out of texts; --source-url says where they lead"},
		{s.Changes.Tags, "tags left out that are empty, too long or too many"},
		{s.Changes.Pins, fmt.Sprintf("topics not pinned, because a place has at most %d", forum.MaxPins)},
		{s.Bad, "bad records skipped"},
	} {
		if c.n > 0 {
			fmt.Fprintf(p.stdout, "%d %s\n", c.n, c.what)
		}
	}
}
