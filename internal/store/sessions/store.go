// Package sessions keeps sessions, API tokens and attempts to sign in, and says whom they sign in.
package sessions

import (
	"context"
	"embed"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/engine"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes sessions and API tokens.
type Store struct {
	engine *engine.Engine
	acts   *acts.Store
	arrive func(context.Context, forum.UserID) error
}

// New returns the store of an engine.
func New(e *engine.Engine, acts *acts.Store) *Store { return &Store{engine: e, acts: acts} }

// OnArrival has f called when a member signs in whose account was prepared and who has not come before.
func (s *Store) OnArrival(f func(context.Context, forum.UserID) error) { s.arrive = f }

// Read reads sessions and API tokens in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
