package forum

// IsNode marks types that have a global id and can be fetched by it (`Node` in the schema).
func (*User) IsNode() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*Topic) IsNode() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*Comment) IsNode() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*Category) IsNode() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*Tab) IsNode() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*Group) IsNode() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*Timeline) IsNode() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*UserList) IsNode() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*Tag) IsNode() {}

// IsFollowable marks types that can be followed (`Followable` in the schema).
func (*User) IsFollowable() {}

// IsFollowable marks types that can be followed.
func (*Category) IsFollowable() {}

// IsFollowable marks types that can be followed.
func (*Tag) IsFollowable() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*Notification) IsNode() {}

// IsNotificationSubject marks types that a notification can be about (`NotificationSubject` in the
// schema).
func (*Comment) IsNotificationSubject() {}

// IsNotificationSubject marks types that a notification can be about.
func (*Topic) IsNotificationSubject() {}

// IsNotificationSubject marks types that a notification can be about.
func (*User) IsNotificationSubject() {}

// IsNode marks types that have a global id and can be fetched by it.
func (*Act) IsNode() {}

// IsModerationSubject marks types that a moderator can act on (`ModerationSubject` in the schema).
func (*Comment) IsModerationSubject() {}

// IsModerationSubject marks types that a moderator can act on.
func (*Topic) IsModerationSubject() {}

// IsModerationSubject marks types that a moderator can act on.
func (*User) IsModerationSubject() {}

// IsActSubject marks types that an act of a moderator can be about (`ActSubject` in the schema).
func (*Category) IsActSubject() {}

// IsActSubject marks types that an act of a moderator can be about.
func (*Comment) IsActSubject() {}

// IsActSubject marks types that an act of a moderator can be about.
func (*Tab) IsActSubject() {}

// IsActSubject marks types that an act of a moderator can be about.
func (*Topic) IsActSubject() {}

// IsActSubject marks types that an act of a moderator can be about.
func (*User) IsActSubject() {}
