package acts

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
)

// ActFilter is which acts of moderators to list; what is 0 or "" asks for nothing.
type ActFilter struct {
	Subject forum.Subject
	// Member is whom they concern, By who acted.
	Member, By forum.UserID
	Kind       forum.ActKind
}

// NoUser is a user who does not exist, in an ActFilter.
const NoUser forum.UserID = -1

// Has reports whether an act is one of those asked for.
func (f ActFilter) Has(a *forum.Act) bool {
	return (f.Subject == forum.Subject{} || a.Subject == f.Subject) && (f.Member == 0 || a.Member == f.Member) &&
		(f.By == 0 || a.By == f.By) && (f.Kind == "" || a.Kind == f.Kind)
}

// ModerationLog returns the narrowest list that has all acts that are asked for, latest first; whole reports whether it
// has no others. Cursors are bound to the filter.
func ModerationLog(f ActFilter) (list listing.List, whole bool) {
	k, rest := key.ModerationLog, f
	switch {
	case f.Subject.User != 0: // the acts on a user are among those that concern the user
		k = key.UserRecord(f.Subject.User)
	case f.Subject != forum.Subject{}:
		k, rest.Subject = key.SubjectActs(f.Subject), forum.Subject{}
	case f.Member != 0:
		k, rest.Member = key.UserRecord(max(f.Member, 0)), 0
	case f.By != 0:
		k, rest.By = key.UserActs(max(f.By, 0)), 0
	case f.Kind != "":
		k, rest.Kind = key.ModerationLogOf(f.Kind), ""
	}
	name := "acts:" + fmt.Sprint(f)
	return listing.List{Name: name, Key: k, Newest: true, Packed: true}, rest == ActFilter{}
}
