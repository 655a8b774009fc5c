// Package bulk imports the users, sections, topics, comments and follows of another site, many at once.
package bulk

import (
	"agora/internal/store/accounts"
	"agora/internal/store/categories"
	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/homes"
)

// Store begins imports.
type Store struct {
	engine     *engine.Engine
	homes      *homes.Store
	changes    *change.Store
	follows    *follows.Store
	accounts   *accounts.Store
	categories *categories.Store
}

// New returns the store of an engine.
func New(e *engine.Engine, homes *homes.Store, changes *change.Store, follows *follows.Store,
	accounts *accounts.Store, categories *categories.Store) *Store {
	s := &Store{engine: e, homes: homes, changes: changes, follows: follows, accounts: accounts, categories: categories}
	return s
}
