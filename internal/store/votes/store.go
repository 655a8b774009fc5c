// Package votes counts votes on topics and comments, and clicks on topics.
package votes

import (
	"context"
	"embed"

	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/rules"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes votes.
type Store struct {
	engine  *engine.Engine
	changes *change.Store
	posts   *posts.Store
	rules   *rules.Store
}

// New returns the store of an engine and registers its tasks and marks.
func New(e *engine.Engine, changes *change.Store, posts *posts.Store, rules *rules.Store) *Store {
	s := &Store{engine: e, changes: changes, posts: posts, rules: rules}
	e.OnTaskOnce(record.TaskVote, func(ctx context.Context, t engine.Task, is record.Task) error {
		return s.runVote(ctx, is.Topic, is.User, t.Cursor)
	})
	return s
}

// Read reads votes in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
