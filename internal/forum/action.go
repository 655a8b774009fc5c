package forum

// Action is something that the viewer may do to a topic, comment or user.
type Action string

// The actions.
const (
	ActionPost      Action = "POST"
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
	ActionModerate  Action = "MODERATE"
	ActionReport    Action = "REPORT"
	ActionBan       Action = "BAN"
)

// Bond is what an action depends on beside its subject.
type Bond struct {
	// Blocked is set if the topic's author has blocked the viewer.
	Blocked bool
	// Role is that of the subject's author, of which only moderators need to know.
	Role Role
	// Closed is set if the rules of the category do not let the viewer reply and vote.
	Closed bool
	// Peer is set if that author moderates the category.
	Peer bool
}

// AccessActions returns what the rules of a category let the viewer do there.
func AccessActions(v *Viewer, a CategoryAccess) []Action {
	can := []Action{}
	if a.MayPost(v) {
		can = append(can, ActionPost)
	}
	if a.MayReply(v) {
		can = append(can, ActionComment, ActionVote)
	}
	return can
}

// TopicActions returns what the viewer, who sees the topic, may do to it.
func TopicActions(v *Viewer, t *Topic, b Bond, now Time) []Action {
	can := []Action{}
	if v == nil {
		return can
	}
	moderates := v.moderatorOf(t.CategoryID)
	changes := t.State == TopicOpen || t.State == TopicLocked && moderates
	own, over := v.Is(t.AuthorID), moderates && v.Outranks(b.Role, b.Peer)
	if changes && !b.Closed && (!b.Blocked || moderates) {
		can = append(can, ActionComment)
	}
	if t.Votes(now).Open && !b.Closed && !b.Blocked {
		can = append(can, ActionVote)
	}
	if changes && (own || over && t.Kind != Status) { // of which there is nothing but its text
		can = append(can, ActionEdit)
	}
	if own && t.State != TopicDeleted {
		can = append(can, ActionDelete)
	}
	if changes && (own || over) {
		can = append(can, ActionTag)
	}
	if t.State.Listed() {
		can = append(can, ActionBookmark, ActionWatch)
	}
	if over && !own && t.State != TopicDeleted {
		can = append(can, ActionModerate)
	}
	if !own && t.State.Listed() {
		can = append(can, ActionReport)
	}
	return can
}

// CommentActions is TopicActions for a comment on the topic t.
func CommentActions(v *Viewer, c *Comment, t *Topic, b Bond) []Action {
	can := []Action{}
	if v == nil {
		return can
	}
	moderates := v.moderatorOf(t.CategoryID)
	changes := t.State == TopicOpen || t.State == TopicLocked && moderates
	own, deleted := v.Is(c.WriterID), c.State == CommentDeleted
	if changes && !c.Unlisted && !deleted && (c.State == CommentOpen || moderates) && !b.Closed &&
		(!b.Blocked || moderates) {
		can = append(can, ActionComment)
	}
	if t.State == TopicOpen && c.State == CommentOpen && !b.Closed && !b.Blocked {
		can = append(can, ActionVote)
	}
	if own && changes && (c.State == CommentOpen || c.State == CommentLocked && moderates) {
		can = append(can, ActionEdit)
	}
	if own && !deleted {
		can = append(can, ActionDelete)
	}
	if !own && !deleted && moderates && v.Outranks(b.Role, b.Peer) && t.State != TopicDeleted {
		can = append(can, ActionModerate)
	}
	if !own && c.State.Live() && t.State.Listed() {
		can = append(can, ActionReport)
	}
	return can
}

// UserActions returns what the viewer may do to a user, whose role matters only to moderators. blocked reports whether
// one of the two has blocked the other.
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
	if !self {
		can = append(can, ActionReport)
	}
	if !self && v.Has(RoleModerator) && v.Outranks(u.Role, false) {
		can = append(can, ActionBan)
	}
	return can
}
