// Package moderation does what moderators want with posts and members, and undoes it.
package moderation

import (
	"context"
	"embed"

	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
	"agora/internal/store/posts"
	"agora/internal/store/rules"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store does what moderators want.
type Store struct {
	engine     *engine.Engine
	notes      *notify.Store
	acts       *acts.Store
	changes    *change.Store
	posts      *posts.Store
	categories *categories.Store
	rules      *rules.Store
}

// New returns the store of an engine and registers its task.
func New(e *engine.Engine, rules *rules.Store, notes *notify.Store, acts *acts.Store, changes *change.Store,
	posts *posts.Store, categories *categories.Store) *Store {
	s := &Store{engine: e, rules: rules, notes: notes, acts: acts, changes: changes, posts: posts,
		categories: categories}
	e.OnTask(record.TaskPosts, func(ctx context.Context, t engine.Task, is record.Task) (string, bool, error) {
		return s.runPosts(ctx, is.User, t.Cursor)
	})
	return s
}

// Read reads pins in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
