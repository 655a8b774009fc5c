// Package listing reads pages of the lists of topics, comments, users and others, the objects that they list, and the
// logs of what happens to them.
package listing

import (
	"embed"

	"agora/internal/store/engine"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store reads lists and takes snapshots.
type Store struct {
	engine    *engine.Engine
	snapshots *Builds
}

// New returns the store of an engine.
func New(e *engine.Engine, snapshots *Builds) *Store {
	s := &Store{engine: e, snapshots: snapshots}
	return s
}

// Read reads lists in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
