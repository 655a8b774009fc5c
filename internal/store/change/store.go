// Package change writes topics and comments that were changed into the lists of other slots, and into homes.
package change

import (
	"context"
	"embed"

	"agora/internal/store/acts"
	"agora/internal/store/engine"
	"agora/internal/store/homes"
	"agora/internal/store/internal/record"
	"agora/internal/store/rules"
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
	rules  *rules.Store
}

// New returns the store of an engine and registers its tasks, marks and consumers of changes.
func New(e *engine.Engine, acts *acts.Store, homes *homes.Store, rules *rules.Store) *Store {
	s := &Store{engine: e, acts: acts, homes: homes, rules: rules}
	engine.OnMarkOf(e, "t", s.SweepTopics)
	engine.OnMarkOf(e, "c", s.SweepComments)
	e.OnTask(record.TaskCategory, func(ctx context.Context, t engine.Task, is record.Task) (string, bool, error) {
		return s.classifyCategory(ctx, is.Category, t.Cursor)
	})
	e.OnChange("tags", []engine.ChangeKind{engine.TopicWords}, s.listTags)
	return s
}
