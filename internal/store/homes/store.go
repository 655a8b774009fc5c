// Package homes writes topics into the homes of those who follow their authors, categories or tags.
package homes

import (
	"context"
	"embed"

	"agora/internal/store/engine"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/rules"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes and reads homes.
type Store struct {
	engine *engine.Engine
	lists  *listing.Store
	rules  *rules.Store
}

// New returns the store of an engine and registers its tasks and marks.
func New(e *engine.Engine, lists *listing.Store, rules *rules.Store) *Store {
	s := &Store{engine: e, lists: lists, rules: rules}
	e.OnTask(record.TaskFanOut, func(ctx context.Context, t engine.Task, is record.Task) (string, bool, error) {
		return s.runFanOut(ctx, is.Topic, t.Cursor)
	})
	e.OnTaskOnce(record.TaskHome, func(ctx context.Context, t engine.Task, is record.Task) error {
		return s.FillHome(ctx, is.User)
	})
	return s
}

// Read reads homes in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
