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

// ExternalAccount is the entry of a user's account at an issuer.
type ExternalAccount struct {
	forum.External
	// Issued is when the token was issued whose claims were applied last, at Applied.
	Issued, Applied forum.Time
	// LoggedOut is when the issuer last said that the member signed out there; 0 if it did not.
	LoggedOut forum.Time
}

// ParseExternal parses "issued:loggedOut applied:said issuer subject"; ":loggedOut" is missing if it is 0, ":said" from
// entries of earlier versions.
func ParseExternal(entry string) (a ExternalAccount, ok bool) {
	parts := strings.SplitN(entry, " ", 4)
	if len(parts) != 4 {
		return a, false
	}
	issued, out, _ := strings.Cut(parts[0], ":")
	when, _, _ := strings.Cut(parts[1], ":")
	f := Fields{"issued": issued, "out": out, "applied": when}
	return ExternalAccount{External: forum.External{Issuer: parts[2], Subject: parts[3]}, Issued: f.Time("issued"),
		Applied: f.Time("applied"), LoggedOut: f.Time("out")}, true
}
