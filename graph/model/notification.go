package model

import "agora/internal/forum"

// NotificationConnection is a page of a user's notifications.
type NotificationConnection struct {
	connection
	Owner forum.UserID
}

// NewNotificationConnection returns the connection of a page of the user's notifications.
func NewNotificationConnection(list string, owner forum.UserID, p *forum.Page) *NotificationConnection {
	return &NotificationConnection{connection{list, p}, owner}
}

// Edge returns the edge of one of the page's rows.
func (c *NotificationConnection) Edge(row int, node *forum.Notification) *NotificationEdge {
	return &NotificationEdge{Cursor: c.Cursor(row), Node: node}
}
