// Package moderation does what moderators want: with posts and members, and with the rules of the site.
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
	rules      *RulesCache
}

// New returns the store of an engine, registers its task, and has the sweeps read the rules.
func New(e *engine.Engine, rules *RulesCache, notes *notify.Store, acts *acts.Store, changes *change.Store,
	posts *posts.Store, categories *categories.Store) *Store {
	s := &Store{engine: e, rules: rules, notes: notes, acts: acts, changes: changes, posts: posts,
		categories: categories}
	e.OnSweep(rules.sweep)
	e.OnTask(record.TaskPosts, func(ctx context.Context, t engine.Task, is record.Task) (string, bool, error) {
		return s.runPosts(ctx, is.User, t.Cursor)
	})
	return s
}

// Read reads pins in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
