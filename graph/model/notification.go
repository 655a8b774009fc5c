package model

import "agora/internal/forum"

// NotificationConnection is a page of a user's notifications.
type NotificationConnection struct {
	connection
	Owner forum.UserID
}

// NewNotificationConnection makes the connection of a page of the user's notifications.
func NewNotificationConnection(list string, owner forum.UserID, p forum.Page) *NotificationConnection {
	return &NotificationConnection{connection{list, p}, owner}
}

// Edge is one of the page's rows, where its notification stands.
func (c *NotificationConnection) Edge(row int, node *forum.Notification) *NotificationEdge {
	return &NotificationEdge{Cursor: c.Cursor(row), Node: node}
}
