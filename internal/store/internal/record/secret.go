package record

import (
	"crypto/rand"
	"crypto/sha256"
)

// NewSecret makes the secret of a new site.
func NewSecret() []byte {
	secret := make([]byte, SecretSize)
	rand.Read(secret) // never fails, as the package says
	return secret
}

// SecretSize is how many bytes the site's secret has: those of a SHA-256.
const SecretSize = sha256.Size
