package forum

import (
	"slices"
	"time"
)

// ApplicationState is where an application stands (`ApplicationState` in the schema).
type ApplicationState string

// The states.
const (
	ApplicationPending  ApplicationState = "PENDING"
	ApplicationRejected ApplicationState = "REJECTED"
)

// ApplicationStates are all states.
var ApplicationStates = []ApplicationState{ApplicationPending, ApplicationRejected}

// IsValid reports whether it is one of the states.
func (s ApplicationState) IsValid() bool { return slices.Contains(ApplicationStates, s) }

// MaxApplication is the greatest length of what applicants write to the moderators, in code points.
const MaxApplication = 1000

// RejectedLife is how long the login and the e-mail of an account that moderators rejected are taken.
const RejectedLife = 30 * 24 * time.Hour

// Application is an account that moderators have not approved: it has the names that it would have, and nobody can use
// it.
type Application struct {
	// User is the id of the account.
	User        UserID
	Login, Name string
	// Text is what the applicant wrote to the moderators; "" for nothing.
	Text      string
	CreatedAt Time
	// Rejection is the act that rejected it; 0 for none.
	Rejection ActID
}

// State returns where the application stands.
func (a *Application) State() ApplicationState {
	if a.Rejection != 0 {
		return ApplicationRejected
	}
	return ApplicationPending
}

// AwaitingApproval returns an AWAITING_APPROVAL error: moderators have not approved the account.
func AwaitingApproval() *Error {
	return &Error{Code: CodeAwaitingApproval, Message: "The moderators of this site have not approved your account yet."}
}

// Rejected returns an APPLICATION_REJECTED error: moderators rejected the account on these grounds.
func Rejected(why Grounds) *Error {
	return &Error{Code: CodeRejected, Grounds: why, Message: "The moderators of this site have rejected your account."}
}
