package archive

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// target is the database into which a site is imported. Its layout, which makes it a site, is written last;
// until then the key key.Import keeps stores from opening it.
type target struct {
	conn *store.Connection
	sum  string // of the export
	run  string // this process; the latest import may write
}

// newRun returns a random name.
func newRun() string { return rand.Text() }

// Fields of key.Import.
const (
	fieldSum  = "sum"
	fieldRun  = "run"
	fieldRows = "rows"
)

var errTaken = errors.New("another process continues this import")

// begin claims an empty database, or one with an interrupted import of the same export. It returns how many
// rows are written.
func (t *target) begin(ctx context.Context, otherKeys bool) (rows int64, err error) {
	rdb := t.conn.Redis
	begun, err := rdb.HGetAll(ctx, key.Import).Result()
	if err != nil {
		return 0, err
	}
	if len(begun) == 0 {
		if err := t.requireEmpty(ctx, otherKeys); err != nil {
			return 0, err
		}
		if err := rdb.HSetNX(ctx, key.Import, fieldSum, t.sum).Err(); err != nil {
			return 0, err
		}
		if begun, err = rdb.HGetAll(ctx, key.Import).Result(); err != nil {
			return 0, err
		}
	}
	if begun[fieldSum] != t.sum {
		return 0, &TargetError{"the import of another export into this database was interrupted: give that file again, or " +
			"empty the database"}
	}
	if err := rdb.HSet(ctx, key.Import, fieldRun, t.run).Err(); err != nil {
		return 0, err
	}
	rows, _ = strconv.ParseInt(begun[fieldRows], 10, 64)
	return rows, t.refuseServer(ctx, rows)
}

// requireEmpty fails if the database holds keys.
func (t *target) requireEmpty(ctx context.Context, otherKeys bool) error {
	return pipeline.EachKey(ctx, t.conn.Redis, scanSize, func(names []string) error {
		for _, name := range names {
			if _, known := catalogue.ReadKey(name); known || !otherKeys || catalogue.Ours(name) {
				return &TargetError{fmt.Sprintf("the database is not empty: it holds the key %s. An export can only be imported "+
					"into an empty database", name)}
			}
		}
		return nil
	})
}

// refuseServer gives the claim up if a server has created a site in the database before it could see the
// claim.
func (t *target) refuseServer(ctx context.Context, rows int64) error {
	created, err := t.conn.Redis.HExists(ctx, key.Layout, "created").Result()
	if err != nil || !created || rows > 0 {
		return err
	}
	if err := t.owned(ctx, func(pipe redis.Pipeliner) { pipe.Del(ctx, key.Import) }); err != nil {
		return err
	}
	return &TargetError{"the database is not empty: a server has just created a site in it"}
}

// note records that rows are written, so that an interrupted import continues there.
func (t *target) note(ctx context.Context, rows int64) error {
	return t.owned(ctx, func(pipe redis.Pipeliner) { pipe.HSet(ctx, key.Import, fieldRows, rows) })
}

// finish migrates what an older version has exported, writes the layout and ends the import.
func (t *target) finish(ctx context.Context, layout map[string]string) error {
	if err := store.Migrate(ctx, t.conn, record.Fields(layout).Int("version"), func(int64) {}); err != nil {
		return err
	}
	layout["version"] = strconv.Itoa(record.LayoutVersion)
	// First, because a layout without it would raise the sequences.
	if err := t.conn.NoteRun(ctx); err != nil {
		return err
	}
	if err := t.conn.Redis.HSet(ctx, key.Layout, layout).Err(); err != nil {
		return err
	}
	return t.owned(ctx, func(pipe redis.Pipeliner) { pipe.Del(ctx, key.Import) })
}

// owned executes a transaction, unless another process has taken the import over.
func (t *target) owned(ctx context.Context, do func(redis.Pipeliner)) error {
	err := pipeline.Universal(t.conn.Redis).Watch(ctx, func(tx *redis.Tx) error {
		run, err := tx.HGet(ctx, key.Import, fieldRun).Result()
		if err != nil && !pipeline.IsNil(err) {
			return err
		}
		if run != t.run {
			return errTaken
		}
		_, err = tx.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			do(pipe)
			return nil
		})
		return err
	}, key.Import)
	if errors.Is(err, redis.TxFailedErr) {
		return errTaken
	}
	return err
}
