package httpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
	s := o.Resolver.Store
	read := s.Read(ctx)
	session := read.Session(token.User, token.Digest())
	if err := read.Exec(); err != nil {
		return nil, err
	}
	viewer, seen, err := session()
	if err != nil || viewer == nil {
		return nil, err
	}
	if s.Now()-seen >= forum.Time(forum.SessionSeen.Milliseconds()) {
		if err := s.TouchSession(ctx, token.User, token.Digest()); err != nil {
			o.Log.WarnContext(ctx, "the use of a session is not noted", "error", err)
		}
	}
	return viewer, nil
}

// addressHash tells addresses apart without keeping them. Who has one address of
// IPv6 has the whole network of 64 bits: it counts as one.
func addressHash(ip netip.Addr) string {
	if ip.Is6() {
		ip = netip.PrefixFrom(ip, 64).Masked().Addr()
	}
	var text [64]byte // room for every address without zone
	sum := sha256.Sum256(ip.AppendTo(append(text[:0], "visitor "...)))
	var digits [16]byte
	hex.Encode(digits[:], sum[:8])
	return string(digits[:])
}

// userAgent is the header of that name as the user may see it later: well-formed,
// on one line, without characters that change what stands around them, not too long.
func userAgent(header string) string {
	header = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, header)
	if len(header) <= forum.MaxUserAgent {
		return strings.TrimSpace(header)
	}
	runes := []rune(header)
	return strings.TrimSpace(string(runes[:min(len(runes), forum.MaxUserAgent)]))
}

// visitorOf tells signed-in callers apart by user.
func visitorOf(v *forum.Viewer) string { return "u" + strconv.FormatInt(int64(v.ID), 10) }
