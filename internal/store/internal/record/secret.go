package record

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"agora/internal/store/internal/key"
)

// Secret is what only the site knows: SecretSize bytes.
type Secret []byte

// SecretSize is how many bytes the site's secret has: those of a SHA-256.
const SecretSize = sha256.Size

// NewSecret makes the secret of a new site.
func NewSecret() Secret {
	secret := make(Secret, SecretSize)
	rand.Read(secret) // never fails, as the package says
	return secret
}

// ParseSecret reads a secret as it is stored. It does not repeat one that is damaged: the
// error is logged.
func ParseSecret(text string) (Secret, error) {
	secret, err := hex.DecodeString(text)
	if err != nil || len(secret) != SecretSize {
		return nil, errors.New("the site's secret is damaged; a new one is made after DEL " + key.Secret)
	}
	return secret, nil
}

// Pseudonym returns 32 hexadecimal digits that stand for an address, a name or the like,
// in keys and logs: the first half of the HMAC-SHA-256 with the secret. kind keeps things
// of different kinds apart. Without the secret nobody can try out what a pseudonym stands
// for.
func (s Secret) Pseudonym(kind, of string) string {
	mac := hmac.New(sha256.New, s)
	mac.Write([]byte(kind + "\x00" + of))
	var sum [sha256.Size]byte
	return hex.EncodeToString(mac.Sum(sum[:0])[:16])
}
