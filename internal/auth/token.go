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

// Token is the secret by which a session is known: who holds it is the user.
type Token struct {
	// User is whose session it is; it tells where the session is stored.
	User forum.UserID
	// Secret are random bytes.
	Secret [32]byte
}

// tokenPrefix lets scanners of leaked secrets know a token when they see one.
const tokenPrefix = "agora_"

// NewToken makes a token with a new secret.
func NewToken(user forum.UserID) (Token, error) {
	t := Token{User: user}
	_, err := rand.Read(t.Secret[:])
	return t, err
}

// String is the token as it is handed to the client, such as "agora_257_kX…": the
// user's id and the secret in base64url.
func (t Token) String() string {
	return tokenPrefix + strconv.FormatInt(int64(t.User), 10) + "_" + base64.RawURLEncoding.EncodeToString(t.Secret[:])
}

// LogValue keeps the secret out of logs.
func (t Token) LogValue() slog.Value { return slog.StringValue(SessionName(t.Digest())) }

// ParseToken reads what String made; false for all else.
func ParseToken(s string) (Token, bool) {
	rest, ok := strings.CutPrefix(s, tokenPrefix)
	id, secret, found := strings.Cut(rest, "_")
	user, err := forum.ParseID[forum.UserID](id)
	if !ok || !found || err != nil {
		return Token{}, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	t := Token{User: user}
	if err != nil || len(b) != len(t.Secret) {
		return Token{}, false
	}
	copy(t.Secret[:], b)
	// The decoder skips line breaks.
	return t, t.String() == s
}

// Digest is what the store keeps of the token: the SHA-256 of the secret in
// lower-case hexadecimal digits. The token cannot be made from it.
func (t Token) Digest() string {
	sum := sha256.Sum256(t.Secret[:])
	return hex.EncodeToString(sum[:])
}

// sessionNameLength is how many hexadecimal digits name a session: 96 bits.
const sessionNameLength = 24

// SessionName is the public name of the session whose token has this digest: its
// first 24 digits. It grants nothing.
func SessionName(digest string) string {
	return digest[:min(len(digest), sessionNameLength)]
}

// IsSessionName reports whether SessionName can have made s.
func IsSessionName(s string) bool {
	return len(s) == sessionNameLength && strings.Trim(s, "0123456789abcdef") == ""
}

// RandomPassword makes up a password that nobody can guess: 80 random bits.
func RandomPassword() string { return rand.Text()[:16] }
