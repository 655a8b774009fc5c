// Package moderation does what moderators want: with posts and members, and with the rules of the site.
package moderation

import (
	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/notify"
	"agora/internal/store/posts"
)

// Store does what moderators want.
type Store struct {
	*engine.Engine
	notes      *notify.Store
	acts       *acts.Store
	changes    *change.Store
	posts      *posts.Store
	categories *categories.Store
	rules      *RulesCache
}

// New returns the store of an engine, and has its sweeps read the rules.
func New(e *engine.Engine, rules *RulesCache, notes *notify.Store, acts *acts.Store, changes *change.Store,
	posts *posts.Store, categories *categories.Store) *Store {
	s := &Store{Engine: e, rules: rules, notes: notes, acts: acts, changes: changes, posts: posts, categories: categories}
	e.OnSweep(rules.sweep)
	return s
}

// Read reads pins in the pipeline of an engine.Read.
type Read struct{ *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
