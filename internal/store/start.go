package store

import (
	"context"
	"fmt"
	"time"

	"agora/internal/store/engine"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/record"
	"agora/internal/store/rules"
)

// Away reports whether err says that a server of Redis does not answer, or not yet: Connect and Open may succeed later.
func Away(err error) bool { return connection.Away(err) }

// copyEvery is how soon a change of what a start must know is in the copies.
const copyEvery = 3 * time.Second

// openPartly opens a site while masters of a cluster are away. What is on these is known from copies. It writes
// nothing, and fails with an error of Away if it finds no site: the masters that are away may have one.
func (s *Store) openPartly(ctx context.Context, want Layout) error {
	conn := s.monitor.Connection
	site, err := connection.ReadSite(ctx, conn.Redis)
	switch {
	case err != nil:
		return err
	case site.Importing:
		return ErrImporting
	case site.Divided:
		return connection.ErrDivided
	case len(site.Layout) == 0 || site.Secret == "":
		return fmt.Errorf("there is no site, and one is created only when all masters answer: %w", connection.ErrAway)
	}
	if err := s.takeLayout(site.Layout, want); err != nil {
		return err
	}
	if s.Engine.Secret, err = record.ParseSecret(site.Secret); err != nil {
		return err
	}
	s.Rules.Take(site.Rules)
	s.Engine.Cleaner = engine.NewCleaner(s.Engine)
	s.Engine.Log.Warn("started without some masters of Redis: what the others have is served", "away", conn.Partial())
	return nil
}

// rulesCopies returns the copies of the rules; nil outside a cluster.
func (s *Store) rulesCopies(conn *Connection) *rules.Copies {
	if !conn.Cluster() {
		return nil
	}
	return &rules.Copies{
		Read: func(ctx context.Context) (record.Fields, error) {
			site, err := connection.ReadSite(ctx, conn.Redis)
			return site.Rules, err
		},
		Write: func(ctx context.Context) error {
			copies := connection.Copies{Redis: conn.Redis, Created: s.layout.Created}
			return copies.Update(ctx, s.Engine.Now())
		},
	}
}

// KeepCopies copies what a start must know to all masters of a cluster, until ctx ends: at once, and within
// seconds of each change. Elsewhere it does nothing.
func (s *Store) KeepCopies(ctx context.Context) {
	if !s.monitor.Connection.Cluster() {
		return
	}
	tick := time.NewTicker(copyEvery)
	defer tick.Stop()
	copies := connection.Copies{Redis: s.monitor.Connection.Redis, Created: s.layout.Created}
	for failing := false; ; {
		err := copies.Update(ctx, s.Engine.Now())
		if err != nil && !failing && ctx.Err() == nil {
			s.Engine.Log.Warn("a start without some masters of Redis may not know the latest settings of the site",
				"error", err)
		}
		failing = err != nil
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
