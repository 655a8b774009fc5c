package store

import (
	"context"
	"errors"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Layout holds the settings that are fixed with the data.
type Layout struct {
	// TimeZone is the IANA name of the zone in which days begin; "" means that of existing data, or UTC for
	// new data.
	TimeZone string
	// Created is when the layout was written, Version its version; Open sets them.
	Created forum.Time
	Version int
}

// Layout returns the layout of the data when they were opened.
func (s *Store) Layout() Layout { return s.layout }

// openLayout writes the layout of new data or checks that of existing data. Each field is written only
// once, by the first process.
func (s *Store) openLayout(ctx context.Context, want Layout) error {
	zone := want.TimeZone
	if zone == "" {
		zone = "UTC"
	}
	if err := s.refuseUnreadable(ctx); err != nil { // before writing
		return err
	}
	pipe := s.Engine.Client.Redis.Pipeline()
	pipe.HSetNX(ctx, key.Layout, "version", record.LayoutVersion)
	pipe.HSetNX(ctx, key.Layout, "partitions", forum.Partitions)
	pipe.HSetNX(ctx, key.Layout, "created", int64(s.Engine.Now()))
	pipe.HSetNX(ctx, key.Layout, "timeZone", zone)
	have := pipe.HGetAll(ctx, key.Layout)
	if _, err := pipe.Exec(ctx); err != nil {
		return fmt.Errorf("write the layout: %w", err)
	}
	// Again, for an import that began meanwhile: it looks for a layout once it has begun.
	if err := s.refuseImport(ctx); err != nil {
		return err
	}
	return s.takeLayout(have.Val(), want)
}

// ErrImporting is the error for data that are only a part of a site.
var ErrImporting = errors.New("the data are incomplete: a site is being imported, or its import was interrupted. Run " +
	"agora import --format agora with the same file again, or empty the database")

// refuseImport returns ErrImporting if an import of an export has begun and not ended.
func (s *Store) refuseImport(ctx context.Context) error {
	n, err := s.Engine.Client.Redis.Exists(ctx, key.Import).Result()
	if err != nil {
		return fmt.Errorf("read the layout: %w", err)
	}
	if n > 0 {
		return ErrImporting
	}
	return nil
}

// refuseUnreadable returns ErrImporting, or the error for data with divided lists.
func (s *Store) refuseUnreadable(ctx context.Context) error {
	if err := s.refuseImport(ctx); err != nil {
		return err
	}
	return connection.RefuseDivided(ctx, s.monitor.Connection.Redis)
}

// readLayout checks the layout of existing data.
func (s *Store) readLayout(ctx context.Context, want Layout) error {
	if err := s.refuseUnreadable(ctx); err != nil {
		return err
	}
	have, err := s.Engine.Client.Redis.HGetAll(ctx, key.Layout).Result()
	if err != nil {
		return fmt.Errorf("read the layout: %w", err)
	}
	if len(have) == 0 {
		return errNoData
	}
	return s.takeLayout(have, want)
}

var errNoData = fmt.Errorf("no Agora data in Redis: the key %s is missing", key.Layout)

// layoutError returns why a program does not open data with a layout.
func layoutError(f record.Fields) error {
	switch version := f.Int("version"); {
	case f["migrating"] != "":
		return fmt.Errorf("the migration of the data to layout version %s was interrupted: run agora migrate again",
			f["version"])
	case f.IsWhole("version", int64(OldestLayout())) && version < record.LayoutVersion:
		return fmt.Errorf("the data have layout version %d, and this program needs version %d: stop all servers, then run "+
			"agora migrate", version, record.LayoutVersion)
	case f.IsWhole("version", record.LayoutVersion+1):
		return fmt.Errorf("a newer version of Agora has written the data, with layout version %d, but this program has "+
			"version %d, and none can go back: use that version again, or restore a backup", version, record.LayoutVersion)
	}
	return fmt.Errorf("the data have layout version %s, which this program cannot bring to version %d", f["version"],
		record.LayoutVersion)
}

// takeLayout compares a stored layout with what this program supports and with the requested one.
func (s *Store) takeLayout(f record.Fields, want Layout) error {
	switch {
	case f.Int("version") != record.LayoutVersion || f["migrating"] != "":
		return layoutError(f)
	case f.Int("partitions") != forum.Partitions:
		return fmt.Errorf("the data have %s partitions, but this program has %d", f["partitions"], forum.Partitions)
	case want.TimeZone != "" && want.TimeZone != f["timeZone"]:
		return fmt.Errorf("the time zone of these data is %s and cannot be changed to %s", f["timeZone"], want.TimeZone)
	}
	s.layout = Layout{TimeZone: f["timeZone"], Created: f.Time("created"), Version: f.Int("version")}
	s.monitor.Created, s.monitor.TimeZone = s.layout.Created, s.layout.TimeZone
	var err error
	if s.Engine.Location, err = forum.LoadZone(f["timeZone"]); err != nil {
		return fmt.Errorf("load the time zone of these data: %w; set it to the zone of the servers that "+
			"wrote them: HSET %s timeZone Area/City", err, key.Layout)
	}
	return nil
}

// ReserveIDs ensures that ids up to n are never assigned, so that objects can be imported under their own
// ids. It fails once ids exist or another number was reserved; with the same n it is idempotent, from any
// process.
func (s *Store) ReserveIDs(ctx context.Context, n int64) error {
	return connection.ReserveIDs(ctx, s.monitor.Connection.Redis, n)
}

// StartSequence makes last the last id of a partition, unless it has assigned a higher one. The demo uses
// it to post a topic under a well-known number.
func (s *Store) StartSequence(ctx context.Context, p forum.Partition, last int64) error {
	return s.Engine.Client.Run(ctx, script.SeqRaise{Sequence: key.Sequence(p), Given: last}).Err()
}
