package auth

import (
	"context"

	"agora/internal/forum"
)

// Caller is on whose behalf a request runs.
type Caller struct {
	// Viewer is the signed-in user; nil when signed out.
	Viewer *forum.Viewer
	// Visitor tells callers apart: by user, or by a hash of the address of those
	// who are signed out.
	Visitor string
	// Address is the pseudonym of the address, or of IPv6 the network of 64 bits.
	Address string
	// Networks are the pseudonyms of the wider networks of an address of IPv6, those of 56
	// and of 48 bits; nil for IPv4.
	Networks []string
	// UserAgent is the header of that name, cut to forum.MaxUserAgent.
	UserAgent string
}

type callerKey struct{}

// WithCaller puts the caller of a request into its context.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, &c)
}

// CallerFrom returns the caller of the request; the zero Caller, signed out,
// when nobody put one there.
func CallerFrom(ctx context.Context) Caller {
	c, ok := ctx.Value(callerKey{}).(*Caller)
	if !ok {
		return Caller{}
	}
	return *c
}

// SignOut makes the caller somebody who is signed out, for the rest of the
// request. Mutations run one after the other, so nobody else reads it meanwhile.
func SignOut(ctx context.Context) {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		c.Viewer = nil
	}
}

// ViewerFrom returns the signed-in user, or nil.
func ViewerFrom(ctx context.Context) *forum.Viewer { return CallerFrom(ctx).Viewer }
