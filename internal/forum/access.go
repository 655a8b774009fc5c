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

// Permission is who may do something in a category, of those who may see it (`Permission` in the schema).
type Permission string

// The permissions.
const (
	PermitEverybody  Permission = "EVERYBODY"
	PermitModerators Permission = "MODERATORS"
	PermitNobody     Permission = "NOBODY"
)

// IsValid reports whether it is one of the values.
func (p Permission) IsValid() bool {
	return p == PermitEverybody || p == PermitModerators || p == PermitNobody
}

// includes reports whether the viewer is one of those who may, in a category, or with 0 without one.
func (p Permission) includes(v *Viewer, c CategoryID) bool {
	switch p {
	case PermitModerators:
		return v.moderatorOf(c)
	case PermitNobody:
		return false
	}
	return v != nil
}

// requires returns the role of those who may; "" if no role is enough, or none is needed.
func (p Permission) requires() Role {
	if p == PermitModerators {
		return RoleModerator
	}
	return ""
}

// Audience is who sees a category, and the topics and comments in it (`Audience` in the schema).
type Audience string

// The audiences.
const (
	// Public is everybody who may use the site.
	Public Audience = "PUBLIC"
	// Members are all who are signed in. A category that not everybody sees is called a room.
	Members Audience = "MEMBERS"
	// InGroups are the members of some groups.
	InGroups Audience = "GROUPS"
)

// Audiences are all audiences.
var Audiences = []Audience{Public, Members, InGroups}

// IsValid reports whether it is one of the values.
func (a Audience) IsValid() bool { return slices.Contains(Audiences, a) }

// CategoryAccess is who may do what in a category, or with topics that have none.
type CategoryAccess struct {
	Category CategoryID // 0 for topics without category, which everybody sees
	// Sees is who sees the category. Epoch counts how often that has changed: what was derived from a topic as of an
	// earlier one may be out of date.
	Sees  Audience
	Epoch int64
	// Groups are those whose members see it, if Sees is InGroups. Administrators and its moderators do, too.
	Groups []GroupID
	// Posts is who may post topics or move them there, Replies who may reply to topics and comments, and vote on them.
	Posts, Replies Permission
}

// SeenBy reports whether the viewer sees the category, and with it what is in it. Nothing else decides that.
func (a CategoryAccess) SeenBy(v *Viewer) bool {
	switch {
	case a.Sees == Public:
		return true
	case v == nil || !v.May(ScopeRooms):
		return false
	case a.Sees == Members:
		return true
	case a.Sees != InGroups:
		return false
	}
	return v.Has(RoleAdmin) || slices.Contains(v.Moderates, a.Category) ||
		slices.ContainsFunc(a.Groups, func(g GroupID) bool { return slices.Contains(v.Groups, g) })
}

// IsRoom reports whether not everybody who may use the site sees the category: then only its own lists have its topics.
func (a CategoryAccess) IsRoom() bool { return a.Sees != Public }

// MayPost reports whether the viewer may post there.
func (a CategoryAccess) MayPost(v *Viewer) bool { return a.Posts.includes(v, a.Category) }

// MayReply reports whether the viewer may reply and vote there.
func (a CategoryAccess) MayReply(v *Viewer) bool { return a.Replies.includes(v, a.Category) }

// CheckPost returns FORBIDDEN if the viewer may not post there, NOT_FOUND if the viewer does not see the category.
func (a CategoryAccess) CheckPost(path []string, v *Viewer) error {
	switch {
	case !a.SeenBy(v):
		return NotFound(path, "category")
	case a.MayPost(v):
		return nil
	case a.Category == 0:
		return Forbidden(path, a.Posts.requires(), "You cannot post without a category here.")
	}
	return Forbidden(path, a.Posts.requires(), "You cannot post in this category.")
}

// RepliesClosed returns FORBIDDEN: the viewer may not reply and vote where replies are for others.
func RepliesClosed(path []string, requires Role) *Error {
	return Forbidden(path, requires, "You cannot reply or vote in this category.")
}

// In returns who may do what in a category, or with 0 to topics without one.
func (r Rules) In(c CategoryID) CategoryAccess {
	if a, ok := r.Categories[c]; ok {
		return a
	}
	return CategoryAccess{Category: c, Sees: Public, Posts: PermitEverybody, Replies: PermitEverybody}
}

// Moderates reports whether the viewer moderates a category: as a moderator of the site who sees it, or of that
// category.
func (r Rules) Moderates(v *Viewer, c CategoryID) bool { return r.In(c).SeenBy(v) && v.moderatorOf(c) }

// HaveRooms reports whether there are categories that not everybody sees.
func (r Rules) HaveRooms() bool {
	for _, a := range r.Categories {
		if a.IsRoom() {
			return true
		}
	}
	return false
}

// Hidden returns the categories that the viewer does not see, by id.
func (r Rules) Hidden(v *Viewer) []CategoryID {
	var hidden []CategoryID
	for c, a := range r.Categories {
		if !a.SeenBy(v) {
			hidden = append(hidden, c)
		}
	}
	slices.Sort(hidden)
	return hidden
}

// Rooms returns the categories that not everybody sees, but the viewer does, by id.
func (r Rules) Rooms(v *Viewer) []CategoryID {
	var rooms []CategoryID
	for c, a := range r.Categories {
		if a.IsRoom() && a.SeenBy(v) {
			rooms = append(rooms, c)
		}
	}
	slices.Sort(rooms)
	return rooms
}

// ClosedTo returns the categories where the viewer may not reply and vote, with the role that may; 0 is none.
func (r Rules) ClosedTo(v *Viewer) map[CategoryID]Role {
	closed := map[CategoryID]Role{}
	for c, a := range r.Categories {
		if !a.MayReply(v) {
			closed[c] = a.Replies.requires()
		}
	}
	return closed
}
