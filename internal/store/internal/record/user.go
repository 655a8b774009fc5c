package record

import (
	"strings"

	"agora/internal/forum"
)

// States of an account. A PENDING account is being registered; a GONE one was abandoned before it was
// ACTIVE and is releasing its claims; a DELETED one no longer belongs to a user.
const (
	UserActive    = "ACTIVE"
	UserPending   = "PENDING"
	UserAbandoned = "GONE"
	UserDeleted   = "DELETED"
)

// DecodeSession parses "created seen ends userAgent".
func DecodeSession(user forum.UserID, digest, value string) (*forum.Session, bool) {
	parts := strings.SplitN(value, " ", 4)
	if len(parts) != 4 {
		return nil, false
	}
	f := Fields{"created": parts[0], "seen": parts[1], "ends": parts[2]}
	return &forum.Session{
		User: user, Digest: digest, CreatedAt: f.Time("created"), SeenAt: f.Time("seen"), EndsAt: f.Time("ends"),
		UserAgent: parts[3],
	}, true
}
