package store

import (
	"context"

	"agora/internal/store/accounts"
	"agora/internal/store/acts"
	"agora/internal/store/categories"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/groups"
	"agora/internal/store/homes"
	"agora/internal/store/listing"
	"agora/internal/store/moderation"
	"agora/internal/store/notify"
	"agora/internal/store/posts"
	"agora/internal/store/sessions"
	"agora/internal/store/votes"
)

// Read is a set of reads that are sent as one pipeline, in one round trip; see engine.Read. Each subject queues its
// own.
type Read struct {
	read       *engine.Read
	Accounts   accounts.Read
	Acts       acts.Read
	Categories categories.Read
	Follows    follows.Read
	Groups     groups.Read
	Homes      homes.Read
	Listing    listing.Read
	Moderation moderation.Read
	Notify     notify.Read
	Posts      posts.Read
	Sessions   sessions.Read
	Votes      votes.Read
}

// Read begins a set of reads. ctx bounds the round trip.
func (s *Store) Read(ctx context.Context) *Read { return ReadOn(s.Engine.Read(ctx)) }

// ReadOn returns the reads that are queued on r.
func ReadOn(r *engine.Read) *Read {
	return &Read{read: r, Accounts: accounts.On(r), Acts: acts.On(r), Categories: categories.On(r),
		Follows: follows.On(r), Groups: groups.On(r),
		Homes: homes.On(r), Listing: listing.On(r), Moderation: moderation.On(r), Notify: notify.On(r),
		Posts: posts.On(r), Sessions: sessions.On(r), Votes: votes.On(r)}
}

// From returns a read of a subject, such as From(votes.On, votes.Read.VoteKeys), as a read on the whole.
func From[S, K, T any](on func(*engine.Read) S, read func(S, []K) T) func(*Read, []K) T {
	return func(r *Read, keys []K) T { return read(on(r.read), keys) }
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
