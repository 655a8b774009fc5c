package record

import (
	"strconv"
	"strings"

	"agora/internal/forum"
)

// ExternalEntry returns the entry of a user's account at an issuer, of which no claims were applied yet.
func ExternalEntry(of forum.External) string { return "0 0 " + of.Issuer + " " + of.Subject }

// Linked is the nonce in the record of an account at an issuer that was given to a user who existed.
const Linked = "0"

// ExternalRecord returns the record of an account at an issuer that was given to a user: "time src id nonce".
func ExternalRecord(id forum.UserID, now forum.Time) string {
	return strconv.FormatInt(int64(now), 10) + " " + SourceInput + " " + strconv.FormatInt(int64(id), 10) + " " + Linked
}

// ParseExternal parses "issued applied issuer subject".
func ParseExternal(entry string) (of forum.External, issued, applied forum.Time, ok bool) {
	parts := strings.SplitN(entry, " ", 4)
	if len(parts) != 4 {
		return of, 0, 0, false
	}
	f := Fields{"issued": parts[0], "applied": parts[1]}
	return forum.External{Issuer: parts[2], Subject: parts[3]}, f.Time("issued"), f.Time("applied"), true
}
