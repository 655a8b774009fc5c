// Package notify notifies users of topics, comments and acts.
package notify

import (
	"context"
	"embed"

	"agora/internal/store/engine"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes notifications.
type Store struct {
	engine *engine.Engine
}

// New returns the store of an engine and registers its tasks and marks.
func New(e *engine.Engine) *Store {
	s := &Store{engine: e}
	e.OnTask(record.TaskWatch, func(ctx context.Context, t engine.Task, is record.Task) (string, bool, error) {
		return s.runWatch(ctx, is.Subject.Comment, t.Cursor)
	})
	e.OnTaskOnce(record.TaskNotify, func(ctx context.Context, t engine.Task, is record.Task) error {
		return s.runNotifyTask(ctx, t, is.Subject)
	})
	return s
}

// Read reads notifications in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
