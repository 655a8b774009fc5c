// Package rules keeps what administrators set for the whole site while it runs: its rules and its blocklist.
package rules

import (
	"context"
	"embed"

	"agora/internal/store/acts"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store keeps the rules of the site.
type Store struct {
	engine *engine.Engine
	acts   *acts.Store
	cache  *Cache
}

// New returns the store of an engine, has the sweeps read the rules, and registers its marks.
func New(e *engine.Engine, cache *Cache, acts *acts.Store) *Store {
	e.OnSweep(func(ctx context.Context, b *pipeline.Batch) func(context.Context) error { return cache.sweep(ctx, b) })
	s := &Store{engine: e, cache: cache, acts: acts}
	e.OnMarkSet(key.AccessMarks, s.sweepAccess)
	return s
}
