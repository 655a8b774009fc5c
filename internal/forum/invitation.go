package forum

import (
	"slices"
	"time"
)

const (
	// InvitationLife is how long an invitation holds unless its creator says otherwise.
	InvitationLife = 30 * 24 * time.Hour
	// MaxInvitationLife is how long an invitation holds at most.
	MaxInvitationLife = 365 * 24 * time.Hour
	// MaxInvitationNote is the greatest length of a creator's remark, in code points.
	MaxInvitationNote = 200
)

// Invitation lets others register where Registration is INVITE. It belongs to the user who made it.
type Invitation struct {
	// Creator is who made it, Name what it is called among that user's: a part of the hash of the code.
	Creator UserID
	Name    string
	// Code is the secret with which one registers.
	Code string
	// Uses is how many may register with it.
	Uses                 int
	CreatedAt, ExpiresAt Time
	// RevokedAt is when its creator ended it, 0 if never.
	RevokedAt Time
	// Note is a remark of its creator, "" for none.
	Note string
	// Came are the users who registered with it, in order; some may be deleted, or still registering.
	Came []UserID
}

// UsesLeft is how many may still register with it.
func (i *Invitation) UsesLeft() int { return max(i.Uses-len(i.Came), 0) }

// IsOpen reports whether one can register with it.
func (i *Invitation) IsOpen(now Time) bool {
	return i.RevokedAt == 0 && now < i.ExpiresAt && i.UsesLeft() > 0
}

// InviterRoles are the roles that the rule `invitationsBy` may have, in the order of its values, from 0: the first is
// that of a new site.
var InviterRoles = []Role{RoleModerator, RoleUser, RoleAdmin}

// InviterValue is the value of the rule `invitationsBy` for a role.
func InviterValue(r Role) int { return slices.Index(InviterRoles, r) }

// NoSuchInvitation returns a NOT_FOUND error at invitation: there is no such code, or it is no longer open.
func NoSuchInvitation() *Error {
	return &Error{Code: CodeNotFound, Path: Path("invitation"),
		Message: "This invitation does not exist or is no longer valid."}
}

// NeedsInvitation returns an INVALID error at invitation: one must be invited to register.
func NeedsInvitation() *Error {
	return Invalid(Path("invitation"), "An invitation is needed to register on this site.")
}
