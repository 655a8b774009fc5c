package forum

// Action is something that the viewer may do to a topic, comment or user.
type Action string

// The actions.
const (
	ActionComment   Action = "COMMENT"
	ActionVote      Action = "VOTE"
	ActionEdit      Action = "EDIT"
	ActionDelete    Action = "DELETE"
	ActionTag       Action = "TAG"
	ActionBookmark  Action = "BOOKMARK"
	ActionWatch     Action = "WATCH"
	ActionFollow    Action = "FOLLOW"
	ActionBlock     Action = "BLOCK"
	ActionAddToList Action = "ADD_TO_LIST"
	ActionSetRole   Action = "SET_ROLE"
)

// TopicActions returns what the viewer, who sees the topic, may do to it. blocked reports whether its author has
// blocked the viewer.
func TopicActions(v *Viewer, t *Topic, blocked bool, now Time) []Action {
	can := []Action{}
	if v == nil {
		return can
	}
	open, own := t.State == TopicOpen, v.Sees(t.AuthorID)
	if open && (!blocked || v.Has(RoleModerator)) {
		can = append(can, ActionComment)
	}
	if t.Votes(now).Open && !blocked {
		can = append(can, ActionVote)
	}
	if open && own {
		can = append(can, ActionEdit, ActionDelete, ActionTag)
	}
	if open {
		can = append(can, ActionBookmark, ActionWatch)
	}
	return can
}

// CommentActions is TopicActions for a comment on the topic t. blocked reports whether the topic's author has blocked
// the viewer.
func CommentActions(v *Viewer, c *Comment, t *Topic, blocked bool) []Action {
	can := []Action{}
	if v == nil {
		return can
	}
	open, live := t.State == TopicOpen, c.DeletedAt == 0
	if open && (!blocked || v.Has(RoleModerator)) {
		can = append(can, ActionComment)
	}
	if open && live && !blocked {
		can = append(can, ActionVote)
	}
	if open && live && v.Sees(c.AuthorID) {
		can = append(can, ActionEdit)
	}
	if live && v.Sees(c.AuthorID) {
		can = append(can, ActionDelete)
	}
	return can
}

// UserActions returns what the viewer may do to a user. blocked reports whether one of the two has blocked the other.
func UserActions(v *Viewer, u *User, blocked bool) []Action {
	can := []Action{}
	if v == nil || u.ID == 0 {
		return can
	}
	self := u.ID == v.ID
	if self {
		can = append(can, ActionEdit)
	}
	if !self && !blocked {
		can = append(can, ActionFollow)
	}
	if !self {
		can = append(can, ActionBlock)
	}
	if !blocked {
		can = append(can, ActionAddToList)
	}
	if !self && v.Has(RoleAdmin) {
		can = append(can, ActionSetRole)
	}
	return can
}
