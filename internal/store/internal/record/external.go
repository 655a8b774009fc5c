package record

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
)

// NotSaid is in the entry of an account at an issuer whose tokens have not said a login: the first one is only noted.
const NotSaid = "-"

// SaidLogin returns the hash of what a token says of the login, "" for nothing, of which the entry of the account holds
// the latest.
func SaidLogin(login string) string {
	sum := sha256.Sum256([]byte(login))
	return hex.EncodeToString(sum[:8])
}

// ExternalEntry returns the entry of a user's account at an issuer, of which no claims were applied yet. said is
// SaidLogin of the registration, or NotSaid.
func ExternalEntry(of forum.External, said string) string {
	return catalogue.ExternalRow.Format("issued", 0, "applied", "0:"+said, "issuer", of.Issuer, "subject", of.Subject)
}

// Linked is the nonce in the record of an account at an issuer that was given to a user who existed.
const Linked = "0"

// ExternalRecord returns the record of an account at an issuer that was given to a user.
func ExternalRecord(id forum.UserID, now forum.Time) string {
	return SourceRecord(now, int64(id), Linked)
}

// ExternalAccount is the entry of a user's account at an issuer.
type ExternalAccount struct {
	forum.External
	// Issued is when the token was issued whose claims were applied last, at Applied.
	Issued, Applied forum.Time
	// LoggedOut is when the issuer last said that the member signed out there; 0 if it did not.
	LoggedOut forum.Time
}

// ParseExternal parses a catalogue.ExternalRow; ":loggedOut" is missing if it is 0, ":said" from entries of earlier
// versions.
func ParseExternal(entry string) (a ExternalAccount, ok bool) {
	v, ok := catalogue.ExternalRow.Parse(entry)
	issued, out, _ := strings.Cut(v.Text("issued"), ":")
	applied, _, _ := strings.Cut(v.Text("applied"), ":")
	return ExternalAccount{External: forum.External{Issuer: v.Text("issuer"), Subject: v.Text("subject")},
		Issued: forum.Time(Atoi(issued)), Applied: forum.Time(Atoi(applied)), LoggedOut: forum.Time(Atoi(out))}, ok
}
