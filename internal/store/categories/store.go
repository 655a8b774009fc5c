// Package categories keeps categories and tabs.
package categories

import (
	"embed"

	"agora/internal/store/acts"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/internal/key"
	"agora/internal/store/rules"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes categories and tabs.
type Store struct {
	engine  *engine.Engine
	acts    *acts.Store
	follows *follows.Store
	rules   *rules.Store
}

// New returns the store of an engine and registers its tasks and marks.
func New(e *engine.Engine, acts *acts.Store, follows *follows.Store, rules *rules.Store) *Store {
	s := &Store{engine: e, acts: acts, follows: follows, rules: rules}
	e.OnMarkSet(key.CategoryDirty, s.sweepCategories)
	return s
}

// Read reads names of categories and tabs in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
