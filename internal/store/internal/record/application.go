package record

import (
	"agora/internal/forum"
	"agora/internal/store/catalogue"
)

// ApplicationFields are the fields of a user that ParseApplication needs.
var ApplicationFields = []string{"state", "login", "name", "applied", "applicationText", "rejection"}

// ParseApplication returns the application of a user; nil if there is none, or it was approved.
func ParseApplication(id forum.UserID, f Fields) *forum.Application {
	if f["state"] != catalogue.UserApplied {
		return nil
	}
	return &forum.Application{User: id, Login: f["login"], Name: f["name"], Text: f["applicationText"],
		CreatedAt: f.Time("applied"), Rejection: forum.ActID(f.Int("rejection"))}
}

// ApplicantPrefix returns what entries of applications in that state begin with, in the list of applicants.
func ApplicantPrefix(s forum.ApplicationState) string { return string(s) + " " }
