package record

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"agora/internal/store/internal/key"
)

// Secret is the site's secret: SecretSize bytes.
type Secret []byte

// SecretSize is the size of the site's secret in bytes: that of a SHA-256.
const SecretSize = sha256.Size

// NewSecret creates the secret of a new site.
func NewSecret() Secret {
	secret := make(Secret, SecretSize)
	rand.Read(secret) // never fails, as documented
	return secret
}

// ParseSecret parses a stored secret. Its error does not contain a damaged one, because it is logged.
func ParseSecret(text string) (Secret, error) {
	secret, err := hex.DecodeString(text)
	if err != nil || len(secret) != SecretSize {
		return nil, errors.New("the site's secret is damaged; to have a new one created, run DEL " + key.Secret)
	}
	return secret, nil
}

// Pseudonym returns 32 hexadecimal digits that replace an address, a name or the like in keys and logs: the
// first half of the HMAC-SHA-256 with the secret. kind separates values of different kinds. Without the
// secret it is impossible to test guesses of the original.
func (s Secret) Pseudonym(kind, of string) string {
	mac := hmac.New(sha256.New, s)
	mac.Write([]byte(kind + "\x00" + of))
	var sum [sha256.Size]byte
	return hex.EncodeToString(mac.Sum(sum[:0])[:16])
}
