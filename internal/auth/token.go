package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"log/slog"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// Token is the secret of a session or an API token. Its holder acts as the user.
type Token struct {
	// User is the owner of the session; its partition has the session.
	User forum.UserID
	// API reports whether it is an API token.
	API bool
	// Secret is random bytes.
	Secret [32]byte
}

// These prefixes let scanners for leaked secrets recognize tokens.
const (
	tokenPrefix    = "agora_"
	apiTokenPrefix = tokenPrefix + "pat_"
)

// NewToken returns a token with a new secret.
func NewToken(user forum.UserID) (Token, error) {
	t := Token{User: user}
	_, err := rand.Read(t.Secret[:])
	return t, err
}

// NewAPIToken returns an API token with a new secret.
func NewAPIToken(user forum.UserID) (Token, error) {
	t, err := NewToken(user)
	t.API = true
	return t, err
}

// String formats the token for the client, such as "agora_257_kX…", or "agora_pat_257_kX…" for an API token: the user's
// id and the secret in base64url.
func (t Token) String() string {
	prefix := tokenPrefix
	if t.API {
		prefix = apiTokenPrefix
	}
	return prefix + strconv.FormatInt(int64(t.User), 10) + "_" + base64.RawURLEncoding.EncodeToString(t.Secret[:])
}

// LogValue keeps the secret out of logs.
func (t Token) LogValue() slog.Value { return slog.StringValue(SessionName(t.Digest())) }

// ParseToken parses the format of String; ok is false for anything else.
func ParseToken(s string) (Token, bool) {
	rest, api := strings.CutPrefix(s, apiTokenPrefix)
	ok := api
	if !api {
		rest, ok = strings.CutPrefix(s, tokenPrefix)
	}
	id, secret, found := strings.Cut(rest, "_")
	user, err := forum.ParseID[forum.UserID](id)
	if !ok || !found || err != nil {
		return Token{}, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	t := Token{User: user, API: api}
	if err != nil || len(b) != len(t.Secret) {
		return Token{}, false
	}
	copy(t.Secret[:], b)
	// The decoder skips line breaks.
	return t, t.String() == s
}

// Digest returns the digest stored for the token: the SHA-256 of the secret in lower-case
// hexadecimal digits. The token cannot be derived from it.
func (t Token) Digest() string {
	sum := sha256.Sum256(t.Secret[:])
	return hex.EncodeToString(sum[:])
}

// sessionNameLength is the length of a session's name in hexadecimal digits: 96 bits.
const sessionNameLength = 24

// SessionName returns the public name of the session or API token with this digest: its first 24 digits. It
// grants nothing.
func SessionName(digest string) string {
	return digest[:min(len(digest), sessionNameLength)]
}

// IsSessionName reports whether s has the format of SessionName.
func IsSessionName(s string) bool {
	return len(s) == sessionNameLength && strings.Trim(s, "0123456789abcdef") == ""
}

// RandomPassword returns a random password of 80 bits.
func RandomPassword() string { return rand.Text()[:16] }
