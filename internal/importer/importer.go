package importer

import (
	"context"
	"fmt"
	"io"
	"iter"
	"regexp"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/text"
)

// Options configure an import.
type Options struct {
	// Format is the format of all files.
	Format Format
	// Source distinguishes sites of one format; "" means the format's name.
	Source string
	// Category is the name of the category for discussions without one. For StackExchange, "" means
	// the source's name.
	Category string
	// SourceURL is the address of the other site, to which relative links in its posts lead; "" means
	// that of a source which is named after its host, or that of the format, if there is one.
	SourceURL string
	// Strict ends the import at the first invalid record, and if something that the files name is not
	// in them.
	Strict bool
	// Bad is called with the error of each invalid record, and of each file that cannot be read to
	// its end.
	Bad func(error)
	// Progress is called from time to time with the summary so far.
	Progress func(Summary)
	// Again is called with how many more times the input of this name will be opened, as soon as
	// that is known. It is called by another goroutine during Run.
	Again func(input string, times int)
	// rest is the wait before a step is retried; 0 means firstRest.
	rest time.Duration
	// window is how many bytes of rows StackExchange holds in memory; 0 means windowBytes.
	window int
	origin
}

var sourcePattern = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// check sets defaults and validates the options. now is the time of the import.
func (o *Options) check(now forum.Time) error {
	o.now = now
	if o.Source == "" {
		o.Source = string(o.Format)
	}
	if o.rest == 0 {
		o.rest = firstRest
	}
	if !o.Format.IsValid() {
		return fmt.Errorf("unknown format %q", o.Format)
	}
	if !sourcePattern.MatchString(o.Source) {
		return fmt.Errorf("the source %q must consist of 1 to 64 letters, digits, '.', '_' and '-'", o.Source)
	}
	if o.Category == "" && o.Format == StackExchange {
		o.Category = o.Source
	}
	var err error
	if o.Category, err = text.Line([]string{"category"}, o.Category, 1, forum.MaxName); err != nil {
		return err
	}
	return o.locate()
}

// Input is one file to import.
type Input struct {
	// Name is the file's name for messages.
	Name string
	// Open opens it for reading.
	Open func() (io.ReadCloser, error)
}

// Summary counts what an import has done.
type Summary struct {
	// Records counts the rows of the files: topics, posts, members, votes and edges, each of which is
	// counted once more as what became of it: Topics, Comments, Members, Votes, Known, Follows,
	// KnownFollows, Skipped or Bad.
	Records int
	// Topics, Comments, Users, Categories and Tabs were created. Existing categories and tabs with
	// the same name are counted when first used.
	Topics, Comments, Users, Categories, Tabs int
	// Members are the rows of members, and Votes those of votes that the counts of posts contain.
	Members, Votes int
	// Known topics and comments had been imported before.
	Known int
	// Follows are new edges between users. KnownFollows existed already, or one of their users was
	// deleted.
	Follows, KnownFollows int
	// Skipped counts valid records that were left out, by reason.
	Skipped map[string]int
	// Missing counts what the files name that is not in them, by kind.
	Missing map[string]int
	// Bad counts records that could not be parsed or written.
	Bad int
	// Files counts files that could not be read to their end.
	Files int
	// Changes counts the changes made to texts.
	Changes Changes
}

// Run imports files. Objects imported before are left alone, so Run is idempotent and can be
// repeated after any failure. It returns an error if it could not continue; invalid records and
// files are counted.
func Run(ctx context.Context, s *store.Store, o Options, inputs []Input) (Summary, error) {
	if err := o.check(s.Engine.Now()); err != nil {
		return Summary{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	chunks := make(chan chunk, 1) // one is read while another is written
	defer func() {
		cancel()
		for range chunks { // wait for the reader to end
		}
	}()
	streams, err := streamsOf(ctx, o, inputs)
	if err != nil {
		close(chunks)
		return Summary{}, err
	}
	go read(ctx, o, streams, chunks)
	w := newWriter(s, o)
	if err := w.begin(ctx); err != nil {
		return w.sum, err
	}
	for c := range w.throttled(chunks) {
		if err := w.write(ctx, c); err != nil {
			return w.sum, err
		}
		w.progress()
		if c.stop != nil {
			return w.sum, c.stop
		}
	}
	if err := ctx.Err(); err != nil || w.sum.Records == 0 {
		return w.sum, err
	}
	return w.sum, w.try(ctx, func() error { return s.Engine.Drain(ctx, true) }) // no server may run that does
}

// progressEvery is how often progress is reported while there is nothing to write.
const progressEvery = 250 * time.Millisecond

// throttled yields chunks, and reports progress while it waits for one.
func (w *writer) throttled(chunks <-chan chunk) iter.Seq[chunk] {
	return func(yield func(chunk) bool) {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case c, more := <-chunks:
				if !more || !yield(c) {
					return
				}
			case <-tick.C:
				w.progress()
			}
		}
	}
}

func (w *writer) progress() {
	if w.o.Progress != nil {
		w.o.Progress(w.sum)
	}
}

// chunk is a group of records that are written together.
type chunk struct {
	records []Record
	size    int // comments and topics
	bytes   int // of text
	files   []error
	// stop is the error that makes this the last chunk; may be nil.
	stop error
}

// Limits of a chunk.
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

// streamsOf returns the inputs as streams of records: one per file, or one for all files of a
// StackExchange site. Their errors are those of a file that cannot be read to its end.
func streamsOf(ctx context.Context, o Options, inputs []Input) ([]iter.Seq2[Record, error], error) {
	if o.Format == StackExchange {
		d, err := newDump(ctx, o, inputs)
		if err != nil {
			return nil, err
		}
		return []iter.Seq2[Record, error]{d.records}, nil
	}
	var streams []iter.Seq2[Record, error]
	for _, in := range inputs {
		streams = append(streams, func(yield func(Record, error) bool) {
			file, err := in.Open()
			if err != nil {
				yield(Record{}, err)
				return
			}
			defer file.Close()
			Read(file, in.Name, o)(yield)
		})
	}
	return streams, nil
}

// read reads streams into chunks. It closes the channel at the end, or when ctx is done.
func read(ctx context.Context, o Options, streams []iter.Seq2[Record, error], chunks chan<- chunk) {
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
	k := items{}
	for _, records := range append(streams, k.missing) {
		take(o, records, k, &c, send)
		if c.stop != nil {
			break
		}
		if ctx.Err() != nil {
			return
		}
	}
	send()
}

// take reads one stream into chunks. It ends early if send fails, or after setting c.stop.
func take(o Options, records iter.Seq2[Record, error], k items, c *chunk, send func() bool) {
	for r, err := range records {
		if err != nil {
			if c.files = append(c.files, err); o.Strict {
				c.stop = err
				return
			}
			continue
		}
		c.add(r)
		k.add(r)
		if o.Strict {
			if c.stop = r.stops(); c.stop != nil {
				return
			}
		}
		if c.full() && !send() {
			return
		}
	}
}
