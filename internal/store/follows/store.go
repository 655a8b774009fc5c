// Package follows keeps the edges between users and what they follow, block, bookmark, watch and list.
package follows

import (
	"context"
	"embed"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/homes"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes edges.
type Store struct {
	engine *engine.Engine
	notes  *notify.Store
	homes  *homes.Store
}

// New returns the store of an engine and registers its tasks and marks.
func New(e *engine.Engine, notes *notify.Store, homes *homes.Store) *Store {
	s := &Store{engine: e, notes: notes, homes: homes}
	e.OnTaskOnce(record.TaskEdge, func(ctx context.Context, t engine.Task, is record.Task) error {
		return s.RunEdge(ctx, is.Edge, t.Cursor)
	})
	e.OnTaskOnce(record.TaskList, func(ctx context.Context, t engine.Task, is record.Task) error {
		return s.WriteListed(ctx, is.User, is.List, record.ParseIDs[forum.UserID](t.Cursor))
	})
	return s
}

// Read reads edges in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
