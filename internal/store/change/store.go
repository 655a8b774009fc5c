// Package change writes topics and comments that were changed into the lists of other slots, and into homes.
package change

import (
	"embed"

	"agora/internal/store/acts"
	"agora/internal/store/engine"
	"agora/internal/store/homes"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes changes.
type Store struct {
	engine *engine.Engine
	acts   *acts.Store
	homes  *homes.Store
}

// New returns the store of an engine and registers its tasks, marks and consumers of changes.
func New(e *engine.Engine, acts *acts.Store, homes *homes.Store) *Store {
	s := &Store{engine: e, acts: acts, homes: homes}
	engine.OnMarkOf(e, "t", s.SweepTopics)
	engine.OnMarkOf(e, "c", s.SweepComments)
	e.OnChange("tags", []engine.ChangeKind{engine.TopicWords}, s.listTags)
	return s
}
