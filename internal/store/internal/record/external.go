package record

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// NotSaid is in the entry of an account at an issuer whose tokens have not said a login: the first one is only noted.
const NotSaid = "-"

// SaidLogin returns the hash of what a token says of the login, "" for nothing, of which the entry of the account holds the
// latest.
func SaidLogin(login string) string {
	sum := sha256.Sum256([]byte(login))
	return hex.EncodeToString(sum[:8])
}

// ExternalEntry returns the entry of a user's account at an issuer, of which no claims were applied yet. said is
// SaidLogin of the registration, or NotSaid.
func ExternalEntry(of forum.External, said string) string {
	return "0 0:" + said + " " + of.Issuer + " " + of.Subject
}

// Linked is the nonce in the record of an account at an issuer that was given to a user who existed.
const Linked = "0"

// ExternalRecord returns the record of an account at an issuer that was given to a user: "time src id nonce".
func ExternalRecord(id forum.UserID, now forum.Time) string {
	return strconv.FormatInt(int64(now), 10) + " " + SourceInput + " " + strconv.FormatInt(int64(id), 10) + " " + Linked
}

// ParseExternal parses "issued applied:said issuer subject"; entries of earlier versions have no ":said".
func ParseExternal(entry string) (of forum.External, issued, applied forum.Time, ok bool) {
	parts := strings.SplitN(entry, " ", 4)
	if len(parts) != 4 {
		return of, 0, 0, false
	}
	when, _, _ := strings.Cut(parts[1], ":")
	f := Fields{"issued": parts[0], "applied": when}
	return forum.External{Issuer: parts[2], Subject: parts[3]}, f.Time("issued"), f.Time("applied"), true
}
