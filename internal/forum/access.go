package forum

import "slices"

// SiteAccess is who may use the site (`SiteAccess` in the schema).
type SiteAccess string

// Who may.
const (
	AccessEverybody SiteAccess = "EVERYBODY"
	AccessMembers   SiteAccess = "MEMBERS"
)

// SiteAccesses are the values in the order of their numbers as a rule of the site, from 0: the first is that of a new
// site.
var SiteAccesses = []SiteAccess{AccessEverybody, AccessMembers}

// IsValid reports whether it is one of the values.
func (a SiteAccess) IsValid() bool { return slices.Contains(SiteAccesses, a) }

// RuleValue is the value of the rule `access`, which is valid.
func (a SiteAccess) RuleValue() int { return slices.Index(SiteAccesses, a) }

// MembersOnly returns an UNAUTHENTICATED error: the site is closed to whoever is not signed in.
func MembersOnly() *Error {
	return &Error{Code: CodeUnauthenticated, Message: "This site is for its members. Sign in first."}
}

// OpenRegistration returns an INVALID error: members only, and anybody can become one.
func OpenRegistration(path []string) *Error {
	return Invalid(path, "Anybody can register, so this would close the site to nobody. "+
		"Change registration, or set allowOpenRegistration.")
}
