package importer

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/text"
)

// Options is how an import is done.
type Options struct {
	// Format is the format of all files.
	Format Format
	// Source tells sites of one format apart; "" is the format's name.
	Source string
	// Category is the name of the category for discussions that have none.
	Category string
	// Strict ends the import at the first bad record.
	Strict bool
	// Bad is told of each bad record, and of each file that cannot be read to its end.
	Bad func(error)
	// Progress is told what was done so far, now and then.
	Progress func(Summary)
	// rest is how long is waited before a step is tried again; 0 takes firstRest.
	rest time.Duration
}

var sourcePattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// check fills in what was left out, and refuses what cannot be.
func (o *Options) check() error {
	if o.Source == "" {
		o.Source = string(o.Format)
	}
	if o.rest == 0 {
		o.rest = firstRest
	}
	if !o.Format.IsValid() {
		return fmt.Errorf("there is no format %q", o.Format)
	}
	if !sourcePattern.MatchString(o.Source) {
		return fmt.Errorf("the source %q must be made of 1 to 64 letters, digits, '.', '_' and '-'", o.Source)
	}
	var err error
	if o.Category, err = text.Line([]string{"category"}, o.Category, 1, forum.MaxName); err != nil {
		return err
	}
	return nil
}

// Input is one file to import.
type Input struct {
	// Name is the file's name for messages.
	Name string
	// Open begins to read it.
	Open func() (io.ReadCloser, error)
}

// Summary counts what an import has done.
type Summary struct {
	// Records is how many records were read, of all kinds.
	Records int
	// Topics, Comments, Users, Categories and Tabs were made; DeletedTopics of the
	// topics are deleted ones. Categories and tabs that were here before under the
	// same name count when they are met first.
	Topics, DeletedTopics, Comments, Users, Categories, Tabs int
	// Known topics and comments had been imported before.
	Known int
	// Skipped counts good records that were left out, by reason.
	Skipped map[string]int
	// Bad counts records that could not be read or written.
	Bad int
	// Files counts files that could not be read to their end.
	Files int
	// Changes is what was done to texts.
	Changes Changes
}

// Run imports files. What was imported before is left alone, so that it may be
// repeated after whatever ended it. It returns an error when it could not go on;
// bad records and files are counted.
func Run(ctx context.Context, s *store.Store, o Options, inputs []Input) (Summary, error) {
	if err := o.check(); err != nil {
		return Summary{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	chunks := make(chan chunk, 1) // one is read while another is written
	go read(ctx, o, inputs, chunks)
	defer func() {
		cancel()
		for range chunks { // until the reader has ended
		}
	}()
	w := newWriter(s, o)
	if err := w.begin(ctx); err != nil {
		return w.sum, err
	}
	for c := range chunks {
		if err := w.write(ctx, c); err != nil {
			return w.sum, err
		}
		if o.Progress != nil {
			o.Progress(w.sum)
		}
		if c.stop != nil {
			return w.sum, c.stop
		}
	}
	return w.sum, ctx.Err()
}

// chunk is records that are written together.
type chunk struct {
	records []Record
	size    int // comments and topics
	bytes   int // of text
	files   []error
	// stop is why nothing comes after it.
	stop error
}

// Bounds of a chunk.
const (
	chunkSize  = 4_000
	chunkBytes = 8 << 20
)

func (c *chunk) add(r Record) {
	c.records = append(c.records, r)
	c.size++
	if r.Comment != nil {
		c.bytes += len(r.Comment.Content)
	}
	if r.Topic != nil {
		c.bytes += len(r.Topic.Content)
		c.size += len(r.Topic.Comments)
		for _, comment := range r.Topic.Comments {
			c.bytes += len(comment.Content)
		}
	}
}

func (c *chunk) full() bool { return c.size >= chunkSize || c.bytes >= chunkBytes }

// read reads the files into chunks. It closes the channel at the end, or when
// the context ends.
func read(ctx context.Context, o Options, inputs []Input, chunks chan<- chunk) {
	defer close(chunks)
	var c chunk
	send := func() bool {
		select {
		case chunks <- c:
			c = chunk{}
			return true
		case <-ctx.Done():
			return false
		}
	}
	for _, in := range inputs {
		err := readFile(o, in, &c, send)
		if err != nil {
			if c.files = append(c.files, err); o.Strict {
				c.stop = err
				break
			}
		}
		if c.stop != nil {
			break
		}
		if ctx.Err() != nil {
			return
		}
	}
	send()
}

// readFile reads one file. It ends early when send does not get rid of a chunk,
// or has set c.stop.
func readFile(o Options, in Input, c *chunk, send func() bool) error {
	file, err := in.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	for r, err := range Read(file, in.Name, o.Format) {
		if err != nil {
			return err
		}
		c.add(r)
		if r.Err != nil && o.Strict {
			c.stop = fmt.Errorf("%s:%d: %w", r.File, r.Line, r.Err)
			return nil
		}
		if c.full() && !send() {
			return nil
		}
	}
	return nil
}
