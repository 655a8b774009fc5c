package forum

import "strconv"

// NotificationReason is why a user is notified.
type NotificationReason string

// The reasons, strongest first. If several apply, the first one is used.
const (
	// NotifyReply notifies the author of a comment of a reply to it.
	NotifyReply NotificationReason = "REPLY"
	// NotifyMention notifies a user mentioned by @login in a text.
	NotifyMention NotificationReason = "MENTION"
	// NotifyComment notifies the author of a topic of a comment on it.
	NotifyComment NotificationReason = "COMMENT"
	// NotifyWatch notifies a user who watches a topic of a comment on it.
	NotifyWatch NotificationReason = "WATCH"
	// NotifyFollow notifies a user of a new follower.
	NotifyFollow NotificationReason = "FOLLOW"
	// NotifyModeration notifies a member of what a moderator did to their post, or of another role.
	NotifyModeration NotificationReason = "MODERATION"
	// NotifyWarning notifies a member of a warning.
	NotifyWarning NotificationReason = "WARNING"
	// NotifyBan notifies a member of a ban, or of its end.
	NotifyBan NotificationReason = "BAN"
	// NotifyReport notifies a member of the outcome of their report.
	NotifyReport NotificationReason = "REPORT"
)

// Subject is what a notification or an act of a moderator is about: exactly one of a comment, a topic, a user and,
// for notifications, an act, for acts, a category, a tab or the site itself.
type Subject struct {
	Comment CommentID
	Topic   TopicID
	User    UserID
	Act     ActID

	Category CategoryID
	Tab      TabID
	// Site reports that it is the site: its rules and blocklist.
	Site bool
}

// Section reports whether the subject is a category or tab, which are in no partition.
func (s Subject) Section() bool { return s.Category != 0 || s.Tab != 0 }

// Holds reports whether an act on the subject can have the id.
func (s Subject) Holds(id ActID) bool {
	switch {
	case s.Site:
		return id.OfSite()
	case s.Section():
		return id.OfSection()
	}
	return id <= MaxID && s.Partition() == id.Partition()
}

// Partition returns the subject's partition.
func (s Subject) Partition() Partition {
	return UserID(max(int64(s.Comment), int64(s.Topic), int64(s.User), int64(s.Act))).Partition()
}

// Notification notifies its owner of an action of another user. Only the owner sees it.
type Notification struct {
	OwnerID UserID
	// Seq is its number among the owner's notifications, rising without gaps and never reused.
	Seq     int64
	Reason  NotificationReason
	ActorID UserID
	Subject Subject
	// CreatedAt is when the action happened.
	CreatedAt Time
	IsRead    bool
	// Watched is the topic, of NotifyWatch.
	Watched TopicID
}

// NotificationID identifies a notification as part of its global id: owner and number.
type NotificationID string

// ID returns the notification's id.
func (n *Notification) ID() NotificationID {
	return NotificationID(strconv.FormatInt(int64(n.OwnerID), 10) + ":" + strconv.FormatInt(n.Seq, 10))
}

// Fits reports whether the reason is known and applies to a subject of this type.
func (n *Notification) Fits() bool {
	s := n.Subject
	switch n.Reason {
	case NotifyReply, NotifyComment, NotifyWatch:
		return s.Comment != 0
	case NotifyMention:
		return s.Comment != 0 || s.Topic != 0
	case NotifyFollow:
		return s.User != 0 && s.User == n.ActorID
	case NotifyModeration, NotifyWarning, NotifyBan, NotifyReport:
		return s.Act != 0
	}
	return false
}
