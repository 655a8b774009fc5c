package store

import (
	"context"

	"agora/internal/store/accounts"
	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/homes"
	"agora/internal/store/listing"
	"agora/internal/store/moderation"
	"agora/internal/store/notify"
	"agora/internal/store/posts"
	"agora/internal/store/votes"
)

// Read is a set of reads that are sent as one pipeline, in one round trip; see engine.Read. Its methods are those of
// the subjects.
type Read struct {
	read *engine.Read
	votesRead
	categoriesRead
	listsRead
	notesRead
	actsRead
	homesRead
	followsRead
	postsRead
	accountsRead
	moderationRead
}

type (
	votesRead      = votes.Read
	categoriesRead = categories.Read
	listsRead      = listing.Read
	notesRead      = notify.Read
	actsRead       = acts.Read
	homesRead      = homes.Read
	followsRead    = follows.Read
	postsRead      = posts.Read
	accountsRead   = accounts.Read
	moderationRead = moderation.Read
)

// Read begins a set of reads. ctx bounds the round trip.
func (s *Store) Read(ctx context.Context) *Read { return ReadOn(s.engine.Read(ctx)) }

// ReadOn returns the reads that are queued on r.
func ReadOn(r *engine.Read) *Read {
	return &Read{r, votes.On(r), categories.On(r), listing.On(r), notify.On(r), acts.On(r), homes.On(r), follows.On(r), posts.On(r), accounts.On(r), moderation.On(r)}
}

// Part queues reads that may fail while others do not; see engine.Read.
func (r *Read) Part(queue func() (take func())) (take func()) { return r.read.Part(queue) }

// Charge has the work on what is read charged before it is done: see engine.Read.
func (r *Read) Charge(charge func(work int) error) { r.read.Charge = charge }

// Exec sends what was queued. If it fails, all results are its error, except for those of Part.
func (r *Read) Exec() error { return r.read.Exec() }

// FromReplicas and MayReadReplicas are those of package engine.
var (
	FromReplicas    = engine.FromReplicas
	MayReadReplicas = engine.MayReadReplicas
)
