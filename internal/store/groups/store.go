// Package groups keeps groups, their members and managers.
//
// Which groups a user is in is a field of the user, so that reading a session needs nothing else. The sets of members
// follow from it. Who manages a group is in the slot of the groups.
package groups

import (
	"embed"

	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes groups.
type Store struct{ engine *engine.Engine }

// New returns the store of an engine and registers its marks.
func New(e *engine.Engine) *Store {
	s := &Store{engine: e}
	engine.OnMarkOf(e, "g", s.sweepUsers)
	e.OnMarkSet(key.GroupDirty, s.sweepGroups)
	e.OnSweep(s.endMemberships)
	return s
}

// Read reads groups in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
