package forum

import "strconv"

// NotificationReason is why a user is told of something.
type NotificationReason string

// The reasons, the strongest first: where several fit, that one is given.
const (
	// NotifyReply tells the author of a comment of a reply to it.
	NotifyReply NotificationReason = "REPLY"
	// NotifyMention tells whoever is named by @login in a text.
	NotifyMention NotificationReason = "MENTION"
	// NotifyComment tells the author of a topic of a comment on it.
	NotifyComment NotificationReason = "COMMENT"
	// NotifyFollow tells a user of a new follower.
	NotifyFollow NotificationReason = "FOLLOW"
)

// Subject is what a notification points to: exactly one of a comment, a topic and a user.
type Subject struct {
	Comment CommentID
	Topic   TopicID
	User    UserID
}

// Partition is where the subject lives.
func (s Subject) Partition() Partition {
	return UserID(max(int64(s.Comment), int64(s.Topic), int64(s.User))).Partition()
}

// Notification tells its owner of something that another user did. Only the owner sees it.
type Notification struct {
	OwnerID UserID
	// Seq is its number among its owner's, rising without gaps and never given twice.
	Seq     int64
	Reason  NotificationReason
	ActorID UserID
	Subject Subject
	// CreatedAt is when that happened.
	CreatedAt Time
	IsRead    bool
}

// NotificationID names a notification as part of its global id: owner and number.
type NotificationID string

// ID is the notification's name.
func (n *Notification) ID() NotificationID {
	return NotificationID(strconv.FormatInt(int64(n.OwnerID), 10) + ":" + strconv.FormatInt(n.Seq, 10))
}

// Fits reports whether the reason is a known one, and one that tells of such a subject.
func (n *Notification) Fits() bool {
	s := n.Subject
	switch n.Reason {
	case NotifyReply, NotifyComment:
		return s.Comment != 0
	case NotifyMention:
		return s.Comment != 0 || s.Topic != 0
	case NotifyFollow:
		return s.User != 0 && s.User == n.ActorID
	}
	return false
}
