package archive

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
)

// ExportOptions configure Export.
type ExportOptions struct {
	// OtherKeys leaves out keys that do not look like a store's; otherwise they are errors.
	OtherKeys bool
	// Progress, if not nil, is called from time to time with the progress in keys.
	Progress func(done, total int64)
}

const (
	// scanSize is how many names a scan asks for.
	scanSize = 1000
	// askSize is how many keys are measured in one pipeline, and readSize how many are read in one.
	askSize, readSize = 500, 100
	// readElements is the maximum number of elements that are read in one pipeline.
	readElements = 20_000
)

// Export writes the whole site to w, and returns the number of rows. It only reads. The same data give the
// same bytes. It returns ErrChanged if Redis reports that data were changed meanwhile.
func Export(ctx context.Context, s *store.Store, w io.Writer, o ExportOptions) (rows int64, err error) {
	e := &exporter{rdb: s.Engine.Client, opts: o, out: newWriter(w), memory: sortMemory}
	if err := e.run(ctx); err != nil {
		return 0, fmt.Errorf("export: %w", err)
	}
	return e.out.rows, nil
}

// exporter is one export.
type exporter struct {
	rdb         *pipeline.Client
	opts        ExportOptions
	out         *writer
	memory      int // of each sorter
	done, total int64
}

func (e *exporter) run(ctx context.Context) error {
	before, err := connection.ReadChanges(ctx, e.rdb.Redis)
	if err != nil {
		return err
	}
	size, err := e.rdb.Redis.DBSize(ctx).Result()
	if err != nil {
		return err
	}
	e.total = 2 * size // the keys are found, then read
	if err := e.writeHeader(ctx); err != nil {
		return err
	}
	if err := e.writeRows(ctx); err != nil {
		return err
	}
	after, err := connection.ReadChanges(ctx, e.rdb.Redis)
	if err != nil {
		return err
	}
	if before.Changed(after) {
		return ErrChanged
	}
	e.progress(e.total - e.done)
	return e.out.footer()
}

func (e *exporter) progress(keys int64) {
	e.done = min(e.done+keys, e.total)
	if e.opts.Progress != nil {
		e.opts.Progress(e.done, e.total)
	}
}

// writeHeader writes the layout, without what belongs to this Redis.
func (e *exporter) writeHeader(ctx context.Context) error {
	layout, err := e.rdb.Redis.HGetAll(ctx, key.Layout).Result()
	if err != nil {
		return err
	}
	maps.DeleteFunc(layout, func(field, _ string) bool { return connection.IsRun(field) })
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(layout)) {
		pair, err := appendPair(nil, name, layout[name])
		if err != nil {
			return fmt.Errorf("the key %q: %w", key.Layout, err)
		}
		pairs = append(pairs, string(pair))
	}
	return e.out.header(pairs)
}

// writeRows writes all keys that belong to the site, in the order of their names.
func (e *exporter) writeRows(ctx context.Context) (err error) {
	names := &sorter{limit: e.memory}
	defer func() { err = join(err, names.close()) }()
	err = pipeline.EachKey(ctx, e.rdb.Redis, scanSize, func(found []string) error {
		e.progress(int64(len(found)))
		for _, name := range found {
			k, ok := catalogue.ReadKey(name)
			switch {
			case !ok && e.opts.OtherKeys && !catalogue.Ours(name):
			case !ok:
				return fmt.Errorf("the key %s is of no known kind: see agora check", name)
			case k.Export == catalogue.InRows:
				if err := names.add(name); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	batch := make([]string, 0, askSize)
	err = names.each(func(name string) error {
		if batch = append(batch, name); len(batch) < askSize {
			return nil
		}
		defer func() { batch = batch[:0] }()
		return e.writeKeys(ctx, batch)
	})
	if err != nil {
		return err
	}
	return e.writeKeys(ctx, batch)
}

// measured is a key whose size is known.
type measured struct {
	name    string
	kind    catalogue.Kind
	expires *redis.DurationCmd // since 1970
	size    *redis.IntCmd      // in elements
	read    func() ([][]byte, error)
}

// writeKeys writes keys, in this order.
func (e *exporter) writeKeys(ctx context.Context, names []string) error {
	b := e.rdb.Batch()
	keys := make([]measured, len(names))
	for i, name := range names {
		k, _ := catalogue.ReadKey(name)
		keys[i] = measured{name: name, kind: k.Kind, expires: b.PExpireTime(ctx, name)}
		switch k.Type {
		case catalogue.Hash:
			keys[i].size = b.HLen(ctx, name)
		case catalogue.ZSet:
			keys[i].size = b.ZCard(ctx, name)
		case catalogue.Set:
			keys[i].size = b.SCard(ctx, name)
		default:
			keys[i].size = b.Exists(ctx, name)
		}
	}
	if err := b.Exec(ctx); err != nil {
		for _, k := range keys {
			if k.size.Err() != nil {
				return fmt.Errorf("the key %s, which should be a %s: %w; see agora check", k.name, k.kind.Type, k.size.Err())
			}
		}
		return err
	}
	for len(keys) > 0 {
		n, elements := 0, int64(0)
		for n < min(len(keys), readSize) && (n == 0 || elements+keys[n].size.Val() <= readElements) {
			elements += keys[n].size.Val()
			n++
		}
		if err := e.writeMeasured(ctx, keys[:n], elements); err != nil {
			return err
		}
		e.progress(int64(n))
		keys = keys[n:]
	}
	return nil
}

// writeMeasured writes a few keys that fit into memory together, or a single big one.
func (e *exporter) writeMeasured(ctx context.Context, keys []measured, elements int64) error {
	if elements > readElements {
		return e.writeKey(keys[0], func(add func([]byte) error) error { return e.eachElement(ctx, keys[0], add) })
	}
	b := e.rdb.Batch()
	for i := range keys {
		keys[i].queue(ctx, b)
	}
	if err := b.Exec(ctx); err != nil {
		return err
	}
	for _, k := range keys {
		err := e.writeKey(k, func(add func([]byte) error) error {
			elements, err := k.read()
			for _, element := range elements {
				if err == nil {
					err = add(element)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// writeKey writes the rows of one key, whose elements each passes to its argument.
func (e *exporter) writeKey(k measured, each func(add func([]byte) error) error) error {
	err := e.out.begin(&k.kind, k.name, k.expires.Val().Milliseconds())
	if err == nil {
		err = each(e.out.add)
	}
	if err == nil {
		err = e.out.end()
	}
	if err != nil {
		return fmt.Errorf("the key %q: %w", k.name, err)
	}
	return nil
}
