package record

import (
	"strings"

	"agora/internal/forum"
)

// ExternalEntry returns the entry of a user's account at an issuer, of which no claims were applied yet.
func ExternalEntry(of forum.External) string { return "0 0 " + of.Issuer + " " + of.Subject }

// ParseExternal parses "issued applied issuer subject".
func ParseExternal(entry string) (of forum.External, issued, applied forum.Time, ok bool) {
	parts := strings.SplitN(entry, " ", 4)
	if len(parts) != 4 {
		return of, 0, 0, false
	}
	f := Fields{"issued": parts[0], "applied": parts[1]}
	return forum.External{Issuer: parts[2], Subject: parts[3]}, f.Time("issued"), f.Time("applied"), true
}
