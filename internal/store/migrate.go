package store

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// LayoutVersion is the version of the layout of new data, and the only one that stores open.
const LayoutVersion = record.LayoutVersion

// Migrations bring data to the next version of the layout, by the version that the data have. Each is called with some
// keys at a time, with each key at least once, and leaves alone what is migrated already. There are none, since all
// releases have the same version.
var Migrations = map[int]func(ctx context.Context, conn *Connection, keys []string) error{}

// OldestLayout returns the oldest version of data that this program migrates, and of exports that it imports.
func OldestLayout() int {
	version := LayoutVersion
	for Migrations[version-1] != nil {
		version--
	}
	return version
}

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
	if version < OldestLayout() || version > LayoutVersion {
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
// is called with the number of keys that were migrated.
func (m *Migration) Run(ctx context.Context, progress func(keys int64)) error {
	// Older programs refuse the version, this one the field.
	err := m.conn.Redis.HSet(ctx, key.Layout, "migrating", m.From, "version", LayoutVersion).Err()
	if err == nil {
		err = m.copy(ctx)
	}
	if err == nil {
		err = Migrate(ctx, m.conn, m.From, progress)
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
	return copies.Update(ctx, newStore(m.conn, nil).Engine.Now())
}

// migrateBatch is how many keys are read and migrated at a time.
const migrateBatch = 500

// Migrate brings data to the layout of this program from a version, at which it may be repeated. It leaves alone
// what the layout itself says.
func Migrate(ctx context.Context, conn *Connection, from int, progress func(keys int64)) error {
	n := int64(0)
	for version := from; version < LayoutVersion; version++ {
		err := pipeline.EachKey(ctx, conn.Redis, migrateBatch, func(keys []string) error {
			if err := Migrations[version](ctx, conn, keys); err != nil {
				return err
			}
			n += int64(len(keys))
			progress(n)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
