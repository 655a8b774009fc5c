package httpserver

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
)

const (
	// cachedDocuments is how many documents a cache keeps.
	cachedDocuments = 1000
	// cachedLength is the longest document that is kept, in bytes: a document may
	// be as long as a body, and a thousand of those would fill the memory.
	cachedLength = 16 << 10
)

// documents is a cache by the text of a document that takes no long ones.
type documents[T any] struct{ kept graphql.Cache[T] }

func newDocuments[T any]() documents[T] { return documents[T]{lru.New[T](cachedDocuments)} }

// Get implements graphql.Cache.
func (d documents[T]) Get(ctx context.Context, text string) (T, bool) { return d.kept.Get(ctx, text) }

// Add implements graphql.Cache.
func (d documents[T]) Add(ctx context.Context, text string, value T) {
	if len(text) <= cachedLength {
		d.kept.Add(ctx, text, value)
	}
}
