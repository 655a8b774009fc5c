package forum

import "slices"

// RegistrationMode is who may register (`RegistrationMode` in the schema).
type RegistrationMode string

// The modes.
const (
	RegistrationOpen     RegistrationMode = "OPEN"
	RegistrationInvite   RegistrationMode = "INVITE"
	RegistrationApproval RegistrationMode = "APPROVAL"
	RegistrationClosed   RegistrationMode = "CLOSED"
)

// RegistrationModes are the modes in the order of their values as a rule of the site, from 0.
var RegistrationModes = []RegistrationMode{RegistrationOpen, RegistrationInvite, RegistrationApproval, RegistrationClosed}

// IsValid reports whether it is one of the modes.
func (m RegistrationMode) IsValid() bool { return slices.Contains(RegistrationModes, m) }

// RuleValue is the value of the rule `registration` for the mode, which is valid.
func (m RegistrationMode) RuleValue() int { return slices.Index(RegistrationModes, m) }

// ClosedRegistration returns a REGISTRATION_CLOSED error: nobody can register.
func ClosedRegistration() *Error {
	return &Error{Code: CodeRegistrationClosed, Message: "Nobody can register on this site at present."}
}
