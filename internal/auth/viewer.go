package auth

import (
	"context"

	"agora/internal/forum"
)

// Caller is on whose behalf a request runs.
type Caller struct {
	// Viewer is the signed-in user; nil when signed out.
	Viewer *forum.Viewer
	// Visitor tells callers apart who are signed out: a hash of the address.
	Visitor string
}

type callerKey struct{}

// WithCaller puts the caller of a request into its context.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerFrom returns the caller of the request; the zero Caller, signed out,
// when nobody put one there.
func CallerFrom(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// ViewerFrom returns the signed-in user, or nil.
func ViewerFrom(ctx context.Context) *forum.Viewer { return CallerFrom(ctx).Viewer }
