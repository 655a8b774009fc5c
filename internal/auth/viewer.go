package auth

import (
	"context"
	"time"

	"agora/internal/forum"
	"agora/internal/turns"
)

// Caller is the sender of a request.
type Caller struct {
	// Viewer is the signed-in user; nil if signed out.
	Viewer *forum.Viewer
	// Barred is why the account may not be used that a signed-out caller has a token of: BANNED or DEACTIVATED; nil for
	// none.
	Barred *forum.Error
	// Since is when the request of a signed-in caller arrived, before the session was read.
	Since time.Time
	// Visitor identifies the caller: by user, or by a hash of the address if signed out.
	Visitor string
	// Address is the pseudonym of the address, for IPv6 of its 64-bit network.
	Address string
	// Networks are the pseudonyms of the wider networks of an IPv6 address, with 56 and 48 bits;
	// nil for IPv4.
	Networks []string
	// Renew keeps the caller's socket open until another token of the same user ends, and returns when that is; nil if
	// there is no socket. It returns INVALID at token.
	Renew func(ctx context.Context, token string) (forum.Time, error)
	// SetCookie puts the token of a session into the caller's cookie, or removes it with ""; nil if there is no answer that
	// could have a header.
	SetCookie func(token string, ends forum.Time)
	// Cookie reports that the caller is signed in by the cookie.
	Cookie bool
	// UserAgent is the User-Agent header, truncated to forum.MaxUserAgent.
	UserAgent string
}

// Payer returns who pays for what the caller's operations take of the processors: users within the networks of their
// addresses, so that more accounts bring no larger share.
func (c Caller) Payer() turns.Payer {
	p := turns.Payer{Networks: make([]string, 0, len(c.Networks)+1)}
	for i := range c.Networks {
		p.Networks = append(p.Networks, c.Networks[len(c.Networks)-1-i])
	}
	p.Networks = append(p.Networks, c.Address)
	if c.Viewer != nil {
		p.User = c.Visitor
	}
	return p
}

type callerKey struct{}

// WithCaller puts the caller of a request into its context.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, &c)
}

// CallerFrom returns the caller of the request, or the zero Caller, signed out, if there is none in
// ctx.
func CallerFrom(ctx context.Context) Caller {
	c, ok := ctx.Value(callerKey{}).(*Caller)
	if !ok {
		return Caller{}
	}
	return *c
}

// SignOut makes the caller signed out for the rest of the request. Mutations run sequentially, so
// no other goroutine reads the caller concurrently.
func SignOut(ctx context.Context) {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		c.Viewer = nil
	}
}

// ViewerFrom returns the signed-in user, or nil.
func ViewerFrom(ctx context.Context) *forum.Viewer { return CallerFrom(ctx).Viewer }
