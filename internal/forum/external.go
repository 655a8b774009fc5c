package forum

import (
	"crypto/sha256"
	"encoding/hex"
)

// MaxExternalSubject is the maximum length of External.Subject in bytes. Source: OpenID Connect Core 1.0, section 2.
const MaxExternalSubject = 255

// MaxExternals is the maximum number of accounts at issuers of a user.
const MaxExternals = 10

// External is an account at an issuer of tokens. Both parts together identify it; an e-mail address never does.
type External struct {
	// Issuer is the claim iss, Subject the claim sub of its tokens.
	Issuer, Subject string
}

// Hash names the account in keys: 32 hexadecimal digits of a SHA-256.
func (e External) Hash() string {
	sum := sha256.Sum256([]byte(e.Issuer + "\n" + e.Subject)) // no issuer has a line feed
	return hex.EncodeToString(sum[:16])
}
