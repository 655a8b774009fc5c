package store

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/script"
)

// LayoutVersion is the version of the layout of new data, and the only one that stores open.
const LayoutVersion = record.LayoutVersion

// Migration is what brings data of an older layout to that of this program. No server may run meanwhile.
type Migration struct {
	conn *Connection
	// From is the version of the data; LayoutVersion if there is nothing to do.
	From int
}

// FindMigration returns the migration that existing data need.
func FindMigration(ctx context.Context, conn *Connection) (*Migration, error) {
	have, err := conn.Redis.HGetAll(ctx, key.Layout).Result()
	if err != nil {
		return nil, fmt.Errorf("read the layout: %w", err)
	}
	if len(have) == 0 {
		return nil, errNoData
	}
	if err := connection.RefuseDivided(ctx, conn.Redis); err != nil {
		return nil, err
	}
	f := record.Fields(have)
	version := f.Int("version")
	if version < record.OldestLayout || version > LayoutVersion {
		return nil, layoutError(f)
	}
	if f["migrating"] != "" {
		version = f.Int("migrating")
	}
	return &Migration{conn, version}, nil
}

// Needed reports whether there is anything to do.
func (m *Migration) Needed() bool { return m.From < LayoutVersion }

// Run migrates the data. If it was interrupted, it begins again, and until it has ended no store opens them. progress
// is called with the number of objects that were migrated.
func (m *Migration) Run(ctx context.Context, progress func(objects int64)) error {
	// Older programs refuse the version, this one the field.
	err := m.conn.Redis.HSet(ctx, key.Layout, "migrating", m.From, "version", LayoutVersion).Err()
	if err == nil {
		err = m.copy(ctx)
	}
	if err == nil {
		err = MigrateObjects(ctx, m.conn, progress)
	}
	if err == nil {
		err = m.conn.Redis.HDel(ctx, key.Layout, "migrating").Err()
	}
	if err == nil {
		err = m.copy(ctx)
	}
	if err != nil {
		return fmt.Errorf("migrate the data: %w", err)
	}
	return nil
}

// copy updates the copies of the layout by which programs start while a part of a cluster is away.
func (m *Migration) copy(ctx context.Context) error {
	if !m.conn.Cluster() {
		return nil
	}
	created, err := m.conn.Redis.HGet(ctx, key.Layout, "created").Int64()
	if err != nil {
		return err
	}
	copies := connection.Copies{Redis: m.conn.Redis, Created: forum.Time(created)}
	return copies.Update(ctx, newStore(m.conn, nil).Now())
}

// migrateBatch is how many keys are read and migrated at a time.
const migrateBatch = 500

// MigrateObjects migrates each object of the data. Those that are migrated already stay as they are.
func MigrateObjects(ctx context.Context, conn *Connection, progress func(objects int64)) error {
	rdb, n := newStore(conn, nil).engine.Client, int64(0)
	return pipeline.EachKey(ctx, conn.Redis, migrateBatch, func(keys []string) error {
		b := rdb.Batch()
		for _, k := range keys {
			if !isObject(k) {
				continue
			}
			is, _ := catalogue.ReadKey(k)
			b.Run(ctx, script.ObjectMigrate{SetText: posts.SetText, Object: k, Names: catalogue.InternalNames(k),
				Post: is.Object == catalogue.OfTopic || is.Object == catalogue.OfComment, Topic: is.Object == catalogue.OfTopic})
		}
		objects := int64(b.Len())
		if objects == 0 {
			return nil
		}
		if err := b.Exec(ctx); err != nil {
			return err
		}
		n += objects
		progress(n)
		return nil
	})
}

// isObject reports whether a key is that of an object with an internal hash.
func isObject(k string) bool {
	if !catalogue.HasInternal(k) {
		return false
	}
	is, ok := catalogue.ReadKey(k)
	return ok && is.Type == catalogue.Hash
}

// Objects returns how many objects are to be migrated.
func (m *Migration) Objects(ctx context.Context) (n int64, err error) {
	err = pipeline.EachKey(ctx, m.conn.Redis, migrateBatch, func(keys []string) error {
		for _, k := range keys {
			if isObject(k) {
				n++
			}
		}
		return nil
	})
	return n, err
}
