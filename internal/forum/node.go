package forum

// IsNode marks what has a global id and can be fetched by it (`Node` in the schema).
func (*User) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Topic) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Comment) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Category) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Tab) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Timeline) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*UserList) IsNode() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Tag) IsNode() {}

// IsFollowable marks what can be followed (`Followable` in the schema).
func (*User) IsFollowable() {}

// IsFollowable marks what can be followed.
func (*Category) IsFollowable() {}

// IsFollowable marks what can be followed.
func (*Tag) IsFollowable() {}

// IsNode marks what has a global id and can be fetched by it.
func (*Notification) IsNode() {}

// IsNotificationSubject marks what a notification can point to (`NotificationSubject` in
// the schema).
func (*Comment) IsNotificationSubject() {}

// IsNotificationSubject marks what a notification can point to.
func (*Topic) IsNotificationSubject() {}

// IsNotificationSubject marks what a notification can point to.
func (*User) IsNotificationSubject() {}
