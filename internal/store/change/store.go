// Package change writes topics and comments that were changed into the lists of other slots, and into homes.
package change

import (
	"embed"

	"agora/internal/store/acts"
	"agora/internal/store/engine"
	"agora/internal/store/homes"
	"agora/internal/store/internal/index"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes changes.
type Store struct {
	*engine.Engine
	acts   *acts.Store
	homes  *homes.Store
	listed *index.Listed
}

// New returns the store of an engine and registers its tasks and marks.
func New(e *engine.Engine, listed *index.Listed, acts *acts.Store, homes *homes.Store) *Store {
	s := &Store{Engine: e, listed: listed, acts: acts, homes: homes}
	engine.OnMarkOf(e, "t", s.SweepTopics)
	engine.OnMarkOf(e, "c", s.SweepComments)
	return s
}
