package forum

// Target is something that can be followed: exactly one of a user, a category and a tag.
type Target struct {
	User     UserID
	Category CategoryID
	Tag      TagID
}

// UserList is a user's private list of users.
type UserList struct {
	ID      ListID
	OwnerID UserID
	// Name is unique among the owner's lists, ignoring case.
	Name string
}

// VisibleTo reports whether the viewer may see the list. Only its owner may.
func (l *UserList) VisibleTo(v *Viewer) bool { return v.Is(l.OwnerID) }
