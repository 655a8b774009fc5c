package httpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"strconv"
	"strings"

	"agora/internal/auth"
	"agora/internal/forum"
)

// session reads who is signed in with an Authorization header. It is nil when
// the token is malformed, expired or revoked.
func (o Options) session(ctx context.Context, header string) (*forum.Viewer, error) {
	scheme, secret, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return nil, nil
	}
	token, ok := auth.ParseToken(strings.TrimSpace(secret))
	if !ok {
		return nil, nil
	}
	read := o.Resolver.Store.Read(ctx)
	viewer := read.Session(token.User, token.Digest())
	if err := read.Exec(); err != nil {
		return nil, err
	}
	return viewer()
}

// visitor tells callers apart by address without keeping the address.
func visitor(remoteAddr string) string {
	host, _, err := net.SplitHostPort(remoteAddr)
	if err != nil {
		host = remoteAddr
	}
	sum := sha256.Sum256([]byte("visitor " + host))
	return hex.EncodeToString(sum[:8])
}

// visitorOf tells signed-in callers apart by user.
func visitorOf(v *forum.Viewer) string { return "u" + strconv.FormatInt(int64(v.ID), 10) }
